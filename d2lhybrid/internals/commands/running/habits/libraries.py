"""The removed names of all libraries, and the function that restores these names."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from . import of_ipython, of_matplotlib, of_numpy, of_others, of_pandas, of_python
from .importing import Gone, WhenImported

__all__ = ["changes", "give_back", "given_back", "gone"]

_FAMILIES = (of_python, of_numpy, of_matplotlib, of_ipython, of_pandas, of_others)

_begun: list = []


def changes() -> dict[str, Callable[[Any], None]]:
    """Return the functions that restore names in modules after their import, by the name of the module.

    Returns
    -------
    dict of str to callable
        The functions by module.
    """
    return {name: change for family in _FAMILIES for name, change in family.CHANGES.items()}


def gone() -> dict[str, Any]:
    """Return the removed modules, each with the module that has its names now, or a function that returns the names.

    Returns
    -------
    dict of str to object
        The present modules or the functions, by removed module.
    """
    return {name: home for family in _FAMILIES for name, home in family.GONE.items()}


def given_back() -> bool:
    """Return whether :func:`give_back` has restored removed names in this process."""
    return bool(_begun)


def give_back() -> None:
    """Restore in this process the names that Python and its libraries have removed since 2019.

    Modules that are already imported change immediately. All other modules change when a program imports them. A second
    call has no effect.
    """
    if _begun:
        return
    _begun.extend([WhenImported(changes()), Gone(gone())])
    for finder in _begun:
        finder.begin()
    of_python.builtin_open()
