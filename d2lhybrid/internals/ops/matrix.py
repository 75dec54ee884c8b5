"""Products of matrices and of tensors: ``dot``, ``batch_dot``, ``matmul``, ``tensordot``, and ``khatri_rao``.

Every contraction of two tensors is a matrix product of reshaped tensors. :func:`contract` computes a contraction, and
the operators ``_backward_tensordot_lhs`` and ``_backward_tensordot_rhs`` compute its gradients. A product is linear in
each factor, so the gradients of each of these three operators are the other two operators. Therefore, all three can be
differentiated any number of times.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, Literal

from ...error import MXNetError, ShapeError
from ..core.infer import format_shape
from ..core.operator import REQUIRED, Array, Shape, operator
from ..core.sparse_rows import LookedUp
from . import flops, rules
from .elementwise import check_same_dtype
from .not_differentiable import not_differentiable

__all__ = ["contract"]

FAMILY = "linear"
MEANINGS = {
    "dot.lhs": "The left factor, whose last axis (first axis, with ``transpose_a``) is summed over.",
    "dot.rhs": "The right factor, whose first axis (last axis, with ``transpose_b``) is summed over.",
    "batch_dot.lhs": "The left factors, an array with at least three axes; the last two are the matrices.",
    "batch_dot.rhs": (
        "The right factors, with as many axes as ``lhs``, and the same sizes along all axes except the last two."
    ),
    "args": "One or more matrices, of shapes ``(rows, columns)``; ``columns`` is the same for all.",
}

Axes = tuple[int, ...]


# --- contraction of two tensors -----------------------------------------------------------------


def _free_axes(ndim: int, axes: Axes) -> Axes:
    return tuple(i for i in range(ndim) if i not in axes)


def _summed_axes(lhs_ndim: int, rhs_ndim: int, lhs_axes: Axes, rhs_axes: Axes) -> tuple[Axes, Axes]:
    """Return the summed axes as non-negative numbers. A scalar factor has no such axis, and a vector has one."""
    if not (lhs_ndim and rhs_ndim):
        return (), ()
    return tuple(a % lhs_ndim for a in lhs_axes), tuple(a % rhs_ndim for a in rhs_axes)


def _as_matrix(x: Any, rows: Axes, columns: Axes) -> Any:
    """Return ``x`` with the axes ``rows`` flattened into one and the axes ``columns`` into another."""
    order = rows + columns
    if order != tuple(range(x.ndim)):
        x = x.transpose(order)
    if len(rows) == 1 and len(columns) == 1:
        return x
    return x.reshape(math.prod(x.shape[: len(rows)]), -1) if x.size else _empty_matrix(x, len(rows))


def _empty_matrix(x: Any, rows: int) -> Any:
    return x.reshape(math.prod(x.shape[:rows]), math.prod(x.shape[rows:]))


def contract(xp: Any, lhs: Any, rhs: Any, lhs_axes: Axes, rhs_axes: Axes) -> Any:
    """Return the sums of products over pairs of axes; the result has the remaining axes of ``lhs`` and of ``rhs``.

    Examples
    --------
    >>> import numpy
    >>> contract(numpy, numpy.ones((2, 3, 4)), numpy.ones((5, 3)), (1,), (1,)).shape
    (2, 4, 5)
    """
    lhs_axes, rhs_axes = _summed_axes(lhs.ndim, rhs.ndim, lhs_axes, rhs_axes)
    lhs_free, rhs_free = _free_axes(lhs.ndim, lhs_axes), _free_axes(rhs.ndim, rhs_axes)
    product = xp.dot(_as_matrix(lhs, lhs_free, lhs_axes), _as_matrix(rhs, rhs_axes, rhs_free))
    return product.reshape([lhs.shape[i] for i in lhs_free] + [rhs.shape[i] for i in rhs_free])


def _restored(xp: Any, matrix: Any, like: Any, order: Axes) -> Any:
    """Undo :func:`_as_matrix`: return ``matrix``, whose axes are those of ``like`` in ``order``, reshaped."""
    if order == tuple(range(like.ndim)):
        return matrix.reshape(like.shape)
    inverse = sorted(range(like.ndim), key=order.__getitem__)
    return matrix.reshape([like.shape[i] for i in order]).transpose(inverse)


@operator("_backward_tensordot_lhs", threaded=True)
def backward_lhs(xp, grad: Array, lhs: Array, rhs: Array, lhs_axes: Shape = REQUIRED, rhs_axes: Shape = REQUIRED):
    """Return the gradient of a contraction with respect to the first factor."""
    if lhs.ndim == 2 and rhs.ndim == 2 and len(lhs_axes) == 1:  # the common case, which needs no reshaping
        b = rhs if rhs_axes[0] in (1, -1) else rhs.T
        return xp.dot(grad, b) if lhs_axes[0] in (1, -1) else xp.dot(b.T, grad.T)
    lhs_axes, rhs_axes = _summed_axes(lhs.ndim, rhs.ndim, lhs_axes, rhs_axes)
    lhs_free, rhs_free = _free_axes(lhs.ndim, lhs_axes), _free_axes(rhs.ndim, rhs_axes)
    rhs_matrix = _as_matrix(rhs, rhs_free, rhs_axes)
    product = xp.dot(grad.reshape(-1, len(rhs_matrix)), rhs_matrix) if grad.size else xp.zeros_like(lhs)
    return _restored(xp, product, lhs, lhs_free + lhs_axes)


@operator("_backward_tensordot_rhs", threaded=True)
def backward_rhs(xp, grad: Array, lhs: Array, rhs: Array, lhs_axes: Shape = REQUIRED, rhs_axes: Shape = REQUIRED):
    """Return the gradient of a contraction with respect to the second factor."""
    if lhs.ndim == 2 and rhs.ndim == 2 and len(lhs_axes) == 1:
        a = lhs if lhs_axes[0] in (0, -2) else lhs.T
        return xp.dot(a, grad) if rhs_axes[0] in (0, -2) else xp.dot(grad.T, a.T)
    lhs_axes, rhs_axes = _summed_axes(lhs.ndim, rhs.ndim, lhs_axes, rhs_axes)
    lhs_free, rhs_free = _free_axes(lhs.ndim, lhs_axes), _free_axes(rhs.ndim, rhs_axes)
    lhs_matrix = _as_matrix(lhs, lhs_axes, lhs_free)
    rows = lhs_matrix.shape[1]
    product = xp.dot(lhs_matrix, grad.reshape(rows, -1)) if grad.size else xp.zeros_like(rhs)
    return _restored(xp, product, rhs, rhs_axes + rhs_free)


backward_lhs.infer_shape(lambda grad, lhs, rhs, **_: ([grad, lhs, rhs], [lhs]))
backward_lhs.infer_type(rules.type_of_first)
backward_lhs.flops(flops.contraction(0, 2))
backward_rhs.infer_shape(lambda grad, lhs, rhs, **_: ([grad, lhs, rhs], [rhs]))
backward_rhs.infer_type(rules.type_of_first)
backward_rhs.flops(flops.contraction())


@operator("_contract", threaded=True)
def _contract(xp, lhs: Array, rhs: Array, like: Array, lhs_axes: Shape = REQUIRED, rhs_axes: Shape = REQUIRED):
    """Return a contraction in the shape of ``like``. Legacy and NumPy operators share this operator."""
    return contract(xp, lhs, rhs, lhs_axes, rhs_axes).reshape(like.shape)


_contract.infer_shape(lambda lhs, rhs, like, **_: ([lhs, rhs, like], [like]))
_contract.infer_type(rules.type_of_first)
_contract.flops(flops.contraction())
_contract.gradient(
    lambda F, dy, y, lhs, rhs, like, **axes: [
        F._backward_tensordot_lhs(dy, lhs, rhs, **axes),
        F._backward_tensordot_rhs(dy, lhs, rhs, **axes),
        None,
    ]
)
backward_lhs.gradient(
    lambda F, dy, y, grad, lhs, rhs, **axes: [
        F._contract(dy, rhs, grad, **axes),
        None,
        F._backward_tensordot_rhs(grad, dy, rhs, **axes),
    ]
)
backward_rhs.gradient(
    lambda F, dy, y, grad, lhs, rhs, **axes: [
        F._contract(lhs, dy, grad, **axes),
        F._backward_tensordot_lhs(grad, lhs, dy, **axes),
        None,
    ]
)


def contraction_gradient(axes_of: Callable[..., tuple[Axes, Axes]]) -> Callable[..., list[Any]]:
    """Return the gradient rule of an operator that contracts ``axes_of(**attributes)``."""

    def rule(F, dy, y, lhs, rhs, *, needs=(True, True), **attributes):
        lhs_axes, rhs_axes = axes_of(**attributes)
        axes = {"lhs_axes": lhs_axes, "rhs_axes": rhs_axes}
        return [
            F._backward_tensordot_lhs(dy, lhs, rhs, **axes) if needs[0] else None,
            F._backward_tensordot_rhs(dy, lhs, rhs, **axes) if needs[1] else None,
        ]

    return rule


# --- dot ----------------------------------------------------------------------------------------


def _dot_axes(*, transpose_a: bool, transpose_b: bool, **_: Any) -> tuple[Axes, Axes]:
    return (0,) if transpose_a else (-1,), (-1,) if transpose_b else (0,)


def _dot_rule(lhs, rhs, *, transpose_a, transpose_b, **_):
    if lhs is None or rhs is None:
        return [lhs, rhs], [None]
    if len(lhs) == 1 and len(rhs) == 1:
        rules.require(
            not transpose_a and not transpose_b,
            "!param.transpose_a && !param.transpose_b: Cannot transpose vectors",
        )
    left, right = lhs[0 if transpose_a else -1], rhs[-1 if transpose_b else 0]
    if left is not None and right is not None and left != right:
        shapes = f"dot shape error: {rules.format_shape(lhs)} X {rules.format_shape(rhs)}"
        check = "lshape[0] == rshape[0]" if len(lhs) == len(rhs) == 1 else "L[!Ta].Size() == R[Tb].Size()"
        raise ShapeError(f"Check failed: {check} ({left} vs. {right}) : {shapes}")
    free = (lhs[1:] if transpose_a else lhs[:-1]) + (rhs[:-1] if transpose_b else rhs[1:])
    return [lhs, rhs], [free or (1,)]


@operator("dot", "_sparse_dot", threaded=True, fresh=True)
def dot(
    xp,
    lhs: Array,
    rhs: Array,
    transpose_a: bool = False,
    transpose_b: bool = False,
    forward_stype: Literal["csr", "default", "row_sparse"] | None = None,
):
    """Return the product over the last axis of ``lhs`` and the first axis of ``rhs``.

    ``transpose_a`` selects the first axis of ``lhs`` instead, and ``transpose_b`` the last axis of ``rhs``.
    """
    check_same_dtype(lhs, rhs)
    a = lhs.T if transpose_a and lhs.ndim == 2 else lhs
    b = rhs.T if transpose_b and rhs.ndim == 2 else rhs
    if a.ndim == 2 and b.ndim == 2 and a.shape[1] == b.shape[0]:
        return xp.dot(a, b)
    _dot_rule(lhs.shape, rhs.shape, transpose_a=transpose_a, transpose_b=transpose_b)
    lhs_axes, rhs_axes = _dot_axes(transpose_a=transpose_a, transpose_b=transpose_b)
    result = contract(xp, lhs, rhs, lhs_axes, rhs_axes)
    return result if result.ndim else result.reshape(1)


dot.precision = "widest"
dot.infer_shape(_dot_rule)
dot.infer_type(rules.same_type)
dot.gradient(contraction_gradient(_dot_axes))
dot.looks_up = lambda *, transpose_a, transpose_b, **_: (
    None if transpose_a or transpose_b else LookedUp(1, 0, "columns")
)
dot.flops(lambda y, lhs, rhs, *, transpose_a, **_: 2 * y.size * (lhs.shape or (1,))[0 if transpose_a else -1])
dot.lowered_if(lambda lhs, rhs, **_: (len(lhs), len(rhs)) in ((2, 2), (2, 1), (1, 2)))


@dot.lowering
def _(emit):
    """Emit a product of matrices or vectors, whose transposed factors are views."""
    arguments = []
    for number, flag in ((0, "transpose_a"), (1, "transpose_b")):
        turned = emit.node.params.get(flag, False) and len(emit.types[number].shape) == 2
        arguments.append(f"{emit.arguments[number]}.T" if turned else emit.arguments[number])
    emit.call("dot", *arguments)


# --- batch_dot ----------------------------------------------------------------------------------


def _batch_dot_rule(lhs, rhs, *, transpose_a, transpose_b, **_):
    if lhs is None or rhs is None:
        return [lhs, rhs], [None]
    if len(lhs) < 3 or len(lhs) != len(rhs):
        raise ShapeError(
            "batch_dot currently only support N-D*N-D array (N >= 3)"
            f"{rules.format_shape(lhs)} v.s. {rules.format_shape(rhs)}"
        )
    shapes = (
        f"{rules.format_shape(lhs)} X {rules.format_shape(rhs)} trans_a={int(transpose_a)} trans_b={int(transpose_b)}"
    )
    for m, n in zip(lhs[:-2], rhs[:-2], strict=True):
        if m is not None and n is not None and m != n:
            raise ShapeError(
                f"Check failed: lshape[i] == rshape[i] ({m} vs. {n}) : batch_dot shape error "
                f"(the leading batch dimensions must be equal): {shapes}"
            )
    rows, left = lhs[-2:] if not transpose_a else lhs[:-3:-1]
    right, columns = rhs[-2:] if not transpose_b else rhs[:-3:-1]
    if left is not None and right is not None and left != right:
        raise ShapeError(
            f"Check failed: lshape_k == rshape_k ({left} vs. {right}) : "
            f"batch_dot shape error (shape mismatch): {shapes}"
        )
    return [lhs, rhs], [(*rules.unify(lhs[:-2], rhs[:-2]), rows, columns)]  # type: ignore[misc]


@operator("batch_dot", "_npx_batch_dot", threaded=True, fresh=True)
def batch_dot(
    xp,
    lhs: Array,
    rhs: Array,
    transpose_a: bool = False,
    transpose_b: bool = False,
    forward_stype: Literal["csr", "default", "row_sparse"] | None = None,
):
    """Return the products of the matrices in the last two axes, for each position along all other axes."""
    check_same_dtype(lhs, rhs)
    a = lhs.swapaxes(-1, -2) if transpose_a else lhs
    b = rhs.swapaxes(-1, -2) if transpose_b else rhs
    if a.ndim < 3 or a.shape[:-2] != b.shape[:-2] or a.shape[-1] != b.shape[-2]:
        _batch_dot_rule(lhs.shape, rhs.shape, transpose_a=transpose_a, transpose_b=transpose_b)
    return xp.matmul(a, b)


batch_dot.precision = "widest"
batch_dot.infer_shape(_batch_dot_rule)
batch_dot.infer_type(rules.same_type)
batch_dot.flops(lambda y, lhs, rhs, *, transpose_a, **_: 2 * y.size * lhs.shape[-2 if transpose_a else -1])


def product_gradients(
    product: Callable[..., Any], dy: Any, a: Any, b: Any, ta: bool, tb: bool, needs: tuple[bool, ...]
) -> list[Any]:
    """Return the gradients of ``op(a) @ op(b)``, which are also products.

    Parameters
    ----------
    product : callable
        The function ``product(a, b, transpose_a, transpose_b)``.
    dy, a, b
        The gradient of the result, and the two factors, as arrays or symbols.
    ta, tb : bool
        Whether each factor was transposed.
    needs : tuple of bool
        Whether the gradient of each factor is needed.
    """
    da = db = None
    if needs[0]:
        da = product(b, dy, tb, True) if ta else product(dy, b, False, not tb)
    if needs[1]:
        db = product(dy, a, True, ta) if tb else product(a, dy, not ta, False)
    return [da, db]


@batch_dot.gradient
def _(F, dy, y, lhs, rhs, *, transpose_a, transpose_b, forward_stype, needs=(True, True)):
    def product(a, b, ta, tb):
        return F.batch_dot(a, b, transpose_a=ta, transpose_b=tb)

    return product_gradients(product, dy, lhs, rhs, transpose_a, transpose_b, needs)


# --- Khatri-Rao product -------------------------------------------------------------------------


def _khatri_rao_rule(*shapes, **_):
    for s in shapes:
        if s is not None and len(s) != 2:
            raise ShapeError(f"Check failed: khatri_rao requires matrices, not an array of shape {format_shape(s)}")
    columns = rules.unify_all([None if s is None else (s[1],) for s in shapes])
    rows: int | None = 1
    for s in shapes:
        rows = None if s is None or rows is None or s[0] is None else rows * s[0]
    return list(shapes), [(rows, None if columns is None else columns[0])]


@operator("khatri_rao")
def khatri_rao(xp, *args: Array):
    """Return the column-wise Kronecker product of matrices with the same number of columns."""
    if not args:
        raise MXNetError("Check failed: in_attrs->size() >= 1: khatri_rao requires at least one matrix")
    _khatri_rao_rule(*[a.shape for a in args])
    result = args[0]
    for factor in args[1:]:
        result = (result[:, None, :] * factor[None, :, :]).reshape(len(result) * len(factor), factor.shape[1])
    return result.copy() if len(args) == 1 else result


khatri_rao.precision = "single"
khatri_rao.lenient = True
khatri_rao.infer_shape(_khatri_rao_rule)
khatri_rao.infer_type(rules.same_type)
khatri_rao.gradient(
    lambda F, dy, y, *args, **_: [F._backward_khatri_rao(dy, *args, position=i) for i in range(len(args))]
)


# MXNet's khatri_rao has no gradient, so no program for MXNet needs a second derivative.
@operator("_backward_khatri_rao")
def backward_khatri_rao(xp, grad: Array, *args: Array, position: int = REQUIRED):
    """Return the gradient of the Khatri-Rao product with respect to one of its factors."""
    count = len(args)
    operands: list[Any] = [grad.reshape(*(len(a) for a in args), grad.shape[1]), list(range(count + 1))]
    for i, factor in enumerate(args):
        if i != position:
            operands += [factor, [i, count]]
    return xp.einsum(*operands, [position, count])


backward_khatri_rao.infer_shape(lambda grad, *args, position, **_: ([grad, *args], [args[position]]))
backward_khatri_rao.infer_type(lambda grad, *args, **_: ([grad, *args], [grad]))
not_differentiable(backward_khatri_rao)
