"""Convolution layers with kernels whose sampling positions are computed by another convolution."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ...hybrid_block import HybridBlock
from ...nn.activations import Activation
from ...nn.conv_layers import as_sizes

if TYPE_CHECKING:
    from d2lhybrid.typing import Tensor

__all__ = ["DeformableConvolution", "ModulatedDeformableConvolution"]

Sizes = int | tuple[int, ...]


class DeformableConvolution(HybridBlock):
    """A two-dimensional convolution whose sampling positions are shifted by offsets from another convolution.

    Parameters
    ----------
    channels : int
        Number of output channels.
    kernel_size, strides, padding, dilation : int or tuple of int
        Arguments of ``nn.Conv2D``, for both convolutions.
    groups : int
        Number of independent groups of channels, in both convolutions.
    num_deformable_group : int
        Number of groups of channels that have their own offsets.
    layout : {"NCHW"}
        The order of the axes.
    use_bias, offset_use_bias : bool
        Whether the deformable convolution, and the convolution that computes the offsets, add a bias.
    in_channels : int
        Number of input channels; by default inferred in the first call.
    activation : str, optional
        Name of an activation function to apply to the output.
    weight_initializer, bias_initializer, offset_weight_initializer, offset_bias_initializer : str or Initializer
        Initializers of the parameters. While all offsets are zeros, the layer is an ordinary convolution.
    op_name : str
        Name of the operator.
    adj : optional
        Ignored; accepted because MXNet's class has this argument.

    Raises
    ------
    ValueError
        If the layout is not ``"NCHW"``.

    Examples
    --------
    >>> from d2lhybrid import nd
    >>> layer = DeformableConvolution(2, kernel_size=3, padding=1)
    >>> layer.initialize()
    >>> layer(nd.ones((1, 3, 4, 4))).shape
    (1, 2, 4, 4)
    >>> layer
    DeformableConvolution(3 -> 2, kernel_size=(3, 3), stride=(1, 1), padding=(1, 1))
    """

    _numbers = 2  # output channels for each kernel element: two offsets
    _offsets_first = True  # whether the parameters of the offsets are created first
    deformable_conv_weight: Any
    deformable_conv_bias: Any

    def __init__(
        self,
        channels: int,
        kernel_size: Sizes = (1, 1),
        strides: Sizes = (1, 1),
        padding: Sizes = (0, 0),
        dilation: Sizes = (1, 1),
        groups: int = 1,
        num_deformable_group: int = 1,
        layout: str = "NCHW",
        use_bias: bool = True,
        in_channels: int = 0,
        activation: str | None = None,
        weight_initializer: Any = None,
        bias_initializer: Any = "zeros",
        offset_weight_initializer: Any = "zeros",
        offset_bias_initializer: Any = "zeros",
        offset_use_bias: bool = True,
        op_name: str = "DeformableConvolution",
        adj: Any = None,
        prefix: str | None = None,
        params: Any = None,
    ) -> None:
        super().__init__(prefix=prefix, params=params)
        if layout != "NCHW":
            raise ValueError(f"{type(self).__name__} supports only the layout 'NCHW', not {layout!r}")
        kernel = as_sizes(kernel_size, "kernel_size", 2)
        self._channels, self._in_channels, self._op_name = channels, in_channels, op_name
        window = {
            "kernel": kernel, "stride": as_sizes(strides, "strides", 2), "dilate": as_sizes(dilation, "dilation", 2),
            "pad": as_sizes(padding, "padding", 2),
        }  # fmt: skip
        self.offset_split_index: Any = 2 * kernel[0] * kernel[1] * num_deformable_group
        computed = self.offset_split_index // 2 * self._numbers
        self._kwargs_offset: dict[str, Any] = {
            **window, "num_filter": computed, "num_group": groups, "no_bias": not offset_use_bias, "layout": layout,
        }  # fmt: skip
        self._kwargs_deformable_conv: dict[str, Any] = {
            **window, "num_filter": channels, "num_group": groups, "num_deformable_group": num_deformable_group,
            "no_bias": not use_bias, "layout": layout,
        }  # fmt: skip
        shape = (in_channels // groups, *kernel)
        of_offsets = ("offset", (computed, *shape), offset_weight_initializer, offset_bias_initializer, offset_use_bias)
        own = ("deformable_conv", (channels, *shape), weight_initializer, bias_initializer, use_bias)
        with self.name_scope():
            for described in (of_offsets, own) if self._offsets_first else (own, of_offsets):
                self._make_parameters(*described)
            self.act: Activation | None = (
                None if activation is None else Activation(activation, prefix=activation + "_")
            )

    def _make_parameters(self, name: str, shape: tuple[int, ...], init: Any, bias_init: Any, use_bias: bool) -> None:
        """Create the weight and the bias of one of the two convolutions."""
        bias = None
        weight = self.params.get(f"{name}_weight", shape=shape, init=init, allow_deferred_init=True)
        if use_bias:
            bias = self.params.get(f"{name}_bias", shape=shape[:1], init=bias_init, allow_deferred_init=True)
        setattr(self, f"{name}_weight", weight)
        setattr(self, f"{name}_bias", bias)

    def hybrid_forward(  # pyright: ignore[reportIncompatibleMethodOverride]
        self,
        F: Any,
        x: Any,
        offset_weight: Any,
        deformable_conv_weight: Any,
        offset_bias: Any = None,
        deformable_conv_bias: Any = None,
    ) -> Tensor:
        """Compute the offsets, and run the deformable convolution."""
        offset = F.Convolution(x, offset_weight, offset_bias, cudnn_off=True, **self._kwargs_offset)
        y = self._deformed(F, x, offset, deformable_conv_weight, deformable_conv_bias)
        return y if self.act is None else self.act(y)

    def _deformed(self, F: Any, x: Any, offset: Any, weight: Any, bias: Any) -> Any:
        return F.contrib.DeformableConvolution(x, offset, weight, bias, name="fwd", **self._kwargs_deformable_conv)

    def _alias(self) -> str:
        return "deformable_conv"

    def __repr__(self) -> str:
        settings, shape = self._kwargs_deformable_conv, self.deformable_conv_weight.shape
        shown = f"{shape[1] or None} -> {shape[0]}, kernel_size={settings['kernel']}, stride={settings['stride']}"
        if settings["pad"] != (0, 0):
            shown += f", padding={settings['pad']}"
        if settings["dilate"] != (1, 1):
            shown += f", dilation={settings['dilate']}"
        if settings["num_group"] != 1:
            shown += f", groups={settings['num_group']}"
        if self.deformable_conv_bias is None:
            shown += ", bias=False"
        return f"{type(self).__name__}({shown}{'' if self.act is None else f', {self.act}'})"


class ModulatedDeformableConvolution(DeformableConvolution):
    """A deformable convolution that also multiplies each sampled value by a weight between 0 and 2.

    The parameters are those of :class:`DeformableConvolution`. The offset convolution also computes the weights.

    Examples
    --------
    >>> from d2lhybrid import nd
    >>> layer = ModulatedDeformableConvolution(2, kernel_size=3, padding=1)
    >>> layer.initialize()
    >>> layer(nd.ones((1, 3, 4, 4))).shape
    (1, 2, 4, 4)
    """

    _numbers, _offsets_first = 3, False

    def __init__(
        self,
        channels: int,
        kernel_size: Sizes = (1, 1),
        strides: Sizes = (1, 1),
        padding: Sizes = (0, 0),
        dilation: Sizes = (1, 1),
        groups: int = 1,
        num_deformable_group: int = 1,
        layout: str = "NCHW",
        use_bias: bool = True,
        in_channels: int = 0,
        activation: str | None = None,
        weight_initializer: Any = None,
        bias_initializer: Any = "zeros",
        offset_weight_initializer: Any = "zeros",
        offset_bias_initializer: Any = "zeros",
        offset_use_bias: bool = True,
        op_name: str = "ModulatedDeformableConvolution",
        adj: Any = None,
        prefix: str | None = None,
        params: Any = None,
    ) -> None:
        super().__init__(
            channels, kernel_size, strides, padding, dilation, groups, num_deformable_group, layout, use_bias,
            in_channels, activation, weight_initializer, bias_initializer, offset_weight_initializer,
            offset_bias_initializer, offset_use_bias, op_name, adj, prefix, params,
        )  # fmt: skip

    def _alias(self) -> str:
        return "modulated_deformable_conv"

    def _deformed(self, F: Any, x: Any, offset: Any, weight: Any, bias: Any) -> Any:
        moved = F.slice_axis(offset, axis=1, begin=0, end=self.offset_split_index)
        mask = F.sigmoid(F.slice_axis(offset, axis=1, begin=self.offset_split_index, end=None)) * 2
        return F.contrib.ModulatedDeformableConvolution(
            x, moved, mask, weight, bias, name="fwd", **self._kwargs_deformable_conv
        )
