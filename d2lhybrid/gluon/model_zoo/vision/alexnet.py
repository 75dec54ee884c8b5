"""AlexNet, the network that won the ImageNet competition in 2012."""

from __future__ import annotations

from typing import Any

from ...nn import Conv2D, Dense, Dropout, Flatten, MaxPool2D
from .common import DEFAULT_ROOT, Classifier, load_pretrained, row

__all__ = ["AlexNet", "alexnet"]


class AlexNet(Classifier):
    """A network of five convolutions and three dense layers (Krizhevsky, 2014).

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
                Conv2D(64, kernel_size=11, strides=4, padding=2, activation="relu"),
                MaxPool2D(pool_size=3, strides=2),
                Conv2D(192, kernel_size=5, padding=2, activation="relu"),
                MaxPool2D(pool_size=3, strides=2),
                Conv2D(384, kernel_size=3, padding=1, activation="relu"),
                Conv2D(256, kernel_size=3, padding=1, activation="relu"),
                Conv2D(256, kernel_size=3, padding=1, activation="relu"),
                MaxPool2D(pool_size=3, strides=2),
                Flatten(),
                Dense(4096, activation="relu"),
                Dropout(0.5),
                Dense(4096, activation="relu"),
                Dropout(0.5),
            )
            self.output = Dense(classes)


def alexnet(pretrained: bool = False, ctx: Any = None, root: str = DEFAULT_ROOT, **kwargs: Any) -> AlexNet:
    """Create an :class:`AlexNet`, with pretrained parameters if requested.

    Parameters
    ----------
    pretrained, ctx, root
        See :func:`~d2lhybrid.gluon.model_zoo.vision.common.load_pretrained`.
    **kwargs
        Arguments of :class:`AlexNet`.

    Returns
    -------
    AlexNet
        The network.
    """
    return load_pretrained(AlexNet(**kwargs), "alexnet", pretrained, root, ctx)
