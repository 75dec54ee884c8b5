"""Exercise 04.6: random numbers that are drawn in every call."""

from __future__ import annotations

import numpy

from d2lhybrid.internals.course.exercises.chance import are_dependent, is_normal, is_related
from d2lhybrid.internals.course.exercises.exercise import Exercise
from d2lhybrid.internals.course.exercises.judging import TracedGraph, floats
from d2lhybrid.internals.course.exercises.results import expect
from d2lhybrid.internals.course.exercises.subject import Subject
from d2lhybrid.internals.course.exercises.trials import make_net
from d2lhybrid.internals.support.words import translate


def _check(subject: Subject, rng: numpy.random.Generator) -> None:
    for scale in (float(numpy.round(rng.uniform(0.5, 3), 2)), int(rng.integers(4, 9))):
        x, is_there = floats(rng, 200, 160), False
        with subject.part("line by line"):
            make_net(subject, [scale], "Noise")
            is_there = True
            subject.ask("start", "called line by line", inputs=[x])
            _check_calls(subject, x, scale, translate("Line by line"))
        if not is_there:
            return
        with subject.part("hybridized"):
            subject.ask("hybridize")
            _check_calls(subject, x, scale, translate("Hybridized"))
        with subject.part("as a file"):
            data = subject.ask("graph", "asked for its graph")
            graph = TracedGraph(data["symbol"], data["inputs"], data["parameters"])
            _check_noise([graph.run(x)[0] - x for _ in range(2)], x, scale, translate("The exported graph"))
            _check_many(graph.run(_MANY)[0], scale, translate("The exported graph"))
        with subject.part("hybridized"):
            for shape in ((2, 3), (1, 1), (7,), (2, 3, 4)):
                small = floats(rng, *shape)
                out = subject.ask(
                    "run", translate("hybridized, on an array of shape {shape}", shape=shape), inputs=[small]
                )["outputs"][0]
                got = getattr(out, "shape", None)
                expect(
                    got == shape,
                    "Hybridized, the output for an array of shape {shape} has the wrong shape.",
                    shape=shape,
                )


def _check_calls(subject: Subject, x: numpy.ndarray, scale: float, how: str) -> None:
    def noise(train: bool) -> numpy.ndarray:
        where = translate("{how}, on an array of shape {shape}", how=how, shape=x.shape)
        outputs = subject.ask("run", where, inputs=[x], train=train)["outputs"]
        expect(
            getattr(outputs[0], "shape", None) == x.shape,
            "{how}, the output does not have the shape of the input.",
            how=how,
        )
        return outputs[0] - x

    for train in (False, True):
        _check_noise(
            [noise(train), noise(train)], x, scale, translate("{how}, in training mode", how=how) if train else how
        )
    where = translate("{how}, on an array of shape {shape}", how=how, shape=_MANY.shape)
    _check_many(subject.ask("run", where, inputs=[_MANY])["outputs"][0], scale, how)


def _check_many(noise: numpy.ndarray, scale: float, how: str) -> None:
    """Check that a large sample is exactly, and not only approximately, normally distributed."""
    expect(
        getattr(noise, "shape", None) == _MANY.shape, "{how}, the output does not have the shape of the input.", how=how
    )
    expect(
        is_normal(noise / scale),
        "{how}, the noise is not normally distributed: {within:.0%} of it is within one standard deviation.",
        how=how,
        within=float((numpy.abs(noise) < scale).mean()),
    )


def _check_noise(calls: list[numpy.ndarray], x: numpy.ndarray, scale: float, how: str) -> None:
    first, second = calls
    expect(
        bool(numpy.ptp(first) > 1e-3),
        "{how}, one call adds the same number to all {size} elements.",
        how=how,
        size=x.size,
    )
    expect(not numpy.allclose(first, second), "{how}, two calls in a row add the same noise.", how=how)
    spread, mean = float(first.std()), float(first.mean())
    expect(
        not are_dependent(first),
        "{how}, the numbers that one call adds to the elements are not independent.",
        how=how,
    )
    expect(
        not is_related(first, second), "{how}, the noise of a call depends on the noise of the previous call.", how=how
    )
    expect(
        abs(spread - scale) < 0.03 * scale,
        "{how}, the noise of Noise({scale}) has a standard deviation of {spread:.2f}.",
        how=how,
        scale=scale,
        spread=spread,
    )
    expect(abs(mean) < 0.04 * scale, "{how}, the mean of the noise is {mean:.2f}.", how=how, mean=mean)
    within = float((numpy.abs(first) < scale).mean())
    expect(
        is_normal(first / scale),
        "{how}, the noise is not normally distributed: {within:.0%} of it is within one standard deviation.",
        how=how,
        within=within,
    )
    alike = is_related(first, x) or is_related(numpy.abs(first), numpy.abs(x))
    expect(not alike, "{how}, the noise depends on the input.", how=how)


_MANY = numpy.zeros((1000, 1000), "float32")
_PARTS = ("line by line", "hybridized", "as a file")
EXERCISE = Exercise(__name__, number="04.6", answer="Noise", checker=_check, parts=_PARTS)
