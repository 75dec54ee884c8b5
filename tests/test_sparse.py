"""Sparse arrays: of which storage type results are, what they are made of, which rows are kept: as in MXNet."""

from __future__ import annotations

import importlib
import subprocess
import sys
import types
from typing import Any

import numpy
import pytest

import d2lhybrid as mx
from d2lhybrid import autograd, gluon, nd

DENSE = nd.ones((2, 3))
ROW, COLUMN = nd.array([[1, 2, 3]]), nd.array([[1], [2]])


def matrix() -> Any:
    return nd.sparse.csr_matrix(([1, 2, 3], [0, 1, 2], [0, 2, 3]), shape=(2, 3))


def some_rows() -> Any:
    return nd.sparse.row_sparse_array(([[1, 2], [3, 4], [5, 6]], [0, 1, 3]), shape=(5, 2))


def kept(result: Any) -> tuple[str, Any]:
    return result.stype, result.asnumpy().tolist()


@pytest.mark.parametrize(
    ("indices", "expected"),
    [
        ([0, 3], [0, 3]),
        ([3, 0, 0], [3, 0, 0]),
        ([2, 3], [2, 3]),
        ([3, 7, -1], [3]),
        ([], []),
    ],
)
@pytest.mark.parametrize("dtype", ["float32", "int64"])
def test_retain_keeps_the_rows_that_are_named(indices, expected, dtype):
    rows = some_rows()
    for result in (
        nd.sparse.retain(rows, nd.array(indices, dtype=dtype)),
        rows.retain(indices=nd.array(indices, dtype=dtype)),
    ):
        assert (result.stype, result.indices.asnumpy().tolist()) == ("row_sparse", expected)
        assert result.data.asnumpy().tolist() == rows.asnumpy()[expected].tolist()
    assert rows.indices.asnumpy().tolist() == [0, 1, 3]


def test_retain_writes_into_out_and_has_a_gradient():
    rows, out = some_rows(), nd.sparse.zeros("row_sparse", (5, 2))
    assert nd.sparse.retain(data=rows, indices=nd.array([3]), out=out) is out
    assert out.indices.asnumpy().tolist() == [3]
    rows.attach_grad()
    with autograd.record():
        (nd.sparse.retain(rows, nd.array([1, 2])) * 2).backward()
    assert rows.grad.asnumpy()[:, 0].tolist() == [0, 2, 2, 0, 0]
    symbol = mx.sym.sparse.retain(mx.sym.var("x"), mx.sym.var("rows"))
    assert symbol.eval(x=rows, rows=nd.array([1]))[0].asnumpy()[:, 0].tolist() == [0, 3, 0, 0, 0]


def test_retain_refuses_what_is_not_row_sparse():
    for wrong in (nd.ones((3, 2)), nd.ones((3, 2)).tostype("csr")):
        with pytest.raises(mx.MXNetError, match=f"_sparse_retain, input storage types = .{wrong.stype}, default"):
            nd.sparse.retain(wrong, nd.array([1]))
    with pytest.raises(AssertionError, match=r"Argument indices must have NDArray type, but got \[0\]"):
        nd.sparse.retain(some_rows(), [0])


@pytest.mark.parametrize(
    ("compute", "stype"),
    [
        (lambda c: c + c, "csr"),
        (lambda c: nd.sparse.add(c, c), "csr"),
        (lambda c: nd.broadcast_add(c, c), "default"),
        (lambda c: nd.sparse.subtract(c, c), "csr"),
        (lambda c: c + DENSE, "default"),
        (lambda c: c + 1, "default"),
        (lambda c: c * c, "csr"),
        (lambda c: c * DENSE, "csr"),
        (lambda c: DENSE * c, "default"),
        (lambda c: nd.sparse.multiply(DENSE, c), "csr"),
        (lambda c: nd.elemwise_mul(DENSE, c), "csr"),
        (lambda c: c * ROW, "csr"),
        (lambda c: c / COLUMN, "csr"),
        (lambda c: nd.sparse.divide(c, ROW), "csr"),
        (lambda c: nd.multiply(c, 2), "csr"),
        (lambda c: nd.sparse.multiply(2, c), "csr"),
        (lambda c: nd.add_n(c, c), "default"),
        (lambda c: nd.dot(c, nd.ones((3, 2))), "default"),
        (lambda c: nd.sparse.dot(c, DENSE, transpose_a=True), "row_sparse"),
        (lambda c: nd.dot(c, DENSE, transpose_a=True, forward_stype="default"), "default"),
        (lambda c: nd.dot(nd.ones((4, 2)), c), "csr"),
        (lambda c: nd.dot(nd.ones((4, 3)), c, transpose_b=True), "csr"),
        (lambda c: nd.dot(nd.ones((2, 4)), c, transpose_a=True), "default"),
        (lambda c: nd.dot(c, c, transpose_b=True), "default"),
        (lambda c: nd.dot(c, nd.ones((3, 2)).tostype("row_sparse")), "default"),
        (lambda c: nd.slice(c, begin=(0, 1), end=(2, 3)), "csr"),
        (lambda c: nd.slice(c, begin=(0, 0), end=(2, 3), step=(1, 2)), "default"),
        (lambda c: nd.concat(c, c, dim=0), "csr"),
        (lambda c: nd.concat(c, c, dim=1), "default"),
        (lambda c: nd.concat(c, DENSE, dim=0), "default"),
        (lambda c: nd.array(c), "csr"),
        (lambda c: gluon.utils.split_data(c, 2)[1], "csr"),
    ],
)
def test_results_of_csr_matrices(compute, stype):
    result = compute(matrix())
    expected = compute(matrix().tostype("default")) if stype != "row_sparse" else compute(matrix()).tostype("default")
    assert kept(result) == (stype, expected.asnumpy().tolist())


@pytest.mark.parametrize(
    ("compute", "stype"),
    [
        (lambda a, e: a + a, "row_sparse"),
        (lambda a, e: nd.sparse.subtract(a, a), "row_sparse"),
        (lambda a, e: a * e, "row_sparse"),
        (lambda a, e: e * a, "default"),
        (lambda a, e: nd.elemwise_mul(e, a), "row_sparse"),
        (lambda a, e: nd.broadcast_mul(a, a), "default"),
        (lambda a, e: nd.add_n(a, a, a), "row_sparse"),
        (lambda a, e: nd.add_n(a, e), "default"),
        (lambda a, e: nd.array(a), "row_sparse"),
        (lambda a, e: nd.dot(a, nd.ones((2, 2))), "default"),
    ],
)
def test_results_of_row_sparse_arrays(compute, stype):
    dense = nd.array(numpy.arange(10).reshape(5, 2))
    assert kept(compute(some_rows(), dense)) == (
        stype,
        compute(some_rows().tostype("default"), dense).asnumpy().tolist(),
    )


def test_one_row_of_a_csr_matrix_is_a_csr_matrix():
    c = matrix()
    for key, expected in [
        (0, [[1, 2, 0]]),
        (-1, [[0, 0, 3]]),
        (-2, [[1, 2, 0]]),
        (numpy.int64(1), [[0, 0, 3]]),
        (slice(1, None), [[0, 0, 3]]),
        (slice(None, -1), [[1, 2, 0]]),
        (slice(0, 2), [[1, 2, 0], [0, 0, 3]]),
    ]:
        assert kept(c[key]) == ("csr", expected)
    assert c[:] is c and [row.asnumpy().tolist() for row in c] == [[[1, 2, 0]], [[0, 0, 3]]]
    for key, kind, message in [
        (2, IndexError, "out of bounds for a matrix with 2 rows"),
        ((0, 1), ValueError, "Multi-dimension indexing is not supported"),
        (slice(0, 2, 2), ValueError, "only supports continuous slicing on axis 0"),
        ("a", ValueError, "Undefined behaviour for a"),
    ]:
        with pytest.raises(kind, match=message):
            c[key]


def test_only_all_of_a_sparse_array_is_written_to():
    c, a = matrix(), some_rows()
    c[:] = DENSE
    a[:] = 3
    assert c.asnumpy().sum() == 6 and a.asnumpy().sum() == 30 and (c.stype, a.stype) == ("csr", "row_sparse")
    for array, key, value, message in [
        (c, 0, DENSE, r"CSRNDArray only supports \[:\] for assignment"),
        (a, 1, 3, r"RowSparseNDArray only supports \[:\] for assignment"),
        (c, slice(None), 3, "Assigning numeric types to CSRNDArray"),
    ]:
        with pytest.raises((TypeError, ValueError), match=message):
            array[key] = value
    assert a[:] is a
    for key in (1, slice(0, 2)):
        with pytest.raises(IndexError, match="RowSparseNDArray"):
            a[key]


@pytest.mark.parametrize(
    ("make", "dtype"),
    [
        (lambda: nd.sparse.csr_matrix(numpy.eye(2)), "float64"),
        (lambda: nd.sparse.csr_matrix([[1, 2]]), "float32"),
        (lambda: nd.sparse.csr_matrix((numpy.array([1, 2]), [0, 1], [0, 1, 2])), "int64"),
        (lambda: nd.sparse.csr_matrix(([1, 2], [0, 1], [0, 1, 2])), "float32"),
        (lambda: nd.sparse.csr_matrix(([1.0, 2.0], ([0, 1], [2, 0]))), "float64"),
        (lambda: nd.sparse.csr_matrix(([1, 2], ([0, 1], [2, 0])), dtype="float16"), "float16"),
        (lambda: nd.sparse.csr_matrix((3, 2)), "float32"),
        (lambda: nd.sparse.row_sparse_array(numpy.eye(2)), "float64"),
        (lambda: nd.sparse.row_sparse_array((numpy.array([[1, 2]]), [0])), "int64"),
        (lambda: nd.sparse.row_sparse_array(([[1, 2]], [0])), "float32"),
        (lambda: nd.sparse.empty("csr", (2, 3)), "float32"),
        (lambda: nd.empty((2, 3), stype="row_sparse", dtype="int32"), "int32"),
    ],
)
def test_the_element_type_is_that_of_the_values(make, dtype):
    assert make().dtype == numpy.dtype(dtype)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: nd.sparse.csr_matrix(numpy.eye(2), shape=(3, 3)), "Shape mismatch detected"),
        (lambda: nd.sparse.row_sparse_array(numpy.eye(2), shape=(3, 3)), "Shape mismatch detected"),
        (lambda: nd.sparse.csr_matrix(([], [], []), shape=(2, 3)), "indptr must not be empty"),
        (lambda: nd.sparse.csr_matrix(([1], [0], [1, 2]), shape=(1, 3)), "indptr must begin with 0, not 1"),
        (
            lambda: nd.sparse.csr_matrix(([1, 2, 3], [0, 1, 2], [0, 2, 4]), shape=(2, 3)),
            "data has 3 elements and indices has 3, but each must have 4, the last number in indptr",
        ),
        (lambda: nd.sparse.csr_matrix(([1, 2], [0, 1], [0, 2, 1]), shape=(2, 3)), "but it contains 2 before 1"),
        (lambda: nd.sparse.csr_matrix(([1, 2], [0], [0, 1]), shape=(1, 3)), "indices has 1, but each must have 1, the"),
        (lambda: nd.sparse.csr_matrix(([1], [0], [0, 1]), shape=(1, 3, 1)), "a csr matrix must have 2 axes"),
        (lambda: nd.sparse.row_sparse_array(([[1, 2]], [[0]]), shape=(5, 2)), "indices must have 1 axis, not 2"),
        (lambda: nd.sparse.row_sparse_array(([[1, 2]], [9]), shape=(5, 2)), "row index exceeds"),
        (lambda: nd.sparse.row_sparse_array(([[1, 2]], [-1]), shape=(5, 2)), "row index exceeds"),
        (
            lambda: nd.sparse.row_sparse_array(([[1, 2]], [0, 1]), shape=(5, 2)),
            r"data must have the shape \(2, 2\), with one slice for each index, not \(1, 2\)",
        ),
        (
            lambda: nd.sparse.row_sparse_array(([[1, 2]], [0]), shape=(5, 3)),
            r"data must have the shape \(1, 3\), with one slice for each index, not \(1, 2\)",
        ),
        (lambda: nd.sparse.csr_matrix(some_rows()), "Unexpected input type: RowSparseNDArray"),
        (lambda: nd.sparse.row_sparse_array(matrix()), "Unexpected input type: CSRNDArray"),
        (lambda: some_rows().tostype("csr"), "cast_storage from row_sparse to csr is not supported"),
        (lambda: matrix().tostype("row_sparse"), "cast_storage from csr to row_sparse is not supported"),
    ],
)
def test_parts_that_make_no_array_are_refused(make, message):
    with pytest.raises(ValueError, match=message):
        make()


def test_libraries_may_register_arrays_as_sequences():
    program = (
        "import collections.abc, numpy; collections.abc.Sequence.register(numpy.ndarray)\n"
        "from d2lhybrid import nd; print(nd.sparse.csr_matrix(numpy.eye(2)).asnumpy().tolist())"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout == "[[1.0, 0.0], [0.0, 1.0]]\n"


def test_a_matrix_goes_to_scipy_and_comes_back(monkeypatch):
    class Matrix:
        format = "csr"

        def __init__(self, parts: Any, shape: Any, dtype: Any) -> None:
            (self.data, self.indices, self.indptr), self.shape, self.dtype = parts, shape, dtype

    Matrix.__module__ = "scipy.sparse._csr"
    sparse = types.ModuleType("scipy.sparse")
    sparse.csr_matrix = Matrix  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "scipy", types.ModuleType("scipy"))
    monkeypatch.setitem(sys.modules, "scipy.sparse", sparse)
    theirs = matrix().asscipy()
    assert (theirs.shape, theirs.dtype, theirs.indptr.tolist()) == ((2, 3), numpy.float32, [0, 2, 3])
    for back in (nd.array(theirs), nd.sparse.array(theirs), nd.sparse.csr_matrix(theirs)):
        assert kept(back) == ("csr", matrix().asnumpy().tolist())
    monkeypatch.setitem(sys.modules, "scipy.sparse", None)
    with pytest.raises(ImportError) as caught:
        matrix().asscipy()
    assert "pip install scipy" in caught.value.__notes__[0]


def test_real_scipy_matrices():
    scipy = pytest.importorskip("scipy.sparse")
    theirs = scipy.csr_matrix(numpy.array([[0, 2.5], [0, 0]]))
    assert (nd.sparse.array(theirs).asscipy() != theirs).nnz == 0 and nd.array(theirs).dtype == numpy.float64


def test_check_format_finds_nothing_wrong():
    for array in (matrix(), some_rows()):
        assert array.check_format() is array.check_format(full_check=False) is None


def test_a_store_gives_the_rows_that_are_asked_for():
    store: Any = mx.kv.create("local")
    store.init("w", nd.array(numpy.arange(1, 11).reshape(5, 2)).tostype("row_sparse"))
    store.init("dense", nd.ones((5, 2)))
    out = [nd.sparse.zeros("row_sparse", (5, 2)) for _ in range(2)]
    store.row_sparse_pull("w", out=out[0], row_ids=nd.array([[3, 1], [3, 1]]))
    assert out[0].indices.asnumpy().tolist() == [1, 3] and out[0].data.asnumpy().tolist() == [[3, 4], [7, 8]]
    store.row_sparse_pull("w", out=out, row_ids=[nd.array([1]), nd.array([0, 4])])
    assert [o.indices.asnumpy().tolist() for o in out] == [[1], [0, 4]]
    store.row_sparse_pull(["w", "w"], out=out, row_ids=nd.array([2]))
    assert [o.indices.asnumpy().tolist() for o in out] == [[2], [2]]
    for key, target, message in [
        ("w", nd.zeros((5, 2)), "val_stype == kRowSparseStorage"),
        ("dense", out[0], "PullRowSparse expects row_sparse src"),
        ("other", out[0], "key other doesn't exist"),
        ("w", nd.sparse.zeros("row_sparse", (4, 2)), r"from.shape = \[5,2\] to.shape=\[4,2\]"),
    ]:
        with pytest.raises(mx.MXNetError, match=message):
            store.row_sparse_pull(key, out=target, row_ids=nd.array([1]))
    with pytest.raises(AssertionError, match="the number of row_ids doesn't match"):
        store.row_sparse_pull("w", out=out[:1], row_ids=[nd.array([1]), nd.array([2])])


def test_a_store_updates_the_rows_that_are_pushed():
    store: Any = mx.kv.create("local")
    store.init(3, nd.array(numpy.arange(1, 11).reshape(5, 2)).tostype("row_sparse"))
    store.set_optimizer(mx.optimizer.SGD(learning_rate=1.0))
    store.push(3, nd.sparse.row_sparse_array(([[1, 1]], [0]), shape=(5, 2)))
    out = nd.sparse.zeros("row_sparse", (5, 2))
    store.row_sparse_pull(3, out=out, row_ids=nd.array([0, 1]))
    assert out.asnumpy().tolist() == [[0, 1], [3, 4], [0, 0], [0, 0], [0, 0]]


def test_old_places_of_contrib_can_be_imported():
    old_nd = importlib.import_module("d2lhybrid.contrib.ndarray")
    old_sym = importlib.import_module("d2lhybrid.contrib.symbol")

    assert old_nd is nd.contrib is sys.modules["d2lhybrid.contrib.nd"]
    assert old_sym is mx.sym.contrib is sys.modules["d2lhybrid.contrib.sym"]
    boxes = old_nd.MultiBoxPrior(nd.ones((1, 1, 2, 2)), sizes=[0.5])
    assert boxes.shape == (1, 4, 4) and old_sym.MultiBoxPrior(mx.sym.var("x"), sizes=[0.5]).list_arguments() == ["x"]


def test_a_trainer_says_that_its_store_is_there():
    net = gluon.nn.Dense(1, in_units=1)
    net.initialize()
    trainer = gluon.Trainer(net.collect_params(), "sgd")
    if not trainer._kv_initialized:
        trainer._init_kvstore()
    assert trainer._kv_initialized and trainer._init_kvstore() is None
