"""The three standard cells: plain, LSTM, and GRU."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from .. import initializer as init
from .. import symbol as sym
from .base_cell import BaseRNNCell, RNNParams

__all__ = ["GRUCell", "LSTMCell", "RNNCell", "gru_step", "lstm_step"]


class _DenseCell(BaseRNNCell):
    """The base class of cells with two matrix products, which map input and state to the gates."""

    def __init__(self, num_hidden: int, prefix: str, params: RNNParams | None, bias: Any = None) -> None:
        super().__init__(prefix=prefix, params=params)
        self._num_hidden = num_hidden
        parameters = self.params
        self._iW, self._hW = parameters.get("i2h_weight"), parameters.get("h2h_weight")
        self._iB = parameters.get("i2h_bias", **({} if bias is None else {"init": bias}))
        self._hB = parameters.get("h2h_bias")

    @property
    def state_info(self) -> list[dict[str, Any]]:
        """The shape and layout of each state."""
        return [{"shape": (0, self._num_hidden), "__layout__": "NC"}]

    def _products(self, inputs: Any, state: Any, names: tuple[str, str]) -> tuple[Any, Any]:
        size = self._num_hidden * len(self._gate_names)
        return (
            sym.FullyConnected(data=inputs, weight=self._iW, bias=self._iB, num_hidden=size, name=names[0]),
            sym.FullyConnected(data=state, weight=self._hW, bias=self._hB, num_hidden=size, name=names[1]),
        )


class RNNCell(_DenseCell):
    """A plain recurrent cell.

    Parameters
    ----------
    num_hidden : int
        Number of elements of the state.
    activation : str or callable
        Activation function of the new state.
    prefix, params
        Arguments of :class:`BaseRNNCell`.
    """

    def __init__(
        self, num_hidden: int, activation: Any = "tanh", prefix: str = "rnn_", params: RNNParams | None = None
    ) -> None:
        super().__init__(num_hidden, prefix, params)
        self._activation = activation

    @property
    def _gate_names(self) -> Sequence[str]:
        return ("",)

    def __call__(self, inputs: Any, states: Any) -> tuple[Any, Any]:
        """Create the nodes of one step."""
        name = self._step_name()
        i2h, h2h = self._products(inputs, states[0], (f"{name}i2h", f"{name}h2h"))
        output = self._get_activation(i2h + h2h, self._activation, name=f"{name}out")
        return output, [output]


class LSTMCell(_DenseCell):
    """An LSTM cell with a memory and with input, forget, and output gates.

    Parameters
    ----------
    num_hidden : int
        Number of elements of each state.
    prefix, params
        Arguments of :class:`BaseRNNCell`.
    forget_bias : float
        Initial bias of the forget gate.
    """

    def __init__(
        self, num_hidden: int, prefix: str = "lstm_", params: RNNParams | None = None, forget_bias: float = 1.0
    ) -> None:
        super().__init__(num_hidden, prefix, params, init.LSTMBias(forget_bias=forget_bias))

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
        i2h, h2h = self._products(inputs, states[0], (f"{name}i2h", f"{name}h2h"))
        return lstm_step(self, i2h + h2h, states[1], name, "tanh", 1)


class GRUCell(_DenseCell):
    """A GRU cell with two gates. The output is also the new state.

    Parameters
    ----------
    num_hidden : int
        Number of elements of the state.
    prefix, params
        Arguments of :class:`BaseRNNCell`.
    """

    def __init__(self, num_hidden: int, prefix: str = "gru_", params: RNNParams | None = None) -> None:
        super().__init__(num_hidden, prefix, params)

    @property
    def _gate_names(self) -> Sequence[str]:
        return ["_r", "_z", "_o"]

    def __call__(self, inputs: Any, states: Any) -> tuple[Any, Any]:
        """Create the nodes of one step."""
        name = self._step_name()
        i2h, h2h = self._products(inputs, states[0], (f"{name}_i2h", f"{name}_h2h"))
        return gru_step(self, i2h, h2h, states[0], name, "tanh")


def lstm_step(cell: Any, gates: Any, memory: Any, name: str, activation: Any, axis: int) -> tuple[Any, Any]:
    """Create the nodes of an LSTM step from the inputs of the gates' activation functions.

    Parameters
    ----------
    cell : BaseRNNCell
        The cell.
    gates : Symbol
        The sum of the input's and the previous output's products (or convolutions) with their weights.
    memory : Symbol
        The memory after the previous step.
    name : str
        Prefix of the names of the nodes.
    activation : str or callable
        Activation of the candidate and of the memory.
    axis : int
        The axis along which the gates are joined.

    Returns
    -------
    tuple of (Symbol, list of Symbol)
        The output, and the states.
    """
    parts = sym.SliceChannel(gates, num_outputs=4, axis=axis, name=f"{name}slice")
    in_gate = sym.Activation(parts[0], act_type="sigmoid", name=f"{name}i")
    forget_gate = sym.Activation(parts[1], act_type="sigmoid", name=f"{name}f")
    candidate = cell._get_activation(parts[2], activation, name=f"{name}c")
    out_gate = sym.Activation(parts[3], act_type="sigmoid", name=f"{name}o")
    next_c = sym._internal._plus(forget_gate * memory, in_gate * candidate, name=f"{name}state")
    next_h = sym._internal._mul(out_gate, cell._get_activation(next_c, activation), name=f"{name}out")
    return next_h, [next_h, next_c]


def gru_step(cell: Any, i2h: Any, h2h: Any, state: Any, name: str, activation: Any) -> tuple[Any, Any]:
    """Create the nodes of a GRU step from the products of the input and of the state with their weights.

    Parameters
    ----------
    cell : BaseRNNCell
        The cell.
    i2h, h2h : Symbol
        The products of the input and of the state with their weights.
    state : Symbol
        The state after the previous step.
    name : str
        Prefix of the names of the nodes.
    activation : str or callable
        Activation of the candidate state.

    Returns
    -------
    tuple of (Symbol, list of Symbol)
        The output, and the state.
    """
    of_input = sym.SliceChannel(i2h, num_outputs=3, name=f"{name}_i2h_slice")
    of_state = sym.SliceChannel(h2h, num_outputs=3, name=f"{name}_h2h_slice")
    reset = sym.Activation(of_input[0] + of_state[0], act_type="sigmoid", name=f"{name}_r_act")
    update: Any = sym.Activation(of_input[1] + of_state[1], act_type="sigmoid", name=f"{name}_z_act")
    candidate = cell._get_activation(of_input[2] + reset * of_state[2], activation, name=f"{name}_h_act")
    next_h = sym._internal._plus((1.0 - update) * candidate, update * state, name=f"{name}out")
    return next_h, [next_h]
