"""Exercise 03.6: a block with its own parameters."""

from __future__ import annotations

import numpy

from d2lhybrid.internals.course.exercises.exercise import Exercise
from d2lhybrid.internals.course.exercises.judging import compare, floats
from d2lhybrid.internals.course.exercises.results import expect
from d2lhybrid.internals.course.exercises.subject import Subject
from d2lhybrid.internals.course.exercises.trials import PARTS_OF_NET, Case, check_net
from d2lhybrid.internals.support.words import translate


def _reference(parameters: list[numpy.ndarray], x: numpy.ndarray) -> numpy.ndarray:
    return x * parameters[0] + parameters[1]


def _check(subject: Subject, rng: numpy.random.Generator) -> None:
    units = int(rng.integers(3, 9))
    inputs = [[floats(rng, n, units)] for n in (2, 4, 1)]
    suspects = [
        (lambda p, x: x * p[0], "the shift is missing."),
        (lambda p, x: x + p[1], "the scale is missing."),
    ]
    with subject.part("the parameters"):
        _check_start(subject, inputs[0][0])
    check_net(subject, rng, Case(inputs, _reference, [units], [(units,), (units,)], suspects=suspects), "Affine")


def _check_start(subject: Subject, x: numpy.ndarray) -> None:
    made = f"Affine({x.shape[1]})"
    net = subject.ask("make", translate("making the net with {made}", made=made), args=[x.shape[1]])
    expect(net["block"], "{made} returns a {type}, not a net.", made=made, type=net["type"])
    found = subject.ask("start", "called for the first time", inputs=[x])
    expect(len(found) == 2, "`collect_params()` finds {count} parameters, not scale and shift.", count=len(found))
    named = {role: [p["name"] for p in found if role in (p["name"].rpartition("_")[2], p["path"].rpartition(".")[2])]
             for role in ("scale", "shift")}  # fmt: skip
    expect(all(len(names) == 1 for names in named.values()), "The parameters are not called scale and shift.")
    values = subject.ask("parameters")
    (scale,), (shift,) = named["scale"], named["shift"]
    for name in (scale, shift):
        shape = values[name].shape
        expect(shape == x.shape[1:], "The net of the task has no parameter of shape {shape}.", shape=shape)
    expect(bool((values[scale] == 1).all()), "After initialization, the scale is not 1 everywhere.")
    expect(bool((values[shift] == 0).all()), "After initialization, the shift is not 0 everywhere.")
    # With a scale of 0, the input must have no effect, because the parameter named scale must multiply.
    subject.ask("set_parameters", values={scale: 0 * x[0], shift: x[0]})
    outputs = subject.ask("run", "called line by line", inputs=[x])["outputs"]
    compare(outputs[0], 0 * x + x[0], "With a scale of 0, the output", [(0 * x, "the shift is missing.")])


_PARTS = ("the parameters", *PARTS_OF_NET)
EXERCISE = Exercise(__name__, number="03.6", answer="Affine", checker=_check, points=2, parts=_PARTS)
