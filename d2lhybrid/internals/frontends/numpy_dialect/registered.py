"""Functions with NumPy's signatures whose operators ``F.np`` takes directly from the registry.

For example, ``F.np.sum`` is generated from the operator ``_np_sum`` and writes only the arguments that its caller
passed into a graph. ``np.sum`` and the method ``x.sum()`` use the functions of this file, which pass every argument to
the operator.
"""

from __future__ import annotations

from typing import Any

from .space import Array, Space

__all__ = [
    "all", "amax", "amin", "any", "atleast_1d", "atleast_2d", "atleast_3d", "copy", "cumsum", "diag", "diagflat",
    "diagonal", "dot", "max", "min", "moveaxis", "prod", "product", "repeat", "reshape", "roll", "sometrue",
    "squeeze", "sum", "trace", "transpose",
]  # fmt: skip

#: The meanings of parameters of this file's functions; see ``documentation.py``.
MEANINGS = {
    "a": "The array.",
    "axis": "The axis or axes to reduce; all axes by default.",
    "initial": "The initial value of the sum.",
    "cumsum.axis": "The axis; by default, the array is flattened.",
    "repeat.axis": "The axis; by default, the array is flattened.",
    "roll.axis": "The axis or axes; by default, the array is flattened.",
    "squeeze.axis": "The axes of size 1 to remove; all by default.",
    "dot.a": "The left factor.",
    "dot.b": "The right factor.",
    "array": "A vector or a matrix.",
    "k": "The index of the diagonal; 0 is the main diagonal, and positive numbers are above it.",
    "offset": "The index of the diagonal; 0 is the main diagonal, and positive numbers are above it.",
    "newshape": "The new shape, in which one size may be -1.",
    "axes": "The axes in their new order; by default, the order is reversed.",
    "source": "The axes to move.",
    "destination": "The new positions of the axes in ``source``.",
    "shift": "The number of positions by which elements move.",
    "arys": "The arrays.",
}


def sum(
    F: Space, a: Any, axis: Any = None, dtype: Any = None, keepdims: bool = False, initial: Any = None, out: Any = None
) -> Array:
    """Return the sum along axes."""
    further = {} if initial is None else {"initial": initial}
    return F.call("_np_sum", a, axis=axis, dtype=dtype, keepdims=keepdims, out=out, **further)


def prod(F: Space, a: Any, axis: Any = None, dtype: Any = None, out: Any = None, keepdims: bool = False) -> Array:
    """Return the product along axes."""
    return F.call("_np_prod", a, axis=axis, dtype=dtype, keepdims=keepdims, out=out)


product = prod


def max(F: Space, a: Any, axis: Any = None, keepdims: bool = False, out: Any = None) -> Array:
    """Return the largest element along axes."""
    return F.call("_np_max", a, axis=axis, keepdims=keepdims, out=out)


amax = max


def min(F: Space, a: Any, axis: Any = None, keepdims: bool = False, out: Any = None) -> Array:
    """Return the smallest element along axes."""
    return F.call("_np_min", a, axis=axis, keepdims=keepdims, out=out)


amin = min


def all(F: Space, a: Any, axis: Any = None, keepdims: bool = False, out: Any = None) -> Array:
    """Return whether all elements along axes are true."""
    return F.call("_np_all", a, axis=axis, keepdims=keepdims, out=out)


def any(F: Space, a: Any, axis: Any = None, keepdims: bool = False, out: Any = None) -> Array:
    """Return whether at least one element along axes is true."""
    return F.call("_np_any", a, axis=axis, keepdims=keepdims, out=out)


sometrue = any


def cumsum(F: Space, a: Any, axis: int | None = None, dtype: Any = None, out: Any = None) -> Array:
    """Return the cumulative sums along an axis, or of the flattened array."""
    return F.call("_np_cumsum", a, axis=axis, dtype=dtype, out=out)


def copy(F: Space, a: Any, out: Any = None) -> Array:
    """Return a copy of an array."""
    return F.call("_np_copy", a, out=out)


def dot(F: Space, a: Any, b: Any, out: Any = None) -> Array:
    """Return the dot product of vectors or matrices: sums of products over the last axis of ``a``."""
    return F.call("_np_dot", a, b, out=out)


def trace(F: Space, a: Any, offset: int = 0, axis1: int = 0, axis2: int = 1, out: Any = None) -> Array:
    """Return the sum of a diagonal of a matrix."""
    return F.call("_np_trace", a, offset=offset, axis1=axis1, axis2=axis2, out=out)


def diag(F: Space, array: Any, k: int = 0) -> Array:
    """Return a diagonal of a matrix, or a matrix with a vector on a diagonal."""
    return F.call("_np_diag", array, k=k)


def diagflat(F: Space, array: Any, k: int = 0) -> Array:
    """Return a matrix with the flattened array on a diagonal."""
    return F.call("_np_diagflat", array, k=k)


def diagonal(F: Space, a: Any, offset: int = 0, axis1: int = 0, axis2: int = 1) -> Array:
    """Return the diagonals along two axes."""
    return F.call("_np_diagonal", a, offset=offset, axis1=axis1, axis2=axis2)


def reshape(F: Space, a: Any, newshape: Any, order: str = "C", out: Any = None) -> Array:
    """Return a copy of the array in another shape; a size of -1 is inferred from the other sizes."""
    return F.call("_np_reshape", a, newshape=newshape, order=order, out=out)


def transpose(F: Space, a: Any, axes: Any = None) -> Array:
    """Permute the axes of an array; by default, reverse their order."""
    return F.call("_np_transpose", a, axes=axes)


def squeeze(F: Space, a: Any, axis: Any = None, out: Any = None) -> Array:
    """Return the array without the axes of size 1 in ``axis``, by default without all axes of size 1."""
    return F.call("_np_squeeze", a, axis=axis, out=out)


def moveaxis(F: Space, a: Any, source: Any, destination: Any) -> Array:
    """Move axes of an array to new positions; all other axes keep their order."""
    return F.call("_np_moveaxis", a, source=source, destination=destination)


def repeat(F: Space, a: Any, repeats: int, axis: int | None = None) -> Array:
    """Repeat each element of an array, along an axis or in the flattened array."""
    return F.call("_np_repeat", a, repeats=repeats, axis=axis)


def roll(F: Space, a: Any, shift: Any, axis: Any = None) -> Array:
    """Shift the elements of an array cyclically, along axes or in the flattened array."""
    return F.call("_np_roll", a, shift=shift, axis=axis)


def atleast_1d(F: Space, *arys: Any) -> Array | Any:
    """Return the arrays, with an axis of size 1 added to those without axes."""
    return F.call("_np_atleast_1d", *arys)


def atleast_2d(F: Space, *arys: Any) -> Array | Any:
    """Return the arrays, with axes of size 1 added to those with fewer than two axes."""
    return F.call("_np_atleast_2d", *arys)


def atleast_3d(F: Space, *arys: Any) -> Array | Any:
    """Return the arrays, with axes of size 1 added to those with fewer than three axes."""
    return F.call("_np_atleast_3d", *arys)
