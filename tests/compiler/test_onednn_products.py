"""Products of matrices by oneDNN: dense layers with packed weights, plain products, and whose are left to NumPy."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy
import pytest

import d2lhybrid as mx
from d2lhybrid import gluon, nd
from d2lhybrid.gluon import nn
from d2lhybrid.internals.compiler import onednn
from d2lhybrid.internals.compiler.backends import onednn_bodies
from d2lhybrid.internals.compiler.backends.onednn_bodies import OneDnnBody

from .test_onednn import FLAGS, close, everything

pytestmark = pytest.mark.skipif(not onednn.is_available(), reason=f"oneDNN: {onednn.describe()}")

SHAPES = [(64, 128, 160), (33, 211, 170), (1, 1024, 128), (1024, 128, 8)]


@pytest.mark.parametrize("shape", SHAPES, ids=str)
@pytest.mark.parametrize("turned", [(False, False), (True, False), (False, True), (True, True)], ids=str)
def test_products_are_numpys_however_their_factors_lie(shape: tuple[int, int, int], turned: tuple[bool, bool]) -> None:
    from d2lhybrid.internals.compiler.onednn.matmul import Product

    rows, inner, columns = shape
    rng = numpy.random.default_rng(0)
    first, second = (rng.normal(size=s).astype("float32") for s in ((rows, inner), (inner, columns)))
    given = [numpy.ascontiguousarray(a.T if t else a) for a, t in zip((first, second), turned, strict=True)]
    product = Product(rows, inner, columns, *turned)
    close(product.run(*given), first @ second)
    out = numpy.full((rows, columns), numpy.nan, "float32")
    assert product.run(*given, out0_given=out) is out
    close(out, first @ second)
    for change in (numpy.asfortranarray, lambda a: numpy.repeat(a, 2, axis=1)[:, ::2], lambda a: a[::-1][::-1]):
        close(product.run(change(given[0]), change(given[1])), first @ second)


class Joined(gluon.HybridBlock):
    """Dense layers with and without bias, over several axes, with a sum behind, and products of their results."""

    def __init__(self) -> None:
        super().__init__()
        self.first, self.second = nn.Dense(160, flatten=False), nn.Dense(160, flatten=False, use_bias=False)
        self.flat, self.small = nn.Dense(130), nn.Dense(3)

    def hybrid_forward(self, F: Any, x: Any) -> Any:
        a, b = self.first(x), self.second(x)
        together = F.reshape(a + b, (-3, 0))
        y = F.dot(together, F.reshape(F.swapaxes(b, 0, 1), (-3, 0)), transpose_b=True)
        return self.small(self.flat(y) + self.flat(y * 2)), F.swapaxes(a, 0, 1)


NETS: dict[str, tuple[Callable[[], Any], tuple[int, ...]]] = {
    "joined": (Joined, (8, 16, 128)),
    "one product": (lambda: nn.Dense(160), (64, 128)),
    "a sum that somebody else reads": (lambda: Joined(), (16, 8, 256)),
}


@pytest.mark.parametrize("flags", FLAGS, ids=str)
@pytest.mark.parametrize("name", NETS)
def test_predictions_and_gradients_are_the_eager_ones(name: str, flags: dict[str, bool]) -> None:
    build, shape = NETS[name]
    net = build()
    net.initialize(mx.init.Xavier())
    x = nd.random.normal(shape=shape)
    net(x)
    expected = everything(net, x)
    net.hybridize(backend="onednn", **flags)
    for _ in range(2):  # the second time from memory that is kept
        for found, right in zip(everything(net, x), expected, strict=True):
            numpy.testing.assert_allclose(found, right, rtol=1e-3, atol=1e-4 * max(1.0, float(abs(right).max())))
    labels = {n.params["body"].label for p in net.programs for n in p.graph.nodes if "body" in n.params}
    assert {"onednn_fullyconnected", "onednn_dot"} <= labels


@pytest.mark.parametrize("bias", [False, True])
@pytest.mark.parametrize("added", [False, True])
@pytest.mark.parametrize("packed", [False, True])
def test_dense_layers_are_numpys(bias: bool, added: bool, packed: bool) -> None:
    from d2lhybrid.internals.compiler.onednn.matmul import Dense

    rng = numpy.random.default_rng(0)
    x, weight, vector, summand = (
        rng.normal(size=s).astype("float32") for s in ((4, 9, 33), (21, 33), (21,), (4, 9, 21))
    )
    layer = Dense((4, 9, 21), 33, bias, added, packed)
    expected = x @ weight.T + (vector if bias else 0) + (summand if added else 0)
    others = ([vector] if bias else []) + ([summand] if added else [])
    for turn in (numpy.ascontiguousarray, numpy.asfortranarray):
        weights = layer.pack.run(turn(weight)) if layer.pack is not None else turn(weight)
        close(layer.run(turn(x), weights, *map(turn, others)), expected)
    assert (layer.pack is not None) == packed


def bodies(net: Any) -> list[OneDnnBody]:
    nodes = [n for p in net.programs for n in p.graph.nodes]
    return [n.params["body"] for n in nodes if isinstance(n.params.get("body"), OneDnnBody)]


@pytest.mark.parametrize(
    ("rows", "units", "dtype", "library"),
    [(1, 4096, "float32", False), (64, 4096, "float64", False), (64, 15, "float32", False), (2, 512, "float32", True)],
)
def test_the_library_computes_products_of_several_rows_and_columns(
    rows: int, units: int, dtype: str, library: bool
) -> None:
    net = nn.Dense(units, in_units=4096)
    net.initialize(mx.init.Xavier())
    net.cast(dtype)
    x = nd.random.normal(shape=(rows, 4096)).astype(dtype)
    expected = net(x).asnumpy()
    net.hybridize(backend="onednn")
    numpy.testing.assert_allclose(net(x).asnumpy(), expected, rtol=1e-5, atol=1e-5)
    assert bool(bodies(net)) is library


def test_the_largest_weights_are_not_copied(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(onednn_bodies, "LARGEST_PACKED", 4 * 512 * 128)
    net = nn.HybridSequential()
    net.add(nn.Dense(512, in_units=128), nn.Dense(512, in_units=512))
    net.initialize(mx.init.Xavier())
    x = nd.random.normal(shape=(64, 128))
    expected = net(x).asnumpy()
    net.hybridize(backend="onednn")
    numpy.testing.assert_allclose(net(x).asnumpy(), expected, rtol=1e-5, atol=1e-5)
    [program] = net.programs
    assert [a.size for _, _, values, _ in program.prepared_values.values() for a in values] == [512 * 128]


def test_what_is_not_a_number_stays_so() -> None:
    net = nn.Dense(160, in_units=128)
    net.initialize(mx.init.Xavier())
    x = nd.random.normal(shape=(64, 128))
    x[3, 5], x[7, 0], x[9, 1] = numpy.nan, numpy.inf, -numpy.inf
    expected = net(x).asnumpy()
    net.hybridize(backend="onednn")
    found = net(x).asnumpy()
    numpy.testing.assert_array_equal(numpy.isnan(found), numpy.isnan(expected))
    numpy.testing.assert_array_equal(numpy.isinf(found), numpy.isinf(expected))
    assert bodies(net) and numpy.isnan(found).sum() == 160


def test_weights_are_packed_once_and_again_when_they_change() -> None:
    net = nn.Dense(160, in_units=128)
    net.initialize(mx.init.Xavier())
    x = nd.random.normal(shape=(64, 128))
    for factor in (1.0, -3.0):
        net.weight.set_data(net.weight.data() * factor)
        net.hybridize(False)
        expected = net(x).asnumpy()
        net.hybridize(backend="onednn")
        close(net(x).asnumpy(), expected)
    net.weight.set_data(net.weight.data() * 0)
    assert not (net(x) - net.bias.data()).asnumpy().any()
    assert "pack" in str(net.programs[-1].prepare)
