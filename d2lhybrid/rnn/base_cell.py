"""The base class of all cells, with named parameters, initial states, and unrolling."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from .. import ndarray as nd
from .. import symbol as sym
from ..internals.support.display import Shown
from ..internals.support.plural import counted

__all__ = ["BaseRNNCell", "RNNParams", "as_sequence"]


def as_sequence(
    length: int | None, inputs: Any, layout: str, merge: bool | None, in_layout: str | None = None
) -> tuple[Any, int]:
    """Convert a sequence to one symbol or to a list of steps, and return the result and the index of the time axis.

    Parameters
    ----------
    length : int or None
        The number of steps.
    inputs : Symbol or list of Symbol
        The sequence.
    layout, in_layout : str
        The layout of the result, and the layout of ``inputs``. ``T`` is the time axis.
    merge : bool or None
        True for one symbol, False for a list of steps, or None to keep the form.

    Returns
    -------
    tuple of (Symbol or list of Symbol, int)
        The sequence, and the index of the time axis.

    Raises
    ------
    AssertionError
        If ``inputs`` is None, if a symbol to split has several outputs, or if a list does not have ``length`` steps.
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
            raise AssertionError(f"inputs has {counted(len(inputs), 'step')}, but length is {length}")
        if merge is True:
            inputs = sym.Concat(*[sym.expand_dims(i, axis=axis) for i in inputs], dim=axis)
            in_axis = axis
    if isinstance(inputs, sym.Symbol) and axis != in_axis:
        inputs = sym.swapaxes(inputs, dim1=axis, dim2=in_axis)
    return inputs, axis


class RNNParams(Shown):
    """A dictionary of the variables of cells, which creates each variable on first use.

    Parameters
    ----------
    prefix : str
        Prefix of the names of all variables.
    """

    def __init__(self, prefix: str = "") -> None:
        self._prefix = prefix
        self._params: dict[str, Any] = {}

    def get(self, name: str, **kwargs: Any) -> Any:
        """Return the variable with the given name. On first use, create the variable.

        Parameters
        ----------
        name : str
            The name, without the prefix.
        **kwargs : object
            Arguments of :func:`~d2lhybrid.symbol.var` for a new variable.

        Returns
        -------
        Symbol
            The variable.
        """
        full = self._prefix + name
        if full not in self._params:
            self._params[full] = sym.Variable(full, **kwargs)
        return self._params[full]


class BaseRNNCell(Shown):
    """The base class of cells. A subclass defines one step, ``cell(inputs, states)``.

    Parameters
    ----------
    prefix : str
        Prefix of the names of parameters and nodes.
    params : RNNParams, optional
        Variables of another cell, which this cell shares.
    """

    _num_hidden: int
    _cells: list[Any]

    def __init__(self, prefix: str = "", params: RNNParams | None = None) -> None:
        self._own_params = params is None
        self._prefix, self._params = prefix, RNNParams(prefix) if params is None else params
        self._modified = False
        self._init_counter = self._counter = -1

    def reset(self) -> None:
        """Reset the step counter before the cell is used in another graph."""
        self._init_counter = self._counter = -1
        for cell in getattr(self, "_cells", ()):
            cell.reset()

    def __call__(self, inputs: Any, states: Any) -> tuple[Any, Any]:
        """Create the nodes of one step.

        Parameters
        ----------
        inputs : Symbol
            Input of the step.
        states : list of Symbol
            States after the previous step, or the result of :meth:`begin_state`.

        Returns
        -------
        tuple of (Symbol, list of Symbol)
            The output and the new states.
        """
        raise NotImplementedError

    def _step_name(self) -> str:
        """Increment the step counter, and return the prefix of the step's nodes."""
        self._counter += 1
        return f"{self._prefix}t{self._counter}_"

    @property
    def params(self) -> RNNParams:
        """The variables of this cell. Another cell may share and change these variables."""
        self._own_params = False
        return self._params

    @property
    def state_info(self) -> Any:
        """The shape and layout of each state. Subclasses override this property."""
        raise NotImplementedError

    @property
    def state_shape(self) -> list[Any]:
        """The shape of each state, with 0 for the unknown batch size."""
        return [info["shape"] for info in self.state_info]

    @property
    def _gate_names(self) -> Sequence[str]:
        return ()

    def begin_state(self, func: Callable[..., Any] = sym.zeros, **kwargs: Any) -> list[Any]:
        """Return the initial states.

        Parameters
        ----------
        func : callable
            Function that creates a state: ``sym.zeros``, or ``sym.Variable`` for states that are inputs.
        **kwargs
            Arguments of ``func``.

        Returns
        -------
        list of Symbol
            The states.

        Raises
        ------
        AssertionError
            If a modifier cell wraps the cell. Call the modifier cell's method instead.
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
        """Return a copy of a dictionary of parameters in which this cell's parameters are split by gates.

        Parameters
        ----------
        args : dict of str to NDArray
            Parameters by name. Parameters of other cells stay unchanged.

        Returns
        -------
        dict of str to NDArray
            The copy.
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
        """Return a copy of a dictionary of parameters in which this cell's parameters are joined.

        This method inverts :meth:`unpack_weights`.

        Parameters
        ----------
        args : dict of str to NDArray
            The parameters by name, split by gates.

        Returns
        -------
        dict of str to NDArray
            The copy.
        """
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
        """Create the nodes of all steps of a sequence.

        Parameters
        ----------
        length : int
            The number of steps.
        inputs : Symbol or list of Symbol
            The sequence, or a list of its steps.
        begin_state : list of Symbol, optional
            Initial states; by default, the result of :meth:`begin_state`.
        layout : str
            Layout of a sequence that is a single symbol: ``"NTC"`` or ``"TNC"``.
        merge_outputs : bool, optional
            Whether to return the outputs as a single symbol instead of a list of steps.

        Returns
        -------
        tuple
            The outputs of all steps, and the states after the last step.
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
