"""Products, decompositions and norms of matrices: values against NumPy, and derivatives."""

from __future__ import annotations

import itertools

import derivatives as check
import numpy as np
import pytest

import d2lhybrid as mx
from d2lhybrid.error import MXNetError, ShapeError
from d2lhybrid.internals.core.kernel_space import kernel_space

F = kernel_space(np)


def normal(*shape):
    return np.random.default_rng(sum(shape) + 7 * len(shape)).normal(size=shape)


def positive(*shape):
    """Return symmetric positive definite matrices with well separated eigenvalues."""
    a = normal(*shape)
    return a @ a.swapaxes(-1, -2) + np.diag(np.arange(1.0, shape[-1] + 1))


def flipped(shape, flip):
    return (*shape[:-2], shape[-1], shape[-2]) if flip else shape


BOTH = list(itertools.product((False, True), repeat=2))

TWICE = [
    *(
        (name, [normal(*flipped((*batch, 2, 3), ta)), normal(*flipped((*batch, 3, 4), tb))], {})
        for name, batch in (("dot", ()), ("batch_dot", (2,)), ("_linalg_gemm2", (2,)))
        for ta, tb in BOTH[:1]
    ),
    *(
        (
            name,
            [normal(*flipped((*batch, 2, 3), ta)), normal(*flipped((*batch, 3, 4), tb))],
            {"transpose_a": ta, "transpose_b": tb},
        )
        for name, batch in (("dot", ()), ("batch_dot", (2,)), ("_linalg_gemm2", (2,)))
        for ta, tb in BOTH[1:]
    ),
    ("_linalg_gemm2", [normal(3, 2, 4), normal(4, 2, 5)], {"axis": 0, "alpha": 0.5}),
    (
        "_linalg_gemm",
        [normal(3, 2), normal(4, 3), normal(2, 4)],
        {"transpose_a": True, "transpose_b": True, "alpha": 0.5, "beta": 2.0},
    ),
    ("dot", [normal(3), normal(3)], {}),
    ("dot", [normal(3), normal(3, 2)], {}),
    ("dot", [normal(2, 3), normal(3)], {}),
    ("dot", [normal(2, 2, 3), normal(3, 4, 2)], {}),
    ("dot", [normal(3, 2, 2), normal(4, 2, 3)], {"transpose_a": True, "transpose_b": True}),
    ("_np_dot", [normal(3), normal(3)], {}),
    ("_np_dot", [normal(2, 3), normal(4, 3, 2)], {}),
    ("_np_dot", [normal(), normal(2, 2)], {}),
    ("_np_dot", [normal(2, 2), normal()], {}),
    *(
        ("_npi_matmul", [normal(*a), normal(*b)], {})
        for a, b in [
            ((3,), (3,)),
            ((2, 3), (3,)),
            ((3,), (3, 2)),
            ((2, 3), (3, 4)),
            ((5, 2, 3), (3, 4)),
            ((2, 3), (5, 3, 4)),
            ((5, 1, 2, 3), (4, 3, 2)),
            ((5, 2, 3), (3,)),
            ((3,), (5, 3, 2)),
        ]
    ),
    (
        "_npi_tensordot",
        [normal(2, 3, 4), normal(4, 5, 3)],
        {"a_axes_summed": (1, 2), "b_axes_summed": (-1, 0)},
    ),
    ("_npi_tensordot_int_axes", [normal(2, 3, 4), normal(3, 4, 2)], {"axes": 2}),
    ("_npi_tensordot_int_axes", [normal(2), normal(3)], {"axes": 0}),
    *(
        ("_npi_einsum", [normal(*s) for s in shapes], {"subscripts": subscripts})
        for subscripts, shapes in [
            ("ij,jk->ik", [(2, 3), (3, 4)]),
            ("ij->ji", [(2, 3)]),
            ("bij, bjk -> bik", [(2, 2, 3), (2, 3, 2)]),
            ("ij,jk", [(2, 3), (3, 4)]),
            ("ij,jk,kl->il", [(2, 3), (3, 2), (2, 3)]),
        ]
    ),
    ("_np_trace", [normal(3, 4)], {}),
    ("_np_trace", [normal(2, 3, 4)], {"offset": 1, "axis1": 2, "axis2": 0}),
    ("_np_trace", [normal(3, 3, 2)], {"offset": -1}),
    ("_npi_diff", [normal(2, 4)], {}),
    ("_npi_diff", [normal(4, 2)], {"n": 2, "axis": 0}),
    ("_npi_diff", [normal(4)], {"n": 0}),
    ("_npi_ediff1d", [normal(2, 3)], {}),
    (
        "_npi_ediff1d",
        [normal(2, 3), normal(2), normal(1)],
        {"to_begin_arr_given": True, "to_end_arr_given": True},
    ),
    ("_npi_ediff1d", [normal(2, 3), normal(2)], {"to_end_arr_given": True, "to_begin_scalar": 3.0}),
    ("_npi_ediff1d", [normal(1)], {"to_end_scalar": 3.0}),
    *(
        (
            name,
            [normal(3, 3) + 3 * np.eye(3), normal(*flipped((3, 2), right))],
            {"transpose": transpose, "rightside": right, "lower": lower, "alpha": 0.5},
        )
        for name in ("_linalg_trmm", "_linalg_trsm")
        for transpose, right in BOTH
        for lower in (True, False)
    ),
    ("_linalg_syrk", [normal(2, 3)], {"alpha": 0.5}),
    ("_linalg_syrk", [normal(2, 3)], {"transpose": True}),
    ("_linalg_potri", [np.tril(normal(3, 3)) + 3 * np.eye(3)], {}),
    ("_linalg_sumlogdiag", [positive(3, 3)], {}),
    ("_linalg_sumlogdiag", [positive(2, 3, 3)], {}),
    ("_linalg_inverse", [positive(2, 3, 3)], {}),
    ("_linalg_det", [normal(3, 3)], {}),
    ("_linalg_det", [normal(2, 3, 3)], {}),
    ("_npi_det", [normal(3, 3)], {}),
    ("_linalg_slogdet", [normal(2, 3, 3)], {}),
    ("_npi_slogdet", [normal(3, 3)], {}),
    ("_linalg_extractdiag", [normal(2, 3, 3)], {"offset": 1}),
    ("_linalg_makediag", [normal(2, 3)], {"offset": -1}),
    *(
        (name, [normal(*shape)], {"offset": offset, "lower": lower})
        for name, shape in (("_linalg_extracttrian", (2, 4, 4)), ("_linalg_maketrian", (2, 6)))
        for offset in (-1, 0, 1)
        for lower in (True, False)
    ),
    ("_linalg_gelqf", [normal(2, 4)], {}),
    ("_linalg_gelqf", [normal(2, 3, 3)], {}),
    ("_npi_solve", [positive(2, 3, 3), normal(2, 3, 2)], {}),
    ("_npi_solve", [positive(2, 3, 3), normal(2, 3)], {}),
    ("_npi_solve", [positive(3, 3), normal(3)], {}),
    ("_npi_pinv_scalar_rcond", [normal(2, 4)], {}),
    ("_npi_pinv_scalar_rcond", [normal(4, 2)], {}),
    ("_npi_pinv", [normal(2, 2, 3), np.array(1e-10, "float32")], {}),
]

ONCE = [
    *(
        ("_npi_einsum", [normal(*s) for s in shapes], {"subscripts": subscripts})
        for subscripts, shapes in [
            ("ii", [(3, 3)]),
            ("ii->i", [(3, 3)]),
            ("ij->", [(2, 3)]),
            ("...j,j->...", [(2, 4, 3), (3,)]),
            ("...i,...i", [(2, 1, 3), (4, 3)]),
            ("ijj,k->i", [(2, 3, 3), (2,)]),
            ("iij->ji", [(3, 3, 2)]),
        ]
    ),
    ("khatri_rao", [normal(2, 3), normal(4, 3), normal(2, 3)], {}),
    ("_npi_tensorinv", [normal(2, 3, 6)], {"ind": 2}),
    ("_npi_tensorsolve", [normal(2, 3, 6), normal(2, 3)], {}),
    ("_npi_tensorsolve", [normal(2, 6, 3), normal(2, 3)], {"a_axes": (1,)}),
    ("_npi_svd", [normal(3, 3)], {}),
    ("_npi_svd", [normal(2, 3, 4)], {}),
    *(
        ("_npi_norm", [normal(2, 3, 4)], attributes)
        for attributes in [
            {"flag": -2},
            {"flag": 1, "axis": (1,)},
            {"flag": 2, "axis": (0, 2)},
            {"flag": 0, "ord": 2, "axis": (0, 1), "keepdims": True},
            {"flag": 0, "ord": -2, "axis": (2, 1)},
            {"flag": 0, "ord": 1, "axis": (0, 2)},
            {"flag": 0, "ord": -np.inf, "axis": (0, 2)},
            {"flag": -1, "ord": 3, "axis": (1,)},
            {"flag": -1, "ord": 1, "axis": (1,)},
            {"flag": -1, "ord": np.inf, "axis": (1,)},
            {"flag": -1, "ord": -1.5, "axis": (1,), "keepdims": True},
        ]
    ),
]


@pytest.mark.parametrize(("name", "inputs", "attributes"), TWICE)
def test_rules_and_derivatives(name, inputs, attributes):
    check.check_rules(name, inputs, attributes)
    check.check_first_derivative(name, inputs, attributes)
    check.check_second_derivative(name, inputs, attributes)


@pytest.mark.parametrize(("name", "inputs", "attributes"), ONCE)
def test_first_derivatives(name, inputs, attributes):
    check.check_rules(name, inputs, attributes)
    check.check_first_derivative(name, inputs, attributes)
    with pytest.raises(MXNetError, match="is non-differentiable because it didn't register FGradient"):
        check.check_second_derivative(name, inputs, attributes)


@pytest.mark.parametrize("name", ["_linalg_potrf", "_npi_cholesky"])
def test_gradient_of_cholesky_is_symmetric(name):
    a, step = positive(3, 3), positive(3, 3) / 10
    head = normal(3, 3)
    (found,) = check.gradients(name, [a], {}, [head])
    np.testing.assert_allclose(found, found.T)

    def loss(t):
        return (head * getattr(F, name)(a + t * step)).sum()

    slope = (loss(1e-6) - loss(-1e-6)) / 2e-6
    np.testing.assert_allclose((found * step).sum(), slope, rtol=1e-6)


@pytest.mark.parametrize(("name", "outputs"), [("_linalg_syevd", 2), ("_npi_eigh", 2), ("_npi_eigvalsh", 1)])
def test_gradient_of_eigenvalues_along_symmetric_steps(name, outputs):
    a, step = positive(3, 3), positive(3, 3) / 10
    heads = check.visible_heads(name, [a], {}, np.random.default_rng(0))
    assert len(heads) == outputs
    (found,) = check.gradients(name, [a], {}, heads)

    def loss(t):
        return sum((h * o).sum() for h, o in zip(heads, check.run(name, [a + t * step], {}), strict=True))

    slope = (loss(1e-6) - loss(-1e-6)) / 2e-6
    np.testing.assert_allclose((found * step).sum(), slope, rtol=1e-5)


# --- values --------------------------------------------------------------------------------------


def test_decompositions_give_back_the_matrix():
    a, symmetric = normal(2, 3, 4), positive(2, 3, 3)
    U, L, V = F._npi_svd(a)
    np.testing.assert_allclose(U * L[:, None, :] @ V, a)
    Q, lower = F._linalg_gelqf(a)
    np.testing.assert_allclose(lower @ Q, a)
    np.testing.assert_allclose(np.triu(lower, 1), 0, atol=1e-12)
    U, L = F._linalg_syevd(symmetric)
    np.testing.assert_allclose(U.swapaxes(-1, -2) * L[:, None, :] @ U, symmetric)
    values, vectors = F._npi_eigh(symmetric)
    np.testing.assert_allclose(symmetric @ vectors, vectors * values[:, None, :])
    factor = F._linalg_potrf(symmetric)
    np.testing.assert_allclose(F._linalg_potri(factor), np.linalg.inv(symmetric))
    np.testing.assert_allclose(2 * F._linalg_sumlogdiag(factor), F._linalg_slogdet(symmetric)[1], rtol=1e-12)


def test_largest_component_is_positive():
    a = normal(5, 3, 3)
    rows = F._linalg_syevd(a + a.swapaxes(-1, -2))[0]
    columns = F._npi_eigh(a + a.swapaxes(-1, -2))[1]
    right = F._npi_svd(a)[2]
    for vectors in (rows, columns.swapaxes(-1, -2), right):
        assert (vectors.max(-1) >= -vectors.min(-1)).all()


@pytest.mark.parametrize("keepdims", [False, True])
@pytest.mark.parametrize(
    ("order", "axis", "attributes"),
    [
        (None, None, {"flag": -2}),
        (None, 1, {"flag": 1, "axis": (1,)}),
        ("nuc", (0, 1), {"flag": 2, "axis": (0, 1)}),
        (2, (0, 1), {"flag": 0, "ord": 2, "axis": (0, 1)}),
        (-2, (0, 1), {"flag": 0, "ord": -2, "axis": (0, 1)}),
        (-1, (0, 1), {"flag": 0, "ord": -1, "axis": (0, 1)}),
        (np.inf, (0, 1), {"flag": 0, "ord": np.inf, "axis": (0, 1)}),
        (0, 1, {"flag": -1, "ord": 0, "axis": (1,)}),
        (2.5, 0, {"flag": -1, "ord": 2.5, "axis": (0,)}),
        (-np.inf, 0, {"flag": -1, "ord": -np.inf, "axis": (0,)}),
    ],
)
def test_norms_are_numpys(order, axis, attributes, keepdims):
    x = normal(3, 4)
    expected = np.linalg.norm(x, order, axis, keepdims)
    result = F._npi_norm(x, keepdims=keepdims, **attributes)[0]
    assert result.shape == np.shape(expected)
    np.testing.assert_allclose(result, expected)


def test_triangles_as_vectors():
    x = np.arange(16.0).reshape(4, 4)
    np.testing.assert_array_equal(F._linalg_extracttrian(x, offset=-1), [4, 8, 9, 12, 13, 14])
    np.testing.assert_array_equal(F._linalg_extracttrian(x, offset=1), [1, 2, 6, 3, 7, 11])
    with pytest.raises(ShapeError, match=r"\(6 vs. 5\)"):
        F._linalg_maketrian(np.ones(5))


def test_what_does_not_fit():
    two, three = np.ones((2, 3)), np.ones((2, 3, 4))
    with pytest.raises(ShapeError, match=r"\(3 vs. 2\) : dot shape error: \[2,3\] X \[2,3\]"):
        F.dot(two, two)
    with pytest.raises(ShapeError, match="Cannot transpose vectors"):
        F.dot(np.ones(3), np.ones(3), transpose_a=True)
    with pytest.raises(ShapeError, match=r"\(shape mismatch\): \[2,3,4\] X \[2,3,4\] trans_a=0 trans_b=0"):
        F.batch_dot(three, three)
    with pytest.raises(ShapeError, match="only support N-D"):
        F.batch_dot(two, two)
    with pytest.raises(ShapeError, match="expected float64, got float32"):
        F.dot(two, np.ones((3, 2), "float32"))
    with pytest.raises(ShapeError, match="Multiplication by scalars is not allowed"):
        F._npi_matmul(two, np.ones(()))
    with pytest.raises(ShapeError, match="Could not be broadcast"):
        F._npi_matmul(np.ones((2, 2, 3)), np.ones((3, 3, 4)))
    with pytest.raises(ShapeError, match="Number of einsum subscripts"):
        F._npi_einsum(two, subscripts="ij,jk")
    with pytest.raises(ShapeError, match="did not appear in the input"):
        F._npi_einsum(two, subscripts="ij->k")
    with pytest.raises(ShapeError, match="Input A's last two dimension must be equal"):
        F._linalg_inverse(two)


@pytest.mark.parametrize("written", [True, False])
@pytest.mark.parametrize("op", ["_linalg_det", "_linalg_slogdet"])
def test_the_determinant_of_a_file_has_the_shape_that_its_writer_saw(op, written):
    with mx.util.np_shape(written):
        text = getattr(mx.sym.linalg, op.removeprefix("_linalg_"))(mx.sym.var("a")).tojson()
    assert f'"{op}"' in text
    shapes = mx.sym.load_json(text).infer_shape(a=(2, 2))[1]
    assert shapes == [() if written else (1,)] * len(shapes)


@pytest.mark.parametrize("name", ["det", "slogdet"])
def test_files_call_the_determinant_as_mxnet_does(name):
    with mx.util.np_shape():
        found = getattr(mx.sym.np.linalg, name)(mx.sym.var("a").as_np_ndarray())
        text = mx.sym.Group(list(found)).tojson() if name == "slogdet" else found.tojson()
    assert f'"op": "_linalg_{name}"' in text


def test_results_of_decompositions_have_mxnets_types():
    a = mx.np.array([[2, 1], [1, 3]])
    assert type(mx.np.linalg.qr(a)) is tuple and type(mx.np.linalg.slogdet(a)) is list
    q, r = mx.np.linalg.qr(a)
    np.testing.assert_allclose((q @ r).asnumpy(), a.asnumpy(), rtol=1e-6)
    assert mx.np.linalg.qr(a, mode="r").shape == (2, 2)


def test_scalars_have_a_shape_outside_of_numpy_shapes_too():
    a, b = mx.sym.var("a"), mx.sym.var("b")
    assert mx.sym.contrib.allclose(a, b).infer_shape(a=(2, 3), b=(2, 3)) == ([(2, 3), (2, 3)], [()], [])
    assert mx.sym.np.sum(a.as_np_ndarray()).infer_shape(a=(2, 3)) == ([(2, 3)], [()], [])


def test_singular_and_indefinite_matrices():
    with pytest.raises(MXNetError, match="the input matrix is non-convertible"):
        F._linalg_inverse(np.zeros((2, 2)))
    with pytest.raises(MXNetError, match="dpotrf failed in lapack on cpu"):
        F._linalg_potrf(-np.eye(2))
    with pytest.raises(MXNetError, match="Complex eigvals is unsupported"):
        F._npi_eigvals(np.array([[0.0, -1.0], [1.0, 0.0]]))
    with pytest.raises(MXNetError, match="only supports 32-bit and 64-bit floating point"):
        F._linalg_det(np.eye(2, dtype="int32"))
