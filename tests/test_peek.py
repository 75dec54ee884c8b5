"""Values inside a hybridized net, seen without giving up the compiled program."""

from __future__ import annotations

from typing import Any

import numpy
import pytest

import d2lhybrid as mx
from d2lhybrid import autograd, gluon, nd
from d2lhybrid.gluon import nn
from d2lhybrid.internals.core.observing import observe


class Net(gluon.HybridBlock):
    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        with self.name_scope():
            self.hidden, self.out = nn.Dense(4, activation="relu"), nn.Dense(2)
        self.runs = 0

    def hybrid_forward(self, F: Any, x: Any) -> Any:
        self.runs += 1
        return self.out(F.tanh(self.hidden(x), name="squashed") * 2)


def make(**flags: Any) -> tuple[Any, Any]:
    net = Net(prefix="net_")
    net.initialize(mx.init.Uniform(1))
    x = nd.random.normal(shape=(3, 5))
    net(x)
    net.hybridize(**flags)
    return net, x


def by_hand(net: Any, x: Any) -> dict[str, numpy.ndarray]:
    hidden = nd.relu(nd.dot(x, net.hidden.weight.data().T) + net.hidden.bias.data())
    return {"hidden": hidden.asnumpy(), "squashed": nd.tanh(hidden).asnumpy()}


@pytest.mark.parametrize("flags", [{}, {"static_alloc": True, "static_shape": True}], ids=["plain", "static"])
def test_the_values_are_those_of_the_imperative_run(flags: Any) -> None:
    net, x = make(**flags)
    plain = net(x).asnumpy()
    with net.peek("dense0_relu_fwd", "squashed") as seen:
        y = net(x)
    numpy.testing.assert_array_equal(y.asnumpy(), plain)
    expected = by_hand(net, x)
    numpy.testing.assert_allclose(seen["dense0_relu_fwd"].asnumpy(), expected["hidden"], rtol=1e-5)
    numpy.testing.assert_allclose(seen["squashed"].asnumpy(), expected["squashed"], rtol=1e-5)
    assert list(seen) == ["dense0_relu_fwd", "squashed"] and "3x4" in repr(seen)


def test_nothing_is_traced_again_and_nothing_is_paid_outside() -> None:
    net, x = make()
    net(x)
    net(x)
    program, runs = net.programs[0], net.runs
    with observe() as compiled:
        with net.peek("squashed"):
            net(x)
            net(x)
        assert len(compiled) == 1  # once, for the larger program
        for _ in range(3):
            net(x)
        assert len(compiled) == 1
    assert net.runs == runs and net.programs == [program]
    assert net._fast_call is not None and net._peek is None


def test_every_call_is_kept_each_with_its_own_values() -> None:
    net, x = make()
    with net.peek("squashed") as seen:
        for k in (1, 2):
            net(x * k)
        net(nd.ones((7, 5)))
    assert [c["squashed"].shape for c in seen.calls] == [(3, 4), (3, 4), (7, 4)]
    numpy.testing.assert_allclose(seen.calls[0]["squashed"].asnumpy(), by_hand(net, x)["squashed"], rtol=1e-5)
    numpy.testing.assert_allclose(seen.calls[1]["squashed"].asnumpy(), by_hand(net, x * 2)["squashed"], rtol=1e-5)


def test_names_patterns_and_blocks() -> None:
    net, x = make()
    for wish in ("net_dense0_relu_fwd_output", "net_dense0_relu_fwd", "dense0_relu_fwd_output"):
        with net.peek(wish) as seen:
            net(x)
        assert list(seen) == [wish]
    with net.peek("dense*") as seen:
        net(x)
    assert list(seen) == ["dense0_fwd", "dense0_relu_fwd", "dense1_fwd"]
    with net.peek(net.hidden) as seen:
        net(x)
    numpy.testing.assert_allclose(seen[net.hidden.name].asnumpy(), by_hand(net, x)["hidden"], rtol=1e-5)
    with net.peek() as seen:
        net(x)
    assert {"dense0_fwd", "squashed", "dense1_fwd"} <= set(seen)


def test_a_name_that_is_not_there_is_answered_with_those_that_are() -> None:
    net, x = make()
    with pytest.raises(ValueError, match="Did you mean 'squashed'") as caught, net.peek("squashd"):
        net(x)
    assert "dense0_relu_fwd" in str(caught.value)
    net(x)
    with pytest.raises(ValueError, match="was not called"), net.peek(nn.Dense(2)):
        net(x)
    with net.peek("squashed") as seen:
        pass
    with pytest.raises(KeyError, match=r"was not called in the `with net\.peek"):
        seen["squashed"]
    with net.peek() as seen:
        net(x)
    with pytest.raises(KeyError, match="'squashd' is not among the values of the net's last call: ") as caught:
        seen["squashd"]
    assert not hasattr(caught.value, "__notes__")  # all values were requested
    with net.peek("squashed") as seen:
        net(x)
    with pytest.raises(KeyError, match="last call: squashed") as caught:
        seen["hidden"]
    assert caught.value.__notes__ == ["To see another value, pass its name or its block to net.peek."]
    net.hybridize(False)
    with pytest.raises(RuntimeError, match="hybridize"), net.peek("squashed"):
        pass
    with pytest.raises(TypeError, match="a Block or the name of a value"):
        net.hybridize()
        net.peek(3).__enter__()


def test_gradients_flow_through_a_call_that_is_seen() -> None:
    grads = []
    for look in (False, True):
        mx.random.seed(1)
        net, _ = make()
        for p in net.collect_params().values():
            p.set_data(nd.ones(p.shape) * 0.1)
        x = nd.ones((3, 5))
        with autograd.record():
            if look:
                with net.peek("squashed") as seen:
                    y = net(x)
                y = y.sum() + (seen["squashed"] ** 2).sum() * 0
            else:
                y = net(x).sum()
        y.backward()
        grads.append([p.grad().asnumpy() for p in net.collect_params().values()])
    for a, b in zip(*grads, strict=True):
        numpy.testing.assert_allclose(a, b, rtol=1e-6)


def test_hooks_of_children_are_answered_from_the_graph() -> None:
    net, x = make()
    net(x)  # the trace calls hooks, with symbols
    called: list[Any] = []
    net.hidden.register_forward_hook(lambda block, inputs, out: called.append((block, inputs, out)))
    net.out.register_forward_pre_hook(lambda block, inputs: called.append((block, inputs, None)))
    net(x)
    assert not called  # as in MXNet: the compiled program calls no child
    with net.peek("squashed"):
        net(x)
    (first, (given,), out), (second, (squashed,), _) = called
    assert first is net.hidden and second is net.out
    numpy.testing.assert_array_equal(given.asnumpy(), x.asnumpy())
    numpy.testing.assert_allclose(out.asnumpy(), by_hand(net, x)["hidden"], rtol=1e-5)
    numpy.testing.assert_allclose(squashed.asnumpy(), 2 * by_hand(net, x)["squashed"], rtol=1e-5)


def test_a_block_used_twice_is_seen_twice_and_scopes_nest() -> None:
    class Twice(gluon.HybridBlock):
        def __init__(self) -> None:
            super().__init__()
            self.layer = nn.Dense(3, in_units=3)

        def hybrid_forward(self, F: Any, x: Any) -> Any:
            return self.layer(self.layer(x))

    net = Twice()
    net.initialize()
    net.hybridize()
    x = nd.ones((2, 3))
    with net.peek(net.layer) as outer:
        net(x)
        with net.peek("*fwd*") as inner:
            net(x)
        net(x)
    name = net.layer.name
    assert list(outer) == [f"{name}[0]", f"{name}[1]"] and len(outer.calls) == 2 and len(inner.calls) == 1
    numpy.testing.assert_array_equal(outer[f"{name}[1]"].asnumpy(), net(x).asnumpy())


def test_an_error_in_a_call_leaves_the_net_as_it_was() -> None:
    net, x = make()
    expected = net(x).asnumpy()
    with pytest.raises(mx.base.MXNetError), net.peek("squashed"):
        net(nd.ones((3, 6)))
    assert net._peek is None
    numpy.testing.assert_array_equal(net(x).asnumpy(), expected)
