"""03.4: the same without leaving the graph."""

from __future__ import annotations

import numpy

from ....exercise import Exercise
from ....judging import Case, check_net, floats
from ....subject import Subject


def _reference(parameters: list[numpy.ndarray], x: numpy.ndarray) -> numpy.ndarray:
    return (x - x.mean()) / (numpy.abs(x).max() + 1)


def _for_each_row(parameters: list[numpy.ndarray], x: numpy.ndarray) -> numpy.ndarray:
    return (x - x.mean(axis=1, keepdims=True)) / (numpy.abs(x).max() + 1)


def _check(subject: Subject, rng: numpy.random.Generator) -> None:
    columns = int(rng.integers(2, 7))
    suspects = [(_for_each_row, "each row has a mean of its own.")]
    inputs = [[floats(rng, n, columns)] for n in (2, 6)]
    check_net(subject, rng, Case(inputs, _reference, shapes=[], suspects=suspects), "Normalize")


EXERCISE = Exercise(__name__, number="03.4", answer="Normalize", checker=_check)
