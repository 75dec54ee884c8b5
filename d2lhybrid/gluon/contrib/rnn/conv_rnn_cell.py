"""Recurrent cells for sequences, images, and volumes, with convolutions instead of matrix products."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from ...rnn import HybridRecurrentCell

if TYPE_CHECKING:
    from d2lhybrid.typing import Tensor

__all__ = [
    "Conv1DGRUCell", "Conv1DLSTMCell", "Conv1DRNNCell", "Conv2DGRUCell", "Conv2DLSTMCell", "Conv2DRNNCell",
    "Conv3DGRUCell", "Conv3DLSTMCell", "Conv3DRNNCell",
]  # fmt: skip


class _ConvCell(HybridRecurrentCell):
    """The base class of all convolutional cells, with two convolutions that compute the gates."""

    _gates = 1
    _states = 1

    def __init__(
        self, input_shape: Any, hidden_channels: int, i2h_kernel: Any, h2h_kernel: Any, i2h_pad: Any, i2h_dilate: Any,
        h2h_dilate: Any, i2h_weight_initializer: Any, h2h_weight_initializer: Any, i2h_bias_initializer: Any,
        h2h_bias_initializer: Any, dims: int, conv_layout: str, activation: Any, prefix: str | None, params: Any,
    ) -> None:  # fmt: skip
        super().__init__(prefix=prefix, params=params)
        settings = (i2h_kernel, i2h_pad, i2h_dilate, h2h_kernel, h2h_dilate)
        if not all(isinstance(setting, int) or len(setting) == dims for setting in settings):
            raise AssertionError(
                f"For {dims}D convolution, the convolution settings can only be either int or list/tuple of length "
                f"{dims}"
            )
        kernel, pad, dilate, h2h_size, h2h_step = ((s,) * dims if isinstance(s, int) else tuple(s) for s in settings)
        if any(k % 2 == 0 for k in h2h_size):
            raise AssertionError(f"Only support odd number, get h2h_kernel= {h2h_kernel}")
        self._hidden_channels, self._input_shape = hidden_channels, tuple(input_shape)
        self._conv_layout, self._activation, self._channel_axis = conv_layout, activation, conv_layout.find("C")
        same = tuple(d * (k - 1) // 2 for k, d in zip(h2h_size, h2h_step, strict=True))
        rows = self._gates * hidden_channels
        shared = {"num_filter": rows, "stride": (1,) * dims, "layout": conv_layout}
        self._i2h: dict[str, Any] = {"kernel": kernel, "pad": pad, "dilate": dilate, **shared}
        self._h2h: dict[str, Any] = {"kernel": h2h_size, "pad": same, "dilate": h2h_step, **shared}
        first = self._channel_axis == 1
        sizes = self._input_shape[1:] if first else self._input_shape[:-1]
        channels = self._input_shape[self._channel_axis - 1]
        out = tuple(x + 2 * p - d * (k - 1) if x else 0 for x, k, p, d in zip(sizes, kernel, pad, dilate, strict=True))
        self._state_shape = (hidden_channels, *out) if first else (*out, hidden_channels)
        for name, shape, init in (
            ("i2h_weight", (rows, channels, *kernel) if first else (rows, *kernel, channels), i2h_weight_initializer),
            (
                "h2h_weight", (rows, hidden_channels, *h2h_size) if first else (rows, *h2h_size, hidden_channels),
                h2h_weight_initializer,
            ),
            ("i2h_bias", (rows,), i2h_bias_initializer),
            ("h2h_bias", (rows,), h2h_bias_initializer),
        ):  # fmt: skip
            setattr(self, name, self.params.get(name, shape=shape, init=init, allow_deferred_init=True))

    def state_info(self, batch_size: int = 0) -> list[dict[str, Any]]:
        """Return the shape and layout of each state."""
        info = {"shape": (batch_size, *self._state_shape), "__layout__": self._conv_layout}
        return [dict(info) for _ in range(self._states)]

    def __repr__(self) -> str:
        shape = self.i2h_weight.shape  # type: ignore[attr-defined]
        channels = shape[1 if self._channel_axis == 1 else -1]
        return f"{type(self).__name__}({channels or None} -> {shape[0]}, {self._activation}, {self._conv_layout})"

    def hybrid_forward(  # type: ignore[override]
        self, F: Any, inputs: Any, states: Any, i2h_weight: Any, h2h_weight: Any, i2h_bias: Any, h2h_bias: Any
    ) -> tuple[Tensor, list[Tensor]]:
        """Run one step of the cell."""
        prefix = f"t{self._counter}_"
        i2h = F.Convolution(inputs, i2h_weight, i2h_bias, name=f"{prefix}i2h", **self._i2h)
        h2h = F.Convolution(states[0], h2h_weight, h2h_bias, name=f"{prefix}h2h", **self._h2h)
        return self._step(F, i2h, h2h, states, prefix)

    def _step(self, F: Any, i2h: Any, h2h: Any, states: Sequence[Any], prefix: str) -> Any:
        raise NotImplementedError


class _ConvRNN(_ConvCell):
    def _alias(self) -> str:
        return "conv_rnn"

    def _step(self, F: Any, i2h: Any, h2h: Any, states: Sequence[Any], prefix: str) -> Any:
        output = self._get_activation(F, i2h + h2h, self._activation, name=f"{prefix}out")
        return output, [output]


class _ConvLSTM(_ConvCell):
    _gates, _states = 4, 2

    def _alias(self) -> str:
        return "conv_lstm"

    def _step(self, F: Any, i2h: Any, h2h: Any, states: Sequence[Any], prefix: str) -> Any:
        parts = F.SliceChannel(i2h + h2h, num_outputs=4, axis=self._channel_axis, name=f"{prefix}slice")
        take_in = F.Activation(parts[0], act_type="sigmoid", name=f"{prefix}i")
        keep = F.Activation(parts[1], act_type="sigmoid", name=f"{prefix}f")
        candidate = self._get_activation(F, parts[2], self._activation, name=f"{prefix}c")
        show = F.Activation(parts[3], act_type="sigmoid", name=f"{prefix}o")
        memory = F.elemwise_add(keep * states[1], take_in * candidate, name=f"{prefix}state")
        output = F.elemwise_mul(show, self._get_activation(F, memory, self._activation), name=f"{prefix}out")
        return output, [output, memory]


class _ConvGRU(_ConvCell):
    _gates = 3

    def _alias(self) -> str:
        return "conv_gru"

    def _step(self, F: Any, i2h: Any, h2h: Any, states: Sequence[Any], prefix: str) -> Any:
        inputs = F.SliceChannel(i2h, num_outputs=3, axis=self._channel_axis, name=f"{prefix}i2h_slice")
        old = F.SliceChannel(h2h, num_outputs=3, axis=self._channel_axis, name=f"{prefix}h2h_slice")
        reset = F.Activation(inputs[0] + old[0], act_type="sigmoid", name=f"{prefix}r_act")
        update = F.Activation(inputs[1] + old[1], act_type="sigmoid", name=f"{prefix}z_act")
        candidate = self._get_activation(F, inputs[2] + reset * old[2], self._activation, name=f"{prefix}h_act")
        output = F.elemwise_add((1.0 - update) * candidate, update * states[0], name=f"{prefix}out")
        return output, [output]


class Conv1DRNNCell(_ConvRNN):
    """A plain recurrent cell with one-dimensional convolutions.

    Parameters
    ----------
    input_shape : tuple of int
        Shape of the input of one step, without the batch axis.
    hidden_channels : int
        Number of channels of the state.
    i2h_kernel, i2h_pad, i2h_dilate : int or tuple of int
        Kernel size, padding, and dilation of the convolution of the input.
    h2h_kernel, h2h_dilate : int or tuple of int
        Kernel size and dilation of the convolution of the state. The kernel size must be odd, so that the state keeps
        its size.
    i2h_weight_initializer, h2h_weight_initializer, i2h_bias_initializer, h2h_bias_initializer : Initializer or str
        Initializers of the parameters.
    conv_layout : str
        Layout of the input.
    activation : str or Block
        Activation function of the state.
    prefix, params
        Arguments of :class:`~d2lhybrid.gluon.Block`.

    Raises
    ------
    AssertionError
        If a kernel size, padding, or dilation has the wrong number of elements, or if the kernel size of the state's
        convolution is even.
    """

    def __init__(
        self, input_shape: Any, hidden_channels: int, i2h_kernel: Any, h2h_kernel: Any, i2h_pad: Any = (0,),
        i2h_dilate: Any = (1,), h2h_dilate: Any = (1,), i2h_weight_initializer: Any = None,
        h2h_weight_initializer: Any = None, i2h_bias_initializer: Any = "zeros", h2h_bias_initializer: Any = "zeros",
        conv_layout: str = "NCW", activation: Any = "tanh", prefix: str | None = None, params: Any = None,
    ) -> None:  # fmt: skip
        super().__init__(
            input_shape, hidden_channels, i2h_kernel, h2h_kernel, i2h_pad, i2h_dilate, h2h_dilate,
            i2h_weight_initializer, h2h_weight_initializer, i2h_bias_initializer, h2h_bias_initializer, 1,
            conv_layout, activation, prefix, params,
        )  # fmt: skip


class Conv2DRNNCell(_ConvRNN):
    """A plain recurrent cell with two-dimensional convolutions.

    Parameters
    ----------
    input_shape : tuple of int
        Shape of the input of one step, without the batch axis.
    hidden_channels : int
        Number of channels of the state.
    i2h_kernel, i2h_pad, i2h_dilate : int or tuple of int
        Kernel size, padding, and dilation of the convolution of the input.
    h2h_kernel, h2h_dilate : int or tuple of int
        Kernel size and dilation of the convolution of the state. The kernel size must be odd, so that the state keeps
        its size.
    i2h_weight_initializer, h2h_weight_initializer, i2h_bias_initializer, h2h_bias_initializer : Initializer or str
        Initializers of the parameters.
    conv_layout : str
        Layout of the input.
    activation : str or Block
        Activation function of the state.
    prefix, params
        Arguments of :class:`~d2lhybrid.gluon.Block`.

    Raises
    ------
    AssertionError
        If a kernel size, padding, or dilation has the wrong number of elements, or if the kernel size of the state's
        convolution is even.
    """

    def __init__(
        self, input_shape: Any, hidden_channels: int, i2h_kernel: Any, h2h_kernel: Any, i2h_pad: Any = (0, 0),
        i2h_dilate: Any = (1, 1), h2h_dilate: Any = (1, 1), i2h_weight_initializer: Any = None,
        h2h_weight_initializer: Any = None, i2h_bias_initializer: Any = "zeros", h2h_bias_initializer: Any = "zeros",
        conv_layout: str = "NCHW", activation: Any = "tanh", prefix: str | None = None, params: Any = None,
    ) -> None:  # fmt: skip
        super().__init__(
            input_shape, hidden_channels, i2h_kernel, h2h_kernel, i2h_pad, i2h_dilate, h2h_dilate,
            i2h_weight_initializer, h2h_weight_initializer, i2h_bias_initializer, h2h_bias_initializer, 2,
            conv_layout, activation, prefix, params,
        )  # fmt: skip


class Conv3DRNNCell(_ConvRNN):
    """A plain recurrent cell with three-dimensional convolutions.

    Parameters
    ----------
    input_shape : tuple of int
        Shape of the input of one step, without the batch axis.
    hidden_channels : int
        Number of channels of the state.
    i2h_kernel, i2h_pad, i2h_dilate : int or tuple of int
        Kernel size, padding, and dilation of the convolution of the input.
    h2h_kernel, h2h_dilate : int or tuple of int
        Kernel size and dilation of the convolution of the state. The kernel size must be odd, so that the state keeps
        its size.
    i2h_weight_initializer, h2h_weight_initializer, i2h_bias_initializer, h2h_bias_initializer : Initializer or str
        Initializers of the parameters.
    conv_layout : str
        Layout of the input.
    activation : str or Block
        Activation function of the state.
    prefix, params
        Arguments of :class:`~d2lhybrid.gluon.Block`.

    Raises
    ------
    AssertionError
        If a kernel size, padding, or dilation has the wrong number of elements, or if the kernel size of the state's
        convolution is even.
    """

    def __init__(
        self, input_shape: Any, hidden_channels: int, i2h_kernel: Any, h2h_kernel: Any, i2h_pad: Any = (0, 0, 0),
        i2h_dilate: Any = (1, 1, 1), h2h_dilate: Any = (1, 1, 1), i2h_weight_initializer: Any = None,
        h2h_weight_initializer: Any = None, i2h_bias_initializer: Any = "zeros", h2h_bias_initializer: Any = "zeros",
        conv_layout: str = "NCDHW", activation: Any = "tanh", prefix: str | None = None, params: Any = None,
    ) -> None:  # fmt: skip
        super().__init__(
            input_shape, hidden_channels, i2h_kernel, h2h_kernel, i2h_pad, i2h_dilate, h2h_dilate,
            i2h_weight_initializer, h2h_weight_initializer, i2h_bias_initializer, h2h_bias_initializer, 3,
            conv_layout, activation, prefix, params,
        )  # fmt: skip


class Conv1DLSTMCell(_ConvLSTM):
    """An LSTM cell with one-dimensional convolutions.

    Parameters
    ----------
    input_shape : tuple of int
        Shape of the input of one step, without the batch axis.
    hidden_channels : int
        Number of channels of the state.
    i2h_kernel, i2h_pad, i2h_dilate : int or tuple of int
        Kernel size, padding, and dilation of the convolution of the input.
    h2h_kernel, h2h_dilate : int or tuple of int
        Kernel size and dilation of the convolution of the state. The kernel size must be odd, so that the state keeps
        its size.
    i2h_weight_initializer, h2h_weight_initializer, i2h_bias_initializer, h2h_bias_initializer : Initializer or str
        Initializers of the parameters.
    conv_layout : str
        Layout of the input.
    activation : str or Block
        Activation function for the candidate state, and for the memory when the output is computed.
    prefix, params
        Arguments of :class:`~d2lhybrid.gluon.Block`.

    Raises
    ------
    AssertionError
        If a kernel size, padding, or dilation has the wrong number of elements, or if the kernel size of the state's
        convolution is even.
    """

    def __init__(
        self, input_shape: Any, hidden_channels: int, i2h_kernel: Any, h2h_kernel: Any, i2h_pad: Any = (0,),
        i2h_dilate: Any = (1,), h2h_dilate: Any = (1,), i2h_weight_initializer: Any = None,
        h2h_weight_initializer: Any = None, i2h_bias_initializer: Any = "zeros", h2h_bias_initializer: Any = "zeros",
        conv_layout: str = "NCW", activation: Any = "tanh", prefix: str | None = None, params: Any = None,
    ) -> None:  # fmt: skip
        super().__init__(
            input_shape, hidden_channels, i2h_kernel, h2h_kernel, i2h_pad, i2h_dilate, h2h_dilate,
            i2h_weight_initializer, h2h_weight_initializer, i2h_bias_initializer, h2h_bias_initializer, 1,
            conv_layout, activation, prefix, params,
        )  # fmt: skip


class Conv2DLSTMCell(_ConvLSTM):
    """An LSTM cell with two-dimensional convolutions.

    Parameters
    ----------
    input_shape : tuple of int
        Shape of the input of one step, without the batch axis.
    hidden_channels : int
        Number of channels of the state.
    i2h_kernel, i2h_pad, i2h_dilate : int or tuple of int
        Kernel size, padding, and dilation of the convolution of the input.
    h2h_kernel, h2h_dilate : int or tuple of int
        Kernel size and dilation of the convolution of the state. The kernel size must be odd, so that the state keeps
        its size.
    i2h_weight_initializer, h2h_weight_initializer, i2h_bias_initializer, h2h_bias_initializer : Initializer or str
        Initializers of the parameters.
    conv_layout : str
        Layout of the input.
    activation : str or Block
        Activation function for the candidate state, and for the memory when the output is computed.
    prefix, params
        Arguments of :class:`~d2lhybrid.gluon.Block`.

    Raises
    ------
    AssertionError
        If a kernel size, padding, or dilation has the wrong number of elements, or if the kernel size of the state's
        convolution is even.
    """

    def __init__(
        self, input_shape: Any, hidden_channels: int, i2h_kernel: Any, h2h_kernel: Any, i2h_pad: Any = (0, 0),
        i2h_dilate: Any = (1, 1), h2h_dilate: Any = (1, 1), i2h_weight_initializer: Any = None,
        h2h_weight_initializer: Any = None, i2h_bias_initializer: Any = "zeros", h2h_bias_initializer: Any = "zeros",
        conv_layout: str = "NCHW", activation: Any = "tanh", prefix: str | None = None, params: Any = None,
    ) -> None:  # fmt: skip
        super().__init__(
            input_shape, hidden_channels, i2h_kernel, h2h_kernel, i2h_pad, i2h_dilate, h2h_dilate,
            i2h_weight_initializer, h2h_weight_initializer, i2h_bias_initializer, h2h_bias_initializer, 2,
            conv_layout, activation, prefix, params,
        )  # fmt: skip


class Conv3DLSTMCell(_ConvLSTM):
    """An LSTM cell with three-dimensional convolutions.

    Parameters
    ----------
    input_shape : tuple of int
        Shape of the input of one step, without the batch axis.
    hidden_channels : int
        Number of channels of the state.
    i2h_kernel, i2h_pad, i2h_dilate : int or tuple of int
        Kernel size, padding, and dilation of the convolution of the input.
    h2h_kernel, h2h_dilate : int or tuple of int
        Kernel size and dilation of the convolution of the state. The kernel size must be odd, so that the state keeps
        its size.
    i2h_weight_initializer, h2h_weight_initializer, i2h_bias_initializer, h2h_bias_initializer : Initializer or str
        Initializers of the parameters.
    conv_layout : str
        Layout of the input.
    activation : str or Block
        Activation function for the candidate state, and for the memory when the output is computed.
    prefix, params
        Arguments of :class:`~d2lhybrid.gluon.Block`.

    Raises
    ------
    AssertionError
        If a kernel size, padding, or dilation has the wrong number of elements, or if the kernel size of the state's
        convolution is even.
    """

    def __init__(
        self, input_shape: Any, hidden_channels: int, i2h_kernel: Any, h2h_kernel: Any, i2h_pad: Any = (0, 0, 0),
        i2h_dilate: Any = (1, 1, 1), h2h_dilate: Any = (1, 1, 1), i2h_weight_initializer: Any = None,
        h2h_weight_initializer: Any = None, i2h_bias_initializer: Any = "zeros", h2h_bias_initializer: Any = "zeros",
        conv_layout: str = "NCDHW", activation: Any = "tanh", prefix: str | None = None, params: Any = None,
    ) -> None:  # fmt: skip
        super().__init__(
            input_shape, hidden_channels, i2h_kernel, h2h_kernel, i2h_pad, i2h_dilate, h2h_dilate,
            i2h_weight_initializer, h2h_weight_initializer, i2h_bias_initializer, h2h_bias_initializer, 3,
            conv_layout, activation, prefix, params,
        )  # fmt: skip


class Conv1DGRUCell(_ConvGRU):
    """A GRU cell with one-dimensional convolutions.

    Parameters
    ----------
    input_shape : tuple of int
        Shape of the input of one step, without the batch axis.
    hidden_channels : int
        Number of channels of the state.
    i2h_kernel, i2h_pad, i2h_dilate : int or tuple of int
        Kernel size, padding, and dilation of the convolution of the input.
    h2h_kernel, h2h_dilate : int or tuple of int
        Kernel size and dilation of the convolution of the state. The kernel size must be odd, so that the state keeps
        its size.
    i2h_weight_initializer, h2h_weight_initializer, i2h_bias_initializer, h2h_bias_initializer : Initializer or str
        Initializers of the parameters.
    conv_layout : str
        Layout of the input.
    activation : str or Block
        Activation function for the candidate state.
    prefix, params
        Arguments of :class:`~d2lhybrid.gluon.Block`.

    Raises
    ------
    AssertionError
        If a kernel size, padding, or dilation has the wrong number of elements, or if the kernel size of the state's
        convolution is even.
    """

    def __init__(
        self, input_shape: Any, hidden_channels: int, i2h_kernel: Any, h2h_kernel: Any, i2h_pad: Any = (0,),
        i2h_dilate: Any = (1,), h2h_dilate: Any = (1,), i2h_weight_initializer: Any = None,
        h2h_weight_initializer: Any = None, i2h_bias_initializer: Any = "zeros", h2h_bias_initializer: Any = "zeros",
        conv_layout: str = "NCW", activation: Any = "tanh", prefix: str | None = None, params: Any = None,
    ) -> None:  # fmt: skip
        super().__init__(
            input_shape, hidden_channels, i2h_kernel, h2h_kernel, i2h_pad, i2h_dilate, h2h_dilate,
            i2h_weight_initializer, h2h_weight_initializer, i2h_bias_initializer, h2h_bias_initializer, 1,
            conv_layout, activation, prefix, params,
        )  # fmt: skip


class Conv2DGRUCell(_ConvGRU):
    """A GRU cell with two-dimensional convolutions.

    Parameters
    ----------
    input_shape : tuple of int
        Shape of the input of one step, without the batch axis.
    hidden_channels : int
        Number of channels of the state.
    i2h_kernel, i2h_pad, i2h_dilate : int or tuple of int
        Kernel size, padding, and dilation of the convolution of the input.
    h2h_kernel, h2h_dilate : int or tuple of int
        Kernel size and dilation of the convolution of the state. The kernel size must be odd, so that the state keeps
        its size.
    i2h_weight_initializer, h2h_weight_initializer, i2h_bias_initializer, h2h_bias_initializer : Initializer or str
        Initializers of the parameters.
    conv_layout : str
        Layout of the input.
    activation : str or Block
        Activation function for the candidate state.
    prefix, params
        Arguments of :class:`~d2lhybrid.gluon.Block`.

    Raises
    ------
    AssertionError
        If a kernel size, padding, or dilation has the wrong number of elements, or if the kernel size of the state's
        convolution is even.
    """

    def __init__(
        self, input_shape: Any, hidden_channels: int, i2h_kernel: Any, h2h_kernel: Any, i2h_pad: Any = (0, 0),
        i2h_dilate: Any = (1, 1), h2h_dilate: Any = (1, 1), i2h_weight_initializer: Any = None,
        h2h_weight_initializer: Any = None, i2h_bias_initializer: Any = "zeros", h2h_bias_initializer: Any = "zeros",
        conv_layout: str = "NCHW", activation: Any = "tanh", prefix: str | None = None, params: Any = None,
    ) -> None:  # fmt: skip
        super().__init__(
            input_shape, hidden_channels, i2h_kernel, h2h_kernel, i2h_pad, i2h_dilate, h2h_dilate,
            i2h_weight_initializer, h2h_weight_initializer, i2h_bias_initializer, h2h_bias_initializer, 2,
            conv_layout, activation, prefix, params,
        )  # fmt: skip


class Conv3DGRUCell(_ConvGRU):
    """A GRU cell with three-dimensional convolutions.

    Parameters
    ----------
    input_shape : tuple of int
        Shape of the input of one step, without the batch axis.
    hidden_channels : int
        Number of channels of the state.
    i2h_kernel, i2h_pad, i2h_dilate : int or tuple of int
        Kernel size, padding, and dilation of the convolution of the input.
    h2h_kernel, h2h_dilate : int or tuple of int
        Kernel size and dilation of the convolution of the state. The kernel size must be odd, so that the state keeps
        its size.
    i2h_weight_initializer, h2h_weight_initializer, i2h_bias_initializer, h2h_bias_initializer : Initializer or str
        Initializers of the parameters.
    conv_layout : str
        Layout of the input.
    activation : str or Block
        Activation function for the candidate state.
    prefix, params
        Arguments of :class:`~d2lhybrid.gluon.Block`.

    Raises
    ------
    AssertionError
        If a kernel size, padding, or dilation has the wrong number of elements, or if the kernel size of the state's
        convolution is even.
    """

    def __init__(
        self, input_shape: Any, hidden_channels: int, i2h_kernel: Any, h2h_kernel: Any, i2h_pad: Any = (0, 0, 0),
        i2h_dilate: Any = (1, 1, 1), h2h_dilate: Any = (1, 1, 1), i2h_weight_initializer: Any = None,
        h2h_weight_initializer: Any = None, i2h_bias_initializer: Any = "zeros", h2h_bias_initializer: Any = "zeros",
        conv_layout: str = "NCDHW", activation: Any = "tanh", prefix: str | None = None, params: Any = None,
    ) -> None:  # fmt: skip
        super().__init__(
            input_shape, hidden_channels, i2h_kernel, h2h_kernel, i2h_pad, i2h_dilate, h2h_dilate,
            i2h_weight_initializer, h2h_weight_initializer, i2h_bias_initializer, h2h_bias_initializer, 3,
            conv_layout, activation, prefix, params,
        )  # fmt: skip
