"""Functions on arrays that have the same names in all editions of the book."""

from __future__ import annotations

from typing import Any

import numpy as _numpy

from .. import numpy as np
from .. import numpy_extension as npx

__all__ = [
    "abs", "arange", "argmax", "astype", "batch_matmul", "concat", "cos", "cosh", "exp", "expand_dims", "eye",
    "float32", "int32", "int64", "linspace", "log", "matmul", "meshgrid", "normal", "numpy", "ones", "ones_like",
    "rand", "randn", "reduce_mean", "reduce_sum", "repeat", "reshape", "sigmoid", "sin", "sinh", "size", "stack",
    "swapaxes", "tanh", "tensor", "to", "transpose", "zeros", "zeros_like",
]  # fmt: skip

abs, arange, concat, cos, cosh = np.abs, np.arange, np.concatenate, np.cos, np.cosh
exp, expand_dims, eye, linspace, log = np.exp, np.expand_dims, np.eye, np.linspace, np.log
matmul, meshgrid, ones, ones_like, sin = np.dot, np.meshgrid, np.ones, np.ones_like, np.sin
sinh, stack, tanh, tensor, zeros, zeros_like = np.sinh, np.stack, np.tanh, np.array, np.zeros, np.zeros_like
normal, rand, randn = np.random.normal, np.random.rand, np.random.randn
batch_matmul, sigmoid = npx.batch_dot, npx.sigmoid
float32, int32, int64 = _numpy.float32, _numpy.int32, _numpy.int64


def argmax(x: Any, *args: Any, **kwargs: Any) -> Any:
    """Return ``x.argmax(...)``.

    Parameters
    ----------
    x : ndarray
        The array.
    *args, **kwargs
        Arguments of the method.

    Returns
    -------
    ndarray
        The indices of the largest elements.
    """
    return x.argmax(*args, **kwargs)


def astype(x: Any, *args: Any, **kwargs: Any) -> Any:
    """Return ``x.astype(...)``.

    Parameters
    ----------
    x : ndarray
        The array.
    *args, **kwargs
        Arguments of the method.

    Returns
    -------
    ndarray
        The array with the new element type.
    """
    return x.astype(*args, **kwargs)


def numpy(x: Any) -> _numpy.ndarray:
    """Copy an array to a NumPy array.

    Parameters
    ----------
    x : ndarray
        The array.

    Returns
    -------
    numpy.ndarray
        A copy of the array in host memory.
    """
    return x.asnumpy()


def reduce_mean(x: Any, *args: Any, **kwargs: Any) -> Any:
    """Return ``x.mean(...)``.

    Parameters
    ----------
    x : ndarray
        The array.
    *args, **kwargs
        Arguments of the method.

    Returns
    -------
    ndarray
        The mean, or the means along axes.
    """
    return x.mean(*args, **kwargs)


def reduce_sum(x: Any, *args: Any, **kwargs: Any) -> Any:
    """Return ``x.sum(...)``.

    Parameters
    ----------
    x : ndarray
        The array.
    *args, **kwargs
        Arguments of the method.

    Returns
    -------
    ndarray
        The sum, or the sums along axes.
    """
    return x.sum(*args, **kwargs)


def repeat(x: Any, *args: Any, **kwargs: Any) -> Any:
    """Return ``x.repeat(...)``.

    Parameters
    ----------
    x : ndarray
        The array.
    *args, **kwargs
        Arguments of the method.

    Returns
    -------
    ndarray
        The array with repeated elements.
    """
    return x.repeat(*args, **kwargs)


def reshape(x: Any, *args: Any, **kwargs: Any) -> Any:
    """Return ``x.reshape(...)``.

    Parameters
    ----------
    x : ndarray
        The array.
    *args, **kwargs
        Arguments of the method.

    Returns
    -------
    ndarray
        The array in the new shape.
    """
    return x.reshape(*args, **kwargs)


def size(x: Any) -> int:
    """Return the number of elements of an array.

    Parameters
    ----------
    x : ndarray
        The array.

    Returns
    -------
    int
        The number of elements.
    """
    return x.size


def swapaxes(x: Any, *args: Any, **kwargs: Any) -> Any:
    """Return ``x.swapaxes(...)``.

    Parameters
    ----------
    x : ndarray
        The array.
    *args, **kwargs
        Arguments of the method.

    Returns
    -------
    ndarray
        The array with two axes exchanged.
    """
    return x.swapaxes(*args, **kwargs)


def to(x: Any, *args: Any, **kwargs: Any) -> Any:
    """Return ``x.as_in_context(...)``.

    Parameters
    ----------
    x : ndarray
        The array.
    *args, **kwargs
        Arguments of the method.

    Returns
    -------
    ndarray
        The array on the device.
    """
    return x.as_in_context(*args, **kwargs)


def transpose(x: Any) -> Any:
    """Return ``x.T``.

    Parameters
    ----------
    x : ndarray
        The array.

    Returns
    -------
    ndarray
        The transposed array.
    """
    return x.T
