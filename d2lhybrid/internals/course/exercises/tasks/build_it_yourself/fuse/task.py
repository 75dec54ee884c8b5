"""Exercise 10.4: a pass that fuses element-wise operators."""

from __future__ import annotations

from typing import Any

import numpy

from d2lhybrid.internals.course.exercises.exercise import Exercise
from d2lhybrid.internals.course.exercises.judging import compare
from d2lhybrid.internals.course.exercises.results import Wrong, expect
from d2lhybrid.internals.course.exercises.subject import Subject
from d2lhybrid.internals.support.words import translate

from ..graphs import ELEMENTWISE, Graph, check_form, matrices, operators_in, random_graph, run, text_of

_VARIABLES = ["a", "b", "c"]
_PARTS = ("chains", "products", "what is used twice")
_CHAINS: list[Graph] = [
    [["t1", "mul", ["a", 2]], ["t2", "add", ["t1", "b"]], ["t3", "relu", ["t2"]], ["t4", "mul", ["c", "t3"]]],
    [["t1", "mul", ["a", 2]], ["t2", "add", ["b", 2]], ["t3", "add", ["t1", "t2"]], ["t4", "relu", ["t3"]]],
    [["t1", "relu", ["a"]]],
    [["t1", "mul", ["a", 0]], ["t2", "add", ["b", "t1"]]],
    [["t0", "relu", ["a"]], *([f"t{i + 1}", ("add", "mul")[i % 2], [f"t{i}", "b"]] for i in range(24))],
]
_PRODUCTS: list[Graph] = [
    [["t1", "matmul", ["a", "b"]], ["t2", "add", ["t1", "c"]], ["t3", "relu", ["t2"]]],
    [["t1", "add", ["a", "b"]], ["t2", "matmul", ["t1", "a"]]],
    [["t1", "add", ["a", "b"]], ["t2", "matmul", ["a", "c"]], ["t3", "mul", ["t1", "t2"]]],
    [["t1", "matmul", ["a", "b"]], ["t2", "matmul", ["t1", "c"]], ["t3", "matmul", ["t2", "t1"]]],
    [["t1", "relu", ["a"]], ["t2", "relu", ["t1"]], ["t3", "matmul", ["t2", "t2"]], ["t4", "relu", ["t3"]]],
]
_SHARED: list[Graph] = [
    [["t1", "add", ["a", "b"]], ["t2", "mul", ["t1", "t1"]], ["t3", "relu", ["t2"]]],
    [["t1", "add", ["a", "b"]], ["t2", "relu", ["t1"]], ["t3", "mul", ["t1", 2]], ["t4", "add", ["t2", "t3"]]],
    [["t1", "relu", ["a"]], ["t2", "matmul", ["t1", "b"]], ["t3", "add", ["t1", "t2"]]],
    [["first", "add", ["a", -1.5]], ["second", "relu", ["first"]], ["third", "add", ["second", "second"]]],
]


def _moving(graph: Graph) -> list[str]:
    """Return the lines that can move into another line."""
    uses = {name: [op for _, op, inputs in graph for i in inputs if i == name] for name, _, _ in graph}
    return [name for name, op, _ in graph
            if op in ELEMENTWISE and len(uses[name]) == 1 and uses[name][0] in ELEMENTWISE]  # fmt: skip


def _check(subject: Subject, rng: numpy.random.Generator) -> None:
    random = [random_graph(rng, _VARIABLES, 8) for _ in range(6)]
    for part, graphs in zip(_PARTS, (_CHAINS, _PRODUCTS, [*_SHARED, *random]), strict=True):
        with subject.part(part):
            for graph in graphs:
                _check_graph(subject, rng, graph)


def _check_graph(subject: Subject, rng: numpy.random.Generator, graph: Graph) -> None:
    where = translate("For the graph {graph}:", graph=text_of(graph))
    found = subject.ask("rewritten", translate("called for {graph}", graph=text_of(graph)), graph=graph)
    expect(found["given"] == graph, "{where} the function has changed its argument.", where=where)
    expect(
        found["tuple"] is False,
        "{where} the result contains a tuple. Lines and expressions are lists.",
        where=where,
    )
    got = check_form(found["graph"], _VARIABLES, where, nested=True)
    _check_products(got, where)
    moving = _moving(graph)
    for _ in range(2):
        values = matrices(rng, _VARIABLES)
        earlier = [(run(graph[:n], values), "this is the value of an earlier line.") for n in range(1, len(graph))]
        compare(
            run(got, values), run(graph, values), translate("{where} the result of the new graph", where=where), earlier
        )
    if operators_in(got) > len(graph):
        raise Wrong(
            "{where} the new graph computes a value twice: it has {operators} operators instead of {right}.",
            where=where,
            operators=operators_in(got),
            right=len(graph),
        )
    left = [name for name, _, _ in got if name in moving]
    said = (
        translate("`{left}` could move into the only line that uses it", left=left[0])
        if left
        else translate("more lines could move into the lines that use them")
    )
    expect(
        len(got) <= len(graph) - len(moving),
        "{where} the new graph has {count} lines: {said}.",
        where=where,
        count=len(got),
        said=said,
    )


def _check_products(graph: Graph, where: str) -> None:
    def check(value: Any) -> None:
        if isinstance(value, list):
            op, inputs = value
            expect(
                op != "matmul",
                "{where} a matrix product, which is not element-wise, has moved into another line.",
                where=where,
            )
            for one in inputs:
                check(one)

    for _, op, inputs in graph:
        moved = op == "matmul" and any(isinstance(i, list) for i in inputs)
        expect(
            not moved, "{where} an expression has moved into a matrix product, which needs whole arrays.", where=where
        )
        for one in inputs:
            check(one)


EXERCISE = Exercise(__name__, number="10.4", answer="fuse", checker=_check, points=3, parts=_PARTS)
