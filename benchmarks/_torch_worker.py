"""Runs the workloads with PyTorch; the protocol is that of _gluon_worker.py.

Mode ``eager`` is imperative, ``trace`` is ``torch.jit.trace``, ``compile`` is ``torch.compile``, which needs a C++
compiler.
"""

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


def prepared(net: Any, mode: str, *inputs: Any) -> Any:
    if mode == "trace":
        return torch.jit.trace(net, inputs)
    return torch.compile(net) if mode == "compile" else net


def forward(net: Any, mode: str, *shapes: tuple[int, ...]) -> Callable[[], Any]:
    inputs = [torch.randn(*s) for s in shapes]
    net = prepared(net, mode, *inputs)

    def run() -> None:
        with torch.inference_mode():
            net(*inputs)

    return run


def training(net: Any, mode: str, shape: tuple[int, ...]) -> Callable[[], Any]:
    x, y = torch.randn(*shape), torch.randint(0, 10, (shape[0],))
    net = prepared(net, mode, x)
    optimizer, loss = torch.optim.SGD(net.parameters(), lr=0.01), nn.CrossEntropyLoss()

    def step() -> None:
        optimizer.zero_grad()
        loss(net(x), y).backward()
        optimizer.step()

    return step


WORKLOADS: dict[str, Callable[[str], Callable[[], Any]]] = {
    "A": lambda mode: forward(mlp(512, 256, 128, 2), mode, (1, 512)),
    "B": lambda mode: forward(lenet(), mode, (16, 1, 28, 28)),
    "C": lambda mode: training(lenet(), mode, (64, 1, 28, 28)),
    "D": lambda mode: forward(chain, mode, (1000, 1000), (1000, 1000)),
    "E": lambda mode: training(mlp(784, 512, 512, 10), mode, (256, 784)),
    "F": lambda mode: forward(nn.Sequential(mlp(*[64] * 51), nn.ReLU()), mode, (1, 64)),
}


def main() -> None:
    runs: dict[tuple[str, str], Callable[[], Any]] = {}
    print("ready", torch.__version__, flush=True)
    for line in sys.stdin:
        workload, mode, count = line.split()
        if (workload, mode) not in runs:
            try:
                run = runs[workload, mode] = WORKLOADS[workload](mode)
                for _ in range(5):
                    run()
            except Exception:
                if mode != "compile":
                    raise
                print("none", flush=True)  # no C++ compiler
                continue
        run = runs[workload, mode]
        start = time.perf_counter()
        for _ in range(int(count)):
            run()
        print(time.perf_counter() - start, flush=True)


if __name__ == "__main__":
    main()
