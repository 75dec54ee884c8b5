"""``mx.contrib.onnx``: the older place of :mod:`d2lhybrid.onnx`."""

from __future__ import annotations

from ...onnx import export_model, get_model_metadata
from ...support.absent import refusing

__all__ = ["export_model", "get_model_metadata"]

globals()["__getattr__"] = refusing(__name__)
