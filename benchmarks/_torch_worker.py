"""A worker that runs the workloads with PyTorch, with the protocol of _serving.py.

Mode ``eager`` runs eagerly, ``trace`` uses ``torch.jit.trace``, ``compile`` uses ``torch.compile``, which needs a C++
compiler, and ``reduce-overhead`` is the mode of ``torch.compile`` that records CUDA graphs. Arguments: ``gpu`` to run
on a GPU, and ``fp32`` to forbid TensorFloat-32, PyTorch's default in convolutions.
"""

from __future__ import annotations

import functools
import gc
import importlib
import itertools
import sys
from collections.abc import Callable
from typing import Any

import torch  # pyright: ignore[reportMissingImports]
from _serving import serve
from _torch_zoo import TARGETS, ZOO, trains
from torch import nn  # pyright: ignore[reportMissingImports]

DEVICE = "cuda" if "gpu" in sys.argv[1:] else "cpu"
if "fp32" in sys.argv[1:]:
    torch.backends.cuda.matmul.allow_tf32 = False
    torch.backends.cudnn.allow_tf32 = False


def mlp(*sizes: int) -> Any:
    layers: list[Any] = []
    for a, b in itertools.pairwise(sizes):
        layers += [nn.Linear(a, b), nn.ReLU()]
    return nn.Sequential(*layers[:-1])


def lenet() -> Any:
    return nn.Sequential(
        nn.Conv2d(1, 6, 5), nn.ReLU(), nn.MaxPool2d(2), nn.Conv2d(6, 16, 5), nn.ReLU(), nn.MaxPool2d(2), nn.Flatten(),
        nn.Linear(256, 120), nn.ReLU(), nn.Linear(120, 84), nn.ReLU(), nn.Linear(84, 10, bias=False),
    )  # fmt: skip


def chain(x: Any, y: Any) -> Any:
    h = torch.relu(torch.tanh(x) * 1.5 + 0.1) * y
    h = torch.relu((torch.tanh(h) + x) * 0.5) - 0.2
    return torch.tanh(h) * y


def cheap_chain(x: Any, y: Any) -> Any:
    h = torch.relu((x - y) * 1.5 + 0.1) * y
    h = torch.relu((h - y + x) * 0.5) - 0.2
    return (h - x) * y


def prepared(net: Any, mode: str, *inputs: Any) -> Any:
    if mode == "trace":
        traced = torch.jit.trace(net, inputs)
        return traced if getattr(net, "training", True) else torch.jit.optimize_for_inference(traced)
    if mode in ("compile", "reduce-overhead"):
        torch.compiler.reset()  # or a second batch size of the same net would be compiled for sizes that change
        return torch.compile(net, mode="default" if mode == "compile" else mode)
    return net


class Prepared:
    """A net and its data; the first call traces or compiles the net."""

    def __init__(self, mode: str, begin: Callable[[], Callable[[], Any]]) -> None:
        if mode in ("compile", "reduce-overhead"):  # loaded on demand, as the other libraries are loaded by now
            importlib.import_module("torch._dynamo")
            importlib.import_module("torch._inductor.compile_fx")
        self.begin = begin


def forward(net: Any, mode: str, *shapes: tuple[int, ...]) -> Prepared:
    return _forward(net, mode, *[torch.randn(*s, device=DEVICE) for s in shapes])


def _forward(net: Any, mode: str, *inputs: Any) -> Prepared:
    def begin() -> Callable[[], Any]:
        ready = prepared(net, mode, *inputs)

        def run() -> Any:
            with torch.inference_mode():
                return ready(*inputs)

        return run

    return Prepared(mode, begin)


def training(net: Any, mode: str, shape: tuple[int, ...]) -> Prepared:
    x, y = torch.randn(*shape, device=DEVICE), torch.randint(0, 10, (shape[0],), device=DEVICE)
    return _step(net, mode, x, y, nn.CrossEntropyLoss())


def _step(net: Any, mode: str, x: Any, y: Any, loss: Any) -> Prepared:
    def begin() -> Callable[[], Any]:
        ready = prepared(net, mode, x)
        optimizer = torch.optim.SGD(ready.parameters(), lr=0.01)

        def step() -> None:
            optimizer.zero_grad()
            out = ready(x)
            loss(out if out.shape == y.shape else out.flatten(0, -2), y).backward()
            optimizer.step()

        return step

    return Prepared(mode, begin)


def zoo(workload: str, mode: str) -> Prepared:
    """Return a net of the zoo."""
    make, shape, words, label = ZOO[workload]
    x = torch.randint(0, 10, shape) if words else torch.randn(*shape)
    if not trains(workload):
        return _forward(make().eval(), mode, x)
    net = make().train()
    if label is not None:
        return _step(net, mode, x, torch.randint(0, 10, label).flatten(), nn.CrossEntropyLoss())
    return _step(net, mode, x, torch.zeros(TARGETS[workload]), nn.MSELoss())


WORKLOADS: dict[str, Callable[[str], Prepared]] = {
    **{name: functools.partial(zoo, name) for name in ZOO},
    "A": lambda mode: forward(mlp(512, 256, 128, 2).to(DEVICE), mode, (1, 512)),
    "B": lambda mode: forward(lenet().to(DEVICE), mode, (16, 1, 28, 28)),
    "C": lambda mode: training(lenet().to(DEVICE), mode, (64, 1, 28, 28)),
    "D": lambda mode: forward(chain, mode, (1000, 1000), (1000, 1000)),
    "D2": lambda mode: forward(cheap_chain, mode, (1000, 1000), (1000, 1000)),
    "E": lambda mode: training(mlp(784, 512, 512, 10).to(DEVICE), mode, (256, 784)),
    "F": lambda mode: forward(nn.Sequential(mlp(*[64] * 51), nn.ReLU()).to(DEVICE), mode, (1, 64)),
    # preparations that a compiler makes once, such as header files
    "tiny": lambda mode: forward(torch.tanh, mode, (8, 8)),
    # for a GPU
    "A64": lambda mode: forward(mlp(512, 256, 128, 2).to(DEVICE), mode, (64, 512)),
    "A1024": lambda mode: forward(mlp(512, 256, 128, 2).to(DEVICE), mode, (1024, 512)),
    "C512": lambda mode: training(lenet().to(DEVICE), mode, (512, 1, 28, 28)),
    "D64M": lambda mode: forward(chain, mode, (8192, 8192), (8192, 8192)),
}


def synchronize(result: Any) -> None:
    if DEVICE == "cuda":
        torch.cuda.synchronize()


def release() -> None:
    gc.collect()
    if DEVICE == "cuda":
        torch.cuda.empty_cache()


if __name__ == "__main__":
    serve(torch.__version__, lambda workload, mode: WORKLOADS[workload](mode), synchronize, release)
