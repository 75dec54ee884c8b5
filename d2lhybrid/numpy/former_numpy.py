"""NumPy functions with the behavior that NumPy had at the time of MXNet 1.9.1, and that later versions changed.

The differences are names and order of parameters, and types and shapes of some results. Parameters from later versions
are keyword-only.
"""

from __future__ import annotations

import warnings
from typing import Any

import numpy

__all__ = [
    "corrcoef",
    "histogram2d",
    "histogram_bin_edges",
    "histogramdd",
    "in1d",
    "nanpercentile",
    "nanquantile",
    "trim_zeros",
]

_NOT_GIVEN = numpy._NoValue

#: Quantile methods that return elements, and therefore keep the element type.
_CHOOSING = ("lower", "higher", "nearest", "inverted_cdf", "closest_observation")


def corrcoef(
    x: Any, y: Any = None, rowvar: Any = True, bias: Any = _NOT_GIVEN, ddof: Any = _NOT_GIVEN, *, dtype: Any = None
) -> Any:
    """Return the correlation coefficients of variables."""
    if bias is not _NOT_GIVEN or ddof is not _NOT_GIVEN:
        _warn("bias and ddof have no effect on corrcoef. Omit both arguments.")
    return numpy.corrcoef(x, y, rowvar, dtype=dtype)


def histogram2d(
    x: Any,
    y: Any,
    bins: Any = 10,
    range: Any = None,
    normed: Any = None,
    weights: Any = None,
    density: Any = None,
) -> Any:
    """Return the counts of points in a two-dimensional grid of bins, and the bin edges along both axes."""
    return numpy.histogram2d(_exact(x), _exact(y), bins, range, _density(normed, density), weights)


def histogramdd(
    sample: Any, bins: Any = 10, range: Any = None, normed: Any = None, weights: Any = None, density: Any = None
) -> Any:
    """Return the counts of points in a multidimensional grid of bins, and the bin edges along each axis."""
    coordinates = isinstance(sample, (list, tuple))
    points = [_exact(one) for one in sample] if coordinates else _exact(sample)
    counts, edges = numpy.histogramdd(points, bins, range, _density(normed, density), weights)
    return counts, list(edges)


def histogram_bin_edges(a: Any, bins: Any = 10, range: Any = None, weights: Any = None) -> Any:
    """Return the edges of a histogram's bins. Unlike in later versions, bins for integers may be narrower than 1."""
    if isinstance(bins, str) and numpy.asarray(a).dtype.kind in "iu":
        a = numpy.asarray(a, numpy.float64)
    return numpy.histogram_bin_edges(a, bins, range, weights)


def in1d(ar1: Any, ar2: Any, assume_unique: Any = False, invert: Any = False, *, kind: Any = None) -> Any:
    """Return, as a flat array, whether each element of one array is in another array."""
    return numpy.isin(numpy.ravel(ar1), ar2, assume_unique=assume_unique, invert=invert, kind=kind)


def nanpercentile(
    a: Any,
    q: Any,
    axis: Any = None,
    out: Any = None,
    overwrite_input: Any = False,
    method: Any = "linear",
    keepdims: Any = _NOT_GIVEN,
    *,
    weights: Any = None,
    interpolation: Any = None,
) -> Any:
    """Return percentiles along axes, ignoring NaN."""
    method = _method("nanpercentile", method, interpolation)
    return numpy.nanpercentile(
        _between(a, method), _place(q), axis, out, overwrite_input, method, keepdims, weights=weights
    )


def nanquantile(
    a: Any,
    q: Any,
    axis: Any = None,
    out: Any = None,
    overwrite_input: Any = False,
    method: Any = "linear",
    keepdims: Any = _NOT_GIVEN,
    *,
    weights: Any = None,
    interpolation: Any = None,
) -> Any:
    """Return quantiles along axes, ignoring NaN."""
    method = _method("nanquantile", method, interpolation)
    return numpy.nanquantile(
        _between(a, method), _place(q), axis, out, overwrite_input, method, keepdims, weights=weights
    )


def trim_zeros(filt: Any, trim: Any = "fb", *, axis: Any = None) -> Any:
    """Return a vector without its leading and trailing zeros."""
    return numpy.trim_zeros(filt, trim, **({} if axis is None else {"axis": axis}))


def _warn(message: str, depth: int = 0) -> None:
    warnings.warn(message, DeprecationWarning, stacklevel=5 + depth)  # the level of the caller


def _exact(values: Any) -> Any:
    """Return floating-point numbers as float64, because bin edges of float32 values used to be float64."""
    values = numpy.asarray(values)
    return values.astype(numpy.float64) if values.dtype.kind == "f" else values


def _place(q: Any) -> Any:
    """Return a number as float64, because some versions of NumPy round it to the element type of the values."""
    return numpy.asarray(q, numpy.float64) if numpy.ndim(q) == 0 else q


def _density(normed: Any, density: Any) -> Any:
    if normed is not None and density is not None:
        raise TypeError("normed is the old name of density: pass only one of the two arguments")
    return density if normed is None else normed


def _method(function: str, method: Any, interpolation: Any) -> Any:
    if interpolation is None:
        return method
    _warn(f"The argument interpolation of {function} has been renamed to method. Use method instead.", depth=1)
    if method != "linear":
        raise TypeError("interpolation is the old name of method: pass only one of the two arguments")
    return interpolation


def _between(values: Any, method: str) -> Any:
    """Return the values as float64, unless the method returns elements, so that quantiles have their former type."""
    return values if method in _CHOOSING else _exact(values)
