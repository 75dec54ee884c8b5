"""02.2: the lesson's first exercise, a net with HybridConcurrent."""

from __future__ import annotations

import numpy

from ...exercise import Exercise, Mistake
from ...judging import Case, check_net, floats
from ...results import expect
from ...subject import Subject


def _branches(parameters: list[numpy.ndarray], x: numpy.ndarray) -> numpy.ndarray:
    from ..... import nd

    outputs = []
    for weight, bias in zip(parameters[::2], parameters[1::2], strict=True):
        size = weight.shape[2]
        y = nd.Convolution(
            nd.array(x), nd.array(weight), nd.array(bias), kernel=(size, size), pad=(size // 2, size // 2),
            num_filter=weight.shape[0],
        )  # fmt: skip
        outputs.append(y.asnumpy())
    return numpy.concatenate(outputs, axis=1)


def _reference(parameters: list[numpy.ndarray], x: numpy.ndarray) -> numpy.ndarray:
    return numpy.maximum(_branches(parameters, x), 0)


def _check(subject: Subject, rng: numpy.random.Generator) -> None:
    channels = [int(n) for n in rng.choice(numpy.arange(2, 9), int(rng.integers(3, 5)), replace=False)]
    incoming, width = int(rng.integers(1, 4)), int(rng.integers(6, 10))
    shapes = [s for i, n in enumerate(channels) for s in [(n, incoming, 2 * i + 1, 2 * i + 1), (n,)]]
    inputs = [[floats(rng, n, incoming, width, width)] for n in (2, 3)]
    suspects = [(_branches, "it has negative elements. Where are the activations?")]
    graph = check_net(subject, rng, Case(inputs, _reference, [channels], shapes, 0.5, suspects), "make_net")
    expect(
        graph.operators.count("Concat") == 1,
        "The graph joins its branches by something else than one concatenation.",
    )


EXERCISE = Exercise(
    number="02.2",
    title="Side by side",
    answer="make_net",
    points=2,
    task="""
GoogLeNet's blocks look at an image through windows of several sizes at once. Build one from `HybridConcurrent`, which
gives its input to each of its children and concatenates what they return.

Write `make_net(channels)`. For the number `n` at place `i` of `channels` the block has a branch: a 2-D convolution
with `n` output channels, a window of `2 * i + 1` (so 1, 3, 5 ...), a padding that keeps height and width, and a
ReLU. The outputs of the branches are joined **along the channels**. Images have the shape (batch, channels, height,
width).

`HybridConcurrent` is in `d2lhybrid.gluon.contrib.nn`.
""",
    starter="""
from d2lhybrid.gluon.contrib.nn import HybridConcurrent


def make_net(channels):
    ...
""",
    solution_code="""
from d2lhybrid.gluon.contrib.nn import HybridConcurrent


def make_net(channels):
    net = HybridConcurrent(axis=1)
    for i, n in enumerate(channels):
        net.add(nn.Conv2D(n, kernel_size=2 * i + 1, padding=i, activation="relu"))
    return net
""",
    hints=(
        "Read what `HybridConcurrent` does: `HybridConcurrent?` in a cell of its own. Which argument does it take?",
        "The axis along which it concatenates is the last one unless you say something else. Which axis is that of the "
        "channels?",
        'The branches: `nn.Conv2D(n, kernel_size=2 * i + 1, padding=i, activation="relu")` for `i, n in '
        "enumerate(channels)`, added to `HybridConcurrent(axis=1)`.",
    ),
    checker=_check,
    insight="Side by side in the graph are branches that do not depend on each other: a system may run them in "
    "any order.",
    mistakes=(
        Mistake(
            "the last axis",
            "from d2lhybrid.gluon.contrib.nn import HybridConcurrent\ndef make_net(channels):\n"
            "    net = HybridConcurrent()\n    for i, n in enumerate(channels):\n"
            "        net.add(nn.Conv2D(n, kernel_size=2 * i + 1, padding=i, activation='relu'))\n    return net",
            "Incompatible input shape",
        ),
        Mistake(
            "the plain container",
            "from d2lhybrid.gluon.contrib.nn import Concurrent\ndef make_net(channels):\n"
            "    net = Concurrent(axis=1)\n    for i, n in enumerate(channels):\n"
            "        net.add(nn.Conv2D(n, kernel_size=2 * i + 1, padding=i, activation='relu'))\n    return net",
            "the net itself is a Concurrent",
        ),
        Mistake(
            "one after the other",
            "def make_net(channels):\n    net = nn.HybridSequential()\n    for i, n in enumerate(channels):\n"
            "        net.add(nn.Conv2D(n, kernel_size=2 * i + 1, padding=i, activation='relu'))\n    return net",
            "does not belong to the net of the task",
        ),
        Mistake(
            "no activation",
            "from d2lhybrid.gluon.contrib.nn import HybridConcurrent\ndef make_net(channels):\n"
            "    net = HybridConcurrent(axis=1)\n    for i, n in enumerate(channels):\n"
            "        net.add(nn.Conv2D(n, kernel_size=2 * i + 1, padding=i))\n    return net",
            "Where are the activations",
        ),
        Mistake(
            "hard-coded",
            "from d2lhybrid.gluon.contrib.nn import HybridConcurrent\ndef make_net(channels):\n"
            "    net = HybridConcurrent(axis=1)\n    net.add(nn.Conv2D(64, 1), nn.Conv2D(128, 3, padding=1))\n"
            "    return net",
            "(64,), (128,",
        ),
    ),
)
