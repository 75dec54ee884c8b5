"""docs/model_definitions.md: a table a library, with a line a model."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from .libraries import Library

_PAGE = Path(__file__).resolve().parents[2] / "docs" / "model_definitions.md"


def write_page(library: Library, names: list[list[str]], results: list[dict[str, Any]]) -> None:
    """Write the section of a library anew.

    Parameters
    ----------
    library : Library
        Which.
    names : list of list of str
        Its models, each with the module that defines it, and perhaps the one that it is like.
    results : list of dict
        What came of them.
    """
    text = _PAGE.read_text("utf-8")
    title = f"\n## {library.title}\n"
    before, _, after = text.partition(title)
    _, mark, after = after.partition("\n## ")
    section = _section(library, names, results)
    _PAGE.write_text(f"{before.rstrip()}\n{title}\n{section}\n{mark}{after}", "utf-8")


def _section(library: Library, names: list[list[str]], results: list[dict[str, Any]]) -> str:
    of = {result["model"]: result for result in results if not result["backward"]}
    forward = [of[name] for name, *_ in names if name in of]
    said = {result["model"]: library.explains(result) or "**differs**" for result in forward}
    equal = sum(word == "equal" for word in said.values())
    back = {result["model"]: _file(result) for result in forward if said[result["model"]] == "equal"}
    back |= {result["model"]: library.explains(result) or "**differs**" for result in results if result["backward"]}
    good = sum(word in ("equal", "same") for word in back.values())
    same = sum(word == "same" for word in back.values())
    with_mxnet = sum(result["who"] == "here" or said[result["model"]] == "equal" for result in forward)
    lines = [
        f"{library.title} {library.version} has {len(names)} models, of which {len(forward)} were tried. MXNet 1.9.1 "
        f"runs {with_mxnet} of these, and {equal} give the same numbers here. A file from here gives MXNet the same "
        f"numbers for {good} of {sum(map(bool, back.values()))}: {same} of these files are MXNet's own, byte for byte.",
        "",
        "| model | defined in | inputs | parameters | | file from here |",
        "| --- | --- | --- | --: | --- | --- |",
    ]
    like: dict[str, list[str]] = {}
    for name, _, *other in names:
        like.setdefault(other[0] if other else name, []).append(name)
    for name, module, *other in names:
        if name in of:
            lines.append(_line(of[name], said[name], back.get(name, "")))
        elif not other:
            lines.append(f"| `{name}` | {module} | | | **not tried** | |")
    more = {first: [name for name in same if name not in of] for first, same in like.items() if first in of}
    if any(more.values()):
        lines += ["", "The others have the name of one of these, but for a depth, a width or a data set:", ""]
        lines += [f"- `{first}`: {', '.join(f'`{name}`' for name in same)}" for first, same in more.items() if same]
    left = [name for first, same in like.items() if first not in of for name in same if name not in of]
    if left and any(len(row) > 2 for row in names):
        lines += ["", "Not tried, nor another one of such a name: " + ", ".join(map("`{}`".format, left))]
    return "\n".join(lines)


def _file(result: dict[str, Any]) -> str:
    """Return what is known of the file that this package wrote of a model whose numbers it had loaded."""
    if "same_file" not in result:
        return ""
    return "same" if result["same_file"] else result["back"]


def _line(result: dict[str, Any], said: str, back: str) -> str:
    shapes = " and ".join("×".join(map(str, sort["shape"])) for sort in result.get("sorts", []))
    count = f"{result['parameters']:,}" if "parameters" in result else ""
    message = result["message"].partition(";")[0] if said == "equal" else ""
    return (
        f"| `{result['model']}` | {result['module']} | {shapes} | {count} | {said} {message}".rstrip() + f" | {back} |"
    )
