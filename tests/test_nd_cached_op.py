"""``nd.CachedOp``: a symbol as a function of arrays."""

import numpy
import pytest

import d2lhybrid as mx
from d2lhybrid import autograd, nd, sym
from d2lhybrid.internals.core.observing import observe

X = nd.array([[1.0, 2.0], [3.0, 4.0]])


def product(**flags):
    return nd.CachedOp(sym.dot(sym.var("x"), sym.var("w")) + sym.var("b"), flags.items())


@pytest.mark.parametrize("flags", [{}, {"static_alloc": "True", "static_shape": True}, {"inline_limit": 0}])
def test_arrays_in_the_order_of_the_variables(flags):
    op = product(**flags)
    with observe() as programs:
        for size in (2, 2, 3):
            x, w, b = nd.random.normal(shape=(2, size)), nd.random.normal(shape=(size, 2)), nd.ones((2, 2))
            expected = x.asnumpy() @ w.asnumpy() + 1
            numpy.testing.assert_allclose(op(x, w, b).asnumpy(), expected, rtol=1e-5)
    assert len(programs) == 2


def test_gradients_go_through_it_twice():
    op, x, w, b = product(), X.copy(), X.copy(), X.copy()
    for array in (x, w, b):
        array.attach_grad()
    with autograd.record():
        y = op(x, w, b * b)
        y = op(y, w, b)
    y.backward(retain_graph=True)
    first = [a.grad.asnumpy() for a in (x, w, b)]
    y.backward()
    with autograd.record():
        z = nd.dot(nd.dot(x, w) + b * b, w) + b
    z.backward()
    numpy.testing.assert_allclose(y.asnumpy(), z.asnumpy())
    for array, gradient in zip((x, w, b), first, strict=True):
        numpy.testing.assert_allclose(gradient, array.grad.asnumpy())


def test_several_results_and_states():
    norm = sym.BatchNorm(sym.var("x"), name="n", momentum=0.5, fix_gamma=False)
    op = nd.CachedOp(sym.Group([norm, norm * 2]))
    mean, var = nd.zeros((2,)), nd.ones((2,))
    with autograd.record():
        x = X.copy()
        x.attach_grad()
        first, second = op(x, nd.ones((2,)), nd.zeros((2,)), mean, var)
        autograd.backward([first, second])
    numpy.testing.assert_allclose(second.asnumpy(), 2 * first.asnumpy())
    numpy.testing.assert_allclose(mean.asnumpy(), [1, 1.5])


def test_results_are_written_where_they_are_wanted():
    op, out = product(), nd.zeros((2, 2))
    assert op(X, X, X, out=out) is out
    numpy.testing.assert_allclose(out.asnumpy(), X.asnumpy() @ X.asnumpy() + X.asnumpy())
    kept = out.asnumpy()
    op(X, X, X * 0)
    numpy.testing.assert_array_equal(out.asnumpy(), kept)
    x, target = X.copy(), [nd.zeros((2, 2))]
    x.attach_grad()
    with autograd.record():
        assert op(x, X, X, out=target) is target
    target[0].backward()
    numpy.testing.assert_allclose(x.grad.asnumpy(), numpy.ones((2, 2)) @ X.asnumpy().T)
    for bad in (nd.zeros((2, 3)), nd.zeros((2, 2), dtype="float64")):
        with pytest.raises(mx.MXNetError, match="but the array in out has"):
            op(X, X, X, out=bad)
        assert not bad.asnumpy().any()


def test_arrays_of_np():
    op = nd.CachedOp(mx.sym.np.exp(mx.sym.var("x").as_np_ndarray()))
    assert op.is_np_sym
    assert type(op(mx.np.zeros((2,)))) is mx.np.ndarray
    assert not product().is_np_sym


def test_no_variables():
    assert nd.CachedOp(sym.ones((2,)) + 1)().asnumpy().tolist() == [2, 2]


@pytest.mark.parametrize(
    ("call", "error", "match"),
    [
        (lambda op: op(X, X), mx.MXNetError, r"inputs.size\(\) == num_inputs\(\) \(2 vs. 3\)"),
        (lambda op: op(X, X, 3), TypeError, "Argument b must have NDArray type"),
        (lambda op: op(X, X, X, output=X), TypeError, "unexpected keyword argument.*output"),
        (lambda op: op(X, X, X, out=[X, X]), mx.MXNetError, "expects 1 outputs, but 2 was given"),
        (lambda op: op(X, nd.ones((3, 2)), X), mx.MXNetError, "dot"),
        (lambda op: product(fast=True), mx.MXNetError, "Cannot find argument 'fast'"),
        (lambda op: product(static_alloc="maybe"), mx.MXNetError, "Invalid Parameter format for static_alloc"),
        (lambda op: product(static_shape=True), mx.MXNetError, "static_alloc must be True"),
    ],
)
def test_mistakes(call, error, match):
    with pytest.raises(error, match=match):
        call(product())


def test_it_is_found_where_mxnet_has_it():
    assert mx.nd.CachedOp is mx.ndarray.ndarray.CachedOp is mx.nd.op.CachedOp is mx.sym.op.CachedOp
