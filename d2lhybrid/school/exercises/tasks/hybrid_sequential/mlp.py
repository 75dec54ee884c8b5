"""02.1: a net of layers."""

from __future__ import annotations

import itertools

import numpy

from ...exercise import Exercise, Mistake
from ...judging import Case, check_net, floats
from ...results import expect
from ...subject import Subject


def _check(subject: Subject, rng: numpy.random.Generator) -> None:
    features = int(rng.integers(3, 8))
    widths = [int(n) for n in rng.choice(numpy.arange(3, 20), int(rng.integers(1, 4)), replace=False)]
    classes = int(rng.integers(2, 6))

    def reference(parameters: list[numpy.ndarray], x: numpy.ndarray) -> numpy.ndarray:
        pairs = list(zip(parameters[::2], parameters[1::2], strict=True))
        for weight, bias in pairs[:-1]:
            x = numpy.maximum(x @ weight.T + bias, 0)
        return x @ pairs[-1][0].T + pairs[-1][1]

    def linear(parameters: list[numpy.ndarray], x: numpy.ndarray) -> numpy.ndarray:
        for weight, bias in zip(parameters[::2], parameters[1::2], strict=True):
            x = x @ weight.T + bias
        return x

    def always(parameters: list[numpy.ndarray], x: numpy.ndarray) -> numpy.ndarray:
        return numpy.maximum(reference(parameters, x), 0)

    suspects = [
        (linear, "it is a linear function of the input. Where are the activations?"),
        (always, "no element is negative. Is there an activation where none belongs?"),
    ]
    sizes = [features, *widths, classes]
    shapes = [s for a, b in itertools.pairwise(sizes) for s in [(b, a), (b,)]]
    inputs = [[floats(rng, n, features)] for n in (2, 5)]
    case = Case(inputs, reference, [widths, classes], shapes, 0.7, suspects)
    graph = check_net(subject, rng, case, "make_net")
    expect(
        graph.operators.count("Activation") == len(widths), "The graph has not one activation for each hidden layer."
    )


EXERCISE = Exercise(
    number="02.1",
    title="A net of any depth",
    answer="make_net",
    task="""
Write `make_net(widths, classes)`. It returns a net that can be hybridized as a whole: for each number in `widths` a
dense layer of that many units with a ReLU, and at the end a dense layer with `classes` units and no activation.

The net is initialized for you.
""",
    starter="""
def make_net(widths, classes):
    ...
""",
    solution_code="""
def make_net(widths, classes):
    net = nn.HybridSequential()
    for width in widths:
        net.add(nn.Dense(width, activation="relu"))
    net.add(nn.Dense(classes))
    return net
""",
    hints=(
        "Which of the two containers can be hybridized as a whole: `nn.Sequential` or `nn.HybridSequential`?",
        "`net.add(layer)` can be called in a loop.",
        'A layer with a ReLU is `nn.Dense(width, activation="relu")`. The last one gets no activation. And '
        "return the net.",
    ),
    checker=_check,
    insight="The loop ran in Python, once. In the graph there is no loop: only the layers that it made.",
    mistakes=(
        Mistake(
            "a plain container",
            "def make_net(widths, classes):\n    net = nn.Sequential()\n    for w in widths:\n"
            "        net.add(nn.Dense(w, activation='relu'))\n    net.add(nn.Dense(classes))\n    return net",
            "the net itself is a Sequential",
        ),
        Mistake(
            "forgets the return",
            "def make_net(widths, classes):\n    net = nn.HybridSequential()\n    net.add(nn.Dense(classes))",
            "gives no net but a NoneType",
        ),
        Mistake(
            "no activation",
            "def make_net(widths, classes):\n    net = nn.HybridSequential()\n    for w in widths:\n"
            "        net.add(nn.Dense(w))\n    net.add(nn.Dense(classes))\n    return net",
            "a linear function of the input",
        ),
        Mistake(
            "one activation too many",
            "def make_net(widths, classes):\n    net = nn.HybridSequential()\n    for w in [*widths, classes]:\n"
            "        net.add(nn.Dense(w, activation='relu'))\n    return net",
            "an activation where none belongs",
        ),
        Mistake(
            "fixed depth",
            "def make_net(widths, classes):\n    net = nn.HybridSequential()\n    for w in widths[:0]:\n"
            "        net.add(nn.Dense(w, activation='relu'))\n    net.add(nn.Dense(classes))\n    return net",
            "not what the task describes",
        ),
        Mistake(
            "hard-coded",
            "def make_net(widths, classes):\n    net = nn.HybridSequential()\n    for w in widths:\n"
            "        net.add(nn.Dense(256, activation='relu'))\n    net.add(nn.Dense(10))\n    return net",
            "does not belong to the net of the task",
        ),
    ),
)
