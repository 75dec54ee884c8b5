"""``mx.np.linalg``: linear algebra."""

from __future__ import annotations

from typing import Any

from ..internals.frontends.numpy_dialect import LINALG as _FUNCTIONS
from ..internals.frontends.numpy_dialect import NumpyNames as _NumpyNames
from ..ndarray.numpy._space import space as _space
from .fallback import FALLBACK_LINALG as _FALLBACK
from .fallback import make as _make_fallback

_names = _NumpyNames(_FUNCTIONS, _space, __name__, globals())


def __getattr__(name: str) -> Any:
    if name in _FALLBACK:
        function = globals()[name] = _make_fallback(name, _FALLBACK[name], __name__)
        return function
    return _names.get(name)


def __dir__() -> list[str]:
    return sorted({*_names.dir(), *_FALLBACK})
