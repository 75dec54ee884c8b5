"""Functions that create arrays in ``np``."""

from __future__ import annotations

from typing import Any

import numpy

from ...support.notes import with_note
from .space import Array, Space

__all__ = [
    "arange", "blackman", "empty_like", "eye", "full", "full_like", "hamming", "hanning", "identity", "indices",
    "linspace", "logspace", "ones", "ones_like", "zeros", "zeros_like",
]  # fmt: skip

#: The meanings of parameters of this file's functions; see ``documentation.py``.
MEANINGS = {
    "a": "The array that determines the shape.",
    "prototype": "The array that determines the shape and element type.",
    "M": "The number of points.",
    "n": "The number of rows and columns.",
    "dtype": "The element type of the result.",
    "order": "The memory layout; only ``C`` is supported.",
    "axis": "The axis of the result that contains the numbers; only 0 is supported.",
    "start": "The first number or the first exponent.",
    "stop": "The end of the interval of numbers or exponents.",
    "base": "The base of the powers.",
    "retstep": "Whether to also return the difference between neighbors.",
    "dimensions": "The sizes of the axes of the grid.",
    "subok": "Ignored, because there are no subclasses.",
    "empty_like.shape": "Ignored, because the shape is that of ``prototype``.",
}

_FLOAT32 = "float32"


def _only_c_order(order: str) -> None:
    if order != "C":
        error = NotImplementedError()
        error.add_note("Use order='C', because all arrays are in row-major order.")
        raise error


def zeros(F: Space, shape: Any, dtype: Any = None, order: str = "C", ctx: Any = None) -> Array:
    """Return an array of zeros, float32 by default."""
    _only_c_order(order)
    return F.call("_npi_zeros", shape=shape, dtype=dtype or _FLOAT32, ctx=ctx)


def ones(F: Space, shape: Any, dtype: Any = _FLOAT32, order: str = "C", ctx: Any = None) -> Array:
    """Return an array of ones, float32 by default."""
    _only_c_order(order)
    return F.call("_npi_ones", shape=shape, dtype=dtype or _FLOAT32, ctx=ctx)


def full(
    F: Space, shape: Any, fill_value: Any, dtype: Any = None, order: str = "C", ctx: Any = None, out: Any = None
) -> Array:
    """Return an array filled with a number, or with an array that broadcasts to the shape.

    The default element type is float32 for a number, bool for a truth value, and the array's type for an array.
    """
    _only_c_order(order)
    if F.is_array(fill_value):
        result = F.call("_npi_broadcast_to", fill_value, shape=shape, out=out)
        return result if dtype is None else result.astype(dtype)
    if isinstance(fill_value, bool):
        fill_value, dtype = int(fill_value), dtype or "bool"
    return F.call("_npi_full", shape=shape, value=fill_value, dtype=dtype or _FLOAT32, ctx=ctx, out=out)


def full_like(
    F: Space, a: Any, fill_value: Any, dtype: Any = None, order: str = "C", ctx: Any = None, out: Any = None
) -> Array:
    """Return an array filled with a number, with the shape and, by default, the element type of another array."""
    _only_c_order(order)
    if isinstance(fill_value, bool):
        fill_value = int(fill_value)
    return F.call("_npi_full_like", a, fill_value=fill_value, dtype=dtype, ctx=ctx, out=out)


def zeros_like(F: Space, a: Any, dtype: Any = None, order: str = "C", ctx: Any = None, out: Any = None) -> Array:
    """Return an array of zeros with the shape and, by default, the element type of another array."""
    return full_like(F, a, 0, dtype, order, ctx, out)


def ones_like(F: Space, a: Any, dtype: Any = None, order: str = "C", ctx: Any = None, out: Any = None) -> Array:
    """Return an array of ones with the shape and, by default, the element type of another array."""
    return full_like(F, a, 1, dtype, order, ctx, out)


def empty_like(
    F: Space, prototype: Any, dtype: Any = None, order: str = "C", subok: bool = False, shape: Any = None
) -> Array:
    """Return an array with the shape of another array and unspecified values, which are zeros in this package."""
    return full_like(F, prototype, 0, dtype, order)


def arange(F: Space, start: Any, stop: Any = None, step: Any = 1, dtype: Any = None, ctx: Any = None) -> Array:
    """Return evenly spaced numbers from ``start`` (0 by default) to ``stop``, which is excluded, as float32 by default.

    Raises
    ------
    ZeroDivisionError
        If the step is 0.
    """
    if stop is None:
        start, stop = 0, start
    if step is None:
        step = 1
    if step == 0:
        raise ZeroDivisionError("step cannot be 0")
    return F.call("_npi_arange", start=start, stop=stop, step=step, dtype=dtype or _FLOAT32, ctx=ctx)


def linspace(
    F: Space, start: Any, stop: Any, num: int = 50, endpoint: bool = True, retstep: bool = False, dtype: Any = None,
    axis: int = 0, ctx: Any = None,
) -> Array:  # fmt: skip
    """Return ``num`` evenly spaced numbers from ``start`` to ``stop`` and, if ``retstep`` is true, the step."""
    _first_axis(axis)
    result = F.call("_npi_linspace", start=start, stop=stop, num=num, endpoint=endpoint, dtype=dtype, ctx=ctx)
    if retstep:
        return result, (stop - start) / (num - 1 if endpoint else num)
    return result


def logspace(
    F: Space, start: Any, stop: Any, num: int = 50, endpoint: bool = True, base: float = 10.0, dtype: Any = None,
    axis: int = 0, ctx: Any = None,
) -> Array:  # fmt: skip
    """Return powers of ``base`` with evenly spaced exponents from ``start`` to ``stop``."""
    _first_axis(axis)
    return F.call(
        "_npi_logspace", start=start, stop=stop, num=num, endpoint=endpoint, base=base, dtype=dtype, ctx=ctx
    )  # fmt: skip


def _first_axis(axis: int) -> None:
    if axis != 0:
        raise NotImplementedError("the function only support axis 0")


def eye(F: Space, N: int, M: int | None = None, k: int = 0, dtype: Any = _FLOAT32, **kwargs: Any) -> Array:
    """Return a matrix with ones on a diagonal and zeros elsewhere.

    Parameters
    ----------
    F : Space
        The function space.
    N, M : int
        The number of rows, and the number of columns, which is ``N`` by default.
    k : int
        The index of the diagonal: 0 for the main diagonal, and a positive number for a diagonal above it.
    dtype : str or numpy dtype
        The element type.
    **kwargs
        The device ``ctx``, and ``order``, which must be ``"C"``.

    Raises
    ------
    NotImplementedError
        If ``order`` is not ``"C"``.
    TypeError
        If a keyword argument other than ``ctx`` and ``order`` is passed.
    """
    _only_c_order(kwargs.pop("order", "C"))
    ctx = kwargs.pop("ctx", None)
    if kwargs:
        raise TypeError(f"eye() got an unexpected keyword argument {next(iter(kwargs))!r}")
    return F.call("_npi_eye", N=N, M=M, k=k, dtype=dtype or _FLOAT32, ctx=ctx)


def identity(F: Space, n: int, dtype: Any = None, ctx: Any = None) -> Array:
    """Return a square matrix with ones on the main diagonal.

    Raises
    ------
    TypeError
        If the size is not an integer.
    """
    if not isinstance(n, int | numpy.integer):
        raise with_note(TypeError("Input 'n' should be an integer"), f"n is {n!r}. Pass the number of rows as an int.")
    return F.call("_npi_identity", shape=(n, n), dtype=dtype or _FLOAT32, ctx=ctx)


def indices(F: Space, dimensions: Any, dtype: Any = "int32", ctx: Any = None) -> Array:
    """Return the indices of a grid; ``result[i]`` contains the i-th index of each point.

    Raises
    ------
    ValueError
        If ``dimensions`` is neither a tuple nor a list.
    """
    if not isinstance(dimensions, tuple | list):
        error = ValueError("The dimensions must be sequence of ints")
        raise with_note(error, f"dimensions is {dimensions!r}. Pass a tuple or list with the size of each axis.")
    return F.call("_npi_indices", dimensions=dimensions, dtype=dtype, ctx=ctx)


def hanning(F: Space, M: int, dtype: Any = _FLOAT32, ctx: Any = None) -> Array:
    """Return the Hann window of ``M`` points."""
    return F.call("_npi_hanning", M=M, dtype=dtype or _FLOAT32, ctx=ctx)


def hamming(F: Space, M: int, dtype: Any = _FLOAT32, ctx: Any = None) -> Array:
    """Return the Hamming window of ``M`` points."""
    return F.call("_npi_hamming", M=M, dtype=dtype or _FLOAT32, ctx=ctx)


def blackman(F: Space, M: int, dtype: Any = _FLOAT32, ctx: Any = None) -> Array:
    """Return the Blackman window of ``M`` points."""
    return F.call("_npi_blackman", M=M, dtype=dtype or _FLOAT32, ctx=ctx)
