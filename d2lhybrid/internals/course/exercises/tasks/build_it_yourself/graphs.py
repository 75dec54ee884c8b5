"""Graphs as lists of lines ``[name, operator, inputs]``: functions that generate, check, run, and measure them."""

from __future__ import annotations

import keyword
from collections.abc import Callable, Collection
from typing import Any

import numpy

from d2lhybrid.internals.support.words import translate

from ...judging import floats
from ...results import Wrong, expect

__all__ = ["ELEMENTWISE", "Graph", "check_form", "matrices", "operators_in", "random_graph", "run", "text_of"]

Graph = list[list[Any]]

_KERNELS: dict[str, tuple[int, Callable[..., Any]]] = {
    "add": (2, lambda a, b: a + b),
    "mul": (2, lambda a, b: a * b),
    "matmul": (2, lambda a, b: a @ b),
    "relu": (1, lambda a: numpy.maximum(a, 0)),
}
ELEMENTWISE = ("add", "mul", "relu")
_SIGNS = {"add": "+", "mul": "*", "matmul": "@"}
#: The largest nesting depth of expressions.
_DEEPEST = 300


def matrices(rng: numpy.random.Generator, names: Collection[str]) -> dict[str, numpy.ndarray]:
    """Return a random square matrix for each name, all of the same size, so that every operator accepts them."""
    size = int(rng.integers(2, 5))
    return {name: floats(rng, size, size) for name in names}


def random_graph(rng: numpy.random.Generator, variables: Collection[str], length: int) -> Graph:
    """Return a random graph in which the last line depends on every other line.

    The graph has `length` random lines, and then lines that add up the unused values.
    """
    graph: Graph = []

    def add_line(op: str, inputs: list[Any]) -> None:
        graph.append([f"t{len(graph) + 1}", op, inputs])

    for _ in range(length):
        op = str(rng.choice(["add", "mul", "matmul", "relu", "add"]))
        known = [*variables, *(name for name, _, _ in graph)]
        inputs: list[Any] = [str(name) for name in rng.choice(known, 1 if op == "relu" else 2)]
        if op in ("add", "mul") and rng.random() < 0.25:
            inputs[1] = float(rng.choice([0.5, -2, 3]))
        add_line(op, inputs)
    used = {i for _, _, inputs in graph for i in inputs}
    unused = [name for name, _, _ in graph if name not in used]
    while len(unused) > 1:
        add_line("add", [unused.pop(), unused.pop()])
        unused.append(graph[-1][0])
    return graph


def text_of(graph: Graph) -> str:
    """Return a graph as source code; for more than 8 lines, only the first three lines and the number of lines.

    Examples
    --------
    >>> text_of([["t1", "matmul", ["x", "w"]], ["t2", "relu", [["add", ["t1", 2]]]]])
    't1 = x @ w; t2 = relu(t1 + 2)'
    """

    def shown(op: str, inputs: list[Any]) -> str:
        texts = [f"({shown(*i)})" if isinstance(i, list) and op in _SIGNS else shown(*i) if isinstance(i, list)
                 else str(i) for i in inputs]  # fmt: skip
        return f" {_SIGNS[op]} ".join(texts) if op in _SIGNS else f"{op}({', '.join(texts)})"

    lines = [f"{name} = {shown(op, inputs)}" for name, op, inputs in graph]
    return "; ".join(lines if len(lines) <= 8 else [*lines[:3], translate("... ({count} lines)", count=len(lines))])


def check_form(graph: Any, variables: Collection[str], where: str, nested: bool) -> Graph:
    """Return `graph` if it is a valid graph of the variables; otherwise, raise ``Wrong``."""
    if not isinstance(graph, list):
        raise Wrong("{where} the result is {graph}, not a list of lines.", where=where, graph=_kind(graph))
    expect(bool(graph), "{where} the returned graph is empty.", where=where)
    known = set(variables)

    def check(op: Any, inputs: Any, line: str, depth: int) -> None:
        expect(depth < _DEEPEST, "{where} {line} is nested too deeply.", where=where, line=line)
        expect(
            isinstance(op, str) and op in _KERNELS,
            "{where} in {line}, {op} is not an operator.",
            where=where,
            line=line,
            op=_shown(op),
        )
        count = _KERNELS[op][0]
        right = isinstance(inputs, list) and len(inputs) == count
        expect(
            right,
            "{where} in {line}, the inputs of `{op}` are {inputs}, not a list of length {count}.",
            where=where,
            line=line,
            op=op,
            inputs=_shown(inputs),
            count=count,
        )
        for one in inputs:
            if isinstance(one, list) and nested:
                expect(
                    len(one) == 2,
                    "{where} in {line}, {one} is not an expression `[op, inputs]`.",
                    where=where,
                    line=line,
                    one=_shown(one),
                )
                check(one[0], one[1], line, depth + 1)
            elif isinstance(one, str):
                expect(
                    one in known,
                    "{where} {line} uses `{one}`, which is neither a variable nor an earlier line.",
                    where=where,
                    line=line,
                    one=one,
                )
            else:
                good = isinstance(one, int | float)
                expect(
                    good,
                    "{where} in {line}, the input {one} is neither a name nor a number.",
                    where=where,
                    line=line,
                    one=_shown(one),
                )

    for line in graph:
        good = isinstance(line, list) and len(line) == 3
        expect(good, "{where} {line} is not a line `[name, op, inputs]`.", where=where, line=_shown(line))
        name, op, inputs = line
        good = isinstance(name, str) and name.isidentifier() and not keyword.iskeyword(name)
        expect(
            good,
            "{where} {name} cannot be the name of a line: Python could not assign to it.",
            where=where,
            name=_shown(name),
        )
        expect(name not in variables, "{where} a line has the name of the variable `{name}`.", where=where, name=name)
        expect(name not in known, "{where} two lines have the name `{name}`.", where=where, name=name)
        check(op, inputs, translate("the line `{name}`", name=name), 0)
        known.add(name)
    return graph


def _kind(value: Any) -> str:
    return "None" if value is None else translate("a {name}", name=getattr(value, "type_name", type(value).__name__))


def _shown(value: Any) -> str:
    if hasattr(value, "type_name"):
        return _kind(value)
    text = repr(value)
    return f"`{text if len(text) < 80 else text[:76] + ' ...'}`".replace("\n", " ")


def run(graph: Graph, values: dict[str, numpy.ndarray]) -> numpy.ndarray:
    """Return the result of a graph whose form :func:`check_form` has checked."""
    known: dict[str, Any] = {name: value.astype("float64") for name, value in values.items()}

    def value_of(one: Any) -> Any:
        if isinstance(one, list):
            return _KERNELS[one[0]][1](*map(value_of, one[1]))
        return known[one] if isinstance(one, str) else one

    with numpy.errstate(all="ignore"):
        for name, op, inputs in graph:
            known[name] = value_of([op, inputs])
    return numpy.asarray(known[graph[-1][0]])


def operators_in(graph: Graph) -> int:
    """Return the number of operators in a graph."""

    def count(one: Any) -> int:
        return 1 + sum(map(count, one[1])) if isinstance(one, list) else 0

    return sum(count([op, inputs]) for _, op, inputs in graph)
