"""A worker that runs two of the workloads with TensorFlow, with the protocol of _serving.py.

Mode ``eager`` runs eagerly; mode ``function`` uses ``tf.function``.
"""

from __future__ import annotations

import itertools
import os
from collections.abc import Callable
from typing import Any

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")

import tensorflow as tf  # pyright: ignore[reportMissingImports, reportMissingModuleSource]
from _serving import serve


def weights(*shape: int) -> Any:
    return tf.Variable(tf.random.normal(shape, stddev=0.1))


def mlp(*sizes: int) -> Callable[[Any], Any]:
    layers = [(weights(a, b), weights(b)) for a, b in itertools.pairwise(sizes)]

    def net(x: Any) -> Any:
        for i, (w, b) in enumerate(layers):
            x = x @ w + b
            if i + 1 < len(layers):
                x = tf.nn.relu(x)
        return x

    return net


def lenet() -> Callable[[Any], Any]:
    """Return LeNet with channels last, which TensorFlow's convolutions on a CPU require."""
    w1, b1, w2, b2 = weights(5, 5, 1, 6), weights(6), weights(5, 5, 6, 16), weights(16)
    dense = mlp(256, 120, 84, 10)

    def net(x: Any) -> Any:
        for w, b in ((w1, b1), (w2, b2)):
            x = tf.nn.max_pool2d(tf.nn.relu(tf.nn.conv2d(x, w, 1, "VALID") + b), 2, 2, "VALID")
        return dense(tf.reshape(x, (len(x), -1)))

    return net


WORKLOADS: dict[str, tuple[Callable[[], Callable[[Any], Any]], tuple[int, ...]]] = {
    "A": (lambda: mlp(512, 256, 128, 2), (1, 512)),
    "B": (lenet, (16, 28, 28, 1)),
}


def build(workload: str, mode: str) -> Callable[[], Any]:
    make, shape = WORKLOADS[workload]
    net, x = make(), tf.random.normal(shape)
    run = tf.function(net) if mode == "function" else net
    return lambda: run(x)


if __name__ == "__main__":
    serve(tf.__version__, build, lambda result: result.numpy())
