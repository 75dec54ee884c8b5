"""The numbered traps of hybridization: one table for the pages, for errors, and for ``check_hybridization``.

Every trap has a page in ``docs/errors``, generated from its folder in ``numbered`` (``make pages``). Numbers
never change: a new trap gets a new number.

Examples
--------
>>> trap("H03").title
'The shape of a Symbol is read'
>>> from d2lhybrid import sym
>>> try:
...     sym.var("x").shape
... except AttributeError as error:
...     trap_of(error).number
'H03'
>>> trap_of(ZeroDivisionError("division by zero")) is None
True
"""

from __future__ import annotations

import re

from ...support.remedies import row_of
from .loading import read_all
from .trap import Trap

__all__ = ["TRAPS", "Trap", "trap", "trap_of", "trap_of_kind"]

#: Number -> trap, in order.
TRAPS: dict[str, Trap] = {t.number: t for t in read_all()}

_BY_ROW = {row: t for t in TRAPS.values() for row in t.rows}
_BY_KIND = {kind: t for t in TRAPS.values() for kind in t.kinds}

#: Text that is part of several messages: specific patterns precede general ones.
_GENERAL = ("H16", "H26", "H32")
_IN_ORDER = [t for t in TRAPS.values() if t.number not in _GENERAL] + [TRAPS[n] for n in _GENERAL]


def trap(number: str) -> Trap:
    """Return the trap of hybridization with a given number.

    Raises
    ------
    ValueError
        If there is no such trap.

    Examples
    --------
    >>> trap("h2").file_name
    'H02-a-branch-on-values.md'
    """
    match = re.fullmatch(r"[Hh]?0*(\d{1,2})", number.strip())
    found = TRAPS.get(f"H{int(match[1]):02}") if match else None
    if found is None:
        raise ValueError(f"There is no page {number!r}. The pages are {', '.join(TRAPS)}.")
    return found


def trap_of(error: BaseException) -> Trap | None:
    """Return the trap to which an error belongs, or None if the error belongs to no trap.

    This package's errors contain the key of a remedy, which determines the trap. Other errors are recognized by their
    messages.
    """
    cause: BaseException | None = error
    while cause is not None:
        found = _BY_ROW.get(row_of(cause) or "")
        if found is not None:
            return found
        cause = cause.__cause__
    text = f"{type(error).__name__}: {error}"
    for candidate in _IN_ORDER:
        if any(re.search(pattern, text, flags=re.DOTALL) for pattern in candidate.patterns):
            return candidate
    return None


def trap_of_kind(kind: str) -> Trap | None:
    """Return the trap of a kind of finding from ``check_hybridization``, or None if the kind belongs to no trap.

    Examples
    --------
    >>> trap_of_kind("print").number
    'H51'
    """
    return _BY_KIND.get(kind)
