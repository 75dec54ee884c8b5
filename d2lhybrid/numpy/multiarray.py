"""``mx.np.multiarray``: the module in which MXNet defines the functions of ``mx.np``."""

from __future__ import annotations

from typing import Any

from .. import numpy as _functions
from ..ndarray.numpy._array import ndarray

__all__ = ["ndarray"]


def __getattr__(name: str) -> Any:
    return getattr(_functions, name)


def __dir__() -> list[str]:
    return dir(_functions)
