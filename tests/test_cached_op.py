"""What the cache of compiled programs must get right."""

from __future__ import annotations

import threading
from typing import Any

import numpy
import pytest

import d2lhybrid as mx
from d2lhybrid import autograd, gluon, nd
from d2lhybrid.cached_op import MAX_PROGRAMS
from d2lhybrid.compiler import observe
from d2lhybrid.gluon import nn


def small(**flags: Any) -> Any:
    net = nn.HybridSequential()
    net.add(nn.Dense(4, activation="relu"), nn.Dense(2))
    net.initialize(mx.init.Uniform(1))
    net.hybridize(**flags)
    return net


def eager(net: Any, x: Any) -> numpy.ndarray:
    net.hybridize(False)
    y = net(x).asnumpy()
    net.hybridize()
    return y


def test_a_known_signature_compiles_nothing() -> None:
    net = small()
    with observe() as programs:
        for _ in range(3):
            net(nd.ones((2, 3)))
        assert len(programs) == 1
        net(nd.ones((5, 3)))
        net(nd.ones((2, 3)))
        assert len(programs) == 2


def test_a_net_called_with_ever_new_shapes_keeps_a_bounded_number_of_programs() -> None:
    net = nn.HybridLambda("relu")
    net.hybridize()
    for n in range(1, MAX_PROGRAMS + 20):
        assert net(nd.ones((n,))).shape == (n,)
    assert len(net.programs) == MAX_PROGRAMS
    assert net(nd.ones((1,))).shape == (1,)  # compiled again


@pytest.mark.parametrize("flags", [{}, {"static_alloc": True}, {"static_alloc": True, "static_shape": True}])
def test_an_output_is_never_overwritten_by_a_later_call(flags: dict[str, bool]) -> None:
    net = small(**flags)
    first = net(nd.ones((2, 3)))
    kept = first.asnumpy()
    net(nd.zeros((2, 3)) + 7)
    numpy.testing.assert_array_equal(first.asnumpy(), kept)


@pytest.mark.parametrize(
    "change",
    [
        lambda p: p.set_data(nd.ones(p.shape)),
        lambda p: p.data().__setitem__(slice(None), 3),
        lambda p: p.initialize(mx.init.One(), force_reinit=True),
        lambda p: p.data().__imul__(2),
    ],
    ids=["set_data", "item assignment", "initialize", "in-place arithmetic"],
)
def test_a_changed_parameter_is_seen_by_the_next_call(change: Any) -> None:
    net, x = small(), nd.array([[1, -2, 3]])
    for _ in range(3):
        net(x)
    change(net[0].weight)
    got = net(x).asnumpy()
    numpy.testing.assert_allclose(got, eager(net, x), rtol=1e-6)


def test_cast_gives_another_dtype_and_load_gives_the_loaded_values(tmp_path: Any) -> None:
    net, x = small(), nd.array([[1, -2, 3]])
    before = net(x).asnumpy()
    net.save_parameters(str(tmp_path / "a.params"))
    net.initialize(mx.init.One(), force_reinit=True)
    assert numpy.abs(net(x).asnumpy() - before).max() > 1e-3
    net.load_parameters(str(tmp_path / "a.params"))
    numpy.testing.assert_array_equal(net(x).asnumpy(), before)
    net.cast("float64")
    assert net(x.astype("float64")).dtype == numpy.float64


def test_training_and_prediction_are_different_programs() -> None:
    net = nn.HybridSequential()
    net.add(nn.Dropout(0.5))
    net.hybridize()
    x = nd.ones((1000,))
    with autograd.train_mode():
        assert (net(x).asnumpy() == 0).any()
    assert (net(x).asnumpy() == 1).all()
    with autograd.train_mode():
        a, b = net(x).asnumpy(), net(x).asnumpy()
    assert (a != b).any()


def test_a_gradient_reaches_inputs_and_parameters_only_where_wanted() -> None:
    net, x = small(), nd.array([[1, -2, 3]])
    net(x)
    net[0].weight.grad_req = "null"
    x.attach_grad()
    with autograd.record():
        y = net(x)
    y.backward()
    assert (x.grad.asnumpy() != 0).any(), "no gradient in the input"
    assert (net[1].weight.grad().asnumpy() != 0).any(), "no gradient in the second layer"
    with pytest.raises(RuntimeError, match="grad_req='null'"):
        net[0].weight.grad()


def test_second_derivatives_go_through_a_hybridized_net() -> None:
    results = []
    for hybrid in (False, True):
        net = gluon.nn.HybridLambda("tanh")
        net.hybridize(hybrid)
        x = nd.array([0.3, -0.7])
        x.attach_grad()
        with autograd.record():
            y = net(x)
            first = autograd.grad(y, x, create_graph=True)
            second = (first * first).sum()
        second.backward()
        results.append((first.asnumpy(), x.grad.asnumpy()))
    for got, expected in zip(results[1], results[0], strict=True):
        numpy.testing.assert_allclose(got, expected, rtol=1e-5)
    t = numpy.tanh([0.3, -0.7])
    numpy.testing.assert_allclose(results[0][1], 2 * (1 - t**2) * (-2 * t * (1 - t**2)), rtol=1e-5)


def test_many_threads_may_call_one_net() -> None:
    net = small()
    inputs = [nd.array(numpy.random.default_rng(i).normal(size=(1 + i % 3, 3))) for i in range(24)]
    expected = [eager(net, x) for x in inputs]
    results: list[Any] = [None] * len(inputs)

    def work(k: int) -> None:
        for _ in range(20):
            results[k] = net(inputs[k]).asnumpy()

    threads = [threading.Thread(target=work, args=(k,)) for k in range(len(inputs))]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    for got, want in zip(results, expected, strict=True):
        numpy.testing.assert_allclose(got, want, rtol=1e-5)


def test_static_shape_needs_static_alloc() -> None:
    net = small(static_shape=True)
    with pytest.raises(mx.MXNetError, match="static_alloc must be True when static_shape is True"):
        net(nd.ones((1, 3)))


def test_two_nets_may_share_parameters() -> None:
    a = nn.Dense(3, in_units=2)
    b = nn.Dense(3, in_units=2, params=a.params)
    a.initialize()
    for net in (a, b):
        net.hybridize()
    x = nd.array([[1, 2]])
    numpy.testing.assert_array_equal(a(x).asnumpy(), b(x).asnumpy())
    a.weight.set_data(nd.ones((3, 2)))
    numpy.testing.assert_array_equal(a(x).asnumpy(), b(x).asnumpy())


def test_an_output_that_is_an_input_shares_its_memory_as_in_mxnet() -> None:
    class Same(gluon.HybridBlock):
        def hybrid_forward(self, F: Any, x: Any) -> Any:
            return x

    net, x = Same(), nd.ones((2,))
    net.hybridize()
    y = net(x)
    y[:] = 5
    assert (x.asnumpy() == 5).all()


def test_a_reshaped_input_is_returned_as_a_copy() -> None:
    class Reshape(gluon.HybridBlock):
        def hybrid_forward(self, F: Any, x: Any) -> Any:
            return F.reshape(x, shape=(-1,))

    net, x = Reshape(), nd.ones((2, 2))
    net.hybridize()
    y = net(x)
    y[:] = 5
    assert (x.asnumpy() == 1).all()


def test_gradients_are_written_in_place_for_whoever_looks_at_them() -> None:
    net = nn.Dense(4, in_units=3)
    net.initialize()
    net.hybridize()
    gradient = net.weight.grad()
    view, first = gradient[1:3], None
    for k in (1, 2):
        with autograd.record():
            loss = (net(nd.ones((2, 3))) * k).sum()
        loss.backward()
        assert net.weight.grad() is gradient
        numpy.testing.assert_array_equal(gradient.asnumpy(), numpy.full((4, 3), 2 * k))
        numpy.testing.assert_array_equal(view.asnumpy(), numpy.full((2, 3), 2 * k))
        first = gradient.asnumpy() if first is None else first
    numpy.testing.assert_array_equal(first, numpy.full((4, 3), 2))


def test_variables_with_one_gradient_do_not_share_its_memory() -> None:
    x, y = nd.ones((3,)), nd.ones((3,))
    for a in (x, y):
        a.attach_grad()
    with autograd.record():
        z = x + y
    z.backward()
    x.grad[:] = 5
    numpy.testing.assert_array_equal(y.grad.asnumpy(), [1, 1, 1])
