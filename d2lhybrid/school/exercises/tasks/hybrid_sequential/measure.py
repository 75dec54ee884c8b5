"""02.5: timing without the first call."""

from __future__ import annotations

import numpy

from ...exercise import Exercise, Mistake
from ...results import Wrong, expect
from ...subject import Subject


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


EXERCISE = Exercise(
    number="02.5",
    title="What do you measure?",
    answer="seconds_per_call",
    task="""
The first call of a hybridized net traces and compiles. Whoever measures it measures the compiler.

Write `seconds_per_call(net, x, calls, clock)`. It returns how many seconds one call of the compiled net takes, as the
mean of `calls` calls that follow each other. `clock()` returns the time in seconds (use it in place of
`time.perf_counter`, so that your function can be checked).

Arrays may be computed in the background: before you read the clock, wait with `nd.waitall()`.
""",
    starter="""
def seconds_per_call(net, x, calls, clock):
    ...
""",
    solution_code="""
def seconds_per_call(net, x, calls, clock):
    net(x)  # traces and compiles
    nd.waitall()
    start = clock()
    for _ in range(calls):
        net(x)
    nd.waitall()
    return (clock() - start) / calls
""",
    hints=(
        "Draw a line of time with all calls on it. Where does the measurement begin?",
        "Call the net once before you read the clock for the first time.",
        "The difference of two readings is the time of all calls together.",
    ),
    checker=_check,
    insight="Warm up, wait, repeat, divide: every honest benchmark of a compiled program does these four.",
    mistakes=(
        Mistake(
            "with the first call",
            "def seconds_per_call(net, x, calls, clock):\n    start = clock()\n    for _ in range(calls):\n"
            "        net(x)\n    return (clock() - start) / calls",
            "a trace and a compilation in it",
        ),
        Mistake(
            "does not divide",
            "def seconds_per_call(net, x, calls, clock):\n    net(x)\n    start = clock()\n"
            "    for _ in range(calls):\n        net(x)\n    return clock() - start",
            "of all calls together",
        ),
        Mistake(
            "one call only",
            "def seconds_per_call(net, x, calls, clock):\n    net(x)\n    start = clock()\n    net(x)\n"
            "    return clock() - start",
            "the net was called 2 times",
        ),
        Mistake(
            "hard-coded", "def seconds_per_call(net, x, calls, clock):\n    return 1.0", "the net was called 0 times"
        ),
    ),
)
