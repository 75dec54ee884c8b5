"""Layers: the blocks that networks are built from."""

from __future__ import annotations

from ..block import Block
from ..hybrid_block import HybridBlock
from ..symbol_block import SymbolBlock
from . import activations, basic_layers, conv_layers, norm_layers, pooling_layers
from .activations import *  # noqa: F403
from .basic_layers import *  # noqa: F403
from .conv_layers import *  # noqa: F403
from .norm_layers import *  # noqa: F403
from .pooling_layers import *  # noqa: F403

__all__ = ["Block", "HybridBlock", "SymbolBlock"]
__all__ += activations.__all__
__all__ += basic_layers.__all__
__all__ += conv_layers.__all__
__all__ += norm_layers.__all__
__all__ += pooling_layers.__all__
