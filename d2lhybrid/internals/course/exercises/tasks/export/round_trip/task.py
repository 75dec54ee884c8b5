"""Exercise 05.1: the export and import of a net."""

from __future__ import annotations

import numpy

from d2lhybrid.internals.course.exercises.exercise import Exercise
from d2lhybrid.internals.course.exercises.judging import compare, floats
from d2lhybrid.internals.course.exercises.results import expect
from d2lhybrid.internals.course.exercises.subject import Subject
from d2lhybrid.internals.support.words import translate


def _check(subject: Subject, rng: numpy.random.Generator) -> None:
    features, hidden, classes, rows = (int(n) for n in rng.choice(numpy.arange(2, 12), 4, replace=False))
    weights = [floats(rng, *s, low=-1, high=1) for s in ((hidden, features), (hidden,), (classes, hidden), (classes,))]
    x, scale = floats(rng, rows, features), float(rng.uniform(0.5, 1.5))
    found = subject.ask("round_trip", "called with a net that has run once", weights=weights, x=x, scale=scale)
    names = sorted(found["files"])
    expect(bool(names), "The function wrote no file to the given path.")
    expect(
        any(n.endswith("-symbol.json") for n in names) and any(n.endswith(".params") for n in names),
        "An exported net has two files, but the function wrote only {names}.",
        names=translate(", ").join(names),
    )
    expect("output" in found, "The function returns a {type}, not a block.", type=found["type"])
    y = numpy.tanh(scale * x @ weights[0].T + weights[1]) @ weights[2].T + weights[3]
    zeros = numpy.zeros_like(y)
    changed = "when the parameters of the old net are set to zero, those of the returned block are zero, too."
    read = found["read"]
    both = any(n.endswith("-symbol.json") for n in read) and any(n.endswith(".params") for n in read)
    compare(
        found["output"],
        y,
        translate("The returned block's output for an array of shape {shape}", shape=x.shape),
        [(zeros, changed)],
    )
    expect(
        both,
        "The returned block is right, but the function did not read both files. Does the block use the old net?",
    )


EXERCISE = Exercise(__name__, number="05.1", answer="save_and_load", checker=_check)
