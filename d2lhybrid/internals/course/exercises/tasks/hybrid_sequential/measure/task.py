"""Exercise 02.5: the measurement of calls after the first call."""

from __future__ import annotations

import numpy

from d2lhybrid.internals.course.exercises.exercise import Exercise
from d2lhybrid.internals.course.exercises.results import Wrong, expect
from d2lhybrid.internals.course.exercises.subject import Subject
from d2lhybrid.internals.support.words import translate


def _check(subject: Subject, rng: numpy.random.Generator) -> None:
    for _ in range(3):
        calls = int(rng.integers(3, 9))
        first = float(rng.uniform(20, 40))
        others = [float(s) for s in rng.uniform(0.5, 1.5, 10 * calls)]
        found = subject.ask(
            "timed", translate("called with calls={calls}", calls=calls), seconds=[first, *others], calls=calls
        )
        result, made = found["result"], found["calls"]
        last = int(found["warm"])
        where = translate(
            "For calls={calls} and a net whose first call takes {first:.0f} seconds and all others about 1,",
            first=first,
            calls=calls,
        )
        expect(isinstance(result, int | float), "{where} the function does not return a number.", where=where)
        if made < calls:
            raise Wrong(
                "{where} the net was called {made} times instead of {calls}.", where=where, made=made, calls=calls
            )
        # The answer may make any number of warm-up calls; only the last calls count.
        sums = [sum(others[i : i + calls]) for i in range(last - calls + 1)]
        if any(abs(result - total / calls) < 1e-6 for total in sums):
            continue
        if any(abs(result - total) < 1e-6 for total in sums):
            raise Wrong(
                "{where} the function returns {result:.3g}, which is the total time of all calls.",
                where=where,
                result=result,
            )
        if result > 2:
            raise Wrong(
                "{where} the function returns {result:.3g}, which includes a trace and a compilation.",
                where=where,
                result=result,
            )
        if result < 0.4:
            raise Wrong(
                "{where} the function returns {result:.3g}: the clock is read before the computations are finished.",
                where=where,
                result=result,
            )
        raise Wrong(
            "{where} the function returns {result:.3g}, which is not the mean time of {calls} calls.",
            where=where,
            result=result,
            calls=calls,
        )


EXERCISE = Exercise(__name__, number="02.5", answer="seconds_per_call", checker=_check)
