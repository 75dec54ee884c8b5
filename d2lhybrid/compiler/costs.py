"""Costs: how much arithmetic and memory traffic a node stands for, as estimates from shapes alone.

A multiplication and an addition count as two operations. Products of matrices and convolutions are
counted exactly, reductions as one operation for each element of their first input, everything else
as one for each element of its visible outputs: that is right for an addition and too little for a
``tanh`` or a softmax. Views and constants cost nothing.

Bytes are what a node would move if it read every input and wrote every output once. Caches, in-place
results and the insides of kernels make the truth another number; two programs compare well by it.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence

from ..core.graph import TensorType, TypeTable
from ..core.lowering import is_view
from ..core.node import Node

__all__ = ["bytes_of", "flops_by_line", "flops_of", "is_counted", "total_cost"]

Rule = Callable[[Node, Sequence[TensorType], TensorType], int]

_REDUCTIONS = frozenset(
    {
        "sum", "mean", "max", "min", "prod", "nansum", "nanprod", "norm", "_np_sum", "_np_max", "_np_min", "_np_prod",
        "_npi_mean", "_npi_norm", "_npi_std", "_npi_var", "argmax", "argmin", "_npi_argmax", "_npi_argmin",
        "_backward_bias_batch_last", "_reduce_like",
    }
)  # fmt: skip


def _has_bias(node: Node, inputs: Sequence[TensorType]) -> bool:
    return len(inputs) > 2 and not node.params.get("no_bias", False)


def _fully_connected(node: Node, inputs: Sequence[TensorType], out: TensorType) -> int:
    return 2 * out.size * inputs[1].shape[1] + out.size * _has_bias(node, inputs)


def _dot(node: Node, inputs: Sequence[TensorType], out: TensorType) -> int:
    shape = inputs[0].shape or (1,)
    return 2 * out.size * shape[0 if node.params.get("transpose_a", False) else -1]


def _batch_dot(node: Node, inputs: Sequence[TensorType], out: TensorType) -> int:
    return 2 * out.size * inputs[0].shape[-2 if node.params.get("transpose_a", False) else -1]


def _matmul(node: Node, inputs: Sequence[TensorType], out: TensorType) -> int:
    return 2 * out.size * (inputs[0].shape or (1,))[-1]


def _matmul_gradient(node: Node, inputs: Sequence[TensorType], out: TensorType) -> int:
    return 2 * inputs[0].size * (inputs[1].shape or (1,))[-1]  # of the output's gradient and the first factor


def _contraction(first: int, second: int) -> Rule:
    """Return the rule of a product of two inputs without batch axes.

    With sizes MK, KN and MN the number of multiplications MKN is the root of their product,
    whichever of the three is the result.
    """
    return lambda node, inputs, out: 2 * math.isqrt(inputs[first].size * inputs[second].size * out.size)


def _per_filter(weight: TensorType) -> int:
    """Return the number of multiplications for one element of a convolution's output."""
    return weight.size // max(weight.shape[0], 1)


def _convolution(node: Node, inputs: Sequence[TensorType], out: TensorType) -> int:
    return 2 * out.size * _per_filter(inputs[1]) + out.size * _has_bias(node, inputs)


def _deconvolution(node: Node, inputs: Sequence[TensorType], out: TensorType) -> int:
    return 2 * inputs[0].size * _per_filter(inputs[1]) + out.size * _has_bias(node, inputs)


def _convolution_data_gradient(node: Node, inputs: Sequence[TensorType], out: TensorType) -> int:
    return 2 * inputs[0].size * _per_filter(inputs[1])  # of the output's gradient and the weight


def _convolution_weight_gradient(node: Node, inputs: Sequence[TensorType], out: TensorType) -> int:
    return 2 * inputs[0].size * _per_filter(out)  # of the output's gradient; the result is like the weight


_RULES: dict[str, Rule] = {
    "FullyConnected": _fully_connected,
    "dot": _dot,
    "batch_dot": _batch_dot,
    "_npi_matmul": _matmul,
    "_backward_matmul_lhs": _matmul_gradient,
    "_backward_matmul_rhs": _matmul_gradient,
    "_np_dot": _contraction(0, 1),
    "_npi_tensordot": _contraction(0, 1),
    "_npi_tensordot_int_axes": _contraction(0, 1),
    "_contract": _contraction(0, 1),
    "_backward_tensordot_lhs": _contraction(0, 2),
    "_backward_tensordot_rhs": _contraction(0, 1),
    "Convolution": _convolution,
    "Deconvolution": _deconvolution,
    "_convolution_batch_last": _convolution,
    "_convolution_direct": _convolution,
    "_backward_convolution_direct_weight": _convolution_weight_gradient,
    "_backward_Convolution_data": _convolution_data_gradient,
    "_backward_Convolution_weight": _convolution_weight_gradient,
    "_backward_convolution_batch_last_data": _convolution_data_gradient,
    "_backward_convolution_batch_last_weight": _convolution_weight_gradient,
    "_dense_batch_last": lambda node, inputs, out: 2 * out.size * inputs[1].shape[1],
    "_dense_vector": lambda node, inputs, out: 2 * inputs[1].size,
    "_backward_dense_batch_last_weight": lambda node, inputs, out: 2 * out.size * inputs[0].shape[-1],
}


def _is_free(node: Node) -> bool:
    return node.op is None or node.op.name == "_constant" or is_view(node)


def is_counted(node: Node) -> bool:
    """Return whether a node's operations are counted exactly: it is a product, of whatever kind."""
    return node.op is not None and node.op.name in _RULES


def flops_of(node: Node, types: TypeTable) -> int:
    """Return the estimated number of floating-point operations of a node.

    Parameters
    ----------
    node : Node
        What to count.
    types : TypeTable
        Shapes and dtypes of its inputs and outputs.
    """
    if node.op is None or _is_free(node):
        return 0
    inputs = [types[e] for e in node.inputs]
    rule = _RULES.get(node.op.name)
    if rule is not None:
        return rule(node, inputs, types[node, 0])
    body = node.params.get("body")
    if node.op.name == "_fused" and body is not None:
        return sum(flops_of(member, types) for member in body.nodes)
    if node.op.name in _REDUCTIONS and inputs:
        return inputs[0].size
    return sum(types[node, i].size for i in range(node.num_visible_outputs))


def flops_by_line(node: Node, types: TypeTable, num_lines: int) -> list[int]:
    """Return a node's operations, spread over the lines it became.

    Parameters
    ----------
    node : Node
        What to count.
    types : TypeTable
        Shapes and dtypes.
    num_lines : int
        How many lines the generated program has for it.
    """
    total = flops_of(node, types)
    lines = [total] + [0] * (num_lines - 1)
    if node.op is not None and node.op.name == "FullyConnected" and num_lines == 2:  # the product, then the bias
        lines = [total - types[node, 0].size, types[node, 0].size]
    return lines


def bytes_of(node: Node, types: TypeTable) -> int:
    """Return the bytes that a node reads and writes, hidden outputs included."""
    if _is_free(node):
        return 0
    return sum(types[e].nbytes for e in node.inputs) + sum(types[node, i].nbytes for i in range(node.num_outputs))


def total_cost(nodes: Iterable[Node], types: TypeTable) -> tuple[int, int]:
    """Return the operations and bytes of several nodes."""
    flops = moved = 0
    for node in nodes:
        flops += flops_of(node, types)
        moved += bytes_of(node, types)
    return flops, moved
