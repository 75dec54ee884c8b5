"""ONNX Runtime: for inference, the whole graph as an ONNX model in a session of its own.

Worth it for large convolutions, where ONNX Runtime's kernels are faster than NumPy's products. The parameters are
inputs of the model, not constants, so that a changed parameter is seen by the next call. Programs with gradients, in
training mode, or on a GPU are NumPy's, as without this backend.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy

from ...errors import MXNetError
from ..graph import Graph
from .backend import Backend

if TYPE_CHECKING:
    from ..passes.split import Halves
    from ..pipeline import Program, Settings, Stage

__all__ = ["OnnxRuntimeBackend"]
