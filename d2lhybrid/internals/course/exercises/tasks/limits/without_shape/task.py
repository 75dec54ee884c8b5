"""Exercise 04.1: a reshape without the shape of the input."""

from __future__ import annotations

import numpy

from d2lhybrid.internals.course.exercises.exercise import Exercise
from d2lhybrid.internals.course.exercises.judging import floats
from d2lhybrid.internals.course.exercises.subject import Subject
from d2lhybrid.internals.course.exercises.trials import PARTS_OF_NET, Case, check_net


def _reference(parameters: list[numpy.ndarray], x: numpy.ndarray) -> numpy.ndarray:
    rows = x.reshape(len(x), -1)
    return rows / rows.shape[1]


def _images(rng: numpy.random.Generator, *shape: int) -> numpy.ndarray:
    """Return images with large, small, and zero elements of both signs, all of which the length must include."""
    images = floats(rng, *shape, low=5, high=90) * rng.choice([-1, 0.01, 1], shape).astype("float32")
    images.reshape(len(images), -1)[:, :2] = [[0, -0.5]]
    return images


def _check(subject: Subject, rng: numpy.random.Generator) -> None:
    flat = [int(n) for n in rng.integers(2, 6, 2)]
    deep = [*flat, int(rng.integers(2, 6))]  # a longer row, for which a fixed length is wrong
    for sizes in (flat, deep):
        inputs = [[_images(rng, n, *sizes)] for n in (2, 4, 1)]
        suspects = [
            (lambda p, x: x.reshape(-1) / x.size, "it is one row that contains all images."),
            (lambda p, x: x.reshape(len(x), -1) / x.size, "it depends on the size of the batch."),
        ]
        check_net(subject, rng, Case(inputs, _reference, shapes=[], suspects=suspects, rtol=2e-6), "FlatMean")


EXERCISE = Exercise(__name__, number="04.1", answer="FlatMean", checker=_check, parts=PARTS_OF_NET)
