"""LSTM layers as C: the steps of a layer are one function, and so are the steps back.

For each step NumPy makes a dozen calls for arrays that are small: a product, four gates, a new cell. In C a step is one
product, which is added to what the inputs have given already, and one loop over the units. The batch lies last, as in
NumPy's kernel (:mod:`d2lhybrid.ops.recurrent`): then a gate is one piece of memory, the weights are read as they are,
and the sequences of a batch, of which none needs another, are divided among the cores in blocks of a vector's length.
Nobody waits for anybody between the steps.

What concerns all steps at once, the inputs' part of the gates and the gradients of the weights, are large products:
NumPy's, or those of the library that is handed in. Layers, directions and dropout are the operator's own affair.
"""

from __future__ import annotations

import ctypes
import itertools
import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy

from ...core.graph import Graph, TensorType
from ...core.node import Entry, Node
from ...device import threads
from ...ops import recurrent
from ...ops.recurrent import Run, Weights, turned
from ...ops.rnn import SETTINGS, rnn, rnn_gradient, run_backward, run_forward
from ..passes.regions import fused
from ..passes.run_rnn_once import runs_of
from .c_products import VECTORS, Sum, lanes, multiply
from .c_region import CFunction, compile_regions

__all__ = ["CLstm", "CLstmGradient", "is_lstm_for_c", "recurrent_for_c"]

FLOAT = numpy.dtype(numpy.float32)
#: The product of two matrices, each of which may be a transpose.
Dot = Callable[[Any, Any], Any]
#: Of an operator's gradient the first arrays are the gradients of its results: outputs, states, cells.
NUM_HEADS = 3

#: For smaller batches a product is mostly the reading of the weights, which NumPy's library does better.
SMALLEST_BATCH = 4

#: The inputs' part of the gates, the columns of a matrix, and the biases.
_BEGIN = """\
for (long j = 0; j < 4 * HIDDEN; ++j) {
    const float* restrict column = columns + (j * STEPS + t) * BATCH + first;
    float* restrict g = gates + (t * 4 * HIDDEN + j) * BATCH + first;
    for (long l = 0; l < COLUMNS; ++l) g[l] = column[l] + bias[j];
}
"""
#: What a step does for its units, when the states' part has been added: COLUMNS sequences of BATCH.
_CELL = """\
for (long j = 0; j < HIDDEN; ++j) {
    float* restrict g = gates + t * 4 * HIDDEN * BATCH + j * BATCH + first;
    const float* restrict before = cells + t * HIDDEN * BATCH + j * BATCH + first;
    float* restrict cell = cells + (t + 1) * HIDDEN * BATCH + j * BATCH + first;
    float* restrict state = now + j * COLUMNS;
    #pragma omp simd
    for (long l = 0; l < COLUMNS; ++l) {
        const float entry = sigmoid_float(g[l]);
        const float forget = sigmoid_float(g[HIDDEN * BATCH + l]);
        const float candidate = tanh_of_float(g[2 * HIDDEN * BATCH + l]);
        const float output = sigmoid_float(g[3 * HIDDEN * BATCH + l]);
        const float content = forget * before[l] + entry * candidate;
        g[l] = entry;
        g[HIDDEN * BATCH + l] = forget;
        g[2 * HIDDEN * BATCH + l] = candidate;
        g[3 * HIDDEN * BATCH + l] = output;
        cell[l] = content;
        state[l] = output * tanh_of_float(content);
    }
}
for (long k = 0; k < HIDDEN; k += CHUNK) for (long l = 0; l < COLUMNS; ++l) {
    float* restrict row = states + ((t + 1) * BATCH + first + l) * HIDDEN;
    for (long j = k; j < k + CHUNK; ++j) row[j] = now[j * COLUMNS + l];
}
"""
_CELL_BACK = """\
for (long k = 0; k < HIDDEN; k += CHUNK) for (long l = 0; l < COLUMNS; ++l) {
    const float* restrict row = dh + (t * BATCH + first + l) * HIDDEN;
    float* restrict carry = d_state + first + l;
    for (long j = k; j < k + CHUNK; ++j) carry[j * BATCH] += row[j];
}
for (long j = 0; j < HIDDEN; ++j) {
    const float* restrict g = gates + t * 4 * HIDDEN * BATCH + j * BATCH + first;
    const float* restrict before = cells + t * HIDDEN * BATCH + j * BATCH + first;
    const float* restrict cell = cells + (t + 1) * HIDDEN * BATCH + j * BATCH + first;
    const float* restrict carry_state = d_state + j * BATCH + first;
    float* restrict carry = d_cell + j * BATCH + first;
    float* restrict d = d_gates + j * COLUMNS;
    #pragma omp simd
    for (long l = 0; l < COLUMNS; ++l) {
        const float entry = g[l], forget = g[HIDDEN * BATCH + l];
        const float candidate = g[2 * HIDDEN * BATCH + l], output = g[3 * HIDDEN * BATCH + l];
        const float curve = tanh_of_float(cell[l]), from_state = carry_state[l];
        const float from_cell = from_state * output * (1 - curve * curve) + carry[l];
        d[l] = from_cell * candidate * entry * (1 - entry);
        d[HIDDEN * COLUMNS + l] = from_cell * before[l] * forget * (1 - forget);
        d[2 * HIDDEN * COLUMNS + l] = from_cell * entry * (1 - candidate * candidate);
        d[3 * HIDDEN * COLUMNS + l] = from_state * curve * output * (1 - output);
        carry[l] = from_cell * forget;
    }
}
"""
#: The gradients of the gates, as columns of a matrix.
_AS_COLUMNS = """\
for (long j = 0; j < 4 * HIDDEN; ++j)
    memcpy(columns + (j * STEPS + t) * BATCH + first, d_gates + j * COLUMNS, COLUMNS * sizeof(float));
"""
_FORWARD = (
    "const float* restrict h2h, const float* restrict bias, const float* restrict columns, float* restrict gates,"
    " float* restrict states, float* restrict cells, float* restrict memory"
)
_BACKWARD = (
    "const float* restrict h2h_turned, const float* restrict gates, const float* restrict cells,"
    " const float* restrict dh, float* restrict columns, float* restrict d_state, float* restrict d_cell,"
    " float* restrict memory"
)


def _forward_step(hidden: int, batch: int, columns: int) -> list[str]:
    """Return the lines of a step ``t`` for the columns from ``first`` on; their states are in memory of their own."""
    return [
        f"float* now = memory + {hidden} * first;",
        f"if (t == 0) for (long j = 0; j < {hidden}; ++j) for (long l = 0; l < {columns}; ++l)",
        f"    now[j * {columns} + l] = states[(first + l) * {hidden} + j];",
        *_BEGIN.splitlines(),
        "{",
        "    const float *a = h2h, *b = now;",
        f"    float* y = gates + t * {4 * hidden * batch} + first;",
        *multiply(4 * hidden, columns, Sum((1, 1, hidden), (0, 0, columns)), hidden, batch, "y0"),
        "}",
        *_CELL.splitlines(),
    ]


def _backward_step(hidden: int, batch: int, columns: int) -> list[str]:
    """Return the lines of a step ``t`` back, with memory for the gradients of the gates of these columns."""
    return [
        f"float* d_gates = memory + {4 * hidden} * first;",
        *_CELL_BACK.splitlines(),
        "{",
        "    const float *a = h2h_turned, *b = d_gates;",
        "    float* y = d_state + first;",
        *multiply(hidden, columns, Sum((1, 1, 4 * hidden), (0, 0, columns)), 4 * hidden, batch),
        "}",
        *_AS_COLUMNS.splitlines(),
    ]


def _function(parameters: str, loop: str, step: Any, sizes: tuple[int, int, int]) -> str:
    """Return a function over blocks of columns, each of which goes through all steps on its own."""
    steps, batch, hidden = sizes
    width = min(batch, lanes())
    whole, rest = divmod(batch, width)
    lines = [VECTORS, f"void NAME(long start, long stop, {parameters}) {{", "for (long i = start; i < stop; ++i) {"]
    for condition, columns in ((f"i < {whole}", width), (f"i >= {whole}", rest)):
        if columns:
            body = "\n".join(step(hidden, batch, columns)).replace("COLUMNS", str(columns))
            lines += [f"if ({condition}) {{", f"const long first = i * {width};", f"{loop} {{", body, "}", "}"]
    text = "\n".join([*lines, "}", "}", ""])
    text = text.replace("CHUNK", str(next(n for n in (16, 8, 4, 2, 1) if hidden % n == 0)))
    return text.replace("HIDDEN", str(hidden)).replace("BATCH", str(batch)).replace("STEPS", str(steps))


class _CSteps(CFunction):
    """What forward and backward share: a function for the steps of a layer in one direction.

    Attributes
    ----------
    sizes : tuple of int
        Steps, batch, hidden units.
    settings : dict
        What the operator is told.
    """

    #: What the function takes, behind the first block and the one behind the last.
    parameters = ""
    nodes: tuple[Node, ...]
    inputs: tuple[Entry, ...]
    outputs: tuple[Entry, ...]
    types: list[TensorType]
    size: int
    weight: int
    length: int

    def __init__(
        self, node: Node, inputs: Sequence[Entry], types: Sequence[TensorType], data: TensorType, dot: Dot
    ) -> None:
        assert node.op is not None
        self.dot: Dot = dot
        attributes = node.op.complete(node.params)
        self.settings: dict[str, Any] = {name: attributes[name] for name in SETTINGS}
        steps, batch, _ = data.shape
        self.sizes: tuple[int, int, int] = (steps, batch, attributes["state_size"])
        self.nodes, self.inputs, self.types = (node,), tuple(inputs), list(types)
        self.outputs = tuple((node, i) for i in range(node.num_outputs))
        self.length = -(-batch // min(batch, lanes()))
        # For each unit a row of the product, then five functions that are dear.
        self.size, self.weight = math.prod(self.sizes), 4 * attributes["state_size"] + 100
        self.threaded: bool = dot is numpy.dot and 4 * self.size * data.shape[2] >= threads.SMALLEST

    @property
    def num_arrays(self) -> int:
        """How many arrays the function takes."""
        return self.parameters.count("float*")

    def attach(self, function: Any, of_arrays: Any) -> None:
        """Take the compiled function; it is a part of :meth:`run`."""
        function.restype = None
        function.argtypes = [ctypes.c_long] * 2 + [ctypes.c_void_p] * self.num_arrays
        self._function = function

    def run(self, *arrays: Any, **given: Any) -> Any:
        """Evaluate it; ``out0_given=`` etc. say where results go."""
        if self._function is None and not self.without_c:
            compile_regions([self])
        outs = [given.get(f"out{i}_given") for i in range(len(self.types))]
        results = self.evaluate(arrays, outs)
        for place, result in zip(outs, results, strict=True):
            if place is not None and place is not result:
                place[...] = result
        return tuple(result if place is None else place for place, result in zip(outs, results, strict=True))

    def evaluate(self, arrays: Sequence[Any], outs: Sequence[Any]) -> Sequence[Any]:
        """Return the results; the places for them may be used, and need not be."""
        raise NotImplementedError


class CLstm(_CSteps):
    """LSTM layers: the results of the operator, and behind them what the gradient takes up.

    Parameters
    ----------
    node : Node
        The operator.
    types : sequence of TensorType
        Of its results.
    data : TensorType
        Of its data.
    dot : callable
        The product of two matrices.
    keeping : bool
        Whether states, cells and gates of each run become results; cells and gates with the batch last.
    """

    parameters = _FORWARD

    def __init__(self, node: Node, types: Sequence[TensorType], data: TensorType, dot: Dot, keeping: bool) -> None:
        super().__init__(node, node.inputs, types, data, dot)
        self._visible, (steps, batch, hidden) = len(types), self.sizes
        places = [(steps + 1, batch, hidden), (steps + 1, hidden, batch), (steps, 4 * hidden, batch)]
        count = self.settings["num_layers"] * (1 + self.settings["bidirectional"])
        self._places: list[tuple[int, ...]] = places * count
        if keeping:
            self.types += [TensorType(shape, FLOAT) for shape in self._places]
        self.source: str = _function(self.parameters, f"for (long t = 0; t < {steps}; ++t)", _forward_step, self.sizes)

    def evaluate(self, arrays: Sequence[Any], outs: Sequence[Any]) -> Sequence[Any]:
        """Return the results; what is kept is computed where it shall be."""
        given = list(outs[self._visible :]) or [None] * len(self._places)
        left = zip(self._places, given, strict=True)
        kept: list[Any] = []

        def forward(xp: Any, mode: str, x: Any, w: Weights, h: Any, c: Any) -> Run:
            memory = [
                numpy.empty(shape, FLOAT) if place is None else place for shape, place in itertools.islice(left, 3)
            ]
            kept.extend(memory)
            return self._forward(x, w, h, c, *memory)

        settings = {name: value for name, value in self.settings.items() if name != "use_sequence_length"}
        data, parameters, state, cell = arrays
        results, _ = run_forward(
            numpy, data, parameters, state, cell, None, False, None, **settings, forward=forward
        )  # fmt: skip
        return [*results, *kept] if len(self.types) > self._visible else results

    def _forward(self, x: Any, w: Weights, h: Any, c: Any, states: Any, cells: Any, gates: Any) -> Run:
        """Run a layer in one direction."""
        if self.without_c:
            run = recurrent.forward(numpy, "lstm", x, w, h, c)
            states[...], cells[...], gates[...] = run.h, turned(run.c), turned(run.gates)
        else:
            columns = self.dot(w.i2h, numpy.ascontiguousarray(x).reshape(-1, x.shape[2]).T)
            states[0], cells[0] = h, c.T
            memory = numpy.empty_like(cells[0])
            self.divide(
                [numpy.ascontiguousarray(w.h2h), w.i2h_bias + w.h2h_bias, columns, gates, states, cells, memory]
            )
        return Run(x, states, turned(cells), turned(gates))


class CLstmGradient(_CSteps):
    """The gradients of :class:`CLstm`, whose kept results are its last arrays.

    Parameters
    ----------
    node : Node
        The gradient's operator.
    inputs : sequence of Entry
        Its inputs, and what is kept.
    types : sequence of TensorType
        Of its results.
    data : TensorType
        Of the data.
    dot : callable
        The product of two matrices.
    """

    parameters = _BACKWARD

    def __init__(
        self, node: Node, inputs: Sequence[Entry], types: Sequence[TensorType], data: TensorType, dot: Dot
    ) -> None:
        super().__init__(node, inputs, types, data, dot)
        self._given = len(node.inputs)
        steps = self.sizes[0]
        self.source: str = _function(
            self.parameters, f"for (long t = {steps - 1}; t >= 0; --t)", _backward_step, self.sizes
        )

    def evaluate(self, arrays: Sequence[Any], outs: Sequence[Any]) -> Sequence[Any]:
        """Return the gradients of data, parameters, states and cells."""
        kept = arrays[self._given :]
        runs = [Run(None, kept[i], turned(kept[i + 1]), turned(kept[i + 2])) for i in range(0, len(kept), 3)]
        backward = recurrent.backward if self.without_c else self._backward
        return run_backward(numpy, arrays[: self._given], runs, **self.settings, backward=backward)

    def _backward(self, xp: Any, mode: str, run: Run, w: Weights, dh: Any, dc: Any) -> tuple[Any, Weights, Any, Any]:
        """Go backward through a layer in one direction."""
        steps, batch, hidden = self.sizes
        columns, memory = (numpy.empty((4 * hidden, count), FLOAT) for count in (steps * batch, batch))
        d_state, d_cell = numpy.zeros((hidden, batch), FLOAT), numpy.array(dc.T, order="C")
        given = [numpy.ascontiguousarray(a) for a in (w.h2h.T, turned(run.gates), turned(run.c), dh)]
        self.divide([*given, columns, d_state, d_cell, memory])
        x, before = (numpy.ascontiguousarray(a).reshape(steps * batch, -1) for a in (run.x, run.h[:-1]))
        bias = numpy.add.reduce(columns, axis=1)
        gradients = Weights(self.dot(columns, x), self.dot(columns, before), bias, bias)
        dx = self.dot(numpy.ascontiguousarray(w.i2h.T), columns)  # sooner done than with the columns turned
        return dx.T.reshape(run.x.shape), gradients, d_state.T, d_cell.T


def is_lstm_for_c(graph: Graph, node: Node) -> bool:
    """Return whether a node, LSTM layers or their gradient, has such a function."""
    if node.op is None or node.op not in (rnn, rnn_gradient):
        return False
    attributes = node.op.complete(node.params)
    plain = attributes["state_outputs"] and not attributes["use_sequence_length"] and not attributes["projection_size"]
    if attributes["mode"] != "lstm" or not plain:
        return False
    if graph.training and attributes["p"] > 0 and attributes["num_layers"] > 1:
        return False  # numbers are drawn
    data = graph.types[node.inputs[0 if node.op is rnn else NUM_HEADS]]
    floats = all(graph.types[node, i].dtype == FLOAT for i in range(node.num_outputs))
    return floats and data.shape[1] >= SMALLEST_BATCH and 0 not in (*data.shape, attributes["state_size"])


def recurrent_for_c(graph: Graph, dot: Dot = numpy.dot, with_gradient_only: bool = False) -> Graph:
    """Return the graph in which LSTM layers are functions of C; what they computed is kept for their gradients.

    Parameters
    ----------
    graph : Graph
        A graph for the CPU.
    dot : callable
        The product of two matrices.
    with_gradient_only : bool
        Whether layers that no gradient follows stay as they are.
    """
    runs = {gradient: run for gradient, run in runs_of(graph).items() if is_lstm_for_c(graph, run)}
    followed, made = set(runs.values()), dict[Node, Node]()

    def put(node: Node, inputs: Sequence[Entry], body: CFunction) -> list[Entry]:
        new = made[node] = node.into(fused, inputs, body=body)
        graph.types.set(new, body.types)
        return [(new, i) for i in range(node.num_outputs)]

    def rule(node: Node, inputs: tuple[Entry, ...]) -> list[Entry] | None:
        types = [graph.types[node, i] for i in range(node.num_outputs)]
        if node.op is rnn and (node in followed or not with_gradient_only) and is_lstm_for_c(graph, node):
            return put(node, inputs, CLstm(node, types, graph.types[node.inputs[0]], dot, node in followed))
        if node in runs and runs[node] in made:
            run = made[runs[node]]
            kept = [(run, i) for i in range(runs[node].num_outputs, run.num_outputs)]
            body = CLstmGradient(node, [*node.inputs, *kept], types, graph.types[node.inputs[NUM_HEADS]], dot)
            return put(node, [*inputs, *kept], body)
        return None

    return graph.rewrite(rule) if any(node.op is rnn for node in graph.nodes) else graph
