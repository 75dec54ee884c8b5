"""Lowering: the lines of NumPy that an operator becomes in a generated program.

An operator without lines of its own becomes a call of its kernel. A lowering, declared below the kernel, is worth its
lines where NumPy has the operation itself, so that results can be written over memory that is free, or into an arena.
"""

from __future__ import annotations

from collections.abc import Sequence

from ..core.graph import TensorType
from ..core.node import Node
from .emitter import Emitter, Lowering

__all__ = ["is_view", "lowering_of", "numpy_lowering", "overwritable_inputs", "plain_lowering"]


def _reshape(emit: Emitter) -> None:
    emit.line(f"{emit.out} = {emit.arguments[0]}.reshape({', '.join(map(str, emit.result.shape)) or '()'})")


def _transpose(emit: Emitter) -> None:
    rank = len(emit.result.shape)
    axes = emit.node.params.get("axes") or tuple(range(rank))[::-1]
    emit.line(f"{emit.out} = {emit.arguments[0]}.transpose({', '.join(str(int(a)) for a in axes)})")


_VIEWS: dict[str, Lowering] = {"reshape": _reshape, "transpose": _transpose}


def is_view(node: Node) -> bool:
    """Return whether a node's lines give a view of its input."""
    return node.op is not None and bool(node.op.view)


def lowering_of(node: Node, types: Sequence[TensorType], result: TensorType) -> Lowering | None:
    """Return how a node becomes lines of NumPy, None if it becomes a call of its kernel.

    NumPy's functions are used where dtypes are floating point and equal throughout; everything
    else (integer division, promotion) is the kernel's business.
    """
    op = node.op
    if op is None:
        return None
    if op.view:
        return _VIEWS[op.view]
    if op.lowering_rule is None or result.dtype.kind != "f" or any(t.dtype != result.dtype for t in types):
        return None
    condition = op.lowering_condition
    if condition is not None and not condition(*(t.shape for t in types), **op.complete(node.params)):
        return None
    return op.lowering_rule


def numpy_lowering(node: Node, types: list[TensorType], results: list[TensorType]) -> Lowering | None:
    """Return how a node becomes lines on the CPU."""
    if node.op is not None and node.op.numpy_lowering_rule is not None:
        return node.op.numpy_lowering_rule
    return plain_lowering(node, types, results)


def plain_lowering(node: Node, types: list[TensorType], results: list[TensorType]) -> Lowering | None:
    """Return how a node becomes lines that NumPy and CuPy understand."""
    return lowering_of(node, types, results[0]) if len(results) == 1 else None


def overwritable_inputs(node: Node, types: Sequence[TensorType], result: TensorType) -> tuple[int, ...]:
    """Return the inputs, by number, that a lowered node could write its result over."""
    if node.op is None or not result.shape or node.op.view:  # NumPy's results without axes are no arrays
        return ()
    if not node.op.overwrites or lowering_of(node, types, result) is None:
        return ()
    return tuple(i for i in node.op.overwrites if i < len(types) and types[i] == result)
