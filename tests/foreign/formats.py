"""Readers: each turns the text of a chapter into the cells that are run, with the marks of its format taken off."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator

__all__ = ["READERS"]

#: Cells of the books' own tool, which shows the edition that a reader has chosen. It is not run.
_TOOL = "d2lbook.tab"

#: Which editions a chapter is in, where it says so.
_EDITIONS = re.compile(r"tab\.interact_select\((.*?)\)")

_MARK = re.compile(r"^\s*(?:#@tab|%%tab)\s+(.+?)\s*$")


def _fenced(text: str, begins: str) -> Iterator[str]:
    """Yield the blocks of a Markdown text whose first line, behind the backquotes, matches a pattern."""
    fence = re.compile(r"^( *)```[ ]*(" + begins + r")[^\n`]*\n(.*?)^\1```[ ]*$", re.MULTILINE | re.DOTALL)
    for found in fence.finditer(text):
        indent = found.group(1)
        yield "".join(line.removeprefix(indent) for line in found.group(3).splitlines(keepends=True))


def tabs(text: str, tab: str, default: str) -> list[str]:
    """Read the Markdown of *Dive into Deep Learning*, whose cells say for which library they are.

    Parameters
    ----------
    text : str
        The chapter.
    tab : str
        The library whose cells are wanted.
    default : str
        The library of cells that do not say it.

    Returns
    -------
    list of str
        The cells; none of a chapter that is not in the library's edition.
    """
    editions = _EDITIONS.search(text)
    if editions and tab not in re.findall(r"\w+", editions.group(1)):
        return []
    cells = []
    for block in _fenced(text, r"\{\.python \.input"):
        first, _, rest = block.partition("\n")
        mark = _MARK.match(first)
        names = [name.strip() for name in mark.group(1).split(",")] if mark else [default]
        if (tab in names or "all" in names) and _TOOL not in block:
            cells.append(rest if mark else block)
    return cells


def markdown(text: str, tab: str, default: str) -> list[str]:
    """Read Markdown with blocks of Python, whoever wrote it."""
    return list(_fenced(text, r"\{?\.?(?:python|py)\b"))


def notebook(text: str, tab: str, default: str) -> list[str]:
    """Read a notebook of Jupyter, of version 3 or 4 of its format."""
    content = json.loads(text)
    sheets = content.get("worksheets", [content])
    cells = [cell for sheet in sheets for cell in sheet["cells"] if cell["cell_type"] == "code"]
    sources = (cell.get("source", cell.get("input", "")) for cell in cells)
    return ["".join(source) for source in sources]


#: Name of a format -> ``read(text, tab, default)``, which returns the cells.
READERS: dict[str, Callable[[str, str, str], list[str]]] = {
    "tabs": tabs,
    "markdown": markdown,
    "notebook": notebook,
}
