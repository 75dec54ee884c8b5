"""Where a gradient lies: in memory that nobody else sees, whatever made it."""

from __future__ import annotations

from typing import Any

import numpy
import pytest

from d2lhybrid import autograd, nd
from d2lhybrid.gluon import nn
from d2lhybrid.internals.compiler import onednn
from d2lhybrid.internals.compiler.gradient_stores import store

SHAPE = (3, 4)


def weight() -> Any:
    w = nd.array(numpy.arange(12.0).reshape(SHAPE))
    w.attach_grad()
    return w


def ones() -> Any:
    return numpy.ones(SHAPE, numpy.float32)


#: What may arrive, and whether its memory can become the gradient's.
ARRIVALS = {
    "an array": (ones, True),
    "all of an array": (lambda: ones()[:], True),
    "turned around, and back": (lambda: ones().T.T, True),
    "computed the other way round": (lambda: numpy.moveaxis(numpy.ones((4, 3), numpy.float32), 0, 1), False),
    "a part": (lambda: numpy.ones((4, 4), numpy.float32)[1:], False),
    "reshaped": (lambda: numpy.ones(12, numpy.float32).reshape(SHAPE), False),
    "backwards": (lambda: ones()[::-1], False),
    "repeated": (lambda: numpy.broadcast_to(numpy.float32(1), SHAPE), False),
    "of bytes": (lambda: numpy.frombuffer(ones().tobytes(), numpy.float32).reshape(SHAPE), False),
    "wider": (lambda: ones().astype("float64"), False),
}


@pytest.mark.parametrize("name", ARRIVALS)
def test_what_arrives_is_copied_unless_it_is_an_array_of_its_own(name: str) -> None:
    make, taken = ARRIVALS[name]
    w = weight()
    before = id(w.grad._data)
    store(w._tape[0], make())
    assert (id(w.grad._data) != before) is taken
    raw = w.grad._data
    assert raw.base is None and raw.flags.writeable and raw.flags.c_contiguous and raw.dtype == numpy.float32
    assert raw.shape == SHAPE and (raw == 1).all()


@pytest.mark.parametrize("name", [name for name, (_, taken) in ARRIVALS.items() if taken])
@pytest.mark.parametrize("held", ["value", "base", "another view"])
def test_what_somebody_holds_is_copied(name: str, held: str) -> None:
    value = ARRIVALS[name][0]()
    holder = {"value": value, "base": value if value.base is None else value.base, "another view": value[1:]}[held]
    w = weight()
    store(w._tape[0], value[:] if held == "base" else value)
    w.grad[:] = 5
    assert (holder == 1).all()


def test_a_view_of_the_last_gradient_keeps_it() -> None:
    w = weight()
    store(w._tape[0], ones())
    view = w.grad._data[:1]
    store(w._tape[0], 2 * ones())
    assert (view == 2).all() and (w.grad.asnumpy() == 2).all()  # it was written into, as ever


def test_what_a_gradient_starts_from_stays_the_callers() -> None:
    w, head = weight(), nd.ones(SHAPE)
    with autograd.record():
        y = w.T.T
    y.backward(head)
    w.grad[:] = 7
    assert (head.asnumpy() == 1).all()


@pytest.mark.skipif(not onednn.is_available(), reason="oneDNN is not there")
@pytest.mark.parametrize("layout", ["NCHW", "NHWC"])
@pytest.mark.parametrize("static", [False, True])
def test_gradients_of_convolutions_lie_in_order_and_are_nobody_elses(layout: str, static: bool) -> None:
    found = {}
    for backend in (None, "onednn"):
        net = nn.HybridSequential()
        net.add(
            nn.Conv2D(16, 3, padding=1, layout=layout, in_channels=16), nn.Conv2D(8, 1, layout=layout, in_channels=16),
            nn.Conv2DTranspose(4, 4, 2, 1, in_channels=8) if layout == "NCHW" else nn.Activation("relu"),
        )  # fmt: skip
        net.initialize()
        for i, p in enumerate(net.collect_params().values()):
            p.set_data(nd.array(numpy.random.default_rng(i).normal(size=p.shape)))
        net.hybridize(backend=backend, static_alloc=static)
        x = nd.array(numpy.random.default_rng(9).normal(size=(2, 16, 16, 16)))
        for _ in range(2):
            with autograd.record():
                y = net(x)
            y.backward()
        gradients = [p.grad() for p in net.collect_params().values()]
        assert all(g._data.base is None and g._data.flags.c_contiguous for g in gradients)
        found[backend] = [g.asnumpy() for g in gradients]
    for ours, theirs in zip(found[None], found["onednn"], strict=True):
        numpy.testing.assert_allclose(theirs, ours, rtol=1e-4, atol=1e-3)
