"""``mx.contrib.onnx``: the old name of :mod:`d2lhybrid.onnx`."""

from __future__ import annotations

from ...internals.support.absent import refusing
from ...onnx import export_model, get_model_metadata

__all__ = ["export_model", "get_model_metadata"]

globals()["__getattr__"] = refusing(__name__)
