"""Exercise 10.1: a class of arrays that compute with NumPy."""

from __future__ import annotations

from typing import Any

import numpy

from d2lhybrid.internals.course.exercises.exercise import Exercise
from d2lhybrid.internals.course.exercises.judging import compare, floats
from d2lhybrid.internals.course.exercises.results import Wrong, expect
from d2lhybrid.internals.course.exercises.subject import Subject
from d2lhybrid.internals.support.words import translate

from ..graphs import Graph, run, text_of

_WRITTEN = {"add": "a + b", "mul": "a * b", "matmul": "a @ b", "relu": "a.relu()"}


def _cases(rng: numpy.random.Generator) -> list[tuple[Graph, dict[str, numpy.ndarray]]]:
    rows, inner, columns = (int(n) for n in rng.permutation([2, 3, 4, 5])[:3])
    a, b = floats(rng, rows, inner), floats(rng, rows, inner)
    square = floats(rng, inner, inner)
    one: list[tuple[str, list[Any], dict[str, numpy.ndarray]]] = [
        ("add", ["a", "b"], {"a": a, "b": b}),
        ("mul", ["a", "b"], {"a": a, "b": b}),
        ("matmul", ["a", "b"], {"a": a, "b": floats(rng, inner, columns)}),
        ("matmul", ["a", "b"], {"a": square, "b": floats(rng, inner, inner)}),
        ("relu", ["a"], {"a": a}),
        ("add", ["a", "b"], {"a": a, "b": floats(rng, inner)}),
        ("add", ["a", 2], {"a": a}),
        ("mul", ["a", -1.5], {"a": a}),
        ("mul", ["a", 0], {"a": a}),
        ("add", ["a", "a"], {"a": a}),
        ("relu", ["a"], {"a": floats(rng, 7)}),
    ]
    cases = [([["r", op, inputs]], values) for op, inputs, values in one]
    layer = [["p", "matmul", ["x", "w"]], ["q", "add", ["p", "b"]], ["r", "relu", ["q"]]]
    cases.append((layer, {"x": a, "w": floats(rng, inner, columns), "b": floats(rng, columns)}))
    mixed = [["p", "mul", ["x", 0.5]], ["q", "relu", ["p"]], ["s", "add", ["q", "x"]], ["r", "mul", ["s", "p"]]]
    return [*cases, (mixed, {"x": b})]


def _check(subject: Subject, rng: numpy.random.Generator) -> None:
    for graph, values in _cases(rng):
        _, op, inputs = graph[-1]
        what = _WRITTEN[op] if len(graph) == 1 else text_of(graph)
        if inputs[1:] and not isinstance(inputs[1], str):
            what = translate("{what} with the number {inputs} for b", what=what, inputs=inputs[1])
        for listed in (False, True):
            given: dict[str, Any] = {n: v.astype("float64").tolist() if listed else v for n, v in values.items()}
            found = subject.ask("compute", translate("asked for {what}", what=what), values=given, graph=graph)
            _compare(found, what, graph, values)


def _compare(found: Any, what: str, graph: Graph, values: dict[str, numpy.ndarray]) -> None:
    if found["has_value"] is not True:
        raise Wrong("{what} is a {type}, which has no `value`.", what=what, type=found["type"])
    for name, kept in found["kept"].items():
        good = isinstance(kept, numpy.ndarray) and numpy.array_equal(kept, values[name])
        if not good and not isinstance(kept, numpy.ndarray):
            raise Wrong("After `Array(numbers)`, `value` is not a NumPy array.")
        expect(good, "After {what}, the value of `{name}` has changed.", what=what, name=name)
    expect(found["new"] is True, "{what} is one of its input arrays, not a new array.", what=what)
    expect(found["same_class"] is True, "{what} is a {type}, not an `Array`.", what=what, type=found["type"])
    if isinstance(found["value"], dict):
        raise Wrong("The `value` of {what} is a {type}, not a NumPy array.", what=what, type=found["value"]["type"])
    plain = {name: value.astype("float64") for name, value in values.items()}
    suspects = []
    if len(graph) == 1 and graph[0][1] == "matmul" and values["a"].shape == values["b"].shape:
        suspects.append((plain["a"] * plain["b"], "this is the element-wise product; `@` is the matrix product."))
        suspects.append((plain["b"] @ plain["a"], "this is b @ a."))
    if len(graph) == 1 and graph[0][1] == "relu":
        suspects.append((numpy.abs(plain["a"]), "negative elements become 0, not positive."))
        suspects.append((numpy.minimum(plain["a"], 0), "negative elements become 0, and the others stay."))
    compare(numpy.asarray(found["value"]), run(graph, values), translate("The value of {what}", what=what), suspects)


EXERCISE = Exercise(__name__, number="10.1", answer="Array", checker=_check)
