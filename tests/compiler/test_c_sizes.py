"""One C library for all batch sizes: how many are compiled, and what they compute."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy
import pytest

import d2lhybrid as mx
from d2lhybrid import autograd, gluon, nd
from d2lhybrid.gluon import nn, rnn
from d2lhybrid.internals.compiler.backends import c_compiler, c_region, c_sizes

pytestmark = pytest.mark.skipif(c_compiler.find_compiler() is None, reason="no C compiler")


@pytest.fixture
def texts(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """Yield a list that takes down each text which is another one than those before; nothing is known of sizes."""
    found: list[str] = []
    build = c_region.build

    def noticed(source: str) -> Any:
        if source not in found:
            found.append(source)
        return build(source)

    monkeypatch.setattr(c_region, "build", noticed)
    monkeypatch.setattr(c_sizes, "_known", c_sizes.OrderedDict())
    yield found


def made(net: gluon.HybridBlock) -> gluon.HybridBlock:
    net.initialize(mx.init.Xavier())
    net.hybridize(backend="c")
    return net


def perceptron() -> gluon.HybridBlock:
    net = nn.HybridSequential()
    net.add(nn.Dense(64, activation="relu"), nn.LayerNorm(), nn.Dense(40, activation="tanh"), nn.Dense(10))
    return net


def lenet() -> gluon.HybridBlock:
    net = nn.HybridSequential()
    net.add(
        nn.Conv2D(6, 5, activation="tanh"), nn.AvgPool2D(2, 2), nn.Conv2D(16, 3, activation="relu"), nn.MaxPool2D(2, 2),
        nn.BatchNorm(), nn.Flatten(), nn.Dense(32, activation="sigmoid"), nn.Dense(10),
    )  # fmt: skip
    return net


class Attending(gluon.HybridBlock):
    """Softmax over products of queries and keys, whose number varies as well."""

    def __init__(self) -> None:
        super().__init__()
        self.query, self.key = nn.Dense(16, flatten=False, use_bias=False), nn.Dense(16, flatten=False)

    def hybrid_forward(self, F: Any, x: Any) -> Any:
        scores = F.dot(self.query(x), self.key(x), transpose_b=True)
        return F.dot(F.softmax(scores / 4), x) * 2 + 1


SIZES = (5, 8, 2, 31, 16, 33, 3, 64, 7, 48, 100, 6)
NETS: dict[str, tuple[Callable[[], gluon.HybridBlock], tuple[int, ...]]] = {
    "perceptron": (perceptron, (20,)),
    "LeNet": (lenet, (1, 16, 16)),
    "attention": (Attending, (24,)),
}


def checked(net: gluon.HybridBlock, x: Any) -> None:
    """Compare a prediction, and gradients in training, with those of the net that isn't compiled."""
    parameters = [p for p in net.collect_params().values() if p.grad_req != "null"]
    head = nd.random.normal(shape=net(x).shape)
    x.attach_grad()

    def predicted() -> list[Any]:
        return [net(x)]

    def trained() -> list[Any]:
        with autograd.record():
            y = net(x)
        y.backward(head)
        return [y, x.grad, *(p.grad() for p in parameters)]

    for run in (predicted, trained):  # training changes the running mean, and so the next prediction
        compiled = [array.asnumpy() for array in run()]
        net.hybridize(False)
        for ours, array in zip(compiled, run(), strict=True):
            eager = array.asnumpy()
            numpy.testing.assert_allclose(ours, eager, rtol=2e-3, atol=2e-4 * max(1, abs(eager).max()))
        net.hybridize(backend="c")


@pytest.mark.parametrize("name", NETS)
def test_all_sizes_compute_what_the_eager_net_computes(name: str, texts: list[str]) -> None:
    make, features = NETS[name]
    net = made(make())
    for size in SIZES:
        checked(net, nd.random.normal(shape=(size, *features)))
    assert any("sizes[1]" in text for text in texts)


@pytest.mark.parametrize("name", NETS)
def test_further_sizes_compile_nothing(name: str, texts: list[str]) -> None:
    make, features = NETS[name]
    net = made(make())
    for size in (5, 8, 2, 31, 23):
        net(nd.ones((size, *features)))
    before = len(texts)
    for size in range(9, 60):
        net(nd.ones((size, *features)))
    assert len(texts) - before <= 2  # where an array grows so large that it is a region, or is left to NumPy
    assert before <= 4


def test_the_first_size_keeps_its_constants(texts: list[str]) -> None:
    net = made(perceptron())
    x = nd.ones((5, 20))
    net(x)
    net(nd.ones((6, 20)))
    net.hybridize(backend="c")  # which forgets the programs
    net(x)
    assert len(texts) == 2
    assert "sizes[1]" not in texts[0]


def test_another_net_of_the_same_layers_has_constants_of_its_own(texts: list[str]) -> None:
    for units in (16, 24):
        net = nn.HybridSequential()
        net.add(nn.Dense(units, activation="relu"), nn.Dense(4))
        made(net)(nd.ones((3, 8)))
    assert len(texts) == 2
    assert not any("sizes[1]" in text for text in texts)


def test_sequences_of_all_lengths_share_a_library(texts: list[str]) -> None:
    net = made(rnn.GRU(12, layout="TNC", input_size=6))
    for steps in (4, 9, 5, 17, 30, 2):
        x = nd.random.normal(shape=(steps, 32, 6))
        compiled = net(x)
        net.hybridize(False)
        numpy.testing.assert_allclose(compiled.asnumpy(), net(x).asnumpy(), rtol=1e-4, atol=1e-5)
        net.hybridize(backend="c")
    assert len(texts) <= 2


def test_elements_in_one_loop_share_a_library(texts: list[str]) -> None:
    """The text of the function has no number of the size; only its length is another one."""
    net = nn.HybridLambda(lambda F, x: F.exp(x) * 2)
    net.hybridize(backend="c")
    for size in (300, 500, 700, 900):
        x = nd.random.normal(shape=(size, 10))
        numpy.testing.assert_allclose(net(x).asnumpy(), numpy.exp(x.asnumpy()) * 2, rtol=1e-5)
    assert len(texts) == 2


def test_a_real_number_that_differs_is_an_argument(texts: list[str]) -> None:
    """A number that the trace froze, say: the net is traced again after it has changed."""
    for factor in (0.3, 1.7, 2.6):
        net = nn.HybridLambda(lambda F, x, factor=factor: F.exp(x) * factor + factor)
        net.hybridize(backend="c")
        x = nd.random.normal(shape=(300, 10))
        numpy.testing.assert_allclose(net(x).asnumpy(), numpy.exp(x.asnumpy()) * factor + factor, rtol=1e-5)
    assert any("double size" in text for text in texts)


def test_the_listing_says_what_the_arguments_are() -> None:
    net = made(perceptron())
    net(nd.ones((5, 20)))
    net(nd.ones((9, 20)))
    text = net.programs[-1].other_source
    assert text.startswith("/* This text serves several batch sizes. For this one:\n * region0: size1 = ")
