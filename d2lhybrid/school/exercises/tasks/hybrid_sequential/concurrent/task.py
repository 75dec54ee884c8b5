"""02.2: the lesson's first exercise, a net with HybridConcurrent."""

from __future__ import annotations

import numpy

from ....exercise import Exercise
from ....judging import Case, check_net, floats
from ....results import expect
from ....subject import Subject


def _branches(parameters: list[numpy.ndarray], x: numpy.ndarray) -> numpy.ndarray:
    from ...... import nd

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


EXERCISE = Exercise(__name__, number="02.2", answer="make_net", checker=_check, points=2)
