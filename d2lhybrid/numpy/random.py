"""``mx.np.random``: functions that draw random numbers. ``mx.random.seed`` seeds their generators."""

from __future__ import annotations

from typing import Any

from ..internals.frontends.numpy_dialect import RANDOM as _FUNCTIONS
from ..internals.frontends.numpy_dialect import NumpyNames as _NumpyNames
from ..ndarray.numpy._space import space as _space

_names = _NumpyNames(_FUNCTIONS, _space, __name__, globals())


def __getattr__(name: str) -> Any:
    return _names.get(name)


def __dir__() -> list[str]:
    return _names.dir()
