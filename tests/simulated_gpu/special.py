"""Some functions of ``cupyx.scipy.special``, in double precision with the standard library."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy

from .cupy_api import API
from .ufuncs import ufunc


def _guarded(function: Callable[[float], float], at_poles: float) -> Callable[[float], float]:
    def call(x: float) -> float:
        try:
            return function(x)
        except (ValueError, OverflowError):
            return at_poles

    return call


def _digamma(x: float) -> float:
    if x <= 0 and x == math.floor(x):
        return math.nan
    if x < 0:
        return _digamma(1 - x) - math.pi / math.tan(math.pi * x)
    total = 0.0
    while x < 10:
        total -= 1 / x
        x += 1
    square = 1 / (x * x)
    series = square * (1 / 12 - square * (1 / 120 - square * (1 / 252 - square * (1 / 240 - square / 132))))
    return total + math.log(x) - 0.5 / x - series


def _erfinv(y: float) -> float:
    if not -1 <= y <= 1:
        return math.nan
    if abs(y) == 1:
        return math.copysign(math.inf, y)
    a = 0.147
    log = math.log1p(-y * y)
    part = 2 / (math.pi * a) + log / 2
    x = math.copysign(math.sqrt(math.sqrt(part * part - log / a) - part), y)
    for _ in range(4):
        x -= (math.erf(x) - y) / (2 / math.sqrt(math.pi) * math.exp(-x * x))
    return x


_SCALAR: dict[str, Callable[[float], float]] = {
    "erf": math.erf,
    "erfc": math.erfc,
    "erfinv": _erfinv,
    "gamma": _guarded(math.gamma, math.inf),
    "gammaln": _guarded(math.lgamma, math.inf),
    "digamma": _digamma,
    "psi": _digamma,
}


def _expit(x: Any) -> Any:
    return 1 / (1 + numpy.exp(-x))


_ARRAY: dict[str, Callable[..., Any]] = {
    "expit": _expit,
    "log1p": numpy.log1p,
    "expm1": numpy.expm1,
    "cbrt": numpy.cbrt,
    "exp2": numpy.exp2,
}


def _computation(name: str) -> Callable[..., Any] | None:
    if name in _SCALAR:
        return numpy.vectorize(_SCALAR[name], otypes=[float])
    return _ARRAY.get(name)


def namespace() -> dict[str, Any]:
    """Return the functions that are modelled."""
    found = {}
    for name, entry in API["modules"]["cupyx.scipy.special"].items():
        compute = _computation(name)
        if entry["kind"] == "ufunc" and compute is not None:
            found[name] = ufunc(name, entry, compute)
    return found


def rsqrt() -> ufunc:
    """Return ``cupyx.rsqrt``."""
    return ufunc("rsqrt", API["modules"]["cupyx"]["rsqrt"], lambda x: 1 / numpy.sqrt(x))
