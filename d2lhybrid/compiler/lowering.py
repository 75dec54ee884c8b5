"""Lowering: the lines of NumPy that an operator becomes in a generated program.

An operator without an entry here becomes a call of its kernel. An entry is worth its lines where
NumPy has the operation itself, so that results can be written over memory that is free.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..symbol.node import Node
from .graph import TensorType

__all__ = ["LOWERINGS", "VIEWS", "Emitter", "is_view", "lowering_of"]

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


class Emitter:
    """What a lowering may ask and do: the interface of the code generator.

    Attributes
    ----------
    node : Node
        What is lowered.
    types : list of TensorType
        Types of the inputs.
    result : TensorType
        Type of the (first) output.
    arguments : list of str
        Names of the inputs in the program.
    out : str
        Name of the result.
    """

    def __init__(
        self,
        node: Node,
        types: list[TensorType],
        result: TensorType,
        arguments: list[str],
        out: str,
        reusable: list[bool],
        constant: Callable[[Any, str], str],
        function: Callable[[str], str],
    ) -> None:
        self.node, self.types, self.result = node, types, result
        self.arguments, self.out, self._reusable = arguments, out, reusable
        self.constant, self.function = constant, function
        self.lines: list[str] = []
        #: Where the result must go, if the caller has decided that.
        self.forced_out: str | None = None

    def line(self, text: str) -> None:
        """Append a line to the program."""
        self.lines.append(text)

    def out_of(self, *candidates: int) -> str:
        """Return ``, out=name`` for the first input whose memory may take the result, else nothing."""
        for i in candidates if self.result.shape else ():  # NumPy's results without axes are no arrays
            if self._reusable[i] and self.types[i] == self.result:
                return f", out={self.arguments[i]}"
        return ""

    def ufunc(self, name: str, *arguments: str, candidates: tuple[int, ...]) -> None:
        """Apply a NumPy function to named values, over free memory where there is some."""
        if self.forced_out is not None:
            self.line(f"{self.function(name)}({', '.join(arguments)}, out={self.forced_out})")
            return
        self.line(f"{self.out} = {self.function(name)}({', '.join(arguments)}{self.out_of(*candidates)})")


Lowering = Callable[[Emitter], None]


def _elementwise(emit: Emitter) -> None:
    assert emit.node.op is not None
    emit.ufunc(_UFUNCS[emit.node.op.name], *emit.arguments, candidates=tuple(range(len(emit.arguments))))


def _scalar(emit: Emitter) -> None:
    assert emit.node.op is not None
    name = emit.node.op.name
    number = emit.constant(emit.result.dtype.type(emit.node.params.get("scalar", 1.0)), "number")
    if name in _SCALAR_UFUNCS:
        emit.ufunc(_SCALAR_UFUNCS[name], emit.arguments[0], number, candidates=(0,))
    else:
        emit.ufunc(_REVERSED_SCALAR_UFUNCS[name], number, emit.arguments[0], candidates=(0,))


def _relu(emit: Emitter) -> None:
    emit.ufunc("maximum", emit.arguments[0], emit.constant(emit.result.dtype.type(0), "zero"), candidates=(0,))


def _fully_connected(emit: Emitter) -> None:
    """``x · Wᵀ + b``: one matrix product, then the bias in place."""
    data, weight = emit.arguments[:2]
    shape = emit.types[0].shape
    if len(shape) != 2 and emit.node.params.get("flatten", True):
        data = f"{data}.reshape({shape[0]}, -1)"
    dot = emit.function("dot" if len(shape) == 2 or emit.node.params.get("flatten", True) else "matmul")
    emit.line(f"{emit.out} = {dot}({data}, {weight}.T)")
    if len(emit.arguments) > 2 and not emit.node.params.get("no_bias", False):
        if emit.result.shape[:-1] == (1,):  # equal shapes: NumPy adds them three times as fast as it broadcasts
            emit.line(f"{emit.function('add')}({emit.out}, {emit.arguments[2]}[None], {emit.out})")
        else:
            emit.line(f"{emit.out} += {emit.arguments[2]}")


def _bias_batch_last(emit: Emitter) -> None:
    data, vector = emit.arguments
    column = f"{vector}.reshape{(-1,) + (1,) * (len(emit.result.shape) - 1)}"
    emit.ufunc("add", data, column, candidates=(0,))


def _dense_batch_last(emit: Emitter) -> None:
    data, weight = emit.arguments
    if len(emit.types[0].shape) != 2:
        data = f"{emit.function('ascontiguousarray')}({data}).reshape({emit.types[1].shape[1]}, -1)"
    emit.line(f"{emit.out} = {emit.function('dot')}({weight}, {data})")


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
        emit.ufunc(kind, emit.arguments[0], candidates=(0,))


LOWERINGS: dict[str, Lowering] = {
    **dict.fromkeys(_UFUNCS, _elementwise),
    **dict.fromkeys({**_SCALAR_UFUNCS, **_REVERSED_SCALAR_UFUNCS}, _scalar),
    "relu": _relu,
    "FullyConnected": _fully_connected,
    "Activation": _activation,
    "_bias_batch_last": _bias_batch_last,
    "_dense_batch_last": _dense_batch_last,
}

#: Lowerings whose result is a view of the first input.
VIEWS: dict[str, Lowering] = {
    **dict.fromkeys(("Reshape", "reshape_like", "Flatten", "expand_dims", "_np_reshape", "_npx_reshape"), _reshape),
    **dict.fromkeys(("transpose", "_np_transpose"), _transpose),
}


def is_view(node: Node) -> bool:
    """Return whether a node's lines give a view of its input."""
    return node.op is not None and node.op.name in VIEWS


def lowering_of(node: Node, types: list[TensorType], result: TensorType) -> Lowering | None:
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
    return LOWERINGS[op.name]
