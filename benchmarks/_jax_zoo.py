"""The nets of the zoo in JAX, with the same layers as in ``_gluon_worker.py``.

A layer is its shapes and a function ``(parameters, x, training) -> (result, parameters)``. The returned parameters
have updated running averages of BatchNorm. Parameters are in Gluon's order. Images and kernels have their channels
last, and weights have a column for each unit, which XLA computes faster on a CPU than Gluon's layout (ResNet-18 in
0.6 of the processor time, VGG-11 in 0.3).
"""

from __future__ import annotations

import functools
import itertools
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import jax  # pyright: ignore[reportMissingImports]
import jax.numpy as jnp  # pyright: ignore[reportMissingImports]
import numpy

__all__ = ["ZOO", "Layer", "initial", "training_step", "trains"]

Shape = tuple[int, ...]
Apply = Callable[[Sequence[Any], Any, bool], tuple[Any, Sequence[Any]]]


@dataclass(frozen=True)
class Layer:
    """A layer: the kinds and shapes of its parameters in Gluon's order, and its function."""

    shapes: tuple[tuple[str, Shape], ...]
    apply: Apply


def initial(layer: Layer) -> list[Any]:
    """Return initial parameters; weights are small."""
    rng = numpy.random.default_rng(0)
    ready = {"zeros": numpy.zeros, "ones": numpy.ones}
    return [
        jnp.asarray(ready[kind](shape, "float32") if kind in ready else rng.uniform(-0.07, 0.07, shape), "float32")
        for kind, shape in layer.shapes
    ]


# --- layers ------------------------------------------------------------------------------------


def pure(function: Callable[[Any], Any]) -> Layer:
    """Return a layer without parameters."""
    return Layer((), lambda p, x, training: (function(x), ()))


relu = pure(lambda x: jnp.maximum(x, 0))
tanh = pure(jnp.tanh)
average = pure(lambda x: x.mean((1, 2)))
#: A reshape to Gluon's order of elements, so that the weights of the next layer are the same.
flatten = pure(lambda x: x.transpose(0, 3, 1, 2).reshape(len(x), -1))


def chain(*layers: Layer) -> Layer:
    """Return the composition of layers."""

    def apply(p: Sequence[Any], x: Any, training: bool) -> tuple[Any, Sequence[Any]]:
        changed: list[Any] = []
        for layer in layers:
            own = p[len(changed) : len(changed) + len(layer.shapes)]
            x, after = layer.apply(own, x, training)
            changed += after
        return x, changed

    return Layer(tuple(shape for layer in layers for shape in layer.shapes), apply)


def _conv(x: Any, kernel: Any, **how: Any) -> Any:
    return jax.lax.conv_general_dilated(x, kernel, dimension_numbers=("NHWC", "HWIO", "NHWC"), **how)


def conv(
    before: int, after: int, kernel: int, stride: int = 1, pad: int = 0, groups: int = 1, bias: bool = False
) -> Layer:
    def apply(p: Sequence[Any], x: Any, training: bool) -> tuple[Any, Sequence[Any]]:
        y = _conv(x, p[0], window_strides=(stride,) * 2, padding=((pad, pad),) * 2, feature_group_count=groups)
        return (y + p[1] if bias else y), p

    shapes = (("kernel", (kernel, kernel, before // groups, after)), ("zeros", (after,)))
    return Layer(shapes if bias else shapes[:1], apply)


def conv_transpose(before: int, after: int, kernel: int, stride: int, pad: int) -> Layer:
    """Return a transposed convolution, whose kernel is stored flipped, as it is used."""
    edge = kernel - 1 - pad

    def apply(p: Sequence[Any], x: Any, training: bool) -> tuple[Any, Sequence[Any]]:
        y = _conv(x, p[0], window_strides=(1, 1), padding=((edge, edge),) * 2, lhs_dilation=(stride,) * 2)
        return y, p

    return Layer((("turned", (kernel, kernel, before, after)),), apply)


def batch_norm(channels: int, momentum: float = 0.9, epsilon: float = 1e-5) -> Layer:
    def apply(p: Sequence[Any], x: Any, training: bool) -> tuple[Any, Sequence[Any]]:
        gamma, beta, mean, variance = p
        after = p
        if training:
            now = x.mean((0, 1, 2)), x.var((0, 1, 2))
            moved = [
                momentum * old + (1 - momentum) * jax.lax.stop_gradient(new)
                for old, new in zip((mean, variance), now, strict=True)
            ]
            (mean, variance), after = now, [gamma, beta, *moved]
        scale = gamma * jax.lax.rsqrt(variance + epsilon)
        return x * scale + (beta - mean * scale), after

    return Layer(tuple((kind, (channels,)) for kind in ("ones", "zeros", "zeros", "ones")), apply)


def max_pool(kernel: int, stride: int, pad: int = 0) -> Layer:
    window, strides = (1, kernel, kernel, 1), (1, stride, stride, 1)
    padding = ((0, 0), (pad, pad), (pad, pad), (0, 0))
    return pure(lambda x: jax.lax.reduce_window(x, -jnp.inf, jax.lax.max, window, strides, padding))


def dense(before: int, after: int, bias: bool = True) -> Layer:
    def apply(p: Sequence[Any], x: Any, training: bool) -> tuple[Any, Sequence[Any]]:
        y = x @ p[0]
        return (y + p[1] if bias else y), p

    shapes = (("columns", (before, after)), ("zeros", (after,)))
    return Layer(shapes if bias else shapes[:1], apply)


# --- nets --------------------------------------------------------------------------------------


def convolution() -> Layer:
    return chain(conv(64, 64, 3, pad=1, bias=True), relu)


def residual(before: int, after: int, stride: int) -> Layer:
    """Return a residual block of two convolutions."""
    body = chain(
        conv(before, after, 3, stride, 1), batch_norm(after), relu, conv(after, after, 3, 1, 1), batch_norm(after)
    )
    past = chain()
    if stride != 1 or before != after:
        past = chain(conv(before, after, 1, stride), batch_norm(after))

    def apply(p: Sequence[Any], x: Any, training: bool) -> tuple[Any, Sequence[Any]]:
        y, first = body.apply(p[: len(body.shapes)], x, training)
        z, second = past.apply(p[len(body.shapes) :], x, training)
        return jnp.maximum(y + z, 0), [*first, *second]

    return Layer(body.shapes + past.shapes, apply)


def residuals(*channels: int) -> list[Layer]:
    blocks = []
    for i, (before, after) in enumerate(itertools.pairwise(channels)):
        blocks += [residual(before, after, 1 if i == 0 else 2), residual(after, after, 1)]
    return [*blocks, average]


def resnet_18() -> Layer:
    return chain(
        conv(3, 64, 7, 2, 3), batch_norm(64), relu, max_pool(3, 2, 1), *residuals(64, 64, 128, 256, 512),
        dense(512, 1000),
    )  # fmt: skip


def small_resnet() -> Layer:
    return chain(conv(3, 16, 3, 1, 1), *residuals(16, 16, 32), dense(32, 10))


def mobilenet() -> Layer:
    def layer(before: int, after: int, kernel: int, stride: int, groups: int) -> list[Layer]:
        return [conv(before, after, kernel, stride, kernel // 2, groups), batch_norm(after), relu]

    widths = [8, 16, *[32] * 2, *[64] * 2, *[128] * 6, *[256] * 2]
    strides = [1, 2, 1, 2, 1, 2, *[1] * 5, 2, 1]
    layers = layer(3, 8, 3, 2, 1)
    for before, after, stride in zip(widths, widths[1:], strides, strict=False):
        layers += [*layer(before, before, 3, stride, before), *layer(before, after, 1, 1, 1)]
    return chain(*layers, average, dense(256, 1000))


def fire(before: int, narrow: int, wide: int) -> Layer:
    """Return a narrow convolution, followed by two parallel convolutions."""
    squeeze, one, three = (
        chain(conv(*sizes, bias=True), relu)
        for sizes in ((before, narrow, 1), (narrow, wide, 1), (narrow, wide, 3, 1, 1))
    )

    def apply(p: Sequence[Any], x: Any, training: bool) -> tuple[Any, Sequence[Any]]:
        x = squeeze.apply(p[:2], x, training)[0]
        return jnp.concatenate([one.apply(p[2:4], x, training)[0], three.apply(p[4:], x, training)[0]], -1), p

    return Layer(squeeze.shapes + one.shapes + three.shapes, apply)


def squeezenet() -> Layer:
    """Return SqueezeNet for prediction; its pooling windows need no padding."""
    pool = max_pool(3, 2)
    return chain(
        conv(3, 64, 3, 2, bias=True), relu, pool, fire(64, 16, 64), fire(128, 16, 64), pool, fire(128, 32, 128),
        fire(256, 32, 128), pool, fire(256, 48, 192), fire(384, 48, 192), fire(384, 64, 256), fire(512, 64, 256),
        conv(512, 1000, 1, bias=True), relu, average,
    )  # fmt: skip


def vgg_11() -> Layer:
    """Return VGG-11 for prediction."""
    layers, before = [], 3
    for count, after in [(1, 64), (1, 128), (2, 256), (2, 512), (2, 512)]:
        for _ in range(count):
            layers += [conv(before, after, 3, 1, 1, bias=True), relu]
            before = after
        layers.append(max_pool(2, 2))
    return chain(*layers, flatten, dense(512 * 49, 4096), relu, dense(4096, 4096), relu, dense(4096, 1000))


def generator() -> Layer:
    layers, before = [], 100
    for after, stride, pad in [(256, 1, 0), (128, 2, 1), (64, 2, 1)]:
        layers += [conv_transpose(before, after, 4, stride, pad), batch_norm(after), relu]
        before = after
    return chain(*layers, conv_transpose(before, 3, 4, 2, 1), tanh)


def lstm(units: int) -> Layer:
    """Return an LSTM over ``(steps, batch, units)``; the gates are in the order of Gluon: in, forget, new, out."""

    def apply(p: Sequence[Any], x: Any, training: bool) -> tuple[Any, Sequence[Any]]:
        bias = p[2] + p[3]

        def step(state: Any, given: Any) -> Any:
            h, c = state
            i, f, g, o = jnp.split(given + h @ p[1], 4, -1)
            c = jax.nn.sigmoid(f) * c + jax.nn.sigmoid(i) * jnp.tanh(g)
            h = jax.nn.sigmoid(o) * jnp.tanh(c)
            return (h, c), h

        zeros = jnp.zeros((x.shape[1], units), x.dtype)
        return jax.lax.scan(step, (zeros, zeros), x @ p[0] + bias)[1], p

    weights = (("columns", (units, 4 * units)),) * 2
    return Layer(weights + (("zeros", (4 * units,)),) * 2, apply)


def language_model(words: int = 1000, units: int = 128) -> Layer:
    embedding = Layer((("weight", (words, units)),), lambda p, x, training: (p[0][x], p))
    return chain(embedding, lstm(units), dense(units, words))


def layer_norm(x: Any, gamma: Any, beta: Any, epsilon: float = 1e-5) -> Any:
    mean, variance = x.mean(-1, keepdims=True), x.var(-1, keepdims=True)
    return (x - mean) * jax.lax.rsqrt(variance + epsilon) * gamma + beta


def transformer(units: int = 128, heads: int = 4) -> Layer:
    """Return one block of an encoder, for ``(batch, steps, units)``."""
    scale = (units // heads) ** -0.5

    def apply(p: Sequence[Any], x: Any, training: bool) -> tuple[Any, Sequence[Any]]:
        query, key, value = (
            (x @ w).reshape(*x.shape[:2], heads, -1).transpose(0, 2, 1, 3) for w in p[:3]
        )  # fmt: skip
        weights = jax.nn.softmax(query @ key.swapaxes(-1, -2) * scale)
        joined = (weights @ value).transpose(0, 2, 1, 3).reshape(x.shape)
        x = layer_norm(x + joined @ p[3], p[8], p[9])
        inner = jnp.maximum(x @ p[4] + p[5], 0)
        return layer_norm(x + inner @ p[6] + p[7], p[10], p[11]), p

    square, norm = ("columns", (units, units)), (("ones", (units,)), ("zeros", (units,)))
    inner = (("columns", (units, 4 * units)), ("zeros", (4 * units,)))
    outer = (("columns", (4 * units, units)), ("zeros", (units,)))
    return Layer((square,) * 4 + inner + outer + norm + norm, apply)


#: Workload -> net, shape of the data, whether the data is words, and shape of the labels (None without labels).
ZOO: dict[str, tuple[Callable[[], Layer], Shape, bool, Shape | None]] = {
    "convolution": (convolution, (8, 56, 56, 64), False, None),
    "resnet-18": (resnet_18, (1, 224, 224, 3), False, None),
    "mobilenet": (mobilenet, (1, 224, 224, 3), False, None),
    "squeezenet": (squeezenet, (1, 224, 224, 3), False, None),
    "vgg-11": (vgg_11, (1, 224, 224, 3), False, None),
    "generator": (generator, (8, 1, 1, 100), False, None),
    "lstm": (language_model, (35, 16), True, None),
    "transformer": (transformer, (8, 64, 128), False, None),
    "small-resnet": (small_resnet, (32, 32, 32, 3), False, (32,)),
    "generator-training": (generator, (8, 1, 1, 100), False, None),
    "lstm-training": (language_model, (35, 16), True, (35, 16)),
    "transformer-training": (transformer, (8, 64, 128), False, None),
}


def trains(workload: str) -> bool:
    """Return whether a workload is a training step."""
    return workload == "small-resnet" or workload.endswith("-training")


def loss_of(layer: Layer, p: Sequence[Any], x: Any, y: Any) -> tuple[Any, Sequence[Any]]:
    """Return the mean loss, and the parameters with updated averages; ``y`` is classes or numbers."""
    out, after = layer.apply(p, x, True)
    if y.shape == out.shape:
        return jnp.mean((out - y) ** 2), after
    logits = jax.nn.log_softmax(out)
    return -jnp.mean(jnp.take_along_axis(logits, y[..., None], -1)), after


@functools.partial(jax.jit, static_argnums=0, donate_argnums=1)
def training_step(layer: Layer, p: Sequence[Any], x: Any, y: Any) -> list[Any]:
    """Return the parameters after a step of gradient descent."""
    gradients, after = jax.grad(functools.partial(loss_of, layer), has_aux=True)(p, x, y)
    return [new - 0.01 * gradient for new, gradient in zip(after, gradients, strict=True)]
