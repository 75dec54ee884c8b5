"""Exercise 10.5: a function that generates the source code of a program from a graph."""

from __future__ import annotations

from typing import Any

import numpy

from d2lhybrid.internals.course.exercises.exercise import Exercise
from d2lhybrid.internals.course.exercises.judging import compare
from d2lhybrid.internals.course.exercises.results import Wrong, expect
from d2lhybrid.internals.course.exercises.subject import Subject
from d2lhybrid.internals.support.words import translate

from ..graphs import Graph, matrices, operators_in, random_graph, run, text_of

_CHAIN: Graph = [["t0", "matmul", ["x", "w"]], *([f"t{i + 1}", "add", [f"t{i}", f"t{i}"]] for i in range(13))]
_TURNED = "the parameters of your program are not in the order of the variables."
_NO_BRACKETS = "a nested expression needs parentheses: `a + b * c` is `a + (b * c)`."
_PARTS = ("lines", "expressions", "nothing twice")
_LINES: list[Graph] = [
    [["t1", "add", ["x", "w"]]],
    [["t1", "mul", ["w", "x"]]],
    [["t1", "matmul", ["w", "x"]]],
    [["t1", "relu", ["x"]]],
    [["t1", "mul", ["x", -2]], ["t2", "add", ["t1", 0.5]]],
    [["t1", "matmul", ["x", "w"]], ["t2", "add", ["t1", "b"]], ["t3", "relu", ["t2"]]],
    [["t1", "mul", ["x", 0]], ["t2", "add", ["w", "t1"]]],
    [["first", "relu", ["x"]], ["second", "matmul", ["first", "first"]]],
]
_NESTED: list[Graph] = [
    [["t1", "matmul", ["x", "w"]], ["t2", "relu", [["add", ["t1", "b"]]]]],
    [["t1", "mul", [["add", ["x", "w"]], "b"]]],
    [["t1", "mul", ["b", ["add", ["x", "w"]]]]],
    [["t1", "add", [["mul", ["x", "w"]], ["relu", ["b"]]]]],
    [["t1", "mul", [["add", ["x", ["relu", [["add", ["w", 1]]]]]], ["add", ["b", -3]]]]],
    [["t1", "matmul", ["x", "w"]], ["t2", "mul", [["add", ["t1", 1]], 0.5]], ["t3", "matmul", ["t2", "t1"]]],
    [["t1", "matmul", [["add", ["x", "w"]], "b"]]],  # a separate graph, because later lines could hide a wrong value
    [["t1", "matmul", ["x", ["mul", ["w", "b"]]]], ["t2", "matmul", [["mul", ["b", 2]], ["add", ["t1", 3]]]]],
    [["t1", "relu", [["matmul", ["x", ["add", ["w", "b"]]]]]]],
    # A value that is used again deep in the expressions of later lines.
    [["t1", "relu", ["x"]], ["t2", "mul", [["add", ["x", ["relu", [["add", ["t1", "w"]]]]]], "t1"]],
     ["t3", "add", ["t2", ["mul", [["add", ["t1", 1]], 0.5]]]]],
]  # fmt: skip


def _check(subject: Subject, rng: numpy.random.Generator) -> None:
    random = [random_graph(rng, ["x", "w", "b"], 7) for _ in range(4)]
    for part, graphs in zip(_PARTS, ([*_LINES, *random], _NESTED, [_CHAIN]), strict=True):
        with subject.part(part):
            _check_graphs(subject, rng, graphs)


def _variables_in(value: Any) -> list[str]:
    """Return the variables that a graph, a line, or an expression uses, without repetitions."""
    found = [n for one in value for n in (_variables_in(one) if isinstance(one, list) else [one])]
    return list(dict.fromkeys(n for n in found if n in ("x", "w", "b")))


def _without_brackets(graph: Graph, values: dict[str, Any]) -> Any:
    """Return the result of a program whose expressions have no parentheses."""
    patterns = {"add": "{} + {}", "mul": "{} * {}", "matmul": "{} @ {}", "relu": "numpy.maximum({}, 0)"}

    def text(op: str, inputs: list[Any]) -> str:
        return patterns[op].format(*(text(*i) if isinstance(i, list) else str(i) for i in inputs))

    space = {"numpy": numpy, **values}
    for name, op, inputs in graph:
        space[name] = eval(text(op, inputs), space)
    return space[graph[-1][0]]


def _check_graphs(subject: Subject, rng: numpy.random.Generator, graphs: list[Graph]) -> None:
    for i, graph in enumerate(graphs):
        needed = _variables_in(graph)
        others = [name for name in ("x", "w", "b", "v", "u") if name not in needed]
        # One to five variables, some of which the graph may leave unused.
        names = [str(name) for name in rng.permutation([*needed, *others[: i % (6 - len(needed))]])]
        values = matrices(rng, names)
        text = text_of(graph)
        found = subject.ask(
            "run_program", translate("asked for a program of {text}", text=text), graph=graph, values=values
        )
        where = translate(
            "For the graph {text} and the variables {names}:", text=text, names=translate(", ").join(names)
        )
        if found["type"] != "str":
            raise Wrong(
                "{where} the function returns an object of type {type}, not a string.", where=where, type=found["type"]
            )
        if "program" not in found:
            there = translate(", ").join(found["names"]) or translate("nothing")
            raise Wrong(
                "{where} the text does not define a function `program`. It defines {there}.", where=where, there=there
            )
        if found["result"] is None:
            raise Wrong("{where} the program returns nothing.", where=where)
        expect(found["changed"] is False, "{where} the program writes to its arguments.", where=where)
        right = run(graph, values)
        others = [(run(graph[:n], values), "this is the value of an earlier line.") for n in range(1, len(graph))]
        turned = dict(zip(sorted(names), values.values(), strict=True))
        others += [(run(graph, turned), _TURNED), (_without_brackets(graph, values), _NO_BRACKETS)]
        compare(found["result"], right, translate("{where} the result of the program", where=where), others)
        # One or several NumPy functions may compute a relu.
        often = found["count"] > 3 * operators_in(graph) + 4
        expect(
            not often,
            "{where} the program computes values more than once: NumPy was called {count} times.",
            where=where,
            count=found["count"],
        )


EXERCISE = Exercise(__name__, number="10.5", answer="generate", checker=_check, points=2, parts=_PARTS)
