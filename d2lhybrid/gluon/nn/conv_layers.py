"""Convolution layers in one, two, and three dimensions, and their transposes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy

from ... import symbol as sym
from ...error import ShapeError
from ...internals.core.operator import get_operator
from ...util import is_np_array, names_of_the_package
from ..hybrid_block import HybridBlock, operators
from ..parameter import Parameter
from .activations import Activation

if TYPE_CHECKING:
    from ...typing import Tensor

__all__ = [
    "Conv1D",
    "Conv1DTranspose",
    "Conv2D",
    "Conv2DTranspose",
    "Conv3D",
    "Conv3DTranspose",
    "ReflectionPad2D",
]

Sizes = int | tuple[int, ...]


def as_sizes(value: Any, what: str | None, count: int) -> Any:
    """Return a size for each axis.

    Parameters
    ----------
    value : int or sequence of int
        A size for all axes, or a size for each axis.
    what : str or None
        The name of the argument, for the error. With None, the length of a sequence is not checked.
    count : int
        Number of axes.

    Returns
    -------
    tuple or list of int
        The sizes.

    Raises
    ------
    AssertionError
        If ``what`` is a name and the sequence does not have ``count`` elements.
    """
    if not hasattr(value, "__len__"):
        value = value.item() if isinstance(value, numpy.integer) else value
        return (value,) * count
    if what is not None and len(value) != count:
        raise AssertionError(f"{what} must be a number or a list of {count} ints")
    return value


class _Conv(HybridBlock):
    """The base class of all convolution layers. ``output_padding`` is None unless the convolution is transposed."""

    weight: Parameter
    act: Activation | None

    def __init__(
        self,
        dimensions: int,
        channels: int,
        kernel_size: Sizes,
        strides: Sizes,
        padding: Sizes,
        dilation: Sizes,
        groups: int,
        layout: str,
        activation: str | None,
        use_bias: bool,
        weight_initializer: Any,
        bias_initializer: Any,
        in_channels: int,
        output_padding: Sizes | None = None,
        **kwargs: Any,
    ) -> None:
        super().__init__(**kwargs)
        _check_layout(layout, dimensions)
        kernel = as_sizes(kernel_size, "kernel_size", dimensions)
        transposed = output_padding is not None
        self._channels, self._in_channels = channels, in_channels
        self._op_name = "Deconvolution" if transposed else "Convolution"
        self._kwargs: dict[str, Any] = {
            "kernel": kernel,
            "stride": as_sizes(strides, None, dimensions),
            "dilate": as_sizes(dilation, None, dimensions),
            "pad": as_sizes(padding, None, dimensions),
            "num_filter": channels,
            "num_group": groups,
            "no_bias": not use_bias,
            "layout": layout,
        }
        if transposed:
            self._kwargs["adj"] = as_sizes(output_padding, "output_padding", dimensions)
        with self.name_scope():
            self.weight = self.params.get(
                "weight", shape=self._weight_shape(), init=weight_initializer, allow_deferred_init=True
            )
            self.bias: Parameter | None = None
            if use_bias:
                self.bias = self.params.get("bias", shape=(channels,), init=bias_initializer, allow_deferred_init=True)
            self.act = None if activation is None else Activation(activation, prefix=activation + "_")

    def _weight_shape(self) -> tuple[int, ...]:
        """Return the shape of the weight, as the operator's shape rule infers it. Unknown sizes are 0.

        Raises
        ------
        MXNetError
            If the settings are inconsistent.
        """
        op = get_operator(self._op_name)
        settings = op.complete(op.parse(self._kwargs))
        data = tuple(self._in_channels or None if axis == "C" else None for axis in self._kwargs["layout"])
        assert op.shape_rule is not None
        try:
            shapes, _ = op.shape_rule(data, None, None, **settings)
        except ShapeError as error:
            raise ShapeError(f"Error in operator {self.prefix}{self._op_name.lower()}0: {error}") from None
        return tuple(size or 0 for size in shapes[1])

    def _alias(self) -> str:
        return "conv"

    def hybrid_forward(self, F: Any, x: Any, weight: Any, bias: Any = None) -> Tensor:
        """Apply the convolution, and the activation function if there is one. ``F`` is ``mx.nd`` or ``mx.sym``."""
        convolve = getattr(operators(F), self._op_name)
        out = convolve(x, weight, bias, name="fwd", **self._kwargs)
        return out if self.act is None else self.act(out)

    def __repr__(self) -> str:
        shape, settings = self.weight.shape, self._kwargs
        assert shape is not None
        count = len(settings["kernel"])
        text = f"{shape[1] or None} -> {shape[0]}, kernel_size={settings['kernel']}, stride={settings['stride']}"
        if settings["pad"] != (0,) * count:
            text += f", padding={settings['pad']}"
        if settings["dilate"] != (1,) * count:
            text += f", dilation={settings['dilate']}"
        if settings["num_group"] != 1:
            text += f", groups={settings['num_group']}"
        if self.bias is None:
            text += ", bias=False"
        if self.act is not None:
            text += f", {self.act}"
        return f"{type(self).__name__}({text})"


def _check_layout(layout: str, dimensions: int) -> None:
    spatial = "DHW"[-dimensions:]
    valid = [f"NC{spatial}"] if dimensions == 1 else [f"NC{spatial}", f"N{spatial}C"]
    if layout not in valid:
        raise AssertionError(f"Only supports {' and '.join(map(repr, valid))} layout for now")


class Conv1D(_Conv):
    """A one-dimensional convolution, with the layout ``"NCW"``. All other parameters are those of :class:`Conv2D`."""

    def __init__(
        self,
        channels: int,
        kernel_size: Sizes,
        strides: Sizes = 1,
        padding: Sizes = 0,
        dilation: Sizes = 1,
        groups: int = 1,
        layout: str = "NCW",
        activation: str | None = None,
        use_bias: bool = True,
        weight_initializer: Any = None,
        bias_initializer: Any = "zeros",
        in_channels: int = 0,
        **kwargs: Any,
    ) -> None:
        super().__init__(
            1, channels, kernel_size, strides, padding, dilation, groups, layout, activation, use_bias,
            weight_initializer, bias_initializer, in_channels, **kwargs,
        )  # fmt: skip


class Conv2D(_Conv):
    """A two-dimensional convolution, for images.

    Parameters
    ----------
    channels : int
        Number of output channels.
    kernel_size : int or tuple of int
        Size of the kernel.
    strides, padding, dilation : int or tuple of int
        Step of the kernel, number of zeros on each side of the image, and distance between the kernel's elements.
    groups : int
        Number of groups of channels, each of which is convolved separately.
    layout : str
        ``"NCHW"`` or ``"NHWC"``.
    activation : str, optional
        Name of an :class:`Activation`; none by default.
    use_bias : bool
        Whether to add a bias.
    weight_initializer, bias_initializer : Initializer or str, optional
        Initializers of the parameters.
    in_channels : int
        Number of input channels. With 0, the first call infers the number.
    **kwargs
        ``prefix`` and ``params`` of :class:`~d2lhybrid.gluon.Block`.

    Raises
    ------
    AssertionError
        If the layout is unknown, or if ``kernel_size`` has the wrong length.
    MXNetError
        If the settings are inconsistent, for example if ``channels`` is not divisible by ``groups``.

    Examples
    --------
    >>> from d2lhybrid import nd
    >>> layer = Conv2D(4, kernel_size=3, padding=1)
    >>> layer.initialize()
    >>> layer(nd.ones((1, 2, 8, 8))).shape
    (1, 4, 8, 8)
    >>> layer
    Conv2D(2 -> 4, kernel_size=(3, 3), stride=(1, 1), padding=(1, 1))
    """

    def __init__(
        self,
        channels: int,
        kernel_size: Sizes,
        strides: Sizes = (1, 1),
        padding: Sizes = (0, 0),
        dilation: Sizes = (1, 1),
        groups: int = 1,
        layout: str = "NCHW",
        activation: str | None = None,
        use_bias: bool = True,
        weight_initializer: Any = None,
        bias_initializer: Any = "zeros",
        in_channels: int = 0,
        **kwargs: Any,
    ) -> None:
        super().__init__(
            2, channels, kernel_size, strides, padding, dilation, groups, layout, activation, use_bias,
            weight_initializer, bias_initializer, in_channels, **kwargs,
        )  # fmt: skip


class Conv3D(_Conv):
    """A three-dimensional convolution, for volumes, with the layout ``"NCDHW"`` or ``"NDHWC"``.

    All other parameters are those of :class:`Conv2D`.
    """

    def __init__(
        self,
        channels: int,
        kernel_size: Sizes,
        strides: Sizes = (1, 1, 1),
        padding: Sizes = (0, 0, 0),
        dilation: Sizes = (1, 1, 1),
        groups: int = 1,
        layout: str = "NCDHW",
        activation: str | None = None,
        use_bias: bool = True,
        weight_initializer: Any = None,
        bias_initializer: Any = "zeros",
        in_channels: int = 0,
        **kwargs: Any,
    ) -> None:
        super().__init__(
            3, channels, kernel_size, strides, padding, dilation, groups, layout, activation, use_bias,
            weight_initializer, bias_initializer, in_channels, **kwargs,
        )  # fmt: skip


class Conv1DTranspose(_Conv):
    """The transpose of :class:`Conv1D`.

    The parameters are those of :class:`Conv2DTranspose`, with the layout ``"NCW"``.
    """

    def __init__(
        self,
        channels: int,
        kernel_size: Sizes,
        strides: Sizes = 1,
        padding: Sizes = 0,
        output_padding: Sizes = 0,
        dilation: Sizes = 1,
        groups: int = 1,
        layout: str = "NCW",
        activation: str | None = None,
        use_bias: bool = True,
        weight_initializer: Any = None,
        bias_initializer: Any = "zeros",
        in_channels: int = 0,
        **kwargs: Any,
    ) -> None:
        super().__init__(
            1, channels, kernel_size, strides, padding, dilation, groups, layout, activation, use_bias,
            weight_initializer, bias_initializer, in_channels, output_padding, **kwargs,
        )  # fmt: skip


class Conv2DTranspose(_Conv):
    """A transposed convolution of images, from the output shape of a convolution back to its input shape.

    Parameters
    ----------
    channels : int
        Number of output channels.
    kernel_size : int or tuple of int
        Size of the kernel.
    strides, padding, dilation, groups, layout
        Settings of the :class:`Conv2D` that this layer transposes.
    output_padding : int or tuple of int
        Number of elements added at the end of each axis of the output, smaller than the stride.
    activation, use_bias, weight_initializer, bias_initializer, in_channels
        Arguments of :class:`Conv2D`.
    **kwargs
        ``prefix`` and ``params`` of :class:`~d2lhybrid.gluon.Block`.
    """

    def __init__(
        self,
        channels: int,
        kernel_size: Sizes,
        strides: Sizes = (1, 1),
        padding: Sizes = (0, 0),
        output_padding: Sizes = (0, 0),
        dilation: Sizes = (1, 1),
        groups: int = 1,
        layout: str = "NCHW",
        activation: str | None = None,
        use_bias: bool = True,
        weight_initializer: Any = None,
        bias_initializer: Any = "zeros",
        in_channels: int = 0,
        **kwargs: Any,
    ) -> None:
        super().__init__(
            2, channels, kernel_size, strides, padding, dilation, groups, layout, activation, use_bias,
            weight_initializer, bias_initializer, in_channels, output_padding, **kwargs,
        )  # fmt: skip


class Conv3DTranspose(_Conv):
    """The transpose of :class:`Conv3D`.

    The parameters are those of :class:`Conv2DTranspose`, with the layout of ``Conv3D``.
    """

    def __init__(
        self,
        channels: int,
        kernel_size: Sizes,
        strides: Sizes = (1, 1, 1),
        padding: Sizes = (0, 0, 0),
        output_padding: Sizes = (0, 0, 0),
        dilation: Sizes = (1, 1, 1),
        groups: int = 1,
        layout: str = "NCDHW",
        activation: str | None = None,
        use_bias: bool = True,
        weight_initializer: Any = None,
        bias_initializer: Any = "zeros",
        in_channels: int = 0,
        **kwargs: Any,
    ) -> None:
        super().__init__(
            3, channels, kernel_size, strides, padding, dilation, groups, layout, activation, use_bias,
            weight_initializer, bias_initializer, in_channels, output_padding, **kwargs,
        )  # fmt: skip


class ReflectionPad2D(HybridBlock):
    """A layer that pads images with their own reflection.

    Parameters
    ----------
    padding : int or tuple of 8 int
        Width of the padding on all four sides, or before and after each of the four axes.
    **kwargs
        ``prefix`` and ``params`` of :class:`~d2lhybrid.gluon.Block`.

    Raises
    ------
    AssertionError
        If ``padding`` is a tuple whose length is not 8.
    """

    def __init__(self, padding: Any = 0, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        if not hasattr(padding, "__len__"):
            padding = (0, 0, 0, 0, padding, padding, padding, padding)
        if len(padding) != 8:
            raise AssertionError(f"padding must be a number or 8 numbers, two for each of 4 axes, not {padding!r}")
        self._padding = padding

    def hybrid_forward(self, F: Any, x: Any) -> Tensor:
        """Pad the images with their reflection. ``F`` is ``mx.nd`` or ``mx.sym``."""
        return F.pad(x, mode="reflect", pad_width=self._padding)


def _infer_weight_shape(op_name: str, data_shape: tuple[int, ...], kwargs: dict[str, Any]) -> list[tuple[int, ...]]:
    """Return the shapes of an operator's arguments, inferred from the shape of the data.

    User-defined layers call this.
    """
    data = sym.var("data", shape=data_shape)
    if is_np_array():
        called = getattr(sym.npx, op_name)(data.as_np_ndarray(), **kwargs)
    else:
        called = getattr(sym, op_name)(data, **kwargs)
    return called.infer_shape_partial()[0]


if not TYPE_CHECKING:
    __getattr__ = names_of_the_package(__name__, {"_Pooling": "pooling_layers"})
