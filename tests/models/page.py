"""docs/model_definitions.md: a table a library, with a line a model."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from .libraries import TAG, Library

_PAGE = Path(__file__).resolve().parents[2] / "docs" / "model_definitions.md"


def write_page(library: Library, names: list[list[str]], results: list[dict[str, Any]]) -> None:
    """Write the section of a library anew.

    Parameters
    ----------
    library : Library
        Which.
    names : list of [str, str]
        Its models, each with the module that defines it.
    results : list of dict
        What came of them.
    """
    text = _PAGE.read_text("utf-8")
    title = f"\n## {library.title}\n"
    before, _, after = text.partition(title)
    _, mark, after = after.partition("\n## ")
    _PAGE.write_text(f"{before.rstrip()}\n{title}\n{_section(library, names, results)}\n{mark}{after}", "utf-8")


def _section(library: Library, names: list[list[str]], results: list[dict[str, Any]]) -> str:
    of = {result["model"]: result for result in results if not result["backward"]}
    forward = [of[name] for name, _ in names if name in of]
    backward = {result["model"]: result for result in results if result["backward"]}
    said = {result["model"]: library.explains(result) or "**differs**" for result in forward}
    equal = sum(word == "equal" for word in said.values())
    back = sum(result["status"] == "equal" for result in backward.values())
    with_mxnet = sum(result["who"] == "here" or said[result["model"]] == "equal" for result in forward)
    lines = [
        f"{library.title} {TAG[1:]} has {len(names)} models, of which {len(forward)} were tried. MXNet 1.9.1 runs "
        f"{with_mxnet} of these, and {equal} give the same numbers here. {back} of {len(backward)} whose files were "
        "written here give the same numbers with MXNet.",
        "",
        "| model | defined in | inputs | parameters | |",
        "| --- | --- | --- | --: | --- |",
    ]
    for name, module in names:
        if name not in of:
            lines.append(f"| `{name}` | {module} | | | not tried |")
            continue
        result = of[name]
        shapes = " and ".join("×".join(map(str, sort["shape"])) for sort in result.get("sorts", []))
        count = f"{result['parameters']:,}" if "parameters" in result else ""
        word = said[result["model"]]
        if word == "equal" and result["message"]:
            word += f" {result['message'].partition(';')[0]}"
        if result["model"] in backward:
            other = library.explains(backward[result["model"]])
            word += "; back: " + (other or "**differs**")
        lines.append(f"| `{result['model']}` | {result['module']} | {shapes} | {count} | {word} |")
    return "\n".join(lines)
