"""``mx.gluon``: networks as blocks, which run eagerly until they are hybridized."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from . import loss, nn, utils
from .block import Block
from .constant import Constant
from .hybrid_block import HybridBlock
from .parameter import DeferredInitializationError, Parameter, tensor_types
from .parameter_dict import ParameterDict
from .symbol_block import SymbolBlock
from .trainer import Trainer

if TYPE_CHECKING:
    from . import contrib, data, model_zoo, rnn

__all__ = [
    "Block", "Constant", "DeferredInitializationError", "HybridBlock", "Parameter", "ParameterDict", "SymbolBlock",
    "Trainer", "contrib", "data", "loss", "model_zoo", "nn", "rnn", "tensor_types", "utils",
]  # fmt: skip

#: Submodules that are imported on first access.
_LAZY = ("contrib", "data", "model_zoo", "rnn")


def __getattr__(name: str) -> Any:
    if name in _LAZY:
        return importlib.import_module(f"{__name__}.{name}")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}", name=name)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
