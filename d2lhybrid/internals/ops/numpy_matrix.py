"""Products as in NumPy (``dot``, ``matmul``, and ``tensordot``), traces, and differences."""

from __future__ import annotations

import math
from typing import Any

from ...error import ShapeError
from ..core.operator import REQUIRED, Array, Shape, operator
from . import flops, rules
from .diagonal import diagonal_of
from .elementwise import check_same_dtype
from .matrix import Axes, contract, contraction_gradient

FAMILY = "linear"

# --- dot and tensordot --------------------------------------------------------------------------


def _check_pairs(lhs: Any, rhs: Any, lhs_axes: Axes, rhs_axes: Axes) -> None:
    """Check that the two axes of each summed pair have the same size."""
    for i, j in zip(lhs_axes, rhs_axes, strict=True):
        m, n = lhs[i], rhs[j]
        if m != n and None not in (m, n):
            inferred: list[int | None] = [None] * len(lhs)
            inferred[i] = n
            raise ShapeError(
                f"Shape inconsistent, Provided = {rules.format_shape(lhs)}, "
                f"inferred shape={rules.format_shape(tuple(inferred))}"
            )


def _contracted_rule(lhs: Any, rhs: Any, lhs_axes: Axes, rhs_axes: Axes) -> tuple[list[Any], list[Any]]:
    for shape, axes in ((lhs, lhs_axes), (rhs, rhs_axes)):
        for axis in axes:
            if not -len(shape) <= axis < len(shape):
                raise ShapeError(
                    f"Check failed: axis {axis} is out of range for an array of shape {rules.format_shape(shape)}"
                )
    _check_pairs(lhs, rhs, lhs_axes, rhs_axes)
    summed = ({a % len(lhs) for a in lhs_axes}, {a % len(rhs) for a in rhs_axes})
    free = [n for s, drop in zip((lhs, rhs), summed, strict=True) for i, n in enumerate(s) if i not in drop]
    return [lhs, rhs], [tuple(free)]


def _dot_axes() -> tuple[Axes, Axes]:
    return (-1,), (-2,)  # a vector has only one axis


def _np_dot_rule(a, b):
    if a is None or b is None:
        return [a, b], [None]
    if not (a and b):
        return [a, b], [a + b]
    place = -min(len(b), 2)
    inner = b[place] if a[-1] is None else a[-1]  # each shape completes the other
    if a[-1] is None:
        a = (*a[:-1], inner)
    elif b[place] is None:
        b = (*b[: len(b) + place], inner, *b[len(b) + place + 1 :])
    return _contracted_rule(a, b, (-1,), (place,))


@operator("_np_dot", threaded=True, fresh=True)
def np_dot(xp, a: Array, b: Array):
    """Return the product over the last axis of ``a`` and the second-to-last or only axis of ``b``.

    A scalar is multiplied by each element of the other array.
    """
    check_same_dtype(a, b)
    if a.ndim == 2 and b.ndim == 2 and a.shape[1] == b.shape[0]:
        return xp.dot(a, b)
    _np_dot_rule(a.shape, b.shape)
    return contract(xp, a, b, *_dot_axes())


np_dot.infer_shape(_np_dot_rule)
np_dot.infer_type(rules.same_type)
np_dot.flops(flops.contraction())
np_dot.gradient(contraction_gradient(_dot_axes))


def _tensordot_axes(*, a_axes_summed: Axes, b_axes_summed: Axes) -> tuple[Axes, Axes]:
    of_a, of_b = len(a_axes_summed), len(b_axes_summed)
    rules.require(of_a == of_b, f"a_axes_summed.ndim() == b_axes_summed.ndim() ({of_a} vs. {of_b}) : ")
    return tuple(a_axes_summed), tuple(b_axes_summed)


def _int_axes(*, axes: int) -> tuple[Axes, Axes]:
    return tuple(range(-axes, 0)), tuple(range(axes))


def _tensordot_rule(axes_of):
    def rule(a, b, **attributes):
        if a is None or b is None:
            return [a, b], [None]
        return _contracted_rule(a, b, *axes_of(**attributes))

    return rule


@operator("_npi_tensordot", threaded=True)
def tensordot(xp, a: Array, b: Array, a_axes_summed: Shape = REQUIRED, b_axes_summed: Shape = REQUIRED):
    """Return the sums of products over pairs of axes of two tensors."""
    check_same_dtype(a, b)
    axes = _tensordot_axes(a_axes_summed=a_axes_summed, b_axes_summed=b_axes_summed)
    _contracted_rule(a.shape, b.shape, *axes)
    return contract(xp, a, b, *axes)


tensordot.infer_shape(_tensordot_rule(_tensordot_axes))
tensordot.infer_type(rules.same_type)
tensordot.flops(flops.contraction())
tensordot.gradient(contraction_gradient(_tensordot_axes))


@operator("_npi_tensordot_int_axes", threaded=True)
def tensordot_int_axes(xp, a: Array, b: Array, axes: int = REQUIRED):
    """Return the sums of products over the last ``axes`` axes of ``a`` and the first ``axes`` axes of ``b``."""
    check_same_dtype(a, b)
    pairs = _int_axes(axes=axes)
    _contracted_rule(a.shape, b.shape, *pairs)
    return contract(xp, a, b, *pairs)


tensordot_int_axes.infer_shape(_tensordot_rule(_int_axes))
tensordot_int_axes.infer_type(rules.same_type)
tensordot_int_axes.flops(flops.contraction())
tensordot_int_axes.gradient(contraction_gradient(_int_axes))

# --- matmul -------------------------------------------------------------------------------------


def _matmul_rule(a, b):
    if a is None or b is None:
        return [a, b], [None]
    for shape, name in ((a, "a"), (b, "b")):
        rules.require(len(shape) != 0, f"{name}_ndim != 0 (0 vs. 0) : Multiplication by scalars is not allowed.")
    _check_pairs(a, b, (len(a) - 1,), (max(len(b) - 2, 0),))
    for m, n in zip(reversed(a[:-2]), reversed(b[:-2]), strict=False):
        rules.require(
            None in (m, n) or m == n or 1 in (m, n),
            f"a_shape[pa] == b_shape[pb] ({m} vs. {n}) : Could not be broadcast.",
        )
    batch = rules.broadcast_shape(a[:-2], b[:-2]) or ()
    return [a, b], [(*batch, *a[-2:-1], *(b[-1:] if len(b) > 1 else ()))]


@operator("_npi_matmul", threaded=True, fresh=True)
def matmul(xp, a: Array, b: Array):
    """Return the matrix products over the last two axes; all other axes broadcast, and vectors become matrices."""
    check_same_dtype(a, b)
    if a.ndim == 2 and b.ndim == 2 and a.shape[1] == b.shape[0]:
        return xp.dot(a, b)
    _matmul_rule(a.shape, b.shape)
    if a.ndim > 2 and b.ndim == 2 and a.size:  # one large product instead of many small ones
        return xp.dot(a.reshape(-1, a.shape[-1]), b).reshape(*a.shape[:-1], b.shape[1])
    return xp.matmul(a, b)


def _as_matrices(grad: Any, a: Any, b: Any) -> tuple[Any, Any, Any]:
    """Return the arrays with vectors as matrices, as in ``matmul``."""
    if b.ndim == 1:
        grad, b = grad[..., None], b[:, None]
    if a.ndim == 1:
        grad, a = grad[..., None, :], a[None, :]
    return grad, a, b


def _summed_batch(xp: Any, product: Any, like: Any) -> Any:
    """Sum a product over the batch axes along which ``like`` was broadcast."""
    lead = product.ndim - like.ndim
    repeated = tuple(range(lead)) + tuple(
        lead + i for i, n in enumerate(like.shape[:-2]) if n == 1 and product.shape[lead + i] != 1
    )
    return xp.add.reduce(product, repeated) if repeated else product


@operator("_backward_matmul_lhs", threaded=True)
def backward_matmul_lhs(xp, grad: Array, a: Array, b: Array):
    """Return the gradient of ``matmul`` with respect to the first factor."""
    grad, a_matrix, b = _as_matrices(grad, a, b)
    if b.ndim == 2 and a_matrix.ndim > 2:
        product = xp.dot(grad.reshape(-1, b.shape[1]), b.T)
    else:
        product = _summed_batch(xp, xp.matmul(grad, b.swapaxes(-1, -2)), a_matrix)
    return product.reshape(a.shape)


@operator("_backward_matmul_rhs", threaded=True)
def backward_matmul_rhs(xp, grad: Array, a: Array, b: Array):
    """Return the gradient of ``matmul`` with respect to the second factor."""
    grad, a, b_matrix = _as_matrices(grad, a, b)
    if b_matrix.ndim == 2 and a.ndim > 2:
        product = xp.dot(a.reshape(-1, a.shape[-1]).T, grad.reshape(-1, b_matrix.shape[1]))
    else:
        product = _summed_batch(xp, xp.matmul(a.swapaxes(-1, -2), grad), b_matrix)
    return product.reshape(b.shape)


matmul.names_outputs = True
matmul.infer_shape(_matmul_rule)
matmul.infer_type(rules.same_type)
matmul.flops(lambda y, a, b: 2 * y.size * (a.shape or (1,))[-1])
matmul.output_names(lambda: ["out"])


@matmul.gradient
def _(F, dy, y, a, b, *, needs=(True, True)):
    return [
        F._backward_matmul_lhs(dy, a, b) if needs[0] else None,
        F._backward_matmul_rhs(dy, a, b) if needs[1] else None,
    ]


backward_matmul_lhs.infer_shape(lambda grad, a, b: ([grad, a, b], [a]))
backward_matmul_lhs.infer_type(rules.type_of_first)
backward_matmul_rhs.infer_shape(lambda grad, a, b: ([grad, a, b], [b]))
backward_matmul_rhs.infer_type(rules.type_of_first)
for _op in (backward_matmul_lhs, backward_matmul_rhs):  # of the output's gradient and the first factor
    _op.flops(lambda y, dy, a, *_, **__: 2 * dy.size * (a.shape or (1,))[-1])
# The product is linear in both factors, so the gradients of each of the three operators are the other two.
backward_matmul_lhs.gradient(
    lambda F, dy, y, grad, a, b: [F._npi_matmul(dy, b), None, F._backward_matmul_rhs(grad, dy, b)]
)
backward_matmul_rhs.gradient(
    lambda F, dy, y, grad, a, b: [F._npi_matmul(a, dy), F._backward_matmul_lhs(grad, a, dy), None]
)

# --- trace --------------------------------------------------------------------------------------


def _trace_axes(shape: Any, axis1: int, axis2: int) -> tuple[int, int]:
    ndim = len(shape)
    if ndim < 2 or not (-ndim <= axis1 < ndim and -ndim <= axis2 < ndim):
        raise ShapeError("Operator _np_trace inferring shapes failed.")
    first, second = axis1 % ndim, axis2 % ndim
    rules.require(
        first != second,
        f"x1 != x2 ({first} vs. {second}) : axis1 and axis2 cannot refer to the the same axis {second}",
    )
    return first, second


@operator("_np_trace")
def trace(xp, data: Array, offset: int = 0, axis1: int = 0, axis2: int = 1):
    """Return the sum of the diagonal of each matrix along two axes."""
    first, second = _trace_axes(data.shape, axis1, axis2)
    return diagonal_of(data, offset, first, second).sum(axis=-1, dtype=data.dtype)


trace.names_inputs = True


@trace.infer_shape
def _(data, *, offset, axis1, axis2):
    if data is None:
        return [None], [None]
    dropped = _trace_axes(data, axis1, axis2)
    return [data], [tuple(n for i, n in enumerate(data) if i not in dropped)]


trace.infer_type(rules.same_type)
trace.gradient(lambda F, dy, y, data, **where: [F._backward_np_trace(dy, data, **where)])


@operator("_backward_np_trace")
def backward_trace(xp, grad: Array, data: Array, offset: int = 0, axis1: int = 0, axis2: int = 1):
    """Return the gradient of ``trace``: zeros, with each number along the diagonal that ``trace`` sums."""
    first, second = _trace_axes(data.shape, axis1, axis2)
    result = xp.zeros(data.shape, grad.dtype)
    matrices = xp.moveaxis(result, (first, second), (-2, -1))  # a writable view
    length = diagonal_of(data, offset, first, second).shape[-1]
    numbers = xp.arange(length)
    matrices[..., numbers + max(-offset, 0), numbers + max(offset, 0)] = xp.asarray(grad)[..., None]
    return result


backward_trace.infer_shape(lambda grad, data, **_: ([grad, data], [data]))
backward_trace.infer_type(rules.type_of_first)
backward_trace.gradient(lambda F, dy, y, grad, data, **where: [F._np_trace(dy, **where), None])

# --- differences --------------------------------------------------------------------------------


def _diff_axis(axis: int, ndim: int) -> int:
    if not -ndim <= axis < ndim:
        raise ShapeError(
            f"Check failed: axis < ndim && axis >= -ndim: axis {axis} exceeds the input dimension of {ndim}"
        )
    return axis % ndim


@operator("_npi_diff")
def diff(xp, a: Array, n: int = 1, axis: int = -1):
    """Return the ``n``-th differences of neighbors along an axis."""
    _check_order(n)
    return xp.diff(a, n, _diff_axis(axis, a.ndim))


def _check_order(n: int) -> None:
    rules.require(n >= 0, f"param.n >= 0 ({n} vs. 0) : order must be non-negative")


@diff.infer_shape
def _(a, *, n, axis):
    _check_order(n)
    if a is None:
        return [None], [None]
    axis = _diff_axis(axis, len(a))
    length = None if a[axis] is None else max(a[axis] - n, 0)
    return [a], [(*a[:axis], length, *a[axis + 1 :])]


diff.infer_type(rules.same_type)
diff.gradient(lambda F, dy, y, a, *, n, axis: [F._backward_npi_diff(dy, a, n=n, axis=axis)])


@operator("_backward_npi_diff")
def backward_diff(xp, grad: Array, a: Array, n: int = 1, axis: int = -1):
    """Return the gradient of ``diff``: the ``n``-th differences of ``grad`` between zeros, times ``(-1)**n``."""
    if not grad.size:
        return xp.zeros_like(a)
    axis = _diff_axis(axis, a.ndim)
    margin = xp.zeros((*a.shape[:axis], 1, *a.shape[axis + 1 :]), grad.dtype)
    for _ in range(n):
        grad = -xp.diff(xp.concatenate([margin, grad, margin], axis), 1, axis)
    return grad


backward_diff.infer_shape(lambda grad, a, **_: ([grad, a], [a]))
backward_diff.infer_type(rules.type_of_first)
backward_diff.gradient(lambda F, dy, y, grad, a, **how: [F._npi_diff(dy, **how), None])


def _ends(arrays: tuple[Any, ...], begin_given: bool, end_given: bool) -> tuple[Any, Any]:
    rest = list(arrays)
    begin = rest.pop(0) if begin_given else None
    return begin, rest.pop(0) if end_given else None


@operator("_npi_ediff1d")
def ediff1d(
    xp,
    input1: Array,
    input2: Array | None = None,
    input3: Array | None = None,
    to_begin_arr_given: bool = False,
    to_end_arr_given: bool = False,
    to_begin_scalar: float | None = None,
    to_end_scalar: float | None = None,
):
    """Return the differences of neighbors in the flattened array, with optional values before and after them."""
    given = tuple(x for x in (input2, input3) if x is not None)
    begin, end = _ends(given, to_begin_arr_given, to_end_arr_given)
    if to_begin_scalar is not None:
        begin = xp.full(1, to_begin_scalar, input1.dtype)
    if to_end_scalar is not None:
        end = xp.full(1, to_end_scalar, input1.dtype)
    flat = input1.reshape(-1)
    parts = [begin, flat[1:] - flat[:-1], end]
    return xp.concatenate([p.reshape(-1) for p in parts if p is not None])


@ediff1d.input_names
def _(*, to_begin_arr_given, to_end_arr_given, **_):
    return ["input1", "input2", "input3"][: 1 + to_begin_arr_given + to_end_arr_given]


@ediff1d.infer_shape
def _(input1, *ends, to_begin_scalar, to_end_scalar, **_):
    inputs = [input1, *ends]
    if not all(map(rules.is_complete, inputs)):
        return inputs, [(None,)]
    first, *rest = map(math.prod, inputs)
    scalars = (to_begin_scalar is not None) + (to_end_scalar is not None)
    return inputs, [(max(first - 1, 0) + sum(rest) + scalars,)]


ediff1d.infer_type(rules.same_type)
ediff1d.gradient(lambda F, dy, y, *inputs, **how: _as_list(F._npi_backward_ediff1d(dy, *inputs, **how)))


def _as_list(value: Any) -> list[Any]:
    return list(value) if isinstance(value, list | tuple) else [value]


def _ediff1d_outputs(*, to_begin_arr_given, to_end_arr_given, **_):
    return 1 + to_begin_arr_given + to_end_arr_given


@operator("_npi_backward_ediff1d", outputs=_ediff1d_outputs)
def backward_ediff1d(
    xp,
    grad: Array,
    input1: Array,
    input2: Array | None = None,
    input3: Array | None = None,
    to_begin_arr_given: bool = False,
    to_end_arr_given: bool = False,
    to_begin_scalar: float | None = None,
    to_end_scalar: float | None = None,
):
    """Return the gradients of ``ediff1d`` with respect to the array and the values at its ends."""
    given = tuple(x for x in (input2, input3) if x is not None)
    begin, end = _ends(given, to_begin_arr_given, to_end_arr_given)
    start = begin.size if begin is not None else int(to_begin_scalar is not None)
    stop = start + max(input1.size - 1, 0)
    margin = xp.zeros(1, grad.dtype)
    inner = xp.concatenate([margin, grad[start:stop], margin])
    body = inner[:-1] - inner[1:] if input1.size else xp.zeros_like(input1)
    results = [body.reshape(input1.shape)]
    if begin is not None:
        results.append(grad[:start].reshape(begin.shape).copy())
    if end is not None:
        results.append(grad[stop:].reshape(end.shape).copy())
    return results if len(results) > 1 else results[0]


def _backward_ediff1d_rule(grad, *inputs, **_):
    return [grad, *inputs], list(inputs)


backward_ediff1d.infer_shape(_backward_ediff1d_rule)
backward_ediff1d.infer_type(_backward_ediff1d_rule)


@backward_ediff1d.gradient
def _(F, dy, y, grad, *inputs, to_begin_scalar, to_end_scalar, **given):
    # The operator is linear in grad, and its adjoint is ediff1d with zeros at the ends.
    return [
        F._npi_ediff1d(
            *_as_list(dy),
            to_begin_scalar=None if to_begin_scalar is None else 0.0,
            to_end_scalar=None if to_end_scalar is None else 0.0,
            **given,
        ),
        *(None for _ in inputs),
    ]
