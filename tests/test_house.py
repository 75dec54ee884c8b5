"""Rooms import only lower rooms, the machine imports only leaves, and the package is light."""

from __future__ import annotations

import ast
import graphlib
import re
import subprocess
import sys
from pathlib import Path

import pytest

import d2lhybrid
from d2lhybrid.support import plugins

PACKAGE = Path(__file__).resolve().parent.parent / "d2lhybrid"

#: The rooms, from the ground up, and the modules in each. A module imports only what is in its own room or in a lower
#: one, inside of functions as well. What a lower room may use of a higher one is in ``support/plugins.py``.
ROOMS: dict[str, set[str]] = {
    "leaves": {"errors", "support"},
    "places": {"context", "device", "util", "formats", "recordio", "registry"},
    "names of MXNet without contents": {"engine", "error", "libinfo", "log", "numpy_dispatch_protocol", "runtime"},
    "machine": {"core"},
    "operators": {"ops"},
    "reports": {"reports"},
    "compiler": {"compiler"},
    "gradients": {"autograd"},
    "two languages for functions": {"faces"},
    "scopes of names": {"attribute", "name"},
    "arrays": {"ndarray", "numpy", "numpy_extension", "random"},
    "symbols": {"base", "symbol", "typing"},
    "operators of the user": {"operator"},
    "executors": {"executor", "executor_manager", "monitor"},
    "profiler": {"profiler"},
    "onnx": {"onnx"},
    "training": {"initializer", "kvstore", "lr_scheduler", "metric", "misc", "optimizer"},
    "data": {"image", "io", "contrib.text"},
    "gluon": {"gluon", "test_utils"},
    "modules": {"callback", "contrib", "model", "module", "rnn"},
    "pictures": {"check", "data", "seeing", "viz"},
    "course": {"d2l", "d2lzh", "exercises", "school"},
    "commands": {"__init__", "__main__", "compatibility", "mxnet", "running", "tools"},
}
ROOM = {module: room for room, modules in ROOMS.items() for module in modules}
FLOORS = list(ROOMS)


def _floor(module: str) -> int:
    """Return how high the room of a module lies."""
    first, _, rest = module.partition(".")
    return FLOORS.index(ROOM.get(f"{first}.{rest.partition('.')[0]}") or ROOM[first])


def _module(path: Path) -> str:
    parts = path.relative_to(PACKAGE).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" and len(parts) > 1 else parts)


def _top_level(path: Path) -> str:
    return path.relative_to(PACKAGE).with_suffix("").parts[0]


def _imports(path: Path) -> list[tuple[str, bool]]:
    """Return (imported module below this package, whether inside a function) of a file."""
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
        if not isinstance(node, ast.ImportFrom) or not node.level or id(node) in checking:
            continue
        base = package[: len(package) - node.level + 1]
        target = [*base, *(node.module.split(".") if node.module else [])]
        for alias in node.names:
            module = ".".join([*target[1:], alias.name])
            known = (PACKAGE / module.replace(".", "/")).with_suffix(".py").exists() or (
                PACKAGE / module.replace(".", "/")
            ).is_dir()
            name = module if known else ".".join(target[1:])
            if name:
                found.append((name, id(node) in inside))
    return found


FILES = sorted(p for p in PACKAGE.rglob("*.py"))


def test_a_room_imports_only_lower_rooms_inside_of_functions_as_well() -> None:
    wrong = [
        f"{path.relative_to(PACKAGE)} imports {name}, which is above it"
        for path in FILES
        for name, _ in _imports(path)
        if _floor(name) > _floor(_module(path))
    ]
    assert not wrong


def test_everything_that_a_lower_room_asks_for_by_name_is_there() -> None:
    for place in (*plugins.SERVICES.values(), *plugins.BACKENDS.values()):
        assert plugins.load(place)


def test_the_machine_imports_only_leaves_that_know_nothing_of_it() -> None:
    """Everything that a right result needs is in ``core``: what makes it faster registers itself there."""
    leaves = {"errors", "support", "context", "device.backend", "device.readiness", "formats.literals", "util"}
    leaves |= {"formats.serialization"}
    wrong = []
    for path in FILES:
        if _top_level(path) == "core":
            for name, _ in _imports(path):
                if name.split(".")[0] != "core" and not any(f"{name}.".startswith(f"{leaf}.") for leaf in leaves):
                    wrong.append(f"{path.relative_to(PACKAGE)} imports {name}")
    assert not wrong


@pytest.mark.slow
def test_no_module_needs_itself_to_be_imported() -> None:
    modules = {_module(path): path for path in FILES}

    def at_home(name: str) -> str:
        while name and name not in modules:
            name = name.rpartition(".")[0]
        return name

    needs = {name: {at_home(other) for other, inside in _imports(path) if not inside} for name, path in modules.items()}
    for name in needs:  # a package's __init__ names what its modules have
        needs[name] -= {name, "", *(other for other in needs[name] if modules[other].name == "__init__.py")}
    graphlib.TopologicalSorter(needs).prepare()


def test_arrays_and_symbols_never_import_each_other() -> None:
    for path in FILES:
        own = _top_level(path)
        if own in ("ndarray", "symbol"):
            other = {"ndarray": "symbol", "symbol": "ndarray"}[own]
            outside = [n for n, inside in _imports(path) if n.split(".")[0] == other and not inside]
            assert not outside, f"{path} imports {other}"


def test_type_checkers_read_the_names_that_are_loaded_when_first_used() -> None:
    here = {"Context", "MXNetError", "config", "cpu", "cpu_pinned", "current_context", "gpu", "set_np_shape"}
    here |= {"is_np_array", "is_np_shape", "np_array", "np_shape", "use_np", "use_np_array", "use_np_shape"}
    assert {*d2lhybrid.__all__} == {*here, *d2lhybrid._MODULES, *d2lhybrid._FUNCTIONS}


def test_cupy_is_imported_in_one_module_only() -> None:
    for path in FILES:
        for node in ast.walk(ast.parse(path.read_text())):
            names = [a.name for a in node.names] if isinstance(node, ast.Import) else []
            if isinstance(node, ast.ImportFrom) and not node.level:
                names.append(node.module or "")
            for name in names:
                if name.split(".")[0] in ("cupy", "cupyx"):
                    assert path.name == "backend.py", f"{path} imports {name}"


def test_jupyter_packages_are_imported_only_by_what_draws() -> None:
    heavy = {
        "ipywidgets",
        "anywidget",
        "IPython",
        "matplotlib",
        "graphviz",
        "nbclient",
        "nbformat",
        "jupyterlab",
    }
    for path in FILES:
        if _top_level(path) in ("seeing", "school", "d2l", "tools", "running"):
            continue
        for node in ast.walk(ast.parse(path.read_text())):
            names = [a.name for a in node.names] if isinstance(node, ast.Import) else []
            if isinstance(node, ast.ImportFrom) and not node.level:
                names.append(node.module or "")
            assert not heavy & {n.split(".")[0] for n in names}, f"{path} imports {names}"


def test_the_core_needs_numpy_alone() -> None:
    program = (
        "import sys; import d2lhybrid as mx; mx.nd, mx.sym, mx.gluon, mx.autograd, mx.np, mx.npx;"
        "roots = {m.split('.')[0] for m in sys.modules};"
        "extra = roots - set(sys.stdlib_module_names) - {'d2lhybrid', 'numpy', '__main__'};"
        "print(sorted(r for r in extra if not r.startswith('_')))"
    )
    done = subprocess.run([sys.executable, "-S", "-c", f"import sys; sys.path = {sys.path!r}; {program}"],
                          capture_output=True, text=True, check=True)  # fmt: skip
    loaded = ast.literal_eval(done.stdout)
    assert not {n for n in loaded if n in ("cupy", "ipywidgets", "matplotlib", "graphviz", "IPython", "scipy")}


def test_lines_are_traced_in_one_module_only() -> None:
    words = re.compile(r"\b(settrace|setprofile)\(|\bsys\.monitoring\b")
    assert [_module(path) for path in FILES if words.search(path.read_text())] == ["seeing.lines"]


def test_there_is_one_type_for_a_place_in_a_program() -> None:
    pair = re.compile(r"^class \w+\(tuple\[str, int\]\)|^    file(name)?: str\n    line(no)?: int\n\n", re.MULTILINE)
    assert [_module(path) for path in FILES if pair.search(path.read_text())] == ["support.places"]
