"""The conversion between nested lists of arrays or symbols and a flat list with a structure."""

from __future__ import annotations

from typing import Any

__all__ = ["flatten", "regroup"]


def flatten(value: Any, kind: type, what: str) -> tuple[list[Any], Any]:
    """Return the items of nested lists, and the structure of the lists, in which 0 replaces each item.

    Parameters
    ----------
    value : object of type `kind`, or nested list
        The value to flatten.
    kind : type
        The type of the items, NDArray or Symbol.
    what : str
        The description of the value, for the error message.

    Raises
    ------
    AssertionError
        If the value contains an item of another type.

    Examples
    --------
    >>> flatten([1, [2, 3]], int, "input")
    ([1, 2, 3], [0, [0, 0]])
    """
    if isinstance(value, kind):
        return [value], 0
    if not isinstance(value, list | tuple):
        raise AssertionError(f"{what} must be (nested) list of {kind.__name__}, but got {value} of type {type(value)}")
    flat, structure = [], []
    for part in value:
        found, form = flatten(part, kind, what)
        flat += found
        structure.append(form)
    return flat, structure


def regroup(flat: list[Any], structure: Any) -> Any:
    """Arrange the items of a flat list in nested lists with a given structure.

    Parameters
    ----------
    flat : list
        The items.
    structure : nested list, or 0
        The structure from :func:`flatten`.

    Returns
    -------
    list or object
        The nested lists; the item itself if the structure is 0.

    Examples
    --------
    >>> regroup([1, 2, 3], [0, [0, 0]])
    [1, [2, 3]]
    """
    rest = iter(flat)

    def take(form: Any) -> Any:
        return next(rest) if form == 0 else [take(part) for part in form]

    return take(structure)
