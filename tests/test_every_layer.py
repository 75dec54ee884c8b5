"""Every layer that can be hybridized does the same before and after: values, gradients, and what it remembers.

Layers are found by the names that their modules list. Those with recorded cases of real MXNet are compared with them in
``test_gluon_layers.py``, both ways; the others have a sample in ``layer_samples.py``, and are run here.
"""

from __future__ import annotations

import inspect
import json
import re
from pathlib import Path
from typing import Any

import numpy
import pytest

import d2lhybrid as mx
from d2lhybrid import autograd, nd
from d2lhybrid.gluon import HybridBlock, contrib, loss, nn, rnn

from .layer_samples import WRITTEN, Sample

CASES = json.loads((Path(__file__).parent / "golden_data" / "gluon" / "layers.json").read_text("utf-8"))["cases"]
BUILT = "\n".join(case["build"] for case in CASES)
MODULES = (nn, rnn, contrib.nn, contrib.rnn, contrib.cnn, loss)

#: What is no layer of its own: subclasses compute; these hold a graph or other cells, and have tests of their own.
NOT_CALLED = {"HybridBlock", "SymbolBlock", "Loss", "HybridRecurrentCell", "ModifierCell", "BidirectionalCell"}

LAYERS: dict[type[HybridBlock], str] = {}
for module in MODULES:
    for public in module.__all__:
        found = getattr(module, public)
        if inspect.isclass(found) and issubclass(found, HybridBlock):
            LAYERS.setdefault(found, found.__name__)
NAMES = sorted({*LAYERS.values()} - NOT_CALLED)


def is_recorded(name: str) -> bool:
    return re.search(rf"\b{name}\(", BUILT) is not None


@pytest.mark.parametrize("name", NAMES)
def test_it_has_samples(name: str) -> None:
    assert is_recorded(name) or WRITTEN.get(name), f"tests/layer_samples.py needs a sample of {name}"
    assert all(f"{name}(" in sample.build for sample in WRITTEN.get(name, ()))


@pytest.mark.parametrize("layer", LAYERS, ids=lambda layer: layer.__name__)
def test_it_is_described(layer: type[HybridBlock]) -> None:
    assert (inspect.getdoc(layer) or "").split("\n")[0].endswith("."), "the first line is no sentence"


def flat(value: Any) -> list[Any]:
    return [leaf for part in value for leaf in flat(part)] if isinstance(value, list | tuple) else [value]


def run(net: Any, arrays: list[Any], before: dict[str, Any], training: bool) -> list[numpy.ndarray]:
    """Return outputs, gradients of inputs and parameters, and the parameters afterwards, always from the same state."""
    for name, parameter in net._collect_params_with_prefix().items():
        parameter.set_data(before[name])
    mx.random.seed(5)
    given = [a.copy() for a in arrays]
    for a in given:
        a.attach_grad()
    if hasattr(net, "reset"):
        net.reset()
    if hasattr(net, "begin_state"):
        states = net.begin_state(batch_size=given[0].shape[0], func=nd.ones)
    with autograd.record(train_mode=training):
        outputs = flat(net(*given, states) if hasattr(net, "begin_state") else net(*given))
        total = sum((y * nd.array(numpy.cos(numpy.arange(y.size)).reshape(y.shape))).sum() for y in outputs)
    total.backward(train_mode=training)
    parameters = [p for _, p in sorted(net._collect_params_with_prefix().items())]
    grads = [p.grad() for p in parameters if p.grad_req != "null"]
    return [v.asnumpy() for v in (*outputs, *(a.grad for a in given), *grads, *(p.data() for p in parameters))]


@pytest.mark.parametrize("training", [False, True], ids=["predict", "train"])
@pytest.mark.parametrize(
    "sample", [s for name in sorted(WRITTEN) for s in WRITTEN[name]], ids=lambda sample: sample.build
)
def test_it_does_the_same_before_and_after_hybridize(sample: Sample, training: bool) -> None:
    rng = numpy.random.default_rng(3)
    arrays = [nd.array(rng.uniform(-1, 1, shape)) for shape in sample.shapes]
    net = eval(sample.build, {"nn": nn, "rnn": rnn, "contrib": contrib, "loss": loss})
    net.initialize(mx.init.Uniform(0.5))
    states = [net.begin_state(batch_size=arrays[0].shape[0], func=nd.zeros)] if hasattr(net, "begin_state") else []
    net(*arrays, *states)  # to know all shapes
    before = {name: p.data().copy() for name, p in net._collect_params_with_prefix().items()}
    expected = run(net, arrays, before, training)
    net.hybridize()
    for _ in range(2):
        got = run(net, arrays, before, training)
        assert len(got) == len(expected)
        for a, b in zip(got, expected, strict=True):
            numpy.testing.assert_allclose(a, b, rtol=2e-5, atol=2e-6)
    assert any(numpy.any(g) for g in expected[1:])
