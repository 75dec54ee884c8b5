"""A cell that runs several layers as a single operator, with all parameters in one array."""

from __future__ import annotations

import math
import warnings
from collections.abc import Iterator, Sequence
from typing import Any

from .. import initializer as init
from .. import ndarray as nd
from .. import symbol as sym
from .base_cell import BaseRNNCell, RNNParams, as_sequence
from .basic_cells import GRUCell, LSTMCell, RNNCell
from .compound_cells import BidirectionalCell, SequentialRNNCell
from .modifier_cells import DropoutCell

__all__ = ["FusedRNNCell"]

_GATES: dict[str, Sequence[str]] = {
    "rnn_relu": [""], "rnn_tanh": [""], "lstm": ["_i", "_f", "_c", "_o"], "gru": ["_r", "_z", "_o"],
}  # fmt: skip


class FusedRNNCell(BaseRNNCell):
    """A cell that runs several layers as a single operator, ``RNN``.

    Parameters
    ----------
    num_hidden : int
        Number of elements of each state.
    num_layers : int
        Number of layers.
    mode : str
        ``"lstm"``, ``"gru"``, ``"rnn_tanh"``, or ``"rnn_relu"``.
    bidirectional : bool
        Whether each layer runs in both directions.
    dropout : float
        Dropout probability between layers.
    get_next_state : bool
        Whether :meth:`unroll` returns the final states.
    forget_bias : float
        Initial bias of the forget gate of an LSTM.
    prefix, params
        Arguments of :class:`BaseRNNCell`. The default prefix is the mode, followed by an underscore.

    Raises
    ------
    ValueError
        If ``mode`` has another value.
    """

    def __init__(
        self,
        num_hidden: int,
        num_layers: int = 1,
        mode: str = "lstm",
        bidirectional: bool = False,
        dropout: float = 0.0,
        get_next_state: bool = False,
        forget_bias: float = 1.0,
        prefix: str | None = None,
        params: RNNParams | None = None,
    ) -> None:
        if mode not in _GATES:
            raise ValueError(f"mode must be one of {', '.join(_GATES)}, not {mode!r}")
        super().__init__(prefix=f"{mode}_" if prefix is None else prefix, params=params)
        self._num_hidden, self._num_layers, self._mode = num_hidden, num_layers, mode
        self._bidirectional, self._dropout, self._get_next_state = bidirectional, dropout, get_next_state
        self._directions = ["l", "r"] if bidirectional else ["l"]
        first = init.FusedRNN(None, num_hidden, num_layers, mode, bidirectional, forget_bias)
        self._parameter = self.params.get("parameters", init=first)

    @property
    def state_info(self) -> list[dict[str, Any]]:
        """The shape and layout of each state."""
        shape = (len(self._directions) * self._num_layers, 0, self._num_hidden)
        return [{"shape": shape, "__layout__": "LNC"} for _ in range(1 + (self._mode == "lstm"))]

    @property
    def _gate_names(self) -> Sequence[str]:
        return _GATES[self._mode]

    def _places(self, num_input: int) -> Iterator[tuple[str, tuple[int, ...]]]:
        """Yield the names and shapes of the parameters in the packed array, in order."""
        size = self._num_hidden
        layers = [(layer, d) for layer in range(self._num_layers) for d in self._directions]
        for layer, direction in layers:
            width = len(self._directions) * size if layer else num_input
            for group, columns in (("i2h", width), ("h2h", size)):
                for gate in self._gate_names:
                    yield f"{self._prefix}{direction}{layer}_{group}{gate}_weight", (size, columns)
        for layer, direction in layers:
            for group in ("i2h", "h2h"):
                for gate in self._gate_names:
                    yield f"{self._prefix}{direction}{layer}_{group}{gate}_bias", (size,)

    def unpack_weights(self, args: dict[str, Any]) -> dict[str, Any]:
        """Return a copy of the parameters in which the packed array is split by layers, directions, and gates.

        The parameters are those of :meth:`BaseRNNCell.unpack_weights`.

        Raises
        ------
        AssertionError
            If the size of the array does not match the cell.
        """
        found = dict(args)
        whole = found.pop(self._parameter.name)
        b, m, h = len(self._directions), len(self._gate_names), self._num_hidden
        num_input = whole.size // b // h // m - (self._num_layers - 1) * (h + b * h + 2) - h - 2
        places = [(name, shape, math.prod(shape)) for name, shape in self._places(num_input)]
        if num_input < 1 or sum(size for _, _, size in places) != whole.size:
            raise AssertionError("Invalid parameters size for FusedRNNCell")
        begin = 0
        for name, shape, size in places:
            found[name] = whole[begin : begin + size].reshape(shape).copy()
            begin += size
        return found

    def pack_weights(self, args: dict[str, Any]) -> dict[str, Any]:
        """Return a copy of a dictionary of parameters in which this cell's parameters are packed into one array.

        This method inverts :meth:`unpack_weights`.
        """
        found = dict(args)
        first = found[f"{self._prefix}l0_i2h{self._gate_names[0]}_weight"]
        parts = [found.pop(name).reshape((-1,)) for name, _ in self._places(first.shape[1])]
        found[self._parameter.name] = nd.concatenate(parts)
        return found

    def __call__(self, inputs: Any, states: Any) -> tuple[Any, Any]:
        """Raise an error, because the operator takes a whole sequence."""
        raise NotImplementedError("FusedRNNCell cannot be stepped. Please use unroll")

    def unroll(
        self, length: int, inputs: Any, begin_state: Any = None, layout: str = "NTC", merge_outputs: bool | None = None
    ) -> tuple[Any, Any]:
        """Create the operator for a sequence; see :meth:`BaseRNNCell.unroll`.

        Returns
        -------
        tuple of (Symbol or list of Symbol, list of Symbol)
            The outputs, and the states after the last step; an empty list without ``get_next_state``.

        Raises
        ------
        AssertionError
            If the time axis of ``layout`` is neither the first nor the second axis.
        """
        self.reset()
        inputs, axis = as_sequence(length, inputs, layout, True)
        if axis == 1:
            warnings.warn("NTC layout detected. Consider using TNC for FusedRNNCell for faster speed", stacklevel=2)
            inputs = sym.swapaxes(inputs, dim1=0, dim2=1)
        elif axis != 0:
            raise AssertionError(f"Unsupported layout {layout}")
        begin = self.begin_state() if begin_state is None else begin_state
        states = dict(zip(("state", "state_cell"), begin, strict=False))
        if self._mode != "lstm":
            states.pop("state_cell", None)
        mode: Any = self._mode
        made = sym.RNN(
            data=inputs, parameters=self._parameter, state_size=self._num_hidden, num_layers=self._num_layers,
            bidirectional=self._bidirectional, p=self._dropout, state_outputs=self._get_next_state, mode=mode,
            name=f"{self._prefix}rnn", **states,
        )  # fmt: skip
        outputs, following = made, []
        if self._get_next_state:
            outputs, following = made[0], [made[i] for i in range(1, len(self.state_info) + 1)]
        if axis == 1:
            outputs = sym.swapaxes(outputs, dim1=0, dim2=1)
        return as_sequence(length, outputs, layout, merge_outputs)[0], following

    def unfuse(self) -> SequentialRNNCell:
        """Return a stack of single cells whose parameters are those that :meth:`unpack_weights` returns."""
        stack = SequentialRNNCell()
        for i in range(self._num_layers):
            cells: list[BaseRNNCell] = [self._single(f"{self._prefix}{d}{i}_") for d in self._directions]
            if self._bidirectional:
                stack.add(BidirectionalCell(cells[0], cells[1], output_prefix=f"{self._prefix}bi_l{i}_"))
            else:
                stack.add(cells[0])
            if self._dropout > 0 and i != self._num_layers - 1:
                stack.add(DropoutCell(self._dropout, prefix=f"{self._prefix}_dropout{i}_"))
        return stack

    def _single(self, prefix: str) -> BaseRNNCell:
        if self._mode in ("lstm", "gru"):
            return {"lstm": LSTMCell, "gru": GRUCell}[self._mode](self._num_hidden, prefix=prefix)
        return RNNCell(self._num_hidden, activation=self._mode[len("rnn_") :], prefix=prefix)
