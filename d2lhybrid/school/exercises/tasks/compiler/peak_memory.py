"""06.1: liveness."""

from __future__ import annotations

import numpy

from ...exercise import Exercise, Mistake
from ...results import Wrong, expect
from ...subject import Subject

Program = list[list]


def _random_program(rng: numpy.random.Generator) -> Program:
    names, program = ["x"], [["x", int(rng.integers(1, 10)), []]]
    for i in range(int(rng.integers(4, 9))):
        inputs = [str(n) for n in rng.choice(names[-3:], min(len(names[-3:]), int(rng.integers(1, 3))), replace=False)]
        program.append([f"t{i}", int(rng.integers(1, 10)), inputs])
        names.append(f"t{i}")
    used = {n for _, _, inputs in program for n in inputs}
    program.append(["y", int(rng.integers(1, 5)), [n for n in names if n not in used] or [names[-1]]])
    return program


def _peak(program: Program, free_before: bool = False, first_use: bool = False) -> int:
    """Return the largest sum of sizes alive at once; inputs of a line are alive while it runs."""
    uses = [(name, i) for i, (_, _, inputs) in enumerate(program) for name in inputs]
    last = dict(uses[::-1] if first_use else uses)
    last[program[-1][0]] = len(program)
    alive: dict[str, int] = {}
    peak = 0
    for i, (name, size, _) in enumerate(program):
        if free_before:
            alive = {n: s for n, s in alive.items() if last[n] > i}
        alive[name] = size
        peak = max(peak, sum(alive.values()))
        alive = {n: s for n, s in alive.items() if last[n] > i}
    return peak


def _check(subject: Subject, rng: numpy.random.Generator) -> None:
    chain = [["x", 4, []], ["a", 3, ["x"]], ["b", 5, ["a"]], ["y", 1, ["b"]]]
    long = [["x", 4, []], ["a", 3, ["x"]], ["b", 5, ["a"]], ["c", 2, ["b"]], ["y", 1, ["c", "x"]]]
    for program in [long, chain, *(_random_program(rng) for _ in range(8))]:
        text = "; ".join(f"{n}[{s}] <- {', '.join(i) or 'input'}" for n, s, i in program)
        got = subject.call(program, doing=f"called for {text}")
        expect(isinstance(got, int | float), f"For {text} the function returns no number.")
        if got == _peak(program):
            continue
        if got == sum(size for _, size, _ in program):
            raise Wrong(f"For {text} the function returns {got:g}: nothing is ever freed.")
        if got == max(size for _, size, _ in program):
            raise Wrong(
                f"For {text} the function returns {got:g}: the largest value alone. Which others are there with it?"
            )
        if got == _peak(program, free_before=True):
            raise Wrong(f"For {text} the function returns {got:g}: a line still needs its inputs while it runs.")
        if got == _peak(program, first_use=True):
            raise Wrong(f"For {text} the function returns {got:g}: a value that is used again has been freed.")
        raise Wrong(f"For {text} the function returns {got:g}.")


_CODE = """
def peak(program):
    last = {}
    for i, (name, size, inputs) in enumerate(program):
        for used in inputs:
            last[used] = i
    last[program[-1][0]] = len(program)
    alive, largest = {}, 0
    for i, (name, size, inputs) in enumerate(program):
        alive[name] = size
        largest = max(largest, sum(alive.values()))
        alive = {n: s for n, s in alive.items() if last[n] > i}
    return largest
"""

EXERCISE = Exercise(
    number="06.1",
    title="How much memory does it take?",
    answer="peak",
    points=2,
    task="""
A program is a list of lines, each with a name, a size, and the names that it is computed from:

```python
[["x", 4, []], ["a", 3, ["x"]], ["b", 5, ["a"]], ["y", 1, ["b"]]]
```

A value takes its size in memory from the line that makes it, up to and including the last line that uses it. While a
line runs, its inputs and its result are there at the same time. The result of the last line is kept. Every other value
is used at least once.

Write `peak(program)`: the most memory that is taken at any moment. For the program above that is 8.
""",
    starter="""
def peak(program):
    ...
""",
    solution_code=_CODE,
    hints=(
        "First find out for each value the number of the last line that uses it.",
        "Then walk through the lines with a set of what is alive: put the new value in, measure, take out what is not "
        "needed after this line.",
        "The order within a line matters: the new value comes before the old ones go.",
    ),
    checker=_check,
    insight="This is liveness analysis; the compiler plans its buffers by it, and writes `del` after the last use.",
    mistakes=(
        Mistake(
            "never frees", "def peak(program):\n    return sum(size for _, size, _ in program)", "nothing is ever freed"
        ),
        Mistake(
            "the largest value",
            "def peak(program):\n    return max(size for _, size, _ in program)",
            "the largest value alone",
        ),
        Mistake(
            "frees the inputs too early",
            _CODE.replace(
                "        alive[name] = size\n",
                "        alive = {n: s for n, s in alive.items() if last[n] > i}\n        alive[name] = size\n",
            ),
            "needs its inputs while it runs",
        ),
        Mistake(
            "frees after the first use",
            _CODE.replace("            last[used] = i\n", "            last.setdefault(used, i)\n"),
            "a value that is used again has been freed",
        ),
        Mistake("the lines", "def peak(program):\n    return [size for _, size, _ in program]", "no number"),
        Mistake("hard-coded", "def peak(program):\n    return 8", "the function returns 8"),
    ),
)
