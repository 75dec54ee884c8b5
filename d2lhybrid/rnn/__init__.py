"""``mx.rnn``: recurrent cells on symbols, their checkpoints, and iterators over sentences in buckets.

A cell creates the nodes of one step, and :meth:`BaseRNNCell.unroll` creates the nodes of a sequence. The arrays belong
to the module that binds the symbol, such as a :class:`~d2lhybrid.module.BucketingModule` with a symbol for each length.
"""

from ..internals.support.absent import refusing
from .io import BucketSentenceIter, encode_sentences
from .rnn import do_rnn_checkpoint, load_rnn_checkpoint, rnn_unroll, save_rnn_checkpoint
from .rnn_cell import (
    BaseConvRNNCell,
    BaseRNNCell,
    BidirectionalCell,
    ConvGRUCell,
    ConvLSTMCell,
    ConvRNNCell,
    DropoutCell,
    FusedRNNCell,
    GRUCell,
    LSTMCell,
    ModifierCell,
    ResidualCell,
    RNNCell,
    RNNParams,
    SequentialRNNCell,
    ZoneoutCell,
)

__all__ = [
    "BaseConvRNNCell", "BaseRNNCell", "BidirectionalCell", "BucketSentenceIter", "ConvGRUCell", "ConvLSTMCell",
    "ConvRNNCell", "DropoutCell", "FusedRNNCell", "GRUCell", "LSTMCell", "ModifierCell", "RNNCell", "RNNParams",
    "ResidualCell", "SequentialRNNCell", "ZoneoutCell", "do_rnn_checkpoint", "encode_sentences", "load_rnn_checkpoint",
    "rnn_unroll", "save_rnn_checkpoint",
]  # fmt: skip

globals()["__getattr__"] = refusing(__name__)
