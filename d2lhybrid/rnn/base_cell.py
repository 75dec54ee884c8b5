"""The base of all cells: parameters by name, initial states, and unrolling."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from .. import ndarray as nd
from .. import symbol as sym
from ..internals.support.display import Shown

__all__ = ["BaseRNNCell", "RNNParams", "as_sequence"]


def as_sequence(
    length: int | None, inputs: Any, layout: str, merge: bool | None, in_layout: str | None = None
) -> tuple[Any, int]:
    """Return a sequence as one symbol or as a list of its steps, and the axis of time.

    Parameters
    ----------
    length : int or None
        The number of steps.
    inputs : Symbol or list of Symbol
        The sequence.
    layout, in_layout : str
        The desired axes, and the present ones; ``T`` is time.
    merge : bool or None
        Whether to merge it into one symbol; None keeps it.
    """
    if inputs is None:
        raise AssertionError("unroll(inputs=None) has been deprecated. Please create input variables outside unroll.")
    axis = layout.find("T")
    in_axis = axis if in_layout is None else in_layout.find("T")
    if isinstance(inputs, sym.Symbol):
        if merge is False:
            if len(inputs.list_outputs()) != 1:
                raise AssertionError(
                    "unroll doesn't allow grouped symbol as input. Please convert to list with list(inputs) first or "
                    "let unroll handle splitting."
                )
            count: Any = len(inputs) if length is None else length
            inputs = list(sym.split(inputs, axis=in_axis, num_outputs=count, squeeze_axis=True))
    else:
        if length is not None and len(inputs) != length:
            raise AssertionError(f"there are {len(inputs)} inputs for {length} steps")
        if merge is True:
            inputs = sym.Concat(*[sym.expand_dims(i, axis=axis) for i in inputs], dim=axis)
            in_axis = axis
    if isinstance(inputs, sym.Symbol) and axis != in_axis:
        inputs = sym.swapaxes(inputs, dim1=axis, dim2=in_axis)
    return inputs, axis


class RNNParams(Shown):
    """The variables of cells, each created on first use.

    Parameters
    ----------
    prefix : str
        What all their names begin with.
    """

    def __init__(self, prefix: str = "") -> None:
        self._prefix = prefix
        self._params: dict[str, Any] = {}

    def get(self, name: str, **kwargs: Any) -> Any:
        """Return the variable of a name; keywords are for :func:`~d2lhybrid.symbol.var`, when it is made.

        Parameters
        ----------
        name : str
            The name, without the prefix.
        **kwargs : object
            What a new variable is made with.
        """
        full = self._prefix + name
        if full not in self._params:
            self._params[full] = sym.Variable(full, **kwargs)
        return self._params[full]


class BaseRNNCell(Shown):
    """The base of cells: a subclass makes one step, ``cell(inputs, states)``.

    Parameters
    ----------
    prefix : str
        What the names of parameters and nodes begin with.
    params : RNNParams, optional
        Variables of another cell, to be shared.
    """

    _num_hidden: int
    _cells: list[Any]

    def __init__(self, prefix: str = "", params: RNNParams | None = None) -> None:
        self._own_params = params is None
        self._prefix, self._params = prefix, RNNParams(prefix) if params is None else params
        self._modified = False
        self._init_counter = self._counter = -1

    def reset(self) -> None:
        """Begin again to count steps, before the cell is used for another graph."""
        self._init_counter = self._counter = -1
        for cell in getattr(self, "_cells", ()):
            cell.reset()

    def __call__(self, inputs: Any, states: Any) -> tuple[Any, Any]:
        """Make one step.

        Parameters
        ----------
        inputs : Symbol
            Of one step.
        states : list of Symbol
            Of the step before, or :meth:`begin_state`.

        Returns
        -------
        Symbol, list of Symbol
            The output, and the new states.
        """
        raise NotImplementedError

    def _step_name(self) -> str:
        """Count a step, and return the prefix of its nodes' names."""
        self._counter += 1
        return f"{self._prefix}t{self._counter}_"

    @property
    def params(self) -> RNNParams:
        """The variables, which all callers share."""
        self._own_params = False
        return self._params

    @property
    def state_info(self) -> Any:
        """Shape and layout of each state."""
        raise NotImplementedError

    @property
    def state_shape(self) -> list[Any]:
        """Shape of each state; 0 is the size of the batch."""
        return [info["shape"] for info in self.state_info]

    @property
    def _gate_names(self) -> Sequence[str]:
        return ()

    def begin_state(self, func: Callable[..., Any] = sym.zeros, **kwargs: Any) -> list[Any]:
        """Return first states.

        Parameters
        ----------
        func : callable
            What makes one: ``sym.zeros``, or ``sym.Variable`` for states that are inputs.
        **kwargs
            For this function.

        Raises
        ------
        AssertionError
            If the cell is inside of another one, which has to be asked.
        """
        self._refuse_modified()
        states = []
        for info in self.state_info:
            self._init_counter += 1
            states.append(func(name=f"{self._prefix}begin_state_{self._init_counter}", **{**kwargs, **(info or {})}))
        return states

    def _refuse_modified(self) -> None:
        if self._modified:
            raise AssertionError(
                "After applying modifier cells (e.g. DropoutCell) the base cell cannot be called directly. Call the "
                "modifier cell instead."
            )

    def unpack_weights(self, args: dict[str, Any]) -> dict[str, Any]:
        """Return parameters with those of this cell divided by gates.

        Parameters
        ----------
        args : dict of str to NDArray
            Parameters, of which those of other cells stay.
        """
        found = dict(args)
        size = self._num_hidden if self._gate_names else 0
        for group in ("i2h", "h2h") if self._gate_names else ():
            for kind in ("weight", "bias"):
                whole = found.pop(f"{self._prefix}{group}_{kind}")
                for j, gate in enumerate(self._gate_names):
                    found[f"{self._prefix}{group}{gate}_{kind}"] = whole[j * size : (j + 1) * size].copy()
        return found

    def pack_weights(self, args: dict[str, Any]) -> dict[str, Any]:
        """Return parameters with those of this cell joined again: undoes :meth:`unpack_weights`."""
        found = dict(args)
        for group in ("i2h", "h2h") if self._gate_names else ():
            for kind in ("weight", "bias"):
                parts = [found.pop(f"{self._prefix}{group}{gate}_{kind}") for gate in self._gate_names]
                found[f"{self._prefix}{group}_{kind}"] = nd.concatenate(parts)
        return found

    def unroll(
        self,
        length: int,
        inputs: Any,
        begin_state: Any = None,
        layout: str = "NTC",
        merge_outputs: bool | None = None,
    ) -> tuple[Any, Any]:
        """Make all steps of a sequence.

        Parameters
        ----------
        length : int
            The number of steps.
        inputs : Symbol or list of Symbol
            The sequence, or its steps.
        begin_state : list of Symbol, optional
            First states; by default :meth:`begin_state`.
        layout : str
            The axes of a sequence that is one symbol.
        merge_outputs : bool, optional
            Whether the outputs are one symbol, or a list of steps.

        Returns
        -------
        outputs, states
            The outputs of all steps, and the states after the last.
        """
        self.reset()
        steps, _ = as_sequence(length, inputs, layout, False)
        states = self.begin_state() if begin_state is None else begin_state
        outputs = []
        for i in range(length):
            output, states = self(steps[i], states)
            outputs.append(output)
        return as_sequence(length, outputs, layout, merge_outputs)[0], states

    def _get_activation(self, inputs: Any, activation: Any, **kwargs: Any) -> Any:
        named: dict[str, Any] = {"act_type": activation}
        return (
            sym.Activation(inputs, **named, **kwargs) if isinstance(activation, str) else activation(inputs, **kwargs)
        )
