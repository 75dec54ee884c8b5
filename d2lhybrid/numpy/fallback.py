"""Functions that NumPy computes on host copies of the values, without gradients."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from typing import Any

import numpy

from ..context import Context
from ..internals.core.invoke import wrap
from ..internals.device import array_modules
from ..internals.frontends.numpy_dialect.documentation import completed
from ..internals.support.dtypes import CODES
from ..ndarray.ndarray import NDArray
from ..ndarray.numpy._array import ndarray
from . import former_numpy
from .fallback_words import MEANINGS, SENTENCES

__all__ = ["FALLBACK", "FALLBACK_LINALG", "make", "run"]


def _msort(a: Any) -> Any:
    return numpy.sort(a, axis=0)


def _count_nonzero(a: Any, axis: Any = None, *, keepdims: bool = False) -> Any:
    count = numpy.count_nonzero(a, axis, keepdims=keepdims)
    return int(count) if axis is None and not keepdims else count  # NumPy 2 returns a NumPy scalar


#: NumPy's functions by their names in ``mx.np``.
FALLBACK: dict[str, Callable[..., Any]] = {
    name: getattr(numpy, name)
    for name in (
        "allclose", "apply_along_axis", "apply_over_axes", "argpartition", "argwhere", "array_equal", "array_equiv",
        "choose", "compress", "correlate", "cov", "digitize", "divmod", "extract", "flatnonzero",
        "float_power", "frexp", "heaviside", "i0", "interp", "intersect1d", "isclose", "isin", "ix_", "lexsort",
        "min_scalar_type", "modf", "nanargmax", "nanargmin", "nancumprod", "nancumsum", "nanmax", "nanmedian", "nanmin",
        "nanprod", "ndim", "packbits", "partition", "piecewise", "poly", "polyadd", "polydiv", "polyfit", "polyint",
        "polymul", "polysub", "positive", "promote_types", "ptp", "real", "result_type", "rollaxis", "roots",
        "searchsorted", "select", "setdiff1d", "setxor1d", "signbit", "size", "spacing", "take_along_axis",
        "tril_indices_from", "triu_indices_from", "union1d", "unpackbits", "unwrap", "vander",
    )
} | {
    "count_nonzero": _count_nonzero,
    # names that later versions of NumPy removed
    "alltrue": numpy.all,
    "msort": _msort,
    "trapz": numpy.trapezoid,
} | {name: getattr(former_numpy, name) for name in former_numpy.__all__}  # fmt: skip


def _without_names(function: Callable[..., Any]) -> Callable[..., Any]:
    """Return a function that returns plain tuples instead of the named tuples that NumPy returns since version 1.25."""

    @functools.wraps(function)
    def run(*args: Any, **kwargs: Any) -> Any:
        result = function(*args, **kwargs)
        return tuple(result) if hasattr(result, "_fields") else result

    return run


#: NumPy's functions by their names in ``mx.np.linalg``.
FALLBACK_LINALG: dict[str, Callable[..., Any]] = {
    name: getattr(numpy.linalg, name) for name in ("cond", "lstsq", "matrix_power", "matrix_rank", "multi_dot")
} | {"qr": _without_names(numpy.linalg.qr)}


def _to_host(value: Any, found: list[Context]) -> Any:
    if isinstance(value, NDArray):
        found.append(value._ctx)
        return value.asnumpy()
    if isinstance(value, tuple) and type(value) is tuple:
        return tuple(_to_host(v, found) for v in value)
    if type(value) is list:
        return [_to_host(v, found) for v in value]
    return value


def _from_host(value: Any, ctx: Context) -> Any:
    if isinstance(value, numpy.ndarray):
        if value.dtype not in CODES:
            return value
        return wrap(ndarray, array_modules.to_context(numpy.array(value), ctx), ctx)
    if isinstance(value, tuple):
        parts = [_from_host(v, ctx) for v in value]
        return type(value)(*parts) if hasattr(value, "_fields") else tuple(parts)
    if type(value) is list:
        return [_from_host(v, ctx) for v in value]
    return value


def run(function: Callable[..., Any], args: Any, kwargs: Any) -> Any:
    """Call a NumPy function with host copies of arrays, and convert its results to arrays.

    Parameters
    ----------
    function : callable
        The NumPy function.
    args, kwargs : sequence, dict
        The arguments of the call, which may contain arrays.

    Returns
    -------
    object
        The results, as arrays on the device of the first array argument. Without array arguments, NumPy's results.
    """
    contexts: list[Context] = []
    args = _to_host(tuple(args), contexts)
    kwargs = {key: _to_host(value, contexts) for key, value in kwargs.items()}
    result = function(*args, **kwargs)
    return _from_host(result, contexts[0]) if contexts else result


def _signature(function: Callable[..., Any]) -> inspect.Signature | None:
    """Return the signature of a NumPy function, or None if the function has no signature."""
    if isinstance(function, numpy.ufunc):  # some ufuncs have signatures in some versions
        names = ["x"] if function.nin == 1 else [f"x{i + 1}" for i in range(function.nin)]
        parameters = [inspect.Parameter(name, inspect.Parameter.POSITIONAL_ONLY) for name in names]
        return inspect.Signature([*parameters, inspect.Parameter("kwargs", inspect.Parameter.VAR_KEYWORD)])
    try:
        signature = inspect.signature(function)
    except (ValueError, TypeError):
        return None
    plain = [parameter.replace(annotation=parameter.empty) for parameter in signature.parameters.values()]
    return signature.replace(parameters=plain, return_annotation=signature.empty)


def make(name: str, function: Callable[..., Any], module: str) -> Callable[..., Any]:
    """Return the ``mx.np`` function for a NumPy function.

    Parameters
    ----------
    name : str
        The name of the function in ``mx.np``.
    function : callable
        The NumPy function.
    module : str
        The ``__module__`` of the ``mx.np`` function.

    Returns
    -------
    callable
        The function.
    """

    def fallback(*args: Any, **kwargs: Any) -> Any:
        return run(function, args, kwargs)

    fallback.__name__ = fallback.__qualname__ = name
    fallback.__module__ = module
    signature = _signature(function)
    if signature is not None:
        fallback.__signature__ = signature  # type: ignore[attr-defined]
    parameters = signature.parameters.values() if signature is not None else ()
    where = (
        "NumPy computes the result from host copies of the values. "
        "The function has no gradient and cannot be part of a graph."
    )
    text = f"{SENTENCES[name]}\n\n{where}"
    key = f"linalg.{name}" if module.endswith(".linalg") else name
    fallback.__doc__ = completed(text, parameters, MEANINGS, key)
    return fallback
