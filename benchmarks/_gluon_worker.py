"""A worker that runs the workloads with d2lhybrid or with real MXNet, which differ only in the import.

compare.py starts it as ``python _gluon_worker.py d2lhybrid|mxnet``; compare_gpu.py adds ``gpu``.
"""

from __future__ import annotations

import functools
import gc
import importlib
import math
import sys
from collections.abc import Callable
from typing import Any

import numpy
from _serving import serve

mx: Any = importlib.import_module(sys.argv[1])
nd, autograd, gluon = mx.nd, mx.autograd, mx.gluon
nn = gluon.nn
CONTEXT = mx.gpu() if "gpu" in sys.argv[2:] else mx.cpu()


def mlp() -> Any:
    net = nn.HybridSequential()
    net.add(nn.Dense(256, activation="relu"), nn.Dense(128, activation="relu"), nn.Dense(2))
    return net


class LeNet(gluon.HybridBlock):
    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        with self.name_scope():
            self.conv1, self.pool1 = nn.Conv2D(6, kernel_size=5), nn.MaxPool2D(pool_size=2)
            self.conv2, self.pool2 = nn.Conv2D(16, kernel_size=5), nn.MaxPool2D(pool_size=2)
            self.fc1, self.fc2 = nn.Dense(120), nn.Dense(84)
            self.fc3_weight = self.params.get("fc3_weight", shape=(10, 84))

    def hybrid_forward(self, F: Any, x: Any, fc3_weight: Any) -> Any:
        x = self.pool1(F.relu(self.conv1(x)))
        x = self.pool2(F.relu(self.conv2(x)))
        x = x.reshape((0, -1))
        x = F.relu(self.fc2(F.relu(self.fc1(x))))
        return F.dot(x, fc3_weight, transpose_b=True)


class Chain(gluon.HybridBlock):
    """A block of twelve element-wise operators, three of which are tanh."""

    def hybrid_forward(self, F: Any, x: Any, y: Any) -> Any:
        h = F.relu(F.tanh(x) * 1.5 + 0.1) * y
        h = F.relu((F.tanh(h) + x) * 0.5) - 0.2
        return F.tanh(h) * y


class CheapChain(gluon.HybridBlock):
    """A block of twelve element-wise operators, with a subtraction instead of each tanh."""

    def hybrid_forward(self, F: Any, x: Any, y: Any) -> Any:
        h = F.relu((x - y) * 1.5 + 0.1) * y
        h = F.relu((h - y + x) * 0.5) - 0.2
        return (h - x) * y


def wide_mlp() -> Any:
    net = nn.HybridSequential()
    net.add(nn.Dense(512, activation="relu"), nn.Dense(512, activation="relu"), nn.Dense(10))
    return net


def tower(layers: int = 50) -> Any:
    net = nn.HybridSequential()
    net.add(*[nn.Dense(64, activation="relu", in_units=64) for _ in range(layers)])
    return net


def resnet_18() -> Any:
    return gluon.model_zoo.vision.resnet18_v1()


def mobilenet() -> Any:
    return gluon.model_zoo.vision.mobilenet0_25()


def small_resnet() -> Any:
    vision = gluon.model_zoo.vision
    return vision.ResNetV1(vision.BasicBlockV1, [2, 2], [16, 16, 32], classes=10, thumbnail=True)


def squeezenet() -> Any:
    return gluon.model_zoo.vision.squeezenet1_1()


def vgg_11() -> Any:
    return gluon.model_zoo.vision.vgg11()


def convolution() -> Any:
    return nn.Conv2D(64, kernel_size=3, padding=1, activation="relu")


def generator() -> Any:
    """Return DCGAN's generator for images of 32 by 32 pixels."""
    net = nn.HybridSequential()
    for channels, stride, pad in [(256, 1, 0), (128, 2, 1), (64, 2, 1)]:
        net.add(nn.Conv2DTranspose(channels, 4, stride, pad, use_bias=False), nn.BatchNorm(), nn.Activation("relu"))
    net.add(nn.Conv2DTranspose(3, 4, 2, 1, use_bias=False), nn.Activation("tanh"))
    return net


class LanguageModel(gluon.HybridBlock):
    """An embedding, an LSTM and a dense layer, for words ``(steps, batch)``."""

    def __init__(self, words: int = 1000, units: int = 128, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        with self.name_scope():
            self.embedding = nn.Embedding(words, units)
            self.lstm = gluon.rnn.LSTM(units, input_size=units)
            self.dense = nn.Dense(words, flatten=False, in_units=units)

    def hybrid_forward(self, F: Any, words: Any) -> Any:
        return self.dense(self.lstm(self.embedding(words)))


class Transformer(gluon.HybridBlock):
    """One block of a transformer's encoder, for ``(batch, steps, units)``."""

    def __init__(self, units: int = 128, heads: int = 4, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self._heads, self._scale = heads, (units // heads) ** -0.5
        with self.name_scope():
            self.query, self.key, self.value, self.out = (
                nn.Dense(units, flatten=False, use_bias=False, in_units=units) for _ in range(4)
            )
            self.inner = nn.Dense(4 * units, flatten=False, activation="relu", in_units=units)
            self.outer = nn.Dense(units, flatten=False, in_units=4 * units)
            self.norm1, self.norm2 = nn.LayerNorm(in_channels=units), nn.LayerNorm(in_channels=units)

    def _split(self, F: Any, x: Any) -> Any:
        x = F.transpose(F.reshape(x, (0, 0, self._heads, -1)), (0, 2, 1, 3))
        return F.reshape(x, (-3, 0, 0))

    def hybrid_forward(self, F: Any, x: Any) -> Any:
        query, key, value = (self._split(F, layer(x)) for layer in (self.query, self.key, self.value))
        weights = F.softmax(F.batch_dot(query, key, transpose_b=True) * self._scale)
        joined = F.reshape(F.batch_dot(weights, value), (-4, -1, self._heads, 0, 0))
        joined = F.reshape(F.transpose(joined, (0, 2, 1, 3)), (0, 0, -3))
        x = self.norm1(x + self.out(joined))
        return self.norm2(x + self.outer(self.inner(x)))


STATIC = {"static_alloc": True, "static_shape": True}
MODES: dict[str, dict[str, Any] | None] = {
    "eager": None,
    "hybridized": {},
    "tier-0": {"backend": "numpy"},
    "static_alloc": {"static_alloc": True},
    "static": STATIC,
    "c": {"backend": "c"},
    "c+static": {"backend": "c", **STATIC},
    "onednn": {"backend": "onednn"},
    "onednn+static": {"backend": "onednn", **STATIC},
    "onnxruntime": {"backend": "onnxruntime"},
}


def normal(*shape: int) -> Any:
    return nd.array(numpy.random.default_rng(0).normal(size=shape).astype("float32"), ctx=CONTEXT)


def noise(*shape: int) -> Any:
    """Return random numbers on the device, where large arrays need no copy."""
    return nd.random.normal(shape=shape, ctx=CONTEXT)


def initialize(net: Any, *inputs: Any) -> None:
    """Initialize a net, including deferred parameters, so that the first timed call excludes initialization."""
    net.initialize(ctx=CONTEXT)
    net.infer_shape(*inputs)
    for parameter in net.collect_params().values():
        parameter._finish_deferred_init()
    nd.waitall()


def since(*blocks: Any) -> float:
    """Return the number of the call that first ran the final programs of some blocks; infinity before that call."""
    found = [p for block in blocks if getattr(block, "_cached_op", None) for p in getattr(block, "programs", [])]
    if any(program.tier == 0 and program.promotion is not None for program in found):
        return math.inf
    return max((program.since_call for program in found), default=1)


def forward(
    build: Callable[[], Any], mode: str, *shapes: tuple[int, ...], data: Callable[..., Any] = normal
) -> Callable[[], Any]:
    net, inputs = build(), [data(*s) for s in shapes]
    initialize(net, *inputs)
    flags = MODES[mode]
    if flags is not None:
        net.hybridize(**flags)

    def run() -> Any:
        return net(*inputs)

    run.cost, run.net = lambda: _cost(net), net  # type: ignore[attr-defined]
    run.since = lambda: since(net)  # type: ignore[attr-defined]
    run.given = inputs  # type: ignore[attr-defined]
    return run


def first_call(layers: int, mode: str) -> Callable[[], Any]:
    """Return a function that calls ``hybridize()`` and then the net, which traces and compiles."""
    net, x, flags = tower(layers), normal(4, 64), MODES[mode]
    assert flags is not None
    net.initialize(ctx=CONTEXT)

    def run() -> Any:
        net.hybridize(**flags)
        return net(x)

    run.net = net  # type: ignore[attr-defined]
    return run


def whole(*shape: int) -> Any:
    """Return random words or classes."""
    return nd.array(numpy.random.default_rng(1).integers(0, 10, shape), ctx=CONTEXT)


def training(
    build: Callable[[], Any],
    mode: str,
    shape: tuple[int, ...],
    data: Callable[..., Any] = normal,
    label: tuple[int, ...] | None = None,
    target: tuple[int, ...] | None = None,
) -> Callable[[], Any] | None:
    """Return a training step for classes of examples or words (``label``), or to minimize an output (``target``)."""
    if mode == "onnxruntime":  # it cannot do that
        return None
    net, x = build(), data(*shape)
    y = whole(*(label or shape[:1])) if target is None else nd.zeros(target, ctx=CONTEXT)
    loss = gluon.loss.SoftmaxCrossEntropyLoss() if target is None else gluon.loss.L2Loss()
    initialize(net, x)
    flags = MODES[mode]
    if flags is not None:
        net.hybridize(**flags)
        loss.hybridize(**flags)
    trainer = gluon.Trainer(net.collect_params(), "sgd", {"learning_rate": 0.01})

    def step() -> None:
        with autograd.record():
            value = loss(net(x), y)
        value.backward()
        trainer.step(shape[0])

    def cost() -> tuple[int, int]:
        elements = sum(p.data().size for p in net.collect_params().values())
        costs = [
            _cost(net),
            _cost(loss),
            (2 * elements, 3 * 4 * elements),
        ]  # a weight and its gradient are read, it is written
        return sum(c[0] for c in costs), sum(c[1] for c in costs)

    step.cost, step.net = cost, net  # type: ignore[attr-defined]
    step.since = lambda: since(net, loss)  # type: ignore[attr-defined]
    step.given = [x, y]  # type: ignore[attr-defined]
    return step


def _cost(net: Any) -> tuple[int, int]:
    """Return the operations and bytes of a call of the most recently compiled program."""
    program = net.explain().programs[-1]
    return program.flops, program.bytes_moved


WORKLOADS: dict[str, Callable[[str], Callable[[], Any] | None]] = {
    "A": lambda mode: forward(mlp, mode, (1, 512)),
    "B": lambda mode: forward(LeNet, mode, (16, 1, 28, 28)),
    "C": lambda mode: training(LeNet, mode, (64, 1, 28, 28)),
    "D": lambda mode: forward(Chain, mode, (1000, 1000), (1000, 1000)),
    "D2": lambda mode: forward(CheapChain, mode, (1000, 1000), (1000, 1000)),
    "E": lambda mode: training(wide_mlp, mode, (256, 784)),
    "F": lambda mode: forward(tower, mode, (1, 64)),
    # next to busy processes
    "resnet-18": lambda mode: forward(resnet_18, mode, (1, 3, 224, 224)),
    "mobilenet": lambda mode: forward(mobilenet, mode, (1, 3, 224, 224)),
    "small-resnet": lambda mode: training(small_resnet, mode, (32, 3, 32, 32)),
    # the zoo
    "convolution": lambda mode: forward(convolution, mode, (8, 64, 56, 56)),
    "squeezenet": lambda mode: forward(squeezenet, mode, (1, 3, 224, 224)),
    "vgg-11": lambda mode: forward(vgg_11, mode, (1, 3, 224, 224)),
    "generator": lambda mode: forward(generator, mode, (8, 100, 1, 1)),
    "generator-training": lambda mode: training(generator, mode, (8, 100, 1, 1), target=(8, 3, 32, 32)),
    "lstm": lambda mode: forward(LanguageModel, mode, (35, 16), data=whole),
    "lstm-training": lambda mode: training(LanguageModel, mode, (35, 16), data=whole, label=(35, 16)),
    "transformer": lambda mode: forward(Transformer, mode, (8, 64, 128)),
    "transformer-training": lambda mode: training(Transformer, mode, (8, 64, 128), target=(8, 64, 128)),
    # the time of compiling
    **{f"first-{layers}": functools.partial(first_call, layers) for layers in (50, 200, 800, 2500)},
    # for a GPU
    "A64": lambda mode: forward(mlp, mode, (64, 512)),
    "A1024": lambda mode: forward(mlp, mode, (1024, 512)),
    "C512": lambda mode: training(LeNet, mode, (512, 1, 28, 28)),
    "D64M": lambda mode: forward(Chain, mode, (8192, 8192), (8192, 8192), data=noise),
}


def build(workload: str, mode: str) -> Any:
    return WORKLOADS[workload](mode)


def release() -> None:
    gc.collect()
    CONTEXT.empty_cache()


if __name__ == "__main__":
    serve(getattr(mx, "__version__", ""), build, lambda result: nd.waitall(), release)
