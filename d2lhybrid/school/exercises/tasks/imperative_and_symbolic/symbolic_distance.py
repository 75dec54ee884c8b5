"""01.4: a symbol made by hand."""

from __future__ import annotations

import numpy

from ...exercise import Exercise, Mistake
from ...judging import TracedGraph, compare, floats
from ...results import expect
from ...subject import Subject


def _check(subject: Subject, rng: numpy.random.Generator) -> None:
    found = subject.ask("call_with_symbols", "called with two symbols", names=["a", "b"])
    expect(isinstance(found["result"], dict), f"Called with two symbols, it returns no symbol but a {found['type']}.")
    graph = TracedGraph(found["result"]["symbol"])
    missing = {"a", "b"} - set(graph.variables)
    expect(not missing, f"The result does not depend on {' and '.join(sorted(missing))}.")
    expect(set(graph.variables) == {"a", "b"}, f"The result has other variables: {graph.variables}.")
    for _ in range(3):
        rows, columns = int(rng.integers(2, 5)), int(rng.integers(5, 8))
        a, b = floats(rng, rows, columns), floats(rng, rows, columns)
        expected = numpy.sqrt(((a - b) ** 2).sum(axis=1))
        squares = (a - b) ** 2
        suspects = [
            (numpy.sqrt(squares.sum(axis=0)), "there is a number for each column, not for each row."),
            (numpy.sqrt(squares.sum()).reshape(1), "it is one number for all rows together."),
            (squares.sum(axis=1), "these are squares of distances."),
        ]
        compare(graph.run(a=a, b=b)[0], expected, f"The result for two arrays of shape {a.shape}", suspects)
    expect(
        len(graph.operators) <= 6,
        f"The result is right, but takes {len(graph.operators)} operators: {', '.join(graph.operators)}.",
    )


EXERCISE = Exercise(
    number="01.4",
    title="A symbol by hand",
    answer="distance",
    task="""
Write `distance(a, b)` for symbols. `a` and `b` stand for arrays of `n` rows each. The result stands for the `n`
Euclidean distances: for each row the square root of the sum of the squared differences.

Your function will be called with `sym.var("a")` and `sym.var("b")`: nothing is computed in it. Use as few operators
as you can.
""",
    starter="""
def distance(a, b):
    ...
""",
    solution_code="""
def distance(a, b):
    return sym.sqrt(sym.sum(sym.square(a - b), axis=1))
""",
    hints=(
        "`a - b` of two symbols is a symbol. So write the formula as you would for arrays.",
        "`sym` has the functions that `nd` has: `sym.square`, `sym.sum`, `sym.sqrt`.",
        "A sum for each row goes along the columns: `axis=1`.",
    ),
    checker=_check,
    insight="Not a number was there when you wrote it. Still everything about the computation is known: a graph.",
    mistakes=(
        Mistake(
            "computes with arrays",
            "def distance(a, b):\n    return nd.sqrt(nd.sum(nd.square(a - b), axis=1))",
            "Argument data must have NDArray type",
        ),
        Mistake("uses NumPy", "def distance(a, b):\n    return numpy.linalg.norm(a - b, axis=1)", "numpy.linalg"),
        Mistake(
            "sums everything",
            "def distance(a, b):\n    return sym.sqrt(sym.sum(sym.square(a - b)))",
            "one number for all rows together",
        ),
        Mistake(
            "sums the columns",
            "def distance(a, b):\n    return sym.sqrt(sym.sum(sym.square(a - b), axis=0))",
            "a number for each column",
        ),
        Mistake(
            "forgets the root",
            "def distance(a, b):\n    return sym.sum(sym.square(a - b), axis=1)",
            "squares of distances",
        ),
        Mistake(
            "forgets b", "def distance(a, b):\n    return sym.sqrt(sym.sum(a * a, axis=1))", "does not depend on b"
        ),
        Mistake(
            "hard-coded", "def distance(a, b):\n    return nd.array([1.0, 2.0])", "returns no symbol but a NDArray"
        ),
    ),
)
