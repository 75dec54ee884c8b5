"""docs/model_definitions.md: a table a library, with a line a model."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from .libraries import TAG, Library

_PAGE = Path(__file__).resolve().parents[2] / "docs" / "model_definitions.md"


def write_page(library: Library, results: list[dict[str, Any]]) -> None:
    """Write the section of a library anew.

    Parameters
    ----------
    library : Library
        Which.
    results : list of dict
        What came of each of its models.
    """
    text = _PAGE.read_text("utf-8")
    title = f"\n## {library.title}\n"
    before, _, after = text.partition(title)
    _, mark, after = after.partition("\n## ")
    _PAGE.write_text(f"{before.rstrip()}\n{title}\n{_section(library, results)}\n{mark}{after}", "utf-8")


def _section(library: Library, results: list[dict[str, Any]]) -> str:
    forward = [result for result in results if not result["backward"]]
    backward = {result["model"]: result for result in results if result["backward"]}
    said = {result["model"]: library.explains(result) or "**differs**" for result in forward}
    equal = sum(word == "equal" for word in said.values())
    back = sum(result["status"] == "equal" for result in backward.values())
    with_mxnet = sum(result["who"] == "here" or said[result["model"]] == "equal" for result in forward)
    lines = [
        f"{library.title} {TAG[1:]}: {len(forward)} models, of which MXNet 1.9.1 runs {with_mxnet}. "
        f"{equal} give the same numbers here. {back} of {len(backward)} that were written here give the same "
        "numbers with MXNet.",
        "",
        "| model | defined in | inputs | parameters | |",
        "| --- | --- | --- | --: | --- |",
    ]
    for result in forward:
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
