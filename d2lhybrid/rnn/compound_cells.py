"""Cells that consist of other cells: a stack of cells, and a bidirectional cell."""

from __future__ import annotations

from typing import Any

from .. import symbol as sym
from .base_cell import BaseRNNCell, RNNParams, as_sequence

__all__ = ["BidirectionalCell", "SequentialRNNCell"]


class _Compound(BaseRNNCell):
    """The base class of cells that contain other cells."""

    @property
    def state_info(self) -> list[Any]:
        """The shapes and layouts of all states."""
        return [info for cell in self._cells for info in cell.state_info]

    def begin_state(self, **kwargs: Any) -> list[Any]:  # type: ignore[override]
        """Return the initial states of all cells."""
        self._refuse_modified()
        return [state for cell in self._cells for state in cell.begin_state(**kwargs)]

    def unpack_weights(self, args: dict[str, Any]) -> dict[str, Any]:
        """Return a copy of the parameters, in which the parameters of all cells are split by gates."""
        for cell in self._cells:
            args = cell.unpack_weights(args)
        return args

    def pack_weights(self, args: dict[str, Any]) -> dict[str, Any]:
        """Return a copy of the parameters, in which the parameters of all cells are joined."""
        for cell in self._cells:
            args = cell.pack_weights(args)
        return args


class SequentialRNNCell(_Compound):
    """A stack of cells. The output of each cell is the input of the next cell.

    Parameters
    ----------
    params : RNNParams, optional
        Variables that all cells share.
    """

    def __init__(self, params: RNNParams | None = None) -> None:
        super().__init__(prefix="", params=params)
        self._override_cell_params = params is not None
        self._cells: list[Any] = []

    def add(self, cell: Any) -> None:
        """Add a cell on top of the stack.

        Parameters
        ----------
        cell : BaseRNNCell
            The cell.

        Raises
        ------
        AssertionError
            If both the cell and the stack were created with ``params``.
        """
        if self._override_cell_params:
            if not cell._own_params:
                raise AssertionError("Either specify params for SequentialRNNCell or child cells, not both.")
            cell.params._params.update(self.params._params)
        self._cells.append(cell)
        self.params._params.update(cell.params._params)

    def __call__(self, inputs: Any, states: Any) -> tuple[Any, Any]:
        """Create the nodes of one step of all cells."""
        self._counter += 1
        following, begin = [], 0
        for cell in self._cells:
            if isinstance(cell, BidirectionalCell):
                raise AssertionError(
                    f"a {type(self).__name__} with a BidirectionalCell cannot run a single step: call unroll()"
                )
            end = begin + len(cell.state_info)
            inputs, new = cell(inputs, states[begin:end])
            following.extend(new)
            begin = end
        return inputs, following

    def unroll(
        self, length: int, inputs: Any, begin_state: Any = None, layout: str = "NTC", merge_outputs: bool | None = None
    ) -> tuple[Any, Any]:
        """Create the nodes of all steps of each cell, cell by cell; see :meth:`BaseRNNCell.unroll`.

        Returns
        -------
        tuple of (Symbol or list of Symbol, list of Symbol)
            The outputs, and the states after the last step.
        """
        self.reset()
        states = self.begin_state() if begin_state is None else begin_state
        following, begin = [], 0
        for cell in self._cells:
            end = begin + len(cell.state_info)
            merge = merge_outputs if cell is self._cells[-1] else None
            inputs, new = cell.unroll(
                length, inputs=inputs, begin_state=states[begin:end], layout=layout, merge_outputs=merge
            )
            following.extend(new)
            begin = end
        return inputs, following


class BidirectionalCell(_Compound):
    """A pair of cells that process a sequence in opposite directions.

    Parameters
    ----------
    l_cell, r_cell : BaseRNNCell
        The forward cell and the backward cell.
    params : RNNParams, optional
        Variables that both cells share.
    output_prefix : str
        Prefix of the names of the outputs.

    Raises
    ------
    AssertionError
        If ``params`` is specified, and a cell was also created with ``params``.
    """

    def __init__(self, l_cell: Any, r_cell: Any, params: RNNParams | None = None, output_prefix: str = "bi_") -> None:
        super().__init__("", params=params)
        self._output_prefix = output_prefix
        if params is not None:
            if not (l_cell._own_params and r_cell._own_params):
                raise AssertionError("Either specify params for BidirectionalCell or child cells, not both.")
            for cell in (l_cell, r_cell):
                cell.params._params.update(self.params._params)
        for cell in (l_cell, r_cell):
            self.params._params.update(cell.params._params)
        self._cells = [l_cell, r_cell]

    def __call__(self, inputs: Any, states: Any) -> tuple[Any, Any]:
        """Raise an error, because the second cell starts at the end of the sequence."""
        raise NotImplementedError("Bidirectional cannot be stepped. Please use unroll")

    def unroll(
        self, length: int, inputs: Any, begin_state: Any = None, layout: str = "NTC", merge_outputs: bool | None = None
    ) -> tuple[Any, Any]:
        """Create the nodes of all steps of both cells, and concatenate the outputs; see :meth:`BaseRNNCell.unroll`.

        Returns
        -------
        tuple of (Symbol or list of Symbol, list of Symbol)
            The outputs, and the states after the last step.
        """
        self.reset()
        steps, axis = as_sequence(length, inputs, layout, False)
        states = self.begin_state() if begin_state is None else begin_state
        left, right = self._cells
        count = len(left.state_info)
        forth, forth_states = left.unroll(
            length, inputs=steps, begin_state=states[:count], layout=layout, merge_outputs=merge_outputs
        )
        back, back_states = right.unroll(
            length, inputs=list(reversed(steps)), begin_state=states[count:], layout=layout, merge_outputs=merge_outputs
        )
        merge = merge_outputs
        if merge is None:
            merge = isinstance(forth, sym.Symbol) and isinstance(back, sym.Symbol)
            if not merge:
                forth, back = (as_sequence(length, part, layout, False)[0] for part in (forth, back))
        if merge:
            back = sym.reverse(back, axis=axis)
            outputs: Any = sym.Concat(forth, back, dim=2, name=f"{self._output_prefix}out")
        else:
            pairs = zip(forth, reversed(list(back)), strict=True)
            outputs = [sym.Concat(f, b, dim=1, name=f"{self._output_prefix}t{i}") for i, (f, b) in enumerate(pairs)]
        return outputs, [forth_states, back_states]
