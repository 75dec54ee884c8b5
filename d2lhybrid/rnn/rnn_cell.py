"""All cells in a single namespace. Each group of cells has a separate module."""

from .base_cell import BaseRNNCell, RNNParams
from .basic_cells import GRUCell, LSTMCell, RNNCell
from .compound_cells import BidirectionalCell, SequentialRNNCell
from .conv_cells import BaseConvRNNCell, ConvGRUCell, ConvLSTMCell, ConvRNNCell
from .fused_cell import FusedRNNCell
from .modifier_cells import DropoutCell, ModifierCell, ResidualCell, ZoneoutCell

__all__ = [
    "BaseConvRNNCell", "BaseRNNCell", "BidirectionalCell", "ConvGRUCell", "ConvLSTMCell", "ConvRNNCell", "DropoutCell",
    "FusedRNNCell", "GRUCell", "LSTMCell", "ModifierCell", "RNNCell", "RNNParams", "ResidualCell", "SequentialRNNCell",
    "ZoneoutCell",
]  # fmt: skip
