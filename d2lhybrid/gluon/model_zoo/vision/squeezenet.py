"""SqueezeNet: AlexNet's accuracy with fifty times fewer parameters."""

from __future__ import annotations

from typing import Any

from ...nn import Activation, AvgPool2D, Conv2D, Dropout, Flatten, MaxPool2D
from .common import DEFAULT_ROOT, Classifier, branches, load_pretrained, row

__all__ = ["SqueezeNet", "get_squeezenet", "squeezenet1_0", "squeezenet1_1"]


# Programs import these functions, under MXNet's names, to build nets of their own.


def _make_fire(squeeze_channels: int, expand1x1_channels: int, expand3x3_channels: int) -> Any:
    """Return a fire module: a convolution that reduces the channels, then parallel 1 by 1 and 3 by 3 convolutions."""
    return row(
        _make_fire_conv(squeeze_channels, 1),
        branches(_make_fire_conv(expand1x1_channels, 1), _make_fire_conv(expand3x3_channels, 3, padding=1)),
    )


def _make_fire_conv(channels: int, kernel_size: int, padding: int = 0) -> Any:
    return row(Conv2D(channels, kernel_size, padding=padding), Activation("relu"))


class SqueezeNet(Classifier):
    """A network of fire modules and a final convolution (Iandola et al., 2016).

    Parameters
    ----------
    version : str
        ``"1.0"``, or ``"1.1"``, which needs less than half the computation.
    classes : int
        Number of classes.
    **kwargs
        ``prefix`` and ``params`` of :class:`~d2lhybrid.gluon.Block`.

    Raises
    ------
    AssertionError
        If the version is unknown.
    """

    features: Any
    output: Any

    def __init__(self, version: str, classes: int = 1000, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        if version not in ("1.0", "1.1"):
            raise AssertionError(f"Unsupported SqueezeNet version {version}:1.0 or 1.1 expected")
        # A pooling layer precedes each of the fire modules with these indices.
        first, pooled = ((96, 7), (0, 3, 7)) if version == "1.0" else ((64, 3), (0, 2, 4))
        fires = [(16, 64), (16, 64), (32, 128), (32, 128), (48, 192), (48, 192), (64, 256), (64, 256)]
        with self.name_scope():
            self.features = row(Conv2D(*first, strides=2), Activation("relu"))
            for i, (squeeze, expand) in enumerate(fires):
                if i in pooled:
                    self.features.add(MaxPool2D(pool_size=3, strides=2, ceil_mode=True))
                self.features.add(_make_fire(squeeze, expand, expand))
            self.features.add(Dropout(0.5))
            self.output = row(Conv2D(classes, kernel_size=1), Activation("relu"), AvgPool2D(13), Flatten())


def get_squeezenet(
    version: str, pretrained: bool = False, ctx: Any = None, root: str = DEFAULT_ROOT, **kwargs: Any
) -> SqueezeNet:
    """Create a :class:`SqueezeNet`, with pretrained parameters if requested.

    Parameters
    ----------
    version : {"1.0", "1.1"}
        The version of SqueezeNet.
    pretrained, ctx, root
        See :func:`~d2lhybrid.gluon.model_zoo.vision.common.load_pretrained`.
    **kwargs
        Arguments of :class:`SqueezeNet`.

    Returns
    -------
    SqueezeNet
        The network.
    """
    return load_pretrained(SqueezeNet(version, **kwargs), f"squeezenet{version}", pretrained, root, ctx)


def squeezenet1_0(**kwargs: Any) -> SqueezeNet:
    """Return a :class:`SqueezeNet` of version 1.0.

    Parameters
    ----------
    **kwargs
        Arguments of :func:`get_squeezenet` except ``version``.

    Returns
    -------
    SqueezeNet
        The network.
    """
    return get_squeezenet("1.0", **kwargs)


def squeezenet1_1(**kwargs: Any) -> SqueezeNet:
    """Return a :class:`SqueezeNet` of version 1.1.

    Parameters
    ----------
    **kwargs
        Arguments of :func:`get_squeezenet` except ``version``.

    Returns
    -------
    SqueezeNet
        The network.
    """
    return get_squeezenet("1.1", **kwargs)
