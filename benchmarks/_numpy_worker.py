"""A worker that runs the forward workloads A, D, D2, and F as handwritten NumPy programs, a target for compilers.

Buffers are allocated once, and results are new arrays. The protocol is in _serving.py.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any

import numpy as np
from _serving import serve

FLOAT = np.float32
ZERO = np.zeros((), FLOAT)


def normal(*shape: int) -> Any:
    return np.random.default_rng(0).normal(0, 0.1, shape).astype(FLOAT)


def mlp(*sizes: int, last_relu: bool = False) -> Callable[[], Any]:
    """Return matrix-vector products with bias and ReLU in place."""
    x = normal(1, sizes[0])
    layers = [(normal(b, a), normal(b), np.empty(b, FLOAT)) for a, b in itertools.pairwise(sizes)]
    (*hidden, (weight, bias, _)) = layers

    def run(dot: Any = np.dot, add: Any = np.add, maximum: Any = np.maximum) -> Any:
        h = x[0]
        for w, b, out in hidden:
            dot(w, h, out)
            add(out, b, out)
            h = maximum(out, ZERO, out=out)
        y = np.empty((1, len(bias)), FLOAT)
        row = y[0]
        dot(weight, h, row)
        add(row, bias, row)
        return maximum(y, ZERO, out=y) if last_relu else y

    return run


def chain() -> Callable[[], Any]:
    """Return the element-wise chain, computed in blocks that fit into the cache."""
    x, y, block = normal(1000000), normal(1000000), 1 << 16
    scratch = np.empty(block, FLOAT)
    one_half, tenth, half, fifth = (FLOAT(v) for v in (1.5, 0.1, 0.5, 0.2))

    def run() -> Any:
        result = np.empty_like(x)
        for i in range(0, len(x), block):
            a, b = x[i : i + block], y[i : i + block]
            h = scratch[: len(a)]
            np.tanh(a, h)
            np.multiply(h, one_half, h)
            np.add(h, tenth, h)
            np.maximum(h, ZERO, out=h)
            np.multiply(h, b, h)
            np.tanh(h, h)
            np.add(h, a, h)
            np.multiply(h, half, h)
            np.maximum(h, ZERO, out=h)
            np.subtract(h, fifth, h)
            np.tanh(h, h)
            np.multiply(h, b, result[i : i + block])
        return result

    return run


def cheap_chain() -> Callable[[], Any]:
    """Return the chain of cheap operators, computed in blocks that fit into the cache."""
    x, y, block = normal(1000000), normal(1000000), 1 << 16
    scratch = np.empty(block, FLOAT)
    one_half, tenth, half, fifth = (FLOAT(v) for v in (1.5, 0.1, 0.5, 0.2))

    def run() -> Any:
        result = np.empty_like(x)
        for i in range(0, len(x), block):
            a, b = x[i : i + block], y[i : i + block]
            h = scratch[: len(a)]
            np.subtract(a, b, h)
            np.multiply(h, one_half, h)
            np.add(h, tenth, h)
            np.maximum(h, ZERO, out=h)
            np.multiply(h, b, h)
            np.subtract(h, b, h)
            np.add(h, a, h)
            np.multiply(h, half, h)
            np.maximum(h, ZERO, out=h)
            np.subtract(h, fifth, h)
            np.subtract(h, a, h)
            np.multiply(h, b, result[i : i + block])
        return result

    return run


WORKLOADS: dict[str, Callable[[], Callable[[], Any]]] = {
    "A": lambda: mlp(512, 256, 128, 2),
    "D": chain,
    "D2": cheap_chain,
    "F": lambda: mlp(*[64] * 51, last_relu=True),
}


def build(workload: str, mode: str) -> Callable[[], Any] | None:
    return WORKLOADS[workload]() if workload in WORKLOADS else None


if __name__ == "__main__":
    serve(np.__version__, build, lambda result: None)
