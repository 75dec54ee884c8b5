"""``mx.gluon``: networks as blocks, imperative until they are hybridized."""

from __future__ import annotations

from . import contrib, data, loss, model_zoo, nn, rnn, utils
from .block import Block
from .hybrid_block import HybridBlock
from .parameter import Constant, DeferredInitializationError, Parameter, ParameterDict
from .symbol_block import SymbolBlock
from .trainer import Trainer

__all__ = [
    "Block", "Constant", "DeferredInitializationError", "HybridBlock", "Parameter", "ParameterDict", "SymbolBlock",
    "Trainer", "contrib", "data", "loss", "model_zoo", "nn", "rnn", "utils",
]  # fmt: skip
