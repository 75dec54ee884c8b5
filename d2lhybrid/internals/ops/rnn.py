"""The fused recurrent operator, with any number of layers, one or two directions, and one vector of parameters."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Literal

import numpy

from ..core.infer import require
from ..core.operator import REQUIRED, Array, Generator, Training, get_operator, operator
from . import recurrent, rules
from .index import integer_indices
from .nn import complete_parameter, require_uniform_type
from .not_differentiable import not_differentiable
from .recurrent import GATES, Run, Weights

FAMILY = "linear"

# --- the vector of parameters ------------------------------------------------------------------


def _sizes(
    mode: str, num_layers: int, directions: int, inputs: int, hidden: int, projection: int | None
) -> list[tuple[tuple[int, int], tuple[int, int], tuple[int, int] | None]]:
    """Return the shapes of the i2h, h2h, and h2r weights for each layer and direction."""
    gates, states = GATES[mode] * hidden, projection or hidden
    shapes = []
    for layer in range(num_layers):
        features = inputs if layer == 0 else states * directions
        one = ((gates, features), (gates, states), (states, hidden) if projection else None)
        shapes.extend([one] * directions)
    return shapes


def parameter_count(
    mode: str, num_layers: int, bidirectional: bool, inputs: int, hidden: int, projection: int | None = None
) -> int:
    """Return the number of elements in the vector of parameters.

    Examples
    --------
    >>> parameter_count("lstm", 2, True, 4, 3)
    480
    """
    total = 0
    for i2h, h2h, h2r in _sizes(mode, num_layers, 1 + bidirectional, inputs, hidden, projection):
        total += i2h[0] * i2h[1] + h2h[0] * h2h[1] + 2 * i2h[0] + (h2r[0] * h2r[1] if h2r else 0)
    return total


def _unpack(vector: Any, shapes: list[Any]) -> list[Weights]:
    """Return the parameters as views of the vector, which contains all weights, layer by layer, and then all biases."""
    at = 0

    def take(shape: tuple[int, ...] | None) -> Any:
        nonlocal at
        if shape is None:
            return None
        start, at = at, at + int(numpy.prod(shape))
        return vector[start:at].reshape(shape)

    matrices = [(take(i2h), take(h2h), take(h2r)) for i2h, h2h, h2r in shapes]
    biases = [(take((i2h[0],)), take((i2h[0],))) for i2h, _, _ in shapes]
    return [Weights(a, b, c, d, r) for (a, b, r), (c, d) in zip(matrices, biases, strict=True)]


# --- sequences of different lengths ----------------------------------------------------------------


class _Time:
    """The lengths of the sequences in a batch, and operations that depend on them."""

    def __init__(self, xp: Any, steps: int, lengths: Any) -> None:
        self.xp, self.lengths = xp, lengths
        if lengths is not None:
            self.lengths = lengths = xp.minimum(xp.maximum(integer_indices(lengths), 0), steps)
            t = xp.arange(steps)[:, None]
            self.inside = (t < lengths)[:, :, None]
            self.order = xp.where(t < lengths, lengths - 1 - t, t)[:, :, None]

    def reverse(self, x: Any) -> Any:
        """Return the array with every sequence reversed; elements after the end of a sequence keep their positions."""
        return x[::-1] if self.lengths is None else self.xp.take_along_axis(x, self.order, axis=0)

    def cut(self, x: Any) -> Any:
        """Return the array with zeros after the ends of the sequences."""
        return x if self.lengths is None else x * self.inside

    def last(self, states: Any) -> Any:
        """Return the states (1 + time, batch, states) after the last step of each sequence."""
        if self.lengths is None:
            return states[-1]
        return self.xp.take_along_axis(states, self.lengths[None, :, None], axis=0)[0]

    def spread(self, d_last: Any, steps: int) -> Any:
        """Return gradients for all steps: `d_last` at the last step of each sequence, and zero elsewhere."""
        last = self.xp.arange(steps)[:, None] == self.lengths - 1
        return last[:, :, None] * d_last

    def add_last(self, dh: Any, d_last: Any) -> Any:
        """Return gradients for all steps after adding ``d_last``, the gradients of the last states."""
        if self.lengths is not None:
            return dh + self.spread(d_last, len(dh))
        dh = dh.copy()
        dh[-1] += d_last
        return dh

    def add_first(self, d_first: Any, d_last: Any) -> Any:
        """Return the gradients of the first states; for sequences without steps, these are also the last states."""
        return d_first if self.lengths is None else d_first + (self.lengths == 0)[:, None] * d_last


# --- all layers ------------------------------------------------------------------------------------


def _run_layers(
    xp: Any,
    x: Any,
    weights: list[Weights],
    state: Any,
    cell: Any,
    mask: Any,
    mode: str,
    directions: int,
    time: _Time,
    kept: list[Run] | None = None,
    forward: Callable[..., Run] = recurrent.forward,
) -> tuple[Any, list[Run]]:
    """Return the outputs of the last layer, and the runs of all layers and directions, which may be in `kept`."""
    runs = []
    for first in range(0, len(weights), directions):
        if mask is not None and first:
            x = x * mask[first // directions - 1]
        outputs = []
        for i in range(first, first + directions):
            sequence = xp.ascontiguousarray(time.reverse(x)) if i > first else x
            if kept is None:
                run = forward(xp, mode, sequence, weights[i], state[i], None if cell is None else cell[i])
            else:
                run = kept[i]._replace(x=sequence)
            runs.append(run)
            outputs.append(time.reverse(run.h[1:]) if i > first else run.h[1:])
        x = time.cut(outputs[0] if directions == 1 else xp.concatenate(outputs, axis=2))
    return x, runs


def _num_outputs(*, mode: str, state_outputs: bool, p: float, **attributes: Any) -> int:
    return _num_visible(mode=mode, state_outputs=state_outputs) + (p > 0)


def _num_visible(*, mode: str, state_outputs: bool, **attributes: Any) -> int:
    return 1 + state_outputs * (1 + (mode == "lstm"))


@operator("RNN", "_npx_rnn", outputs=_num_outputs, visible_outputs=_num_visible, threaded=True)
def rnn(
    xp,
    data: Array,
    parameters: Array,
    state: Array,
    state_cell: Array | None = None,
    sequence_length: Array | None = None,
    state_size: int = REQUIRED,
    num_layers: int = REQUIRED,
    bidirectional: bool = False,
    mode: Literal["gru", "lstm", "rnn_relu", "rnn_tanh"] = REQUIRED,
    p: float = 0.0,
    state_outputs: bool = False,
    projection_size: int | None = None,
    lstm_state_clip_min: float | None = None,
    lstm_state_clip_max: float | None = None,
    lstm_state_clip_nan: bool = False,
    use_sequence_length: bool = False,
    training: Training = False,
    rng: Generator = None,
):
    """Run recurrent layers over a sequence.

    Parameters
    ----------
    data : array
        The inputs, of shape ``(time, batch, inputs)``.
    parameters : array
        A vector of all weights, followed by all biases: i2h and h2h, and with a projection also h2r, for each layer and
        direction.
    state, state_cell : array
        The initial states, of shape ``(layers · directions, batch, hidden)``; cells only for ``"lstm"``.
    sequence_length : array, optional
        The length of each sequence, with ``use_sequence_length=True``. Outputs after the end of a sequence are zero,
        and the final states are those after the sequence's last step.
    state_size, num_layers : int
        The number of hidden units, and the number of layers.
    bidirectional : bool
        Whether every layer also runs backward in time.
    mode : {"rnn_relu", "rnn_tanh", "lstm", "gru"}
        The type of the cells.
    p : float
        The probability of dropout between the layers in training mode.
    state_outputs : bool
        Whether to also return the final states.
    projection_size : int, optional
        The size to which an LSTM's hidden states are projected.
    lstm_state_clip_min, lstm_state_clip_max, lstm_state_clip_nan
        Ignored, as in MXNet on a CPU.

    Notes
    -----
    With ``p > 0``, a hidden last output contains the dropout masks.
    """
    outputs, _ = run_forward(
        xp, data, parameters, state, state_cell, sequence_length, training, rng,
        state_size=state_size, num_layers=num_layers, bidirectional=bidirectional, mode=mode, p=p,
        state_outputs=state_outputs, projection_size=projection_size,
    )  # fmt: skip
    return tuple(outputs) if len(outputs) > 1 else outputs[0]


def run_forward(
    xp: Any,
    data: Any,
    parameters: Any,
    state: Any,
    cell: Any,
    lengths: Any,
    training: bool,
    rng: Any,
    *,
    state_size: int,
    num_layers: int,
    bidirectional: bool,
    mode: str,
    p: float,
    state_outputs: bool,
    projection_size: int | None,
    forward: Callable[..., Run] = recurrent.forward,
) -> tuple[list[Any], list[Run]]:
    """Return the outputs of recurrent layers, followed by the dropout masks if ``p > 0``, and the run of each layer.

    ``forward`` runs one layer in one direction.
    """
    _rnn_shape(
        data.shape, parameters.shape, state.shape, None if cell is None else cell.shape,
        state_size=state_size, num_layers=num_layers, bidirectional=bidirectional, mode=mode,
        p=p, state_outputs=state_outputs, projection_size=projection_size, use_sequence_length=False,
    )  # fmt: skip
    if not data.dtype == parameters.dtype == state.dtype:
        require_uniform_type("dtype", _INPUTS, data.dtype, parameters.dtype, state.dtype)
    directions = 1 + bidirectional
    shapes = _sizes(mode, num_layers, directions, data.shape[2], state_size, projection_size)
    time = _Time(xp, len(data), lengths)
    mask = _dropout_mask(xp, data, p, num_layers, state.shape[2] * directions, training, rng) if p else None
    weights = _unpack(parameters, shapes)
    y, runs = _run_layers(xp, data, weights, state, cell, mask, mode, directions, time, None, forward)
    outputs = [y.copy() if y.base is not None else y]
    if state_outputs:
        outputs.append(xp.stack([time.last(run.h) for run in runs]))
        if mode == "lstm":
            outputs.append(xp.stack([time.last(run.c) for run in runs]))
    if mask is not None:
        outputs.append(mask)
    return outputs, runs


_INPUTS = ("data", "parameters", "state", "state_cell")


def _dropout_mask(xp: Any, data: Any, p: float, num_layers: int, features: int, training: bool, rng: Any) -> Any:
    shape = (num_layers - 1, *data.shape[:2], features)
    if not training or p >= 1:  # MXNet drops no element for p = 1
        return xp.ones(shape, data.dtype)
    return xp.multiply(rng.random(shape, dtype=numpy.float32) >= p, 1 / (1 - p), dtype=data.dtype)


rnn.precision = "half"
rnn.names_outputs = True
rnn.draws_when(lambda *, p, **_: p > 0)


@rnn.infer_shape
def _rnn_shape(
    data, parameters, state, *others,
    state_size, num_layers, bidirectional, mode, p, state_outputs, projection_size, use_sequence_length,
    **attributes
):  # fmt: skip
    if data is None:
        return [data, parameters, state, *others], [None] * _num_outputs(mode=mode, state_outputs=state_outputs, p=p)
    require(
        len(data) == 3,
        f"dshape.ndim() == 3U ({len(data)} vs. 3) : "
        "Input data should be rank-3 tensor of dim [sequence length, batch size, input size]",
    )
    steps, batch, inputs = data
    require(steps != 0, "dshape[0] > 0 (0 vs. 0) : the sequences of RNN must have at least one step")
    directions, states = 1 + bidirectional, projection_size or state_size
    size = None
    if inputs is not None:
        size = parameter_count(mode, num_layers, bidirectional, inputs, state_size, projection_size)
    parameters = complete_parameter(parameters, (size,))
    state = complete_parameter(state, (num_layers * directions, batch, states))
    completed = [data, parameters, state]
    cell = (num_layers * directions, batch, state_size)
    if mode == "lstm":
        completed.append(complete_parameter(others[0] if others else None, cell))
    if use_sequence_length:
        if mode != "lstm" and len(others) == 2:
            completed.append(None)
        completed.append((batch,))
    outputs: list[Any] = [(steps, batch, states * directions)]
    if state_outputs:
        outputs += [state, cell] if mode == "lstm" else [state]
    if p > 0:
        outputs.append((num_layers - 1, steps, batch, states * directions))
    return completed[: 3 + len(others)], outputs


@rnn.infer_type
def _(data, parameters, state, *others, mode, p, state_outputs, **attributes):
    cell = others[:1] if mode == "lstm" else ()
    types = require_uniform_type("dtype", _INPUTS, data, parameters, state, *cell)
    count = _num_outputs(mode=mode, state_outputs=state_outputs, p=p)
    return [*types, *others[len(cell) :]], types[:1] * count


@rnn.input_names
def _(*, mode, use_sequence_length, **attributes):
    names = ["data", "parameters", "state"]
    if mode == "lstm":
        names.append("state_cell")
    return [*names, "sequence_length"] if use_sequence_length else names


@rnn.output_names
def _(*, mode, state_outputs, **attributes):
    return ["output", "state_output", "statecell_output"][: _num_visible(mode=mode, state_outputs=state_outputs)]


@rnn.flops
def flops_of_rnn(
    y: Any,
    data: Any,
    parameters: Any,
    *_: Any,
    state_size: int,
    num_layers: int,
    bidirectional: bool,
    mode: str,
    **__: Any,
) -> int:
    """Return the number of operations of the products in recurrent layers, whose steps use all weights."""
    biases = 2 * recurrent.GATES[mode] * state_size * num_layers * (1 + bidirectional)
    return 2 * data.shape[0] * data.shape[1] * (parameters.size - biases)


def flops_of_gradient(dx: Any, *arrays: Any, mode: str, state_outputs: bool, **settings: Any) -> int:
    """Return the number of operations of the products for the gradients, without the forward pass.

    The gradients of the inputs need as many as the forward pass, and those of the weights, too.
    """
    first = _num_visible(mode=mode, state_outputs=state_outputs)
    return 2 * flops_of_rnn(dx, *arrays[first:], mode=mode, **settings)


SETTINGS = (
    "state_size", "num_layers", "bidirectional", "mode", "p", "state_outputs", "projection_size",
    "use_sequence_length",
)  # fmt: skip


@rnn.gradient
def _(F, dy, y, data, parameters, state, state_cell=None, sequence_length=None, **attributes):
    settings = {name: attributes[name] for name in SETTINGS}
    visible = _num_visible(**settings)
    heads = list(dy[:visible]) if isinstance(dy, list | tuple) else [dy]
    given = [data, parameters, state, state_cell, sequence_length]
    given += [y[-1]] if settings["p"] > 0 else []
    gradients = list(F._backward_RNN(*heads, *(a for a in given if a is not None), **settings))
    if state_cell is None and settings["use_sequence_length"]:
        gradients.append(None)
    return [*gradients, None] if settings["use_sequence_length"] else gradients


def _num_gradients(*, mode: str, **attributes: Any) -> int:
    return 3 + (mode == "lstm")


@operator("_backward_RNN", outputs=_num_gradients, threaded=True)
def rnn_gradient(
    xp,
    *arrays: Array,
    state_size: int = REQUIRED,
    num_layers: int = REQUIRED,
    bidirectional: bool = False,
    mode: Literal["gru", "lstm", "rnn_relu", "rnn_tanh"] = REQUIRED,
    p: float = 0.0,
    state_outputs: bool = False,
    projection_size: int | None = None,
    use_sequence_length: bool = False,
):
    """Return the gradients of RNN with respect to data, parameters, and states, after running the forward pass again.

    The arrays are the gradients of the visible outputs, RNN's inputs, and the masks if ``p > 0``.
    """
    return run_backward(
        xp, arrays, None, state_size=state_size, num_layers=num_layers, bidirectional=bidirectional, mode=mode, p=p,
        state_outputs=state_outputs, projection_size=projection_size, use_sequence_length=use_sequence_length,
    )  # fmt: skip


def run_backward(
    xp: Any,
    arrays: Sequence[Any],
    kept: list[Run] | None,
    *,
    state_size: int,
    num_layers: int,
    bidirectional: bool,
    mode: str,
    p: float,
    state_outputs: bool,
    projection_size: int | None,
    use_sequence_length: bool,
    backward: Callable[..., Any] = recurrent.backward,
) -> tuple[Any, ...]:
    """Return the gradients of data, parameters, and states, given the inputs of ``_backward_RNN`` and kept runs.

    ``backward`` runs the backward pass of one layer in one direction.
    """
    rest = list(arrays)
    heads = [rest.pop(0) for _ in range(_num_visible(mode=mode, state_outputs=state_outputs))]
    data, parameters, state = rest.pop(0), rest.pop(0), rest.pop(0)
    cell = rest.pop(0) if mode == "lstm" else None
    time = _Time(xp, len(data), rest.pop(0) if use_sequence_length else None)
    mask = rest.pop(0) if p > 0 else None
    steps, directions = len(data), 1 + bidirectional
    shapes = _sizes(mode, num_layers, directions, data.shape[2], state_size, projection_size)
    weights = _unpack(parameters, shapes)
    _, runs = _run_layers(xp, data, weights, state, cell, mask, mode, directions, time, kept)

    d_parameters, d_state = xp.empty_like(parameters), xp.empty_like(state)
    d_cell = None if cell is None else xp.empty_like(cell)
    places = _unpack(d_parameters, shapes)
    dy = heads[0]
    for first in range(len(weights) - directions, -1, -directions):
        parts = xp.split(time.cut(dy), directions, axis=2)
        dx = None
        for i in range(first, first + directions):
            dh = time.reverse(parts[i - first]) if i > first else parts[0]
            dc = None
            if state_outputs:
                dh = time.add_last(dh, heads[1][i])
                dc = None if cell is None else heads[2][i] if time.lengths is None else time.spread(heads[2][i], steps)
            one, gradients, d_h0, d_c0 = backward(xp, mode, runs[i], weights[i], dh, dc)
            if state_outputs:
                d_h0 = time.add_first(d_h0, heads[1][i])
                d_c0 = None if cell is None else time.add_first(d_c0, heads[2][i])
            for place, value in zip(places[i], gradients, strict=True):
                if place is not None:
                    place[...] = value
            d_state[i] = d_h0
            if d_cell is not None:
                d_cell[i] = d_c0
            one = time.reverse(one) if i > first else one
            dx = one if dx is None else dx + one
        dy = dx if mask is None or not first else dx * mask[first // directions - 1]
    gradients = [dy, d_parameters, d_state]
    return tuple(gradients if d_cell is None else [*gradients, d_cell])


def gradient_rule(*values: Any, mode: str, state_outputs: bool, **attributes: Any) -> Any:
    """Return the shapes or element types of a gradient operator's inputs and results.

    The shapes or element types of the results are those of RNN's inputs.
    """
    first = _num_visible(mode=mode, state_outputs=state_outputs)
    return list(values), list(values[first : first + _num_gradients(mode=mode)])


@rnn_gradient.flops
def _(dx, *arrays, **settings):
    return 3 * flops_of_gradient(dx, *arrays, **settings) // 2  # the forward pass runs again


rnn_gradient.infer_shape(gradient_rule)
rnn_gradient.infer_type(gradient_rule)
not_differentiable(rnn_gradient)

# --- making the vector of parameters ---------------------------------------------------------------


@operator("_rnn_param_concat", "_npi_rnn_param_concat")
def rnn_param_concat(xp, *data: Array, dim: int = 1):
    """Join arrays along an axis, for a recurrent layer's vector of parameters."""
    return get_operator("Concat")(xp, *data, dim=dim)


rnn_param_concat.names_outputs = True


@rnn_param_concat.infer_shape
def _(*shapes, dim, **attributes):
    rule = get_operator("Concat").shape_rule
    assert rule is not None
    return rule(*shapes, dim=dim)


@rnn_param_concat.infer_input_shapes
def _(outputs, *shapes, **attributes):
    """Return the input shapes; the remaining size is divided equally among the inputs of unknown size."""
    total = outputs[0]
    if total is None or None in total:
        return list(shapes)
    unknown = [s for s in shapes if s is None or None in s]
    rest = total[0] - sum(s[0] for s in shapes if s is not None and None not in s)
    if not unknown or rest < 0 or rest % len(unknown):
        return list(shapes)
    return [(rest // len(unknown),) if s is None or None in s else s for s in shapes]


rnn_param_concat.infer_type(rules.same_type)


@rnn_param_concat.gradient
def _(F, dy, y, *data, dim, **attributes):
    if len(data) == 1:
        return [F.reshape_like(dy, *data)]
    return list(F._backward_Concat(dy, *data, dim=dim))
