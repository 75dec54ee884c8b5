"""The pages in ``docs/``: reasons are read, figures are written."""

from __future__ import annotations

import re
from pathlib import Path

from .process import REPOSITORY

__all__ = ["between", "page", "told_names", "with_section"]


def page(name: str) -> Path:
    """Return the path of a page."""
    return REPOSITORY / "docs" / name


def told_names(text: str) -> list[str]:
    """Return the names of which a page says why they do not run.

    Examples
    --------
    >>> told_names("| `yes` | |\\n## Failures and their reasons\\n| `a/b.py -d 2` | asks for a GPU |")
    ['a/b.py -d 2']
    """
    return re.findall(r"^\| `([^`]+)` \|", text.partition("## Failures and their reasons")[2], re.MULTILINE)


def between(text: str, begin: str, end: str, lines: list[str]) -> str:
    """Return a page with other lines between two marks.

    Raises
    ------
    ValueError
        If the page lacks one of the marks.

    Examples
    --------
    >>> between("a<b>old<e>c", "<b>", "<e>", ["new"])
    'a<b>new\\n<e>c'
    """
    before, _, rest = text.partition(begin)
    if end not in rest:
        raise ValueError(f"the page has no place for these figures: write the lines {begin}{end}")
    return f"{before}{begin}" + "\n".join(lines) + f"\n{end}{rest.partition(end)[2]}"


def with_section(text: str, title: str, section: str) -> str:
    """Return a page with another text below a heading, or with the heading and the text at its end.

    Examples
    --------
    >>> page_of_two = with_section(with_section("Text.\\n", "A", "1"), "B", "2")
    >>> page_of_two
    'Text.\\n\\n## A\\n\\n1\\n\\n## B\\n\\n2\\n'
    >>> with_section(page_of_two, "A", "3")
    'Text.\\n\\n## A\\n\\n3\\n\\n## B\\n\\n2\\n'
    """
    heading = f"\n## {title}\n"
    before, _, after = text.partition(heading)
    _, mark, after = after.partition("\n## ")
    return f"{before.rstrip()}\n{heading}\n{section}\n{mark}{after}"
