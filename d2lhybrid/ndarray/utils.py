"""``mx.nd.zeros`` and ``mx.nd.empty`` for every storage type, and all other functions of MXNet's ``mx.nd.utils``."""

from __future__ import annotations

from typing import Any

from ..context import Context
from . import sparse
from ._functions import load, load_frombuffer, save
from .ndarray import NDArray
from .ndarray import array as _dense_array
from .ndarray import empty as _dense_empty
from .ndarray import zeros as _dense_zeros

__all__ = ["array", "empty", "load", "load_frombuffer", "save", "zeros"]


def zeros(
    shape: Any, ctx: Context | None = None, dtype: Any = None, stype: str | None = None, **kwargs: Any
) -> NDArray:
    """Return an array of zeros.

    Parameters
    ----------
    shape : int or tuple of int
        Shape of the array.
    ctx, dtype : optional
        The device, by default the current device; and the element type, by default float32.
    stype : {"default", "row_sparse", "csr"}, optional
        The storage type.
    **kwargs
        Arguments of :func:`~d2lhybrid.ndarray.ndarray.zeros`.

    Examples
    --------
    >>> from d2lhybrid import nd
    >>> nd.zeros((1, 2))
    <BLANKLINE>
    [[0. 0.]]
    <NDArray 1x2 @cpu(0)>
    """
    if stype is None or stype == "default":
        return _dense_zeros(shape, ctx, dtype, **kwargs)
    return sparse.zeros(stype, shape, ctx, dtype, **kwargs)


def empty(shape: Any, ctx: Context | None = None, dtype: Any = None, stype: str | None = None) -> NDArray:
    """Return an array with uninitialized values. All elements of a sparse array are zero.

    Parameters
    ----------
    shape : int or tuple of int
        Shape of the array.
    ctx, dtype, stype : optional
        Arguments of :func:`zeros`.

    Examples
    --------
    >>> from d2lhybrid import nd
    >>> nd.empty((1, 2), stype="csr").stype
    'csr'
    """
    if stype is None or stype == "default":
        return _dense_empty(shape, ctx, dtype)
    return sparse.empty(stype, shape, ctx, dtype)


def array(source_array: Any, ctx: Context | None = None, dtype: Any = None) -> NDArray:
    """Return a new array with the values of an array-like object. Sparse arrays, including SciPy's, stay sparse.

    Parameters
    ----------
    source_array, ctx, dtype
        Arguments of :func:`d2lhybrid.ndarray.array`.

    Returns
    -------
    NDArray
        A dense array, or a sparse array for a sparse source.
    """
    if (isinstance(source_array, NDArray) and source_array.stype != "default") or sparse.is_scipy_csr(source_array):
        return sparse.array(source_array, ctx=ctx, dtype=dtype)
    return _dense_array(source_array, ctx, dtype)
