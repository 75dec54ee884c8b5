"""All habits, and the one call that gives them back."""

from __future__ import annotations

from . import of_ipython, of_matplotlib, of_numpy, of_others, of_pandas, of_python
from .importing import Gone, WhenImported

__all__ = ["give_back", "given_back"]

_FAMILIES = (of_python, of_numpy, of_matplotlib, of_ipython, of_pandas, of_others)

_begun: list = []


def given_back() -> bool:
    """Return whether the habits have been given back in this process."""
    return bool(_begun)


def give_back() -> None:
    """Give this process what Python and its libraries have dropped since 2019.

    What is loaded is changed at once, everything else when a program imports it. A second call does nothing.
    """
    if _begun:
        return
    changes, gone = {}, {}
    for family in _FAMILIES:
        changes.update(family.CHANGES)
        gone.update(family.GONE)
    _begun.extend([WhenImported(changes), Gone(gone)])
    for finder in _begun:
        finder.begin()
    of_python.builtin_open()
