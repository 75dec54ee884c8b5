"""Functions of NumPy as they were in the days of MXNet 1.9.1, where a later NumPy has changed them.

Parameters had other names or another order, some results another type or shape. What later versions have added is taken
by name.
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

#: Methods of quantiles whose results are elements, so that the element type stays.
_CHOOSING = ("lower", "higher", "nearest", "inverted_cdf", "closest_observation")


def corrcoef(
    x: Any, y: Any = None, rowvar: Any = True, bias: Any = _NOT_GIVEN, ddof: Any = _NOT_GIVEN, *, dtype: Any = None
) -> Any:
    """Return the coefficients of correlation between variables."""
    if bias is not _NOT_GIVEN or ddof is not _NOT_GIVEN:
        _warn("bias and ddof cancel in a correlation: leave them out of corrcoef")
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
    """Return the counts of points in a grid of bins, and the edges."""
    return numpy.histogram2d(_exact(x), _exact(y), bins, range, _density(normed, density), weights)


def histogramdd(
    sample: Any, bins: Any = 10, range: Any = None, normed: Any = None, weights: Any = None, density: Any = None
) -> Any:
    """Return the counts of points in a grid of bins in any number of dimensions, and the edges."""
    coordinates = isinstance(sample, (list, tuple))
    points = [_exact(one) for one in sample] if coordinates else _exact(sample)
    counts, edges = numpy.histogramdd(points, bins, range, _density(normed, density), weights)
    return counts, list(edges)


def histogram_bin_edges(a: Any, bins: Any = 10, range: Any = None, weights: Any = None) -> Any:
    """Return the edges of bins, which may be closer than 1 even for integers."""
    if isinstance(bins, str) and numpy.asarray(a).dtype.kind in "iu":
        a = numpy.asarray(a, numpy.float64)
    return numpy.histogram_bin_edges(a, bins, range, weights)


def in1d(ar1: Any, ar2: Any, assume_unique: Any = False, invert: Any = False, *, kind: Any = None) -> Any:
    """Return for each element, in a flat array, whether it is among others."""
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
    """Return percentiles along axes; NaN does not count."""
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
    """Return quantiles along axes; NaN does not count."""
    method = _method("nanquantile", method, interpolation)
    return numpy.nanquantile(
        _between(a, method), _place(q), axis, out, overwrite_input, method, keepdims, weights=weights
    )


def trim_zeros(filt: Any, trim: Any = "fb", *, axis: Any = None) -> Any:
    """Return a vector without the zeros at its ends."""
    return numpy.trim_zeros(filt, trim, **({} if axis is None else {"axis": axis}))


def _warn(message: str, depth: int = 0) -> None:
    warnings.warn(message, DeprecationWarning, stacklevel=5 + depth)  # at the line that calls the function of mx.np


def _exact(values: Any) -> Any:
    """Return floating-point numbers as float64: edges between float32 were float64."""
    values = numpy.asarray(values)
    return values.astype(numpy.float64) if values.dtype.kind == "f" else values


def _place(q: Any) -> Any:
    """Return a number as float64: some versions of NumPy round it to the type of the values."""
    return numpy.asarray(q, numpy.float64) if numpy.ndim(q) == 0 else q


def _density(normed: Any, density: Any) -> Any:
    if normed is not None and density is not None:
        raise TypeError("normed is the old name of density: give one of them")
    return density if normed is None else normed


def _method(function: str, method: Any, interpolation: Any) -> Any:
    if interpolation is None:
        return method
    _warn(f"interpolation is the old name of {function}'s method", depth=1)
    if method != "linear":
        raise TypeError("interpolation is the old name of method: give one of them")
    return interpolation


def _between(values: Any, method: str) -> Any:
    """Return values whose quantiles have the type that they had: float64, unless elements are chosen."""
    return values if method in _CHOOSING else _exact(values)
