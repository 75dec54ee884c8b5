"""Sorting functions of ``np``."""

from __future__ import annotations

from typing import Any

from .space import Array, Space

__all__ = ["argsort", "sort", "unique"]

#: The meanings of parameters of this file's functions; see ``documentation.py``.
MEANINGS = {
    "a": "The values.",
    "axis": "The axis along which to sort; None flattens the array.",
    "kind": "Ignored; NumPy's name of a sorting method.",
    "order": "Not supported; a parameter of NumPy.",
}


def _no_order(F: Space, order: Any) -> None:
    if order is not None:
        raise NotImplementedError("order not supported here" if F.eager else "order is not supported yet...")


def sort(F: Space, a: Any, axis: int | None = -1, kind: Any = None, order: Any = None) -> Array:
    """Return the elements in ascending order along an axis; ``kind`` is ignored."""
    _no_order(F, order)
    return F.call("_npi_sort", a, axis=axis, is_ascend=True)


def argsort(F: Space, a: Any, axis: int | None = -1, kind: Any = None, order: Any = None) -> Array:
    """Return the indices that would sort an array, as int64; ``kind`` is ignored."""
    _no_order(F, order)
    return F.call("_npi_argsort", a, axis=axis, is_ascend=True, dtype="int64")


def unique(
    F: Space, ar: Any, return_index: bool = False, return_inverse: bool = False, return_counts: bool = False,
    axis: int | None = None,
) -> Array | Any:  # fmt: skip
    """Return the unique elements in ascending order.

    Parameters
    ----------
    F : Space
        The function space.
    ar : array
        The array, which is flattened unless ``axis`` is passed.
    return_index, return_inverse, return_counts : bool
        Whether to also return, in this order: the index of the first occurrence of each unique element, the index of
        each element of ``ar`` in the result, and the count of each unique element.
    axis : int, optional
        The axis along which to compare slices instead of elements.
    """
    result = F.call(
        "_npi_unique", ar, return_index=return_index, return_inverse=return_inverse, return_counts=return_counts,
        axis=axis,
    )  # fmt: skip
    if F.is_array(result):
        return result
    return tuple(result) if F.eager else list(result)
