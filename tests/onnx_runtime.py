"""Running ONNX models: the checker, ONNX Runtime, and ONNX's own reference where that has no kernel."""

from __future__ import annotations

from typing import Any

import numpy
import onnx
import onnxruntime
from onnx.reference import ReferenceEvaluator
from onnxruntime.capi.onnxruntime_pybind11_state import NotImplemented as NoKernel

__all__ = ["NO_FLOAT64_KERNEL", "run", "session"]

#: ONNX's operators that ONNX Runtime computes in float32 only, on a CPU.
NO_FLOAT64_KERNEL = {"Asin", "Acos", "Asinh", "Acosh", "Atan", "Atanh", "Cosh", "Det", "Erf", "Sinh", "Softsign", "Tan"}


def session(model: Any) -> Any:
    """Check a model and return what runs it."""
    onnx.checker.check_model(model, full_check=True)
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 4
    options.intra_op_num_threads = 1
    return onnxruntime.InferenceSession(model.SerializeToString(), options, providers=["CPUExecutionProvider"])


def run(model: Any, inputs: dict[str, Any]) -> list[Any]:
    """Return the outputs of a model; inputs that it does not have are left out."""
    feed = {i.name: inputs[i.name] for i in model.graph.input}
    try:
        return session(model).run(None, feed)
    except NoKernel:
        used = {node.op_type for node in model.graph.node}
        assert used & NO_FLOAT64_KERNEL and any(a.dtype == numpy.float64 for a in feed.values())
        return ReferenceEvaluator(model).run(None, feed)
