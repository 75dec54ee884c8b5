"""Algebraic simplification: replaces an operator with a cheaper operator that has the same result.

A rule is a function of a node and its inputs. It returns a replacement for the node's first output, or None. Rules look
up shapes and element types in the graph's table of types. No rule changes a single bit of a result.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Iterator, Sequence

import numpy

from ..graph import Graph
from ..node import Entry, Node
from ..operator import Operator, get_operator
from . import looks_for

__all__ = ["simplify"]
CHINESE = ("化简", "代数化简：用结果相同而开销更小的算子替换原来的算子。")

Rule = Callable[[Graph, Node, tuple[Entry, ...]], Entry | None]


def _same_type(graph: Graph, node: Node, inputs: tuple[Entry, ...]) -> Entry | None:
    """Remove reshapes, casts, broadcasts, and reductions whose input already has the type of the result."""
    return inputs[0] if graph.types[node, 0] == graph.types[inputs[0]] else None


def _neutral(graph: Graph, node: Node, inputs: tuple[Entry, ...]) -> Entry | None:
    """Remove operations with a neutral number, such as ``x * 1`` and ``x - 0``, if the element type doesn't change.

    ``x + 0`` remains, because ``-0.0 + 0`` is ``0.0``, and ``1 / 0.0`` differs from ``1 / -0.0``.
    """
    assert node.op is not None
    assert node.op.neutral is not None
    scalar, neutral = node.params.get("scalar", 1.0), node.op.neutral
    if scalar != neutral or _same_type(graph, node, inputs) is None:
        return None
    signs_agree = math.copysign(1, scalar) == math.copysign(1, neutral)
    return inputs[0] if signs_agree or graph.types[node, 0].dtype.kind != "f" else None


def _dropout(graph: Graph, node: Node, inputs: tuple[Entry, ...]) -> Entry | None:
    """Remove dropout in prediction mode, or with a rate of 0."""
    always = node.params.get("mode", "training") == "always"
    if graph.types[node, 0].dtype.kind != "f":
        return None  # the operator rejects this rate
    if node.params.get("p", 0.5) == 0 or not (graph.training or always):
        return inputs[0]
    return None


def _merge_scalars(graph: Graph, node: Node, inputs: tuple[Entry, ...]) -> Entry | None:
    """Merge ``(x * 2) * 3`` into ``x * 6`` if the result is exact; ``(x * 1e30) * 1e-30`` is not ``x``.

    A power of two that is at least 1 changes only the exponent. If the product overflows, a second factor of at least 1
    keeps the infinity.
    """
    inner, dtype = inputs[0][0], graph.types[node, 0].dtype
    if node.op is None or inner.op is not node.op or dtype.kind != "f":
        return None
    a, b = inner.params.get("scalar", 1.0), node.params.get("scalar", 1.0)
    is_power_of_two = abs(math.frexp(a)[0]) == 0.5
    if not is_power_of_two or abs(a) < 1 or abs(b) < 1 or not abs(a * b) <= numpy.finfo(dtype).max:
        return None
    return node.into(node.op, inner.inputs, scalar=a * b), 0


def _transpose(graph: Graph, node: Node, inputs: tuple[Entry, ...]) -> Entry | None:
    """Merge two transposes into one, or remove both."""
    rank = len(graph.types[inputs[0]].shape)
    axes = _axes(node, rank)
    if axes == tuple(range(rank)):
        return inputs[0]
    inner = inputs[0][0]
    if node.op is None or inner.op is not node.op:
        return None
    inner_axes = _axes(inner, rank)
    joined = tuple(inner_axes[a] for a in axes)
    if joined == tuple(range(rank)):
        return inner.inputs[0]
    return node.into(node.op, inner.inputs, axes=joined), 0


def _reshape(graph: Graph, node: Node, inputs: tuple[Entry, ...]) -> Entry | None:
    """Remove a reshape to the same shape, and keep only the last of two reshapes."""
    same = _same_type(graph, node, inputs)
    if same is not None:
        return same
    inner = inputs[0][0]
    if inner.op is None or inner.op.view != "reshape":
        return None
    kind = graph.types[node, 0]
    if graph.types[inner.inputs[0]] == kind:
        return inner.inputs[0]
    if 0 in kind.shape or not kind.shape:  # in a reshape, 0 is a code
        return None
    return node.into(get_operator("Reshape"), inner.inputs[:1], shape=kind.shape), 0


def _axes(node: Node, rank: int) -> tuple[int, ...]:
    axes = node.params.get("axes") or tuple(range(rank))[::-1]
    return tuple(a % rank for a in axes)


@functools.cache
def _rules_of(op: Operator) -> tuple[Rule, ...]:
    """Return the rules that may apply to an operator."""
    return tuple(_find_rules(op))


def _find_rules(op: Operator) -> Iterator[Rule]:
    """Yield the rules that may apply to an operator according to its facts."""
    if op.identity == "always":
        yield lambda graph, node, inputs: inputs[0]
    if op.identity == "same type":
        yield _same_type
    if op.view:
        yield _reshape if op.view == "reshape" else _transpose
    if op.neutral is not None:
        yield _neutral
        if op.ufunc_name == "multiply":
            yield _merge_scalars
    if op.name == "Dropout":
        yield _dropout


@looks_for("hands on", "Dropout")
def simplify(graph: Graph) -> Graph:
    """Apply the rules to all nodes in topological order, and return the resulting graph."""

    def rule(node: Node, inputs: tuple[Entry, ...]) -> Sequence[Entry] | None:
        if node.op is None:
            return None
        entry = next(filter(None, (simpler(graph, node, inputs) for simpler in _rules_of(node.op))), None)
        if entry is None:
            return None
        return [entry, *((node, i) for i in range(1, node.num_outputs))]

    return _copy_inputs(graph, graph.rewrite(rule, {}))


def _copy_inputs(graph: Graph, simplified: Graph) -> Graph:
    """Copy inputs that have become outputs, because outputs must not alias inputs that they didn't alias before."""
    outputs = tuple(
        simplified.make("_copy", before[0].name, [after]) if after[0].op is None and before[0].op is not None else after
        for before, after in zip(graph.outputs, simplified.outputs, strict=True)
    )
    return simplified if outputs == simplified.outputs else simplified.replace(outputs=outputs)
