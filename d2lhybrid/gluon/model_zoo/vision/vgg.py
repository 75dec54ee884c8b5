"""VGG: deep stacks of small convolutions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from d2lhybrid import initializer

from ...nn import Activation, BatchNorm, Conv2D, Dense, Dropout, MaxPool2D
from .common import DEFAULT_ROOT, Classifier, load_pretrained, row

__all__ = [
    "VGG", "get_vgg", "vgg11", "vgg11_bn", "vgg13", "vgg13_bn", "vgg16", "vgg16_bn", "vgg19", "vgg19_bn",
]  # fmt: skip

#: Convolutions in each stage, and their channels, by number of layers.
vgg_spec: dict[int, tuple[list[int], list[int]]] = {
    11: ([1, 1, 2, 2, 2], [64, 128, 256, 512, 512]),
    13: ([2, 2, 2, 2, 2], [64, 128, 256, 512, 512]),
    16: ([2, 2, 3, 3, 3], [64, 128, 256, 512, 512]),
    19: ([2, 2, 4, 4, 4], [64, 128, 256, 512, 512]),
}


class VGG(Classifier):
    """A network whose stages consist of 3 by 3 convolutions and max pooling (Simonyan and Zisserman, 2014).

    Parameters
    ----------
    layers : list of int
        Number of convolutions in each stage.
    filters : list of int
        Number of channels in each stage.
    classes : int
        Number of classes.
    batch_norm : bool
        Whether to add batch normalization after each convolution.
    **kwargs
        ``prefix`` and ``params`` of :class:`~d2lhybrid.gluon.Block`.

    Raises
    ------
    AssertionError
        If ``layers`` and ``filters`` have different lengths.
    """

    features: Any
    output: Any

    def __init__(
        self,
        layers: Sequence[int],
        filters: Sequence[int],
        classes: int = 1000,
        batch_norm: bool = False,
        **kwargs: Any,
    ) -> None:
        super().__init__(**kwargs)
        if len(layers) != len(filters):
            raise AssertionError(
                f"layers and filters must have the same length, but their lengths are {len(layers)} and {len(filters)}"
            )
        with self.name_scope():
            self.features = row()
            for count, channels in zip(layers, filters, strict=True):
                for _ in range(count):
                    init = initializer.Xavier(rnd_type="gaussian", factor_type="out", magnitude=2)
                    self.features.add(Conv2D(channels, kernel_size=3, padding=1, weight_initializer=init))
                    if batch_norm:
                        self.features.add(BatchNorm())
                    self.features.add(Activation("relu"))
                self.features.add(MaxPool2D(strides=2))
            for _ in range(2):
                self.features.add(Dense(4096, activation="relu", weight_initializer="normal"))
                self.features.add(Dropout(rate=0.5))
            self.output = Dense(classes, weight_initializer="normal")


def get_vgg(num_layers: int, pretrained: bool = False, ctx: Any = None, root: str = DEFAULT_ROOT, **kwargs: Any) -> VGG:
    """Return a :class:`VGG` with 11, 13, 16, or 19 layers.

    Parameters
    ----------
    num_layers : {11, 13, 16, 19}
        Number of layers.
    pretrained, ctx, root
        See :func:`~d2lhybrid.gluon.model_zoo.vision.common.load_pretrained`.
    **kwargs
        Arguments of :class:`VGG`.

    Returns
    -------
    VGG
        The network.
    """
    name = f"vgg{num_layers}{'_bn' if kwargs.get('batch_norm') else ''}"
    return load_pretrained(VGG(*vgg_spec[num_layers], **kwargs), name, pretrained, root, ctx)


def vgg11(**kwargs: Any) -> VGG:
    """Return a :class:`VGG` with 11 layers.

    Parameters
    ----------
    **kwargs
        Arguments of :func:`get_vgg` except ``num_layers``.

    Returns
    -------
    VGG
        The network.
    """
    return get_vgg(11, **kwargs)


def vgg13(**kwargs: Any) -> VGG:
    """Return a :class:`VGG` with 13 layers.

    Parameters
    ----------
    **kwargs
        Arguments of :func:`get_vgg` except ``num_layers``.

    Returns
    -------
    VGG
        The network.
    """
    return get_vgg(13, **kwargs)


def vgg16(**kwargs: Any) -> VGG:
    """Return a :class:`VGG` with 16 layers.

    Parameters
    ----------
    **kwargs
        Arguments of :func:`get_vgg` except ``num_layers``.

    Returns
    -------
    VGG
        The network.
    """
    return get_vgg(16, **kwargs)


def vgg19(**kwargs: Any) -> VGG:
    """Return a :class:`VGG` with 19 layers.

    Parameters
    ----------
    **kwargs
        Arguments of :func:`get_vgg` except ``num_layers``.

    Returns
    -------
    VGG
        The network.
    """
    return get_vgg(19, **kwargs)


def vgg11_bn(**kwargs: Any) -> VGG:
    """Return a :class:`VGG` with 11 layers and batch normalization.

    Parameters
    ----------
    **kwargs
        Arguments of :func:`get_vgg` except ``num_layers``.

    Returns
    -------
    VGG
        The network.
    """
    return get_vgg(11, **{**kwargs, "batch_norm": True})


def vgg13_bn(**kwargs: Any) -> VGG:
    """Return a :class:`VGG` with 13 layers and batch normalization.

    Parameters
    ----------
    **kwargs
        Arguments of :func:`get_vgg` except ``num_layers``.

    Returns
    -------
    VGG
        The network.
    """
    return get_vgg(13, **{**kwargs, "batch_norm": True})


def vgg16_bn(**kwargs: Any) -> VGG:
    """Return a :class:`VGG` with 16 layers and batch normalization.

    Parameters
    ----------
    **kwargs
        Arguments of :func:`get_vgg` except ``num_layers``.

    Returns
    -------
    VGG
        The network.
    """
    return get_vgg(16, **{**kwargs, "batch_norm": True})


def vgg19_bn(**kwargs: Any) -> VGG:
    """Return a :class:`VGG` with 19 layers and batch normalization.

    Parameters
    ----------
    **kwargs
        Arguments of :func:`get_vgg` except ``num_layers``.

    Returns
    -------
    VGG
        The network.
    """
    return get_vgg(19, **{**kwargs, "batch_norm": True})
