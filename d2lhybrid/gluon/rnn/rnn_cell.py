"""Recurrent cells, which run one step of a recurrent network."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from ... import ndarray as nd
from ...util import names_of_the_package
from ..block import Block, overridable
from ..hybrid_block import HybridBlock
from ..nn.activations import LeakyReLU
from .sequence import first_states, format_sequence, mask_sequence, reverse_sequences

if TYPE_CHECKING:
    from ...typing import Tensor

__all__ = ["GRUCell", "HybridRecurrentCell", "LSTMCell", "RNNCell", "RecurrentCell"]


class RecurrentCell(Block):
    """The base class of all recurrent cells.

    A cell takes the input of one step and a list of states. It returns the output and a list of new states.

    Parameters
    ----------
    prefix, params
        Arguments of :class:`~d2lhybrid.gluon.Block`.
    """

    def __init__(self, prefix: str | None = None, params: Any = None) -> None:
        super().__init__(prefix=prefix, params=params)
        self._modified = False
        self.reset()

    def reset(self) -> None:
        """Reset the counters of steps and of initial states in this cell and its children.

        The names of a graph's nodes contain these counters. Call this method before you use the cell in another graph.
        """
        self._init_counter = self._counter = -1
        for cell in self._children.values():
            if isinstance(cell, RecurrentCell):
                cell.reset()

    def state_info(self, batch_size: int = 0) -> list[dict[str, Any]]:
        """Return the shape and layout of each state. Subclasses override this method.

        Parameters
        ----------
        batch_size : int
            Number of sequences in a batch; 0 if it is unknown.

        Returns
        -------
        list of dict
            For each state, its ``shape`` and its ``__layout__``, such as ``"NC"``.

        Raises
        ------
        NotImplementedError
            If the subclass does not override this method.
        """
        raise NotImplementedError

    def begin_state(self, batch_size: int = 0, func: Callable[..., Any] = nd.zeros, **kwargs: Any) -> list[Any]:
        """Return the initial states.

        Parameters
        ----------
        batch_size : int
            Number of sequences; 0 for symbols.
        func : callable
            Function that creates a state, such as ``nd.zeros``, ``sym.zeros``, or ``sym.var``.
        **kwargs
            Additional arguments of ``func``, such as ``ctx`` and ``dtype``.

        Returns
        -------
        list of NDArray or of Symbol
            The states.

        Raises
        ------
        AssertionError
            If a modifier cell wraps this cell. Call the modifier cell's method instead.
        """
        _check_not_modified(self)
        states = []
        for info in self.state_info(batch_size):
            self._init_counter += 1
            name = f"{self._prefix}begin_state_{self._init_counter}"
            states.append(make_state(func, name, {**info, **kwargs}))
        return states

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

        Parameters
        ----------
        length : int
            Number of steps.
        inputs : NDArray, Symbol, or list of these
            The sequence as a tensor, or a list of the inputs of its steps.
        begin_state : list, optional
            The initial states; zeros by default.
        layout : str
            Layout of tensors: ``"NTC"`` or ``"TNC"``.
        merge_outputs : bool, optional
            Whether to return the outputs as a tensor (True) or as a list (False). By default, the result is a tensor if
            ``valid_length`` is specified, and a list otherwise.
        valid_length : NDArray or Symbol, optional
            Number of valid steps of each sequence. The outputs of later steps are zero, and the final states are those
            after the last valid step.

        Returns
        -------
        tuple
            The outputs and the final states.
        """
        self.reset()
        inputs, axis, F, batch_size = format_sequence(length, inputs, layout, False)
        states = first_states(self, F, begin_state, inputs, batch_size)
        outputs: Any = []
        history = []
        for step in inputs:
            output, states = self(step, states)
            outputs.append(output)
            history.append(states)
        if valid_length is not None:
            states = [
                F.SequenceLast(F.stack(*values, axis=0), sequence_length=valid_length, use_sequence_length=True, axis=0)
                for values in zip(*history, strict=True)
            ]
            outputs = mask_sequence(F, outputs, length, valid_length, axis, True)
        outputs, _, _, _ = format_sequence(length, outputs, layout, merge_outputs)
        return outputs, states

    def _get_activation(self, F: Any, inputs: Any, activation: Any, **kwargs: Any) -> Any:
        """Apply an activation function, specified as a name or as a layer."""
        if activation in ("tanh", "relu", "sigmoid", "softsign"):
            return getattr(F, activation)(inputs, **kwargs)
        if isinstance(activation, str):
            return F.Activation(inputs, act_type=activation, **kwargs)
        if isinstance(activation, LeakyReLU):
            return F.LeakyReLU(inputs, act_type="leaky", slope=activation._alpha, **kwargs)
        return activation(inputs)

    @overridable
    def forward(self, inputs: Any, states: Any) -> tuple[Tensor, list[Tensor]] | Any:
        """Run one step of the cell.

        Parameters
        ----------
        inputs : NDArray or Symbol
            The input of this step.
        states : list of NDArray or of Symbol
            The states after the previous step.

        Returns
        -------
        tuple of output and list
            The output, and the states after this step.
        """
        self._counter += 1
        return super().forward(inputs, states)


class HybridRecurrentCell(RecurrentCell, HybridBlock):  # type: ignore[misc]
    """The base class of cells that can be hybridized."""

    @overridable
    def hybrid_forward(self, F: Any, x: Any, *args: Any, **kwargs: Any) -> tuple[Tensor, list[Tensor]] | Any:
        """Run one step of the cell. Subclasses override this method.

        The inputs and the states are those of :meth:`forward`.

        Parameters
        ----------
        F : module
            ``mx.nd`` or ``mx.sym``.
        x, *args : NDArray or Symbol
            The input of this step, and the list of states after the previous step.
        **kwargs : NDArray or Symbol
            The cell's own parameters, by attribute name.

        Returns
        -------
        tuple of output and list
            The output, and the states after this step.

        Raises
        ------
        NotImplementedError
            If the subclass does not override this method.
        """
        raise NotImplementedError


class _GatedCell(HybridRecurrentCell):
    """The base class of the basic cells. Each weight and each bias contains a block of rows for each gate."""

    _gates = 1

    def __init__(
        self,
        hidden_size: int,
        i2h_weight_initializer: Any = None,
        h2h_weight_initializer: Any = None,
        i2h_bias_initializer: Any = "zeros",
        h2h_bias_initializer: Any = "zeros",
        input_size: int = 0,
        prefix: str | None = None,
        params: Any = None,
    ) -> None:
        super().__init__(prefix=prefix, params=params)
        self._hidden_size, self._input_size = hidden_size, input_size
        rows = self._gates * hidden_size
        for name, shape, init in (
            ("i2h_weight", (rows, input_size), i2h_weight_initializer),
            ("h2h_weight", (rows, hidden_size), h2h_weight_initializer),
            ("i2h_bias", (rows,), i2h_bias_initializer),
            ("h2h_bias", (rows,), h2h_bias_initializer),
        ):
            setattr(self, name, self.params.get(name, shape=shape, init=init, allow_deferred_init=True))

    def _alias(self) -> str:
        return type(self).__name__.removesuffix("Cell").lower()

    def state_info(self, batch_size: int = 0) -> list[dict[str, Any]]:
        """Return the shape and layout of the state."""
        return [{"shape": (batch_size, self._hidden_size), "__layout__": "NC"}]

    def _project(self, F: Any, inputs: Any, state: Any, parameters: tuple[Any, ...]) -> tuple[Any, Any]:
        """Return the projections of the input and of the previous output, for all gates."""
        i2h_weight, h2h_weight, i2h_bias, h2h_bias = parameters
        rows, prefix = self._gates * self._hidden_size, f"t{self._counter}_"
        i2h = F.FullyConnected(inputs, i2h_weight, i2h_bias, num_hidden=rows, name=f"{prefix}i2h")
        h2h = F.FullyConnected(state, h2h_weight, h2h_bias, num_hidden=rows, name=f"{prefix}h2h")
        return i2h, h2h

    def _mapping(self) -> str:
        shape = self.i2h_weight.shape  # type: ignore[attr-defined]
        return f"{shape[1] or None} -> {shape[0]}"

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self._mapping()})"


class RNNCell(_GatedCell):
    """A plain recurrent cell: ``h' = activation(W x + b + U h + c)``.

    Parameters
    ----------
    hidden_size : int
        Number of elements of the output, which is also the state.
    activation : str or Block
        The activation function.
    i2h_weight_initializer, h2h_weight_initializer : Initializer or str, optional
        Initializers of the weights of the input and of the state.
    i2h_bias_initializer, h2h_bias_initializer : Initializer or str
        Initializers of the biases.
    input_size : int
        Size of the input. With 0, the first call infers the size.
    prefix, params
        Arguments of :class:`~d2lhybrid.gluon.Block`.

    Examples
    --------
    >>> from d2lhybrid import nd
    >>> cell = RNNCell(3)
    >>> cell.initialize()
    >>> output, states = cell(nd.ones((2, 4)), cell.begin_state(2))
    >>> output.shape, states[0].shape
    ((2, 3), (2, 3))
    """

    def __init__(
        self,
        hidden_size: int,
        activation: Any = "tanh",
        i2h_weight_initializer: Any = None,
        h2h_weight_initializer: Any = None,
        i2h_bias_initializer: Any = "zeros",
        h2h_bias_initializer: Any = "zeros",
        input_size: int = 0,
        prefix: str | None = None,
        params: Any = None,
    ) -> None:
        super().__init__(
            hidden_size, i2h_weight_initializer, h2h_weight_initializer, i2h_bias_initializer,
            h2h_bias_initializer, input_size, prefix, params,
        )  # fmt: skip
        self._activation = activation

    def hybrid_forward(  # type: ignore[override]
        self, F: Any, inputs: Any, states: Any, i2h_weight: Any, h2h_weight: Any, i2h_bias: Any, h2h_bias: Any
    ) -> tuple[Tensor, list[Tensor]]:
        """Run one step of the cell."""
        i2h, h2h = self._project(F, inputs, states[0], (i2h_weight, h2h_weight, i2h_bias, h2h_bias))
        prefix = f"t{self._counter}_"
        total = F.elemwise_add(i2h, h2h, name=f"{prefix}plus0")
        output = self._get_activation(F, total, self._activation, name=f"{prefix}out")
        return output, [output]

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self._mapping()}, {self._activation})"


class LSTMCell(_GatedCell):
    """A long short-term memory (LSTM) cell, whose gates control memory, input, and output.

    Parameters
    ----------
    hidden_size : int
        Number of elements of the output and of the memory, which are the two states.
    i2h_weight_initializer, h2h_weight_initializer, i2h_bias_initializer, h2h_bias_initializer, input_size
        Arguments of :class:`RNNCell`.
    prefix, params
        Arguments of :class:`~d2lhybrid.gluon.Block`.
    activation, recurrent_activation : str
        Names of the activation functions of the values and of the gates.
    """

    _gates = 4

    def __init__(
        self,
        hidden_size: int,
        i2h_weight_initializer: Any = None,
        h2h_weight_initializer: Any = None,
        i2h_bias_initializer: Any = "zeros",
        h2h_bias_initializer: Any = "zeros",
        input_size: int = 0,
        prefix: str | None = None,
        params: Any = None,
        activation: Any = "tanh",
        recurrent_activation: Any = "sigmoid",
    ) -> None:
        super().__init__(
            hidden_size, i2h_weight_initializer, h2h_weight_initializer, i2h_bias_initializer,
            h2h_bias_initializer, input_size, prefix, params,
        )  # fmt: skip
        self._activation, self._recurrent_activation = activation, recurrent_activation

    def state_info(self, batch_size: int = 0) -> list[dict[str, Any]]:
        """Return the shapes and layouts of the output and of the memory.

        Parameters
        ----------
        batch_size : int
            Number of examples in a batch.

        Returns
        -------
        list of dict
            Shape and layout of each state.
        """
        return super().state_info(batch_size) * 2

    def hybrid_forward(  # type: ignore[override]
        self, F: Any, inputs: Any, states: Any, i2h_weight: Any, h2h_weight: Any, i2h_bias: Any, h2h_bias: Any
    ) -> tuple[Tensor, list[Tensor]]:
        """Run one step of the cell."""
        i2h, h2h = self._project(F, inputs, states[0], (i2h_weight, h2h_weight, i2h_bias, h2h_bias))
        prefix = f"t{self._counter}_"
        gates = F.elemwise_add(i2h, h2h, name=f"{prefix}plus0")
        parts = F.SliceChannel(gates, num_outputs=4, name=f"{prefix}slice")
        gate, value = self._recurrent_activation, self._activation
        take_in = self._get_activation(F, parts[0], gate, name=f"{prefix}i")
        keep = self._get_activation(F, parts[1], gate, name=f"{prefix}f")
        new = self._get_activation(F, parts[2], value, name=f"{prefix}c")
        show = self._get_activation(F, parts[3], gate, name=f"{prefix}o")
        kept = F.elemwise_mul(keep, states[1], name=f"{prefix}mul0")
        added = F.elemwise_mul(take_in, new, name=f"{prefix}mul1")
        memory = F.elemwise_add(kept, added, name=f"{prefix}state")
        shown = F.Activation(memory, act_type=value, name=f"{prefix}activation0")
        output = F.elemwise_mul(show, shown, name=f"{prefix}out")
        return output, [output, memory]


class GRUCell(_GatedCell):
    """A gated recurrent unit (GRU). As in cuDNN, the reset gate multiplies the state's projection, not the state.

    Parameters
    ----------
    hidden_size : int
        Number of elements of the output, which is also the state.
    i2h_weight_initializer, h2h_weight_initializer, i2h_bias_initializer, h2h_bias_initializer, input_size
        Arguments of :class:`RNNCell`.
    prefix, params
        Arguments of :class:`~d2lhybrid.gluon.Block`.
    """

    _gates = 3

    def hybrid_forward(  # type: ignore[override]
        self, F: Any, inputs: Any, states: Any, i2h_weight: Any, h2h_weight: Any, i2h_bias: Any, h2h_bias: Any
    ) -> tuple[Tensor, list[Tensor]]:
        """Run one step of the cell."""
        old = states[0]
        i2h, h2h = self._project(F, inputs, old, (i2h_weight, h2h_weight, i2h_bias, h2h_bias))
        prefix = f"t{self._counter}_"
        i2h_r, i2h_z, i2h_new = F.SliceChannel(i2h, num_outputs=3, name=f"{prefix}i2h_slice")
        h2h_r, h2h_z, h2h_new = F.SliceChannel(h2h, num_outputs=3, name=f"{prefix}h2h_slice")
        reset = F.elemwise_add(i2h_r, h2h_r, name=f"{prefix}plus0")
        reset = F.Activation(reset, act_type="sigmoid", name=f"{prefix}r_act")
        update = F.elemwise_add(i2h_z, h2h_z, name=f"{prefix}plus1")
        update = F.Activation(update, act_type="sigmoid", name=f"{prefix}z_act")
        remembered = F.elemwise_mul(reset, h2h_new, name=f"{prefix}mul0")
        new = F.elemwise_add(i2h_new, remembered, name=f"{prefix}plus2")
        new = F.Activation(new, act_type="tanh", name=f"{prefix}h_act")
        ones = F.ones_like(update, name=f"{prefix}ones_like0")
        share = F.elemwise_sub(ones, update, name=f"{prefix}minus0")
        from_new = F.elemwise_mul(share, new, name=f"{prefix}mul1")
        from_old = F.elemwise_mul(update, old, name=f"{prefix}mul20")
        output = F.elemwise_add(from_new, from_old, name=f"{prefix}out")
        return output, [output]


def _check_not_modified(cell: RecurrentCell) -> None:
    if cell._modified:
        raise AssertionError(
            "After applying modifier cells (e.g. ZoneoutCell) the base cell cannot be called directly. "
            "Call the modifier cell instead."
        )


def make_state(func: Callable[..., Any], name: str, info: dict[str, Any]) -> Any:
    """Create an initial state with a function of ``mx.nd``, ``mx.sym``, or the user.

    Parameters
    ----------
    func : callable
        The function. A function of ``mx.nd`` receives neither the name nor the layout.
    name : str
        The name of the state's symbol.
    info : dict
        The state's shape and layout from ``state_info``, and additional arguments of the function.

    Returns
    -------
    NDArray or Symbol
        The state.
    """
    info = dict(info)
    layout = info.pop("__layout__")
    if func.__module__.startswith(nd.__name__):
        return func(**info)
    return func(name=name, attr={"__layout__": layout}, **info)


def _cells_state_info(cells: Any, batch_size: int) -> list[dict[str, Any]]:
    """Return the shapes and layouts of the states of all cells as one list."""
    return [info for cell in cells for info in cell.state_info(batch_size)]


def _cells_begin_state(cells: Any, **kwargs: Any) -> list[Any]:
    """Return the initial states of all cells as one list."""
    return [state for cell in cells for state in cell.begin_state(**kwargs)]


# User-defined cells import these names from this module.
_format_sequence, _get_begin_state = format_sequence, first_states
_mask_sequence_variable_length, _reverse_sequences = mask_sequence, reverse_sequences

if not TYPE_CHECKING:
    __getattr__ = names_of_the_package(__name__)
