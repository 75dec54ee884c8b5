"""Written samples: calls of the layers that no recorded case of real MXNet covers.

One entry a layer: a list of :func:`sample`. ``test_every_layer.py`` fails for a layer that has neither a recorded case
(``golden_data/gluon/layers.json``) nor an entry here.
"""

from __future__ import annotations

from typing import NamedTuple

__all__ = ["WRITTEN", "Sample", "sample"]


class Sample(NamedTuple):
    """How a layer is made, and the shapes of the arrays that it is called on; a cell is given its states besides."""

    build: str
    shapes: tuple[tuple[int, ...], ...]


def sample(build: str, *shapes: tuple[int, ...]) -> Sample:
    """Return a call of a layer, which is made by an expression with ``nn``, ``rnn``, ``contrib`` and ``loss``."""
    return Sample(build, shapes)


WRITTEN: dict[str, list[Sample]] = {
    "BatchNormReLU": [sample("nn.BatchNormReLU()", (3, 2, 4))],
    "GlobalMaxPool3D": [sample("nn.GlobalMaxPool3D()", (2, 3, 4, 3, 2))],
    "PixelShuffle3D": [sample("contrib.nn.PixelShuffle3D((2, 1, 3))", (2, 12, 3, 2, 2))],
    "SyncBatchNorm": [sample("contrib.nn.SyncBatchNorm(num_devices=1)", (3, 2, 4))],
    "DeformableConvolution": [
        sample("contrib.cnn.DeformableConvolution(4, (3, 3), padding=(1, 1))", (2, 2, 5, 4)),
        sample("contrib.cnn.DeformableConvolution(2, (2, 2), activation='relu', use_bias=False)", (1, 2, 5, 4)),
    ],
    "ModulatedDeformableConvolution": [
        sample("contrib.cnn.ModulatedDeformableConvolution(4, (3, 3), padding=(1, 1))", (2, 2, 5, 4))
    ],
    "DropoutCell": [sample("rnn.DropoutCell(0.5)", (3, 4))],
    "ZoneoutCell": [sample("rnn.ZoneoutCell(rnn.RNNCell(4), 0.3, 0.3)", (3, 2))],
    "LSTMPCell": [sample("contrib.rnn.LSTMPCell(5, 3)", (2, 4))],
    "VariationalDropoutCell": [
        sample("contrib.rnn.VariationalDropoutCell(rnn.GRUCell(4), 0.3, 0.3, 0.3)", (3, 2)),
    ],
    **{
        f"Conv{rank}D{kind}Cell": [
            sample(
                f"contrib.rnn.Conv{rank}D{kind}Cell({(2, *(5, 4, 3)[:rank])}, 3, {(3,) * rank}, {(3,) * rank}, "
                f"i2h_pad={(1,) * rank})",
                (2, 2, *(5, 4, 3)[:rank]),
            )
        ]
        for rank in (1, 2, 3)
        for kind in ("RNN", "LSTM", "GRU")
    },
}
