"""``mx.np.multiarray``: the functions of ``mx.np`` under the name of the module that MXNet writes them in."""

from __future__ import annotations

import importlib
from typing import Any

from ..ndarray.numpy import ndarray

__all__ = ["ndarray"]

_functions = importlib.import_module(__package__)


def __getattr__(name: str) -> Any:
    return getattr(_functions, name)


def __dir__() -> list[str]:
    return dir(_functions)
