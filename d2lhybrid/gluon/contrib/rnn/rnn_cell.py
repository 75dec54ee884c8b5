"""Cells with variational dropout or a projection, and a function that unrolls a cell with a loop operator."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ...parameter import tensor_types
from ...rnn import BidirectionalCell, HybridRecurrentCell, ModifierCell
from ...rnn.sequence import first_states, format_sequence, mask_sequence

if TYPE_CHECKING:
    from d2lhybrid.typing import Tensor

__all__ = ["LSTMPCell", "VariationalDropoutCell", "dynamic_unroll"]


class VariationalDropoutCell(ModifierCell):
    """A modifier that applies dropout to a cell, with the same masks in every step of a sequence.

    Parameters
    ----------
    base_cell : RecurrentCell
        The cell to modify.
    drop_inputs, drop_states, drop_outputs : float
        Probabilities that elements of the inputs, of the first state, and of the outputs are dropped.

    Raises
    ------
    AssertionError
        If state dropout is requested for a :class:`BidirectionalCell`, which cannot run a single step.
    """

    drop_inputs: float
    drop_states: float
    drop_outputs: float

    def __init__(
        self, base_cell: Any, drop_inputs: float = 0.0, drop_states: float = 0.0, drop_outputs: float = 0.0
    ) -> None:
        if drop_states and isinstance(base_cell, BidirectionalCell):
            raise AssertionError(
                "BidirectionalCell doesn't support variational state dropout. Please add VariationalDropoutCell to the "
                "cells underneath instead."
            )
        super().__init__(base_cell)
        self.drop_inputs, self.drop_states, self.drop_outputs = drop_inputs, drop_states, drop_outputs
        self.drop_inputs_mask: Any = None
        self.drop_states_mask: Any = None
        self.drop_outputs_mask: Any = None

    def _alias(self) -> str:
        return "vardrop"

    def reset(self) -> None:
        """Reset the step counter and the masks for a new sequence."""
        super().reset()
        self.drop_inputs_mask = self.drop_states_mask = self.drop_outputs_mask = None

    def hybrid_forward(self, F: Any, inputs: Any, states: Any) -> tuple[Tensor, list[Tensor]]:  # type: ignore[override]
        """Run one step of the base cell."""
        if self.drop_states:
            if self.drop_states_mask is None:
                self.drop_states_mask = F.Dropout(F.ones_like(states[0]), p=self.drop_states)
            states = [states[0] * self.drop_states_mask, *states[1:]]
        if self.drop_inputs:
            if self.drop_inputs_mask is None:
                self.drop_inputs_mask = F.Dropout(F.ones_like(inputs), p=self.drop_inputs)
            inputs = inputs * self.drop_inputs_mask
        output, following = self.base_cell(inputs, states)
        if self.drop_outputs:
            if self.drop_outputs_mask is None:
                self.drop_outputs_mask = F.Dropout(F.ones_like(output), p=self.drop_outputs)
            output = output * self.drop_outputs_mask
        return output, following

    def __repr__(self) -> str:
        return f"{type(self).__name__}(p_out = {self.drop_outputs}, p_state = {self.drop_states})"

    def unroll(
        self,
        length: int,
        inputs: Any,
        begin_state: Any = None,
        layout: str = "NTC",
        merge_outputs: bool | None = None,
        valid_length: Any = None,
    ) -> tuple[Any, Any]:
        """Run the cell over a sequence.

        The parameters are those of :meth:`d2lhybrid.gluon.rnn.RecurrentCell.unroll`.

        Returns
        -------
        tuple
            The outputs of all steps, and the list of states after the last step.
        """
        if self.drop_states:
            return super().unroll(length, inputs, begin_state, layout, merge_outputs, valid_length=valid_length)
        self.reset()
        inputs, axis, F, batch_size = format_sequence(length, inputs, layout, True)
        states = first_states(self, F, begin_state, inputs, batch_size)
        if self.drop_inputs:
            inputs = F.Dropout(inputs, p=self.drop_inputs, axes=(axis,))
        self.base_cell._modified = False
        try:
            outputs, states = self.base_cell.unroll(
                length, inputs, states, layout, merge_outputs=True, valid_length=valid_length
            )
        finally:
            self.base_cell._modified = True
        if self.drop_outputs:
            outputs = F.Dropout(outputs, p=self.drop_outputs, axes=(axis,))
        merge = isinstance(outputs, tensor_types) if merge_outputs is None else merge_outputs
        outputs, _, _, _ = format_sequence(length, outputs, layout, merge)
        if valid_length is not None:
            outputs = mask_sequence(F, outputs, length, valid_length, axis, merge)
        return outputs, states


class LSTMPCell(HybridRecurrentCell):
    """An LSTM cell whose output is projected to another size.

    Parameters
    ----------
    hidden_size, projection_size : int
        Number of elements of the memory, and of the projected output.
    i2h_weight_initializer, h2h_weight_initializer, h2r_weight_initializer : Initializer or str, optional
        Initializers of the weights.
    i2h_bias_initializer, h2h_bias_initializer : Initializer or str
        Initializers of the biases.
    input_size : int
        Size of the input; by default inferred in the first call.
    prefix, params
        Arguments of :class:`~d2lhybrid.gluon.Block`.
    """

    def __init__(
        self,
        hidden_size: int,
        projection_size: int,
        i2h_weight_initializer: Any = None,
        h2h_weight_initializer: Any = None,
        h2r_weight_initializer: Any = None,
        i2h_bias_initializer: Any = "zeros",
        h2h_bias_initializer: Any = "zeros",
        input_size: int = 0,
        prefix: str | None = None,
        params: Any = None,
    ) -> None:
        super().__init__(prefix=prefix, params=params)
        self._hidden_size, self._input_size, self._projection_size = hidden_size, input_size, projection_size
        for name, shape, init in (
            ("i2h_weight", (4 * hidden_size, input_size), i2h_weight_initializer),
            ("h2h_weight", (4 * hidden_size, projection_size), h2h_weight_initializer),
            ("h2r_weight", (projection_size, hidden_size), h2r_weight_initializer),
            ("i2h_bias", (4 * hidden_size,), i2h_bias_initializer),
            ("h2h_bias", (4 * hidden_size,), h2h_bias_initializer),
        ):
            setattr(self, name, self.params.get(name, shape=shape, init=init, allow_deferred_init=True))

    def state_info(self, batch_size: int = 0) -> list[dict[str, Any]]:
        """Return the shape and layout of each state.

        Parameters
        ----------
        batch_size : int
            Number of examples in a batch.

        Returns
        -------
        list of dict
            Shape and layout of the projected output and of the memory.
        """
        sizes = (self._projection_size, self._hidden_size)
        return [{"shape": (batch_size, size), "__layout__": "NC"} for size in sizes]

    def _alias(self) -> str:
        return "lstmp"

    def __repr__(self) -> str:
        rows, columns = self.i2h_weight.shape  # type: ignore[attr-defined]
        return f"{type(self).__name__}({columns or None} -> {rows} -> {self._projection_size})"

    def hybrid_forward(  # type: ignore[override]
        self,
        F: Any,
        inputs: Any,
        states: Any,
        i2h_weight: Any,
        h2h_weight: Any,
        h2r_weight: Any,
        i2h_bias: Any,
        h2h_bias: Any,
    ) -> tuple[Tensor, list[Tensor]]:
        """Run one step of the cell."""
        prefix, rows = f"t{self._counter}_", 4 * self._hidden_size
        i2h = F.FullyConnected(inputs, i2h_weight, i2h_bias, num_hidden=rows, name=f"{prefix}i2h")
        h2h = F.FullyConnected(states[0], h2h_weight, h2h_bias, num_hidden=rows, name=f"{prefix}h2h")
        parts = F.SliceChannel(i2h + h2h, num_outputs=4, name=f"{prefix}slice")
        take_in = F.Activation(parts[0], act_type="sigmoid", name=f"{prefix}i")
        keep = F.Activation(parts[1], act_type="sigmoid", name=f"{prefix}f")
        candidate = F.Activation(parts[2], act_type="tanh", name=f"{prefix}c")
        show = F.Activation(parts[3], act_type="sigmoid", name=f"{prefix}o")
        memory = F.elemwise_add(keep * states[1], take_in * candidate, name=f"{prefix}state")
        hidden = F.elemwise_mul(show, F.Activation(memory, act_type="tanh"), name=f"{prefix}hidden")
        output = F.FullyConnected(
            hidden, h2r_weight, num_hidden=self._projection_size, no_bias=True, name=f"{prefix}out"
        )
        return output, [output, memory]


def dynamic_unroll(
    cell: Any,
    inputs: Any,
    begin_state: Any,
    drop_inputs: float = 0,
    drop_outputs: float = 0,
    layout: str = "TNC",
    valid_length: Any = None,
) -> tuple[Any, Any]:
    """Run a cell over a sequence of any length with one loop operator, ``foreach``.

    Parameters
    ----------
    cell : RecurrentCell
        The cell.
    inputs : NDArray or Symbol
        The sequence.
    begin_state : list of NDArray or Symbol
        Initial states.
    drop_inputs, drop_outputs : float
        Probabilities that elements of the inputs and of the outputs are dropped. All steps drop the same elements.
    layout : str
        Layout of the sequence.
    valid_length : NDArray or Symbol, optional
        Number of valid steps of each example.

    Returns
    -------
    tuple
        The outputs of all steps, and the list of states after the last step.
    """
    inputs, axis, F, _ = format_sequence(None, inputs, layout, True)
    axes = list(range(len(layout)))
    axes[0], axes[axis] = axes[axis], axes[0]
    if axis:
        inputs = F.transpose(inputs, axes=axes)
    if drop_inputs:
        inputs = F.Dropout(inputs, p=drop_inputs, axes=(axis,))
    if valid_length is None:
        outputs, states = F.contrib.foreach(lambda x, carried: cell(x, carried), inputs, begin_state)
    else:

        def step(x: Any, carried: Any) -> tuple[Any, Any]:
            before, count = carried[:-1], carried[-1]
            output, following = cell(x, before)
            counts = F.broadcast_greater(valid_length, count)
            kept = [F.where(counts, new, old) for new, old in zip(following, before, strict=True)]
            return output, [*kept, count + 1]

        states = begin_state if isinstance(begin_state, list | tuple) else [begin_state]
        outputs, states = F.contrib.foreach(step, inputs, [*states, F.zeros(1)])
        states = states[:-1]
    if drop_outputs:
        outputs = F.Dropout(outputs, p=drop_outputs, axes=(axis,))
    if axis:
        outputs = F.transpose(outputs, axes=axes)
    if valid_length is not None:
        outputs = F.SequenceMask(outputs, sequence_length=valid_length, use_sequence_length=True, axis=axis)
    return outputs, states
