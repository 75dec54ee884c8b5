"""Functions that select elements by conditions and indices in ``np``."""

from __future__ import annotations

from typing import Any

import numpy

from ...support.notes import with_note
from .elementwise import is_number
from .space import Array, Space

__all__ = [
    "delete", "diag_indices_from", "insert", "may_share_memory", "nonzero", "shape", "shares_memory", "take",
    "unravel_index", "where",
]  # fmt: skip

#: The meanings of parameters of this file's functions; see ``documentation.py``.
MEANINGS = {
    "a": "The array.",
    "b": "The other array.",
    "arr": "The array.",
    "obj": "The indices: an int, a slice, or an array of ints.",
    "values": "The values to insert.",
    "axis": "The axis; by default, the array is flattened.",
    "max_work": "Ignored; a parameter of NumPy.",
    "unravel_index.indices": "The indices into the flattened array.",
    "unravel_index.shape": "The shape of the array to which the indices refer.",
    "unravel_index.order": "The order of the elements; only ``C`` (row by row) is supported.",
}


def where(F: Space, condition: Any, x: Any = None, y: Any = None) -> Array | Any:
    """Return elements of ``x`` where a condition is nonzero, and elements of ``y`` elsewhere.

    Parameters
    ----------
    F : Space
        The function space.
    condition : array or number
        The condition, which is true where it is nonzero.
    x, y : array or number
        The arrays or numbers from which to choose; the condition and the arrays are broadcast. If ``x`` and ``y`` are
        omitted, the result is ``nonzero(condition)``.

    Raises
    ------
    ValueError
        If only one of ``x`` and ``y`` is passed.
    TypeError
        If ``x`` and ``y`` are omitted and the condition is a symbol.
    """
    if x is None and y is None:
        if not F.eager:
            raise TypeError("where() missing 2 required positional arguments: 'x' and 'y'")
        return nonzero(F, condition)
    if x is None or y is None:
        raise ValueError("either both or neither of x and y should be given")
    if is_number(condition):
        return x if condition else y
    if is_number(x) and is_number(y):
        return F.call("_npi_where_scalar2", condition, x=float(x), y=float(y))
    if is_number(x):
        return F.call("_npi_where_lscalar", condition, y, scalar=float(x))
    if is_number(y):
        return F.call("_npi_where_rscalar", condition, x, scalar=float(y))
    return F.call("_npi_where", condition, x, y)


def nonzero(F: Space, a: Any) -> tuple[Array, ...]:
    """Return the indices of the nonzero elements, as one int64 array for each axis."""
    F.only_for_arrays("nonzero")
    rows = F.call("_npx_nonzero", a)
    return tuple(rows[:, i] for i in range(rows.shape[1]))


def take(F: Space, a: Any, indices: Any, axis: int | None = None, mode: str = "raise", out: Any = None) -> Array:
    """Return the elements of an array at indices along an axis, or in the flattened array.

    Parameters
    ----------
    F : Space
        The function space.
    a : array
        The array from which to take elements.
    indices : array
        The indices; fractions are truncated.
    axis : int, optional
        The axis; by default, the array is flattened.
    mode : {"raise", "wrap", "clip"}
        The handling of indices that are out of range: raise an error, wrap around, or clip to the ends.
    out : array, optional
        The destination of the result.

    Raises
    ------
    NotImplementedError
        If the mode isn't ``"raise"``, ``"wrap"``, or ``"clip"``.
    """
    if mode not in ("wrap", "clip", "raise"):
        raise NotImplementedError(f"function take does not support mode '{mode}'")
    if axis is None:
        a, axis = F.call("_npx_reshape", a, newshape=-1), 0
    return F.call("_npi_take", a, indices, axis=axis, mode=mode, out=out)


def _slice_attributes(where: slice) -> dict[str, Any]:
    return {"start": where.start, "stop": where.stop, "step": 1 if where.step is None else where.step}


_POSITIONS = "an int, a slice, or an np array of ints"


def _wrong_type(argument: str, value: Any, supported: str) -> TypeError:
    """Return MXNet's error for an argument of an unsupported type, with a note about the supported types."""
    error = TypeError(f"{argument!r} can not support type {type(value)}")
    return with_note(error, f"Pass {supported}.")


def delete(F: Space, arr: Any, obj: Any, axis: int | None = None) -> Array:
    """Return a copy of an array without the elements or slices at indices (an int, a slice, or an array).

    Raises
    ------
    TypeError
        If the type of the indices isn't supported.
    """
    if isinstance(obj, slice):
        return F.call("_npi_delete", arr, axis=axis, **_slice_attributes(obj))
    if isinstance(obj, int | numpy.integer):
        return F.call("_npi_delete", arr, int_ind=int(obj), axis=axis)
    if F.is_array(obj):
        return F.call("_npi_delete", arr, obj, axis=axis)
    raise _wrong_type("obj", obj, _POSITIONS)


def insert(F: Space, arr: Any, obj: Any, values: Any, axis: int | None = None) -> Array:
    """Return a copy of an array with values inserted before the indices ``obj`` (an int, a slice, or an array).

    Raises
    ------
    TypeError
        If the type of the indices or values isn't supported.
    """
    if not is_number(values) and not F.is_array(values):
        raise _wrong_type("values", values, "a number or an np array")
    arrays = [] if is_number(values) else [values]
    settings: dict[str, Any] = {"axis": axis}
    if is_number(values):
        settings["val"] = values
    if isinstance(obj, slice):
        return F.call("_npi_insert_slice", arr, *arrays, **settings, **_slice_attributes(obj))
    if isinstance(obj, int | numpy.integer):
        return F.call("_npi_insert_scalar", arr, *arrays, **settings, int_ind=int(obj))
    if not F.is_array(obj):
        raise _wrong_type("obj", obj, _POSITIONS)
    if not arrays:
        raise _wrong_type("values", values, "an np array, because obj is an array")
    return F.call("_npi_insert_tensor", arr, values, obj, axis=axis)


def diag_indices_from(F: Space, arr: Any) -> tuple[Array, ...]:
    """Return the indices of the main diagonal of an array whose axes have equal sizes."""
    rows = F.call("_npi_diag_indices_from", arr)
    return tuple(rows[i] for i in range(rows.shape[0])) if F.eager else rows


def unravel_index(F: Space, indices: Any, shape: Any, order: str = "C") -> tuple[Array, ...]:
    """Convert indices into a flattened array to indices along the axes, as one array for each axis.

    For a number, the result contains numbers. For a symbol, the result is one symbol, whose first axis represents the
    axes of ``shape``.

    Raises
    ------
    NotImplementedError
        If the order is not ``C``.
    """
    if order != "C":
        raise NotImplementedError("Do not support column-major (Fortran-style) order at this moment")
    if is_number(indices):
        return tuple(int(i) for i in numpy.unravel_index(indices, shape))
    rows = F.call("_unravel_index", indices, shape=shape)
    return tuple(rows[i] for i in range(rows.shape[0])) if F.eager else rows


def shares_memory(F: Space, a: Any, b: Any, max_work: Any = None) -> bool:
    """Return whether two arrays share memory.

    Raises
    ------
    AssertionError
        If an argument is not an array.
    """
    if not F.eager:
        return F.call("_npi_share_memory", a, b)
    for name, value in (("a", a), ("b", b)):
        if not F.is_array(value):
            raise AssertionError(f"Argument {name} {F.argument_text}, but got {value}")
    return bool(F.call("_npi_share_memory", a, b))


may_share_memory = shares_memory


def shape(F: Space, a: Any) -> tuple[int, ...]:
    """Return the shape of an array."""
    F.only_for_arrays("shape")
    return a.shape
