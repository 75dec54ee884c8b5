"""Reductions in ``np``, such as means, variances, and indices of extrema."""

from __future__ import annotations

from typing import Any

from .elementwise import is_number
from .space import Array, Space

__all__ = [
    "argmax", "argmin", "average", "bincount", "histogram", "mean", "percentile", "quantile", "std", "var",
]  # fmt: skip

#: The meanings of parameters of this file's functions; see ``documentation.py``.
MEANINGS = {
    "a": "The values.",
    "axis": "The axis or axes to reduce; all axes by default.",
    "ddof": "The difference between the number of elements and the divisor.",
    "weights": "The weight of each element.",
    "returned": "Whether to also return the sum of the weights.",
    "overwrite_input": "Not supported; a parameter of NumPy.",
    "x": "Non-negative integers.",
    "minlength": "The smallest length of the result.",
    "quantile.q": "The quantiles, from 0 to 1.",
    "interpolation": "The value between two elements: ``linear``, ``lower``, ``higher``, ``midpoint``, or ``nearest``.",
    "bins": "The number of bins, or an array with their edges.",
    "range": "The lower edge of the first bin and the upper edge of the last bin.",
    "normed": "Not supported; a parameter of NumPy.",
    "histogram.weights": "Not supported; a parameter of NumPy.",
    "density": "Not supported; a parameter of NumPy.",
}


def mean(F: Space, a: Any, axis: Any = None, dtype: Any = None, out: Any = None, keepdims: bool = False) -> Array:
    """Return the mean along axes, by default as float32 for integers."""
    return F.call("_npi_mean", a, axis=axis, dtype=dtype, keepdims=keepdims, out=out)


def std(
    F: Space, a: Any, axis: Any = None, dtype: Any = None, out: Any = None, ddof: int = 0, keepdims: bool = False
) -> Array:
    """Return the standard deviation along axes; the divisor is the number of elements minus ``ddof``."""
    return F.call("_npi_std", a, axis=axis, dtype=dtype, ddof=ddof, keepdims=keepdims, out=out)


def var(
    F: Space, a: Any, axis: Any = None, dtype: Any = None, out: Any = None, ddof: int = 0, keepdims: bool = False
) -> Array:
    """Return the variance along axes; the divisor is the number of elements minus ``ddof``."""
    return F.call("_npi_var", a, axis=axis, dtype=dtype, ddof=ddof, keepdims=keepdims, out=out)


def average(
    F: Space, a: Any, axis: Any = None, weights: Any = None, returned: bool = False, out: Any = None
) -> Array | Any:
    """Return the weighted mean along axes and, if ``returned`` is true, also the sum of the weights."""
    if weights is None:
        result = F.call("_npi_average", a, axis=axis, returned=returned, weighted=False, out=out)
    else:
        result = F.call("_npi_average", a, weights, axis=axis, returned=returned, out=out)
    return list(result) if returned else result


def argmax(F: Space, a: Any, axis: int | None = None, out: Any = None) -> Array:
    """Return the index of the largest element along an axis, or in the flattened array, as int64."""
    return F.call("_npi_argmax", a, axis=axis, keepdims=False, out=out)


def argmin(F: Space, a: Any, axis: int | None = None, out: Any = None) -> Array:
    """Return the index of the smallest element along an axis, or in the flattened array, as int64."""
    return F.call("_npi_argmin", a, axis=axis, keepdims=False, out=out)


def percentile(
    F: Space, a: Any, q: Any, axis: Any = None, out: Any = None, overwrite_input: Any = None,
    interpolation: str = "linear", keepdims: bool = False,
) -> Array:  # fmt: skip
    """Return percentiles along axes.

    Parameters
    ----------
    F : Space
        The function space.
    a : array
        The values whose percentiles are computed.
    q : number or array
        The percentiles, from 0 to 100.
    axis : int or tuple of int, optional
        The axes to reduce; all by default.
    out : array, optional
        The destination of the result.
    overwrite_input : bool, optional
        Not supported.
    interpolation : {"linear", "lower", "higher", "midpoint", "nearest"}
        The rule for a percentile between two elements.
    keepdims : bool
        Whether the reduced axes remain with size 1.

    Raises
    ------
    NotImplementedError
        If ``overwrite_input`` is passed.
    """
    if overwrite_input is not None:
        raise NotImplementedError("overwrite_input is not supported yet")
    settings = {"axis": axis, "interpolation": interpolation, "keepdims": keepdims}
    if is_number(q):
        return F.call("_npi_percentile", a, q_scalar=q, out=out, **settings)
    return F.call("_npi_percentile", a, q, q_scalar=None, out=out, **settings)


def quantile(
    F: Space, a: Any, q: Any, axis: Any = None, out: Any = None, overwrite_input: Any = None,
    interpolation: str = "linear", keepdims: bool = False,
) -> Array:  # fmt: skip
    """Return quantiles along axes: percentiles with ``q`` from 0 to 1.

    Raises
    ------
    AssertionError
        If ``q`` is neither a number nor an array.
    NotImplementedError
        If ``overwrite_input`` is passed.
    """
    if not is_number(q) and not F.is_array(q):
        raise AssertionError(f"Argument q {F.argument_text}, but got {q}")
    return percentile(F, a, q * 100, axis, out, overwrite_input, interpolation, keepdims)


def bincount(F: Space, x: Any, weights: Any = None, minlength: int = 0) -> Array:
    """Return the count of each number 0, 1, 2, ... in an array, or the sum of each number's weights.

    Raises
    ------
    ValueError
        If ``minlength`` is negative.
    """
    if minlength < 0:
        raise ValueError("Minlength value should greater than 0")
    if weights is None:
        return F.call("_npi_bincount", x, minlength=minlength, has_weights=False)
    return F.call("_npi_bincount", x, weights, minlength=minlength, has_weights=True)


def histogram(
    F: Space, a: Any, bins: Any = 10, range: Any = None, normed: Any = None, weights: Any = None, density: Any = None
) -> list[Array]:
    """Return the counts and the edges of a histogram's bins; ``range`` is required if ``bins`` is an integer.

    Raises
    ------
    NotImplementedError
        If MXNet doesn't support an argument.
    """
    for name, value in (("normed", normed), ("weights", weights), ("density", density)):
        if value is not None and value is not False:
            raise NotImplementedError(f"{name} is not supported yet...")
    if F.is_array(bins):
        return list(F.call("_npi_histogram", a, bins))
    if isinstance(bins, str):
        raise NotImplementedError("string bins is not supported yet...")
    if not is_number(bins):
        raise NotImplementedError(f"bins of type {type(bins)} is not supported yet...")
    if range is None:
        raise NotImplementedError("automatic range is not supported yet...")
    return list(F.call("_npi_histogram", a, bin_cnt=bins, range=range))
