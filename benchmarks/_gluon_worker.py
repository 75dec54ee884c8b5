"""Runs the workloads with d2lhybrid or with real MXNet: the same program, another import.

Started by compare.py as ``python _gluon_worker.py d2lhybrid|mxnet``. Reads lines ``workload mode
repetitions`` and answers each with the seconds that they took.
"""

from __future__ import annotations

import importlib
import sys
import time
from collections.abc import Callable
from typing import Any

import numpy

mx: Any = importlib.import_module(sys.argv[1])
nd, autograd, gluon = mx.nd, mx.autograd, mx.gluon
nn = gluon.nn


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
    """Twelve element-wise operators, three of them tanh."""

    def hybrid_forward(self, F: Any, x: Any, y: Any) -> Any:
        h = F.relu(F.tanh(x) * 1.5 + 0.1) * y
        h = F.relu((F.tanh(h) + x) * 0.5) - 0.2
        return F.tanh(h) * y


def wide_mlp() -> Any:
    net = nn.HybridSequential()
    net.add(nn.Dense(512, activation="relu"), nn.Dense(512, activation="relu"), nn.Dense(10))
    return net


def tower() -> Any:
    net = nn.HybridSequential()
    net.add(*[nn.Dense(64, activation="relu") for _ in range(50)])
    return net


STATIC = {"static_alloc": True, "static_shape": True}
MODES: dict[str, dict[str, Any] | None] = {
    "eager": None,
    "hybridized": {},
    "static": STATIC,
    "c": {"backend": "c"},
    "c+static": {"backend": "c", **STATIC},
    "onnxruntime": {"backend": "onnxruntime"},
}
#: What a backend for inference cannot do.
LEFT_OUT = {("C", "onnxruntime"), ("E", "onnxruntime")}


def normal(*shape: int) -> Any:
    return nd.array(numpy.random.default_rng(0).normal(size=shape).astype("float32"))


def forward(build: Callable[[], Any], mode: str, *shapes: tuple[int, ...]) -> Callable[[], Any]:
    net, inputs = build(), [normal(*s) for s in shapes]
    net.initialize()
    flags = MODES[mode]
    if flags is not None:
        net.hybridize(**flags)
    return lambda: net(*inputs)


def training(build: Callable[[], Any], mode: str, shape: tuple[int, ...]) -> Callable[[], Any]:
    net, x = build(), normal(*shape)
    y = nd.array(numpy.random.default_rng(1).integers(0, 10, shape[0]))
    loss = gluon.loss.SoftmaxCrossEntropyLoss()
    net.initialize()
    flags = MODES[mode]
    if flags is not None:
        net.hybridize(**flags)
        loss.hybridize(**flags)
    net(x)
    trainer = gluon.Trainer(net.collect_params(), "sgd", {"learning_rate": 0.01})

    def step() -> None:
        with autograd.record():
            value = loss(net(x), y)
        value.backward()
        trainer.step(shape[0])

    return step


WORKLOADS: dict[str, Callable[[str], Callable[[], Any]]] = {
    "A": lambda mode: forward(mlp, mode, (1, 512)),
    "B": lambda mode: forward(LeNet, mode, (16, 1, 28, 28)),
    "C": lambda mode: training(LeNet, mode, (64, 1, 28, 28)),
    "D": lambda mode: forward(Chain, mode, (1000, 1000), (1000, 1000)),
    "E": lambda mode: training(wide_mlp, mode, (256, 784)),
    "F": lambda mode: forward(tower, mode, (1, 64)),
}


def main() -> None:
    runs: dict[tuple[str, str], Callable[[], Any]] = {}
    print("ready", getattr(mx, "__version__", ""), flush=True)
    for line in sys.stdin:
        workload, mode, count = line.split()
        if (workload, mode) in LEFT_OUT:
            print("none", flush=True)
            continue
        if (workload, mode) not in runs:
            run = runs[workload, mode] = WORKLOADS[workload](mode)
            for _ in range(3):
                run()
            nd.waitall()
        run = runs[workload, mode]
        start = time.perf_counter()
        for _ in range(int(count)):
            run()
        nd.waitall()
        print(time.perf_counter() - start, flush=True)


if __name__ == "__main__":
    main()
