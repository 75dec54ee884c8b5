"""``mx.contrib``: what MXNet keeps apart because its interface may change."""

from __future__ import annotations

from ..ndarray import contrib as ndarray
from ..symbol import contrib as symbol
from . import onnx

nd, sym = ndarray, symbol

__all__ = ["nd", "ndarray", "onnx", "sym", "symbol"]
