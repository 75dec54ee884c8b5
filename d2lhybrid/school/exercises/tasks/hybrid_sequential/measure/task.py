"""02.5: timing without the first call."""

from __future__ import annotations

import numpy

from ....exercise import Exercise
from ....results import Wrong, expect
from ....subject import Subject


def _check(subject: Subject, rng: numpy.random.Generator) -> None:
    for _ in range(3):
        calls = int(rng.integers(3, 9))
        first = float(rng.uniform(20, 40))
        seconds = [first, *(float(s) for s in rng.uniform(0.5, 1.5, calls))]
        found = subject.ask("timed", f"called with calls={calls}", seconds=seconds, calls=calls)
        result, made = found["result"], found["calls"]
        where = f"For a net whose first call takes {first:.0f} seconds and all others about 1, and calls={calls},"
        expect(isinstance(result, int | float), f"{where} the function returns no number.")
        right = sum(seconds[1:]) / calls
        if abs(result - right) < 1e-6:
            continue
        if made < calls:
            raise Wrong(f"{where} the net was called {made} times.")
        if abs(result - sum(seconds[1:])) < 1e-6:
            raise Wrong(f"{where} the function returns {result:.3g}: that is the time of all calls together.")
        if result > 2:
            raise Wrong(f"{where} the function returns {result:.3g}: there is a trace and a compilation in it.")
        raise Wrong(f"{where} the function returns {result:.3g}.")


EXERCISE = Exercise(__name__, number="02.5", answer="seconds_per_call", checker=_check)
