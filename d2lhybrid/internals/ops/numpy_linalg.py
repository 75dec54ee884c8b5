"""``np.linalg``: solutions of equations, eigenvalues, and inverses of tensors with NumPy's conventions."""

from __future__ import annotations

from typing import Any, Literal

import numpy

from ...error import MXNetError, ShapeError
from ..core import trip_reasons as host_trips
from ..core.operator import Array, Shape, operator
from . import rules
from .linalg import check_float, check_square, largest_positive, linear_algebra_error, solve
from .not_differentiable import not_differentiable

FAMILY = "linear"

_SQUARE = "Input A's last two dimension must be equal"


def _swapped(x: Any) -> Any:
    return x.swapaxes(-1, -2)


def _float_dtype(dtype: numpy.dtype) -> numpy.dtype:
    """Return the element type of the computation, which is float64 for integers."""
    return dtype if dtype.kind == "f" else numpy.dtype(numpy.float64)


def _float_types(*dtypes: Any, **_: Any) -> tuple[list[Any], list[Any]]:
    inputs, [dtype] = rules.same_type(*dtypes)
    return inputs, [None if dtype is None else _float_dtype(dtype)]


def as_float(A: Any) -> Any:
    """Convert matrices to an element type in which they can be factorized.

    Raises
    ------
    MXNetError
        If the element type is float16.
    """
    if A.dtype == numpy.float16:
        raise MXNetError("This operation only supports 32-bit and 64-bit floating point")
    return A.astype(_float_dtype(A.dtype), copy=False)


# --- solving ------------------------------------------------------------------------------------


def _solve_rule(A, B):
    check_square(A, _SQUARE)
    if A is None or B is None:
        return [A, B], [B]
    if len(B) not in (len(A) - 1, len(A)):
        raise ShapeError("Operator _npi_solve inferring shapes failed.")
    order = B[-1] if len(B) == len(A) - 1 else B[-2]
    rules.require(
        None in (A[-1], order) or A[-1] == order,
        f"in_a_shape[in_a_ndim - 1] == in_b_shape[in_b_ndim - 1] ({A[-1]} vs. {order}) : "
        "Input A's and B's last dimension must be equal",
    )
    return [A, B], [B]


def _as_columns(A: Any, b: Any) -> Any:
    """Return the right-hand sides as matrices of columns; a vector becomes a matrix with one column."""
    return b[..., None] if b.ndim == A.ndim - 1 else b


@operator("_npi_solve", threaded=True)
def np_solve(xp, A: Array, B: Array):
    """Return the solution ``X`` of ``A · X = B``, for a vector or a matrix ``B``."""
    _solve_rule(A.shape, B.shape)
    return solve(xp, as_float(A), _as_columns(A, as_float(B))).reshape(B.shape)


np_solve.lenient = True
np_solve.infer_shape(_solve_rule)
np_solve.infer_type(_float_types)


@np_solve.gradient
def _(F, dy, y, A, B):
    # dB = A⁻ᵀ dX and dA = -dB Xᵀ.
    db = F._npi_solve(F._matrix_transpose(A), dy)
    return [-F._matrix_outer(db, y, A), db]


@operator("_matrix_apply", threaded=True)
def matrix_apply(xp, A: Array, b: Array):
    """Return ``A · b``; the shapes determine whether ``b`` is a vector or a matrix, as in ``solve``."""
    return xp.matmul(A, _as_columns(A, b)).reshape(b.shape)


@operator("_matrix_outer", threaded=True)
def matrix_outer(xp, u: Array, v: Array, like: Array):
    """Return ``u · vᵀ``; the shape of the square matrix ``like`` determines whether ``u`` and ``v`` are vectors."""
    return xp.matmul(_as_columns(like, u), _swapped(_as_columns(like, v)))


matrix_apply.infer_shape(lambda A, b: ([A, b], [b]))
matrix_apply.infer_type(rules.same_type)
matrix_apply.gradient(lambda F, dy, y, A, b: [F._matrix_outer(dy, b, A), F._matrix_apply(F._matrix_transpose(A), dy)])
matrix_outer.infer_shape(lambda u, v, like: ([u, v, like], [like]))
matrix_outer.infer_type(rules.same_type)
matrix_outer.gradient(
    lambda F, dy, y, u, v, like: [
        F._matrix_apply(dy, v),
        F._matrix_apply(F._matrix_transpose(dy), u),
        None,
    ]
)

# --- tensors as matrices ------------------------------------------------------------------------


def _product(sizes: Any) -> int | None:
    return rules.known_size(tuple(sizes))


def _tensorinv_rule(a, *, ind):
    rules.require(ind > 0, "ind > 0: Invalid ind argument.")
    if a is None:
        return [None], [None]
    front, back = _product(a[:ind]), _product(a[ind:])
    rules.require(
        None in (front, back) or front == back,
        f"prod_front == prod_back ({front} vs. {back}) : "
        "a shape must be square, i. e., prod(a.shape[:ind]) == prod(a.shape[ind:]).",
    )
    return [a], [a[ind:] + a[:ind]]


@operator("_npi_tensorinv", threaded=True)
def tensorinv(xp, a: Array, ind: int = 2):
    """Return the inverse of a tensor that is treated as a matrix whose rows are the first ``ind`` axes."""
    check_float(a)
    _, [shape] = _tensorinv_rule(a.shape, ind=ind)
    with linear_algebra_error("the input matrix is non-convertible"):
        return xp.linalg.inv(a.reshape(_product(a.shape[:ind]), -1)).reshape(shape)


tensorinv.infer_shape(_tensorinv_rule)
tensorinv.infer_type(rules.same_type)
tensorinv.gradient(lambda F, dy, y, a, *, ind: [F._backward_npi_tensorinv(dy, y, a, ind=ind)])


# There is no second derivative, because tensorinv is rare; _linalg_inverse of matrices has one.
@operator("_backward_npi_tensorinv")
def backward_tensorinv(xp, grad: Array, inverse: Array, a: Array, ind: int = 2):
    """Return the gradient of ``tensorinv``."""
    order = _product(a.shape[:ind])
    B = inverse.reshape(order, order)
    return -(B.T @ grad.reshape(order, order) @ B.T).reshape(a.shape)


backward_tensorinv.infer_shape(lambda grad, inverse, a, **_: ([grad, inverse, a], [a]))
backward_tensorinv.infer_type(rules.type_of_first)
not_differentiable(backward_tensorinv)


def _moved_last(ndim: int, axes: Any) -> list[int]:
    """Return the order of axes after ``tensorsolve`` has moved some of them to the end."""
    given = [a % ndim for a in axes or ()]
    return [i for i in range(ndim) if i not in given] + given


def _tensorsolve_rule(a, b, *, a_axes):
    if a is None or b is None:
        return [a, b], [None]
    moved = tuple(a[i] for i in _moved_last(len(a), a_axes))
    rest = moved[len(b) - len(a) :]  # all axes if both have the same number of axes, as in NumPy
    rows, columns = _product(b), _product(rest)
    rules.require(
        None in (rows, columns) or rows == columns,
        f"prod(a.shape[b.ndim:]) == prod(b.shape) ({columns} vs. {rows}) : a must be square for b",
    )
    return [a, b], [rest]


@operator("_npi_tensorsolve", threaded=True)
def tensorsolve(xp, a: Array, b: Array, a_axes: Shape = ()):
    """Return the solution ``x`` of ``tensordot(a, x, x.ndim) = b``, after ``a_axes`` have been moved to the end."""
    _, [shape] = _tensorsolve_rule(a.shape, b.shape, a_axes=a_axes)
    matrix = as_float(a).transpose(_moved_last(a.ndim, a_axes)).reshape(b.size, -1)
    return solve(xp, matrix, as_float(b).reshape(-1, 1)).reshape(shape)


tensorsolve.lenient = True
tensorsolve.infer_shape(_tensorsolve_rule)
tensorsolve.infer_type(_float_types)
tensorsolve.gradient(lambda F, dy, y, a, b, *, a_axes: list(F._backward_npi_tensorsolve(dy, y, a, b, a_axes=a_axes)))


# There is no second derivative, as for tensorinv; solve with matrices has one.
@operator("_backward_npi_tensorsolve", outputs=2, threaded=True)
def backward_tensorsolve(xp, grad: Array, x: Array, a: Array, b: Array, a_axes: Shape = ()):
    """Return the gradients of ``tensorsolve`` with respect to the tensor and the right-hand side."""
    order = _moved_last(a.ndim, a_axes)
    moved = a.transpose(order)
    matrix = moved.reshape(b.size, -1)
    db = solve(xp, matrix.T, grad.reshape(-1, 1))
    da = -(db @ x.reshape(1, -1)).reshape(moved.shape)
    inverse = sorted(range(a.ndim), key=order.__getitem__)
    return [da.transpose(inverse).copy(), db.reshape(b.shape)]


backward_tensorsolve.infer_shape(lambda grad, x, a, b, **_: ([grad, x, a, b], [a, b]))
backward_tensorsolve.infer_type(lambda grad, x, a, b, **_: ([grad, x, a, b], [a, b]))
not_differentiable(backward_tensorsolve)


# --- eigenvalues --------------------------------------------------------------------------------


def _eigen_rule(outputs: str):
    def rule(A, **_):
        check_square(A, _SQUARE)
        values = None if A is None else A[:-1]
        return [A], [values if o == "w" else A for o in outputs]

    return rule


def _eigen_types(count: int):
    return lambda A, **_: ([A], [None if A is None else _float_dtype(A)] * count)


@operator("_npi_eigh", outputs=2, threaded=True)
def eigh(xp, A: Array, UPLO: Literal["L", "U"] = "L"):  # noqa: N803
    """Return the eigenvalues of a symmetric matrix, in ascending order, and the eigenvectors as columns."""
    check_square(A.shape, _SQUARE)
    values, vectors = xp.linalg.eigh(as_float(A), UPLO=UPLO)
    return [values, vectors * largest_positive(xp, vectors, -2)]


eigh.infer_shape(_eigen_rule("wA"))
eigh.infer_type(_eigen_types(2))


@eigh.gradient
def _(F, dy, y, A, **_):
    values, vectors = y
    dl = F.zeros_like(values) if dy[0] is None else dy[0]
    dv = F.zeros_like(vectors) if dy[1] is None else dy[1]
    return [F._backward_linalg_syevd(F._matrix_transpose(dv), dl, F._matrix_transpose(vectors), values)]


@operator("_npi_eigvalsh", threaded=True)
def eigvalsh(xp, A: Array, UPLO: Literal["L", "U"] = "L"):  # noqa: N803
    """Return the eigenvalues of a symmetric matrix, in ascending order."""
    check_square(A.shape, _SQUARE)
    return xp.linalg.eigvalsh(as_float(A), UPLO=UPLO)


eigvalsh.infer_shape(_eigen_rule("w"))
eigvalsh.infer_type(_eigen_types(1))


@eigvalsh.gradient
def _(F, dy, y, A, *, UPLO):  # noqa: N803
    values, vectors = F._npi_eigh(A, UPLO=UPLO)
    rows = F._matrix_transpose(vectors)
    return [F._backward_linalg_syevd(F.zeros_like(rows), dy, rows, values)]


def _real(xp: Any, values: Any) -> Any:
    """Return eigenvalues as real numbers; CuPy, and NumPy from 2.5 on, always return complex numbers."""
    if values.dtype.kind != "c":
        return values
    rules.require(
        bool((values.imag == 0).all()),
        "fabs(wi_ptr[i]) <= 1e-15: Complex eigvals is unsupported in linalg temporary.",
    )
    return xp.ascontiguousarray(values.real)


# As in MXNet, the eigendecomposition of general matrices, whose eigenvectors may be complex, has no gradient.
@operator("_npi_eig", outputs=2, differentiable=False, threaded=True)
def eig(xp, A: Array):
    """Return the eigenvalues, and the eigenvectors as columns, of a general matrix whose eigenvalues are real.

    On a GPU, the host waits to check whether the eigenvalues are real.
    """
    check_square(A.shape, _SQUARE)
    values, vectors = xp.linalg.eig(as_float(A))
    return [_real(xp, values), xp.ascontiguousarray(vectors.real)]


eig.infer_shape(_eigen_rule("wA"))
eig.asks_device = host_trips.NOT_REAL
eig.infer_type(_eigen_types(2))


@operator("_npi_eigvals", differentiable=False, threaded=True)
def eigvals(xp, A: Array):
    """Return the eigenvalues of a general matrix whose eigenvalues are real."""
    check_square(A.shape, _SQUARE)
    return _real(xp, xp.linalg.eigvals(as_float(A)))


eigvals.infer_shape(_eigen_rule("w"))
eigvals.asks_device = host_trips.NOT_REAL
eigvals.infer_type(_eigen_types(1))
