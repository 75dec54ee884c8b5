"""Whole networks as ONNX models: ONNX Runtime's outputs are ours."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy
import onnx
import pytest
from onnx_runtime import run

import d2lhybrid as mx
from d2lhybrid import autograd, gluon, nd
from d2lhybrid.gluon import nn, rnn
from d2lhybrid.gluon.model_zoo import vision
from d2lhybrid.onnx import UnsupportedOperatorsError, export_model
from tests.golden.models import BUILDERS, NP_BUILDERS

GOLDEN = Path(__file__).parent / "golden_data" / "models"
MODELS = {m["name"]: m for m in json.loads((GOLDEN / "manifest.json").read_text("utf-8"))["models"]}


@pytest.fixture
def np_semantics() -> Iterator[None]:
    mx.npx.set_np()
    yield
    mx.npx.reset_np()


def flat(outputs: Any) -> list[Any]:
    return [o for part in outputs for o in flat(part)] if isinstance(outputs, list | tuple) else [outputs]


def close(found: list[Any], expected: Any, context: Any = "") -> None:
    expected = flat(expected)
    assert len(found) == len(expected), context
    for a, b in zip(found, expected, strict=True):
        b = b.asnumpy()
        assert a.dtype == b.dtype, context
        numpy.testing.assert_allclose(a, b, rtol=2e-5, atol=2e-6 * max(1.0, abs(b).max()), err_msg=str(context))


def exported(net: Any, tmp_path: Path, *inputs: Any, **options: Any) -> Any:
    """Return the model of a net that is called with these inputs once."""
    net.hybridize()
    net(*inputs)
    net.export(str(tmp_path / "net"), format="onnx", **options)
    return onnx.load(str(tmp_path / "net.onnx"))


def feed(model: Any, inputs: Any) -> dict[str, Any]:
    return {i.name: a.asnumpy() for i, a in zip(model.graph.input, flat(inputs), strict=True)}


@contextlib.contextmanager
def dialect(numpy_arrays: bool) -> Iterator[None]:
    if numpy_arrays:
        mx.util.set_np()
    try:
        yield
    finally:
        mx.util.reset_np()


def check(net: Any, tmp_path: Path, *inputs: Any) -> Any:
    net.initialize(mx.init.Xavier())
    eager = net(*inputs)
    model = exported(net, tmp_path, *inputs)
    close(run(model, feed(model, inputs)), eager)
    return model


def pictures(*shape: int) -> Any:
    return nd.random.normal(shape=shape)


# --- networks of the lessons ----------------------------------------------------------------------


@pytest.mark.parametrize("name", [*BUILDERS, *NP_BUILDERS])
def test_networks_of_the_lessons(name: str, tmp_path: Path) -> None:
    with dialect(name in NP_BUILDERS):
        net, shapes = {**BUILDERS, **NP_BUILDERS}[name]()
        random = mx.np.random.uniform if name in NP_BUILDERS else nd.random.uniform
        inputs = [random(0, 1, s) for s in shapes]
        check(net, tmp_path, *inputs)
        model = exported(net, tmp_path, *inputs, dynamic_batch=True)
        for batch in (1, 4):
            others = [random(0, 1, (batch, *s[1:])) for s in shapes]
            close(run(model, feed(model, others)), net(*others), batch)


def with_parameters() -> list[str]:
    return [n for n in MODELS if (GOLDEN / f"{n}-0000.params").exists() and n not in ("foreach", "while_cond")]


@pytest.mark.parametrize("name", with_parameters())
def test_models_that_mxnet_has_written(name: str, tmp_path: Path) -> None:
    model = MODELS[name]
    inputs = {n: numpy.load(GOLDEN / f"{name}-input{i}.npy") for i, n in enumerate(model["input_names"])}
    symbol = GOLDEN / f"{name}-symbol.json"
    with dialect(model["np"]):
        order = [n for n in mx.sym.load(str(symbol)).list_inputs() if n in inputs]
        path = export_model(
            str(symbol), str(GOLDEN / f"{name}-0000.params"), [inputs[n].shape for n in order],
            [inputs[n].dtype for n in order], str(tmp_path / "model.onnx"),
        )  # fmt: skip
    for i, found in enumerate(run(onnx.load(path), inputs)):
        expected = numpy.load(GOLDEN / f"{name}-output{i}.npy")
        assert (found.shape, found.dtype) == (expected.shape, expected.dtype)
        numpy.testing.assert_allclose(found, expected, rtol=max(model["rtol"], 1e-5), atol=max(model["atol"], 1e-6))


def test_a_trained_net_predicts_with_its_moving_statistics(tmp_path: Path) -> None:
    net = nn.HybridSequential()
    net.add(nn.Conv2D(4, 3), nn.BatchNorm(), nn.Activation("relu"), nn.Dropout(0.5), nn.Flatten(), nn.Dense(3))
    net.initialize(mx.init.Xavier())
    net.hybridize()
    trainer = gluon.Trainer(net.collect_params(), "sgd", {"learning_rate": 0.1})
    for _ in range(3):
        with autograd.record():
            loss = net(pictures(8, 2, 6, 6) * 3 + 1).square().mean()
        loss.backward()
        trainer.step(1)
    x = pictures(2, 2, 6, 6)
    model = exported(net, tmp_path, x)
    assert "Dropout" not in [node.op_type for node in model.graph.node]
    close(run(model, feed(model, [x])), net(x))


# --- the model zoo --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "size"),
    [
        ("resnet18_v1", 64),
        ("resnet50_v2", 64),
        ("mobilenet0.25", 64),
        ("mobilenetv2_0.25", 64),
        ("vgg11_bn", 32),
        ("alexnet", 96),
        ("squeezenet1.1", 224),
        ("densenet121", 224),
        pytest.param("inceptionv3", 299, marks=pytest.mark.slow),
    ],
)
def test_the_model_zoo(name: str, size: int, tmp_path: Path) -> None:
    check(vision.get_model(name, classes=10), tmp_path, pictures(1, 3, size, size))


def test_pictures_of_any_size(tmp_path: Path) -> None:
    net = vision.get_model("resnet18_v1", classes=10, thumbnail=True)
    net.initialize(mx.init.Xavier())
    net.hybridize()
    net(pictures(1, 3, 16, 16))
    net.export(str(tmp_path / "net"))
    files = str(tmp_path / "net-symbol.json"), str(tmp_path / "net-0000.params")
    path = export_model(
        *files, [(1, 3, 16, 16)], numpy.float32, str(tmp_path / "net.onnx"), dynamic=True,
        dynamic_input_shapes=[("n", 3, "h", "w")],
    )  # fmt: skip
    model = onnx.load(path)
    for shape in ((1, 3, 16, 16), (2, 3, 24, 40)):
        x = pictures(*shape)
        close(run(model, feed(model, x)), net(x))


# --- recurrent layers -----------------------------------------------------------------------------


@pytest.mark.parametrize("bidirectional", [False, True])
@pytest.mark.parametrize("layer", [rnn.LSTM, rnn.GRU, rnn.RNN])
def test_recurrent_layers(layer: Any, bidirectional: bool, tmp_path: Path) -> None:
    net = layer(5, num_layers=2, bidirectional=bidirectional)
    states = [nd.random.normal(shape=s.shape) for s in net.begin_state(2)]
    check(net, tmp_path, pictures(4, 2, 3), states)


def test_recurrent_layers_in_a_net_take_any_batch(tmp_path: Path) -> None:
    net = nn.HybridSequential()
    net.add(nn.Embedding(9, 4), rnn.LSTM(5, num_layers=2, layout="NTC", bidirectional=True))
    net.add(rnn.GRU(5, layout="NTC"), rnn.RNN(3, layout="NTC"), nn.Dense(2))
    net.initialize()
    words = nd.array([[1, 2, 3], [4, 5, 8]])
    model = exported(net, tmp_path, words, dynamic_batch=True)
    assert model.graph.input[0].type.tensor_type.shape.dim[0].dim_param == "batch"
    for batch in (words, words[:1], nd.array(numpy.arange(12).reshape(4, 3) % 9)):
        close(run(model, feed(model, [batch])), net(batch))


class Unrolled(gluon.HybridBlock):
    """Two cells, step by step."""

    def __init__(self) -> None:
        super().__init__()
        with self.name_scope():
            self.first, self.second = rnn.GRUCell(4, input_size=3), rnn.LSTMCell(3, input_size=4)

    def hybrid_forward(self, F: Any, x: Any, h: Any, c: Any, s: Any) -> Any:
        y, _ = self.first.unroll(4, x, [s], merge_outputs=True)
        return self.second.unroll(4, y, [h, c], merge_outputs=True)


def test_unrolled_cells(tmp_path: Path) -> None:
    check(Unrolled(), tmp_path, pictures(2, 4, 3), pictures(2, 3), pictures(2, 3), pictures(2, 4))


# --- attention, as the book writes it ---------------------------------------------------------------


class Attention(gluon.HybridBlock):
    """Scaled dot products with masked softmax, in the np dialect."""

    def __init__(self, units: int) -> None:
        super().__init__()
        self.query, self.key, self.value = (nn.Dense(units, flatten=False, use_bias=False) for _ in range(3))
        self.norm = nn.LayerNorm()

    def hybrid_forward(self, F: Any, x: Any, lengths: Any) -> Any:
        scores = F.npx.batch_dot(self.query(x), self.key(x), transpose_b=True) / 2.0
        weights = F.npx.softmax(F.npx.sequence_mask(scores.swapaxes(1, 2), lengths, True, value=-1e6, axis=1), axis=1)
        return self.norm(x + F.npx.batch_dot(weights.swapaxes(1, 2), self.value(x)))


def test_attention(tmp_path: Path) -> None:
    with dialect(numpy_arrays=True):
        x, lengths = mx.np.random.normal(size=(2, 5, 4)), mx.np.array([3, 5])
        check(Attention(4), tmp_path, x, lengths)


# --- what cannot be written -----------------------------------------------------------------------


class Unsupported(gluon.HybridBlock):
    """Two operators without a translation, one with."""

    def hybrid_forward(self, F: Any, x: Any) -> Any:
        return F.gamma(F.relu(x), name="first") + F.linalg.inverse(x, name="second")


def test_one_error_lists_all_that_cannot_be_written(tmp_path: Path) -> None:
    net = Unsupported()
    net.hybridize()
    net(nd.array(numpy.eye(3)))
    with pytest.raises(UnsupportedOperatorsError) as caught:
        net.export(str(tmp_path / "net"), format="onnx")
    first, *lines = str(caught.value).splitlines()
    nodes, places = lines[::2], lines[1::2]
    assert first == "2 nodes of the graph cannot be written as ONNX:"
    assert [node.split(":")[0].split()[0] for node in nodes] == ["gamma", "_linalg_inverse"]
    assert "'unsupported0_first'" in nodes[0] and "'unsupported0_second'" in nodes[1]
    assert all("use other operators" in node for node in nodes)
    assert all('F.gamma(F.relu(x), name="first")' in place for place in places)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("name", ["foreach", "while_cond"])
def test_loops_are_refused(name: str, tmp_path: Path) -> None:
    symbol = mx.sym.load(str(GOLDEN / f"{name}-symbol.json"))
    inputs = {n: numpy.load(GOLDEN / f"{name}-input{i}.npy") for i, n in enumerate(MODELS[name]["input_names"])}
    shapes = [inputs[n].shape for n in symbol.list_inputs() if n in inputs]
    with pytest.raises(UnsupportedOperatorsError, match="loops and branches have no translation"):
        export_model(symbol, str(GOLDEN / f"{name}-0000.params"), shapes, numpy.float32, str(tmp_path / "a.onnx"))
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("labels", [[-0.3, -1.2, 1.5], [0, 7, 2], [0, 1, 2]])
@pytest.mark.parametrize("scale", [1, 40])
def test_a_label_that_is_no_class_costs_what_it_costs_here(labels, scale):
    class Loss(gluon.HybridBlock):
        def hybrid_forward(self, F, scores, label):
            return F.softmax_cross_entropy(scores, label)

    loss, scores = Loss(), nd.arange(12).reshape((3, 4)) * scale
    expected = loss(scores, nd.array(labels)).asnumpy()
    loss.hybridize(backend="onnxruntime")
    numpy.testing.assert_allclose(loss(scores, nd.array(labels)).asnumpy(), expected, rtol=1e-5)


@pytest.mark.parametrize(
    "function",
    [
        *("squeeze(x, axis=0)", "squeeze(x, axis=-1)", "argmax(x, axis=0)", "argmin(x, axis=-1)", "roll(x, 1)"),
        *("flip(x)", "cumsum(x)", "transpose(x)", "tile(x, 2)", "repeat(x, 2)", "expand_dims(x, -1)", "argmax(x)"),
    ],
)
def test_numbers_without_axes(function: str, np_semantics: None) -> None:
    class Net(gluon.HybridBlock):
        def hybrid_forward(self, F: Any, x: Any) -> Any:
            return eval(f"F.np.{function}", {"F": F, "x": x})

    net, x = Net(), mx.np.array(1.5)
    expected = net(x)
    net.hybridize(backend="onnxruntime")
    found = net(x)
    assert found.shape == expected.shape and found.dtype == expected.dtype
    assert numpy.array_equal(found.asnumpy(), expected.asnumpy())
