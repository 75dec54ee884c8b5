"""Runs the workloads with PyTorch, imperatively or traced (``torch.jit.trace``), as _gluon_worker.py does."""

from __future__ import annotations

import itertools
import sys
import time
from collections.abc import Callable
from typing import Any

import torch  # pyright: ignore[reportMissingImports]
from torch import nn  # pyright: ignore[reportMissingImports]


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


def forward(net: Any, trace: bool, *shapes: tuple[int, ...]) -> Callable[[], Any]:
    inputs = [torch.randn(*s) for s in shapes]
    if trace:
        with torch.inference_mode():
            net = torch.jit.trace(net, tuple(inputs))

    def run() -> None:
        with torch.inference_mode():
            net(*inputs)

    return run


def training(net: Any, trace: bool, shape: tuple[int, ...]) -> Callable[[], Any]:
    x, y = torch.randn(*shape), torch.randint(0, 10, (shape[0],))
    if trace:
        net = torch.jit.trace(net, (x,))
    optimizer, loss = torch.optim.SGD(net.parameters(), lr=0.01), nn.CrossEntropyLoss()

    def step() -> None:
        optimizer.zero_grad()
        loss(net(x), y).backward()
        optimizer.step()

    return step


WORKLOADS: dict[str, Callable[[bool], Callable[[], Any]]] = {
    "A": lambda trace: forward(mlp(512, 256, 128, 2), trace, (1, 512)),
    "B": lambda trace: forward(lenet(), trace, (16, 1, 28, 28)),
    "C": lambda trace: training(lenet(), trace, (64, 1, 28, 28)),
    "D": lambda trace: forward(chain, trace, (1000, 1000), (1000, 1000)),
    "E": lambda trace: training(mlp(784, 512, 512, 10), trace, (256, 784)),
    "F": lambda trace: forward(nn.Sequential(mlp(*[64] * 51), nn.ReLU()), trace, (1, 64)),
}


def main() -> None:
    runs: dict[tuple[str, str], Callable[[], Any]] = {}
    print("ready", torch.__version__, flush=True)
    for line in sys.stdin:
        workload, mode, count = line.split()
        if (workload, mode) not in runs:
            run = runs[workload, mode] = WORKLOADS[workload](mode == "trace")
            for _ in range(5):
                run()
        run = runs[workload, mode]
        start = time.perf_counter()
        for _ in range(int(count)):
            run()
        print(time.perf_counter() - start, flush=True)


if __name__ == "__main__":
    main()
