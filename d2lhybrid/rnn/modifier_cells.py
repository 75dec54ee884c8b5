"""Cells that modify another cell: dropout, zoneout, and residual connections."""

from __future__ import annotations

import numbers
from typing import Any

from .. import symbol as sym
from .base_cell import BaseRNNCell, RNNParams, as_sequence

__all__ = ["DropoutCell", "ModifierCell", "ResidualCell", "ZoneoutCell"]


class DropoutCell(BaseRNNCell):
    """A cell without states that applies dropout between the cells of a stack.

    Parameters
    ----------
    dropout : float
        Probability that an element of the input is dropped.
    prefix, params
        Arguments of :class:`BaseRNNCell`.

    Raises
    ------
    AssertionError
        If ``dropout`` is not a number.
    """

    def __init__(self, dropout: float, prefix: str = "dropout_", params: RNNParams | None = None) -> None:
        super().__init__(prefix, params)
        if not isinstance(dropout, numbers.Real):
            raise AssertionError("dropout probability must be a number")
        self.dropout = dropout

    @property
    def state_info(self) -> list[Any]:
        """An empty list, because the cell has no states."""
        return []

    def __call__(self, inputs: Any, states: Any) -> tuple[Any, Any]:
        """Apply dropout to one step."""
        return (sym.Dropout(data=inputs, p=self.dropout) if self.dropout > 0 else inputs), states

    def unroll(
        self, length: int, inputs: Any, begin_state: Any = None, layout: str = "NTC", merge_outputs: bool | None = None
    ) -> tuple[Any, Any]:
        """Apply dropout to a sequence; see :meth:`BaseRNNCell.unroll`.

        Returns
        -------
        tuple of (Symbol or list of Symbol, list of Symbol)
            The outputs, and the states after the last step.
        """
        self.reset()
        inputs, _ = as_sequence(length, inputs, layout, merge_outputs)
        if isinstance(inputs, sym.Symbol):
            return self(inputs, [])
        return super().unroll(length, inputs, begin_state, layout, merge_outputs)


class ModifierCell(BaseRNNCell):
    """The base class of cells that modify another cell and use that cell's parameters and states.

    Parameters
    ----------
    base_cell : BaseRNNCell
        The cell to modify.
    """

    def __init__(self, base_cell: Any) -> None:
        super().__init__()
        base_cell._modified = True
        self.base_cell = base_cell

    @property
    def params(self) -> RNNParams:
        """The variables of the base cell."""
        self._own_params = False
        return self.base_cell.params

    @property
    def state_info(self) -> Any:
        """The shape and layout of each state of the base cell."""
        return self.base_cell.state_info

    def begin_state(self, init_sym: Any = sym.zeros, **kwargs: Any) -> list[Any]:  # type: ignore[override]
        """Return the initial states of the base cell.

        Parameters
        ----------
        init_sym : callable
            Function that creates a state: ``sym.zeros``, or ``sym.Variable`` for states that are inputs.
        **kwargs : object
            Arguments of ``init_sym``.

        Returns
        -------
        list of Symbol
            The states.
        """
        self._refuse_modified()
        init_sym = kwargs.pop("func", init_sym)
        self.base_cell._modified = False
        try:
            return self.base_cell.begin_state(func=init_sym, **kwargs)
        finally:
            self.base_cell._modified = True

    def unpack_weights(self, args: dict[str, Any]) -> dict[str, Any]:
        """Return a copy of a dictionary of parameters in which the base cell's parameters are split by gates."""
        return self.base_cell.unpack_weights(args)

    def pack_weights(self, args: dict[str, Any]) -> dict[str, Any]:
        """Return a copy of a dictionary of parameters in which the base cell's parameters are joined."""
        return self.base_cell.pack_weights(args)


class ZoneoutCell(ModifierCell):
    """A cell that keeps random elements of the previous step's outputs and states.

    Parameters
    ----------
    base_cell : BaseRNNCell
        A cell that supports single steps.
    zoneout_outputs, zoneout_states : float
        Probabilities that an element of the outputs and of the states is kept.

    Raises
    ------
    AssertionError
        If the base cell does not support single steps.
    """

    zoneout_outputs: float
    zoneout_states: float

    def __init__(self, base_cell: Any, zoneout_outputs: float = 0.0, zoneout_states: float = 0.0) -> None:
        kind = type(base_cell).__name__
        if kind == "FusedRNNCell":
            raise AssertionError("FusedRNNCell doesn't support zoneout. Please unfuse first.")
        if kind == "BidirectionalCell":
            raise AssertionError(
                "BidirectionalCell doesn't support zoneout since it doesn't support step. Please add ZoneoutCell to "
                "the cells underneath instead."
            )
        super().__init__(base_cell)
        self.zoneout_outputs, self.zoneout_states = zoneout_outputs, zoneout_states
        self.prev_output: Any = None

    def reset(self) -> None:
        """Reset the step counters of this cell and of the base cell, and forget the previous output."""
        super().reset()
        self.base_cell.reset()
        self.prev_output = None

    def __call__(self, inputs: Any, states: Any) -> tuple[Any, Any]:
        """Create the nodes of one step of the base cell, and keep random elements of the previous step."""
        output, following = self.base_cell(inputs, states)
        before = sym.zeros((0, 0)) if self.prev_output is None else self.prev_output
        if self.zoneout_outputs:
            output = _mixed(self.zoneout_outputs, output, before)
        if self.zoneout_states:
            pairs = zip(following, states, strict=True)
            following = [_mixed(self.zoneout_states, new, old) for new, old in pairs]
        self.prev_output = output
        return output, following


def _mixed(part: float, new: Any, old: Any) -> Any:
    """Return the new values, in which old values replace a random fraction."""
    return sym.where(sym.Dropout(sym.ones_like(new), p=part), new, old)


class ResidualCell(ModifierCell):
    """A cell that adds its input to its output.

    Parameters
    ----------
    base_cell : BaseRNNCell
        A cell whose output has the shape of its input.
    """

    def __call__(self, inputs: Any, states: Any) -> tuple[Any, Any]:
        """Create the nodes of one step of the base cell, and add the input to the output."""
        output, following = self.base_cell(inputs, states)
        return _around(output, inputs), following

    def unroll(
        self, length: int, inputs: Any, begin_state: Any = None, layout: str = "NTC", merge_outputs: bool | None = None
    ) -> tuple[Any, Any]:
        """Create the nodes of all steps of the base cell, and add the inputs; see :meth:`BaseRNNCell.unroll`.

        Returns
        -------
        tuple of (Symbol or list of Symbol, list of Symbol)
            The outputs, and the states after the last step.
        """
        self.reset()
        self.base_cell._modified = False
        try:
            outputs, states = self.base_cell.unroll(
                length, inputs=inputs, begin_state=begin_state, layout=layout, merge_outputs=merge_outputs
            )
        finally:
            self.base_cell._modified = True
        merge = isinstance(outputs, sym.Symbol) if merge_outputs is None else merge_outputs
        inputs, _ = as_sequence(length, inputs, layout, merge)
        if merge:
            return _around(outputs, inputs), states
        return [_around(output, x) for output, x in zip(outputs, inputs, strict=True)], states


def _around(output: Any, inputs: Any) -> Any:
    return sym.elemwise_add(output, inputs, name=f"{output.name}_plus_residual")
