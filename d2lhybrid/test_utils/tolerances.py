"""Functions that return the tolerances of comparisons, which depend on the element type."""

from __future__ import annotations

import numbers
from collections.abc import Mapping
from typing import Any

import numpy

__all__ = [
    "default_atols", "default_dtype", "default_numeric_eps", "default_rtols", "effective_dtype", "get_atol", "get_etol",
    "get_rtol", "get_tolerance", "get_tols",
]  # fmt: skip

Tolerance = float | Mapping[numpy.dtype, float] | None

_EXACT = ("bool", "int8", "uint8", "int32", "uint32", "int64", "uint64")


def _table(half: float, single: float, double: float) -> dict[numpy.dtype, float]:
    found = {"float16": half, "float32": single, "float64": double} | dict.fromkeys(_EXACT, 0)
    return {numpy.dtype(name): value for name, value in found.items()}


def default_dtype() -> type:
    """Return the default element type of arrays in tests.

    Examples
    --------
    >>> default_dtype()
    <class 'numpy.float32'>
    """
    return numpy.float32


def default_rtols() -> dict[numpy.dtype, float]:
    """Return the default relative tolerance of each element type.

    Examples
    --------
    >>> default_rtols()[numpy.dtype("float32")]
    0.0001
    """
    return _table(1e-2, 1e-4, 1e-5)


def default_atols() -> dict[numpy.dtype, float]:
    """Return the default absolute tolerance of each element type.

    Examples
    --------
    >>> default_atols()[numpy.dtype("float32")]
    0.001
    """
    return _table(1e-1, 1e-3, 1e-20)


def default_numeric_eps() -> dict[numpy.dtype, float]:
    """Return the default step size of finite differences for each element type.

    The step sizes are powers of two, which can be added to numbers with little rounding.

    Examples
    --------
    >>> default_numeric_eps()[numpy.dtype("float32")]
    0.001953125
    """
    return dict(list(_table(2.0**-6, 2.0**-9, 2.0**-14).items())[:3])


def effective_dtype(dat: Any) -> numpy.dtype:
    """Return the element type whose tolerances apply to an array.

    Parameters
    ----------
    dat : array
        An array of NumPy or of this package.

    Returns
    -------
    numpy.dtype
        The element type.

    Examples
    --------
    >>> effective_dtype(numpy.ones(2))
    dtype('float64')
    """
    return numpy.dtype(dat.dtype)


def get_tolerance(dat: Any, tol: Tolerance, default_tol: Mapping[numpy.dtype, float]) -> float:
    """Return the tolerance for an array.

    Parameters
    ----------
    dat : array
        The array.
    tol : float, dict or None
        A tolerance, or a tolerance for each element type.
    default_tol : dict
        Tolerances of the types that are missing in ``tol``.

    Returns
    -------
    float
        The tolerance.

    Examples
    --------
    >>> get_tolerance(numpy.float32([1]), None, default_rtols())
    0.0001
    """
    if isinstance(tol, numbers.Number):
        return tol  # type: ignore[return-value]
    dtype, tol = effective_dtype(dat), tol or {}
    return tol.get(dtype, default_tol[dtype])  # type: ignore[union-attr]


def get_tols(x: Any, y: Any, rtol: Tolerance, atol: Tolerance) -> tuple[float, float]:
    """Return the relative and the absolute tolerance for two arrays, each the larger of the two arrays' tolerances.

    Parameters
    ----------
    x, y : array or number
        The arrays to compare.
    rtol, atol : float, dict or None
        Arguments of :func:`get_tolerance`.

    Returns
    -------
    tuple of (float, float)
        The tolerances.

    Examples
    --------
    >>> get_tols(numpy.float16([1]), numpy.float32([1]), None, 0.5)
    (0.01, 0.5)
    """
    both = [numpy.array(z) if isinstance(z, numbers.Number) else z for z in (x, y)]
    return (
        max(get_tolerance(z, rtol, default_rtols()) for z in both),
        max(get_tolerance(z, atol, default_atols()) for z in both),
    )


def get_rtol(rtol: float | None = None, dtype: Any = numpy.dtype("float64")) -> float:  # noqa: B008
    """Return a relative tolerance, or the default of an element type if the tolerance is None.

    Parameters
    ----------
    rtol : float, optional
        The tolerance.
    dtype : dtype
        The element type.

    Returns
    -------
    float
        The tolerance.

    Examples
    --------
    >>> get_rtol(), get_rtol(0.5)
    (1e-05, 0.5)
    """
    return default_rtols()[dtype] if rtol is None else rtol


def get_atol(atol: float | None = None, dtype: Any = numpy.dtype("float64")) -> float:  # noqa: B008
    """Return an absolute tolerance, or the default of an element type if the tolerance is None.

    Parameters
    ----------
    atol : float, optional
        The tolerance.
    dtype : dtype
        The element type.

    Returns
    -------
    float
        The tolerance.

    Examples
    --------
    >>> get_atol(), get_atol(0.5)
    (1e-20, 0.5)
    """
    return default_atols()[dtype] if atol is None else atol


def get_etol(etol: float | None = None) -> float:
    """Return the fraction of the elements that may differ, or 0 if the fraction is None.

    Parameters
    ----------
    etol : float, optional
        The fraction.

    Returns
    -------
    float
        The fraction.

    Examples
    --------
    >>> get_etol()
    0
    """
    return 0 if etol is None else etol
