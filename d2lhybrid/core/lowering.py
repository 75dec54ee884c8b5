"""Lowering: the lines of NumPy that an operator becomes in a generated program.

An operator without an entry here becomes a call of its kernel. An entry is worth its lines where
NumPy has the operation itself, so that results can be written over memory that is free, or into an
arena. ``lowering_batch_last.py`` holds those of convolution and pooling.
"""

from __future__ import annotations

from collections.abc import Sequence

from ..compiler.lowering_batch_last import BATCH_LAST
from .emitter import Emitter, Lowering
from .graph import TensorType
from .node import Node

__all__ = [
    "EXTRA_LOWERINGS",
    "LOWERINGS",
    "OVERWRITES",
    "RESHAPES",
    "VIEWS",
    "is_view",
    "lowering_of",
    "numpy_lowering",
    "overwritable_inputs",
    "plain_lowering",
]

# NumPy's function for operators of one or two arrays, and for those of an array and a number.
_UFUNCS = {
    "exp": "exp", "log": "log", "tanh": "tanh", "sqrt": "sqrt", "square": "square", "negative": "negative",
    "abs": "absolute", "sin": "sin", "cos": "cos", "expm1": "expm1", "log1p": "log1p",
    "elemwise_add": "add", "broadcast_add": "add", "_npi_add": "add", "_grad_add": "add",
    "elemwise_sub": "subtract", "broadcast_sub": "subtract", "_npi_subtract": "subtract",
    "elemwise_mul": "multiply", "broadcast_mul": "multiply", "_npi_multiply": "multiply",
    "elemwise_div": "divide", "broadcast_div": "divide", "_npi_true_divide": "divide",
    "_maximum": "maximum", "broadcast_maximum": "maximum", "_npi_maximum": "maximum",
    "_minimum": "minimum", "broadcast_minimum": "minimum", "_npi_minimum": "minimum",
    "_npi_exp": "exp", "_npi_log": "log", "_npi_tanh": "tanh", "_npi_sqrt": "sqrt", "_npi_square": "square",
    "_npi_negative": "negative", "_npi_absolute": "absolute", "_npi_sin": "sin", "_npi_cos": "cos",
}  # fmt: skip
_SCALAR_UFUNCS = {
    "_plus_scalar": "add", "_npi_add_scalar": "add", "_minus_scalar": "subtract", "_npi_subtract_scalar": "subtract",
    "_mul_scalar": "multiply", "_npi_multiply_scalar": "multiply", "_div_scalar": "divide",
    "_npi_true_divide_scalar": "divide", "_maximum_scalar": "maximum", "_npi_maximum_scalar": "maximum",
    "_minimum_scalar": "minimum", "_npi_minimum_scalar": "minimum",
}  # fmt: skip
_REVERSED_SCALAR_UFUNCS = {
    "_rminus_scalar": "subtract", "_npi_rsubtract_scalar": "subtract", "_rdiv_scalar": "divide",
    "_npi_rtrue_divide_scalar": "divide",
}  # fmt: skip


def _elementwise(emit: Emitter) -> None:
    assert emit.node.op is not None
    emit.call(_UFUNCS[emit.node.op.name], *emit.arguments)


def _scalar(emit: Emitter) -> None:
    assert emit.node.op is not None
    name = emit.node.op.name
    number = emit.number(emit.node.params.get("scalar", 1.0))
    if name in _SCALAR_UFUNCS:
        emit.call(_SCALAR_UFUNCS[name], emit.arguments[0], number)
    else:
        emit.call(_REVERSED_SCALAR_UFUNCS[name], number, emit.arguments[0])


def _relu(emit: Emitter) -> None:
    emit.call("maximum", emit.arguments[0], emit.number(0, "zero"))


def _backward_relu(emit: Emitter) -> None:
    """What arrives, times a mask: multiplying is several times faster than ``where``."""
    gradient, y = emit.arguments
    mask = emit.temporary("mask", emit.result.shape, "greater", y, emit.number(0, "zero"), dtype=bool)
    emit.call("multiply", gradient, mask)


def _fully_connected(emit: Emitter) -> None:
    """``x · Wᵀ + b``: one matrix product, then the bias in place."""
    data, weight = emit.arguments[:2]
    shape = emit.types[0].shape
    flat = emit.node.params.get("flatten", True)
    if len(shape) != 2 and flat:
        data = emit.reshaped("flat", 0, (shape[0], emit.types[1].shape[1]))
    emit.call("dot" if len(shape) == 2 or flat else "matmul", data, f"{weight}.T")
    if len(emit.arguments) > 2 and not emit.node.params.get("no_bias", False):
        emit.increase(emit.out, emit.arguments[2])


def _dense_vector(emit: Emitter) -> None:
    emit.call("dot", emit.arguments[1], emit.arguments[0])


def _bias_batch_last(emit: Emitter) -> None:
    data, vector = emit.arguments
    emit.call("add", data, f"{vector}.reshape{(-1,) + (1,) * (len(emit.result.shape) - 1)}")


def _dense_batch_last(emit: Emitter) -> None:
    data, weight = emit.arguments
    if len(emit.types[0].shape) != 2:
        rows = emit.contiguous(0)
        data = emit.view("matrix", f"{rows}.reshape({emit.types[1].shape[1]}, -1)", rows)
    emit.call("dot", weight, data)


def _dot(emit: Emitter) -> None:
    """Products of matrices and vectors; what is transposed is a view that the product takes as it is."""
    arguments = []
    for number, flag in ((0, "transpose_a"), (1, "transpose_b")):
        turned = emit.node.params.get(flag, False) and len(emit.types[number].shape) == 2
        arguments.append(f"{emit.arguments[number]}.T" if turned else emit.arguments[number])
    emit.call("dot", *arguments)


def _reshape(emit: Emitter) -> None:
    emit.line(f"{emit.out} = {emit.arguments[0]}.reshape({', '.join(map(str, emit.result.shape)) or '()'})")


def _transpose(emit: Emitter) -> None:
    rank = len(emit.result.shape)
    axes = emit.node.params.get("axes") or tuple(range(rank))[::-1]
    emit.line(f"{emit.out} = {emit.arguments[0]}.transpose({', '.join(str(int(a)) for a in axes)})")


def _activation(emit: Emitter) -> None:
    kind = emit.node.params["act_type"]
    if kind == "relu":
        _relu(emit)
    else:
        emit.call(kind, emit.arguments[0])


LOWERINGS: dict[str, Lowering] = {
    **dict.fromkeys(_UFUNCS, _elementwise),
    **dict.fromkeys({**_SCALAR_UFUNCS, **_REVERSED_SCALAR_UFUNCS}, _scalar),
    "relu": _relu,
    "_npx_relu": _relu,
    "_backward_relu": _backward_relu,
    "FullyConnected": _fully_connected,
    "Activation": _activation,
    "dot": _dot,
    "_dense_vector": _dense_vector,
    "_bias_batch_last": _bias_batch_last,
    "_dense_batch_last": _dense_batch_last,
}

#: Operators that may write over their first input; those of two arrays of one shape over either.
OVERWRITES: dict[str, tuple[int, ...]] = {
    **dict.fromkeys(_UFUNCS, (0, 1)),
    **dict.fromkeys({**_SCALAR_UFUNCS, **_REVERSED_SCALAR_UFUNCS}, (0,)),
    **dict.fromkeys(("relu", "_npx_relu", "_backward_relu", "Activation", "_bias_batch_last"), (0,)),
}

#: Lowerings whose result is a view of the first input.
VIEWS: dict[str, Lowering] = {
    **dict.fromkeys(("Reshape", "reshape_like", "Flatten", "expand_dims", "_np_reshape", "_npx_reshape"), _reshape),
    **dict.fromkeys(("transpose", "_np_transpose"), _transpose),
}

#: The views among them that keep the order of the elements.
RESHAPES = frozenset(name for name, lowering in VIEWS.items() if lowering is _reshape)


def is_view(node: Node) -> bool:
    """Return whether a node's lines give a view of its input."""
    return node.op is not None and node.op.name in VIEWS


def lowering_of(node: Node, types: Sequence[TensorType], result: TensorType) -> Lowering | None:
    """Return how a node becomes lines of NumPy, None if it becomes a call of its kernel.

    NumPy's functions are used where dtypes are floating point and equal throughout; everything
    else (integer division, promotion) is the kernel's business.
    """
    op = node.op
    if op is None:
        return None
    if op.name in VIEWS:
        return VIEWS[op.name]
    if op.name not in LOWERINGS or result.dtype.kind != "f":
        return None
    if any(t.dtype != result.dtype for t in types):
        return None
    if op.name == "Activation" and node.params.get("act_type") not in ("relu", "tanh"):
        return None
    if op.name == "dot" and (len(types[0].shape), len(types[1].shape)) not in ((2, 2), (2, 1), (1, 2)):
        return None
    return LOWERINGS[op.name]


#: Lowerings for NumPy alone, also of operators with several results. The fusion pass adds its own.
EXTRA_LOWERINGS: dict[str, Lowering] = dict(BATCH_LAST)


def numpy_lowering(node: Node, types: list[TensorType], results: list[TensorType]) -> Lowering | None:
    """Return how a node becomes lines on the CPU."""
    if node.op is not None and node.op.name in EXTRA_LOWERINGS:
        return EXTRA_LOWERINGS[node.op.name]
    return plain_lowering(node, types, results)


def plain_lowering(node: Node, types: list[TensorType], results: list[TensorType]) -> Lowering | None:
    """Return how a node becomes lines that NumPy and CuPy understand."""
    return lowering_of(node, types, results[0]) if len(results) == 1 else None


def overwritable_inputs(node: Node, types: Sequence[TensorType], result: TensorType) -> tuple[int, ...]:
    """Return the inputs, by number, that a lowered node could write its result over."""
    if node.op is None or not result.shape or is_view(node):  # NumPy's results without axes are no arrays
        return ()
    if lowering_of(node, types, result) is None:
        return ()
    return tuple(i for i in OVERWRITES.get(node.op.name, ()) if i < len(types) and types[i] == result)
