"""Exercise 07.5: a layer that behaves differently in training."""

from __future__ import annotations

import numpy

from d2lhybrid.internals.course.exercises.chance import are_dependent, is_related, is_share
from d2lhybrid.internals.course.exercises.exercise import Exercise
from d2lhybrid.internals.course.exercises.judging import compare
from d2lhybrid.internals.course.exercises.results import Wrong, expect
from d2lhybrid.internals.course.exercises.subject import Subject
from d2lhybrid.internals.course.exercises.trials import make_net
from d2lhybrid.internals.support.words import translate


def _check(subject: Subject, rng: numpy.random.Generator) -> None:
    p = float(numpy.round(rng.uniform(0.2, 0.35) if rng.random() < 0.5 else rng.uniform(0.6, 0.66), 2))
    x = (rng.uniform(1, 3, (4000, int(rng.integers(3, 6)))) * rng.choice([-1, 1], (4000, 1))).astype("float32")
    for first in ("predict", "train"):
        is_there = False
        with subject.part("line by line"):
            make_net(subject, [p], "DropRows")
            subject.ask("start", "called line by line", inputs=[x])
            is_there = True
        if not is_there:
            return
        for how in ("Line by line", "Hybridized"):
            with subject.part(how.lower()):
                subject.ask("hybridize", active=how == "Hybridized")
                modes = ["predict", "train"] if first == "predict" else ["train", "predict"]
                for mode in modes:
                    where = translate(
                        "{how}, in {mode} mode, first called in {first} mode,",
                        how=translate(how),
                        mode=translate(mode),
                        first=translate(first),
                    )
                    _check_call(subject, x, p, mode, where)
        with subject.part("hybridized"):
            subject.ask("graph", "asked for its graph")
            for mode in ("predict", "train"):
                where = translate("Hybridized, in {mode} mode, with another batch size,", mode=translate(mode))
                _check_call(subject, x[:3000], p, mode, where)


def _check_call(subject: Subject, x: numpy.ndarray, p: float, mode: str, where: str) -> None:
    def out() -> numpy.ndarray:
        found = subject.ask("run", where.lower().rstrip(",，"), inputs=[x], train=mode == "train", gradients=True)
        y = found["outputs"][0]
        expect(
            getattr(y, "shape", None) == x.shape,
            "{where} the output does not have the shape of the input.",
            where=where,
        )
        slopes.append(found["input_gradients"][0])
        return y

    slopes: list[numpy.ndarray] = []

    y = out()
    if mode == "predict":
        compare(y, x, translate("{where} the output for an array of shape {shape}", where=where, shape=x.shape))
        compare(slopes[0], numpy.ones_like(x), translate("{where} the gradient", where=where))
        return
    if numpy.allclose(y, x):
        raise Wrong("{where} the output equals the input, so nothing is dropped.", where=where)
    dropped = (y == 0).all(axis=1)
    columns = (y == 0).all(axis=0)
    expect(not columns.any(), "{where} whole columns are dropped, not rows.", where=where)
    single = (y == 0).any(axis=1) & ~dropped
    expect(not single.any(), "{where} single elements are dropped, not whole rows.", where=where)
    expect(dropped.any(), "{where} no row is dropped.", where=where)
    share = float(dropped.mean())
    expect(
        is_share(dropped, p),
        "{where} {share:.0%} of the rows are dropped, but p is {p}.",
        where=where,
        share=share,
        p=p,
    )
    kept = ~dropped
    plain = numpy.allclose(y[kept], x[kept])
    expect(
        not plain,
        "{where} the rows that stay are unchanged: on average, the output is smaller than the input.",
        where=where,
    )
    compare(y[kept], x[kept] / (1 - p), translate("{where} the output of the rows that stay", where=where))
    compare(
        slopes[0], numpy.where(dropped[:, None], 0 * x, 1 / (1 - p)), translate("{where} the gradient", where=where)
    )
    expect(not are_dependent(dropped), "{where} some rows are always dropped together.", where=where)
    again = (out() == 0).all(axis=1)
    expect(not is_related(again, dropped), "{where} two calls drop the same rows.", where=where)


_PARTS = ("line by line", "hybridized")
EXERCISE = Exercise(__name__, number="07.5", answer="DropRows", checker=_check, points=2, parts=_PARTS)
