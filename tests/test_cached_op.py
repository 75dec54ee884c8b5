"""What the cache of compiled programs must get right."""

from __future__ import annotations

import threading
from typing import Any

import numpy
import pytest

import d2lhybrid as mx
from d2lhybrid import autograd, gluon, nd
from d2lhybrid.error import MXNetError
from d2lhybrid.gluon import nn
from d2lhybrid.internals.core.cached_op import MAX_PROGRAMS
from d2lhybrid.internals.core.observing import observe


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


def test_the_output_of_a_frozen_net_was_not_recorded_and_may_be_written_to() -> None:
    for hybrid in (False, True):
        net = small()
        net.hybridize(hybrid)
        net.collect_params().setattr("grad_req", "null")
        with autograd.record():
            y = net(nd.ones((1, 3)))
            y[:] = 1
        assert (y.asnumpy() == 1).all()
        with pytest.raises(MXNetError, match="not in a computational graph"):
            y.backward()


def test_second_derivatives_go_through_a_hybridized_net() -> None:
    results = []
    for hybrid in (False, True):
        net = gluon.nn.HybridLambda("tanh")
        net.hybridize(hybrid)
        x = nd.array([0.3, -0.7])
        x.attach_grad()
        with autograd.record():
            y = net(x)
            (first,) = autograd.grad(y, x, create_graph=True)
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


def test_several_threads_may_write_programs_while_old_ones_go(monkeypatch: Any) -> None:
    from d2lhybrid.internals.core import codegen

    class SoonEmpty(list):  # another thread takes the last one after this one has looked
        def __bool__(self) -> bool:
            return True

    monkeypatch.setattr(codegen, "_forgotten", SoonEmpty(["<a program>"]))
    assert small()(nd.ones((2, 3))).shape == (2, 2)


@pytest.mark.parametrize("hybridize", [False, True], ids=["eager", "hybridized"])
def test_a_recorded_gradient_leads_back_to_what_it_was_computed_from_and_to_nothing_else(hybridize: bool) -> None:
    class Scaled(gluon.HybridBlock):
        def hybrid_forward(self, F: Any, x: Any, y: Any) -> Any:
            return y * x + y

    net = Scaled()
    if hybridize:
        net.hybridize()
    x, y = nd.ones((3,)), nd.ones((3,)) * 5
    for variable in (x, y):
        variable.attach_grad()
        variable.grad[:] = 7
    with autograd.record():
        (first,) = autograd.grad(net(x, y), [x], create_graph=True)
    assert first.asnumpy().tolist() == [5, 5, 5]
    first.backward()
    assert y.grad.asnumpy().tolist() == [1, 1, 1]
    assert x.grad.asnumpy().tolist() == [7, 7, 7]


@pytest.mark.parametrize("hybridize", [False, True], ids=["eager", "hybridized"])
def test_a_constant_gradient_cannot_be_differentiated(hybridize: bool) -> None:
    class Linear(gluon.HybridBlock):
        def hybrid_forward(self, F: Any, x: Any) -> Any:
            return x + x

    net = Linear()
    if hybridize:
        net.hybridize()
    x = nd.ones((3,))
    x.attach_grad()
    with autograd.record():
        (first,) = autograd.grad(net(x), [x], create_graph=True)
    assert first.asnumpy().tolist() == [2, 2, 2]
    with pytest.raises(MXNetError, match="Cannot differentiate node"):
        first.backward()


def test_a_second_derivative_draws_the_random_numbers_of_the_call() -> None:
    """The gradient is that of the output which the caller holds: two masks, each the one of its call."""

    class Dropped(gluon.HybridBlock):
        def __init__(self) -> None:
            super().__init__()
            self.first, self.second = nn.Dropout(0.5), nn.Dropout(0.3)

        def hybrid_forward(self, F: Any, x: Any) -> Any:
            late = self.second(x)
            return self.first(x) * 10 + late

    net = Dropped()
    net.hybridize()
    x = nd.ones((40,))
    x.attach_grad()
    following = []
    for create_graph in (False, True):
        mx.random.seed(5)
        with autograd.record():
            y = net(x)
            nd.random.uniform(shape=(7,))  # the stream has gone on since
            (gradient,) = autograd.grad([y], [x], create_graph=create_graph)
        numpy.testing.assert_allclose(gradient.asnumpy(), y.asnumpy(), rtol=1e-6)
        following.append(nd.random.uniform(shape=(3,)).asnumpy())
    numpy.testing.assert_array_equal(*following)


@pytest.mark.parametrize("outputs", [1, 2])
def test_a_layer_that_is_called_twice_updates_its_statistics_as_eagerly_beside_second_gradients(outputs: int) -> None:
    class Twice(gluon.HybridBlock):
        def __init__(self) -> None:
            super().__init__()
            self.norm = nn.BatchNorm(in_channels=2, scale=False)

        def hybrid_forward(self, F: Any, x: Any) -> Any:
            first = self.norm(x)
            return [self.norm(first), first * 2][:outputs]

    means = []
    for active in (False, True):
        net = Twice()
        net.initialize()
        net.norm.running_mean.set_data(nd.array([5, -5]))
        net.hybridize(active)
        x = nd.array([[1.0, 2.0], [3.0, 7.0], [4.0, 0.0]])
        x.attach_grad()
        with autograd.record():
            results = net(x)
            (gradient,) = autograd.grad([results[0]], [x], create_graph=True)
            loss = (gradient * gradient).sum() + results[-1].sum()
        loss.backward()
        means.append(net.norm.running_mean.data().asnumpy())
    numpy.testing.assert_allclose(*means, rtol=1e-6)


@pytest.mark.parametrize("flags", [{}, {"static_alloc": True, "static_shape": True}])
def test_shapes_that_follow_from_values_are_right_at_every_call(flags: dict[str, bool]) -> None:
    class Unique(gluon.HybridBlock):
        def hybrid_forward(self, F: Any, x: Any, mask: Any) -> Any:
            chosen = F.contrib.boolean_mask(x, mask)
            return F.reshape(chosen, shape=(-1, 1)) * 2, F.sum(chosen), mask, mask

    net = Unique()
    net.hybridize(**flags)
    x = nd.arange(6).reshape((6, 1))
    for mask in ([1, 0, 1, 0, 0, 0], [1, 1, 1, 1, 1, 0], [0, 0, 0, 0, 0, 1]):
        x.attach_grad()
        with autograd.record():
            column, total, *masks = net(x, nd.array(mask))
        total.backward()
        masks[0][:] = 7
        numpy.testing.assert_array_equal(masks[1].asnumpy(), mask)
        expected = numpy.flatnonzero(mask)
        numpy.testing.assert_array_equal(column.asnumpy(), expected.reshape(-1, 1) * 2)
        numpy.testing.assert_array_equal(x.grad.asnumpy().reshape(-1), mask)
    assert net.programs == []
    with pytest.raises(RuntimeError, match="operator by operator"):
        net.explain(x, nd.array([1, 0, 0, 0, 0, 0]), profile=True)


def test_a_result_without_axes_may_be_returned_twice() -> None:
    """Kernels may return NumPy's numbers, which are no arrays, and neither are their copies."""
    mx.npx.set_np()
    try:
        net = nn.HybridLambda(lambda F, x: (F.np.percentile(x, 50),) * 2)
        net.hybridize()
        outputs = net(mx.np.array([1.0, 2.0, 4.0]))
    finally:
        mx.npx.reset_np()
    assert [type(y._data) for y in outputs] == [numpy.ndarray] * 2
    outputs[0][()] = 7
    assert float(outputs[1]) == 2


def test_second_derivatives_go_through_an_unrolled_cell() -> None:
    """The states that it begins with have sizes that only the data tell."""

    class Unrolled(gluon.HybridBlock):
        def __init__(self) -> None:
            super().__init__()
            self.cell = gluon.rnn.GRUCell(2)

        def hybrid_forward(self, F: Any, x: Any) -> Any:
            return self.cell.unroll(3, x, layout="TNC", merge_outputs=True)[0]

    net = Unrolled()
    net.initialize(mx.init.Uniform(1))
    seen = []
    for hybrid in (False, True):
        net.hybridize(hybrid)
        x = nd.array(numpy.random.default_rng(3).normal(size=(3, 1, 2)))
        x.attach_grad()
        with autograd.record():
            (first,) = autograd.grad([net(x)], [x], create_graph=True)
            total = (first * first).sum()
        total.backward()
        seen.append((first.asnumpy(), x.grad.asnumpy()))
    for got, expected in zip(*seen, strict=True):
        numpy.testing.assert_allclose(got, expected, rtol=1e-4, atol=1e-6)


class TwoHeads(nn.HybridBlock):
    """Two outputs with layers of their own; the derivative of the second one is infinite where ``z`` is 0."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        with self.name_scope():
            self.norm = nn.BatchNorm(in_channels=3)
            self.dense = nn.Dense(3, in_units=3)
            self.dropout = nn.Dropout(0.5)

    def hybrid_forward(self, F: Any, x: Any, z: Any) -> Any:
        shared = self.dropout(self.dense(x))
        return shared * 2, F.broadcast_mul(self.norm(shared), F.log(z)), F.cast(F.argmax(x, axis=1), "int32")


@pytest.mark.parametrize("flags", [{}, {"static_alloc": True, "static_shape": True}, {"backend": "c"}], ids=str)
def test_outputs_that_the_loss_leaves_out_change_nothing(flags: dict[str, Any]) -> None:
    """They are left out from the first step on, from some step on, and one after the other."""

    def trained(hybridized: bool, heads: list[list[int]]) -> list[Any]:
        net = TwoHeads(prefix="net_")
        mx.random.seed(3)
        net.initialize(mx.init.Uniform(0.5))
        if hybridized:
            net.hybridize(**flags)
        x, z = nd.array(numpy.random.default_rng(0).normal(size=(4, 3))), nd.zeros((4, 3))
        x.attach_grad()
        z.attach_grad()
        seen = []
        for step, chosen in enumerate(heads):
            mx.random.seed(step)
            with autograd.record():
                y = net(x, z)
            for number in chosen:
                y[number].backward(retain_graph=number != chosen[-1])
                seen += [a.asnumpy() for a in (x.grad, *(p.data() for p in net.collect_params().values()))]
                seen += [p.grad().asnumpy() for p in net.dense.collect_params().values()]
        return seen

    for heads in ([[0]] * 3, [[0], [1], [0]], [[0, 1]], [[1], [0], [1]]):
        for got, expected in zip(trained(True, heads), trained(False, heads), strict=True):
            numpy.testing.assert_allclose(got, expected, rtol=1e-5, atol=1e-6)


def test_a_net_is_compiled_once_more_for_a_loss_that_leaves_out_outputs_and_not_again() -> None:
    net = TwoHeads()
    net.initialize()
    net.hybridize()
    x, z = nd.ones((4, 3)), nd.ones((4, 3))
    x.attach_grad()
    with observe() as programs:
        for _ in range(4):
            with autograd.record():
                y = net(x, z)
            y[0].backward()
        assert [program.heads for program in programs] == [(True, True, False), (True, False, False)]
        for _ in range(4):
            with autograd.record():
                y = net(x, z)
            autograd.backward(list(y[:2]))
    assert len(programs) == 2
    assert [event.reasons for event in net.explain().compilations][1:] == [("gradients arrive at 1 of 3 outputs",)]


def test_sizes_that_a_layer_leaves_open_are_found_where_other_shapes_follow_from_values() -> None:
    """The states of a recurrent layer, beside ``unique`` and on its result."""

    class Both(nn.HybridBlock):
        def __init__(self, **kwargs: Any) -> None:
            super().__init__(**kwargs)
            with self.name_scope():
                self.gru = gluon.rnn.GRU(2, num_layers=2, bidirectional=True, layout="NTC", input_size=2)

        def hybrid_forward(self, F: Any, x: Any, y: Any) -> Any:
            values = F.np.unique(y)
            return values, self.gru(x), self.gru(F.np.stack([values, values * 2], axis=1).reshape((1, -1, 2)))

    with mx.util.np_shape(), mx.util.np_array():
        net = Both()
        net.initialize()
        x, y = mx.np.ones((4, 1, 2)), mx.np.array([3.0, 1.0, 2.0, 1.0])
        expected = [a.asnumpy() for a in net(x, y)]
        net.hybridize()
        for _ in range(2):
            for got, value in zip(net(x, y), expected, strict=True):
                numpy.testing.assert_allclose(got.asnumpy(), value, rtol=1e-5)


@pytest.mark.parametrize("flags", [{}, {"static_alloc": True}, {"backend": "c"}], ids=str)
def test_an_operator_without_a_gradient_is_an_error_once_its_gradient_is_asked_for(flags: dict[str, Any]) -> None:
    class Both(nn.HybridBlock):
        def hybrid_forward(self, F: Any, x: Any) -> Any:
            return x * x, F.np.delete(x, 1, axis=0)

    with mx.util.np_shape(), mx.util.np_array():
        net = Both()
        net.hybridize(**flags)
        x = mx.np.array([1.0, 2.0, 3.0])
        x.attach_grad()
        for _ in range(2):
            with autograd.record():
                y = net(x)
            assert y[1].asnumpy().tolist() == [1, 3]
            y[0].backward()
            assert x.grad.asnumpy().tolist() == [2, 4, 6]
        with autograd.record():
            y = net(x)
        with pytest.raises(MXNetError, match="_npi_delete is non-differentiable"):
            y[1].backward()


class TwiceDropped(nn.HybridBlock):
    """One layer that draws random numbers before another, and again after it."""

    def __init__(self, **kwargs):
        super().__init__(**kwargs)
        with self.name_scope():
            self.first, self.second = nn.Dropout(0.5), nn.Dropout(0.5)

    def hybrid_forward(self, F, x, y):
        once = self.first(x)
        other = self.second(y)
        return self.first(once), other


@pytest.mark.parametrize("flags", [{}, {"static_alloc": True}, {"static_alloc": True, "static_shape": True}])
@pytest.mark.parametrize("again", ["one output after the other", "recorded"])
def test_what_runs_again_draws_what_a_layer_that_is_used_twice_has_drawn(flags, again):
    net = TwiceDropped()
    net.initialize()
    net.hybridize(**flags)
    x, y = nd.ones((1,)), nd.ones((4, 16))
    for array in (x, y):
        array.attach_grad()
    mx.random.seed(0)
    with autograd.record():
        dropped, other = net(x, y)
        recorded = autograd.grad([other], [y], create_graph=True) if again == "recorded" else []
    if not recorded:
        dropped.backward(retain_graph=True)
        other.backward()
    [grad] = recorded or [y.grad]
    assert (grad.asnumpy() == other.asnumpy()).all()  # of ones: 2 where a number was kept, 0 where it was dropped
