"""51.1: a block that computes the same result with arrays and with symbols."""

from __future__ import annotations

import numpy

from d2lhybrid.exercises.making import Exercise, Subject, expect, floats, is_close, make_net


def _squashed(x: numpy.ndarray) -> numpy.ndarray:
    return x / (1 + numpy.abs(x))


def _check(subject: Subject, rng: numpy.random.Generator) -> None:
    """Check an answer by its outputs alone. Feedback names a missing property, and the inputs show it."""
    columns = int(rng.integers(3, 7))
    inputs = [floats(rng, rows, columns) for rows in (2, 5)]
    with subject.part("line by line"):
        make_net(subject, [], "Squash")
        subject.ask("start", "called for the first time", inputs=inputs[:1])
        for x in inputs:
            got = _output(subject, x)
            expect(
                not is_close(got, 0 * x),
                "The output is always zero, but it must depend on the input.",
            )
            expect(not is_close(got, x / (1 + x)), "Numbers below zero do not stay between -1 and 1.")
            expect(is_close(got, _squashed(x)), "Line by line, the output is wrong.")
    with subject.part("hybridized"):
        subject.ask("hybridize")
        for x in inputs:
            expect(
                is_close(_output(subject, x), _squashed(x)),
                "Hybridized, the output differs from the output line by line.",
            )


def _output(subject: Subject, x: numpy.ndarray) -> numpy.ndarray:
    (output,) = subject.ask("run", f"called on an array of shape {x.shape}", inputs=[x])["outputs"]
    expect(isinstance(output, numpy.ndarray), "The block does not return an array.")
    return output


EXERCISE = Exercise(
    __name__, number="51.1", answer="Squash", checker=_check, points=2, parts=("line by line", "hybridized")
)
