"""10.2: a symbol that remembers."""

from __future__ import annotations

from typing import Any

import numpy

from ....exercise import Exercise
from ....results import Wrong, expect
from ....subject import Subject
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
_NUMBERS: list[Graph] = [[["r", "mul", ["a", 2]]], [["r", "add", ["b", -0.5]]]]
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
    what = f"for `{what}`"
    found = subject.ask("remember", f"asked {what}", names=names, graph=graph)
    _compare(found, what, names, graph)


def _compare(found: Any, what: str, names: list[str], graph: Graph) -> None:
    symbols = found["symbols"]
    for i, name in enumerate(names):
        _check_variable(symbols[i], name, what)
    kind, place = found["result"]
    if kind != "symbol":
        raise Wrong(f"The result {what} is a {found['type']}, which has no `op`: it remembers nothing.")
    places = {name: i for i, name in enumerate(names)}

    def compare(place: int, name: str) -> None:
        """Compare a symbol with the line that it should have come from."""
        one = symbols[place]
        if name in places:
            expect(places[name] == place, _other_symbol(what, name))
            return
        _, op, inputs = next(line for line in graph if line[0] == name)
        expect(place not in places.values(), f"{what[4:]} is no new symbol: it is one that was there before.")
        places[name] = place
        expect(one["same_class"] is True, f"The result {what} is no `Symbol`.")
        expect(isinstance(one["op"], str), f"The symbol {what} has no `op`, or one that is no text.")
        expect(one["op"] == op, f"The symbol {what} has the `op` {one['op']!r}, where it should be {op!r}.")
        if not isinstance(one["inputs"], list):
            raise Wrong(f"{_of(what)}, `inputs` is a {one['inputs']}, not a list.")
        _check_inputs(one["inputs"], inputs)
        expect(one["name"] is None, f"{_of(what)}, a symbol that was computed has a `name`. Only variables have one.")

    def _check_inputs(got: list[Any], inputs: list[Any]) -> None:
        counted = f"{_of(what)}, `inputs` has a length of {len(got)}, not of {len(inputs)}."
        expect(len(got) == len(inputs), counted)
        for (kind, value), right in zip(got, inputs, strict=True):
            if isinstance(right, str):
                said = "not the symbol itself that it was applied to" if kind == "other" else "a number and no symbol"
                expect(kind == "symbol", f"{_of(what)}, one of the `inputs` is {said}.")
                compare(value, right)
            else:
                expect(kind == "number" and value == right, f"{_of(what)}, the number {right} is not in `inputs`.")

    compare(place, graph[-1][0])
    for i, name in enumerate(names):  # did the later ones change it?
        _check_variable(symbols[i], name, what)


def _of(what: str) -> str:
    return what[0].upper() + what[1:]


def _other_symbol(what: str, name: str) -> str:
    return f"{_of(what)}, another symbol is remembered in the place of `{name}`: a copy, or in another order."


def _check_variable(symbol: Any, name: str, what: str) -> None:
    made = f'The symbol of `Symbol("{name}")`'
    after = f" ({what})"
    if symbol["op"] is Ellipsis or symbol["inputs"] == "ellipsis" or symbol["name"] is Ellipsis:
        missing = next(a for a in ("name", "op", "inputs") if symbol[a] in (Ellipsis, "ellipsis"))
        raise Wrong(f"{made} has no attribute `{missing}`.")
    expect(symbol["name"] == name, f"{made} does not have the `name` {name!r}.")
    expect(symbol["op"] is None, f"{made} has an `op`, and nothing made it{after}: an operator makes a new symbol.")
    expect(symbol["inputs"] == [], f"{made} has `inputs` that are not the empty list{after}.")


EXERCISE = Exercise(__name__, number="10.2", answer="Symbol", checker=_check, points=2, parts=_PARTS)
