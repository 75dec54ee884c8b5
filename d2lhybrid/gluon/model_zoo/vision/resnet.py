"""ResNet: layers that learn a residual, which is added to their input."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from d2lhybrid.internals.support.plural import counted

from ...hybrid_block import HybridBlock, operators
from ...nn import Activation, BatchNorm, Conv2D, Dense, Flatten, GlobalAvgPool2D, MaxPool2D
from .common import DEFAULT_ROOT, Classifier, load_pretrained, row

if TYPE_CHECKING:
    from d2lhybrid.typing import Tensor

__all__ = [
    "BasicBlockV1",
    "BasicBlockV2",
    "BottleneckV1",
    "BottleneckV2",
    "ResNetV1",
    "ResNetV2",
    "get_resnet",
    "resnet18_v1",
    "resnet18_v2",
    "resnet34_v1",
    "resnet34_v2",
    "resnet50_v1",
    "resnet50_v2",
    "resnet101_v1",
    "resnet101_v2",
    "resnet152_v1",
    "resnet152_v2",
]


def _conv3x3(channels: int, stride: int, in_channels: int) -> Conv2D:
    return Conv2D(channels, 3, stride, 1, use_bias=False, in_channels=in_channels)


class _BlockV1(HybridBlock):
    """The base class of blocks of version 1: a body, and a projection if the shape changes."""

    body: Any
    downsample: Any

    def __init__(
        self, channels: int, stride: int, downsample: bool = False, in_channels: int = 0, **kwargs: Any
    ) -> None:
        super().__init__(**kwargs)
        self.body = self._make_body(channels, stride, in_channels)
        self.downsample = None
        if downsample:
            self.downsample = row(Conv2D(channels, 1, stride, use_bias=False, in_channels=in_channels), BatchNorm())

    def _make_body(self, channels: int, stride: int, in_channels: int) -> Any:
        raise NotImplementedError

    def _shortcut(self, x: Any) -> Any:
        return x if self.downsample is None else self.downsample(x)


class BasicBlockV1(_BlockV1):
    """A block of two 3 by 3 convolutions with batch normalization (He et al., 2015).

    Parameters
    ----------
    channels : int
        Number of output channels.
    stride : int
        Stride of the first convolution.
    downsample : bool
        Whether to project the input to the shape of the output with a 1 by 1 convolution, before the addition.
    in_channels : int
        Number of input channels; by default inferred in the first call.
    **kwargs
        ``prefix`` and ``params`` of :class:`~d2lhybrid.gluon.Block`.
    """

    def _make_body(self, channels: int, stride: int, in_channels: int) -> Any:
        return row(
            _conv3x3(channels, stride, in_channels),
            BatchNorm(),
            Activation("relu"),
            _conv3x3(channels, 1, channels),
            BatchNorm(),
        )

    def hybrid_forward(self, F: Any, x: Any) -> Tensor:
        """Add the shortcut to the output of the convolutions, and apply a ReLU."""
        body = self.body(x)
        return operators(F).Activation(self._shortcut(x) + body, act_type="relu")


class BottleneckV1(_BlockV1):
    """A block of 1 by 1, 3 by 3, and 1 by 1 convolutions.

    The first two convolutions have a quarter of the output channels.

    Parameters
    ----------
    channels, stride, downsample, in_channels, **kwargs
        Arguments of :class:`BasicBlockV1`.
    """

    def _make_body(self, channels: int, stride: int, in_channels: int) -> Any:
        return row(
            Conv2D(channels // 4, 1, stride),
            BatchNorm(),
            Activation("relu"),
            _conv3x3(channels // 4, 1, channels // 4),
            BatchNorm(),
            Activation("relu"),
            Conv2D(channels, 1, 1),
            BatchNorm(),
        )

    def hybrid_forward(self, F: Any, x: Any) -> Tensor:
        """Add the shortcut to the output of the convolutions, and apply a ReLU."""
        body = self.body(x)
        return operators(F).Activation(body + self._shortcut(x), act_type="relu")


class BasicBlockV2(HybridBlock):
    """A :class:`BasicBlockV1` with normalization and activation before each convolution.

    Parameters
    ----------
    channels, stride, downsample, in_channels, **kwargs
        Arguments of :class:`BasicBlockV1`.
    """

    bn1: BatchNorm
    conv1: Conv2D
    bn2: BatchNorm
    conv2: Conv2D
    downsample: Any

    def __init__(
        self, channels: int, stride: int, downsample: bool = False, in_channels: int = 0, **kwargs: Any
    ) -> None:
        super().__init__(**kwargs)
        self.bn1 = BatchNorm()
        self.conv1 = _conv3x3(channels, stride, in_channels)
        self.bn2 = BatchNorm()
        self.conv2 = _conv3x3(channels, 1, channels)
        self.downsample = None
        if downsample:
            self.downsample = Conv2D(channels, 1, stride, use_bias=False, in_channels=in_channels)

    def hybrid_forward(self, F: Any, x: Any) -> Tensor:
        """Run the convolutions, and add the shortcut to their output."""
        active = operators(F).Activation(self.bn1(x), act_type="relu")
        shortcut = x if self.downsample is None else self.downsample(active)
        y = self.conv1(active)
        y = self.conv2(operators(F).Activation(self.bn2(y), act_type="relu"))
        return y + shortcut


class BottleneckV2(HybridBlock):
    """A :class:`BottleneckV1` with normalization and activation before each convolution.

    Parameters
    ----------
    channels, stride, downsample, in_channels, **kwargs
        Arguments of :class:`BasicBlockV1`.
    """

    bn1: BatchNorm
    conv1: Conv2D
    bn2: BatchNorm
    conv2: Conv2D
    bn3: BatchNorm
    conv3: Conv2D
    downsample: Any

    def __init__(
        self, channels: int, stride: int, downsample: bool = False, in_channels: int = 0, **kwargs: Any
    ) -> None:
        super().__init__(**kwargs)
        inner = channels // 4
        self.bn1 = BatchNorm()
        self.conv1 = Conv2D(inner, 1, 1, use_bias=False)
        self.bn2 = BatchNorm()
        self.conv2 = _conv3x3(inner, stride, inner)
        self.bn3 = BatchNorm()
        self.conv3 = Conv2D(channels, 1, 1, use_bias=False)
        self.downsample = None
        if downsample:
            self.downsample = Conv2D(channels, 1, stride, use_bias=False, in_channels=in_channels)

    def hybrid_forward(self, F: Any, x: Any) -> Tensor:
        """Run the convolutions, and add the shortcut to their output."""
        active = operators(F).Activation(self.bn1(x), act_type="relu")
        shortcut = x if self.downsample is None else self.downsample(active)
        y = self.conv1(active)
        y = self.conv2(operators(F).Activation(self.bn2(y), act_type="relu"))
        y = self.conv3(operators(F).Activation(self.bn3(y), act_type="relu"))
        return y + shortcut


class _ResNet(Classifier):
    """The base class of both versions, which adds the stem and the stages."""

    def _add_stages(self, block: Any, layers: Sequence[int], channels: Sequence[int]) -> None:
        if len(layers) != len(channels) - 1:
            raise AssertionError(
                f"channels must have {counted(len(layers) + 1, 'element')}, one more than layers, not {len(channels)}"
            )
        for i, count in enumerate(layers):
            old, new = channels[i], channels[i + 1]
            stage = row(prefix=f"stage{i + 1}_")
            with stage.name_scope():
                stage.add(block(new, 1 if i == 0 else 2, new != old, in_channels=old, prefix=""))
                for _ in range(count - 1):
                    stage.add(block(new, 1, False, in_channels=new, prefix=""))
            self.features.add(stage)

    def _add_stem(self, channels: int, thumbnail: bool) -> None:
        if thumbnail:
            self.features.add(_conv3x3(channels, 1, 0))
        else:
            self.features.add(
                Conv2D(channels, 7, 2, 3, use_bias=False),
                BatchNorm(),
                Activation("relu"),
                MaxPool2D(3, 2, 1),
            )


class ResNetV1(_ResNet):
    """ResNet, version 1 (He et al., 2015).

    Parameters
    ----------
    block : type
        :class:`BasicBlockV1` or :class:`BottleneckV1`.
    layers : list of int
        Number of blocks in each stage.
    channels : list of int
        Number of channels of the first layer and of each stage.
    classes : int
        Number of classes.
    thumbnail : bool
        Whether the images are small. If True, the network starts with one 3 by 3 convolution and without pooling.
    **kwargs
        ``prefix`` and ``params`` of :class:`~d2lhybrid.gluon.Block`.
    """

    features: Any
    output: Any

    def __init__(
        self,
        block: Any,
        layers: Sequence[int],
        channels: Sequence[int],
        classes: int = 1000,
        thumbnail: bool = False,
        **kwargs: Any,
    ) -> None:
        super().__init__(**kwargs)
        with self.name_scope():
            self.features = row()
            self._add_stem(channels[0], thumbnail)
            self._add_stages(block, layers, channels)
            self.features.add(GlobalAvgPool2D())
            self.output = Dense(classes, in_units=channels[-1])


class ResNetV2(_ResNet):
    """ResNet, version 2, with normalization and activation before each convolution (He et al., 2016).

    Parameters
    ----------
    block : type
        :class:`BasicBlockV2` or :class:`BottleneckV2`.
    layers, channels, classes, thumbnail, **kwargs
        Arguments of :class:`ResNetV1`.
    """

    features: Any
    output: Any

    def __init__(
        self,
        block: Any,
        layers: Sequence[int],
        channels: Sequence[int],
        classes: int = 1000,
        thumbnail: bool = False,
        **kwargs: Any,
    ) -> None:
        super().__init__(**kwargs)
        with self.name_scope():
            self.features = row(BatchNorm(scale=False, center=False))
            self._add_stem(channels[0], thumbnail)
            self._add_stages(block, layers, channels)
            self.features.add(BatchNorm(), Activation("relu"), GlobalAvgPool2D(), Flatten())
            self.output = Dense(classes, in_units=channels[-1])


_NARROW, _WIDE = [64, 64, 128, 256, 512], [64, 256, 512, 1024, 2048]

#: Type of block, blocks in each stage, and channels, by number of layers.
resnet_spec: dict[int, tuple[str, list[int], list[int]]] = {
    18: ("basic_block", [2, 2, 2, 2], _NARROW),
    34: ("basic_block", [3, 4, 6, 3], _NARROW),
    50: ("bottle_neck", [3, 4, 6, 3], _WIDE),
    101: ("bottle_neck", [3, 4, 23, 3], _WIDE),
    152: ("bottle_neck", [3, 8, 36, 3], _WIDE),
}
resnet_net_versions: list[Any] = [ResNetV1, ResNetV2]
resnet_block_versions: list[dict[str, Any]] = [
    {"basic_block": BasicBlockV1, "bottle_neck": BottleneckV1},
    {"basic_block": BasicBlockV2, "bottle_neck": BottleneckV2},
]


def get_resnet(
    version: int,
    num_layers: int,
    pretrained: bool = False,
    ctx: Any = None,
    root: str = DEFAULT_ROOT,
    **kwargs: Any,
) -> Any:
    """Create a :class:`ResNetV1` or a :class:`ResNetV2`, with pretrained parameters if requested.

    Parameters
    ----------
    version : int
        Version of ResNet: 1 or 2.
    num_layers : int
        Number of layers: 18, 34, 50, 101, or 152.
    pretrained, ctx, root
        See :func:`~d2lhybrid.gluon.model_zoo.vision.common.load_pretrained`.
    **kwargs
        Additional arguments of :class:`ResNetV1`.

    Returns
    -------
    ResNetV1 or ResNetV2
        The network.

    Raises
    ------
    AssertionError
        If ``version`` or ``num_layers`` is not one of the listed numbers.
    """
    if num_layers not in resnet_spec:
        raise AssertionError(f"Invalid number of layers: {num_layers}. Options are {resnet_spec.keys()}")
    if version not in (1, 2):
        raise AssertionError(f"Invalid resnet version: {version}. Options are 1 and 2.")
    kind, layers, channels = resnet_spec[num_layers]
    block = resnet_block_versions[version - 1][kind]
    net = resnet_net_versions[version - 1](block, layers, channels, **kwargs)
    return load_pretrained(net, f"resnet{num_layers}_v{version}", pretrained, root, ctx)


def resnet18_v1(**kwargs: Any) -> ResNetV1:
    """Return a :class:`ResNetV1` with 18 layers.

    Parameters
    ----------
    **kwargs
        Arguments of :func:`get_resnet` except ``version`` and ``num_layers``.

    Returns
    -------
    ResNetV1
        The network.
    """
    return get_resnet(1, 18, **kwargs)


def resnet34_v1(**kwargs: Any) -> ResNetV1:
    """Return a :class:`ResNetV1` with 34 layers.

    Parameters
    ----------
    **kwargs
        Arguments of :func:`get_resnet` except ``version`` and ``num_layers``.

    Returns
    -------
    ResNetV1
        The network.
    """
    return get_resnet(1, 34, **kwargs)


def resnet50_v1(**kwargs: Any) -> ResNetV1:
    """Return a :class:`ResNetV1` with 50 layers.

    Parameters
    ----------
    **kwargs
        Arguments of :func:`get_resnet` except ``version`` and ``num_layers``.

    Returns
    -------
    ResNetV1
        The network.
    """
    return get_resnet(1, 50, **kwargs)


def resnet101_v1(**kwargs: Any) -> ResNetV1:
    """Return a :class:`ResNetV1` with 101 layers.

    Parameters
    ----------
    **kwargs
        Arguments of :func:`get_resnet` except ``version`` and ``num_layers``.

    Returns
    -------
    ResNetV1
        The network.
    """
    return get_resnet(1, 101, **kwargs)


def resnet152_v1(**kwargs: Any) -> ResNetV1:
    """Return a :class:`ResNetV1` with 152 layers.

    Parameters
    ----------
    **kwargs
        Arguments of :func:`get_resnet` except ``version`` and ``num_layers``.

    Returns
    -------
    ResNetV1
        The network.
    """
    return get_resnet(1, 152, **kwargs)


def resnet18_v2(**kwargs: Any) -> ResNetV2:
    """Return a :class:`ResNetV2` with 18 layers.

    Parameters
    ----------
    **kwargs
        Arguments of :func:`get_resnet` except ``version`` and ``num_layers``.

    Returns
    -------
    ResNetV2
        The network.
    """
    return get_resnet(2, 18, **kwargs)


def resnet34_v2(**kwargs: Any) -> ResNetV2:
    """Return a :class:`ResNetV2` with 34 layers.

    Parameters
    ----------
    **kwargs
        Arguments of :func:`get_resnet` except ``version`` and ``num_layers``.

    Returns
    -------
    ResNetV2
        The network.
    """
    return get_resnet(2, 34, **kwargs)


def resnet50_v2(**kwargs: Any) -> ResNetV2:
    """Return a :class:`ResNetV2` with 50 layers.

    Parameters
    ----------
    **kwargs
        Arguments of :func:`get_resnet` except ``version`` and ``num_layers``.

    Returns
    -------
    ResNetV2
        The network.
    """
    return get_resnet(2, 50, **kwargs)


def resnet101_v2(**kwargs: Any) -> ResNetV2:
    """Return a :class:`ResNetV2` with 101 layers.

    Parameters
    ----------
    **kwargs
        Arguments of :func:`get_resnet` except ``version`` and ``num_layers``.

    Returns
    -------
    ResNetV2
        The network.
    """
    return get_resnet(2, 101, **kwargs)


def resnet152_v2(**kwargs: Any) -> ResNetV2:
    """Return a :class:`ResNetV2` with 152 layers.

    Parameters
    ----------
    **kwargs
        Arguments of :func:`get_resnet` except ``version`` and ``num_layers``.

    Returns
    -------
    ResNetV2
        The network.
    """
    return get_resnet(2, 152, **kwargs)
