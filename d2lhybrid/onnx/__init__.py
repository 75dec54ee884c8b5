"""``mx.onnx``: export of networks as ONNX models, for other runtimes and tools.

``export_model`` writes a file, and :func:`to_onnx` returns the model. Both functions require the package ``onnx`` (the
extra ``onnx``), but the import of this module does not.
"""

from __future__ import annotations

from .convert import UnsupportedOperatorsError, to_onnx
from .files import export_model, export_to_file, get_model_metadata, get_operator_support

__all__ = [
    "UnsupportedOperatorsError",
    "export_model",
    "export_to_file",
    "get_model_metadata",
    "get_operator_support",
    "to_onnx",
]
