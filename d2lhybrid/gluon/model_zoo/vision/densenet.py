"""DenseNet: every layer of a block receives the outputs of all earlier layers of the block."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...contrib.nn import Identity
from ...nn import Activation, AvgPool2D, BatchNorm, Conv2D, Dense, Dropout, Flatten, MaxPool2D
from .common import DEFAULT_ROOT, Classifier, branches, load_pretrained, row

__all__ = ["DenseNet", "densenet121", "densenet161", "densenet169", "densenet201"]

#: Number of initial channels, growth rate, and number of layers in each block, by total number of layers.
densenet_spec: dict[int, tuple[int, int, list[int]]] = {
    121: (64, 32, [6, 12, 24, 16]),
    161: (96, 48, [6, 12, 36, 24]),
    169: (64, 32, [6, 12, 32, 32]),
    201: (64, 32, [6, 12, 48, 32]),
}


# Programs import these functions, under MXNet's names, to build nets of their own.


def _make_dense_block(num_layers: int, bn_size: int, growth_rate: int, dropout: float, stage_index: int) -> Any:
    """Return a block of layers, each of which receives the outputs of all layers before it."""
    block = row(prefix=f"stage{stage_index}_")
    with block.name_scope():
        for _ in range(num_layers):
            block.add(_make_dense_layer(growth_rate, bn_size, dropout))
    return block


def _make_dense_layer(growth_rate: int, bn_size: int, dropout: float) -> Any:
    """Return a layer that appends ``growth_rate`` channels to its input."""
    new = row(
        BatchNorm(),
        Activation("relu"),
        Conv2D(bn_size * growth_rate, kernel_size=1, use_bias=False),
        BatchNorm(),
        Activation("relu"),
        Conv2D(growth_rate, kernel_size=3, padding=1, use_bias=False),
    )
    if dropout:
        new.add(Dropout(dropout))
    return branches(Identity(), new)


def _make_transition(num_output_features: int) -> Any:
    """Return a transition layer, which reduces the channels and halves height and width."""
    return row(
        BatchNorm(),
        Activation("relu"),
        Conv2D(num_output_features, kernel_size=1, use_bias=False),
        AvgPool2D(pool_size=2, strides=2),
    )


class DenseNet(Classifier):
    """A network of densely connected layers (Huang et al., 2016).

    Parameters
    ----------
    num_init_features : int
        Number of channels of the first layer.
    growth_rate : int
        Number of channels that each layer appends.
    block_config : list of int
        Number of layers in each block.
    bn_size : int
        Number of channels inside a layer, as a multiple of ``growth_rate``.
    dropout : float
        Dropout rate after each layer.
    classes : int
        Number of classes.
    **kwargs
        ``prefix`` and ``params`` of :class:`~d2lhybrid.gluon.Block`.
    """

    features: Any
    output: Any

    def __init__(
        self,
        num_init_features: int,
        growth_rate: int,
        block_config: Sequence[int],
        bn_size: int = 4,
        dropout: float = 0,
        classes: int = 1000,
        **kwargs: Any,
    ) -> None:
        super().__init__(**kwargs)
        with self.name_scope():
            self.features = row(
                Conv2D(num_init_features, kernel_size=7, strides=2, padding=3, use_bias=False),
                BatchNorm(),
                Activation("relu"),
                MaxPool2D(pool_size=3, strides=2, padding=1),
            )
            channels = num_init_features
            for i, count in enumerate(block_config, start=1):
                block = _make_dense_block(count, bn_size, growth_rate, dropout, i)
                self.features.add(block)
                channels += count * growth_rate
                if i != len(block_config):
                    channels //= 2
                    self.features.add(_make_transition(channels))
            self.features.add(BatchNorm(), Activation("relu"), AvgPool2D(pool_size=7), Flatten())
            self.output = Dense(classes)


def get_densenet(
    num_layers: int, pretrained: bool = False, ctx: Any = None, root: str = DEFAULT_ROOT, **kwargs: Any
) -> DenseNet:
    """Return a :class:`DenseNet` with 121, 161, 169, or 201 layers.

    Parameters
    ----------
    num_layers : int
        Number of layers.
    pretrained, ctx, root
        See :func:`~d2lhybrid.gluon.model_zoo.vision.common.load_pretrained`.
    **kwargs
        Arguments of :class:`DenseNet`.

    Returns
    -------
    DenseNet
        The network.
    """
    net = DenseNet(*densenet_spec[num_layers], **kwargs)
    return load_pretrained(net, f"densenet{num_layers}", pretrained, root, ctx)


def densenet121(**kwargs: Any) -> DenseNet:
    """Return a :class:`DenseNet` with 121 layers.

    Parameters
    ----------
    **kwargs
        Arguments of :func:`get_densenet` except ``num_layers``.

    Returns
    -------
    DenseNet
        The network.
    """
    return get_densenet(121, **kwargs)


def densenet161(**kwargs: Any) -> DenseNet:
    """Return a :class:`DenseNet` with 161 layers.

    Parameters
    ----------
    **kwargs
        Arguments of :func:`get_densenet` except ``num_layers``.

    Returns
    -------
    DenseNet
        The network.
    """
    return get_densenet(161, **kwargs)


def densenet169(**kwargs: Any) -> DenseNet:
    """Return a :class:`DenseNet` with 169 layers.

    Parameters
    ----------
    **kwargs
        Arguments of :func:`get_densenet` except ``num_layers``.

    Returns
    -------
    DenseNet
        The network.
    """
    return get_densenet(169, **kwargs)


def densenet201(**kwargs: Any) -> DenseNet:
    """Return a :class:`DenseNet` with 201 layers.

    Parameters
    ----------
    **kwargs
        Arguments of :func:`get_densenet` except ``num_layers``.

    Returns
    -------
    DenseNet
        The network.
    """
    return get_densenet(201, **kwargs)
