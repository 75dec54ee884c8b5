"""The translation of the fused recurrent operator. ONNX's operators have a single layer, so each layer is a node."""

from __future__ import annotations

import itertools
from typing import Any

import numpy

from ..builder import Builder
from ..translations import Untranslatable, translates
from ..values import Value

#: Index of each gate in ONNX's order: input, output, forget, cell for an LSTM; update, reset, hidden for a GRU.
_GATES = {"lstm": (0, 3, 1, 2), "gru": (1, 0, 2), "rnn_relu": (0,), "rnn_tanh": (0,)}
_OPERATORS = {"lstm": "LSTM", "gru": "GRU", "rnn_relu": "RNN", "rnn_tanh": "RNN"}


class _Vector:
    """A reader of consecutive arrays from the vector of parameters."""

    def __init__(self, g: Builder, vector: Value) -> None:
        self.g, self.vector, self.at = g, vector, 0

    def take(self, *shape: int) -> Value:
        """Return the next array."""
        size = int(numpy.prod(shape))
        part = self.g.slice(self.vector, 0, self.at, self.at + size)
        self.at += size
        return self.g.reshape(part, shape)


def _gates(g: Builder, x: Value, mode: str, hidden: int) -> Value:
    """Return the rows of a weight or bias in ONNX's order of the gates."""
    parts = [g.slice(x, 0, i * hidden, (i + 1) * hidden) for i in _GATES[mode]]
    return g.concat(parts, 0)


def _weights(
    g: Builder, vector: Value, mode: str, layers: int, directions: int, inputs: int, hidden: int
) -> list[tuple[Value, Value, Value]]:
    """Return ONNX's W, R, and B of each layer, with all directions of the layer."""
    reader, count = _Vector(g, vector), len(_GATES[mode]) * hidden
    matrices, biases = [], []
    for layer, _ in itertools.product(range(layers), range(directions)):
        features = inputs if layer == 0 else hidden * directions
        matrices.append((reader.take(count, features), reader.take(count, hidden)))
    for _ in range(layers * directions):
        biases.append((reader.take(count), reader.take(count)))
    result = []
    for first in range(0, layers * directions, directions):
        chosen = range(first, first + directions)
        w, r = (
            g.concat([g.unsqueeze(_gates(g, matrices[i][k], mode, hidden), [0]) for i in chosen], 0) for k in (0, 1)
        )
        b = g.concat(
            [g.unsqueeze(g.concat([_gates(g, v, mode, hidden) for v in biases[i]], 0), [0]) for i in chosen],
            0,
        )
        result.append((w, r, b))
    return result


def _layer_states(g: Builder, state: Value | None, layer: int, directions: int, layers: int) -> Value | None:
    """Return the initial states of a layer, or None if they are zeros."""
    if state is None or state.open_zeros or (state.constant is not None and not state.constant.any()):
        return None
    return state if layers == 1 else g.slice(state, 0, layer * directions, (layer + 1) * directions)


@translates("RNN")
def rnn(
    g: Builder,
    data: Value,
    parameters: Value,
    state: Value,
    state_cell: Value | None = None,
    sequence_length: Value | None = None,
    *,
    state_size: int,
    num_layers: int,
    bidirectional: bool,
    mode: str,
    state_outputs: bool,
    projection_size: int | None,
    use_sequence_length: bool,
    **attributes: Any,
) -> list[Value]:
    """Run the layers one after another, and concatenate the outputs of both directions. ONNX lacks LSTM projections."""
    if projection_size:
        raise Untranslatable("ONNX has no LSTM with a projection: implement the cell with operators")
    directions = 1 + bidirectional
    inputs = g.size(data, 2)
    weights = _weights(g, parameters, mode, num_layers, directions, inputs, state_size)
    lengths = g.cast(sequence_length, numpy.int32) if use_sequence_length and sequence_length is not None else None
    settings: dict[str, Any] = {"hidden_size": state_size, "direction": "bidirectional" if bidirectional else "forward"}
    if mode == "gru":
        settings["linear_before_reset"] = 1
    if mode == "rnn_relu":
        settings["activations"] = ["Relu"] * directions
    x, hidden, cells = data, [], []
    for layer, (w, r, b) in enumerate(weights):
        states = [_layer_states(g, state, layer, directions, num_layers)]
        if mode == "lstm":
            states.append(_layer_states(g, state_cell, layer, directions, num_layers))
        results = g.make(_OPERATORS[mode], [x, w, r, b, lengths, *states], outputs=2 + (mode == "lstm"), **settings)
        joined = g.make("Transpose", [results[0]], perm=[0, 2, 1, 3])
        x = g.Reshape(joined, [0, 0, directions * state_size])
        hidden.append(results[1])
        cells += results[2:]
    outputs = [x]
    if state_outputs:
        outputs.append(g.concat(hidden, 0))
        if mode == "lstm":
            outputs.append(g.concat(cells, 0))
    return outputs
