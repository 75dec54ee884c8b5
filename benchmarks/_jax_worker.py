"""A worker that runs the workloads with JAX's jit, with the protocol of _serving.py.

Arguments: ``gpu`` to run on a GPU, and ``fp32`` to forbid TensorFloat-32, JAX's default for products on a GPU.
"""

from __future__ import annotations

import functools
import itertools
import os
import sys
from collections.abc import Callable
from typing import Any

os.environ["JAX_PLATFORMS"] = "cuda" if "gpu" in sys.argv[1:] else "cpu"
os.environ["XLA_PYTHON_CLIENT_PREALLOCATE"] = "false"  # it shares the GPU with the other contenders

import jax  # pyright: ignore[reportMissingImports]
import jax.numpy as jnp  # pyright: ignore[reportMissingImports]
import numpy
from _jax_zoo import ZOO, initial, training_step, trains
from _serving import serve

if "fp32" in sys.argv[1:]:
    jax.config.update("jax_default_matmul_precision", "highest")


def parameters(*shapes: tuple[int, ...]) -> list[Any]:
    rng = numpy.random.default_rng(0)
    return [jnp.asarray(rng.normal(0, 0.1, shape).astype("float32")) for shape in shapes]


def mlp_parameters(*sizes: int) -> list[Any]:
    return parameters(*[shape for a, b in itertools.pairwise(sizes) for shape in ((a, b), (b,))])


def mlp(p: list[Any], x: Any, last_relu: bool = False) -> Any:
    for i in range(0, len(p), 2):
        x = x @ p[i] + p[i + 1]
        if last_relu or i + 2 < len(p):
            x = jnp.maximum(x, 0)
    return x


def lenet_parameters() -> list[Any]:
    return parameters((6, 1, 5, 5), (6,), (16, 6, 5, 5), (16,), (256, 120), (120,), (120, 84), (84,), (84, 10))


def lenet(p: list[Any], x: Any) -> Any:
    for w, b in (p[0:2], p[2:4]):
        x = jax.lax.conv_general_dilated(x, w, (1, 1), "VALID") + b[:, None, None]
        x = jnp.maximum(x, 0)
        x = jax.lax.reduce_window(x, -jnp.inf, jax.lax.max, (1, 1, 2, 2), (1, 1, 2, 2), "VALID")
    x = x.reshape(len(x), -1)
    x = jnp.maximum(x @ p[4] + p[5], 0)
    x = jnp.maximum(x @ p[6] + p[7], 0)
    return x @ p[8]


def chain(x: Any, y: Any) -> Any:
    h = jnp.maximum(jnp.tanh(x) * 1.5 + 0.1, 0) * y
    h = jnp.maximum((jnp.tanh(h) + x) * 0.5, 0) - 0.2
    return jnp.tanh(h) * y


def cheap_chain(x: Any, y: Any) -> Any:
    h = jnp.maximum((x - y) * 1.5 + 0.1, 0) * y
    h = jnp.maximum((h - y + x) * 0.5, 0) - 0.2
    return (h - x) * y


def forward(function: Callable[..., Any], *arguments: Any) -> Callable[[], Any]:
    run = jax.jit(function)
    return lambda: run(*arguments)


def training(net: Callable[..., Any], p: list[Any], shape: tuple[int, ...]) -> Callable[[], Any]:
    (x,), y = parameters(shape), jnp.asarray(numpy.random.default_rng(1).integers(0, 10, shape[0]))

    def loss(p: list[Any]) -> Any:
        logits = jax.nn.log_softmax(net(p, x))
        return -jnp.mean(jnp.take_along_axis(logits, y[:, None], 1))

    @jax.jit
    def step(p: list[Any]) -> list[Any]:
        return [w - 0.01 * g for w, g in zip(p, jax.grad(loss)(p), strict=True)]

    state = [p]

    def run() -> Any:
        state[0] = step(state[0])
        return state[0]

    return run


def first_call(layers: int) -> Callable[[], Any]:
    """Return a function that calls ``jit`` and then the result, which traces and compiles."""
    p, (x,) = mlp_parameters(*[64] * (layers + 1)), parameters((4, 64))
    return lambda: jax.jit(lambda p, x: mlp(p, x, True))(p, x)


def zoo(workload: str) -> Callable[[], Any]:
    """Return a net of the zoo, or a training step."""
    make, shape, words, label = ZOO[workload]
    layer, rng = make(), numpy.random.default_rng(1)
    p = initial(layer)
    x = jnp.asarray(rng.integers(0, 10, shape) if words else rng.normal(size=shape).astype("float32"))
    if not trains(workload):
        return forward(lambda p, x: layer.apply(p, x, False)[0], p, x)
    if label is None:
        y = jnp.zeros(jax.eval_shape(lambda p, x: layer.apply(p, x, True)[0], p, x).shape)
    else:
        y = jnp.asarray(rng.integers(0, 10, label))
    state = [p]

    def run() -> Any:
        state[0] = training_step(layer, state[0], x, y)
        return state[0]

    return run


WORKLOADS: dict[str, Callable[[], Callable[[], Any]]] = {
    **{name: functools.partial(zoo, name) for name in ZOO},
    "A": lambda: forward(mlp, mlp_parameters(512, 256, 128, 2), *parameters((1, 512))),
    "B": lambda: forward(lenet, lenet_parameters(), *parameters((16, 1, 28, 28))),
    "C": lambda: training(lenet, lenet_parameters(), (64, 1, 28, 28)),
    "D": lambda: forward(chain, *parameters((1000, 1000), (1000, 1000))),
    "D2": lambda: forward(cheap_chain, *parameters((1000, 1000), (1000, 1000))),
    "E": lambda: training(mlp, mlp_parameters(784, 512, 512, 10), (256, 784)),
    "F": lambda: forward(lambda p, x: mlp(p, x, True), mlp_parameters(*[64] * 51), *parameters((1, 64))),
    # the time of compiling
    "first-50": lambda: first_call(50),
    "first-200": lambda: first_call(200),
    # for a GPU
    "A64": lambda: forward(mlp, mlp_parameters(512, 256, 128, 2), *parameters((64, 512))),
    "A1024": lambda: forward(mlp, mlp_parameters(512, 256, 128, 2), *parameters((1024, 512))),
    "C512": lambda: training(lenet, lenet_parameters(), (512, 1, 28, 28)),
    "D64M": lambda: forward(chain, *(jax.random.normal(jax.random.key(i), (8192, 8192)) for i in range(2))),
}


def build(workload: str, mode: str) -> Callable[[], Any]:
    run = WORKLOADS[workload]()
    if "gpu" in sys.argv[1:]:
        return run
    return lambda: jax.block_until_ready(run())


if __name__ == "__main__":
    serve(jax.__version__, build, jax.block_until_ready)
