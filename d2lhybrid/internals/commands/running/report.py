"""The report on the removed names that a program used, for the end of a run."""

from __future__ import annotations

import os
from collections.abc import Iterable

from ...support.words import add_words, translate
from .habits.relied import Use

__all__ = ["relied_text"]


def relied_text(uses: Iterable[Use]) -> str:
    """Return the removed names that a program used, one in each line.

    Parameters
    ----------
    uses : iterable of Use
        The uses, each with file and line.

    Returns
    -------
    str
        The text; empty if there are no uses.

    Examples
    --------
    >>> print(relied_text([Use("numpy.int", "int", "train.py", 3)]))
    This program used 1 name that Python or a library has removed:
      numpy.int  (train.py, line 3), today: int
    """
    uses = list(uses)
    if not uses:
        return ""
    first = "This program used {n} name that Python or a library has removed:" if len(uses) == 1 else (
        "This program used {n} names that Python or a library has removed:"
    )  # fmt: skip
    return "\n".join([translate(first, n=len(uses)), *map(_line, uses)])


def _line(use: Use) -> str:
    place = ", ".join(filter(None, [_short(use.where), translate("line {n}", n=use.line) if use.line else ""]))
    where = f"  ({place})" if place else ""
    return f"  {use.what}{where}, {translate('today: {instead}', instead=use.instead)}"


def _short(file: str) -> str:
    """Return a path relative to the current folder, if it is in this folder."""
    here = os.getcwd() + os.sep
    return file.removeprefix(here)


add_words(
    {
        "This program used {n} name that Python or a library has removed:": "这个程序用到了 {n} 个已经移除的功能：",
        "This program used {n} names that Python or a library has removed:": "这个程序用到了 {n} 个已经移除的功能：",
        "line {n}": "第 {n} 行",
        "today: {instead}": "现在：{instead}",
    }
)
