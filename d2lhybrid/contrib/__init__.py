"""``mx.contrib``: modules that MXNet considers experimental."""

from __future__ import annotations

import importlib
import sys
from typing import TYPE_CHECKING, Any

from ..internals.support.absent import no_attribute
from ..ndarray import contrib as ndarray
from ..symbol import contrib as symbol
from . import onnx

if TYPE_CHECKING:
    from . import amp, autograd, io, quantization, svrg_optimization, tensorboard, text
    from . import quantization as quant

nd, sym = ndarray, symbol

# As in MXNet, where these names are modules, ``import mxnet.contrib.ndarray`` works.
for _name, _module in (("nd", ndarray), ("ndarray", ndarray), ("sym", symbol), ("symbol", symbol)):
    sys.modules[f"{__name__}.{_name}"] = _module

__all__ = [
    "amp", "autograd", "io", "nd", "ndarray", "onnx", "quant", "quantization", "svrg_optimization", "sym", "symbol",
    "tensorboard", "text",
]  # fmt: skip


def __getattr__(name: str) -> Any:
    if name == "quant":
        name = "quantization"
    # These modules are imported on first use.
    if name in ("amp", "autograd", "io", "quantization", "svrg_optimization", "tensorboard", "text"):
        return importlib.import_module(f"{__name__}.{name}")
    raise no_attribute(__name__, name)
