"""Cells made of cells: stacked, bidirectional, or with dropout, zoneout, or a residual connection."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy

from ... import symbol as sym
from ..parameter import tensor_types
from ..utils import _indent
from .rnn_cell import HybridRecurrentCell, RecurrentCell, _check_not_modified
from .sequence import first_states, format_sequence, mask_sequence, reverse_sequences

if TYPE_CHECKING:
    from ...typing import Tensor
    from ..calls import A

__all__ = [
    "BidirectionalCell",
    "DropoutCell",
    "HybridSequentialRNNCell",
    "ModifierCell",
    "ResidualCell",
    "SequentialRNNCell",
    "ZoneoutCell",
]


class _CellRow(RecurrentCell):
    """The base class of the two stacks of cells."""

    def __repr__(self) -> str:
        lines = "\n".join(f"({key}): {_indent(cell.__repr__(), 2)}" for key, cell in self._children.items())
        return f"{type(self).__name__}(\n{lines}\n)"

    def add(self, cell: Any) -> None:
        """Append a cell to the stack.

        Parameters
        ----------
        cell : RecurrentCell
            The cell.
        """
        self.register_child(cell)

    def state_info(self, batch_size: int = 0) -> list[dict[str, Any]]:
        """Return the shapes and layouts of the states of all cells."""
        return [info for cell in self._children.values() for info in cell.state_info(batch_size)]

    def begin_state(self, **kwargs: Any) -> list[Any]:  # type: ignore[override]
        """Return the initial states of all cells as one list.

        Parameters
        ----------
        **kwargs
            Arguments of each cell's ``begin_state``.
        """
        _check_not_modified(self)
        return [s for cell in self._children.values() for s in cell.begin_state(**kwargs)]

    def _step(self, inputs: Any, states: Any) -> tuple[Any, list[Any]]:
        """Pass the input through all cells, each with its own slice of the states."""
        if any(isinstance(cell, BidirectionalCell) for cell in self._children.values()):
            raise AssertionError(
                f"a {type(self).__name__} with a BidirectionalCell cannot run a single step: call unroll()"
            )
        next_states: list[Any] = []
        position = 0
        for cell in self._children.values():
            count = len(cell.state_info())
            inputs, new = cell(inputs, states[position : position + count])
            next_states.extend(new)
            position += count
        return inputs, next_states

    def unroll(
        self,
        length: int,
        inputs: Any,
        begin_state: Any = None,
        layout: str = "NTC",
        merge_outputs: bool | None = None,
        valid_length: Any = None,
    ) -> tuple[Any, Any]:
        """Run the stack over a sequence. Each cell processes the whole sequence before the next cell begins."""
        self.reset()
        inputs, _, F, batch_size = format_sequence(length, inputs, layout, None)
        begin_state = first_states(self, F, begin_state, inputs, batch_size)
        next_states: list[Any] = []
        position = 0
        for i, cell in enumerate(self._children.values(), start=1):
            count = len(cell.state_info())
            inputs, states = cell.unroll(
                length, inputs, begin_state[position : position + count], layout,
                merge_outputs if i == len(self._children) else None, valid_length,
            )  # fmt: skip
            next_states.extend(states)
            position += count
        return inputs, next_states

    def __getitem__(self, i: int) -> Any:
        return self._children[str(i)]

    def __len__(self) -> int:
        return len(self._children)


class SequentialRNNCell(_CellRow):
    """A stack of cells. The output of each cell is the input of the next cell.

    Parameters
    ----------
    prefix, params
        Arguments of :class:`~d2lhybrid.gluon.Block`.
    """

    def __call__(self, inputs: A, states: Any) -> tuple[A, list[A]]:  # type: ignore[override]
        """Run one step of the cell."""
        self._counter += 1
        return self._step(inputs, states)

    def hybrid_forward(self, *args: Any, **kwargs: Any) -> Any:
        """Raise an error, because the children might not be hybrid. Call the cell instead.

        Raises
        ------
        NotImplementedError
            Always.
        """
        raise NotImplementedError


class HybridSequentialRNNCell(_CellRow, HybridRecurrentCell):  # pyright: ignore[reportIncompatibleMethodOverride]
    """A stack of hybrid cells. The output of each cell is the input of the next cell.

    Parameters
    ----------
    prefix, params
        Arguments of :class:`~d2lhybrid.gluon.Block`.
    """

    def hybrid_forward(self, F: Any, inputs: Any, states: Any) -> tuple[Tensor, list[Tensor]]:  # type: ignore[override]
        """Run one step of the cell."""
        return self._step(inputs, states)


class DropoutCell(HybridRecurrentCell):
    """A cell without states that applies dropout to its input.

    Parameters
    ----------
    rate : float
        Probability that an element is dropped.
    axes : tuple of int
        Axes along which all elements are dropped or kept together.
    prefix, params
        Arguments of :class:`~d2lhybrid.gluon.Block`.

    Raises
    ------
    AssertionError
        If ``rate`` is not a number.
    """

    def __init__(self, rate: float, axes: tuple[int, ...] = (), prefix: str | None = None, params: Any = None) -> None:
        super().__init__(prefix, params)
        if not isinstance(rate, float | int | numpy.generic):
            raise AssertionError("rate must be a number")
        self._rate, self._axes = rate, axes

    def _alias(self) -> str:
        return "dropout"

    def __repr__(self) -> str:
        return f"{type(self).__name__}(rate={self._rate}, axes={self._axes})"

    def state_info(self, batch_size: int = 0) -> list[dict[str, Any]]:
        """Return an empty list, because the cell has no states.

        Parameters
        ----------
        batch_size : int
            Number of examples in a batch.

        Returns
        -------
        list
            An empty list.
        """
        return []

    def hybrid_forward(self, F: Any, inputs: Any, states: Any) -> tuple[Tensor, list[Tensor]]:  # type: ignore[override]
        """Run one step of the cell."""
        if self._rate > 0:
            inputs = F.Dropout(inputs, p=self._rate, axes=self._axes, name=f"t{self._counter}_fwd")
        return inputs, states

    def unroll(
        self,
        length: int,
        inputs: Any,
        begin_state: Any = None,
        layout: str = "NTC",
        merge_outputs: bool | None = None,
        valid_length: Any = None,
    ) -> tuple[Any, Any]:
        """Apply dropout to a sequence, in a single call if the sequence is a tensor.

        The parameters are those of :meth:`RecurrentCell.unroll`.

        Returns
        -------
        tuple
            The outputs of all steps, and the list of states after the last step.
        """
        self.reset()
        inputs, _, F, _ = format_sequence(length, inputs, layout, merge_outputs)
        if isinstance(inputs, tensor_types):
            return self.hybrid_forward(F, inputs, begin_state or [])
        return super().unroll(length, inputs, begin_state, layout, merge_outputs)  # steps after the end are kept, too


class ModifierCell(HybridRecurrentCell):
    """The base class of cells that modify another cell and use its parameters.

    Parameters
    ----------
    base_cell : RecurrentCell
        The cell to modify. You can no longer call it directly.

    Raises
    ------
    AssertionError
        If another modifier cell already wraps the cell.
    """

    def __init__(self, base_cell: Any) -> None:
        _check_not_modified(base_cell)
        base_cell._modified = True
        super().__init__(prefix=base_cell.prefix + self._alias(), params=None)
        self.base_cell = base_cell

    @property
    def params(self) -> Any:
        """The parameters of the base cell."""
        return self.base_cell.params

    def state_info(self, batch_size: int = 0) -> list[dict[str, Any]]:
        """Return the shapes and layouts of the base cell's states.

        Parameters
        ----------
        batch_size : int
            Number of examples in a batch.

        Returns
        -------
        list of dict
            Shape and layout of each state.
        """
        return self.base_cell.state_info(batch_size)

    def begin_state(self, func: Callable[..., Any] = sym.zeros, **kwargs: Any) -> list[Any]:  # type: ignore[override]
        """Return the initial states of the base cell.

        Parameters
        ----------
        func : callable
            Function that creates a state; ``sym.zeros`` by default, as in MXNet. For other cells, the default is
            ``nd.zeros``.
        **kwargs
            ``batch_size``, and additional arguments of ``func``.

        Returns
        -------
        list
            The states.
        """
        _check_not_modified(self)
        self.base_cell._modified = False
        try:
            return self.base_cell.begin_state(func=func, **kwargs)
        finally:
            self.base_cell._modified = True

    def hybrid_forward(self, F: Any, inputs: Any, states: Any) -> tuple[Tensor, list[Tensor]]:  # type: ignore[override]
        """Run one step of the cell. Subclasses override this method.

        Raises
        ------
        NotImplementedError
            If the subclass does not override this method.
        """
        raise NotImplementedError

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.base_cell})"


class ZoneoutCell(ModifierCell):
    """A cell with zoneout: in training, random elements keep their values from the previous step.

    Parameters
    ----------
    base_cell : RecurrentCell
        The cell to modify.
    zoneout_outputs, zoneout_states : float
        Probabilities that an element of the output and of a state keeps its value.

    Raises
    ------
    AssertionError
        If the cell is a :class:`BidirectionalCell`, or a stack that contains one, because it cannot run a single step.
    """

    def __init__(self, base_cell: Any, zoneout_outputs: float = 0.0, zoneout_states: float = 0.0) -> None:
        if isinstance(base_cell, BidirectionalCell):
            raise AssertionError(
                "BidirectionalCell doesn't support zoneout since it doesn't support step. Please add "
                "ZoneoutCell to "
                "the cells underneath instead."
            )
        if isinstance(base_cell, _CellRow) and any(
            isinstance(cell, BidirectionalCell) for cell in base_cell._children.values()
        ):
            raise AssertionError(
                "Bidirectional SequentialRNNCell doesn't support zoneout. Please add ZoneoutCell to the "
                "cells "
                "underneath instead."
            )
        super().__init__(base_cell)
        self._zoneout_outputs, self._zoneout_states = zoneout_outputs, zoneout_states
        self._prev_output: Any = None

    def _alias(self) -> str:
        return "zoneout"

    def __repr__(self) -> str:
        return f"{type(self).__name__}(p_out={self._zoneout_outputs}, p_state={self._zoneout_states}, {self.base_cell})"

    def reset(self) -> None:
        """Reset the step counter and the last output."""
        super().reset()
        self._prev_output = None

    def hybrid_forward(self, F: Any, inputs: Any, states: Any) -> tuple[Tensor, list[Tensor]]:  # type: ignore[override]
        """Run one step of the cell."""

        def choose(rate: float, new: Any, old: Any) -> Any:
            # In training, dropout of ones is a random mask. Otherwise, all its elements are ones.
            return F.where(F.Dropout(F.ones_like(new), p=rate), new, old)

        output, next_states = self.base_cell(inputs, states)
        if self._zoneout_outputs != 0.0:
            old = F.zeros_like(output) if self._prev_output is None else self._prev_output
            output = choose(self._zoneout_outputs, output, old)
        if self._zoneout_states != 0.0:
            next_states = [choose(self._zoneout_states, new, old) for new, old in zip(next_states, states, strict=True)]
        self._prev_output = output
        return output, next_states


class ResidualCell(ModifierCell):
    """A cell that adds the input of the base cell to the base cell's output.

    Parameters
    ----------
    base_cell : RecurrentCell
        The cell to modify. Its output must have the same shape as its input.
    """

    def hybrid_forward(self, F: Any, inputs: Any, states: Any) -> tuple[Tensor, list[Tensor]]:  # type: ignore[override]
        """Run one step of the cell."""
        output, states = self.base_cell(inputs, states)
        return F.elemwise_add(output, inputs, name=f"t{self._counter}_fwd"), states

    def unroll(
        self,
        length: int,
        inputs: Any,
        begin_state: Any = None,
        layout: str = "NTC",
        merge_outputs: bool | None = None,
        valid_length: Any = None,
    ) -> tuple[Any, Any]:
        """Run the base cell over a sequence and add the sequence to the outputs.

        The parameters are those of :meth:`RecurrentCell.unroll`.

        Returns
        -------
        tuple
            The outputs of all steps, and the list of states after the last step.
        """
        self.reset()
        self.base_cell._modified = False
        try:
            outputs, states = self.base_cell.unroll(length, inputs, begin_state, layout, merge_outputs, valid_length)
        finally:
            self.base_cell._modified = True
        merge = isinstance(outputs, tensor_types) if merge_outputs is None else merge_outputs
        inputs, axis, F, _ = format_sequence(length, inputs, layout, merge)
        if valid_length is not None:
            inputs = mask_sequence(F, inputs, length, valid_length, axis, merge)
        if merge:
            return F.elemwise_add(outputs, inputs), states
        return [F.elemwise_add(a, b) for a, b in zip(outputs, inputs, strict=True)], states


class BidirectionalCell(HybridRecurrentCell):
    """A pair of cells with concatenated outputs. One cell runs forward over the sequence, and the other cell backward.

    Parameters
    ----------
    l_cell, r_cell : RecurrentCell
        The forward and the backward cell.
    output_prefix : str
        Prefix of the outputs' names in a graph.
    """

    def __init__(self, l_cell: Any, r_cell: Any, output_prefix: str = "bi_") -> None:
        super().__init__(prefix="", params=None)
        self.register_child(l_cell, "l_cell")
        self.register_child(r_cell, "r_cell")
        self._output_prefix = output_prefix

    def __call__(self, inputs: A, states: Any) -> tuple[A, list[A]]:  # type: ignore[override]
        """Raise an error, because the backward cell needs the whole sequence. Call :meth:`unroll` instead.

        Parameters
        ----------
        inputs, states : object
            Ignored.

        Raises
        ------
        NotImplementedError
            Always.
        """
        raise NotImplementedError("Bidirectional cannot be stepped. Please use unroll")

    def __repr__(self) -> str:
        forward, backward = self._children.values()
        return f"{type(self).__name__}(forward={forward}, backward={backward})"

    def state_info(self, batch_size: int = 0) -> list[dict[str, Any]]:
        """Return the shapes and layouts of the states of both cells.

        Parameters
        ----------
        batch_size : int
            Number of examples in a batch.

        Returns
        -------
        list of dict
            Shape and layout of each state.
        """
        return [info for cell in self._children.values() for info in cell.state_info(batch_size)]

    def begin_state(self, **kwargs: Any) -> list[Any]:  # type: ignore[override]
        """Return the initial states of both cells as one list.

        Parameters
        ----------
        **kwargs
            Arguments of each cell's ``begin_state``.

        Returns
        -------
        list
            The states.
        """
        _check_not_modified(self)
        return [s for cell in self._children.values() for s in cell.begin_state(**kwargs)]

    def unroll(
        self,
        length: int,
        inputs: Any,
        begin_state: Any = None,
        layout: str = "NTC",
        merge_outputs: bool | None = None,
        valid_length: Any = None,
    ) -> tuple[Any, Any]:
        """Run both cells over a sequence.

        The parameters are those of :meth:`RecurrentCell.unroll`.

        Returns
        -------
        tuple
            The outputs of all steps, and the list of states after the last step.
        """
        self.reset()
        inputs, axis, F, batch_size = format_sequence(length, inputs, layout, False)
        begin_state = first_states(self, F, begin_state, inputs, batch_size)

        forward, backward = self._children.values()
        count = len(forward.state_info(batch_size))
        reversed_inputs = reverse_sequences(inputs, length, valid_length)
        outputs, states = forward.unroll(length, inputs, begin_state[:count], layout, merge_outputs, valid_length)
        back_outputs, back_states = backward.unroll(
            length, reversed_inputs, begin_state[count:], layout, False, valid_length
        )
        back_outputs = reverse_sequences(back_outputs, length, valid_length)
        merge = isinstance(outputs, tensor_types) if merge_outputs is None else merge_outputs
        if merge:
            outputs, _, _, _ = format_sequence(None, outputs, layout, True)
            back = F.stack(*back_outputs, axis=axis)
            both: Any = F.concat(outputs, back, dim=2, name=f"{self._output_prefix}out")
        else:
            both = [
                F.concat(a, b, dim=1, name=f"{self._output_prefix}t{i}")
                for i, (a, b) in enumerate(zip(outputs, back_outputs, strict=True))
            ]
        if valid_length is not None:
            both = mask_sequence(F, both, length, valid_length, axis, merge)
        return both, [*states, *back_states]
