"""06.2: common subexpressions."""

from __future__ import annotations

from typing import Any

import numpy

from ...exercise import Exercise, Mistake
from ...results import Wrong, expect
from ...subject import Subject

Program = list[list[Any]]


def _random_program(rng: numpy.random.Generator) -> Program:
    names, program = ["x", "y"], []
    for i in range(int(rng.integers(4, 9))):
        if program and rng.random() < 0.5:
            _, op, inputs = program[int(rng.integers(len(program)))]
            program.append([f"t{i}", op, list(inputs)])
        else:
            program.append([f"t{i}", str(rng.choice(["+", "-", "*"])), [str(n) for n in rng.choice(names, 2)]])
        names.append(f"t{i}")
    program.append(["out", "+", [names[-1], names[-2]]])
    # The task promises that the last line stays: another program where an earlier line computes the same.
    return program if _merged(program)[-1][0] == "out" else _random_program(rng)


def _merged(program: Program) -> Program:
    seen: dict[Any, str] = {}
    name_of: dict[str, str] = {}
    result = []
    for name, op, inputs in program:
        inputs = [name_of.get(n, n) for n in inputs]
        key = (op, *inputs)
        if key in seen:
            name_of[name] = seen[key]
        else:
            seen[key] = name
            result.append([name, op, inputs])
    return result


def _run(program: Any, values: dict[str, int], where: str) -> int:
    known: dict[str, int] = dict(values)
    operators = {"+": lambda a, b: a + b, "-": lambda a, b: a - b, "*": lambda a, b: a * b}
    result = 0
    for line in program:
        shaped = isinstance(line, list) and len(line) == 3 and line[1] in operators and isinstance(line[2], list)
        expect(shaped and len(line[2]) == 2, f"{where} a line of the result is no line of a program: {str(line)[:80]}.")
        name, op, inputs = line
        for n in inputs:
            expect(n in known, f"{where} a line of the result uses `{n}`, which no line before it makes.")
        known[str(name)] = result = operators[op](known[inputs[0]], known[inputs[1]]) % 1000003
    return result


def _check(subject: Subject, rng: numpy.random.Generator) -> None:
    fixed = [
        [["a", "+", ["x", "y"]], ["b", "+", ["x", "y"]], ["out", "*", ["a", "b"]]],
        [["a", "-", ["x", "y"]], ["b", "-", ["y", "x"]], ["out", "*", ["a", "b"]]],
        [["a", "+", ["x", "y"]], ["b", "+", ["x", "y"]], ["c", "*", ["a", "x"]], ["d", "*", ["b", "x"]],
         ["out", "+", ["c", "d"]]],
    ]  # fmt: skip
    for program in [*fixed, *(_random_program(rng) for _ in range(8))]:
        text = "; ".join(f"{name} = {inputs[0]} {op} {inputs[1]}" for name, op, inputs in program)
        got = subject.call(program, doing=f"called for {text}")
        where = f"For {text}:"
        expect(isinstance(got, list) and bool(got), f"{where} the function returns no list of lines.")
        right = _merged(program)
        for _ in range(3):
            values = {name: int(rng.integers(2, 1000)) for name in ("x", "y")}
            same = _run(got, values, where) == _run(program, values, where)
            expect(same, f"{where} the result computes something else.")
        if len(got) > len(right):
            raise Wrong(f"{where} the result has {len(got)} lines, and computes something twice.")


_CODE = """
def merge(program):
    seen, name_of, result = {}, {}, []
    for name, operator, inputs in program:
        inputs = [name_of.get(n, n) for n in inputs]
        key = (operator, *inputs)
        if key in seen:
            name_of[name] = seen[key]
        else:
            seen[key] = name
            result.append([name, operator, inputs])
    return result
"""

EXERCISE = Exercise(
    number="06.2",
    title="Never twice",
    answer="merge",
    points=2,
    task="""
A program is a list of lines `[name, operator, inputs]`, such as `["a", "+", ["x", "y"]]` for `a = x + y`. The last line
is its result; `x` and `y` are given; the operators are `+`, `-` and `*`; no name is made twice.

Write `merge(program)`. It returns a program of the same form that computes the same with as few lines as possible, by
leaving out each line that computes what an earlier one has computed already: the same operator on the same inputs in
the same order. Lines that used a name which is gone use the earlier one.

```python
[["a", "+", ["x", "y"]], ["b", "+", ["x", "y"]], ["out", "*", ["a", "b"]]]
# becomes
[["a", "+", ["x", "y"]], ["out", "*", ["a", "a"]]]
```

(The last line is never left out in the programs that your function is given.)
""",
    starter="""
def merge(program):
    ...
""",
    solution_code=_CODE,
    hints=(
        "Keep a dictionary from (operator, inputs) to the name of the line that computed it first.",
        "When a line goes, its name still appears in later lines. Keep a second dictionary for what to write instead.",
        "Rename the inputs of a line *before* you look whether it is there already: only then are `a * x` and `b "
        "* x` equal.",
    ),
    checker=_check,
    insight="One sweep with a dictionary finds them all, because inputs come first: this is our pass `merge_equal`.",
    mistakes=(
        Mistake("leaves everything", "def merge(program):\n    return program", "out = a * b: the result has 3 lines"),
        Mistake(
            "renames too late",
            _CODE.replace("        inputs = [name_of.get(n, n) for n in inputs]\n", "").replace(
                "inputs])", "[name_of.get(n, n) for n in inputs]])"
            ),
            "out = c + d: the result has 4 lines",
        ),
        Mistake(
            "does not rename",
            _CODE.replace("        inputs = [name_of.get(n, n) for n in inputs]\n", ""),
            "which no line before it makes",
        ),
        Mistake(
            "the order does not matter",
            _CODE.replace("(operator, *inputs)", "(operator, *sorted(inputs))"),
            "b = y - x; out = a * b: the result computes something else",
        ),
        Mistake("nothing", "def merge(program):\n    return len(program)", "no list of lines"),
        Mistake("hard-coded", "def merge(program):\n    return [['out', '+', ['x', 'y']]]", "computes something else"),
    ),
)
