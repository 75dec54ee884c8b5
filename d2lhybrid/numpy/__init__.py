"""``mx.np``: arrays with NumPy's interface, and with gradients.

The functions of :mod:`d2lhybrid.internals.frontends.numpy_dialect` are generated for arrays on first access.
NumPy computes the functions that MXNet doesn't implement, on copies of the values and without gradients
(:mod:`.fallback`).
"""

from __future__ import annotations

from typing import Any

from numpy import (
    bool_,
    e,
    finfo,
    float16,
    float32,
    float64,
    inf,
    int8,
    int32,
    int64,
    nan,
    newaxis,
    pi,
    uint8,
)

from .. import ndarray as _nd  # noqa: F401  registers the operators
from ..internals.frontends.numpy_dialect import FUNCTIONS as _FUNCTIONS
from ..internals.frontends.numpy_dialect import REGISTERED as _REGISTERED
from ..internals.frontends.numpy_dialect import NumpyNames as _NumpyNames
from ..ndarray.numpy._array import ndarray
from ..ndarray.numpy._space import operators as _operators
from ..ndarray.numpy._space import space as _space
from . import fallback, function_base, io, linalg, multiarray, random
from .creation import array, broadcast_arrays, empty, genfromtxt, meshgrid, set_printoptions
from .fallback import FALLBACK as _FALLBACK
from .fallback import make as _make_fallback

__all__ = [
    "array",
    "bool",
    "bool_",
    "broadcast_arrays",
    "e",
    "empty",
    "fallback",
    "finfo",
    "float16",
    "float32",
    "float64",
    "function_base",
    "genfromtxt",
    "inf",
    "int8",
    "int32",
    "int64",
    "io",
    "linalg",
    "meshgrid",
    "multiarray",
    "nan",
    "ndarray",
    "newaxis",
    "pi",
    "random",
    "set_printoptions",
    "uint8",
]  # fmt: skip

bool = bool
NAN = NaN = nan
PINF, NINF = inf, -inf
PZERO, NZERO = 0.0, -0.0

_registered = _operators("np", __name__, globals())
_names = _NumpyNames({**_FUNCTIONS, **_REGISTERED}, _space, __name__, globals(), _registered)


def __getattr__(name: str) -> Any:
    if name in _FALLBACK:
        function = globals()[name] = _make_fallback(name, _FALLBACK[name], __name__)
        return function
    return _names.get(name)


def __dir__() -> list[str]:
    return sorted({*_names.dir(), *_FALLBACK})
