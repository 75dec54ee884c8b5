"""The backend that has oneDNN compute convolutions: its results are the kernels', and nothing is hidden or mixed up."""

from __future__ import annotations

import multiprocessing
import threading
from collections.abc import Callable, Iterator
from typing import Any

import numpy
import pytest

import d2lhybrid as mx
from d2lhybrid import autograd, gluon, nd
from d2lhybrid.error import MXNetError
from d2lhybrid.gluon import nn
from d2lhybrid.internals.compiler import onednn, threads
from d2lhybrid.internals.compiler.backends import get_backend
from d2lhybrid.internals.compiler.backends.onednn_bodies import OneDnnBody
from d2lhybrid.internals.compiler.onednn import library as onednn_library
from d2lhybrid.internals.compiler.onednn.library import Unsupported
from d2lhybrid.internals.ops import conv
from d2lhybrid.internals.ops.unfold import windows

from .networks import NETWORKS, make
from .test_arena import results_of
from .test_pipeline import flat

pytestmark = pytest.mark.skipif(not onednn.is_available(), reason=f"oneDNN: {onednn.describe()}")

#: Batch, channels, sizes, filters, kernel, stride, pad, groups, dilate.
GEOMETRIES = {
    "odd sizes": (2, 8, (9, 7), 12, (3, 3), (1, 1), (1, 1), 1, (1, 1)),
    "in groups": (2, 8, (9, 7), 12, (3, 2), (2, 1), (1, 0), 4, (1, 1)),
    "depthwise, apart": (1, 6, (9, 7), 6, (3, 3), (1, 2), (1, 2), 6, (2, 1)),
    "three sizes": (3, 4, (5, 6, 7), 8, (2, 3, 1), (1, 2, 1), (0, 1, 0), 2, (1, 1, 1)),
    "one pixel": (2, 3, (1, 1), 5, (1, 1), (1, 1), (0, 0), 1, (1, 1)),
    "one channel": (2, 1, (6, 6), 1, (3, 3), (1, 1), (2, 2), 1, (1, 1)),
    "a rest that no window sees": (2, 3, (8, 9), 17, (3, 3), (3, 4), (0, 1), 1, (1, 1)),
    "wide": (1, 48, (4, 4), 33, (3, 3), (1, 1), (1, 1), 1, (1, 1)),
}


def last(array: Any) -> Any:
    return numpy.moveaxis(array, 1, -1)


def close(found: Any, expected: Any) -> None:
    numpy.testing.assert_allclose(found, expected, rtol=1e-4, atol=2e-5 * max(1.0, float(abs(expected).max())))


@pytest.mark.parametrize("name", GEOMETRIES)
def test_the_three_maps_are_those_of_numpy(name: str) -> None:
    from d2lhybrid.internals.compiler.onednn.convolving import Adjoint, Convolution, Geometry, WeightGradient

    n, channels, sizes, filters, kernel, stride, pad, groups, dilate = GEOMETRIES[name]
    w = windows(sizes, kernel, stride, dilate, pad)
    geometry = Geometry(n, channels, filters, groups, sizes, w.output, kernel, stride, dilate, pad)
    rng = numpy.random.default_rng(0)
    x, weight, dy, bias, other = (
        rng.normal(size=shape).astype("float32")
        for shape in (
            (n, channels, *sizes), (filters, channels // groups, *kernel), (n, filters, *w.output), (filters,),
            (n, filters, *w.output),
        )
    )  # fmt: skip
    y = conv.convolve(numpy, x, weight, w, groups)
    plain, full = Convolution(geometry), Convolution(geometry, bias=True, added=True)
    close(plain.run(last(x), plain.pack.run(last(weight))), last(y))
    close(full.run(last(x), full.pack.run(last(weight)), bias, last(other)), last(y) + bias + last(other))
    adjoint, weights = Adjoint(geometry), WeightGradient(geometry)
    close(
        adjoint.run(last(dy), adjoint.pack.run(last(weight))),
        last(conv.convolve_data_gradient(numpy, dy, weight, w, groups)),
    )
    expected = last(conv.convolve_weight_gradient(numpy, dy, x, w, groups))
    close(weights.run(last(dy), last(x)), expected)
    turned = WeightGradient(geometry, turned=True)
    found = turned.run(last(dy), last(x))
    assert numpy.moveaxis(found, -1, 1).flags.c_contiguous and found.shape == expected.shape
    close(found, expected)
    given = numpy.empty_like(expected)
    assert turned.run(last(dy), last(x), out0_given=given) is given
    close(given, expected)


@pytest.mark.parametrize(
    "view",
    {
        "backwards": lambda a: a[:, ::-1],
        "repeated": lambda a: numpy.broadcast_to(a[:, :1], a.shape),
        "a part": lambda a: numpy.concatenate([a, a], axis=1)[:, :4],
        "in Fortran's order": numpy.asfortranarray,
    }.items(),
    ids=lambda item: item[0],
)
def test_arrays_may_lie_in_memory_in_any_way(view: tuple[str, Callable[[Any], Any]]) -> None:
    from d2lhybrid.internals.compiler.onednn.convolving import Convolution, Geometry

    w = windows((20, 30), (3, 3), (1, 1), (1, 1), (1, 1))
    geometry = Geometry(2, 4, 4, 1, (20, 30), w.output, (3, 3), (1, 1), (1, 1), (1, 1))
    rng = numpy.random.default_rng(0)
    x = view[1](rng.normal(size=(2, 4, 20, 30)).astype("float32"))
    weight = view[1](rng.normal(size=(4, 4, 3, 3)).astype("float32"))
    plain = Convolution(geometry)
    close(plain.run(last(x), plain.pack.run(last(weight))), last(conv.convolve(numpy, x, weight, w, 1)))


FLAGS = [{}, {"static_alloc": True}, {"static_alloc": True, "static_shape": True}]


def transposed() -> Any:
    net = nn.HybridSequential()
    net.add(
        nn.Conv2DTranspose(6, 4, 2, 1, use_bias=False), nn.BatchNorm(), nn.Activation("relu"),
        nn.Conv2DTranspose(4, 3, 2, 1, output_padding=1, groups=2), nn.BatchNorm(scale=False), nn.Activation("tanh"),
    )  # fmt: skip
    return net


class Joined(gluon.HybridBlock):
    """What a layout has to pass through: sums, joining, stretching, pooling, flattening, three sizes."""

    def __init__(self) -> None:
        super().__init__()
        self.a, self.b, self.c = nn.Conv2D(4, 3, padding=1), nn.Conv2D(4, 1), nn.Conv2D(8, 3, groups=4, in_channels=8)
        self.volume, self.gate = nn.Conv3D(2, (2, 1, 1)), nn.Conv2D(8, 1)
        self.pool, self.average, self.out = nn.MaxPool2D(3, 2, 1), nn.GlobalAvgPool2D(), nn.Dense(3)

    def hybrid_forward(self, F: Any, x: Any) -> Any:
        a, b = self.a(x), self.b(x)
        y = F.concat(a + b, F.relu(b), dim=1)
        y = F.broadcast_mul(y, F.sigmoid(self.gate(F.mean(y, axis=(2, 3), keepdims=True))))
        y = self.pool(self.c(y) + 1)
        z = self.volume(F.expand_dims(y, axis=1))
        return self.out(F.flatten(self.average(y))), F.sum(z, axis=1), a


NETS: dict[str, tuple[Callable[[], Any], tuple[int, ...]]] = {
    "transposed": (transposed, (2, 3, 5, 4)),
    "joined": (Joined, (2, 3, 9, 8)),
    "small resnet": (
        lambda: gluon.model_zoo.vision.ResNetV2(
            gluon.model_zoo.vision.BottleneckV2, [1, 1], [8, 8, 16], classes=3, thumbnail=True
        ),
        (2, 3, 8, 8),
    ),
}


def everything(net: Any, x: Any) -> list[Any]:
    """Return prediction, outputs, gradients and running statistics of a training step."""
    predicted = net(x)
    x.attach_grad()
    with autograd.record():
        outputs = net(x)
        outputs = list(outputs) if isinstance(outputs, (list, tuple)) else [outputs]
        heads = [nd.array(numpy.cos(numpy.arange(y.size)).reshape(y.shape), dtype=y.dtype) for y in outputs]
        loss = sum((y * h).sum() for y, h in zip(outputs, heads, strict=True))
    loss.backward()
    parameters = net.collect_params().values()
    found = [*(predicted if isinstance(predicted, (list, tuple)) else [predicted]), *outputs, x.grad]
    found += [p.grad() for p in parameters if p.grad_req != "null"] + [p.data() for p in parameters]
    return [a.asnumpy() for a in found]


@pytest.mark.parametrize("flags", FLAGS, ids=str)
@pytest.mark.parametrize("name", NETS)
def test_predictions_gradients_and_statistics_are_the_eager_ones(name: str, flags: dict[str, bool]) -> None:
    build, shape = NETS[name]
    net = build()
    net.initialize(mx.init.Xavier())
    x = nd.random.normal(shape=shape)
    net(x)
    before = [p.data().copy() for p in net.collect_params().values()]
    expected = everything(net, x)
    net.hybridize(backend="onednn", **flags)
    for _ in range(2):  # the second time from memory that is kept
        for p, value in zip(net.collect_params().values(), before, strict=True):
            p.set_data(value)
        for found, right in zip(everything(net, x), expected, strict=True):
            numpy.testing.assert_allclose(found, right, rtol=2e-3, atol=2e-4 * max(1.0, float(abs(right).max())))
    bodies = [n.params["body"] for p in net.programs for n in p.graph.nodes if "body" in n.params]
    assert any(isinstance(body, OneDnnBody) for body in bodies)


@pytest.mark.parametrize("name", NETWORKS)
def test_every_small_network_gives_its_eager_results(name: str) -> None:
    (eager, inputs), (compiled, _) = make(name), make(name)
    compiled.hybridize(backend="onednn")
    heads = [nd.random.normal(shape=y.shape) for y in flat(eager(*inputs))]
    for found, right in zip(results_of(compiled, inputs, heads), results_of(eager, inputs, heads), strict=True):
        numpy.testing.assert_allclose(found, right, rtol=1e-3, atol=1e-5)
    for a, b in zip(flat(compiled(*inputs)), flat(eager(*inputs)), strict=True):
        numpy.testing.assert_allclose(a.asnumpy(), b.asnumpy(), rtol=1e-3, atol=1e-5)


def convolution(activation: str | None = "relu", **attributes: Any) -> Any:
    net = nn.HybridSequential()
    net.add(nn.Conv2D(16, 3, padding=1, activation=activation, **attributes))
    net.initialize(mx.init.Uniform(1))
    return net


def test_what_is_not_a_number_stays_so() -> None:
    net, x = convolution(), nd.random.normal(shape=(1, 16, 6, 6))
    x[0, 3, 2, 2], x[0, 0, 5, 5] = numpy.nan, -numpy.inf
    expected = net(x).asnumpy()
    net.hybridize(backend="onednn")
    found = net(x).asnumpy()
    numpy.testing.assert_array_equal(numpy.isnan(found), numpy.isnan(expected))
    assert numpy.isnan(found).any() and not numpy.isnan(found).all()


def test_weights_are_packed_once_and_again_when_they_or_the_shape_change() -> None:
    net = convolution()
    net.hybridize(backend="onednn")
    plain = convolution()
    small, large = nd.random.normal(shape=(1, 3, 8, 8)), nd.random.normal(shape=(4, 3, 16, 17))
    for change in (None, 2.0, None, -1.0):
        for x in (small, large, small):
            plain(x), net(x)
            if change is not None:
                net[0].weight.set_data(net[0].weight.data() * change)
            for p, q in zip(plain.collect_params().values(), net.collect_params().values(), strict=True):
                p.set_data(q.data())
            close(net(x).asnumpy(), plain(x).asnumpy())
    assert all("pack" in str(p.prepare) for p in net.programs)


def test_other_element_types_and_empty_batches_are_numpys() -> None:
    net = convolution(in_channels=3)
    net.hybridize(backend="onednn")
    with mx.util.np_shape():
        assert net(nd.zeros((0, 3, 8, 8))).shape == (0, 16, 8, 8)
    net.cast("float64")
    x = nd.random.normal(shape=(2, 3, 8, 8)).astype("float64")
    found = net(x).asnumpy()
    net.hybridize(False)
    numpy.testing.assert_allclose(found, net(x).asnumpy(), rtol=1e-12)


def test_channels_that_are_last_already_stay_there() -> None:
    net = nn.HybridSequential()
    net.add(nn.Conv2D(4, 3, layout="NHWC", in_channels=3), nn.BatchNorm(axis=3), nn.MaxPool2D(2, layout="NHWC"))
    net.initialize()
    x = nd.random.normal(shape=(2, 8, 8, 3))
    expected = net(x).asnumpy()
    net.hybridize(backend="onednn")
    close(net(x).asnumpy(), expected)
    assert "transpose(0" not in net.programs[-1].forward.text


def test_threads_of_python_share_a_program() -> None:
    net = convolution(in_channels=3)
    net.hybridize(backend="onednn", static_alloc=True, static_shape=True)
    inputs = [nd.random.normal(shape=(2, 3, 16, 16)) for _ in range(4)]
    expected = [net(x).asnumpy() for x in inputs]
    wrong: list[int] = []

    def work(k: int) -> None:
        for _ in range(50):
            if not numpy.array_equal(net(inputs[k]).asnumpy(), expected[k]):
                wrong.append(k)

    workers = [threading.Thread(target=work, args=(k,)) for k in range(4)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert not wrong


@pytest.mark.skipif("fork" not in multiprocessing.get_all_start_methods(), reason="there is no fork here")
@pytest.mark.filterwarnings("ignore:This process .* is multi-threaded:DeprecationWarning")
def test_a_child_of_a_fork_computes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Also a program whose code was made for several threads, which are not there in the child."""
    monkeypatch.setattr(threads, "share", lambda: 2)
    net, x = convolution(in_channels=3), nd.random.normal(shape=(4, 3, 64, 64))
    net.hybridize(backend="onednn")
    expected = net(x).asnumpy()
    context = multiprocessing.get_context("fork")
    answers = context.Queue()
    child = context.Process(target=lambda: answers.put(net(x).asnumpy()))
    child.start()
    found = answers.get(timeout=60)
    child.join(60)
    numpy.testing.assert_allclose(found, expected, rtol=1e-5, atol=1e-5)
    numpy.testing.assert_array_equal(net(x).asnumpy(), expected)
    assert child.exitcode == 0


def test_it_uses_as_many_threads_as_there_are_processors_left(monkeypatch: pytest.MonkeyPatch) -> None:
    found = onednn_library.library()
    if found._set_threads is None:
        pytest.skip("its threads are not OpenMP's")
    net, x = convolution(in_channels=3), nd.random.normal(shape=(4, 3, 32, 32))
    net.hybridize(backend="onednn")
    for wanted in (1, 2, 1):
        monkeypatch.setattr(threads, "share", lambda wanted=wanted: wanted)
        net(x)
        assert found.num_threads == wanted


@pytest.fixture
def found_as(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[str | None], None]]:
    """Return what has the library looked for anew, in a place; afterwards there is the one that was there before.

    Another one would have an engine of its own, for which the code that is kept was not made.
    """
    before = onednn_library.library()

    def look(place: str | None) -> None:
        monkeypatch.setattr(onednn_library, "find_library", lambda: place)
        onednn_library.library.cache_clear()
        get_backend.cache_clear()

    yield look
    monkeypatch.undo()
    monkeypatch.setattr(onednn_library, "Library", lambda path: before)
    onednn_library.library.cache_clear()
    assert onednn_library.library() is before
    get_backend.cache_clear()


def test_without_the_library_the_error_says_what_to_install(found_as: Callable[[str | None], None]) -> None:
    found_as(None)
    net = convolution(in_channels=3)
    with pytest.raises(MXNetError, match="'onednn': oneDNN is not installed") as caught:
        net.hybridize(backend="onednn")
        net(nd.zeros((1, 3, 8, 8)))
    assert "pip install" in " ".join(caught.value.__notes__)


def test_a_disabled_library_is_not_called_missing(
    monkeypatch: pytest.MonkeyPatch, found_as: Callable[[str | None], None]
) -> None:
    monkeypatch.setenv("D2LHYBRID_ONEDNN", "off")
    found_as(None)
    with pytest.raises(MXNetError, match="oneDNN is disabled by D2LHYBRID_ONEDNN=off") as caught:
        get_backend("onednn")
    assert caught.value.__notes__ == ["Unset the environment variable D2LHYBRID_ONEDNN."]


def test_a_file_that_is_no_library_is_named(tmp_path: Any, found_as: Callable[[str | None], None]) -> None:
    wrong = tmp_path / "libdnnl.so.3"
    wrong.write_bytes(b"not a library")
    found_as(str(wrong))
    with pytest.raises(Unsupported, match="cannot be loaded"):
        onednn_library.library()
    assert str(wrong) in onednn.describe()


def test_explain_names_the_code_that_was_chosen_and_what_would_be_faster() -> None:
    net, x = convolution(in_channels=16), nd.random.normal(shape=(8, 16, 64, 64))
    net.hybridize()
    [promoted] = net.explain(x).programs
    assert not promoted.advice and "compiled by 'on" in promoted.forecast  # oneDNN, or ONNX Runtime
    net.hybridize(backend="numpy")
    [advised] = net.explain(x).programs
    assert advised.backend == "numpy" and 'backend="onednn"' in advised.advice[0]
    net.hybridize(backend="onednn")
    report = net.explain(x)
    [program] = report.programs
    by_name = {f.name: f for f in program.functions}
    assert not program.advice and by_name["forward"].libraries[0].startswith("oneDNN ")
    assert by_name["prepare"].flops == 0 and "oneDNN reorder (1)" in str(report)
    assert "onednn_convolution(" in by_name["forward"].source


def test_a_net_without_heavy_convolutions_gets_no_advice() -> None:
    net, inputs = make("lenet")
    net.hybridize()
    assert net.explain(*inputs).programs[0].advice == ()


@pytest.mark.parametrize("picture", ["graph", "steps"])
def test_pictures_show_what_the_library_computes(picture: str) -> None:
    net, x = transposed(), nd.random.normal(shape=(2, 3, 5, 4))
    net.initialize()
    net.hybridize(backend="onednn")
    shown = net.graph(x) if picture == "graph" else mx.compile_steps(net, x)
    assert "onednn" in shown.to_html() or picture == "graph"


@pytest.mark.parametrize("backend", [None, "onednn"])
@pytest.mark.parametrize("use_bias", [True, False])
def test_a_normalisation_is_folded_into_a_transposed_convolution(backend: str | None, use_bias: bool) -> None:
    net = nn.HybridSequential()
    net.add(nn.Conv2DTranspose(4, 3, 2, 1, use_bias=use_bias, in_channels=3), nn.BatchNorm(in_channels=4))
    net.initialize(mx.init.Uniform(1))
    for p in net.collect_params(".*running|.*gamma|.*beta|.*bias").values():
        p.set_data(nd.random.uniform(0.5, 2, shape=p.shape))
    x = nd.random.normal(shape=(2, 3, 5, 4))
    expected = net(x).asnumpy()
    net.hybridize(**({"backend": backend} if backend else {}))
    close(net(x).asnumpy(), expected)
    assert "BatchNorm" not in net.programs[-1].source


@pytest.mark.parametrize("static", [False, True])
@pytest.mark.parametrize(
    ("kernel", "settings"),
    [(4, {}), ((2, 3), {"use_bias": True}), (1, {}), (4, {"groups": 2}), (3, {"padding": 1}), (2, {"dilation": 2})],
    ids=str,
)
def test_an_image_of_one_place_is_spread(kernel: Any, settings: dict[str, Any], static: bool) -> None:
    """The first layer of a generator: a product of matrices, in prediction."""
    net = nn.HybridSequential()
    net.add(nn.Conv2DTranspose(12, kernel, use_bias=settings.pop("use_bias", False), **settings), nn.BatchNorm())
    net.add(nn.Activation("relu"), nn.Conv2DTranspose(6, 4, strides=2, padding=1))
    net.initialize(mx.init.Normal(0.5))
    for batch in (3, 1):
        x = nd.random.normal(shape=(batch, 10, 1, 1))
        net.hybridize(active=False)
        expected = net(x).asnumpy()
        net.hybridize(backend="onednn", static_alloc=static, static_shape=static)
        for _ in range(2):
            numpy.testing.assert_allclose(net(x).asnumpy(), expected, rtol=1e-4, atol=1e-5)
        net[0].weight.data()[:] *= 1.5  # packed again
        found = net(x).asnumpy()
        net.hybridize(active=False)
        numpy.testing.assert_allclose(found, net(x).asnumpy(), rtol=1e-4, atol=1e-5)
