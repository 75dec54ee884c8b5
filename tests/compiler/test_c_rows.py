"""Softmax, its logarithm and normalisation of layers as C functions: what the kernels compute, row by row."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy
import pytest

import d2lhybrid as mx
from d2lhybrid import nd
from d2lhybrid.gluon import nn
from d2lhybrid.internals.compiler import threads
from d2lhybrid.internals.compiler.backends import c_program, c_region
from d2lhybrid.internals.compiler.backends.c_chain import CChain
from d2lhybrid.internals.compiler.backends.c_compiler import find_compiler
from d2lhybrid.internals.compiler.backends.c_region import CFunction
from d2lhybrid.internals.compiler.backends.c_rows import CRows

from .test_onednn import FLAGS, everything

pytestmark = pytest.mark.skipif(find_compiler() is None, reason="there is no C compiler")

NETS: dict[str, Callable[[], Any]] = {
    "softmax": lambda: nn.HybridLambda("softmax"),
    "log_softmax": lambda: nn.HybridLambda("log_softmax"),
    "LayerNorm": nn.LayerNorm,
    "LayerNorm of large eps": lambda: nn.LayerNorm(epsilon=0.5),
    "in a row": lambda: row(nn.LayerNorm(), nn.Dense(7, flatten=False), nn.HybridLambda("softmax")),
}


def row(*layers: Any) -> Any:
    net = nn.HybridSequential()
    net.add(*layers)
    return net


def made(name: str, x: Any) -> Any:
    net = NETS[name]()
    net.initialize(mx.init.Uniform(1))
    net(x)
    for p in net.collect_params().values():
        p.set_data(nd.random.normal(shape=p.shape))
    return net


def bodies(net: Any) -> list[CFunction]:
    """Return what is C: rows, and chains that have them among their steps."""
    nodes = [n for p in net.programs for n in p.graph.nodes]
    return [n.params["body"] for n in nodes if isinstance(n.params.get("body"), CRows | CChain)]


@pytest.fixture(autouse=True)
def _small(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(c_program, "MIN_SIZE", 0)


@pytest.mark.parametrize("flags", FLAGS, ids=str)
@pytest.mark.parametrize("shape", [(3, 4, 5), (1, 1), (6, 1), (1, 300), (17, 33)], ids=str)
@pytest.mark.parametrize("name", NETS)
def test_predictions_and_gradients_are_the_eager_ones(
    name: str, shape: tuple[int, ...], flags: dict[str, bool]
) -> None:
    x = nd.random.normal(scale=4, shape=shape)
    net = made(name, x)
    expected = everything(net, x)
    net.hybridize(backend="c", **flags)
    for _ in range(2):
        for found, right in zip(everything(net, x), expected, strict=True):
            numpy.testing.assert_allclose(found, right, rtol=1e-4, atol=1e-5 * max(1.0, float(abs(right).max())))
    assert bodies(net)


@pytest.mark.parametrize("name", ["softmax", "log_softmax", "LayerNorm"])
def test_what_is_not_a_number_spreads_as_in_the_kernels(name: str) -> None:
    values = numpy.random.default_rng(0).normal(size=(12, 40)).astype("float32")
    for line, value in enumerate((numpy.nan, numpy.inf, -numpy.inf)):
        values[line, 5], values[3 + line, -1], values[6 + line] = value, value, value
    values[9, :20], values[10, 3], values[11] = 3e38, -1e30, 1e4
    x = nd.array(values)
    net = made(name, x)
    with numpy.errstate(all="ignore"):
        expected = net(x).asnumpy()
    net.hybridize(backend="c")
    found = net(x).asnumpy()
    numpy.testing.assert_array_equal(numpy.isnan(found[:9]), numpy.isnan(expected[:9]))
    if name != "LayerNorm":  # the variance of the last lines overflows, or cancels to mere rounding
        numpy.testing.assert_allclose(found, expected, rtol=1e-4, atol=1e-5)
    assert bodies(net)


@pytest.mark.parametrize(
    "function",
    {
        "another axis": lambda F, x: F.softmax(x, axis=0),
        "a temperature": lambda F, x: F.log_softmax(x, temperature=2.0),
        "another type of the result": lambda F, x: F.softmax(x, dtype="float64"),
        "double precision": lambda F, x: F.softmax(F.cast(x, "float64")),
    }.items(),
    ids=lambda item: item[0],
)
def test_other_forms_are_the_kernels(function: tuple[str, Callable[[Any, Any], Any]]) -> None:
    net, x = nn.HybridLambda(function[1]), nd.random.normal(shape=(30, 100))
    expected = net(x)
    net.hybridize(backend="c")
    found = net(x)
    assert found.dtype == expected.dtype
    numpy.testing.assert_allclose(found.asnumpy(), expected.asnumpy(), rtol=1e-5, atol=1e-7)
    assert not bodies(net)


def test_masked_and_empty_rows_are_the_kernels() -> None:
    net = nn.HybridLambda(lambda F, x, length: F.softmax(x, length, use_length=True))
    x, length = nd.random.normal(shape=(3, 4)), nd.array([1, 4, 2], dtype="int32")
    expected = net(x, length).asnumpy()
    net.hybridize(backend="c")
    numpy.testing.assert_allclose(net(x, length).asnumpy(), expected, rtol=1e-6)
    with mx.util.np_shape():
        empty = made("softmax", nd.zeros((2, 3)))
        empty.hybridize(backend="c")
        assert empty(nd.zeros((0, 3))).shape == (0, 3)
        assert empty(nd.zeros((3, 0))).shape == (3, 0)
    assert not bodies(net) and not bodies(empty)


@pytest.mark.parametrize("name", NETS)
def test_many_rows_are_divided_among_the_processors(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(c_region, "PARALLEL_WORK", 1)
    monkeypatch.setattr(threads, "available", lambda: 3)
    x = nd.random.normal(shape=(10, 7, 11))
    net = made(name, x)
    expected = net(x).asnumpy()
    net.hybridize(backend="c")
    for _ in range(3):
        numpy.testing.assert_allclose(net(x).asnumpy(), expected, rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize("name", NETS)
def test_without_room_for_a_library_the_kernels_compute(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def build(source: str) -> Any:
        raise c_region.NoRoomError("the disk is full")

    monkeypatch.setattr(c_region, "build", build)
    monkeypatch.setattr(c_region, "_warned", [c_region.NoRoomError("said before")])
    x = nd.random.normal(shape=(10, 7, 11))
    net = made(name, x)
    expected = net(x).asnumpy()
    for flags in FLAGS:
        net.hybridize(backend="c", **flags)
        for _ in range(2):
            numpy.testing.assert_allclose(net(x).asnumpy(), expected, rtol=1e-4, atol=1e-5)
    assert all(body.without_c for body in bodies(net)) and bodies(net)
