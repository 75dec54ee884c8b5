"""Which storage type comes out of a net or an executor that sparse arrays go into: that of MXNet, hybridized or not."""

from __future__ import annotations

from typing import Any

import pytest

import d2lhybrid as mx
from d2lhybrid import autograd, gluon, nd, sym

FORMS: list[dict[str, Any]] = [{}, {"static_alloc": True, "static_shape": True}, {"backend": "c"}]

#: What is computed -> the storage types that MXNet 1.9.1 gives it for a csr and for a row_sparse matrix.
EXPRESSIONS: dict[str, tuple[Any, str, str]] = {
    "sqrt": (lambda F, x: F.sqrt(x), "csr", "row_sparse"),
    "exp": (lambda F, x: F.exp(x), "default", "default"),
    "plus a number": (lambda F, x: x + 1, "default", "default"),
    "times a number": (lambda F, x: x * 2, "csr", "row_sparse"),
    "squared": (lambda F, x: F.square(x * 2), "csr", "row_sparse"),
    "transposed": (lambda F, x: F.transpose(x), "default", "default"),
    "summed": (lambda F, x: F.sum(x, axis=0), "default", "default"),
    "cut": (lambda F, x: F.slice(x, begin=(0,), end=(1,)), "csr", "default"),
    "joined": (lambda F, x: F.concat(x, x, dim=0), "csr", "default"),
    "a product": (lambda F, x: F.dot(x, F.ones((3, 2))), "default", "default"),
    "a product of the transposed": (
        lambda F, x: F.dot(x, F.ones((2, 2)), transpose_a=True), "row_sparse", "default",
    ),
    "a product after it": (lambda F, x: F.dot(F.ones((4, 2)), x), "csr", "default"),
    "dense again": (lambda F, x: F.cast_storage(x, "default"), "default", "default"),
    "sparse again": (lambda F, x: F.cast_storage(F.exp(x), "csr"), "csr", "csr"),
    "itself": (lambda F, x: F.identity(x), "csr", "row_sparse"),
    "a sum of its own kind": (lambda F, x: F.add_n(x, x), "default", "row_sparse"),
}  # fmt: skip


def matrix(stype: str) -> Any:
    return nd.array([[1, 0, 2], [0, 0, 3]]).tostype(stype)


@pytest.mark.parametrize("form", FORMS, ids=["numpy", "static", "c"])
@pytest.mark.parametrize("name", EXPRESSIONS)
def test_a_hybridized_net_gives_the_storage_type_of_an_eager_one(name: str, form: dict[str, Any]) -> None:
    compute, of_csr, of_rows = EXPRESSIONS[name]
    for given, expected in (("csr", of_csr), ("row_sparse", of_rows)):
        net = gluon.nn.HybridLambda(compute)
        eager = net(matrix(given))
        net.hybridize(**form)
        first, second = net(matrix(given)), net(matrix(given))
        assert [y.stype for y in (eager, first, second)] == [expected] * 3
        assert first.asnumpy().tolist() == second.asnumpy().tolist()
        assert net(matrix("default")).stype == ("csr" if name == "sparse again" else "default")
        assert net(matrix(given)).stype == expected  # what came between changes nothing


def test_a_row_of_a_products_result_is_one() -> None:
    """What is no csr matrix has no csr matrix's rows."""
    net = gluon.nn.HybridLambda(lambda F, x: F.dot(x, F.ones((3, 2))))
    net.hybridize()
    assert net(matrix("csr"))[0].shape == net(matrix("csr"))[0].shape == (2,)


def test_each_output_has_its_own_storage_type_and_its_gradient() -> None:
    class Several(gluon.HybridBlock):
        def hybrid_forward(self, F: Any, x: Any, w: Any) -> Any:
            return F.sqrt(x), [F.exp(x), F.dot(x, w)]

    w = nd.ones((3, 2))
    w.attach_grad()
    net = Several()
    net.hybridize()
    with autograd.record():
        root, (power, product) = net(matrix("csr"), w)
    product.backward()
    assert (root.stype, power.stype, product.stype) == ("csr", "default", "default")
    assert w.grad.asnumpy().tolist() == [[1, 1], [0, 0], [5, 5]]


def test_a_sparse_array_may_be_any_argument() -> None:
    net = gluon.nn.HybridLambda(lambda F, x, y: F.elemwise_mul(x, y))
    for _ in range(2):
        assert net(nd.ones((2, 3)), matrix("csr")).stype == "csr"
        net.hybridize()


def test_what_is_cast_while_the_tape_records_is_sparse() -> None:
    x = nd.ones((2, 3))
    x.attach_grad()
    with autograd.record():
        y = nd.cast_storage(x * 2, "row_sparse")
        loss = (y * y).sum()
    loss.backward()
    assert y.stype == "row_sparse"
    assert x.grad.asnumpy().tolist() == [[8, 8, 8], [8, 8, 8]]


def test_a_graph_refuses_what_arrays_refuse() -> None:
    keep = gluon.nn.HybridLambda(lambda F, x: F.sparse.retain(x, F.ones((1,))))
    keep.hybridize()
    with pytest.raises(mx.MXNetError, match=r"operator = _sparse_retain, input storage types = \[csr, default\]"):
        keep(matrix("csr"))
    cast = gluon.nn.HybridLambda(lambda F, x: F.cast_storage(x, "csr"))
    cast.hybridize()
    with pytest.raises(ValueError, match="csr storage requires a matrix, but the array has shape"):
        cast(nd.ones((1, 2, 3)))


def test_an_executor_gives_the_same() -> None:
    x = sym.var("x", stype="csr")
    outputs = sym.Group([sym.sqrt(x), sym.exp(x), sym.cast_storage(sym.exp(x), "row_sparse")])
    bound = outputs.bind(mx.cpu(), {"x": matrix("csr")})
    for _ in range(2):
        assert [y.stype for y in bound.forward()] == ["csr", "default", "row_sparse"]
    assert outputs.eval(x=matrix("csr"))[0].stype == "csr"
