"""Functions that change the shape of an array or the order of its elements in ``np``."""

from __future__ import annotations

from typing import Any

import numpy

from .elementwise import is_number
from .space import Array, Space

__all__ = [
    "broadcast_to", "diff", "ediff1d", "expand_dims", "flip", "fliplr", "flipud", "pad", "ravel", "resize", "rot90",
    "swapaxes", "tile", "tril",
]  # fmt: skip

#: The meanings of parameters of this file's functions; see ``documentation.py``.
MEANINGS = {
    "x": "The array.",
    "a": "The array.",
    "m": "The array.",
    "A": "The array.",
    "array": "The array.",
    "ary": "The array.",
    "order": "The order in which the elements are read; only ``C`` (row by row) is supported.",
    "expand_dims.axis": "The position of the new axis in the result.",
    "flip.axis": "The axes along which to reverse the order; all by default.",
    "diff.axis": "The axis along which to subtract neighbors.",
    "rot90.k": "The number of rotations by 90 degrees; negative numbers reverse the direction.",
    "rot90.axes": "The two axes of the plane of the rotation, which goes from the first axis towards the second.",
    "tril.k": "The index of the diagonal; 0 is the main diagonal, and positive numbers are above it.",
    "new_shape": "The shape of the result.",
    "n": "The number of times that differences are computed.",
    "prepend": "Not supported; a parameter of NumPy.",
    "append": "Not supported; a parameter of NumPy.",
    "to_begin": "The values before the differences.",
    "to_end": "The values after the differences.",
}


def ravel(F: Space, x: Any, order: str = "C") -> Array:
    """Return the elements as a 1-D array.

    Raises
    ------
    NotImplementedError
        If the order is not ``C``.
    """
    if order != "C":
        raise NotImplementedError(f"order {order} is not supported")
    if is_number(x):
        return numpy.reshape(x, -1)
    return F.call("_npx_reshape", x, newshape=-1)


def expand_dims(F: Space, a: Any, axis: int) -> Array:
    """Return the array with an additional axis of size 1."""
    return F.call("_npi_expand_dims", a, axis=axis)


def swapaxes(F: Space, a: Any, axis1: int, axis2: int) -> Array:
    """Return the array with two axes exchanged."""
    return F.call("_npi_swapaxes", a, dim1=axis1, dim2=axis2)


def broadcast_to(F: Space, array: Any, shape: Any) -> Array:
    """Broadcast an array to a shape: repeat the array along axes of size 1 and along new leading axes."""
    if is_number(array):
        from .creation import full

        return full(F, shape, array)
    return F.call("_npi_broadcast_to", array, shape=shape)


def tile(F: Space, A: Any, reps: Any) -> Array:
    """Repeat the whole array along its axes."""
    if is_number(A):
        return numpy.tile(A, reps)
    return F.call("_npi_tile", A, reps=reps)


def flip(F: Space, m: Any, axis: Any = None, out: Any = None) -> Array:
    """Return the elements in reverse order along axes, by default along all axes."""
    if is_number(m):
        return numpy.flip(m, axis)
    return F.call("_npi_flip", m, axis=axis, out=out)


def flipud(F: Space, m: Any) -> Array:
    """Return the rows in reverse order."""
    return flip(F, m, 0)


def fliplr(F: Space, m: Any) -> Array:
    """Return the columns in reverse order."""
    return flip(F, m, 1)


def rot90(F: Space, m: Any, k: int = 1, axes: Any = (0, 1)) -> Array:
    """Return the array rotated ``k`` times by 90 degrees in the plane of two axes."""
    return F.call("_npi_rot90", m, k=k, axes=axes)


def tril(F: Space, m: Any, k: int = 0) -> Array:
    """Return the lower triangle of a matrix, with zeros above a diagonal."""
    return F.call("_npi_tril", m, k=k)


def resize(F: Space, a: Any, new_shape: Any) -> Array:
    """Return an array of another shape, filled with repeated copies of the elements."""
    return F.call("_npi_resize", a, new_shape=(new_shape,) if is_number(new_shape) else tuple(new_shape))


# The valid keyword arguments of pad, by mode.
_PAD_KEYWORDS = {
    "constant": ("constant_values",),
    "edge": (),
    "maximum": ("stat_length",),
    "minimum": ("stat_length",),
    "reflect": ("reflect_type",),
    "symmetric": ("reflect_type",),
}
_PAD_UNSUPPORTED = ("empty", "wrap", "linear_ramp", "mean", "median")


def pad(F: Space, x: Any, pad_width: Any, mode: str = "constant", **kwargs: Any) -> Array:
    """Return the array with padding at both ends of its axes.

    Parameters
    ----------
    F : Space
        The function space.
    x : array
        The array to pad.
    pad_width : tuple of (int, int)
        The number of elements to add before and after the array, for each axis.
    mode : {"constant", "edge", "reflect", "symmetric", "maximum", "minimum"}
        The content of the padding: a number, copies of the border, a mirror image without or with the border element,
        or the largest or smallest element along the axis.
    **kwargs
        ``constant_values``, the value of the padding for the mode ``"constant"``; or ``reflect_type``, which must be
        ``"even"``, for the modes ``"reflect"`` and ``"symmetric"``.

    Raises
    ------
    TypeError
        If ``pad_width`` is neither a tuple nor a list, or if ``constant_values`` is not a number.
    ValueError
        If NumPy's mode or a keyword argument is not supported.
    KeyError
        If the mode does not exist.
    """
    if not isinstance(pad_width, tuple | list):
        raise TypeError("`pad_width` must be tuple.")
    if callable(mode):
        raise ValueError("mode = '<function>' is not supported.")
    if mode in _PAD_UNSUPPORTED:
        raise ValueError(f"mode {{{mode!r}}} is not supported.")
    allowed = _PAD_KEYWORDS[mode]
    for key in kwargs:
        if key not in allowed:
            raise ValueError(f"{key} keyword not in allowed keywords {list(allowed)}")
    if kwargs.get("stat_length") is not None:
        raise ValueError(f"unsupported stat_length '{kwargs['stat_length']}'")
    if mode == "constant":
        value = kwargs.get("constant_values", 0)
        if not is_number(value):
            raise TypeError("`constant_values` must be a number.")
        F.skip_name("_npi_pad")  # MXNet creates a node that it discards, so the numbers of names agree
        return F.call("_npi_pad", x, pad_width=pad_width, mode=mode, constant_value=value)
    if mode in ("reflect", "symmetric"):
        reflect_type = kwargs.get("reflect_type", "even")
        if reflect_type != "even":
            raise ValueError(f"unsupported reflect_type '{reflect_type}'")
        return F.call("_npi_pad", x, pad_width=pad_width, mode=mode, reflect_type=reflect_type)
    return F.call("_npi_pad", x, pad_width=pad_width, mode=mode)


def diff(F: Space, a: Any, n: int = 1, axis: int = -1, prepend: Any = None, append: Any = None) -> Array:
    """Return the n-th differences of neighbors along an axis.

    Raises
    ------
    NotImplementedError
        If ``prepend`` or ``append`` is passed.
    """
    if prepend is not None or append is not None:
        raise NotImplementedError("prepend and append options are not supported yet")
    return F.call("_npi_diff", a, n=n, axis=axis)


def ediff1d(F: Space, ary: Any, to_end: Any = None, to_begin: Any = None) -> Array:
    """Return the differences of neighbors in the flattened array, with optional values before and after."""
    further = []
    settings: dict[str, Any] = {}
    for name, value in (("to_begin", to_begin), ("to_end", to_end)):
        given = F.is_array(value)
        if given:
            further.append(value)
        settings[f"{name}_arr_given"] = given
        settings[f"{name}_scalar"] = None if given else value
    return F.call("_npi_ediff1d", ary, *further, **settings)
