# Written by `make stubs` (d2lhybrid/internals/commands/stubs): changes made here are lost.

from collections.abc import Sequence
from typing import Any, Literal, TypeAlias

import numpy

from .symbol import Symbol

_Shape: TypeAlias = int | Sequence[int | None]
_Floats: TypeAlias = float | Sequence[float]
_DType: TypeAlias = str | type | numpy.dtype[Any]

def _Div(
    lhs: Symbol | None = None,
    rhs: Symbol | None = None,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> Symbol:
    """Quotient of two arrays, element by element; of integers without its fraction."""

def _DivScalar(
    data: Symbol | None = None,
    scalar: float = 1.0,
    is_int: bool = True,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> Symbol:
    """``x / scalar``; of integers without its fraction."""

def _Equal(
    lhs: Symbol | None = None,
    rhs: Symbol | None = None,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> Symbol:
    """1 where x equals the other, else 0."""

def _EqualScalar(
    data: Symbol | None = None,
    scalar: float = 1.0,
    is_int: bool = True,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> Symbol:
    """1 where x equals the number, else 0."""

def _Greater(
    lhs: Symbol | None = None,
    rhs: Symbol | None = None,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> Symbol:
    """1 where x is greater than the other, else 0."""

def _GreaterEqualScalar(
    data: Symbol | None = None,
    scalar: float = 1.0,
    is_int: bool = True,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> Symbol:
    """1 where x is greater than or equal to the number, else 0."""

def _GreaterScalar(
    data: Symbol | None = None,
    scalar: float = 1.0,
    is_int: bool = True,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> Symbol:
    """1 where x is greater than the number, else 0."""

def _Greater_Equal(
    lhs: Symbol | None = None,
    rhs: Symbol | None = None,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> Symbol:
    """1 where x is greater than or equal to the other, else 0."""

def _Hypot(
    lhs: Symbol | None = None,
    rhs: Symbol | None = None,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> Symbol:
    """Hypotenuse ``√(a² + b²)`` of a right triangle."""

def _HypotScalar(
    data: Symbol | None = None,
    scalar: float = 1.0,
    is_int: bool = True,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> Symbol:
    """Hypotenuse ``√(x² + scalar²)``."""

def _Lesser(
    lhs: Symbol | None = None,
    rhs: Symbol | None = None,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> Symbol:
    """1 where x is less than the other, else 0."""

def _LesserEqualScalar(
    data: Symbol | None = None,
    scalar: float = 1.0,
    is_int: bool = True,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> Symbol:
    """1 where x is less than or equal to the number, else 0."""

def _LesserScalar(
    data: Symbol | None = None,
    scalar: float = 1.0,
    is_int: bool = True,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> Symbol:
    """1 where x is less than the number, else 0."""

def _Lesser_Equal(
    lhs: Symbol | None = None,
    rhs: Symbol | None = None,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> Symbol:
    """1 where x is less than or equal to the other, else 0."""

def _LogicalAndScalar(
    data: Symbol | None = None,
    scalar: float = 1.0,
    is_int: bool = True,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> Symbol:
    """1 where both x and the number are nonzero, else 0."""

def _LogicalOrScalar(
    data: Symbol | None = None,
    scalar: float = 1.0,
    is_int: bool = True,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> Symbol:
    """1 where x or the number is nonzero, else 0."""

def _LogicalXorScalar(
    data: Symbol | None = None,
    scalar: float = 1.0,
    is_int: bool = True,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> Symbol:
    """1 where exactly one of x and the number is nonzero, else 0."""

def _Logical_And(
    lhs: Symbol | None = None,
    rhs: Symbol | None = None,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> Symbol:
    """1 where both x and the other are nonzero, else 0."""

def _Logical_Or(
    lhs: Symbol | None = None,
    rhs: Symbol | None = None,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> Symbol:
    """1 where x or the other is nonzero, else 0."""

def _Logical_Xor(
    lhs: Symbol | None = None,
    rhs: Symbol | None = None,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> Symbol:
    """1 where exactly one of x and the other is nonzero, else 0."""

def _Maximum(
    lhs: Symbol | None = None,
    rhs: Symbol | None = None,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> Symbol:
    """The larger of two numbers, element by element."""

def _MaximumScalar(
    data: Symbol | None = None,
    scalar: float = 1.0,
    is_int: bool = True,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> Symbol:
    """The larger of x and a number."""

def _Minimum(
    lhs: Symbol | None = None,
    rhs: Symbol | None = None,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> Symbol:
    """The smaller of two numbers, element by element."""

def _MinimumScalar(
    data: Symbol | None = None,
    scalar: float = 1.0,
    is_int: bool = True,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> Symbol:
    """The smaller of x and a number."""

def _Minus(
    lhs: Symbol | None = None,
    rhs: Symbol | None = None,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> Symbol:
    """Difference of two arrays, element by element."""

def _MinusScalar(
    data: Symbol | None = None,
    scalar: float = 1.0,
    is_int: bool = True,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> Symbol:
    """``x - scalar``."""

def _Mod(
    lhs: Symbol | None = None,
    rhs: Symbol | None = None,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> Symbol:
    """Remainder of a division, with the sign of the divisor; 0 where the divisor is 0."""

def _ModScalar(
    data: Symbol | None = None,
    scalar: float = 1.0,
    is_int: bool = True,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> Symbol:
    """``x % scalar``, with the sign of the divisor; 0 where the divisor is 0."""

def _Mul(
    lhs: Symbol | None = None,
    rhs: Symbol | None = None,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> Symbol:
    """Product of two arrays, element by element."""

def _MulScalar(
    data: Symbol | None = None,
    scalar: float = 1.0,
    is_int: bool = True,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> Symbol:
    """``x * scalar``."""

def _NoGradient(name: str | None = None, attr: dict[str, str] | None = None, out: Any = None, **kwargs: Any) -> Symbol:
    """Placeholder for a gradient that is zero."""

def _NotEqualScalar(
    data: Symbol | None = None,
    scalar: float = 1.0,
    is_int: bool = True,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> Symbol:
    """1 where x differs from the number, else 0."""

def _Not_Equal(
    lhs: Symbol | None = None,
    rhs: Symbol | None = None,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> Symbol:
    """1 where x differs from the other, else 0."""

def _Plus(
    lhs: Symbol | None = None,
    rhs: Symbol | None = None,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> Symbol:
    """Sum of two arrays, element by element."""

def _PlusScalar(
    data: Symbol | None = None,
    scalar: float = 1.0,
    is_int: bool = True,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> Symbol:
    """``x + scalar``."""

def _Power(
    lhs: Symbol | None = None,
    rhs: Symbol | None = None,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> Symbol:
    """The first array to the power of the second, element by element."""

def _PowerScalar(
    data: Symbol | None = None,
    scalar: float = 1.0,
    is_int: bool = True,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> Symbol:
    """``x ** scalar``."""

def _RDivScalar(
    data: Symbol | None = None,
    scalar: float = 1.0,
    is_int: bool = True,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> Symbol:
    """``scalar / x``; of integers without its fraction."""

def _RMinusScalar(
    data: Symbol | None = None,
    scalar: float = 1.0,
    is_int: bool = True,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> Symbol:
    """``scalar - x``."""

def _RModScalar(
    data: Symbol | None = None,
    scalar: float = 1.0,
    is_int: bool = True,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> Symbol:
    """``scalar % x``, with the sign of the divisor; 0 where the divisor is 0."""

def _RNN_keeping(
    data: Symbol | None = None,
    parameters: Symbol | None = None,
    state: Symbol | None = None,
    state_cell: Symbol | None = None,
    sequence_length: Symbol | None = None,
    state_size: int = ...,
    num_layers: int = ...,
    bidirectional: bool = False,
    mode: Literal["gru", "lstm", "rnn_relu", "rnn_tanh"] = ...,
    p: float = 0.0,
    state_outputs: bool = False,
    projection_size: int | None = None,
    use_sequence_length: bool = False,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> Symbol:
    """Compute ``RNN`` and keep its runs: behind its outputs, for each layer and direction, states and gates."""

def _RPowerScalar(
    data: Symbol | None = None,
    scalar: float = 1.0,
    is_int: bool = True,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> Symbol:
    """``scalar ** x``."""

def _adamw_update(
    weight: Symbol | None = None,
    grad: Symbol | None = None,
    mean: Symbol | None = None,
    var: Symbol | None = None,
    rescale_grad: Symbol | None = None,
    lr: float = ...,
    beta1: float = 0.9,
    beta2: float = 0.999,
    epsilon: float = 1e-08,
    wd: float = 0.0,
    eta: float = ...,
    clip_gradient: float = -1.0,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> Symbol:
    """Adam with decoupled weight decay; skipped where ``rescale_grad`` is 0, infinite or NaN."""

def _adaptive_avg_pooling_like(
    data: Symbol | None = None,
    like: Symbol | None = None,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> Symbol:
    """Adaptive average pooling to the size of another array."""

def _add(
    lhs: Symbol | None = None,
    rhs: Symbol | None = None,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> Symbol:
    """Sum of two arrays, element by element."""

def _align_weights(
    weights: Symbol | None = None,
    a: Symbol | None = None,
    axis: _Shape | None = None,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> Symbol:
    """Repeat weights along one axis over all of ``a``."""

def _along_axis(
    vector: Symbol | None = None,
    like: Symbol | None = None,
    axis: int = 1,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> Symbol:
    """Lay a vector along one axis of an array, with sizes of 1 elsewhere, ready to broadcast."""

def _arange(
    start: float,
    stop: float | None = None,
    step: float = 1.0,
    repeat: int = 1,
    infer_range: bool = False,
    ctx: str = "",
    dtype: _DType = "float32",
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> Symbol:
    """Numbers from ``start`` to ``stop`` (not included), each ``repeat`` times."""

def _at_least_single(
    data: Symbol | None = None,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> Symbol:
    """Convert half precision to single; others stay as they are."""

def _bias_batch_last(
    data: Symbol | None = None,
    vector: Symbol | None = None,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> Symbol:
    """Add one value per channel to ``(C, ..., N)``."""

def _cast_like(
    data: Symbol | None = None,
    like: Symbol | None = None,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> Symbol:
    """Return an array in the dtype of another one."""

def _cond(
    *data: Symbol,
    num_outputs: int,
    cond_input_locs: _Shape,
    then_input_locs: _Shape,
    else_input_locs: _Shape,
    subgraphs: Any = (),
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> Symbol:
    """Run one of two graphs, as a third one says; made by ``sym.contrib.cond``."""

def _constant(
    *nothing: Symbol,
    value: Any = None,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> Symbol:
    """Return a value that was computed at compile time."""

def _contract(
    lhs: Symbol | None = None,
    rhs: Symbol | None = None,
    like: Symbol | None = None,
    lhs_axes: _Shape = ...,
    rhs_axes: _Shape = ...,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> Symbol:
    """A contraction in the shape of ``like``: what legacy and NumPy operators have in common."""

def _convolution_batch_last(
    data: Symbol | None = None,
    matrix: Symbol | None = None,
    kernel: _Shape = ...,
    stride: _Shape = (),
    pad: _Shape = (),
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> Symbol:
    """Two-dimensional convolution of ``(C, H, W, N)``."""

def _convolution_direct(
    data: Symbol | None = None,
    matrix: Symbol | None = None,
    kernel: _Shape = ...,
    stride: _Shape = (),
    pad: _Shape = (),
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> Symbol:
    """Two-dimensional convolution of ``(C, H, W, N)`` with weights ``(O, KH * C * KW)``."""

def _copy(
    data: Symbol | None = None,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> Symbol:
    """Copy of an array."""

def _copyto(
    data: Symbol | None = None,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> Symbol:
    """Copy of an array, to be written elsewhere."""

def _crop_assign(
    lhs: Symbol | None = None,
    rhs: Symbol | None = None,
    begin: _Shape = ...,
    end: _Shape = ...,
    step: _Shape = (),
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> Symbol:
    """A copy of ``lhs`` whose slice ``begin:end:step`` holds ``rhs``."""

def _crop_assign_scalar(
    data: Symbol | None = None,
    scalar: float = 0.0,
    begin: _Shape = ...,
    end: _Shape = ...,
    step: _Shape = (),
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> Symbol:
    """A copy of ``data`` whose slice ``begin:end:step`` holds a number."""

def _cvcopyMakeBorder(
    src: Symbol | None = None,
    top: int = ...,
    bot: int = ...,
    left: int = ...,
    right: int = ...,
    type: int = 0,
    value: float = 0.0,
    values: _Floats = (),
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> Symbol:
    """Put a border around an image (H, W, C)."""

def _cvimresize(
    src: Symbol | None = None,
    w: int = ...,
    h: int = ...,
    interp: int = 1,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> Symbol:
    """Resize an image to ``w`` times ``h`` pixels; what ``mx.image.imresize`` calls."""

def _deformable_columns(
    data: Symbol | None = None,
    offset: Symbol | None = None,
    mask: Symbol | None = None,
    kernel: _Shape = ...,
    stride: _Shape = (),
    dilate: _Shape = (),
    pad: _Shape = (),
    num_deformable_group: int = 1,
    clamped: bool = True,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> Symbol:
    """Return what deformed windows read, as (batch, channels * elements of a window, height, width)."""

def _dense_batch_last(
    data: Symbol | None = None,
    weight: Symbol | None = None,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> Symbol:
    """``weight · data`` for data whose last axis is the batch; the other axes are the features."""

def _dense_vector(
    data: Symbol | None = None,
    weight: Symbol | None = None,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> Symbol:
    """``weight · data``."""

def _digamma(
    data: Symbol | None = None,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> Symbol:
    """Derivative of ``gammaln``."""

def _div(
    lhs: Symbol | None = None,
    rhs: Symbol | None = None,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> Symbol:
    """Quotient of two arrays, element by element; of integers without its fraction."""

def _div_scalar(
    data: Symbol | None = None,
    scalar: float = 1.0,
    is_int: bool = True,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> Symbol:
    """``x / scalar``; of integers without its fraction."""

def _equal(
    lhs: Symbol | None = None,
    rhs: Symbol | None = None,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> Symbol:
    """1 where x equals the other, else 0."""

def _equal_scalar(
    data: Symbol | None = None,
    scalar: float = 1.0,
    is_int: bool = True,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> Symbol:
    """1 where x equals the number, else 0."""

def _eye(
    N: int,
    M: int = 0,
    k: int = 0,
    ctx: str = "",
    dtype: _DType = "float32",
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> Symbol:
    """A matrix with ones on the k-th diagonal; M columns, or as many as rows where M is not positive."""

def _foreach(
    *data: Symbol,
    num_outputs: int,
    num_out_data: int,
    in_state_locs: _Shape,
    in_data_locs: _Shape,
    remain_locs: _Shape,
    subgraphs: Any = (),
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> Symbol:
    """Run a graph over the rows of arrays, handing on states; made by ``sym.contrib.foreach``."""

def _full(
    shape: _Shape | None = None,
    ctx: str = "",
    dtype: _DType = "float32",
    value: float = ...,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> Symbol:
    """An array with ``value`` everywhere."""

def _fused(
    *data: Symbol,
    body: Any = None,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> Symbol:
    """Evaluate a region of operators in one go."""

def _gather_along(
    data: Symbol | None = None,
    indices: Symbol | None = None,
    axis: int | None = -1,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> Symbol:
    """Elements of ``data`` at indices along an axis, which differ from place to place."""

def _grad_add(
    lhs: Symbol | None = None,
    rhs: Symbol | None = None,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> Symbol:
    """Sum of two gradients of one array."""

def _greater(
    lhs: Symbol | None = None,
    rhs: Symbol | None = None,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> Symbol:
    """1 where x is greater than the other, else 0."""

def _greater_equal(
    lhs: Symbol | None = None,
    rhs: Symbol | None = None,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> Symbol:
    """1 where x is greater than or equal to the other, else 0."""

def _greater_equal_scalar(
    data: Symbol | None = None,
    scalar: float = 1.0,
    is_int: bool = True,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> Symbol:
    """1 where x is greater than or equal to the number, else 0."""

def _greater_scalar(
    data: Symbol | None = None,
    scalar: float = 1.0,
    is_int: bool = True,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> Symbol:
    """1 where x is greater than the number, else 0."""

def _histogram(
    data: Symbol | None = None,
    bins: Symbol | None = None,
    bin_cnt: int | None = None,
    range: _Floats | None = None,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> Symbol:
    """How many elements lie in each bin, and the edges of the bins."""

def _hypot(
    lhs: Symbol | None = None,
    rhs: Symbol | None = None,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> Symbol:
    """Hypotenuse ``√(a² + b²)`` of a right triangle."""

def _hypot_scalar(
    data: Symbol | None = None,
    scalar: float = 1.0,
    is_int: bool = True,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> Symbol:
    """Hypotenuse ``√(x² + scalar²)``."""

def _identity_with_attr_like_rhs(
    lhs: Symbol | None = None,
    rhs: Symbol | None = None,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> Symbol:
    """The first array; the second only lends its shape and dtype to what is not known yet."""

def _lesser(
    lhs: Symbol | None = None,
    rhs: Symbol | None = None,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> Symbol:
    """1 where x is less than the other, else 0."""

def _lesser_equal(
    lhs: Symbol | None = None,
    rhs: Symbol | None = None,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> Symbol:
    """1 where x is less than or equal to the other, else 0."""

def _lesser_equal_scalar(
    data: Symbol | None = None,
    scalar: float = 1.0,
    is_int: bool = True,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> Symbol:
    """1 where x is less than or equal to the number, else 0."""

def _lesser_scalar(
    data: Symbol | None = None,
    scalar: float = 1.0,
    is_int: bool = True,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> Symbol:
    """1 where x is less than the number, else 0."""

def _linspace(
    start: float,
    stop: float,
    num: int,
    endpoint: bool = True,
    ctx: str = "",
    dtype: _DType = "float32",
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> Symbol:
    """``num`` numbers from ``start`` to ``stop`` at equal distances."""

def _logical_and(
    lhs: Symbol | None = None,
    rhs: Symbol | None = None,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> Symbol:
    """1 where both x and the other are nonzero, else 0."""

def _logical_and_scalar(
    data: Symbol | None = None,
    scalar: float = 1.0,
    is_int: bool = True,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> Symbol:
    """1 where both x and the number are nonzero, else 0."""

def _logical_or(
    lhs: Symbol | None = None,
    rhs: Symbol | None = None,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> Symbol:
    """1 where x or the other is nonzero, else 0."""

def _logical_or_scalar(
    data: Symbol | None = None,
    scalar: float = 1.0,
    is_int: bool = True,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> Symbol:
    """1 where x or the number is nonzero, else 0."""

def _logical_xor(
    lhs: Symbol | None = None,
    rhs: Symbol | None = None,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> Symbol:
    """1 where exactly one of x and the other is nonzero, else 0."""

def _logical_xor_scalar(
    data: Symbol | None = None,
    scalar: float = 1.0,
    is_int: bool = True,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> Symbol:
    """1 where exactly one of x and the number is nonzero, else 0."""

def _matrix_apply(
    A: Symbol | None = None,
    b: Symbol | None = None,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> Symbol:
    """``A · b`` for a vector or a matrix ``b``, told apart as ``solve`` does."""

def _matrix_outer(
    u: Symbol | None = None,
    v: Symbol | None = None,
    like: Symbol | None = None,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> Symbol:
    """``u · vᵀ`` for vectors or matrices, in the shape of a square matrix."""

def _matrix_transpose(
    data: Symbol | None = None,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> Symbol:
    """Exchange the last two axes."""

def _maximum(
    lhs: Symbol | None = None,
    rhs: Symbol | None = None,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> Symbol:
    """The larger of two numbers, element by element."""

def _maximum_scalar(
    data: Symbol | None = None,
    scalar: float = 1.0,
    is_int: bool = True,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> Symbol:
    """The larger of x and a number."""

def _minimum(
    lhs: Symbol | None = None,
    rhs: Symbol | None = None,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> Symbol:
    """The smaller of two numbers, element by element."""

def _minimum_scalar(
    data: Symbol | None = None,
    scalar: float = 1.0,
    is_int: bool = True,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> Symbol:
    """The smaller of x and a number."""

def _minus(
    lhs: Symbol | None = None,
    rhs: Symbol | None = None,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> Symbol:
    """Difference of two arrays, element by element."""

def _minus_scalar(
    data: Symbol | None = None,
    scalar: float = 1.0,
    is_int: bool = True,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> Symbol:
    """``x - scalar``."""

def _mod(
    lhs: Symbol | None = None,
    rhs: Symbol | None = None,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> Symbol:
    """Remainder of a division, with the sign of the divisor; 0 where the divisor is 0."""

def _mod_scalar(
    data: Symbol | None = None,
    scalar: float = 1.0,
    is_int: bool = True,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> Symbol:
    """``x % scalar``, with the sign of the divisor; 0 where the divisor is 0."""

def _mp_adamw_update(
    weight: Symbol | None = None,
    grad: Symbol | None = None,
    mean: Symbol | None = None,
    var: Symbol | None = None,
    weight32: Symbol | None = None,
    rescale_grad: Symbol | None = None,
    lr: float = ...,
    beta1: float = 0.9,
    beta2: float = 0.999,
    epsilon: float = 1e-08,
    wd: float = 0.0,
    eta: float = ...,
    clip_gradient: float = -1.0,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> Symbol:
    """Like ``_adamw_update``, computing on a float32 master copy of the weight."""

def _mul(
    lhs: Symbol | None = None,
    rhs: Symbol | None = None,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> Symbol:
    """Product of two arrays, element by element."""

def _mul_scalar(
    data: Symbol | None = None,
    scalar: float = 1.0,
    is_int: bool = True,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> Symbol:
    """``x * scalar``."""

def _multi_adamw_update(
    *data: Symbol,
    lrs: _Floats,
    beta1: float = 0.9,
    beta2: float = 0.999,
    epsilon: float = 1e-08,
    wds: _Floats,
    etas: _Floats,
    clip_gradient: float = -1.0,
    num_weights: int = 1,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> Symbol:
    """``_adamw_update`` for several weights: weight, gradient and states of each in turn."""

def _multi_lamb_update(
    *data: Symbol,
    learning_rates: _Floats,
    beta1: float = 0.9,
    beta2: float = 0.999,
    epsilon: float = 1e-06,
    wds: _Floats,
    rescale_grad: float = 1.0,
    lower_bound: float = -1.0,
    upper_bound: float = -1.0,
    clip_gradient: float = -1.0,
    bias_correction: bool = True,
    step_count: _Shape,
    num_tensors: int = 1,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> Symbol:
    """LAMB for several weights: ``lamb_update_phase1`` and ``lamb_update_phase2`` for each in turn."""

def _multi_mp_adamw_update(
    *data: Symbol,
    lrs: _Floats,
    beta1: float = 0.9,
    beta2: float = 0.999,
    epsilon: float = 1e-08,
    wds: _Floats,
    etas: _Floats,
    clip_gradient: float = -1.0,
    num_weights: int = 1,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> Symbol:
    """``_mp_adamw_update`` for several weights: weight, gradient and states of each in turn."""

def _multi_mp_lamb_update(
    *data: Symbol,
    learning_rates: _Floats,
    beta1: float = 0.9,
    beta2: float = 0.999,
    epsilon: float = 1e-06,
    wds: _Floats,
    rescale_grad: float = 1.0,
    lower_bound: float = -1.0,
    upper_bound: float = -1.0,
    clip_gradient: float = -1.0,
    bias_correction: bool = True,
    step_count: _Shape,
    num_tensors: int = 1,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> Symbol:
    """LAMB for several weights: ``mp_lamb_update_phase1`` and ``mp_lamb_update_phase2`` for each in turn."""

def _not_equal(
    lhs: Symbol | None = None,
    rhs: Symbol | None = None,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> Symbol:
    """1 where x differs from the other, else 0."""

def _not_equal_scalar(
    data: Symbol | None = None,
    scalar: float = 1.0,
    is_int: bool = True,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> Symbol:
    """1 where x differs from the number, else 0."""

def _of_floats(
    dy: Symbol | None = None,
    like: Symbol | None = None,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> Symbol:
    """Return a gradient, which is zero with respect to integers."""

def _one_hot_like(
    data: Symbol | None = None,
    label: Symbol | None = None,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> Symbol:
    """Row ``i`` is 1 at column ``label[i]``, else 0; in the shape and dtype of ``data``."""

def _onehot_encode(
    lhs: Symbol | None = None,
    rhs: Symbol | None = None,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> Symbol:
    """One-hot rows for the indices ``lhs`` in the shape of ``rhs``; ``one_hot`` is its successor."""

def _ones(
    shape: _Shape = (),
    ctx: str = "",
    dtype: _DType = "float32",
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> Symbol:
    """An array of ones."""

def _plus(
    lhs: Symbol | None = None,
    rhs: Symbol | None = None,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> Symbol:
    """Sum of two arrays, element by element."""

def _plus_scalar(
    data: Symbol | None = None,
    scalar: float = 1.0,
    is_int: bool = True,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> Symbol:
    """``x + scalar``."""

def _polynomial_derivative(
    p: Symbol | None = None,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> Symbol:
    """Coefficients of the derivative of a polynomial; those of a constant are a single zero."""

def _pooling_at_maxima(
    values: Symbol | None = None,
    data: Symbol | None = None,
    kernel: _Shape = (),
    pool_type: Literal["avg", "lp", "max", "sum"] = "max",
    global_pool: bool = False,
    cudnn_off: bool = False,
    pooling_convention: Literal["full", "same", "valid"] = "valid",
    stride: _Shape = (),
    pad: _Shape = (),
    p_value: int | None = None,
    count_include_pad: bool | None = None,
    layout: Literal["NCDHW", "NCHW", "NCW", "NDHWC", "NHWC", "NWC"] | None = None,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> Symbol:
    """Take the values that stand where each window of the data has its (first) maximum."""

def _pooling_batch_last(
    data: Symbol | None = None,
    kernel: _Shape = (),
    pool_type: str = "max",
    stride: _Shape = (),
    pad: _Shape = (),
    full: bool = False,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> Symbol:
    """Maximum, average or sum over windows of ``(C, H, W, N)``; averages count the padding."""

def _pooling_v1_at_maxima(
    values: Symbol | None = None,
    data: Symbol | None = None,
    kernel: _Shape = (),
    pool_type: Literal["avg", "max", "sum"] = "max",
    global_pool: bool = False,
    pooling_convention: Literal["full", "valid"] = "valid",
    stride: _Shape = (),
    pad: _Shape = (),
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> Symbol:
    """Pool values as Pooling_v1 pools the data: of maxima, add what stands where the data have them."""

def _power(
    lhs: Symbol | None = None,
    rhs: Symbol | None = None,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> Symbol:
    """The first array to the power of the second, element by element."""

def _power_scalar(
    data: Symbol | None = None,
    scalar: float = 1.0,
    is_int: bool = True,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> Symbol:
    """``x ** scalar``."""

def _power_sums(
    grad: Symbol | None = None,
    x: Symbol | None = None,
    p: Symbol | None = None,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> Symbol:
    """Sums of ``grad`` times the powers of ``x``: the gradient of a polynomial's coefficients ``p``."""

def _random_exponential(
    lam: float = 1.0,
    shape: _Shape | None = None,
    ctx: str = "",
    dtype: _DType | None = None,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> Symbol:
    """Draw exponentially distributed numbers with the rate ``lam``."""

def _random_gamma(
    alpha: float = 1.0,
    beta: float = 1.0,
    shape: _Shape | None = None,
    ctx: str = "",
    dtype: _DType | None = None,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> Symbol:
    """Draw gamma distributed numbers with the shape parameter ``alpha`` and the scale ``beta``."""

def _random_generalized_negative_binomial(
    mu: float = 1.0,
    alpha: float = 1.0,
    shape: _Shape | None = None,
    ctx: str = "",
    dtype: _DType | None = None,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> Symbol:
    """Draw negative binomial numbers with mean ``mu`` and dispersion ``alpha``; 0 gives Poisson's."""

def _random_negative_binomial(
    k: int = 1,
    p: float = 1.0,
    shape: _Shape | None = None,
    ctx: str = "",
    dtype: _DType | None = None,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> Symbol:
    """Draw the number of failures before the k-th success, where a success has probability p."""

def _random_normal(
    loc: float = 0.0,
    scale: float = 1.0,
    shape: _Shape | None = None,
    ctx: str = "",
    dtype: _DType | None = None,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> Symbol:
    """Draw normally distributed numbers."""

def _random_pdf_dirichlet(
    sample: Symbol | None = None,
    alpha: Symbol | None = None,
    is_log: bool = False,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> Symbol:
    """Density of the distribution ``dirichlet`` at ``sample``, or its logarithm."""

def _random_pdf_exponential(
    sample: Symbol | None = None,
    lam: Symbol | None = None,
    is_log: bool = False,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> Symbol:
    """Density of the distribution ``exponential`` at ``sample``, or its logarithm."""

def _random_pdf_gamma(
    sample: Symbol | None = None,
    alpha: Symbol | None = None,
    beta: Symbol | None = None,
    is_log: bool = False,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> Symbol:
    """Density of the distribution ``gamma`` at ``sample``, or its logarithm."""

def _random_pdf_generalized_negative_binomial(
    sample: Symbol | None = None,
    mu: Symbol | None = None,
    alpha: Symbol | None = None,
    is_log: bool = False,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> Symbol:
    """Density of the distribution ``generalized_negative_binomial`` at ``sample``, or its logarithm."""

def _random_pdf_negative_binomial(
    sample: Symbol | None = None,
    k: Symbol | None = None,
    p: Symbol | None = None,
    is_log: bool = False,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> Symbol:
    """Density of the distribution ``negative_binomial`` at ``sample``, or its logarithm."""

def _random_pdf_normal(
    sample: Symbol | None = None,
    mu: Symbol | None = None,
    sigma: Symbol | None = None,
    is_log: bool = False,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> Symbol:
    """Density of the distribution ``normal`` at ``sample``, or its logarithm."""

def _random_pdf_poisson(
    sample: Symbol | None = None,
    lam: Symbol | None = None,
    is_log: bool = False,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> Symbol:
    """Density of the distribution ``poisson`` at ``sample``, or its logarithm."""

def _random_pdf_uniform(
    sample: Symbol | None = None,
    low: Symbol | None = None,
    high: Symbol | None = None,
    is_log: bool = False,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> Symbol:
    """Density of the distribution ``uniform`` at ``sample``, or its logarithm."""

def _random_poisson(
    lam: float = 1.0,
    shape: _Shape | None = None,
    ctx: str = "",
    dtype: _DType | None = None,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> Symbol:
    """Draw Poisson distributed numbers."""

def _random_randint(
    low: int,
    high: int,
    shape: _Shape | None = None,
    ctx: str = "",
    dtype: _DType | None = None,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> Symbol:
    """Draw integers from ``low`` (included) to ``high`` (not included), all equally likely."""

def _random_uniform(
    low: float = 0.0,
    high: float = 1.0,
    shape: _Shape | None = None,
    ctx: str = "",
    dtype: _DType | None = None,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> Symbol:
    """Draw numbers between ``low`` (included) and ``high``."""

def _ravel_multi_index(
    data: Symbol | None = None,
    shape: _Shape | None = None,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> Symbol:
    """Number of the element at an index: the columns of ``data`` are indices into ``shape``."""

def _rdiv_scalar(
    data: Symbol | None = None,
    scalar: float = 1.0,
    is_int: bool = True,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> Symbol:
    """``scalar / x``; of integers without its fraction."""

def _reduce_like(
    data: Symbol | None = None,
    like: Symbol | None = None,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> Symbol:
    """Sum a broadcast result back to the shape of one operand: broadcasting's adjoint."""

def _resize_like(
    a: Symbol | None = None,
    shape_like: Symbol | None = None,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> Symbol:
    """As many elements as another array has, in its shape."""

def _rminus_scalar(
    data: Symbol | None = None,
    scalar: float = 1.0,
    is_int: bool = True,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> Symbol:
    """``scalar - x``."""

def _rmod_scalar(
    data: Symbol | None = None,
    scalar: float = 1.0,
    is_int: bool = True,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> Symbol:
    """``scalar % x``, with the sign of the divisor; 0 where the divisor is 0."""

def _rnn_param_concat(
    *data: Symbol,
    dim: int = 1,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> Symbol:
    """Join arrays along an axis: how a recurrent layer makes its vector of parameters."""

def _rpower_scalar(
    data: Symbol | None = None,
    scalar: float = 1.0,
    is_int: bool = True,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> Symbol:
    """``scalar ** x``."""

def _sample_exponential(
    lam: Symbol | None = None,
    shape: _Shape = (),
    dtype: _DType | None = None,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> Symbol:
    """Draw exponentially distributed numbers with the rate ``lam``."""

def _sample_gamma(
    alpha: Symbol | None = None,
    beta: Symbol | None = None,
    shape: _Shape = (),
    dtype: _DType | None = None,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> Symbol:
    """Draw gamma distributed numbers with the shape parameter ``alpha`` and the scale ``beta``."""

def _sample_generalized_negative_binomial(
    mu: Symbol | None = None,
    alpha: Symbol | None = None,
    shape: _Shape = (),
    dtype: _DType | None = None,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> Symbol:
    """Draw negative binomial numbers with mean ``mu`` and dispersion ``alpha``; 0 gives Poisson's."""

def _sample_multinomial(
    data: Symbol | None = None,
    shape: _Shape = (),
    get_prob: bool = False,
    dtype: _DType = "int32",
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> Symbol:
    """Draw category numbers with the probabilities in the last axis."""

def _sample_negative_binomial(
    k: Symbol | None = None,
    p: Symbol | None = None,
    shape: _Shape = (),
    dtype: _DType | None = None,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> Symbol:
    """Draw the number of failures before the k-th success, where a success has probability p."""

def _sample_normal(
    mu: Symbol | None = None,
    sigma: Symbol | None = None,
    shape: _Shape = (),
    dtype: _DType | None = None,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> Symbol:
    """Draw normally distributed numbers."""

def _sample_poisson(
    lam: Symbol | None = None,
    shape: _Shape = (),
    dtype: _DType | None = None,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> Symbol:
    """Draw Poisson distributed numbers."""

def _sample_uniform(
    low: Symbol | None = None,
    high: Symbol | None = None,
    shape: _Shape = (),
    dtype: _DType | None = None,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> Symbol:
    """Draw numbers between ``low`` (included) and ``high``."""

def _sample_unique_zipfian(
    range_max: int,
    shape: _Shape | None = None,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> Symbol:
    """Draw different numbers below ``range_max`` from a log-uniform distribution, row by row."""

def _scatter_elemwise_div(
    lhs: Symbol | None = None,
    rhs: Symbol | None = None,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> Symbol:
    """Quotient of two arrays, element by element (for sparse arrays in MXNet)."""

def _scatter_minus_scalar(
    data: Symbol | None = None,
    scalar: float = 1.0,
    is_int: bool = True,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> Symbol:
    """``x - scalar`` (for sparse arrays in MXNet)."""

def _scatter_plus_scalar(
    data: Symbol | None = None,
    scalar: float = 1.0,
    is_int: bool = True,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> Symbol:
    """``x + scalar`` (for sparse arrays in MXNet)."""

def _scatter_set_nd(
    lhs: Symbol | None = None,
    rhs: Symbol | None = None,
    indices: Symbol | None = None,
    shape: _Shape = ...,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> Symbol:
    """A copy of ``lhs`` with ``rhs`` put at ``[indices[0], indices[1], ...]``."""

def _shuffle(
    data: Symbol | None = None,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> Symbol:
    """Put the elements of the first axis into random order."""

def _slice_assign(
    lhs: Symbol | None = None,
    rhs: Symbol | None = None,
    begin: _Shape = ...,
    end: _Shape = ...,
    step: _Shape = (),
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> Symbol:
    """A copy of ``lhs`` whose slice ``begin:end:step`` holds ``rhs``."""

def _slice_assign_scalar(
    data: Symbol | None = None,
    scalar: float = 0.0,
    begin: _Shape = ...,
    end: _Shape = ...,
    step: _Shape = (),
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> Symbol:
    """A copy of ``data`` whose slice ``begin:end:step`` holds a number."""

def _split_v2(
    data: Symbol | None = None,
    indices: _Shape = ...,
    axis: int = 1,
    squeeze_axis: bool = False,
    sections: int = 0,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> Symbol:
    """Cut an array at given positions, or into nearly equal pieces."""

def _square_sum(
    data: Symbol | None = None,
    axis: _Shape | None = None,
    keepdims: bool = False,
    exclude: bool = False,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> Symbol:
    """Sum of the squares over the given axes."""

def _stretch_or_sum(
    data: Symbol | None = None,
    like: Symbol | None = None,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> Symbol:
    """Repeat axes of size 1, and sum axes where the other array has size 1: where a letter has both sizes."""

def _sub(
    lhs: Symbol | None = None,
    rhs: Symbol | None = None,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> Symbol:
    """Difference of two arrays, element by element."""

def _sum_to_reduced(
    data: Symbol | None = None,
    reduced: Symbol | None = None,
    axis: _Shape | None = None,
    keepdims: bool = False,
    exclude: bool = False,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> Symbol:
    """Sum to the shape of a reduced array: the adjoint of spreading one."""

def _sum_to_weights(
    a: Symbol | None = None,
    weights: Symbol | None = None,
    axis: _Shape | None = None,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> Symbol:
    """Sum ``a`` to the shape of the weights along one axis: the adjoint of ``_align_weights``."""

def _triangular_part(
    data: Symbol | None = None,
    lower: bool = True,
    offset: int = 0,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> Symbol:
    """Keep one triangle of each matrix, up to the diagonal ``offset``; zeros elsewhere."""

def _trigamma(
    data: Symbol | None = None,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> Symbol:
    """Second derivative of ``gammaln``."""

def _unravel_index(
    data: Symbol | None = None,
    shape: _Shape | None = None,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> Symbol:
    """Index into ``shape`` of the element with a number, along a new first axis."""

def _while_loop(
    *data: Symbol,
    num_outputs: int,
    num_out_data: int,
    max_iterations: int,
    cond_input_locs: _Shape,
    func_input_locs: _Shape,
    func_var_locs: _Shape,
    subgraphs: Any = (),
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> Symbol:
    """Run a graph while another one says so; made by ``sym.contrib.while_loop``."""

def _written(
    value: Symbol | None = None,
    variable: Symbol | None = None,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> Symbol:
    """What a variable holds since an operator has written it; the gradient is the variable's."""

def _zeros(
    shape: _Shape = (),
    ctx: str = "",
    dtype: _DType = "float32",
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> Symbol:
    """An array of zeros."""

def _zeros_without_dtype(
    shape: _Shape | None = None,
    ctx: str = "",
    dtype: int = -1,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> Symbol:
    """An array of zeros, float32 unless ``dtype`` is another of MXNet's type flags."""
