"""What depends on parameters alone is computed once, and again when a parameter has changed."""

from __future__ import annotations

import contextlib
from typing import Any

import numpy
import pytest

import d2lhybrid as mx
from d2lhybrid import autograd, gluon, nd, np
from d2lhybrid.gluon import nn
from d2lhybrid.internals.support import clock


def normalised(layer: Any = None, **norm: Any) -> Any:
    net = nn.HybridSequential()
    net.add(layer or nn.Conv2D(4, 3, in_channels=2), nn.BatchNorm(**norm), nn.Activation("relu"))
    net.initialize(mx.init.Uniform(1))
    return net


def randomise(net: Any, x: Any) -> None:
    """Give the moving statistics values that are not 0 and 1."""
    net(x)
    for p in net.collect_params(".*(gamma|running)").values():
        p.set_data(nd.random.uniform(0.5, 2, shape=p.shape))
    for p in net.collect_params(".*beta").values():
        p.set_data(nd.random.normal(shape=p.shape))


X = nd.random.normal(shape=(3, 2, 6, 6))

CASES: dict[str, Any] = {
    "convolution": lambda: normalised(nn.Conv2D(4, 3)),
    "without bias": lambda: normalised(nn.Conv2D(4, 3, use_bias=False)),
    "fixed gamma": lambda: normalised(nn.Conv2D(4, 3), scale=False),
    "dense": lambda: normalised(nn.Dense(5)),
    "one dimension": lambda: normalised(nn.Conv2D(4, 1, groups=2)),
    "dilated": lambda: normalised(nn.Conv2D(4, 2, dilation=2)),
}


@pytest.mark.parametrize("case", CASES)
def test_a_normalisation_is_taken_into_the_layer_before(case: str) -> None:
    net = CASES[case]()
    randomise(net, X)
    expected = net(X).asnumpy()
    net.hybridize()
    numpy.testing.assert_allclose(net(X).asnumpy(), expected, rtol=1e-4, atol=1e-5)
    [program] = net.programs
    assert "BatchNorm" not in {n.op.name for n in program.graph.nodes if n.op is not None}
    assert program.prepare is not None


def test_a_normalisation_stays_where_it_cannot_be_taken_away() -> None:
    class Both(gluon.HybridBlock):
        """The convolution is used twice, the other normalisation is along another axis."""

        def __init__(self) -> None:
            super().__init__()
            self.conv, self.norm, self.norm2 = nn.Conv2D(4, 3), nn.BatchNorm(), nn.BatchNorm(axis=2)
            self.conv2 = nn.Conv2D(3, 1)

        def hybrid_forward(self, F: Any, x: Any) -> Any:
            y = self.conv(x)
            return self.norm(y) + y, self.norm2(self.conv2(x))

    net = Both()
    net.initialize(mx.init.Uniform(1))
    randomise(net, X)
    expected = [y.asnumpy() for y in net(X)]
    net.hybridize()
    for got, want in zip(net(X), expected, strict=True):
        numpy.testing.assert_allclose(got.asnumpy(), want, rtol=1e-4, atol=1e-5)
    assert [n.op.name for n in net.programs[0].graph.nodes if n.op is not None].count("BatchNorm") == 2


def test_training_normalises_the_batch_and_the_next_prediction_sees_the_new_statistics() -> None:
    eager, hybrid = CASES["convolution"](), CASES["convolution"]()
    for net in (eager, hybrid):
        net(X)
    for a, b in zip(eager.collect_params().values(), hybrid.collect_params().values(), strict=True):
        b.set_data(a.data())
    hybrid.hybridize()
    for _ in range(3):
        trained = []
        for net in (eager, hybrid):
            trainer = gluon.Trainer(net.collect_params(), "sgd", {"learning_rate": 0.1})
            with autograd.record():
                loss = (net(X) ** 2).mean()
            loss.backward()
            trainer.step(1)
            trained.append(net(X).asnumpy())
        numpy.testing.assert_allclose(trained[1], trained[0], rtol=1e-3, atol=1e-5)


CHANGES: dict[str, Any] = {
    "set_data": lambda p: p.set_data(p.data() * 2),
    "item assignment": lambda p: p.data().__setitem__(0, 3),
    "assignment to a view": lambda p: p.data()[0:1].__setitem__(slice(None), 5),
    "in-place arithmetic": lambda p: p.data().__imul__(2),
    "out=": lambda p: nd.exp(p.data(), out=p.data()),
    "initialize": lambda p: p.initialize(mx.init.One(), force_reinit=True),
    "copyto": lambda p: (p.data() + 1).copyto(p.data()),
    "update operator": lambda p: nd.sgd_update(p.data(), nd.ones(p.shape), out=p.data(), lr=0.5),
}


IN_PLACE: dict[str, Any] = {
    "x += array": lambda x: x.__iadd__(x),
    "x += number": lambda x: x.__iadd__(1.0),
    "x -= array": lambda x: x.__isub__(x * 3),
    "x *= number": lambda x: x.__imul__(2),
    "x /= array": lambda x: x.__itruediv__(x * 4),
    "view of x += number": lambda x: x[1:].__iadd__(1.0),
}


@pytest.mark.parametrize("how", IN_PLACE)
@pytest.mark.parametrize("flavour", [nd, np], ids=["nd", "np"])
def test_arithmetic_in_place_is_seen_whichever_flavour_the_array_has(flavour: Any, how: str) -> None:
    class Net(gluon.HybridBlock):
        def __init__(self) -> None:
            super().__init__()
            self.weight = self.params.get("weight", shape=(3,), init=mx.init.One())

        def hybrid_forward(self, F: Any, x: Any, weight: Any) -> Any:
            return x + weight * 2

    with mx.util.np_array(flavour is np), mx.util.np_shape(flavour is np):
        net, x = Net(), flavour.zeros((3,))
        net.initialize()
        net.hybridize()
        for _ in range(3):
            assert net(x).asnumpy().tolist() == [2, 2, 2]
        weight = net.weight.data()
        IN_PLACE[how](weight)
        assert net(x).asnumpy().tolist() == (weight.asnumpy() * 2).tolist() != [2, 2, 2]


@pytest.mark.parametrize("which", ["weight", "gamma", "running_var"])
@pytest.mark.parametrize("change", CHANGES)
def test_every_change_of_a_parameter_is_seen_by_the_next_call(change: str, which: str) -> None:
    net = CASES["convolution"]()
    randomise(net, X)
    net.hybridize()
    for _ in range(3):  # the third call takes the shortest way
        before = net(X).asnumpy()
    [parameter] = net.collect_params(f".*{which}").values()
    CHANGES[change](parameter)
    got = net(X).asnumpy()
    net.hybridize(False)
    expected = net(X).asnumpy()
    numpy.testing.assert_allclose(got, expected, rtol=1e-4, atol=1e-5)
    assert numpy.abs(got - before).max() > 1e-3


def test_loading_and_casting_are_seen(tmp_path: Any) -> None:
    net = CASES["convolution"]()
    randomise(net, X)
    net.save_parameters(str(tmp_path / "a.params"))
    expected = net(X).asnumpy()
    net.hybridize()
    net(X)
    for p in net.collect_params().values():
        p.set_data(p.data() * 0.5)
    assert numpy.abs(net(X).asnumpy() - expected).max() > 1e-3
    net.load_parameters(str(tmp_path / "a.params"))
    numpy.testing.assert_allclose(net(X).asnumpy(), expected, rtol=1e-4, atol=1e-5)
    net.cast("float64")
    numpy.testing.assert_allclose(net(X.astype("float64")).asnumpy(), expected, rtol=1e-4, atol=1e-5)


SHARING = {
    "to_dlpack_for_write": lambda w: numpy.from_dlpack(nd.from_dlpack(nd.to_dlpack_for_write(w))),
    "numpy.from_dlpack": numpy.from_dlpack,
    "of a view": lambda w: numpy.from_dlpack(w[0:1]),
    "numpy.array": lambda w: numpy.array(w, copy=False),
    "numpy.asarray": lambda w: numpy.asarray(w, copy=False),
}


@pytest.mark.parametrize("recording", [False, True], ids=["", "recorded"])
@pytest.mark.parametrize("share", SHARING.values(), ids=SHARING)
def test_nothing_is_kept_of_memory_that_somebody_else_may_write_into(share: Any, recording: bool) -> None:
    net = CASES["convolution"]()
    randomise(net, X)
    net.hybridize()

    def run() -> Any:
        with autograd.record(train_mode=False) if recording else contextlib.nullcontext():
            return net(X).asnumpy()

    run()
    [weight] = net.collect_params(".*conv.*weight").values()
    outside = share(weight.data())
    for factor in (2, 3):
        before = [run() for _ in range(3)][-1]
        assert numpy.may_share_memory(outside, weight.data()._data)
        if outside.flags.writeable:  # older versions of NumPy leave that to others
            outside *= factor
        else:
            weight.data()._data[...] *= factor  # as they do, without a word
        got = run()
        assert numpy.abs(got - before).max() > 1e-3
        net.hybridize(False)
        numpy.testing.assert_allclose(got, run(), rtol=1e-4, atol=1e-5)
        net.hybridize()


def test_sharing_other_arrays_costs_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    net = CASES["convolution"]()
    randomise(net, X)
    net.hybridize()
    result = net(X)
    numpy.from_dlpack(result), numpy.array(X, copy=False), nd.from_numpy(numpy.ones((2, 3)))
    net(X)
    [program] = net.programs
    assert program.prepare is not None
    monkeypatch.setattr(program.prepare, "function", lambda *raws: pytest.fail("prepared again"))
    net(X)
    net(X)


def test_memory_that_came_from_outside_is_not_kept_either() -> None:
    weight = numpy.ones((3, 4), "float32")
    raw = nd.from_numpy(weight)._data
    assert clock.stamp([raw]) is clock.SHARED
    known = len(clock._handed_out)
    del weight, raw
    assert len(clock._handed_out) == known - 1  # forgotten with the array


class Scaled(gluon.HybridBlock):
    """What is prepared is the exponential."""

    def __init__(self) -> None:
        super().__init__()
        self.scale = self.params.get("scale", shape=(3,), init="ones")

    def hybrid_forward(self, F: Any, x: Any, scale: Any) -> Any:
        return F.broadcast_mul(x, F.exp(scale) * 2)


OTHER_WRITES: dict[str, Any] = {
    "data": lambda x, net, other: x.__setitem__(slice(None), 2),
    "arithmetic": lambda x, net, other: x.__iadd__(1),
    "out=": lambda x, net, other: nd.exp(x, out=x),
    "copyto": lambda x, net, other: nd.zeros(x.shape).copyto(x),
    "new parameters": lambda x, net, other: CASES["convolution"]().initialize(force_reinit=True),
    "a metric": lambda x, net, other: mx.metric.Accuracy().update([nd.zeros(2)], [nd.ones((2, 2))]),
    "another net's training": lambda x, net, other: train(other),
    "its own gradient": lambda x, net, other: net.scale.grad().__setitem__(slice(None), 0),
}


def train(net: Any) -> None:
    trainer = gluon.Trainer(net.collect_params(), "adam", {"learning_rate": 0.1})
    for _ in range(2):
        with autograd.record():
            loss = (net(X) ** 2).mean()
        loss.backward()
        trainer.step(1)
    net(X)


@pytest.mark.parametrize("flags", [{}, {"static_alloc": True, "static_shape": True}], ids=["", "static"])
@pytest.mark.parametrize("what", OTHER_WRITES)
def test_writes_into_other_arrays_prepare_nothing_again(
    what: str, flags: dict[str, bool], monkeypatch: pytest.MonkeyPatch
) -> None:
    net, other, x = Scaled(), CASES["convolution"](), nd.ones((2, 3))
    randomise(other, X)
    other.hybridize()
    net.initialize()
    net.hybridize(**flags)
    for _ in range(3):
        net(x)
    [program] = net.programs
    monkeypatch.setattr(program.prepare, "function", lambda *raws: pytest.fail("prepared again"))
    for _ in range(3):
        OTHER_WRITES[what](x, net, other)
        numpy.testing.assert_allclose(net(x).asnumpy(), x.asnumpy() * 2 * numpy.e, rtol=1e-6)
        net(x)


def test_data_that_come_in_leave_the_shortest_way_open() -> None:
    """Their writes are not even an event: nobody watches the array."""
    net, x = Scaled(), nd.ones((2, 3))
    net.initialize()
    net.hybridize()
    for _ in range(3):
        net(x)
    before = clock.last_write
    x[:] = 4
    x += 1
    assert clock.last_write is before


def test_an_array_that_takes_the_place_of_another_is_not_taken_for_it() -> None:
    first = numpy.ones(3)
    times = clock.watch([first])
    assert clock.watch([first]) == times
    key = id(first)
    del first
    assert key not in clock._watched and key not in clock._alive
    known = len(clock._watched)
    arrays = [numpy.ones(3) for _ in range(10)]
    assert clock.watch(arrays)[1:] != times[1:] and len(clock._watched) == known + 10


def test_a_write_of_which_nobody_says_where_counts_for_all() -> None:
    weight = numpy.ones(3)
    times = clock.watch([weight])
    clock.note_write()
    assert clock.watch([weight]) != times


def test_preparation_runs_once_for_many_calls_and_a_result_is_never_the_prepared_memory() -> None:
    class Scaled(gluon.HybridBlock):
        def __init__(self) -> None:
            super().__init__()
            self.scale = self.params.get("scale", shape=(3,), init="ones")

        def hybrid_forward(self, F: Any, x: Any, scale: Any) -> Any:
            twice = F.exp(scale) * 2
            return F.broadcast_mul(x, twice), twice

    net = Scaled()
    net.initialize()
    net.hybridize()
    first = net(nd.ones((2, 3)))
    first[1][:] = 0
    second = net(nd.ones((2, 3)))
    numpy.testing.assert_allclose(second[1].asnumpy(), 2 * numpy.e, rtol=1e-6)
    numpy.testing.assert_allclose(second[0].asnumpy(), 2 * numpy.e, rtol=1e-6)


def test_preparation_is_not_repeated_while_nothing_is_written() -> None:
    net = CASES["convolution"]()
    randomise(net, X)
    net.hybridize()
    net(X)
    [program] = net.programs
    runs = []
    inner = program.prepare.function
    program.prepare.function = lambda *raws: runs.append(1) or inner(*raws)
    for _ in range(5):
        net(X)
    assert not runs
    [weight] = net.collect_params(".*weight").values()
    weight.data()[:] = 1
    net(X)
    net(X)
    assert len(runs) == 1


def test_programs_for_several_shapes_share_what_is_prepared() -> None:
    net = CASES["convolution"]()
    randomise(net, X)
    expected = {n: net(X[:n]).asnumpy() for n in (1, 2, 3)}
    net.hybridize()
    for _ in range(2):
        for n, values in expected.items():
            numpy.testing.assert_allclose(net(X[:n]).asnumpy(), values, rtol=1e-4, atol=1e-5)
    first, *others = net.programs
    assert len(others) == 2 and all(p.prepared_values is first.prepared_values for p in others)
    assert len(first.prepared_values) == 1
    [weight] = net.collect_params(".*weight").values()
    weight.set_data(weight.data() * 2)
    got = [net(X[:n]).asnumpy() for n in (1, 2, 3)]
    net.hybridize(False)
    for n, values in zip((1, 2, 3), got, strict=True):
        numpy.testing.assert_allclose(values, net(X[:n]).asnumpy(), rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize("size", [6, 140_000])
@pytest.mark.parametrize("options", [{}, {"static_alloc": True}, {"static_alloc": True, "static_shape": True}])
def test_an_operator_is_prepared_whole_or_not_at_all(size: int, options: dict[str, bool]) -> None:
    """One output of it is read by the program, another is returned: it runs once, and nobody loses a name."""

    class Net(gluon.HybridBlock):
        def __init__(self) -> None:
            super().__init__()
            self.weight = self.params.get("weight", shape=(2, size), init=mx.init.Uniform(1))

        def hybrid_forward(self, F: Any, x: Any, weight: Any) -> Any:
            first, second = F.split(F.tanh(weight), num_outputs=2, axis=1)
            gate = F.sigmoid(weight)
            return x * F.sum(first), second, F.SoftmaxActivation(gate, mode="channel"), F.elemwise_sub(gate, gate), x

    net, x = Net(), nd.ones((1,))
    net.initialize()
    expected = [y.asnumpy() for y in net(x)]
    net.hybridize(**options)
    for _ in range(3):
        results = net(x)
        for y, value in zip(results, expected, strict=True):
            numpy.testing.assert_allclose(y.asnumpy(), value, rtol=1e-5, atol=1e-6)
        for y in results[1:4]:
            y[:] = 7  # what a caller was given is the caller's
