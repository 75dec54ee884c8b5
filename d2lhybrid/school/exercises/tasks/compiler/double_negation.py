"""06.4: a pass."""

from __future__ import annotations

from typing import Any

import numpy

from ..... import sym
from ...exercise import Exercise, Mistake
from ...judging import TracedGraph, compare, floats
from ...results import Wrong, expect
from ...subject import Subject


def _random_graph(rng: numpy.random.Generator) -> Any:
    """Return a symbol with chains of negations, some of them used in two places."""
    negative: Any = sym.negative
    values: list[Any] = [sym.var("a"), sym.var("b")]
    for _ in range(int(rng.integers(2, 5))):
        value: Any = values[int(rng.integers(len(values)))]
        for _ in range(int(rng.integers(1, 5))):
            value = negative(value)
        other = values[int(rng.integers(len(values)))]
        values.append(sym.tanh(value) + other if rng.random() < 0.5 else value * other)
    return negative(values[-1]) * values[-2] if rng.random() < 0.5 else values[-1] + values[0] * values[1]


def _check(subject: Subject, rng: numpy.random.Generator) -> None:
    a: Any = sym.var("a")
    b: Any = sym.var("b")
    negative: Any = sym.negative
    tanh: Any = sym.tanh
    fixed = [
        negative(negative(a)) + b,
        negative(a) + b,
        negative(negative(negative(a))) * b,
        negative(negative(negative(negative(a)))) * b,
        tanh(negative(tanh(negative(a)))) + b,
    ]
    for symbol in [*fixed, *(_random_graph(rng) for _ in range(6))]:
        _check_graph(subject, rng, symbol)


def _check_graph(subject: Subject, rng: numpy.random.Generator, symbol: Any) -> None:
    before = TracedGraph(symbol.tojson())
    where = f"For a graph of the operators {', '.join(before.operators)}:"
    names = before.variables
    shape = (int(rng.integers(2, 5)), int(rng.integers(2, 5)))
    found = subject.ask("apply_pass", where, symbol=symbol.tojson(), shapes={n: list(shape) for n in names})
    if found["type"] != "Graph":
        raise Wrong(f"{where} the pass returns no graph but a {found['type']}.")
    expect(found["untouched"] is True, f"{where} the pass has changed the graph that it was given. Graphs are frozen.")
    after = TracedGraph(found["symbol"])
    for _ in range(2):
        values = {n: floats(rng, *shape) for n in names}
        got = after.run(**{n: values[n] for n in after.variables if n in values})[0]
        compare(got, before.run(**values)[0], f"{where} after the pass, the value")
    pairs = [
        node for node in after.symbol._nodes()
        if node.op is not None and node.op.name == "negative" and node.inputs[0][0].op is not None
        and node.inputs[0][0].op.name == "negative"
    ]  # fmt: skip
    expect(not pairs, f"{where} after the pass, there is still a negation of a negation.")
    expect(len(after.operators) <= len(before.operators), f"{where} the pass has added operators.")


_RULE = "def remove_double_negation(graph):\n    def rule(node, inputs):\n"
_IF = (
    "        if node.op is None or node.op.name != 'negative':\n            return None\n        inner = inputs[0][0]\n"
)

EXERCISE = Exercise(
    number="06.4",
    title="Write a pass",
    answer="remove_double_negation",
    points=3,
    task="""
Write a pass for the compiler: `remove_double_negation(graph)` gets a `Graph` and returns one that computes the same, in
which no `negative` is applied to the result of a `negative`. Of three negations in a row one is left, of four none.

A graph is frozen. `graph.rewrite(rule)` makes a new one: it calls `rule(node, inputs)` for every node, inputs before
users. `inputs` are the node's inputs as already rewritten, each a pair (node, number of its output). The rule returns
`None` to keep the node, or a list with a pair for each of its outputs: what to use in its place.

A node has `node.op` (`None` for a variable), `node.op.name` and `node.inputs`. For examples see the files in
`d2lhybrid/compiler/passes/`.
""",
    starter="""
def remove_double_negation(graph):
    ...
""",
    solution_code="""
def remove_double_negation(graph):
    def rule(node, inputs):
        if node.op is None or node.op.name != "negative":
            return None
        inner = inputs[0][0]
        if inner.op is None or inner.op.name != "negative":
            return None
        return [inner.inputs[0]]

    return graph.rewrite(rule)
""",
    hints=(
        "Which two conditions must a node fulfil to be the outer one of a pair?",
        "The inner node is `inputs[0][0]`. What is to be used in place of the outer one: the inner one, or what "
        "the inner "
        "one is applied to?",
        "`inner.inputs[0]` is the pair to return, in a list. And the pass returns `graph.rewrite(rule)`.",
        "For chains: look at `inputs`, which are rewritten already, not at `node.inputs`, which are the old ones.",
    ),
    checker=_check,
    insight="A local rule, applied from the inputs upwards, is enough for chains of any length.",
    mistakes=(
        Mistake(
            "removes every negation",
            _RULE + "        if node.op is not None and node.op.name == 'negative':\n            return [inputs[0]]\n"
            "    return graph.rewrite(rule)",
            "For a graph of the operators negative, elemwise_add: after the pass, the value",
        ),
        Mistake(
            "removes one of two",
            _RULE + _IF + "        if inner.op is None or inner.op.name != 'negative':\n            return None\n"
            "        return [inputs[0]]\n    return graph.rewrite(rule)",
            "negative, negative, elemwise_add: after the pass, the value",
        ),
        Mistake(
            "looks at the old inputs",
            _RULE + "        if node.op is None or node.op.name != 'negative':\n            return None\n"
            "        inner = node.inputs[0][0]\n        if inner.op is None or inner.op.name != 'negative':\n"
            "            return None\n        return [inner.inputs[0]]\n    return graph.rewrite(rule)",
            "negative, negative, negative, negative, elemwise_mul: after the pass, there is still",
        ),
        Mistake(
            "forgets variables",
            _RULE + "        if node.op.name != 'negative':\n            return None\n"
            "        return [inputs[0][0].inputs[0]]\n    return graph.rewrite(rule)",
            "'NoneType' object has no attribute 'name'",
        ),
        Mistake("returns nothing", _RULE + "        return None\n    graph.rewrite(rule)", "no graph but a NoneType"),
        Mistake(
            "does nothing",
            "def remove_double_negation(graph):\n    return graph",
            "negative, negative, elemwise_add: after the pass, there",
        ),
        Mistake(
            "hard-coded",
            "def remove_double_negation(graph):\n    return graph.replace(outputs=((graph.inputs[0], 0),))",
            "after the pass, the value",
        ),
    ),
)
