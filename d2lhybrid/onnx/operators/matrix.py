"""Products and other operations of matrices and tensors."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy

from ...internals.ops.diagonal import diagonal_of
from ..builder import Builder
from ..translations import translates
from ..values import Value


def _contract(g: Builder, lhs: Value, rhs: Value, lhs_axes: Sequence[int], rhs_axes: Sequence[int]) -> Value:
    """Sum the products over pairs of axes with a single matrix product."""
    m, n = g.rank(lhs), g.rank(rhs)
    if not m or not n:
        return g.Mul(lhs, rhs)
    left, right = [a % m for a in lhs_axes], [a % n for a in rhs_axes]
    free_left = [i for i in range(m) if i not in left]
    free_right = [i for i in range(n) if i not in right]
    a = _as_matrix(g, lhs, free_left, left)
    b = _as_matrix(g, rhs, right, free_right)
    sizes = [g.shape_of(lhs)[i] for i in free_left] + [g.shape_of(rhs)[i] for i in free_right]
    product = g.MatMul(a, b)
    return product if len(free_left) == len(free_right) == 1 else g.reshape(product, sizes)


def _as_matrix(g: Builder, x: Value, rows: list[int], columns: list[int]) -> Value:
    x = g.transpose(x, rows + columns)
    if len(rows) == len(columns) == 1:
        return x
    shape = g.shape_of(x)
    return g.reshape(x, (_product(shape[: len(rows)]), _product(shape[len(rows) :])))


def _product(sizes: Sequence[int | None]) -> int | None:
    return None if None in sizes else math.prod(n for n in sizes if n is not None)


@translates("dot")
def dot(g: Builder, lhs: Value, rhs: Value, *, transpose_a: bool, transpose_b: bool, forward_stype: Any) -> Value:
    """Return the dot product over the last axis of the first array and the first axis of the second array."""
    result = _contract(g, lhs, rhs, [0 if transpose_a else -1], [-1 if transpose_b else 0])
    return g.Reshape(result, [1]) if g.rank(lhs) == g.rank(rhs) == 1 else result


@translates("_np_dot")
def np_dot(g: Builder, a: Value, b: Value) -> Value:
    """Return the dot product over the last axis of the first array and the second-to-last axis of the second array."""
    return _contract(g, a, b, [-1], [-2 if g.rank(b) > 1 else -1])


@translates("_npi_tensordot")
def tensordot(g: Builder, a: Value, b: Value, *, a_axes_summed: Any, b_axes_summed: Any) -> Value:
    """Return the tensor product, summed over pairs of axes."""
    return _contract(g, a, b, a_axes_summed, b_axes_summed)


@translates("_npi_tensordot_int_axes")
def tensordot_int_axes(g: Builder, a: Value, b: Value, *, axes: int) -> Value:
    """Return the tensor product, summed over the last axes of one array and the first axes of the other array."""
    return _contract(g, a, b, range(-axes, 0), range(axes))


@translates("_npi_matmul")
def matmul(g: Builder, a: Value, b: Value) -> Value:
    """Return the matrix product over the last two axes."""
    return g.MatMul(a, b)


@translates("batch_dot")
def batch_dot(g: Builder, lhs: Value, rhs: Value, *, transpose_a: bool, transpose_b: bool, forward_stype: Any) -> Value:
    """Return the products of batches of matrices."""
    return g.MatMul(g.swap_last(lhs) if transpose_a else lhs, g.swap_last(rhs) if transpose_b else rhs)


@translates("_npi_einsum")
def einsum(g: Builder, *data: Value, subscripts: str, optimize: int) -> Value:
    """Return a sum of products in Einstein notation."""
    return g.Einsum(*data, equation=subscripts)


@translates("khatri_rao")
def khatri_rao(g: Builder, *args: Value) -> Value:
    """Return the column-wise Kronecker product of the matrices."""

    def two(a: Value, b: Value) -> Value:
        return g.Reshape(g.Mul(g.Unsqueeze(a, [1]), g.Unsqueeze(b, [0])), [-1, g.size(args[0], 1)])

    return g.all(two, args)


def _gemm(g: Builder, a: Value, b: Value, transpose_a: bool, transpose_b: bool, alpha: float, axis: int) -> Value:
    rank = g.rank(a)
    order = list(range(rank))
    order[axis], order[-2] = order[-2], order[axis]
    a, b = g.transpose(a, order), g.transpose(b, order)
    product = g.MatMul(g.swap_last(a) if transpose_a else a, g.swap_last(b) if transpose_b else b)
    return g.transpose(g.Mul(product, alpha) if alpha != 1 else product, order)


@translates("_linalg_gemm2")
def gemm2(g: Builder, a: Value, b: Value, **settings: Any) -> Value:
    """Return ``alpha · op(A) · op(B)``, where ``op`` transposes a matrix if its setting is True."""
    return _gemm(g, a, b, **settings)


@translates("_linalg_gemm")
def gemm(g: Builder, a: Value, b: Value, c: Value, *, beta: float, **settings: Any) -> Value:
    """Return ``alpha · op(A) · op(B) + beta · C``, where ``op`` transposes a matrix if its setting is True."""
    return g.Add(_gemm(g, a, b, **settings), g.Mul(c, beta))


@translates("_linalg_syrk")
def syrk(g: Builder, a: Value, *, transpose: bool, alpha: float) -> Value:
    """Return ``alpha · A · Aᵀ``, or ``alpha · Aᵀ · A`` if ``transpose`` is True."""
    other = g.swap_last(a)
    return g.Mul(g.MatMul(other, a) if transpose else g.MatMul(a, other), alpha)


@translates("_linalg_trmm")
def trmm(g: Builder, a: Value, b: Value, *, transpose: bool, rightside: bool, lower: bool, alpha: float) -> Value:
    """Return the scaled product of a triangular matrix and another matrix."""
    triangle = g.Trilu(a, upper=int(not lower))
    triangle.shape = a.shape
    if transpose:
        triangle = g.swap_last(triangle)
    return g.Mul(g.MatMul(b, triangle) if rightside else g.MatMul(triangle, b), alpha)


def _one_at_least(g: Builder, x: Value) -> Value:
    """Add an axis to a scalar if the result of the node has an axis."""
    return g.Reshape(x, [1]) if g.shape == (1,) else x


@translates("_linalg_det", "_npi_det")
def det(g: Builder, a: Value) -> Value:
    """Return the determinant of each matrix."""
    return _one_at_least(g, g.Det(a))


@translates("_linalg_slogdet", "_npi_slogdet")
def slogdet(g: Builder, a: Value) -> list[Value]:
    """Return the sign and the logarithm of the determinant of each matrix."""
    found = _one_at_least(g, g.Det(a))
    return [g.Sign(found), g.Log(g.Abs(found))]


def _diagonal(g: Builder, a: Value, offset: int, axis1: int, axis2: int) -> Value:
    return g.rearranged(a, lambda x: diagonal_of(x, offset, axis1, axis2))


@translates("_linalg_sumlogdiag")
def sumlogdiag(g: Builder, a: Value) -> Value:
    """Return the sum of the logarithms of the diagonal of each matrix."""
    total = g.ReduceSum(g.Log(_diagonal(g, a, 0, -2, -1)), [-1], keepdims=0)
    return g.reshape(total, g.shape)


@translates("_np_trace")
def trace(g: Builder, data: Value, *, offset: int, axis1: int, axis2: int) -> Value:
    """Return the sum of each diagonal."""
    return g.ReduceSum(_diagonal(g, data, offset, axis1, axis2), [-1], keepdims=0)


@translates("_npi_diff")
def diff(g: Builder, a: Value, *, n: int, axis: int) -> Value:
    """Return the differences of adjacent elements."""
    for _ in range(n):
        a = g.Sub(g.slice(a, axis, 1, None), g.slice(a, axis, None, -1))
    return a


@translates("_npi_polyval")
def polyval(g: Builder, p: Value, x: Value) -> Value:
    """Evaluate a polynomial with Horner's rule."""
    coefficients = [g.Gather(p, numpy.array(i, numpy.int64)) for i in range(g.size(p, 0))]
    start = g.fill(x, 0, x.dtype)
    return g.all(lambda total, c: g.Add(g.Mul(total, x), c), [start, *coefficients])


@translates("_contrib_allclose")
def allclose(g: Builder, a: Value, b: Value, *, rtol: float, atol: float, equal_nan: bool) -> Value:
    """Return whether all elements are equal within tolerances."""
    bound = g.Add(g.Mul(g.Abs(b), rtol), atol)
    close = g.Or(g.LessOrEqual(g.Abs(g.Sub(a, b)), bound), g.Equal(a, b))
    if equal_nan:
        close = g.Or(close, g.And(g.IsNaN(a), g.IsNaN(b)))
    return g.reshape(g.ReduceMin(g.cast(close, numpy.int32), keepdims=0), g.shape)
