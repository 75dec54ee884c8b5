"""Inception v3: parallel convolutions of several kernel sizes."""

from __future__ import annotations

from typing import Any

from ...nn import Activation, AvgPool2D, BatchNorm, Conv2D, Dense, Dropout, MaxPool2D
from .common import DEFAULT_ROOT, Classifier, branches, load_pretrained, row

__all__ = ["Inception3", "inception_v3"]

Size = int | tuple[int, int]


def _convolution(channels: int, kernel_size: Size, strides: Size = 1, padding: Size = 0) -> Any:
    return row(
        Conv2D(channels, kernel_size, strides, padding, use_bias=False),
        BatchNorm(epsilon=0.001),
        Activation("relu"),
    )


def _branch(*settings: tuple[Any, ...], pool: str | None = None) -> Any:
    """Return a branch: optional pooling, then convolutions of (channels, kernel, strides, padding)."""
    branch = row()
    if pool == "avg":
        branch.add(AvgPool2D(pool_size=3, strides=1, padding=1))
    elif pool == "max":
        branch.add(MaxPool2D(pool_size=3, strides=2))
    for setting in settings:
        branch.add(_convolution(*setting))
    return branch


def _block_a(prefix: str, pool_features: int) -> Any:
    block = branches(prefix=prefix)
    with block.name_scope():
        block.add(_branch((64, 1)))
        block.add(_branch((48, 1), (64, 5, 1, 2)))
        block.add(_branch((64, 1), (96, 3, 1, 1), (96, 3, 1, 1)))
        block.add(_branch((pool_features, 1), pool="avg"))
    return block


def _block_b(prefix: str) -> Any:
    block = branches(prefix=prefix)
    with block.name_scope():
        block.add(_branch((384, 3, 2)))
        block.add(_branch((64, 1), (96, 3, 1, 1), (96, 3, 2)))
        block.add(_branch(pool="max"))
    return block


def _block_c(prefix: str, channels: int) -> Any:
    wide, tall = ((1, 7), 1, (0, 3)), ((7, 1), 1, (3, 0))
    block = branches(prefix=prefix)
    with block.name_scope():
        block.add(_branch((192, 1)))
        block.add(_branch((channels, 1), (channels, *wide), (192, *tall)))
        block.add(_branch((channels, 1), (channels, *tall), (channels, *wide), (channels, *tall), (192, *wide)))
        block.add(_branch((192, 1), pool="avg"))
    return block


def _block_d(prefix: str) -> Any:
    block = branches(prefix=prefix)
    with block.name_scope():
        block.add(_branch((192, 1), (320, 3, 2)))
        block.add(_branch((192, 1), (192, (1, 7), 1, (0, 3)), (192, (7, 1), 1, (3, 0)), (192, 3, 2)))
        block.add(_branch(pool="max"))
    return block


def _block_e(prefix: str) -> Any:
    def fork(*settings: tuple[Any, ...]) -> Any:
        """Return convolutions whose output goes through a wide and a tall kernel."""
        stem = _branch(*settings)
        return row(stem, branches(_branch((384, (1, 3), 1, (0, 1))), _branch((384, (3, 1), 1, (1, 0)))))

    block = branches(prefix=prefix)
    with block.name_scope():
        block.add(_branch((320, 1)))
        block.add(fork((384, 1)))
        block.add(fork((448, 1), (384, 3, 1, 1)))
        block.add(_branch((192, 1), pool="avg"))
    return block


class Inception3(Classifier):
    """Inception v3 (Szegedy et al., 2015), for images of 299 by 299 pixels.

    Parameters
    ----------
    classes : int
        Number of classes.
    **kwargs
        ``prefix`` and ``params`` of :class:`~d2lhybrid.gluon.Block`.
    """

    features: Any
    output: Any

    def __init__(self, classes: int = 1000, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        with self.name_scope():
            self.features = row(
                _convolution(32, 3, 2),
                _convolution(32, 3),
                _convolution(64, 3, padding=1),
                MaxPool2D(pool_size=3, strides=2),
                _convolution(80, 1),
                _convolution(192, 3),
                MaxPool2D(pool_size=3, strides=2),
                *(_block_a(f"A{i}_", size) for i, size in enumerate((32, 64, 64), start=1)),
                _block_b("B_"),
                *(_block_c(f"C{i}_", size) for i, size in enumerate((128, 160, 160, 192), start=1)),
                _block_d("D_"),
                _block_e("E1_"),
                _block_e("E2_"),
                AvgPool2D(pool_size=8),
                Dropout(0.5),
            )
            self.output = Dense(classes)


def inception_v3(pretrained: bool = False, ctx: Any = None, root: str = DEFAULT_ROOT, **kwargs: Any) -> Inception3:
    """Create an :class:`Inception3`, with pretrained parameters if requested.

    Parameters
    ----------
    pretrained, ctx, root
        See :func:`~d2lhybrid.gluon.model_zoo.vision.common.load_pretrained`.
    **kwargs
        Arguments of :class:`Inception3`.

    Returns
    -------
    Inception3
        The network.
    """
    return load_pretrained(Inception3(**kwargs), "inceptionv3", pretrained, root, ctx)
