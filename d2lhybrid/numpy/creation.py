"""Functions of ``mx.np`` that exist only for arrays."""

from __future__ import annotations

import numbers
from typing import Any

import numpy

from ..context import Context, context_of, current_context
from ..internals.core.invoke import wrap
from ..internals.device import array_modules
from ..internals.support.dtypes import DEFAULT_DTYPE, as_dtype
from ..ndarray.ndarray import NDArray
from ..ndarray.numpy._array import ndarray

__all__ = ["array", "broadcast_arrays", "empty", "genfromtxt", "meshgrid", "set_printoptions"]


def array(object: Any, dtype: Any = None, ctx: Context | None = None) -> ndarray:
    """Return a new array with the values of any array-like object.

    Parameters
    ----------
    object : array-like
        The values: an array, a NumPy array, nested lists of numbers, or a number.
    dtype : str or numpy dtype, optional
        Element type; by default, the element type of an array (including a NumPy array), or float32 for lists and
        numbers.
    ctx : Context, optional
        Device of the new array.

    Raises
    ------
    TypeError
        If the values are not numbers, or if the lists have different lengths.
    ValueError
        If the values are a legacy array, which ``as_np_ndarray()`` converts.

    Examples
    --------
    >>> array([1, 2])
    array([1., 2.])
    >>> array(numpy.array([1, 2]))
    array([1, 2], dtype=int64)
    """
    ctx = current_context() if ctx is None else context_of(ctx)
    if isinstance(object, NDArray):
        if object._legacy:
            raise ValueError(
                "If you're trying to create a mxnet.numpy.ndarray from mx.nd.NDArray, please use the zero-copy "
                "as_np_ndarray function."
            )
        raw = array_modules.to_context(object._data, ctx)
        return wrap(ndarray, raw.astype(object._data.dtype if dtype is None else as_dtype(dtype)), ctx)
    if isinstance(object, numpy.ndarray | numpy.generic):
        target = as_dtype(object.dtype if dtype is None else dtype)
    else:
        target = as_dtype(dtype)
    try:
        raw = _of_numbers(_on_host(object), target)
    except (ValueError, TypeError) as error:
        raise TypeError(str(error)) from None
    return wrap(ndarray, array_modules.to_context(raw, ctx), ctx)


def _of_numbers(values: Any, target: numpy.dtype) -> numpy.ndarray:
    """Return an array of numbers. Numbers out of the range of the element type wrap around."""
    try:
        return numpy.array(values, dtype=target)
    except OverflowError:
        return numpy.array(values).astype(target)


def _on_host(object: Any) -> Any:
    """Return nested lists in which NumPy arrays replace all arrays."""
    if isinstance(object, list | tuple):
        return [_on_host(part) for part in object]
    return object.asnumpy() if isinstance(object, NDArray) else object


def empty(shape: Any, dtype: Any = numpy.float32, order: str = "C", ctx: Context | None = None) -> ndarray:
    """Return an uninitialized array.

    Parameters
    ----------
    shape : int or tuple of int
        Shape of the array.
    dtype : str or type, optional
        The element type; float32 by default.
    order : {"C"}
        The memory layout.
    ctx : Context, optional
        The device; the current device by default.

    Raises
    ------
    NotImplementedError
        If ``order`` is not ``"C"``.
    """
    if order != "C":
        raise NotImplementedError(f"`empty` only supports order equal to `C`, while received {order}")
    ctx = current_context() if ctx is None else context_of(ctx)
    shape = (shape,) if isinstance(shape, numbers.Integral) else tuple(shape)
    return wrap(ndarray, array_modules.empty(shape, DEFAULT_DTYPE if dtype is None else as_dtype(dtype), ctx), ctx)


def broadcast_arrays(*args: Any) -> list[ndarray]:
    """Broadcast arrays, numbers, and lists to their common shape.

    Parameters
    ----------
    *args : array, list or number
        The values.

    Returns
    -------
    list of ndarray
        The broadcast arrays.

    Examples
    --------
    >>> broadcast_arrays(array([1, 2]), 3)
    [array([1., 2.]), array([3., 3.])]
    """
    arrays = [_as_array(a) for a in args]
    shape = numpy.broadcast_shapes(*(a.shape for a in arrays))
    return [a.broadcast_to(shape) for a in arrays]


def _as_array(value: Any) -> ndarray:
    return value if isinstance(value, ndarray) else array(value)


def meshgrid(*xi: Any, **kwargs: Any) -> list[ndarray]:
    """Return the coordinates of a grid, as an array for each vector of coordinates.

    Parameters
    ----------
    *xi : array, list or number
        The coordinates along each axis.
    **kwargs
        ``indexing``: ``"xy"`` (the default, with the first coordinate along the second axis) or ``"ij"``.

    Returns
    -------
    list of ndarray
        For each argument, the coordinate of each grid point along the argument's axis.

    Raises
    ------
    NotImplementedError
        If ``sparse`` is True or ``copy`` is False.
    ValueError
        If ``indexing`` has another value.
    TypeError
        If there is another keyword argument.
    """
    indexing = kwargs.pop("indexing", "xy")
    if kwargs.pop("sparse", False):
        raise NotImplementedError("sparse=True is not implemented")
    if not kwargs.pop("copy", True):
        raise NotImplementedError("copy=False is not implemented")
    if indexing not in ("xy", "ij"):
        raise ValueError("Valid values for `indexing` are 'xy' and 'ij'.")
    if kwargs:
        raise TypeError(f"meshgrid() got an unexpected keyword argument {next(iter(kwargs))!r}")
    xi = tuple(_as_array(x) for x in xi)
    axes = list(range(len(xi)))
    if indexing == "xy" and len(xi) > 1:
        axes[:2] = [1, 0]
    grids = []
    for axis, x in zip(axes, xi, strict=True):
        shape = [1] * len(xi)
        shape[axis] = -1
        grids.append(x.reshape(shape))
    return broadcast_arrays(*grids)


def genfromtxt(*args: Any, **kwargs: Any) -> ndarray:
    """Read an array from a text file with NumPy's function. The default element type is float32.

    Parameters
    ----------
    *args, **kwargs
        Arguments of ``numpy.genfromtxt``, and ``ctx``, the device of the result.

    Returns
    -------
    ndarray
        The array.
    """
    kwargs.setdefault("dtype", numpy.float32)
    ctx = kwargs.pop("ctx", None)
    return array(numpy.genfromtxt(*args, **kwargs), ctx=ctx)


def set_printoptions(precision: int | None = None, threshold: int | None = None, **kwargs: Any) -> None:
    """Set print options. These are NumPy's own options, which also apply to ``mx.np`` arrays.

    Parameters
    ----------
    precision : int, optional
        Number of digits after the decimal point.
    threshold : int, optional
        Number of elements above which arrays are abbreviated.
    """
    numpy.set_printoptions(precision=precision, threshold=threshold, **kwargs)
