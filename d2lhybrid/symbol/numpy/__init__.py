"""``F.np`` for symbols: the operators of ``mx.np`` as nodes of a graph."""

from __future__ import annotations

from typing import Any

from ...internals.frontends.numpy_dialect import FUNCTIONS as _FUNCTIONS
from ...internals.frontends.numpy_dialect import NumpyNames as _NumpyNames
from ._space import operators as _operators
from ._space import space as _space
from ._symbol import _Symbol

#: Functions that need values and therefore exist only for arrays.
_ONLY_FOR_ARRAYS = frozenset({"nonzero", "shape"})

_registered = _operators("np", __name__, globals())
_names = _NumpyNames(_FUNCTIONS, _space, __name__, globals(), _registered, hidden=_ONLY_FOR_ARRAYS)

from . import _internal, linalg, random  # noqa: E402, F401  they need what is defined above

__all__ = ["_Symbol", "linalg", "random"]


def __getattr__(name: str) -> Any:
    return _names.get(name)


def __dir__() -> list[str]:
    return _names.dir()
