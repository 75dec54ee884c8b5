"""``mx.contrib``: what MXNet keeps apart because its interface may change."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from ..ndarray import contrib as ndarray
from ..symbol import contrib as symbol
from . import onnx

if TYPE_CHECKING:
    from . import text

nd, sym = ndarray, symbol

__all__ = ["nd", "ndarray", "onnx", "sym", "symbol", "text"]


def __getattr__(name: str) -> Any:
    if name == "text":  # loaded when first used
        return importlib.import_module(f"{__name__}.text")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}", name=name)
