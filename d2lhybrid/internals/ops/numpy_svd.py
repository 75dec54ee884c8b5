"""The singular value decomposition, and operators that use it: the pseudo-inverse and norms."""

from __future__ import annotations

from typing import Any

import numpy

from ..core.operator import REQUIRED, Array, Shape, operator
from . import rules
from .linalg import check_float, largest_positive
from .not_differentiable import not_differentiable
from .reduce import reduction_axes, wide_dtype, without_overflow

FAMILY = "linear"

# --- singular value decomposition ---------------------------------------------------------------


def _swapped(x: Any) -> Any:
    return x.swapaxes(-1, -2)


def _svd_rule(A):
    if A is None:
        return [None], [None] * 3
    rules.require(len(A) >= 2, f"in_a.ndim() >= 2 ({len(A)} vs. 2) : Input A's dimension must be >= 2")
    rows, columns = A[-2:]
    rules.require(
        None in (rows, columns) or rows <= columns,
        f"in_a[ndim - 2] <= in_a[ndim - 1] ({rows} vs. {columns}) : Input A shape wrong: "
        "The second to last dimension must be less than orequal to the last dimension",
    )
    return [A], [(*A[:-1], rows), A[:-1], A]


def _svd(xp: Any, A: Any) -> tuple[Any, Any, Any]:
    """Return ``U``, the singular values, and ``V``, in whose rows the largest component is positive."""
    U, L, V = xp.linalg.svd(A, full_matrices=False)
    sign = largest_positive(xp, V, -1)
    return U * _swapped(sign), L, V * sign


@operator("_npi_svd", outputs=3, threaded=True)
def svd(xp, A: Array):
    """Return the singular value decomposition ``A = U · diag(L) · V`` of a matrix with no more rows than columns."""
    check_float(A)
    _svd_rule(A.shape)
    return list(_svd(xp, A))


svd.infer_shape(_svd_rule)
svd.infer_type(lambda A: ([A], [A, A, A]))


@svd.gradient
def _(F, dy, y, A):
    grads = [F.zeros_like(v) if g is None else g for g, v in zip(dy, y, strict=True)]
    return [F._backward_npi_svd(*grads, *y)]


# As for eigenvectors, there is no second derivative, because it would contain third powers of differences.
@operator("_backward_npi_svd", threaded=True)
def backward_svd(
    xp,
    grad_u: Array,
    grad_l: Array,
    grad_v: Array,
    U: Array,
    L: Array,
    V: Array,
):
    """Return the gradient of the singular value decomposition."""
    # With G[i, j] = 1 / (L[j]² - L[i]²), zeros on the diagonal, and S = diag(L):
    # dA = U {[G ∘ (Uᵀ dU - dUᵀ U)] S + S [G ∘ (V dVᵀ - dV Vᵀ)] + diag(dL)} V
    #      + U S⁻¹ (dV - dV Vᵀ V).
    squares = L * L
    gaps = squares[..., None, :] - squares[..., :, None]
    equal = gaps == 0
    G = xp.where(equal, 0, 1 / xp.where(equal, 1, gaps)).astype(L.dtype, copy=False)
    left = xp.matmul(_swapped(U), grad_u)
    right = xp.matmul(V, _swapped(grad_v))
    inner = G * (left - _swapped(left)) * L[..., None, :]
    inner += L[..., :, None] * G * (right - _swapped(right))
    numbers = xp.arange(L.shape[-1])
    inner[..., numbers, numbers] += grad_l
    rest = (grad_v - xp.matmul(_swapped(right), V)) / L[..., :, None]
    return xp.matmul(U, xp.matmul(inner, V) + rest)


backward_svd.infer_shape(lambda *shapes: (list(shapes), [shapes[5]]))
backward_svd.infer_type(rules.type_of_first)
not_differentiable(backward_svd)

# --- pseudo-inverse -----------------------------------------------------------------------------


def _pinv_rule(A, *rcond, **_):
    if A is None:
        return [A, *rcond], [None]
    rules.require(len(A) >= 2, f"ndim >= 2 ({len(A)} vs. 2) : Input A's dimension must be >= 2")
    return [A, *rcond], [(*A[:-2], A[-1], A[-2])]


def _pinv_gradient(F, dy, y, A, *rcond, **_):
    # With B = A⁺: dA = -Bᵀ dB Bᵀ + (1 - A B) dBᵀ B Bᵀ + Bᵀ B dBᵀ (1 - B A).
    def product(*factors):
        result = factors[0]
        for factor in factors[1:]:
            result = F._npi_matmul(result, factor)
        return result

    B, bt, dbt = y, F._matrix_transpose(y), F._matrix_transpose(dy)
    first = product(dbt, B, bt)
    second = product(bt, B, dbt)
    return [
        first - product(A, B, first) + second - product(second, B, A) - product(bt, dy, bt),
        *(None for _ in rcond),
    ]


@operator("_npi_pinv", threaded=True)
def pinv(xp, A: Array, rcond: Array, hermitian: bool = False):
    """Return the pseudo-inverse; singular values below ``rcond`` times the largest singular value count as zero."""
    check_float(A)
    return xp.linalg.pinv(A, rcond)


@operator("_npi_pinv_scalar_rcond", threaded=True)
def pinv_scalar_rcond(xp, A: Array, rcond: float = 1e-15, hermitian: bool = False):
    """Return the pseudo-inverse; singular values below ``rcond`` times the largest singular value count as zero."""
    check_float(A)
    return xp.linalg.pinv(A, rcond)


for _pseudo_inverse in (pinv, pinv_scalar_rcond):
    _pseudo_inverse.infer_shape(_pinv_rule)
    _pseudo_inverse.infer_type(rules.type_of_first)
    _pseudo_inverse.gradient(_pinv_gradient)

# --- norms --------------------------------------------------------------------------------------

# MXNet's front end selects the norm by a number.
_FLATTENED, _VECTOR, _SPECTRAL, _FROBENIUS, _NUCLEAR = -2, -1, 0, 1, 2


def _norm_plan(shape: tuple[Any, ...], axis: Any, ord: float, flag: int) -> tuple[str, tuple[int, ...], float]:
    """Return the kind of a norm, its axes, and its order.

    The kinds are ``"power"``, a sum of powers over all axes; ``"sums"``, the largest or smallest sum over the first of
    two axes; ``"singular"``, the largest or smallest singular value; and ``"nuclear"``, the sum of the singular values.
    """
    ndim = len(shape)
    if axis is not None:
        reduction_axes(axis, shape)  # raises an error for axes that don't exist
        axes = tuple(a % ndim for a in axis)
    elif flag in (_FLATTENED, _FROBENIUS) or ndim < 2:
        axes = tuple(range(ndim))
    else:
        axes = (ndim - 2, ndim - 1)
    if flag in (_FLATTENED, _FROBENIUS):
        return "power", axes, 2.0
    if len(axes) < 2 and flag != _NUCLEAR:
        return "power", axes, ord
    rules.require(len(axes) == 2, "Improper number of dimensions to norm.")
    if flag == _NUCLEAR:
        return "nuclear", axes, ord
    if abs(ord) == 2:
        return "singular", axes, ord
    rules.require(abs(ord) in (1, numpy.inf), "Invalid norm order for matrices.")
    return "sums", axes if abs(ord) == 1 else axes[::-1], ord


def _power_norm(xp: Any, x: Any, ord: float, axes: tuple[int, ...]) -> Any:
    modulus = xp.abs(x)
    if ord == numpy.inf:
        return modulus.max(axis=axes, keepdims=True)
    if ord == -numpy.inf:
        return modulus.min(axis=axes, keepdims=True)
    if ord == 0:
        return (x != 0).astype(x.dtype).sum(axis=axes, keepdims=True)
    if ord == 1:
        return modulus.sum(axis=axes, keepdims=True)
    if ord == 2:
        norms = xp.sqrt((x * x).sum(axis=axes, keepdims=True))
        return without_overflow(xp, x, axes, x.dtype, norms)
    return (modulus**ord).sum(axis=axes, keepdims=True) ** (1.0 / ord)


@operator("_npi_norm", outputs=4, visible_outputs=1)
def np_norm(
    xp,
    data: Array,
    ord: float = 2.0,
    axis: Shape | None = None,
    keepdims: bool = False,
    flag: int = -1,
):
    """Return a vector norm (``flag`` is -2 or -1) or a matrix norm (0: of order ``ord``, 1: Frobenius, 2: nuclear).

    The hidden outputs are the singular value decomposition, if the norm requires it.
    """
    kind, axes, ord = _norm_plan(data.shape, axis, ord, flag)
    x = data if data.dtype.kind == "f" else data.astype(numpy.float32)
    x = x.astype(wide_dtype(x.dtype), copy=False)
    hidden = [xp.zeros((0,), data.dtype)] * 3
    if kind in ("singular", "nuclear"):
        hidden = list(_svd(xp, xp.moveaxis(x, axes, (-2, -1))))
        L = hidden[1]
        result = L.sum(axis=-1) if kind == "nuclear" else (L.max(axis=-1) if ord > 0 else L.min(axis=-1))
    elif kind == "sums":
        sums = xp.abs(x).sum(axis=axes[0], keepdims=True)
        result = (sums.max if ord > 0 else sums.min)(axis=axes[1], keepdims=True)
    else:
        result = _power_norm(xp, x, ord, axes)
    shape = [1 if i in axes else n for i, n in enumerate(data.shape) if keepdims or i not in axes]
    return [result.reshape(shape).astype(data.dtype, copy=False), *hidden]


np_norm.output_names(lambda **_: ["output0"])


@np_norm.infer_shape
def _(data, *, ord, axis, keepdims, flag):
    if data is None:
        return [None], [None] * 4
    kind, axes, _ = _norm_plan(data, axis, ord, flag)
    result = rules.reduced_shape(data, axes, keepdims, ())
    if kind not in ("singular", "nuclear"):
        return [data], [result, (0,), (0,), (0,)]
    batch = tuple(n for i, n in enumerate(data) if i not in axes)
    rows, columns = data[axes[0]], data[axes[1]]
    order = None if rows is None or columns is None else min(rows, columns)
    return [data], [result, (*batch, rows, order), (*batch, order), (*batch, order, columns)]


np_norm.infer_type(lambda data, **_: ([data], [data] * 4))
np_norm.gradient(
    lambda F, dy, y, data, **how: [None if dy[0] is None else F._backward_npi_norm(dy[0], *y, data, **how)]
)


# There is no second derivative: most norms aren't smooth, and MXNet has only the first derivative, too.
@operator("_backward_npi_norm")
def backward_norm(
    xp,
    grad: Array,
    norm: Array,
    U: Array,
    L: Array,
    V: Array,
    data: Array,
    ord: float = 2.0,
    axis: Shape | None = None,
    keepdims: bool = False,
    flag: int = REQUIRED,
):
    """Return the gradient of a vector or matrix norm."""
    kind, axes, ord = _norm_plan(data.shape, axis, ord, flag)
    kept = [1 if i in axes else n for i, n in enumerate(data.shape)]
    grad, norm = xp.asarray(grad).reshape(kept), xp.asarray(norm).reshape(kept)
    if kind in ("singular", "nuclear"):
        weights = xp.ones_like(L)
        if kind == "singular":  # the norm depends only on the largest or the smallest singular value
            chosen = L.argmax(-1) if ord > 0 else L.argmin(-1)
            weights = (xp.arange(L.shape[-1]) == chosen[..., None]).astype(L.dtype)
        direction = xp.moveaxis(xp.matmul(U * weights[..., None, :], V), (-2, -1), axes)
    elif kind == "sums":
        direction = xp.sign(data) * (xp.abs(data).sum(axis=axes[0], keepdims=True) == norm)
    elif ord == 2:
        direction = data / norm
    elif abs(ord) == numpy.inf:
        direction = xp.sign(data) * (xp.abs(data) == norm)
    elif ord == 0:
        return xp.zeros_like(data)
    elif ord == 1:
        direction = xp.sign(data)
    else:
        direction = xp.sign(data) * (xp.abs(data) / norm) ** (ord - 1)
    return (grad * direction).astype(data.dtype, copy=False)


backward_norm.infer_shape(lambda *shapes, **_: (list(shapes), [shapes[5]]))
backward_norm.infer_type(lambda *dtypes, **_: (list(dtypes), [dtypes[5]]))
not_differentiable(backward_norm)
