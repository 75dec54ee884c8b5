"""A large dense layer for a batch of one is a C function whose rows are divided among threads."""

from __future__ import annotations

import numpy
import pytest

import d2lhybrid as mx
from d2lhybrid import autograd, nd
from d2lhybrid.gluon import nn
from d2lhybrid.internals.compiler.backends import c_compiler
from d2lhybrid.internals.compiler.backends.c_program import regions_of
from d2lhybrid.internals.compiler.backends.c_vector import CVectorProduct

pytestmark = pytest.mark.skipif(c_compiler.find_compiler() is None, reason="no C compiler")


def made(units: int, features: int) -> nn.HybridSequential:
    net = nn.HybridSequential()
    net.add(nn.Dense(units, activation="relu", in_units=features), nn.Dense(3, in_units=units))
    net.initialize(mx.init.Normal(0.02))
    net.hybridize(backend="c")
    return net


def products(net: nn.HybridSequential) -> list[CVectorProduct]:
    return [body for body in regions_of(net.programs[0].graph) if isinstance(body, CVectorProduct)]


def test_it_computes_what_the_eager_net_computes() -> None:
    net = made(2111, 2003)
    x = nd.random.normal(shape=(1, 2003))
    y = net(x).asnumpy()
    (product,) = products(net)
    assert not product.is_small  # so several threads compute it, where there are several
    net.hybridize(False)
    numpy.testing.assert_allclose(y, net(x).asnumpy(), rtol=1e-4, atol=1e-5)


def test_gradients_flow_through_it() -> None:
    net = made(2111, 2003)
    x = nd.random.normal(shape=(1, 2003))
    x.attach_grad()
    found = []
    for active in (True, False):
        net.hybridize(active, backend="c" if active else None)
        with autograd.record():
            y = net(x)
        y.backward()
        found.append([x.grad.asnumpy(), net[0].weight.grad().asnumpy()])
    for compiled, eager in zip(*found, strict=True):
        numpy.testing.assert_allclose(compiled, eager, rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize(("units", "features", "dtype"), [(100, 200, "float32"), (2111, 2003, "float64")])
def test_small_ones_and_other_types_are_no_function_of_their_own(units: int, features: int, dtype: str) -> None:
    net = made(units, features)
    net.cast(dtype)
    net(nd.ones((1, features), dtype=dtype))
    assert not products(net)
