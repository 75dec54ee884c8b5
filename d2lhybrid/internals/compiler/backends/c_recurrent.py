"""Recurrent layers in C, with one function for all forward steps of a layer and one for all backward steps.

A step takes a dozen NumPy calls on small arrays, for a product, the gates, and a new state. In C (:mod:`.c_steps`), a
step is one product and one loop, and the sequences of a batch are divided among the cores.

The contributions of the inputs to the gates, and the gradients of the weights, are large products over all steps, which
NumPy or another library computes. The operator's kernel handles layers, directions, and dropout.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Collection, Sequence
from typing import Any

import numpy

from ...core.graph import Graph, TensorType
from ...core.node import Entry, Node
from ...ops import recurrent
from ...ops.recurrent import Run, Weights, turned
from ...ops.rnn import SETTINGS, rnn, rnn_gradient, run_backward, run_forward
from .. import threads
from ..passes.regions import fused
from ..passes.run_rnn_once import runs_of
from .c_region import CFunction
from .c_steps import CELLS, backward_function, blocks_of, forward_function

__all__ = ["SMALLEST_BATCH", "CRecurrent", "CRecurrentGradient", "recurrent_for_c"]

FLOAT = numpy.dtype(numpy.float32)
#: The smallest batch size for C. With smaller batches, a product mostly reads weights, and NumPy's library reads them
#: faster.
SMALLEST_BATCH = 4

#: The product of two matrices, each possibly transposed.
Dot = Callable[[Any, Any], Any]


class _CSteps(CFunction):
    """The base class of the forward and the backward pass, with a C function for the steps of a layer in one direction.

    Attributes
    ----------
    sizes : tuple of int
        The number of steps, the batch size, and the number of hidden units.
    settings : dict
        The attributes of the operator.
    """

    nodes: tuple[Node, ...]
    inputs: tuple[Entry, ...]
    outputs: tuple[Entry, ...]
    types: list[TensorType]
    size: int
    weight: int
    length: int
    is_whole = False
    #: The parameters of the function that follow the start and the end of the range of blocks.
    arrays: tuple[str, ...] = ()

    def __init__(
        self, node: Node, inputs: Sequence[Entry], types: Sequence[TensorType], data: TensorType, dot: Dot
    ) -> None:
        assert node.op is not None
        attributes = node.op.complete(node.params)
        self.settings: dict[str, Any] = {name: attributes[name] for name in SETTINGS}
        self.mode: str = attributes["mode"]
        self.cell, self.dot = CELLS[self.mode], dot
        steps, batch, features = data.shape
        self.sizes: tuple[int, int, int] = (steps, batch, attributes["state_size"])
        self.nodes, self.inputs, self.types = (node,), tuple(inputs), list(types)
        self.outputs = tuple((node, i) for i in range(node.num_outputs))
        self.length = blocks_of(batch)
        # The cost per unit: the products for its gates, and the expensive functions.
        rows = self.cell.gates * attributes["state_size"]
        self.size, self.weight = math.prod(self.sizes), rows + 25 * self.cell.gates
        self.threaded: bool = dot is numpy.dot and steps * batch * features * rows >= threads.SMALLEST

    @property
    def num_arrays(self) -> int:
        """The number of arrays that the function takes."""
        return len(self.arrays)

    def run(self, *arrays: Any, **given: Any) -> Any:
        """Run the function; ``out0_given=`` and so on are the destinations of the results."""
        self.prepare()
        outs = [given.get(f"out{i}_given") for i in range(len(self.types))]
        results = self.evaluate(arrays, outs)
        for place, result in zip(outs, results, strict=True):
            if place is not None and place is not result:
                place[...] = result
        return tuple(result if place is None else place for place, result in zip(outs, results, strict=True))

    def evaluate(self, arrays: Sequence[Any], outs: Sequence[Any]) -> Sequence[Any]:
        """Return the results. An implementation may write them into the arrays in `outs`."""
        raise NotImplementedError


class CRecurrent(_CSteps):
    """The C code of a node that computes recurrent layers.

    The results are those of the operator. If ``keeping`` is True, the values for the backward pass follow.

    Parameters
    ----------
    node : Node
        The operator.
    types : sequence of TensorType
        The types of the node's results.
    data : TensorType
        The type of the data.
    dot : callable
        A function that returns the product of two matrices.
    keeping : bool
        Whether the values for the backward pass become results.
    """

    label = "recurrent"

    def __init__(self, node: Node, types: Sequence[TensorType], data: TensorType, dot: Dot, keeping: bool) -> None:
        super().__init__(node, node.inputs, types, data, dot)
        self._visible, (steps, batch, hidden) = len(types), self.sizes
        places = {
            "states": (steps + 1, batch, hidden),
            "cells": (steps + 1, hidden, batch),
            "gates": (steps, self.cell.gates * hidden, batch),
            "extra": (steps, hidden, batch),
        }
        count = self.settings["num_layers"] * (1 + self.settings["bidirectional"])
        self._places: list[tuple[int, ...]] = [places[name] for name in self.cell.kept] * count
        if keeping:
            self.types += [TensorType(shape, FLOAT) for shape in self._places]
        self.arrays = self.cell.forward_arrays
        self.source: str = forward_function(self.mode, *self.sizes)

    def evaluate(self, arrays: Sequence[Any], outs: Sequence[Any]) -> Sequence[Any]:
        """Return the results, followed by the values that the backward pass needs if the node keeps them.

        Parameters
        ----------
        arrays : sequence of array
            The inputs of the node.
        outs : sequence of (array or None)
            Destinations of the results.

        Returns
        -------
        sequence of array
            The results of the operator, followed by the values for the backward pass if the node keeps them.
        """
        given = list(outs[self._visible :]) or [None] * len(self._places)
        left = zip(self._places, given, strict=True)
        kept: list[Any] = []

        def forward(xp: Any, mode: str, x: Any, w: Weights, h: Any, c: Any) -> Run:
            pairs = itertools.islice(left, len(self.cell.kept))
            memory = [numpy.empty(shape, FLOAT) if place is None else place for shape, place in pairs]
            kept.extend(memory)
            return self._forward(x, w, h, c, dict(zip(self.cell.kept, memory, strict=True)))

        settings = {name: value for name, value in self.settings.items() if name != "use_sequence_length"}
        data, parameters, state, cell = arrays if self.mode == "lstm" else (*arrays, None)
        results, _ = run_forward(numpy, data, parameters, state, cell, None, False, None, **settings, forward=forward)
        return [*results, *kept] if len(self.types) > self._visible else results

    def _forward(self, x: Any, w: Weights, h: Any, c: Any, kept: dict[str, Any]) -> Run:
        """Run a layer in one direction."""
        if self.without_c:
            run = recurrent.forward(numpy, self.mode, x, w, h, c)
            values = {"states": run.h, "cells": run.c, "gates": run.gates, "extra": run.extra}
            for name, place in kept.items():
                place[...] = values[name] if name == "states" else turned(values[name])
            return _run(x, kept)
        kept["states"][0] = h
        if c is not None:
            kept["cells"][0] = c.T
        hidden = self.sizes[2]
        bias = w.i2h_bias + w.h2h_bias
        if self.mode == "gru":  # separate, because the reset gate scales the contribution of the states
            bias = numpy.concatenate([bias[: 2 * hidden], w.i2h_bias[2 * hidden :], w.h2h_bias[2 * hidden :]])
        columns = self.dot(w.i2h, numpy.ascontiguousarray(x).reshape(-1, x.shape[2]).T)
        memory = numpy.empty(self.cell.forward_memory * h.size, FLOAT)
        self.divide([numpy.ascontiguousarray(w.h2h), bias, columns, *kept.values(), memory])
        return _run(x, kept)


def _run(x: Any, kept: dict[str, Any]) -> Run:
    """Return the kept values of a run, with their axes in the usual order."""
    others = {name: turned(kept[name]) if name in kept else None for name in ("cells", "gates", "extra")}
    states = kept["states"]
    gates = states[1:] if others["gates"] is None else others["gates"]  # the only gate is the state itself
    return Run(x, states, others["cells"], gates, others["extra"])


class CRecurrentGradient(_CSteps):
    """The C code of a node that computes the gradients of recurrent layers.

    The last inputs are the values that the forward node (:class:`CRecurrent`) kept.

    Parameters
    ----------
    node : Node
        The node of the gradient.
    inputs : sequence of Entry
        The inputs of the gradient, and the kept values.
    types : sequence of TensorType
        The types of the node's results.
    data : TensorType
        The type of the data.
    dot : callable
        A function that returns the product of two matrices.
    """

    label = "backward_recurrent"

    def __init__(
        self, node: Node, inputs: Sequence[Entry], types: Sequence[TensorType], data: TensorType, dot: Dot
    ) -> None:
        super().__init__(node, inputs, types, data, dot)
        self._given = len(node.inputs)
        self.arrays = self.cell.backward_arrays
        self.source: str = backward_function(self.mode, *self.sizes)

    def evaluate(self, arrays: Sequence[Any], outs: Sequence[Any]) -> Sequence[Any]:
        """Return the gradients of data, parameters, states, and, for an LSTM, cells.

        Parameters
        ----------
        arrays : sequence of array
            The inputs of the node.
        outs : sequence of (array or None)
            Destinations of the results.

        Returns
        -------
        sequence of array
            The gradients.
        """
        kept, count = arrays[self._given :], len(self.cell.kept)
        runs = [
            _run(None, dict(zip(self.cell.kept, kept[i : i + count], strict=True))) for i in range(0, len(kept), count)
        ]
        backward = recurrent.backward if self.without_c else self._backward
        return run_backward(numpy, arrays[: self._given], runs, **self.settings, backward=backward)

    def _backward(
        self, xp: Any, mode: str, run: Run, w: Weights, dh: Any, dc: Any = None
    ) -> tuple[Any, Weights, Any, Any]:
        """Differentiate a layer in one direction."""
        steps, batch, hidden = self.sizes
        kept = {"states": run.h, "cells": run.c, "gates": run.gates, "extra": run.extra}
        given: dict[str, Any] = {
            name: kept[name] if name == "states" else turned(kept[name]) for name in self.cell.kept
        }
        given |= {"h2h_turned": w.h2h.T, "dh": dh}
        arrays = {name: numpy.ascontiguousarray(array) for name, array in given.items()}
        columns = numpy.empty((self.cell.gates * hidden, steps * batch), FLOAT)
        state_columns = numpy.empty((hidden, steps * batch), FLOAT) if "extra" in given else columns
        d_state, memory = (numpy.empty((n * batch, hidden), FLOAT) for n in (1, self.cell.backward_memory))
        d_cell = None if dc is None else numpy.array(dc, order="C")
        arrays |= {"columns": columns, "state_columns": state_columns, "d_state": d_state, "d_cell": d_cell}
        arrays["memory"] = memory
        self.divide([arrays[name] for name in self.arrays])
        dx = self.dot(numpy.ascontiguousarray(w.i2h.T), columns)  # faster than a product with transposed columns
        gradients = self._of_weights(run, columns, state_columns)
        return dx.T.reshape(run.x.shape), gradients, d_state, d_cell

    def _of_weights(self, run: Run, columns: Any, state_columns: Any) -> Weights:
        """Return the gradients of the weights, given those of the gates."""
        x, before = (numpy.ascontiguousarray(a).reshape(columns.shape[1], -1) for a in (run.x, run.h[:-1]))
        bias = numpy.add.reduce(columns, axis=1)
        if state_columns is columns:
            return Weights(self.dot(columns, x), self.dot(columns, before), bias, bias)
        same = len(columns) - len(state_columns)  # the last gate may have separate gradients for the states
        h2h = numpy.concatenate([self.dot(columns[:same], before), self.dot(state_columns, before)])
        return Weights(
            self.dot(columns, x), h2h, bias, numpy.concatenate([bias[:same], numpy.add.reduce(state_columns, axis=1)])
        )


def _is_for_c(graph: Graph, node: Node) -> bool:
    """Return whether a node is a recurrent layer that a C function can compute."""
    attributes, data = rnn.complete(node.params), graph.types[node.inputs[0]]
    plain = attributes["state_outputs"] and not attributes["use_sequence_length"] and not attributes["projection_size"]
    draws = graph.training and attributes["p"] > 0 and attributes["num_layers"] > 1
    floats = all(graph.types[node, i].dtype == FLOAT for i in range(node.num_outputs))
    whole = 0 not in (*data.shape, attributes["state_size"])
    return plain and not draws and floats and whole and data.shape[1] >= SMALLEST_BATCH


def recurrent_for_c(graph: Graph, dot: Dot = numpy.dot, leaving: Collection[str] = ()) -> Graph:
    """Return the graph with recurrent layers as C functions. Layers with a gradient keep the values that it needs.

    Parameters
    ----------
    graph : Graph
        A graph for the CPU.
    dot : callable
        A function that returns the product of two matrices.
    leaving : collection of str
        The modes whose layers remain unchanged.

    Returns
    -------
    Graph
        The new graph, or the same graph if nothing changes.
    """

    def is_taken(node: Node) -> bool:
        return node.op is rnn and node.params["mode"] not in leaving and _is_for_c(graph, node)

    if not any(node.op is rnn for node in graph.nodes):
        return graph
    runs = {gradient: run for gradient, run in runs_of(graph).items() if is_taken(run)}
    followed, made = set(runs.values()), dict[Node, Node]()

    def put(node: Node, inputs: Sequence[Entry], body: CFunction) -> list[Entry]:
        new = made[node] = node.into(fused, inputs, body=body)
        graph.types.set(new, body.types)
        return [(new, i) for i in range(node.num_outputs)]

    def rule(node: Node, inputs: tuple[Entry, ...]) -> list[Entry] | None:
        types = [graph.types[node, i] for i in range(node.num_outputs)]
        if is_taken(node):
            return put(node, inputs, CRecurrent(node, types, graph.types[node.inputs[0]], dot, node in followed))
        if node.op is rnn_gradient and runs.get(node) in made:
            run, old = made[runs[node]], runs[node]
            kept = [(run, i) for i in range(old.num_outputs, run.num_outputs)]
            data = graph.types[old.inputs[0]]
            return put(node, [*inputs, *kept], CRecurrentGradient(node, [*node.inputs, *kept], types, data, dot))
        return None

    return graph.rewrite(rule)
