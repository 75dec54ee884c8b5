"""MobileNet: depthwise separable convolutions for small devices."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from d2lhybrid.util import is_np_array

from ...hybrid_block import HybridBlock, operators
from ...nn import Activation, BatchNorm, Conv2D, Dense, Flatten, GlobalAvgPool2D
from .common import DEFAULT_ROOT, Classifier, load_pretrained, row

if TYPE_CHECKING:
    from d2lhybrid.typing import Tensor

__all__ = [
    "MobileNet",
    "MobileNetV2",
    "get_mobilenet",
    "get_mobilenet_v2",
    "mobilenet0_5",
    "mobilenet0_25",
    "mobilenet0_75",
    "mobilenet1_0",
    "mobilenet_v2_0_5",
    "mobilenet_v2_0_25",
    "mobilenet_v2_0_75",
    "mobilenet_v2_1_0",
]


class RELU6(HybridBlock):
    """A ReLU layer whose output is clipped at 6."""

    def hybrid_forward(self, F: Any, x: Any) -> Tensor:
        """Clip each element to the range from 0 to 6."""
        return F.np.clip(x, 0, 6) if is_np_array() else F.clip(x, 0, 6, name="relu6")


def _add_convolution(
    out: Any,
    channels: int,
    kernel: int = 1,
    stride: int = 1,
    pad: int = 0,
    num_group: int = 1,
    active: bool = True,
    relu6: bool = False,
) -> None:
    """Append a convolution without bias, batch normalization, and an activation if requested."""
    out.add(Conv2D(channels, kernel, stride, pad, groups=num_group, use_bias=False), BatchNorm())
    if active:
        out.add(RELU6() if relu6 else Activation("relu"))


class LinearBottleneck(HybridBlock):
    """A block that expands the channels, filters each channel separately, and projects back without an activation.

    Parameters
    ----------
    in_channels, channels : int
        Number of input channels, and number of output channels.
    t : int
        Factor by which the number of channels grows inside the block.
    stride : int
        Stride of the filter. With stride 1 and equal numbers of channels, the input is added to the output.
    **kwargs
        ``prefix`` and ``params`` of :class:`~d2lhybrid.gluon.Block`.
    """

    def __init__(self, in_channels: int, channels: int, t: int, stride: int, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.use_shortcut: bool = stride == 1 and in_channels == channels
        wide = in_channels * t
        with self.name_scope():
            self.out: Any = row()
            _add_convolution(self.out, wide, relu6=True)
            _add_convolution(self.out, wide, 3, stride, 1, num_group=wide, relu6=True)
            _add_convolution(self.out, channels, active=False)

    def hybrid_forward(self, F: Any, x: Any) -> Tensor:
        """Run the convolutions, and add the input if the block has a shortcut."""
        out = self.out(x)
        return operators(F).elemwise_add(out, x) if self.use_shortcut else out


class MobileNet(Classifier):
    """A network of alternating depthwise and pointwise convolutions (Howard et al., 2017).

    Parameters
    ----------
    multiplier : float
        Factor by which all channel counts are multiplied.
    classes : int
        Number of classes.
    **kwargs
        ``prefix`` and ``params`` of :class:`~d2lhybrid.gluon.Block`.
    """

    features: Any
    output: Any

    def __init__(self, multiplier: float = 1.0, classes: int = 1000, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        sizes = [32, 64, *[128] * 2, *[256] * 2, *[512] * 6, *[1024] * 2]
        channels = [int(size * multiplier) for size in sizes]
        strides = [1, 2] * 3 + [1] * 5 + [2, 1]
        with self.name_scope():
            self.features = row()
            _add_convolution(self.features, channels[0], 3, 2, 1)
            for old, new, stride in zip(channels, channels[1:], strides, strict=False):
                _add_convolution(self.features, old, 3, stride, 1, num_group=old)
                _add_convolution(self.features, new)
            self.features.add(GlobalAvgPool2D(), Flatten())
            self.output = Dense(classes)


class MobileNetV2(Classifier):
    """A network of inverted bottlenecks (Sandler et al., 2018).

    Parameters
    ----------
    multiplier : float
        Factor by which all channel counts are multiplied.
    classes : int
        Number of classes.
    **kwargs
        ``prefix`` and ``params`` of :class:`~d2lhybrid.gluon.Block`.
    """

    features: Any
    output: Any

    def __init__(self, multiplier: float = 1.0, classes: int = 1000, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        # For each stage: channels, number of bottlenecks, stride of the first bottleneck.
        stages = [(16, 1, 1), (24, 2, 2), (32, 3, 2), (64, 4, 2), (96, 3, 1), (160, 3, 2), (320, 1, 1)]
        with self.name_scope():
            self.features = row(prefix="features_")
            with self.features.name_scope():
                old = int(32 * multiplier)
                _add_convolution(self.features, old, 3, 2, 1, relu6=True)
                for size, count, stride in stages:
                    new = int(size * multiplier)
                    for i in range(count):
                        expansion = 1 if size == 16 else 6
                        self.features.add(LinearBottleneck(old, new, expansion, stride if i == 0 else 1))
                        old = new
                last = int(1280 * multiplier) if multiplier > 1.0 else 1280
                _add_convolution(self.features, last, relu6=True)
                self.features.add(GlobalAvgPool2D())
            self.output = row(prefix="output_")
            with self.output.name_scope():
                self.output.add(Conv2D(classes, 1, use_bias=False, prefix="pred_"), Flatten())


def _version(multiplier: float) -> str:
    """Return the multiplier as it appears in model names: ``1.0``, ``0.75``, ``0.5``."""
    return f"{multiplier:.2f}".removesuffix("0")


def get_mobilenet(
    multiplier: float, pretrained: bool = False, ctx: Any = None, root: str = DEFAULT_ROOT, **kwargs: Any
) -> MobileNet:
    """Create a :class:`MobileNet`, with pretrained parameters if requested.

    Parameters
    ----------
    multiplier : float
        Factor by which all channel counts are multiplied.
    pretrained, ctx, root
        See :func:`~d2lhybrid.gluon.model_zoo.vision.common.load_pretrained`.
    **kwargs
        Arguments of :class:`MobileNet`.

    Returns
    -------
    MobileNet
        The network.
    """
    name = f"mobilenet{_version(multiplier)}"
    return load_pretrained(MobileNet(multiplier, **kwargs), name, pretrained, root, ctx)


def get_mobilenet_v2(
    multiplier: float, pretrained: bool = False, ctx: Any = None, root: str = DEFAULT_ROOT, **kwargs: Any
) -> MobileNetV2:
    """Create a :class:`MobileNetV2`, with pretrained parameters if requested.

    Parameters
    ----------
    multiplier : float
        Factor by which all channel counts are multiplied.
    pretrained, ctx, root
        See :func:`~d2lhybrid.gluon.model_zoo.vision.common.load_pretrained`.
    **kwargs
        Arguments of :class:`MobileNetV2`.

    Returns
    -------
    MobileNetV2
        The network.
    """
    name = f"mobilenetv2_{_version(multiplier)}"
    return load_pretrained(MobileNetV2(multiplier, **kwargs), name, pretrained, root, ctx)


def mobilenet1_0(**kwargs: Any) -> MobileNet:
    """Return MobileNet with the full number of channels.

    Parameters
    ----------
    **kwargs
        Arguments of :func:`get_mobilenet` except ``multiplier``.

    Returns
    -------
    MobileNet
        The network.
    """
    return get_mobilenet(1.0, **kwargs)


def mobilenet0_75(**kwargs: Any) -> MobileNet:
    """Return MobileNet with three quarters of the channels.

    Parameters
    ----------
    **kwargs
        Arguments of :func:`get_mobilenet` except ``multiplier``.

    Returns
    -------
    MobileNet
        The network.
    """
    return get_mobilenet(0.75, **kwargs)


def mobilenet0_5(**kwargs: Any) -> MobileNet:
    """Return MobileNet with half the channels.

    Parameters
    ----------
    **kwargs
        Arguments of :func:`get_mobilenet` except ``multiplier``.

    Returns
    -------
    MobileNet
        The network.
    """
    return get_mobilenet(0.5, **kwargs)


def mobilenet0_25(**kwargs: Any) -> MobileNet:
    """Return MobileNet with a quarter of the channels.

    Parameters
    ----------
    **kwargs
        Arguments of :func:`get_mobilenet` except ``multiplier``.

    Returns
    -------
    MobileNet
        The network.
    """
    return get_mobilenet(0.25, **kwargs)


def mobilenet_v2_1_0(**kwargs: Any) -> MobileNetV2:
    """Return MobileNet v2 with the full number of channels.

    Parameters
    ----------
    **kwargs
        Arguments of :func:`get_mobilenet_v2` except ``multiplier``.

    Returns
    -------
    MobileNetV2
        The network.
    """
    return get_mobilenet_v2(1.0, **kwargs)


def mobilenet_v2_0_75(**kwargs: Any) -> MobileNetV2:
    """Return MobileNet v2 with three quarters of the channels.

    Parameters
    ----------
    **kwargs
        Arguments of :func:`get_mobilenet_v2` except ``multiplier``.

    Returns
    -------
    MobileNetV2
        The network.
    """
    return get_mobilenet_v2(0.75, **kwargs)


def mobilenet_v2_0_5(**kwargs: Any) -> MobileNetV2:
    """Return MobileNet v2 with half the channels.

    Parameters
    ----------
    **kwargs
        Arguments of :func:`get_mobilenet_v2` except ``multiplier``.

    Returns
    -------
    MobileNetV2
        The network.
    """
    return get_mobilenet_v2(0.5, **kwargs)


def mobilenet_v2_0_25(**kwargs: Any) -> MobileNetV2:
    """Return MobileNet v2 with a quarter of the channels.

    Parameters
    ----------
    **kwargs
        Arguments of :func:`get_mobilenet_v2` except ``multiplier``.

    Returns
    -------
    MobileNetV2
        The network.
    """
    return get_mobilenet_v2(0.25, **kwargs)
