"""Exercise 07.3: an old model as a HybridBlock, from the lesson's fourth exercise."""

from __future__ import annotations

import numpy

from d2lhybrid.internals.course.exercises.exercise import Exercise
from d2lhybrid.internals.course.exercises.judging import floats
from d2lhybrid.internals.course.exercises.references import convolution, windows
from d2lhybrid.internals.course.exercises.subject import Subject
from d2lhybrid.internals.course.exercises.trials import PARTS_OF_NET, Case, check_net


def _net(parameters: list[numpy.ndarray], x: numpy.ndarray, squash: bool = True) -> numpy.ndarray:
    w1, b1, w2, b2, w3, b3 = parameters
    act = (lambda v: 1 / (1 + numpy.exp(-v))) if squash else (lambda v: v)
    y = windows(act(convolution(x, w1, b1, padding=1)), 2).max(axis=(4, 5))
    y = windows(act(convolution(y, w2, b2)), 2).mean(axis=(4, 5))
    return y.reshape(len(y), -1) @ w3.T + b3


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
    inputs = [[floats(rng, n, 1, size, size)] for n in (2, 3, 1)]
    suspects = [(lambda p, x: _net(p, x, squash=False), "it is linear. Where are the sigmoids?")]
    case = Case(inputs, _net, [channels, classes], shapes, 0.4, suspects, trained=4)
    case.odd_shapes[classes, 2 * flat] = "the last layer treats the images of a batch as one image."
    check_net(subject, rng, case, "LeNet")


EXERCISE = Exercise(__name__, number="07.3", answer="LeNet", checker=_check, points=2, parts=PARTS_OF_NET)
