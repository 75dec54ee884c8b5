"""Exercise 02.4: a function that predicts how often a hybridized net is traced and compiled."""

from __future__ import annotations

import warnings
from typing import Any

import numpy

from d2lhybrid import autograd, nd
from d2lhybrid.gluon import nn
from d2lhybrid.internals.course.exercises.exercise import Exercise
from d2lhybrid.internals.course.exercises.results import expect
from d2lhybrid.internals.course.exercises.subject import Subject
from d2lhybrid.internals.support.words import translate

Event = list[Any]


class _Counting(nn.HybridBlock):
    def __init__(self) -> None:
        super().__init__()
        self.traces = 0

    def hybrid_forward(self, F: Any, x: Any) -> Any:
        self.traces += 1
        return x * 2


def _truth(events: list[Event]) -> tuple[int, int]:
    """Return the numbers of traces and compilations of a net, by running it."""
    net, compiled = _Counting(), 0
    net.hybridize()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for kind, shape in events:
            before = len(net.programs)
            if kind == "hybridize":
                net.hybridize()
                continue
            with autograd.train_mode() if kind == "train" else autograd.predict_mode():
                net(nd.zeros(tuple(shape)))
            compiled += len(net.programs) - before
    return net.traces, compiled


def _check(subject: Subject, rng: numpy.random.Generator) -> None:
    fixed: list[list[Event]] = [
        [["call", [2, 3]]] * 3,
        [["call", [2, 3]], ["call", [4, 3]], ["call", [2, 3]]],
        [["call", [2, 3]], ["train", [2, 3]], ["call", [2, 3]]],
        [["call", [2, 3]], ["hybridize", None], ["call", [2, 3]]],
        [["hybridize", None], ["hybridize", None]],
        [],
        [["call", [2, 3]], ["call", [2, 4]], ["call", [3, 2]], ["call", [6]], ["call", [1, 2, 3]], ["call", [2, 4]]],
        [["train", [2]], ["train", [3]], ["call", [2]], ["call", [3]], ["train", [2]], ["hybridize", None],
         ["hybridize", None], ["train", [2]], ["call", [3]], ["train", [3]], ["train", [2]], ["call", [3]]],
    ]  # fmt: skip
    for _ in range(8):
        kinds = rng.choice(["call", "train", "hybridize"], int(rng.integers(3, 12)), p=[0.6, 0.25, 0.15])
        fixed.append([[str(k), None if k == "hybridize" else [int(rng.integers(1, 4)), 3]] for k in kinds])
    for events in fixed:
        given = [(kind, None if shape is None else tuple(shape)) for kind, shape in events]
        traces, programs = _truth(events)
        where, got = translate("For {given},", given=given), None
        with subject.part("runs of hybrid_forward"):
            got = subject.call(events, doing=translate("called with {given}", given=given))
            expect(
                isinstance(got, list) and len(got) == 2,
                "{where} the function does not return a pair of numbers.",
                where=where,
            )
            expect(
                got[0] == traces,
                "{where} the number of runs of `hybrid_forward` is not {got}.",
                where=where,
                got=got[0],
            )
        with subject.part("compiled programs"):
            expect(
                isinstance(got, list) and len(got) == 2,
                "{where} the function does not return a pair of numbers.",
                where=where,
            )
            expect(got[1] == programs, "{where} the number of compiled programs is not {got}.", where=where, got=got[1])


_PARTS = ("runs of hybrid_forward", "compiled programs")
EXERCISE = Exercise(__name__, number="02.4", answer="foretell", checker=_check, points=2, parts=_PARTS)
