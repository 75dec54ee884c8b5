"""Cells for images, with convolutions instead of matrix products."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any

from .. import symbol as sym
from .base_cell import BaseRNNCell, RNNParams
from .basic_cells import gru_step, lstm_step

__all__ = ["BaseConvRNNCell", "ConvGRUCell", "ConvLSTMCell", "ConvRNNCell"]

_LEAKY = functools.partial(sym.LeakyReLU, act_type="leaky", slope=0.2)


class BaseConvRNNCell(BaseRNNCell):
    """The base class of cells for images.

    Parameters
    ----------
    input_shape : tuple of int
        Shape of the input of one step, including the batch axis.
    num_hidden : int
        Number of channels of the state.
    h2h_kernel, h2h_dilate : tuple of int
        Kernel size and dilation of the state's convolution. The kernel size must be odd, so that the state keeps its
        size.
    i2h_kernel, i2h_stride, i2h_pad, i2h_dilate : tuple of int
        Kernel size, stride, padding, and dilation of the input's convolution.
    i2h_weight_initializer, h2h_weight_initializer, i2h_bias_initializer, h2h_bias_initializer : Initializer or str
        Initializers of the parameters.
    activation : str or callable
        Activation of the candidate state.
    prefix, params
        Arguments of :class:`BaseRNNCell`.
    conv_layout : str
        Layout of the images.

    Raises
    ------
    AssertionError
        If the kernel size of the state's convolution is even.
    """

    def __init__(
        self,
        input_shape: Any,
        num_hidden: int,
        h2h_kernel: Any,
        h2h_dilate: Any,
        i2h_kernel: Any,
        i2h_stride: Any,
        i2h_pad: Any,
        i2h_dilate: Any,
        i2h_weight_initializer: Any,
        h2h_weight_initializer: Any,
        i2h_bias_initializer: Any,
        h2h_bias_initializer: Any,
        activation: Any,
        prefix: str = "",
        params: RNNParams | None = None,
        conv_layout: str = "NCHW",
    ) -> None:
        super().__init__(prefix=prefix, params=params)
        if any(k % 2 == 0 for k in h2h_kernel):
            raise AssertionError(f"Only support odd number, get h2h_kernel= {h2h_kernel}")
        self._num_hidden, self._activation, self._conv_layout = num_hidden, activation, conv_layout
        self._i2h: dict[str, Any] = {"kernel": i2h_kernel, "stride": i2h_stride, "pad": i2h_pad, "dilate": i2h_dilate}
        pad = tuple(d * (k - 1) // 2 for k, d in zip(h2h_kernel, h2h_dilate, strict=True))
        self._h2h = {"kernel": h2h_kernel, "stride": (1, 1), "pad": pad, "dilate": h2h_dilate}
        given: dict[str, Any] = {"num_filter": num_hidden, "layout": conv_layout, **self._i2h}
        probe = sym.Convolution(sym.Variable("data"), **given)
        self._state_shape = (0, *probe.infer_shape(data=input_shape)[1][0][1:])
        parameters = self.params
        self._iW = parameters.get("i2h_weight", init=i2h_weight_initializer)
        self._hW = parameters.get("h2h_weight", init=h2h_weight_initializer)
        self._iB = parameters.get("i2h_bias", init=i2h_bias_initializer)
        self._hB = parameters.get("h2h_bias", init=h2h_bias_initializer)

    @property
    def state_info(self) -> list[dict[str, Any]]:
        """The shape and layout of each state."""
        return [{"shape": self._state_shape, "__layout__": self._conv_layout}]

    def _conv_forward(self, inputs: Any, states: Any, name: str) -> tuple[Any, Any]:
        count = self._num_hidden * len(self._gate_names)
        shared = {"num_filter": count, "layout": self._conv_layout}
        i2h = sym.Convolution(data=inputs, weight=self._iW, bias=self._iB, name=f"{name}i2h", **shared, **self._i2h)
        h2h = sym.Convolution(data=states[0], weight=self._hW, bias=self._hB, name=f"{name}h2h", **shared, **self._h2h)
        return i2h, h2h

    def __call__(self, inputs: Any, states: Any) -> tuple[Any, Any]:
        """Raise an error, because only subclasses define a step."""
        raise NotImplementedError("BaseConvRNNCell is abstract class for convolutional RNN")


def _with_defaults(prefix: str) -> Callable[..., None]:
    """Return an ``__init__`` method with a given default prefix."""

    def init(
        self: Any,
        input_shape: Any,
        num_hidden: int,
        h2h_kernel: Any = (3, 3),
        h2h_dilate: Any = (1, 1),
        i2h_kernel: Any = (3, 3),
        i2h_stride: Any = (1, 1),
        i2h_pad: Any = (1, 1),
        i2h_dilate: Any = (1, 1),
        i2h_weight_initializer: Any = None,
        h2h_weight_initializer: Any = None,
        i2h_bias_initializer: Any = "zeros",
        h2h_bias_initializer: Any = "zeros",
        activation: Any = _LEAKY,
        prefix: str = prefix,
        params: RNNParams | None = None,
        conv_layout: str = "NCHW",
    ) -> None:
        BaseConvRNNCell.__init__(
            self, input_shape, num_hidden, h2h_kernel, h2h_dilate, i2h_kernel, i2h_stride, i2h_pad, i2h_dilate,
            i2h_weight_initializer, h2h_weight_initializer, i2h_bias_initializer, h2h_bias_initializer, activation,
            prefix, params, conv_layout,
        )  # fmt: skip

    init.__name__, init.__qualname__ = "__init__", "BaseConvRNNCell.__init__"
    return init


class ConvRNNCell(BaseConvRNNCell):
    """A plain recurrent cell for images. The arguments are those of :class:`BaseConvRNNCell`."""

    __init__: Callable[..., None] = _with_defaults("ConvRNN_")

    @property
    def _gate_names(self) -> Sequence[str]:
        return ("",)

    def __call__(self, inputs: Any, states: Any) -> tuple[Any, Any]:
        """Create the nodes of one step."""
        name = self._step_name()
        i2h, h2h = self._conv_forward(inputs, states, name)
        output = self._get_activation(i2h + h2h, self._activation, name=f"{name}out")
        return output, [output]


class ConvLSTMCell(BaseConvRNNCell):
    """An LSTM cell for images. The arguments are those of :class:`BaseConvRNNCell`."""

    __init__: Callable[..., None] = _with_defaults("ConvLSTM_")

    @property
    def state_info(self) -> list[dict[str, Any]]:
        """The shape and layout of each state."""
        return [*super().state_info, *super().state_info]

    @property
    def _gate_names(self) -> Sequence[str]:
        return ["_i", "_f", "_c", "_o"]

    def __call__(self, inputs: Any, states: Any) -> tuple[Any, Any]:
        """Create the nodes of one step."""
        name = self._step_name()
        i2h, h2h = self._conv_forward(inputs, states, name)
        return lstm_step(self, i2h + h2h, states[1], name, self._activation, self._conv_layout.find("C"))


class ConvGRUCell(BaseConvRNNCell):
    """A GRU cell for images. The arguments are those of :class:`BaseConvRNNCell`."""

    __init__: Callable[..., None] = _with_defaults("ConvGRU_")

    @property
    def _gate_names(self) -> Sequence[str]:
        return ["_r", "_z", "_o"]

    def __call__(self, inputs: Any, states: Any) -> tuple[Any, Any]:
        """Create the nodes of one step."""
        name = self._step_name()
        i2h, h2h = self._conv_forward(inputs, states, name)
        return gru_step(self, i2h, h2h, states[0], name, self._activation)
