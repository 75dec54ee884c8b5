"""``F.np`` for arrays: the operators of ``mx.np``, without its constants and ``array``."""

from __future__ import annotations

from typing import Any

from ...internals.frontends.numpy_dialect import FUNCTIONS as _FUNCTIONS
from ...internals.frontends.numpy_dialect import NumpyNames as _NumpyNames
from ._array import ndarray as _ndarray  # noqa: F401  the class comes before its space
from ._space import operators as _operators
from ._space import space as _space

_registered = _operators("np", __name__, globals())
_names = _NumpyNames(_FUNCTIONS, _space, __name__, globals(), _registered)

from . import _internal, linalg, random  # noqa: E402, F401  they need what is defined above

__all__ = ["linalg", "random"]


def __getattr__(name: str) -> Any:
    return _names.get(name)


def __dir__() -> list[str]:
    return _names.dir()
