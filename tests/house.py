"""The rooms of the package, what each imports, and a picture of them: ``make house``."""

from __future__ import annotations

import ast
import collections
import html
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = ROOT / "d2lhybrid"
#: All modules; the beginning of a teacher's course is data.
FILES = sorted(path for path in PACKAGE.rglob("*.py") if "new_course" not in path.parts)

#: The rooms, from the ground up, and the modules in each. A module imports only what is in its own room or in a lower
#: one, inside of functions as well. What a lower room may use of a higher one is in ``support/plugins.py``.
ROOMS: dict[str, set[str]] = {
    "leaves": {"error", "internals.support"},
    "devices and files": {"context", "internals.device", "util", "internals.formats", "recordio", "registry"},
    "small modules of MXNet": {"base", "engine", "libinfo", "log", "numpy_dispatch_protocol", "runtime"},
    "machine": {"internals.core"},
    "operators": {"internals.ops"},
    "reports": {"internals.reports"},
    "compiler": {"internals.compiler"},
    "gradients": {"autograd"},
    "frontends": {"internals.frontends"},
    "scopes of names": {"attribute", "name"},
    "arrays": {"_numpy_op_doc", "ndarray", "numpy", "numpy_extension", "random"},
    "symbols": {"symbol", "typing"},
    "custom operators": {"operator"},
    "executors": {"executor", "executor_manager", "monitor"},
    "profiler": {"profiler"},
    "onnx": {"onnx"},
    "training": {"initializer", "kvstore", "lr_scheduler", "metric", "misc", "optimizer"},
    "data": {"image", "io", "contrib.text"},
    "gluon": {"gluon", "test_utils"},
    "modules": {"callback", "contrib", "model", "module", "rnn"},
    "pictures": {"data", "internals.pictures", "viz"},
    "course": {"d2l", "d2lzh", "exercises", "internals.course"},
    "commands": {"__init__", "__main__", "internals", "internals.compatibility", "mxnet", "internals.commands"},
}
_ROOM_OF = {module: room for room, modules in ROOMS.items() for module in modules}
_FLOORS = list(ROOMS)


def module_of(path: Path) -> str:
    """Return the name of a file's module, below the package."""
    parts = path.relative_to(PACKAGE).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" and len(parts) > 1 else parts)


def room_of(module: str) -> str:
    """Return the room that a module is in."""
    first, _, rest = module.partition(".")
    return _ROOM_OF.get(f"{first}.{rest.partition('.')[0]}") or _ROOM_OF[first]


def floor_of(module: str) -> int:
    """Return how high the room of a module lies."""
    return _FLOORS.index(room_of(module))


def imports_of(path: Path) -> list[tuple[str, bool]]:
    """Return (imported module below this package, whether inside a function) of a file; not what only types ask for."""
    package = list(path.relative_to(PACKAGE.parent).with_suffix("").parts[:-1])
    found = []
    tree = ast.parse(path.read_text())
    inside = {
        id(n) for f in ast.walk(tree) if isinstance(f, ast.FunctionDef | ast.AsyncFunctionDef) for n in ast.walk(f)
    }
    checking = {
        id(n)
        for i in ast.walk(tree)
        if isinstance(i, ast.If) and isinstance(i.test, ast.Name) and i.test.id == "TYPE_CHECKING"
        for n in ast.walk(i)
    }
    for node in ast.walk(tree):
        if not isinstance(node, ast.ImportFrom) or id(node) in checking:
            continue
        base = package[: len(package) - node.level + 1] if node.level else []
        target = [*base, *(node.module.split(".") if node.module else [])]
        if target[0] != PACKAGE.name:
            continue
        for alias in node.names:
            module = ".".join([*target[1:], alias.name])
            known = (PACKAGE / module.replace(".", "/")).with_suffix(".py").exists() or (
                PACKAGE / module.replace(".", "/")
            ).is_dir()
            name = module if known else ".".join(target[1:])
            if name:
                found.append((name, id(node) in inside))
    return found


def imports_of_higher_rooms() -> list[str]:
    """Return a sentence for every import of a module in a higher room."""
    return [
        f"{path.relative_to(PACKAGE)} imports {name}, which is in a higher room"
        for path in FILES
        for name, _ in imports_of(path)
        if floor_of(name) > floor_of(module_of(path))
    ]


def circles_of_the_machine() -> list[set[str]]:
    """Return the files of ``core`` that need each other, in sets; imports inside of functions count."""
    files = [path for path in FILES if module_of(path).startswith("internals.core.")]
    needs = {module_of(path): {name for name, _ in imports_of(path)} for path in files}
    reached = {name: {name} for name in needs}
    for _ in needs:  # the longest way has as many steps as there are files
        for name in needs:
            reached[name] = reached[name].union(*(reached[other] for other in needs[name] if other in reached))
    circles = {frozenset(other for other in reached[name] if name in reached[other]) for name in needs}
    return [set(circle) for circle in circles if len(circle) > 1]


def _counts() -> tuple[collections.Counter[str], collections.Counter[str], dict[str, collections.Counter[str]]]:
    """Return files and lines of every room, and how many names it imports from which other one."""
    files: collections.Counter[str] = collections.Counter()
    lines: collections.Counter[str] = collections.Counter()
    uses: dict[str, collections.Counter[str]] = {room: collections.Counter() for room in ROOMS}
    for path in FILES:
        room = room_of(module_of(path))
        files[room] += 1
        lines[room] += len(path.read_text().splitlines())
        uses[room].update(other for name, _ in imports_of(path) if (other := room_of(name)) != room)
    return files, lines, uses


def rows() -> Iterator[tuple[str, str, str, str]]:
    """Yield name, modules, size and imports of each room as text, from the top down."""
    files, lines, uses = _counts()
    for room in reversed(_FLOORS):
        used = ", ".join(f"{other} {count}" for other, count in uses[room].most_common())
        yield room, " ".join(sorted(ROOMS[room])), f"{files[room]} files, {lines[room]:,} lines", used


_STYLE = """
text { font: 13px system-ui, sans-serif; fill: #1f2328; }
.room { font-weight: 600; } .quiet { fill: #59636e; font-size: 12px; }
rect { fill: #f6f8fa; stroke: #d1d9e0; } rect.machine { fill: #ddf4ff; stroke: #0969da; }
@media (prefers-color-scheme: dark) {
  text { fill: #f0f6fc; } .quiet { fill: #9198a1; }
  rect { fill: #151b23; stroke: #3d444d; } rect.machine { fill: #0c2d6b; stroke: #4493f8; }
}"""


def drawing() -> str:
    """Return the rooms as an SVG picture: each stands on those that it may import."""
    height, parts = 46, []
    for i, (room, modules, size, used) in enumerate(rows()):
        y = 4 + i * height
        kind = ' class="machine"' if room == "machine" else ""
        parts.append(f'<rect{kind} x="4" y="{y}" width="992" height="{height - 6}" rx="6"/>')
        parts.append(f'<text class="room" x="16" y="{y + 17}">{html.escape(room)}</text>')
        parts.append(f'<text x="230" y="{y + 17}">{html.escape(modules)}</text>')
        parts.append(f'<text class="quiet" x="16" y="{y + 33}">{size}</text>')
        parts.append(f'<text class="quiet" x="230" y="{y + 33}">{html.escape(_shortened(used))}</text>')
    total = 4 + len(ROOMS) * height
    title = "The rooms of d2lhybrid: each imports only rooms below it"
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1000 {total}" role="img" aria-label="{title}">'
        f"<title>{title}</title><style>{_STYLE}</style>\n" + "\n".join(parts) + "\n</svg>\n"
    )


def _shortened(used: str) -> str:
    if not used:
        return "imports nothing of the package"
    text = f"imports {used}"
    return text if len(text) < 110 else text[: text.rindex(",", 0, 108)] + ", ..."


def main() -> int:
    """Print the rooms and what breaks the rule; write the picture."""
    for room, modules, size, used in rows():
        print(f"{room} ({size}): {modules}\n    imports {used or 'nothing of the package'}")
    (ROOT / "docs" / "house.svg").write_text(drawing())
    wrong = imports_of_higher_rooms()
    print(*wrong, f"{len(wrong)} imports of a higher room, imports inside of functions counted.", sep="\n")
    pairs = " · ".join(
        sorted(" and ".join(sorted(name.rpartition(".")[2] for name in circle)) for circle in circles_of_the_machine())
    )
    print(f"Files of the machine that need each other: {pairs}.")
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main())
