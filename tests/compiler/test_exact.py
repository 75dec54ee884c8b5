"""What passes make cheaper stays the same to the last bit: infinities, tiny numbers and zeros with a sign, too."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy
import pytest

from d2lhybrid import autograd, nd
from d2lhybrid.gluon import nn
from d2lhybrid.internals.compiler.backends import c_compiler

VALUES = numpy.array(
    [
        0.0,
        -0.0,
        1,
        -1,
        0.5,
        3,
        7,
        0.1,
        1e-45,
        -1e-45,
        1e-38,
        3e38,
        -3e38,
        1e30,
        1e-30,
        numpy.inf,
        -numpy.inf,
        numpy.nan,
    ],
    "float32",
)
SCALARS = (0, -0.0, 1, 2, 0.5, 3, -2, 1e30, 1e-30)
OPERATIONS: dict[str, Callable[[Any, float], Any]] = {
    "x + {}": lambda x, c: x + c,
    "x - {}": lambda x, c: x - c,
    "{} - x": lambda x, c: c - x,
    "x * {}": lambda x, c: x * c,
    "x / {}": lambda x, c: x / c,
    "x ** {}": lambda x, c: x**c,
}
STEPS = {text.format(c): (operation, c) for text, operation in OPERATIONS.items() for c in SCALARS}

needs_c = pytest.mark.skipif(c_compiler.find_compiler() is None, reason="there is no C compiler")


@pytest.fixture(autouse=True)
def own_cache(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))


def bits(array: Any) -> numpy.ndarray:
    values = array.asnumpy()
    return numpy.where(numpy.isnan(values), numpy.float32(numpy.nan), values).view("int32")


@pytest.mark.parametrize("backend", ["numpy", pytest.param("c", marks=needs_c)])
@pytest.mark.parametrize("first", OPERATIONS)
def test_two_steps_with_numbers_are_exact(first: str, backend: str) -> None:
    pairs = [p for p in itertools.product(STEPS, STEPS) if STEPS[p[0]][0] is OPERATIONS[first]]

    def compute(F: Any, x: Any) -> list[Any]:
        results = []
        for names in pairs:
            value = x
            for name in names:
                operation, scalar = STEPS[name]
                value = operation(value, scalar)
            results.append(value)
        return results

    net, x = nn.HybridLambda(compute), nd.array(VALUES)
    expected = net(x)
    net.hybridize(backend=backend)
    found = net(x)
    wrong = [p for p, a, b in zip(pairs, expected, found, strict=True) if (bits(a) != bits(b)).any()]
    assert not wrong


@pytest.mark.parametrize("flags", [{}, {"static_alloc": True}, pytest.param({"backend": "c"}, marks=needs_c)], ids=str)
def test_of_equal_maxima_the_first_gets_the_gradient_also_when_the_layout_changes(flags: dict[str, Any]) -> None:
    """Pooling whose windows overlap makes equal maxima, which a global pooling then meets."""
    found = []
    for compiled in (False, True):
        net = nn.HybridSequential()
        net.add(nn.Conv2D(1, (3, 2), activation="relu", in_channels=2), nn.MaxPool2D(2, 1), nn.GlobalMaxPool2D())
        net.initialize()
        for p in net.collect_params().values():
            p.set_data(nd.ones(p.shape))
        if compiled:
            net.hybridize(**flags)
        x = nd.array(numpy.random.default_rng(216).uniform(size=(1, 2, 8, 8)))
        x.attach_grad()
        with autograd.record():
            y = net(x)
        y.backward()
        found.append(x.grad.asnumpy())
    numpy.testing.assert_allclose(found[1], found[0], rtol=1e-6)
    assert found[0].sum() == 12


@pytest.mark.parametrize("flags", [{}, {"static_alloc": True}, pytest.param({"backend": "c"}, marks=needs_c)], ids=str)
@pytest.mark.parametrize("activation", [None, "relu", "tanh"])
@pytest.mark.parametrize(("size", "kernel", "stride", "pad"), [(4, 1, 3, 0), (3, 1, 3, 0), (5, 2, 3, 1), (6, 3, 2, 1)])
def test_windows_beyond_the_image_hold_the_same_number(
    size: int, kernel: int, stride: int, pad: int, activation: str | None, flags: dict[str, Any]
) -> None:
    """Rounding up may add a window that sees no element: a ReLU before the pooling does nothing there."""
    found = []
    for compiled in (False, True):
        net = nn.HybridSequential()
        net.add(nn.Conv2D(2, 2, padding=1, activation=activation, in_channels=2))
        net.add(nn.MaxPool2D(kernel, stride, pad, ceil_mode=True))
        net.initialize()
        for p in net.collect_params().values():
            p.set_data(nd.array(numpy.random.default_rng(1).uniform(-1, 1, size=p.shape)))
        if compiled:
            net.hybridize(**flags)
        x = nd.array(numpy.random.default_rng(2).uniform(-1, 1, size=(2, 2, size - 1, size - 1)))
        x.attach_grad()
        with autograd.record():
            y = net(x)
        y.backward()
        found.append([net(x).asnumpy(), y.asnumpy(), x.grad.asnumpy()])
    for expected, other in zip(*found, strict=True):
        numpy.testing.assert_allclose(other, expected, rtol=1e-5, atol=1e-6)
