"""07.3: the lesson's fourth exercise, an earlier model as a HybridBlock."""

from __future__ import annotations

import numpy

from ...... import nd
from ....exercise import Exercise
from ....judging import Case, check_net, floats
from ....results import expect
from ....subject import Subject


def _net(parameters: list[numpy.ndarray], x: numpy.ndarray, squash: bool = True) -> numpy.ndarray:
    w1, b1, w2, b2, w3, b3 = map(nd.array, parameters)
    act = nd.sigmoid if squash else nd.identity
    y = nd.Convolution(nd.array(x), w1, b1, kernel=(3, 3), pad=(1, 1), num_filter=w1.shape[0])
    y = nd.Pooling(act(y), kernel=(2, 2), stride=(2, 2), pool_type="max")
    y = nd.Convolution(y, w2, b2, kernel=(3, 3), num_filter=w2.shape[0])
    y = nd.Pooling(act(y), kernel=(2, 2), stride=(2, 2), pool_type="avg")
    return nd.FullyConnected(y, w3, b3, num_hidden=w3.shape[0]).asnumpy()


def _check(subject: Subject, rng: numpy.random.Generator) -> None:
    channels, classes = int(rng.integers(2, 5)), int(rng.integers(5, 9))
    size = int(rng.choice([12, 16]))
    flat = 2 * channels * ((size // 2 - 2) // 2) ** 2
    shapes = [
        (channels, 1, 3, 3),
        (channels,),
        (2 * channels, channels, 3, 3),
        (2 * channels,),
        (classes, flat),
        (classes,),
    ]
    inputs = [[floats(rng, n, 1, size, size)] for n in (2, 3)]
    suspects = [(lambda p, x: _net(p, x, squash=False), "it has no bend in it. Where are the sigmoids?")]
    case = Case(inputs, _net, [channels, classes], shapes, 0.4, suspects)
    case.odd_shapes[classes, 2 * flat] = "the last layer takes the images of a batch for one image."
    graph = check_net(subject, rng, case, "LeNet")
    pools = graph.operators.count("Pooling")
    expect(pools == 2, f"The graph has {pools} pooling operators.")


EXERCISE = Exercise(__name__, number="07.3", answer="LeNet", checker=_check, points=2)
