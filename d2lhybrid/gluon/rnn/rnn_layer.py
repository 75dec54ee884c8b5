"""Recurrent layers. One operator processes whole sequences, in several layers and in one or both directions."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, overload

from ... import ndarray as nd
from ... import symbol as sym
from ...error import MXNetError
from ...internals.support.plural import counted
from ...util import is_np_array, unknown_size
from ..hybrid_block import HybridBlock, operators
from ..parameter import tensor_types
from .compound_cell import BidirectionalCell, DropoutCell, HybridSequentialRNNCell
from .rnn_cell import GRUCell, LSTMCell, RNNCell, make_state

if TYPE_CHECKING:
    from ..calls import A

__all__ = ["GRU", "LSTM", "RNN"]

_GATES = {"rnn_relu": 1, "rnn_tanh": 1, "lstm": 4, "gru": 3}


class _RNNLayer(HybridBlock):
    """The base class of the recurrent layers.

    The parameters of layer ``i`` are ``l<i>_i2h_weight``, ``l<i>_h2h_weight``, ``l<i>_i2h_bias``, and
    ``l<i>_h2h_bias``, with ``r<i>_`` for the backward direction. The operator takes one vector of all
    weights, followed by all biases.
    """

    def __init__(
        self,
        hidden_size: int,
        num_layers: int,
        layout: str,
        dropout: float,
        bidirectional: bool,
        input_size: int,
        i2h_weight_initializer: Any,
        h2h_weight_initializer: Any,
        i2h_bias_initializer: Any,
        h2h_bias_initializer: Any,
        mode: str,
        dtype: Any,
        projection_size: int | None = None,
        h2r_weight_initializer: Any = None,
        clip: tuple[Any, Any, bool] = (None, None, False),
        use_sequence_length: bool = False,
        **kwargs: Any,
    ) -> None:
        super().__init__(**kwargs)
        if layout not in ("TNC", "NTC"):
            raise AssertionError(f"Invalid layout {layout}; must be one of ['TNC' or 'NTC']")
        self._hidden_size, self._num_layers, self._mode = hidden_size, num_layers, mode
        self._layout, self._dropout, self._dtype = layout, dropout, dtype
        self._projection_size = projection_size or None
        self._dir = 2 if bidirectional else 1
        self._input_size = input_size
        self._initializers = {
            "i2h_weight": i2h_weight_initializer,
            "h2h_weight": h2h_weight_initializer,
            "i2h_bias": i2h_bias_initializer,
            "h2h_bias": h2h_bias_initializer,
            "h2r_weight": h2r_weight_initializer,
        }
        self._clip = clip
        self._use_sequence_length = use_sequence_length
        self.skip_states: bool | None = None
        self._gates = _GATES[mode]
        out_size = self._projection_size or hidden_size
        rows = self._gates * hidden_size
        for direction, layer in self._directions():
            in_size = input_size if layer == 0 else out_size * self._dir
            shapes: dict[str, tuple[int, ...]] = {
                "i2h_weight": (rows, in_size),
                "h2h_weight": (rows, out_size),
                "i2h_bias": (rows,),
                "h2h_bias": (rows,),
            }
            if self._projection_size:
                shapes["h2r_weight"] = (self._projection_size, hidden_size)
            for name, shape in shapes.items():
                full = f"{direction}{layer}_{name}"
                parameter = self.params.get(
                    full, shape=shape, init=self._initializers[name], allow_deferred_init=True, dtype=dtype
                )
                setattr(self, full, parameter)

    def _directions(self) -> list[tuple[str, int]]:
        """Return ``("l", 0), ("r", 0), ("l", 1) ...`` in the operator's order."""
        return [(d, i) for i in range(self._num_layers) for d in ("l", "r")[: self._dir]]

    def __repr__(self) -> str:
        shape = self.l0_i2h_weight.shape  # type: ignore[attr-defined]
        text = f"{shape[1] or None} -> {shape[0] // self._gates}, {self._layout}"
        if self._num_layers != 1:
            text += f", num_layers={self._num_layers}"
        if self._dropout != 0:
            text += f", dropout={self._dropout}"
        if self._dir == 2:
            text += ", bidirectional"
        return f"{type(self).__name__}({text})"

    def _collect_params_with_prefix(self, prefix: str = "") -> dict[str, Any]:
        """Return the parameters by structural name. The names are equal to those in the equivalent stack of cells."""
        prefix += "." if prefix else ""
        params = {}
        for name, parameter in self._reg_params.items():
            place, _, own = name.partition("_")
            cell = f"{place[0]}_cell." if self._dir == 2 else ""
            params[f"{prefix}_unfused.{place[1:]}.{cell}{own}"] = parameter
        return params

    def state_info(self, batch_size: int = 0) -> list[dict[str, Any]]:
        """Return the shape, layout, and element type of each state."""
        layers = self._num_layers * self._dir
        sizes = [self._projection_size or self._hidden_size]
        if self._mode == "lstm":
            sizes.append(self._hidden_size)
        return [{"shape": (layers, batch_size, size), "__layout__": "LNC", "dtype": self._dtype} for size in sizes]

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
        """
        states = []
        for i, info in enumerate(self.state_info(batch_size)):
            state = make_state(func, f"{self.prefix}h0_{i}", {**info, **kwargs})
            states.append(state.as_np_ndarray() if is_np_array() else state)
        return states

    def cast(self, dtype: Any) -> None:
        """Convert the parameters and the states to another element type."""
        super().cast(dtype)
        self._dtype = dtype

    if TYPE_CHECKING:

        @overload
        def __call__(self, inputs: A, states: None = None, sequence_length: Any = None, **kwargs: Any) -> A: ...
        @overload
        def __call__(self, inputs: A, states: Any, sequence_length: Any = None, **kwargs: Any) -> tuple[A, list[A]]: ...

    def __call__(  # type: ignore[override]
        self, inputs: Any, states: Any = None, sequence_length: Any = None, **kwargs: Any
    ) -> Any:
        """Run the layers over sequences.

        Parameters
        ----------
        inputs : NDArray or Symbol
            The sequences.
        states : NDArray or list, optional
            The initial states. If None, they are zeros, and the final states are not returned.
        sequence_length : NDArray, optional
            The length of each sequence, for a layer with ``use_sequence_length``.

        Returns
        -------
        NDArray, or tuple of NDArray and list
            The outputs of all steps, and the final states if ``states`` is not None.

        Raises
        ------
        MXNetError
            If the number of states is wrong.
        """
        skip = states is None
        if skip is not self.skip_states:
            self.skip_states = skip
            self._clear_cached_op()  # a graph always returns the states or never
        if states is None:
            if isinstance(inputs, nd.NDArray):
                states = self.begin_state(inputs.shape[self._layout.find("N")], ctx=inputs.context, dtype=inputs.dtype)
            else:
                states = self.begin_state(unknown_size(), func=sym.zeros)
        if isinstance(states, tensor_types):
            states = [states]
        self._check_number(states)
        arguments = (sequence_length,) if self._use_sequence_length else ()
        return super().__call__(inputs, states, *arguments, **kwargs)

    def _check_number(self, states: Any) -> None:
        """Raise an error unless the number of states matches the layer (an LSTM's states don't fit a GRU)."""
        expected = 2 if self._mode == "lstm" else 1
        if len(states) == expected:
            return
        others = 3 if self._use_sequence_length else 2
        error = MXNetError(
            f"Check failed: num_inputs == infered_num_inputs ({len(states) + others} vs. {expected + others}) : "
            f"Operator RNN expects {expected + others} inputs, but got {len(states) + others} instead."
        )
        error.add_note(
            f"Pass {counted(expected, 'state')} to {type(self).__name__}. Create initial states with begin_state()."
        )
        raise error

    def hybrid_forward(  # type: ignore[override]
        self, F: Any, inputs: Any, states: Any, sequence_length: Any = None, **kwargs: Any
    ) -> Any:
        """Compute the output. ``F`` is ``mx.nd`` or ``mx.sym``."""
        if F is nd:
            batch_size = inputs.shape[self._layout.find("N")]
            for state, info in zip(states, self.state_info(batch_size), strict=False):
                if state.shape != info["shape"]:
                    raise ValueError(f"Invalid recurrent state shape. Expecting {info['shape']}, got {state.shape}.")
        op = operators(F)
        if self._layout == "NTC":
            inputs = op.swapaxes(inputs, 0, 1)
        result = op.RNN(
            inputs,
            self._one_vector(F, kwargs),
            states[0],
            states[1] if self._mode == "lstm" else None,
            sequence_length,
            use_sequence_length=self._use_sequence_length,
            state_size=self._hidden_size,
            projection_size=self._projection_size,
            num_layers=self._num_layers,
            bidirectional=self._dir == 2,
            p=self._dropout,
            state_outputs=True,
            mode=self._mode,
            lstm_state_clip_min=self._clip[0],
            lstm_state_clip_max=self._clip[1],
            lstm_state_clip_nan=self._clip[2],
        )
        outputs = result[0]
        if self._layout == "NTC":
            outputs = op.swapaxes(outputs, 0, 1)
        if self.skip_states:
            return outputs
        return outputs, [result[i] for i in range(1, 3 if self._mode == "lstm" else 2)]

    def _one_vector(self, F: Any, parameters: dict[str, Any]) -> Any:
        """Return all parameters as one vector in the operator's order: the weights of all layers, then the biases."""
        names = []
        for kind in ("weight", "bias"):
            for direction, layer in self._directions():
                parts = ["i2h", "h2h"]
                if kind == "weight" and self._projection_size:
                    parts.append("h2r")
                names += [f"{direction}{layer}_{part}_{kind}" for part in parts]
        flat = [parameters[name].reshape(-1) for name in names]
        concatenate = F.np._internal.rnn_param_concat if is_np_array() else F._internal._rnn_param_concat
        return concatenate(*flat, dim=0)

    def _unfuse(self) -> HybridSequentialRNNCell:
        """Return a stack of cells that computes the same function with the same parameters.

        Raises
        ------
        AssertionError
            If the layer has a projection, because the cells have none.
        """
        if self._projection_size:
            raise AssertionError("_unfuse does not support projection layer yet!")
        make_cell: Callable[..., Any] = {"lstm": LSTMCell, "gru": GRUCell}.get(self._mode, RNNCell)
        settings = {f"{k}_initializer": v for k, v in self._initializers.items() if k != "h2r_weight"}
        if make_cell is RNNCell:
            settings["activation"] = self._mode.removeprefix("rnn_")
        row = HybridSequentialRNNCell(prefix=self.prefix, params=self.params)
        with row.name_scope():
            for i in range(self._num_layers):
                size = self._input_size if i == 0 else self._hidden_size * self._dir
                cells = [
                    make_cell(self._hidden_size, input_size=size, prefix=f"{d}{i}_", **settings)
                    for d in ("l", "r")[: self._dir]
                ]
                row.add(cells[0] if self._dir == 1 else BidirectionalCell(cells[0], cells[1]))
                if self._dropout > 0 and i != self._num_layers - 1:
                    row.add(DropoutCell(self._dropout))
        return row


class RNN(_RNNLayer):
    """A stack of plain recurrent layers: ``h' = activation(W x + b + U h + c)``.

    Parameters
    ----------
    hidden_size : int
        Number of elements of the state.
    num_layers : int
        Number of stacked layers.
    activation : str
        ``"relu"`` or ``"tanh"``.
    layout : str
        Layout of the sequences: ``"TNC"`` (time, batch, channels) or ``"NTC"``.
    dropout : float
        Dropout rate between the layers.
    bidirectional : bool
        Whether to process the sequence in both directions and concatenate the outputs.
    i2h_weight_initializer, h2h_weight_initializer : Initializer or str, optional
        Initializers of the weights of the input and of the state.
    i2h_bias_initializer, h2h_bias_initializer : Initializer or str
        Initializers of the biases.
    input_size : int
        Size of the input; by default inferred in the first call.
    dtype : str or numpy dtype
        Element type of the parameters.
    **kwargs
        ``prefix`` and ``params`` of :class:`~d2lhybrid.gluon.Block`.

    Examples
    --------
    >>> from d2lhybrid import nd
    >>> layer = RNN(3)
    >>> layer.initialize()
    >>> layer(nd.ones((5, 2, 4))).shape
    (5, 2, 3)
    """

    def __init__(
        self,
        hidden_size: int,
        num_layers: int = 1,
        activation: str = "relu",
        layout: str = "TNC",
        dropout: float = 0,
        bidirectional: bool = False,
        i2h_weight_initializer: Any = None,
        h2h_weight_initializer: Any = None,
        i2h_bias_initializer: Any = "zeros",
        h2h_bias_initializer: Any = "zeros",
        input_size: int = 0,
        dtype: Any = "float32",
        **kwargs: Any,
    ) -> None:
        super().__init__(
            hidden_size, num_layers, layout, dropout, bidirectional, input_size, i2h_weight_initializer,
            h2h_weight_initializer, i2h_bias_initializer, h2h_bias_initializer, f"rnn_{activation}", dtype,
            **kwargs,
        )  # fmt: skip


class LSTM(_RNNLayer):
    """A stack of LSTM layers.

    Parameters
    ----------
    hidden_size : int
        Number of elements of the memory, and of the output unless there is a projection.
    num_layers, layout, dropout, bidirectional, input_size
        Arguments of :class:`RNN`.
    i2h_weight_initializer, h2h_weight_initializer, i2h_bias_initializer, h2h_bias_initializer
        Arguments of :class:`RNN`.
    projection_size : int, optional
        Number of elements to which a projection maps the output of each step.
    h2r_weight_initializer : Initializer or str, optional
        Initializer of the projection.
    state_clip_min, state_clip_max : float, optional
        Bounds to which the memory is clipped after each step.
    state_clip_nan : bool
        Whether clipping also replaces NaN.
    dtype : str or numpy dtype
        Element type of the parameters.
    **kwargs
        ``prefix`` and ``params`` of :class:`~d2lhybrid.gluon.Block`.

    Examples
    --------
    >>> from d2lhybrid import nd
    >>> layer = LSTM(3, num_layers=2)
    >>> layer.initialize()
    >>> outputs, states = layer(nd.ones((5, 2, 4)), layer.begin_state(batch_size=2))
    >>> outputs.shape, [state.shape for state in states]
    ((5, 2, 3), [(2, 2, 3), (2, 2, 3)])
    """

    def __init__(
        self,
        hidden_size: int,
        num_layers: int = 1,
        layout: str = "TNC",
        dropout: float = 0,
        bidirectional: bool = False,
        input_size: int = 0,
        i2h_weight_initializer: Any = None,
        h2h_weight_initializer: Any = None,
        i2h_bias_initializer: Any = "zeros",
        h2h_bias_initializer: Any = "zeros",
        projection_size: int | None = None,
        h2r_weight_initializer: Any = None,
        state_clip_min: float | None = None,
        state_clip_max: float | None = None,
        state_clip_nan: bool = False,
        dtype: Any = "float32",
        **kwargs: Any,
    ) -> None:
        super().__init__(
            hidden_size, num_layers, layout, dropout, bidirectional, input_size, i2h_weight_initializer,
            h2h_weight_initializer, i2h_bias_initializer, h2h_bias_initializer, "lstm", dtype,
            projection_size, h2r_weight_initializer, (state_clip_min, state_clip_max, state_clip_nan),
            **kwargs,
        )  # fmt: skip


class GRU(_RNNLayer):
    """A stack of GRU layers. The parameters are those of :class:`RNN`, except ``activation``."""

    def __init__(
        self,
        hidden_size: int,
        num_layers: int = 1,
        layout: str = "TNC",
        dropout: float = 0,
        bidirectional: bool = False,
        input_size: int = 0,
        i2h_weight_initializer: Any = None,
        h2h_weight_initializer: Any = None,
        i2h_bias_initializer: Any = "zeros",
        h2h_bias_initializer: Any = "zeros",
        dtype: Any = "float32",
        **kwargs: Any,
    ) -> None:
        super().__init__(
            hidden_size, num_layers, layout, dropout, bidirectional, input_size, i2h_weight_initializer,
            h2h_weight_initializer, i2h_bias_initializer, h2h_bias_initializer, "gru", dtype, **kwargs,
        )  # fmt: skip
