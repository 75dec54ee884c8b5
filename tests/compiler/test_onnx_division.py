"""Nets with large parameters: a session of ONNX Runtime runs the operators before them, and oneDNN runs the rest."""

from __future__ import annotations

import importlib.util
from collections.abc import Iterator
from typing import Any

import numpy
import pytest

import d2lhybrid as mx
from d2lhybrid import gluon, nd
from d2lhybrid.gluon import nn
from d2lhybrid.internals.compiler import onednn, tiers
from d2lhybrid.internals.core.backends import get_backend
from d2lhybrid.onnx import division, runtime_backend

pytestmark = [
    pytest.mark.skipif(
        any(importlib.util.find_spec(name) is None for name in ("onnx", "onnxruntime")),
        reason="onnx or onnxruntime is not installed",
    ),
    pytest.mark.skipif(not onednn.is_available(), reason=f"oneDNN: {onednn.describe()}"),
]

#: The bytes of the weights of the convolution, and of the first dense layer.
CONVOLUTION, DENSE = 4 * 8 * 3 * 9, 4 * 40 * 8 * 36


@pytest.fixture(autouse=True)
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the weights of the first dense layer be large, and every convolution be worth a session."""
    monkeypatch.setattr(division, "LARGE", DENSE)
    monkeypatch.setattr(division, "WORTH_A_SESSION", 1)


class Net(gluon.HybridBlock):
    """A convolution, and dense layers that also read the inputs; returns a value of each part and an input."""

    def __init__(self) -> None:
        super().__init__()
        self.convolution = nn.Conv2D(8, 3, in_channels=3, activation="relu")
        self.norm = nn.BatchNorm(in_channels=8, scale=False)
        self.dense = nn.Dense(40, in_units=8 * 36, activation="relu")
        self.last = nn.Dense(4, in_units=40)

    def hybrid_forward(self, F: Any, x: Any, scale: Any) -> Any:
        features = self.norm(self.convolution(x))
        return self.last(self.dense(features)) * scale, F.mean(features, axis=(2, 3)), features * 2, scale


@pytest.fixture
def net() -> Net:
    net = Net()
    net.initialize(mx.init.Xavier())
    return net


def inputs(batch: int = 3) -> list[Any]:
    return [nd.random.normal(shape=(batch, 3, 8, 8)), nd.random.normal(shape=(batch, 4))]


def eager(net: Net, given: list[Any]) -> list[Any]:
    net.hybridize(False)
    values = [y.asnumpy() for y in net(*given)]
    net.hybridize(backend="onnxruntime")
    return values


def check(net: Net, given: list[Any], expected: list[Any]) -> None:
    for y, right in zip(net(*given), expected, strict=True):
        numpy.testing.assert_allclose(y.asnumpy(), right, rtol=1e-4, atol=1e-5)


@pytest.fixture
def models(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[set[str]]]:
    """Collect the names of the parameters in each session."""
    found: list[set[str]] = []
    start = runtime_backend._start

    def started(graph: Any, arrays: Any, **options: Any) -> Any:
        found.append({node.name.rpartition("_")[0] for node in graph.inputs[graph.num_data :]})
        return start(graph, arrays, **options)

    monkeypatch.setattr(runtime_backend, "_start", started)
    yield found


def test_a_divided_net_gives_the_values_of_the_eager_run(net: Net, models: list[set[str]]) -> None:
    for batch in (3, 1):
        given = inputs(batch)
        expected = eager(net, given)
        for _ in range(3):
            check(net, given, expected)
    prefixes = {block.prefix.rstrip("_") for block in (net.convolution, net.norm)}
    assert [{name.removesuffix("_running") for name in model} for model in models] == [prefixes] * 2
    assert all("return rest(*front" in str(program.forward) for program in net.programs)
    assert all("dense" in program.source for program in net.programs)  # the program of the rest, too


@pytest.mark.parametrize("layer", ["convolution", "norm", "dense", "last"])
def test_both_parts_see_changed_parameters(net: Net, layer: str) -> None:
    given = inputs()
    before = eager(net, given)
    check(net, given, before)
    bias = net.norm.beta if layer == "norm" else getattr(net, layer).bias
    bias.set_data(nd.array(numpy.arange(bias.shape[0])))
    after = eager(net, given)
    assert numpy.abs(after[0] - before[0]).max() > 1e-2
    check(net, given, after)


def test_results_belong_to_the_caller(net: Net) -> None:
    given = inputs()
    expected = eager(net, given)
    for _ in range(2):
        for y in net(*given)[:3]:
            y[:] = 7
    check(net, given, expected)


def test_a_net_is_divided_only_for_convolutions_before_large_parameters(
    net: Net, models: list[set[str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    def weights(**changes: int) -> set[str]:
        for name, value in changes.items():
            monkeypatch.setattr(division, name, value)
        expected = eager(net, given)
        check(net, given, expected)
        return models.pop()

    given = inputs()
    whole = weights(LARGE=DENSE + 1)
    assert any(name.endswith(net.dense.prefix.rstrip("_")) for name in whole)
    assert weights(LARGE=DENSE, WORTH_A_SESSION=1 << 40) == whole
    assert weights(LARGE=CONVOLUTION, WORTH_A_SESSION=1) == whole  # no convolution is left
    assert len(weights(LARGE=DENSE)) < len(whole)
    monkeypatch.setattr(runtime_backend.onednn, "is_available", lambda: False)
    assert weights() == whole


def test_a_session_of_a_promoted_net_copies_no_large_parameter(net: Net, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tiers, "CONVOLVING", 1)
    given = inputs()
    net.hybridize()
    net(*given)
    [program] = net.programs
    copied = get_backend("onnxruntime").copied_bytes(program.stages[0].graph)
    assert CONVOLUTION <= copied < DENSE
    for limit, chosen in ((copied, True), (copied - 1, False)):
        monkeypatch.setattr(tiers, "PARAMETERS", limit)
        assert (tiers.backend_for(program) == "onnxruntime") is chosen
    monkeypatch.setattr(tiers, "PARAMETERS", DENSE)
    monkeypatch.setattr(runtime_backend.onednn, "is_available", lambda: False)
    assert tiers.backend_for(program) != "onnxruntime"
