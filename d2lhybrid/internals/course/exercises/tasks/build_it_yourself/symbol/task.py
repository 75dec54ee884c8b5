"""Exercise 10.2: a symbol that records its operator and its inputs."""

from __future__ import annotations

from typing import Any

import numpy

from d2lhybrid.internals.course.exercises.exercise import Exercise
from d2lhybrid.internals.course.exercises.results import Wrong, expect
from d2lhybrid.internals.course.exercises.subject import Subject
from d2lhybrid.internals.support.words import translate

from ..graphs import Graph, random_graph, text_of

_PARTS = ("one operator", "with numbers", "several operators")
_ONE: list[Graph] = [
    [["r", "add", ["a", "b"]]],
    [["r", "mul", ["a", "b"]]],
    [["r", "matmul", ["a", "b"]]],
    [["r", "relu", ["a"]]],
    [["r", "add", ["b", "a"]]],
    [["r", "matmul", ["b", "a"]]],
    [["r", "mul", ["a", "a"]]],
]
_NUMBERS: list[Graph] = [[["r", "mul", ["a", 2]]], [["r", "add", ["b", -0.5]]], [["r", "mul", ["a", 0]]]]
_SEVERAL: list[Graph] = [
    [["p", "matmul", ["a", "b"]], ["q", "add", ["p", 1]], ["r", "relu", ["q"]]],
    [["p", "add", ["a", "b"]], ["q", "relu", ["p"]], ["r", "mul", ["q", "p"]]],
    [["p", "relu", ["a"]], ["q", "relu", ["p"]], ["r", "matmul", ["q", "b"]]],
]


def _check(subject: Subject, rng: numpy.random.Generator) -> None:
    random = [random_graph(rng, ["a", "b"], 6) for _ in range(3)]
    for part, graphs in zip(_PARTS, (_ONE, _NUMBERS, [*_SEVERAL, *random]), strict=True):
        with subject.part(part):
            for graph in graphs:
                _check_graph(subject, graph, ["b", "a"] if graph in random else ["a", "b"])


def _check_graph(subject: Subject, graph: Graph, names: list[str]) -> None:
    what = text_of(graph) if len(graph) > 1 else text_of(graph).removeprefix("r = ").replace("relu(a)", "a.relu()")
    what = f"`{what}`"
    found = subject.ask("remember", translate("asked for {what}", what=what), names=names, graph=graph)
    _compare(found, what, names, graph)


def _compare(found: Any, what: str, names: list[str], graph: Graph) -> None:
    symbols = found["symbols"]
    for i, name in enumerate(names):
        _check_variable(symbols[i], name, what)
    kind, place = found["result"]
    if kind != "symbol":
        raise Wrong(
            "The result for {what} is a {type}, which has no `op`, so it records nothing.",
            what=what,
            type=found["type"],
        )
    places = {name: i for i, name in enumerate(names)}

    def compare(place: int, name: str) -> None:
        """Compare a symbol with its expected line."""
        one = symbols[place]
        if name in places:
            expect(places[name] == place, _other_symbol(what, name))
            return
        _, op, inputs = next(line for line in graph if line[0] == name)
        expect(place not in places.values(), "{what} is an earlier symbol, not a new symbol.", what=what)
        places[name] = place
        expect(one["same_class"] is True, "The result for {what} is not a `Symbol`.", what=what)
        expect(
            isinstance(one["op"], str), "The `op` of the symbol for {what} is missing or is not a string.", what=what
        )
        expect(
            one["op"] == op,
            "The symbol for {what} has the `op` {op!r} instead of {right!r}.",
            what=what,
            op=one["op"],
            right=op,
        )
        if not isinstance(one["inputs"], list):
            raise Wrong("For {what}, `inputs` is a {inputs}, not a list.", what=what, inputs=one["inputs"])
        _check_inputs(one["inputs"], inputs)
        expect(
            one["name"] is None,
            "For {what}, a computed symbol has a `name`. Only variables have names.",
            what=what,
        )

    def _check_inputs(got: list[Any], inputs: list[Any]) -> None:
        counted = translate(
            "For {what}, `inputs` has the length {count} instead of {right}.",
            what=what,
            count=len(got),
            right=len(inputs),
        )
        expect(len(got) == len(inputs), counted)
        for (kind, value), right in zip(got, inputs, strict=True):
            if isinstance(right, str):
                expect(
                    kind != "other",
                    "For {what}, `inputs` contains an object that is not one of the input symbols.",
                    what=what,
                )
                expect(kind == "symbol", "For {what}, one of the `inputs` is a number instead of a symbol.", what=what)
                compare(value, right)
            else:
                expect(
                    kind == "number" and value == right,
                    "For {what}, the number {right} is not in `inputs`.",
                    what=what,
                    right=right,
                )

    compare(place, graph[-1][0])
    for i, name in enumerate(names):  # later operators may have changed a variable
        _check_variable(symbols[i], name, what)


def _other_symbol(what: str, name: str) -> str:
    return translate(
        "For {what}, another symbol is in the position of `{name}`: perhaps a copy, or an input in the wrong order.",
        what=what,
        name=name,
    )


def _check_variable(symbol: Any, name: str, what: str) -> None:
    made = translate('The symbol of `Symbol("{name}")`', name=name)
    after = translate(" (for {what})", what=what)
    if symbol["op"] is Ellipsis or symbol["inputs"] == "ellipsis" or symbol["name"] is Ellipsis:
        missing = next(a for a in ("name", "op", "inputs") if symbol[a] in (Ellipsis, "ellipsis"))
        raise Wrong("{made} has no attribute `{missing}`.", made=made, missing=missing)
    expect(symbol["name"] == name, "{made} does not have the `name` {name!r}.", made=made, name=name)
    expect(
        symbol["op"] is None,
        "{made} has an `op`{after}, although it is a variable: an operator must create a new symbol.",
        made=made,
        after=after,
    )
    expect(symbol["inputs"] == [], "{made} has `inputs` that are not an empty list{after}.", made=made, after=after)


EXERCISE = Exercise(__name__, number="10.2", answer="Symbol", checker=_check, points=2, parts=_PARTS)
