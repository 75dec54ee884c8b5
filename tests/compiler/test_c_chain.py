"""Stretches of a program as one C function: what they compute, what they keep, and where they stop."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from typing import Any

import numpy
import pytest

import d2lhybrid as mx
from d2lhybrid import autograd, gluon, nd, np, npx
from d2lhybrid.gluon import nn
from d2lhybrid.internals.compiler.backends import c_chain, c_compiler, c_products
from d2lhybrid.internals.compiler.backends.c_chain import CChain, CPack
from d2lhybrid.internals.compiler.backends.c_expressions import PRELUDE
from d2lhybrid.internals.ops import batch_last

pytestmark = pytest.mark.skipif(c_compiler.find_compiler() is None, reason="no C compiler")

WAYS: list[dict[str, Any]] = [{}, {"static_alloc": True}, {"static_alloc": True, "static_shape": True}]


def address(array: numpy.ndarray) -> ctypes.c_void_p:
    return ctypes.c_void_p(array.ctypes.data)


# --- products -------------------------------------------------------------------------------------

SIZES = [
    (1, 1, 1), (1, 5, 16), (1, 300, 257), (2, 3, 130), (3, 7, 5), (7, 33, 45), (9, 20, 48), (16, 64, 10), (17, 8, 15),
    (19, 40, 31), (33, 12, 16), (40, 3, 100),
]  # fmt: skip


@pytest.mark.parametrize("registers", [(16, 32), (8, 16), (4, 16), (4, 32)], ids=str)
@pytest.mark.parametrize("bias", [False, True], ids=["plain", "bias"])
@pytest.mark.parametrize("vary", [(), ("rows",), ("columns",), ("rows", "columns")], ids=str)
def test_products_of_all_sizes(
    registers: tuple[int, int], vary: tuple[str, ...], bias: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whole blocks, what is left of rows and of columns, and vectors of every processor."""
    monkeypatch.setattr(c_products, "_registers", lambda: registers)
    c_products.product.cache_clear()
    texts = [c_products.product(*size, bias, vary).replace("NAME", f"product{k}") for k, size in enumerate(SIZES)]
    c_products.product.cache_clear()
    library = c_compiler.build("\n".join([PRELUDE, c_products.VECTORS, *texts]))
    random = numpy.random.default_rng(0)
    for k, (rows, inner, columns) in enumerate(SIZES):
        a, b, c = (random.normal(size=s).astype("f") for s in ((rows, inner), (inner, columns), columns))
        around = numpy.full(rows * columns + 32, 7, "f")  # nothing is written before or behind
        y = around[16:-16]
        arrays = [a, b, c, y] if bias else [a, b, y]
        library[f"product{k}"](*map(address, arrays))
        expected = a.astype("d") @ b + (c if bias else 0)
        numpy.testing.assert_allclose(y.reshape(rows, columns), expected, rtol=1e-5, atol=1e-5 * inner**0.5)
        assert (around[:16] == 7).all() and (around[-16:] == 7).all()


CONVOLUTIONS = [
    ((1, 28, 28, 16), 6, (5, 5), (1, 1), (0, 0)), ((3, 9, 8, 5), 7, (3, 2), (2, 2), (1, 1)),
    ((2, 6, 7, 3), 4, (1, 1), (1, 1), (0, 0)), ((2, 5, 9, 20), 9, (3, 3), (1, 2), (0, 2)),
    ((4, 7, 7, 1), 17, (3, 3), (2, 1), (1, 0)), ((1, 4, 4, 2), 1, (4, 4), (1, 1), (0, 0)),
]  # fmt: skip


@pytest.mark.parametrize("vary", [(), ("columns",)], ids=str)
@pytest.mark.parametrize("case", CONVOLUTIONS, ids=str)
def test_convolutions_of_all_kinds(case: Any, vary: tuple[str, ...]) -> None:
    image, filters, kernel, stride, pad = case
    c, h, w, n = image
    height, width = (
        batch_last.convolution_size(size, k, s, p) for size, k, s, p in zip((h, w), kernel, stride, pad, strict=True)
    )
    text = c_products.convolution(image, (filters, height, width, n), kernel, stride, pad, vary)
    library = c_compiler.build("\n".join([PRELUDE, c_products.VECTORS, text.replace("NAME", "convolution")]))
    random = numpy.random.default_rng(0)
    x, a = random.normal(size=image).astype("f"), random.normal(size=(filters, kernel[0] * c * kernel[1])).astype("f")
    y = numpy.empty((filters, height, width, n), "f")
    wide = numpy.empty(max(1, c_products.padded_size(image, pad)), "f")
    library.convolution(*map(address, (a, x, y, wide)))
    expected, _ = batch_last.convolution.kernel(numpy, x, a, kernel=kernel, stride=stride, pad=pad)
    numpy.testing.assert_allclose(y, expected, rtol=1e-4, atol=1e-4)


# --- nets -----------------------------------------------------------------------------------------


def mlp() -> Any:
    net = nn.HybridSequential()
    net.add(nn.Dense(30, activation="relu"), nn.LayerNorm(), nn.Dense(17, activation="tanh"), nn.Dense(5))
    return net


def lenet() -> Any:
    net = nn.HybridSequential()
    net.add(nn.Conv2D(6, 5, padding=2, activation="sigmoid"), nn.AvgPool2D(2, 2), nn.Conv2D(16, 5))
    net.add(nn.BatchNorm(), nn.Activation("relu"), nn.MaxPool2D(2, 2), nn.Flatten(), nn.Dense(40), nn.Dense(10))
    return net


class Branches(gluon.HybridBlock):
    """Two ways that meet, one weight for both, values that go out in the middle, and again as another shape."""

    def __init__(self) -> None:
        super().__init__()
        with self.name_scope():
            self.first, self.second = nn.Dense(12), nn.Dense(12)
            self.weight = self.params.get("weight", shape=(12, 12))

    def hybrid_forward(self, F: Any, x: Any, weight: Any) -> Any:
        left, right = self.first(x), F.relu(self.second(x))
        left = F.FullyConnected(left, weight, num_hidden=12, no_bias=True)
        right = F.dot(right, weight)
        both = F.broadcast_mul(F.softmax(left + right), F.slice_axis(weight, axis=0, begin=0, end=1))
        return both, F.Reshape(both, shape=(-1,)), right, F.transpose(right), x, F.Reshape(x, shape=(-1,)), weight


class Rows(gluon.HybridBlock):
    """Parameters of every use: of the net, of the caller, and of nobody."""

    def __init__(self) -> None:
        super().__init__()
        with self.name_scope():
            self.table = self.params.get("table", shape=(3, 8))
            self.dense = nn.Dense(8, in_units=8)

    def hybrid_forward(self, F: Any, x: Any, table: Any) -> Any:
        fixed = self.dense(table)  # follows from parameters alone
        return F.broadcast_add(self.dense(x), F.sum(fixed, axis=0, keepdims=True)), fixed


NETS: dict[str, tuple[Callable[[], Any], list[tuple[int, ...]]]] = {
    "mlp": (mlp, [(1, 20), (5, 20), (16, 20), (33, 20)]),
    "lenet": (lenet, [(16, 1, 28, 28), (3, 1, 28, 28), (1, 1, 28, 28)]),
    "branches": (Branches, [(4, 12), (1, 12)]),
    "rows": (Rows, [(2, 8), (1, 8)]),
}


def values(result: Any) -> list[numpy.ndarray]:
    return [y.asnumpy() for y in (result if isinstance(result, list | tuple) else [result])]


def chains(net: Any) -> list[CChain]:
    nodes = [n for program in net.programs for n in program.graph.nodes]
    return [n.params["body"] for n in nodes if isinstance(n.params.get("body"), CChain)]


def compared(found: list[numpy.ndarray], expected: list[numpy.ndarray]) -> None:
    """Compare, with the rounding of sums of numbers as large as the largest."""
    for got, wanted in zip(found, expected, strict=True):
        assert got.dtype == wanted.dtype and got.shape == wanted.shape
        numpy.testing.assert_allclose(got, wanted, rtol=1e-5, atol=1e-5 * max(1, abs(wanted).max()))


@pytest.mark.parametrize("flags", WAYS, ids=str)
@pytest.mark.parametrize("name", NETS)
def test_a_net_predicts_what_it_did_and_learns_in_between(name: str, flags: dict[str, Any]) -> None:
    make, shapes = NETS[name]
    net = make()
    net.initialize(mx.init.Normal(0.3))
    net(nd.ones(shapes[0]))
    trainer = gluon.Trainer(net.collect_params(), "sgd", {"learning_rate": 1e-5})  # small, so that no net diverges
    for _ in range(2):
        for shape in shapes:
            x = nd.random.normal(shape=shape)
            net.hybridize(active=False)
            expected = values(net(x))
            net.hybridize(backend="c", **flags)
            compared(values(net(x)), expected)
            assert chains(net)
            with autograd.record():
                y = net(x)
                loss = sum(nd.sum(nd.square(part)) for part in (y if isinstance(y, list | tuple) else [y]))
            loss.backward()
            trainer.step(shape[0], ignore_stale_grad=True)
            after = values(net(x))  # weights have changed, and were packed again
            net.hybridize(active=False)
            compared(after, values(net(x)))


@pytest.mark.parametrize("name", ["mlp", "lenet"])
def test_a_whole_prediction_is_one_call(name: str) -> None:
    make, shapes = NETS[name]
    net = make()
    net.initialize()
    net.hybridize(backend="c")
    x = nd.random.normal(shape=shapes[0])
    net(x)
    (program,) = net.programs
    lines = [line for line in program.forward.text.splitlines()[1:] if "return" not in line and " del " not in line]
    calls = [line for line in lines if ".reshape(" not in line and ".transpose(" not in line]
    assert len(calls) == 1 and "chained(" in calls[0], lines


def test_weights_that_are_written_to_in_place_are_read_anew() -> None:
    net = mlp()
    net.initialize()
    x = nd.random.normal(shape=(4, 20))
    net(x)
    net.hybridize(backend="c")
    net(x)
    net[0].weight.data()[:] *= -2
    net[3].bias.set_data(nd.ones((5,)))
    found = values(net(x))
    net.hybridize(active=False)
    numpy.testing.assert_allclose(found[0], net(x).asnumpy(), rtol=1e-5, atol=1e-5)


def test_other_types_large_products_and_training_are_numpys() -> None:
    for dtype, units, shape in (("float64", 8, (3, 6)), ("float32", 3000, (2, 700))):
        net = nn.HybridSequential()
        net.add(nn.Dense(units, activation="relu"), nn.Dense(units))
        net.initialize()
        net.cast(dtype)
        net.hybridize(backend="c")
        net(nd.ones(shape, dtype=dtype))
        assert not any(node.op.name == "FullyConnected" for chain in chains(net) for node in chain.nodes)
    net = mlp()
    net.initialize()
    net.hybridize(backend="c")
    with autograd.record():
        net(nd.ones((2, 20)))
    assert not chains(net)


class Moments(gluon.HybridBlock):
    """A layer whose hidden results are asked for."""

    def hybrid_forward(self, F: Any, x: Any, weight: Any, gamma: Any, beta: Any) -> Any:
        y = F.FullyConnected(x, weight, num_hidden=6, no_bias=True)
        y, mean, deviation = F.LayerNorm(y, gamma, beta, output_mean_var=True)
        return F.broadcast_add(F.relu(y), mean), deviation


class Owner(gluon.HybridBlock):
    def __init__(self) -> None:
        super().__init__()
        with self.name_scope():
            self.inner = Moments()
            for name, shape in (("weight", (6, 5)), ("gamma", (6,)), ("beta", (6,))):
                setattr(self, name, self.params.get(name, shape=shape, init=mx.init.Normal(1)))

    def hybrid_forward(self, F: Any, x: Any, **parameters: Any) -> Any:
        return self.inner(F.relu(x), parameters["weight"], parameters["gamma"], parameters["beta"])


def test_hidden_results_that_are_asked_for() -> None:
    net = Owner()
    net.initialize()
    x = nd.random.normal(shape=(3, 5))
    expected = values(net(x))
    net.hybridize(backend="c")
    compared(values(net(x)), expected)
    assert chains(net)


def test_without_room_for_a_library_the_operators_compute(monkeypatch: pytest.MonkeyPatch) -> None:
    def full(source: str) -> Any:
        raise c_compiler.NoRoomError("no space left on device")

    monkeypatch.setattr("d2lhybrid.internals.compiler.backends.c_region.build", full)
    monkeypatch.setattr("d2lhybrid.internals.compiler.backends.c_region._warned", [OSError()])
    for name, (make, shapes) in NETS.items():
        net = make()
        net.initialize()
        x = nd.random.normal(shape=shapes[0])
        expected = values(net(x))
        net.hybridize(backend="c")
        compared(values(net(x)), expected)
        assert chains(net) and all(chain.without_c for chain in chains(net)), name


def test_what_is_not_a_number_stays_so() -> None:
    net = nn.HybridSequential()
    net.add(nn.Dense(18, in_units=10), nn.Activation("relu"), nn.Dense(3))
    net.initialize(mx.init.Normal(1))
    x = nd.random.normal(shape=(4, 10))
    x[0, 1], x[1, 2], x[2, 3] = numpy.nan, numpy.inf, -numpy.inf
    expected = values(net(x))
    net.hybridize(backend="c")
    numpy.testing.assert_allclose(values(net(x))[0], expected[0], rtol=1e-4, atol=1e-5)


def test_arrays_of_the_numpy_dialect() -> None:
    npx.set_np()
    try:
        net = nn.HybridSequential()
        net.add(nn.Dense(12, activation="relu", flatten=False), nn.Dense(4, flatten=False))
        net.initialize()
        for shape in ((3, 6), (2, 5, 6), (6,)):
            x = np.random.normal(size=shape)
            net.hybridize(active=False)
            expected = net(x).asnumpy()
            net.hybridize(backend="c")
            numpy.testing.assert_allclose(net(x).asnumpy(), expected, rtol=1e-4, atol=1e-6)
    finally:
        npx.reset_np()


def test_weights_are_packed_line_by_line_and_unpacked_again() -> None:
    random = numpy.random.default_rng(1)
    weights = [random.normal(size=size).astype("f") for size in ((3, 5), (7,), (2, 4))]
    kinds = [c_chain.TensorType(w.shape, w.dtype) for w in weights]
    pack = CPack([], kinds, [True, False, False])
    packed = pack.run(*weights)
    assert packed.ctypes.data % 64 == 0  # a load of a vector reads one line of the cache
    assert pack.offsets == [0, 16, 32] and packed.shape == (48,)
    assert (packed[:15] == weights[0].T.ravel()).all()
    assert all((a == b).all() for a, b in zip(pack.unpacked(packed), weights, strict=True))
    assert pack.label != CPack([], kinds, [False, False, False]).label
