"""Passes of the machine: what each of them leaves of an expression, and that no result changes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy
import pytest

from d2lhybrid import sym
from d2lhybrid.internals.core.graph import Graph
from d2lhybrid.internals.core.interpret import interpret
from d2lhybrid.internals.core.passes.fold_constants import MAX_CONSTANT_BYTES, fold_constants
from d2lhybrid.internals.core.passes.merge_equal import merge_equal
from d2lhybrid.internals.core.passes.remove_dead import remove_dead
from d2lhybrid.internals.core.passes.simplify import simplify
from d2lhybrid.internals.core.typed_graph import typed_graph
from d2lhybrid.internals.core.well_formed import check_graph

X, Y = sym.var("x"), sym.var("y")
HUGE, HALF = 2.0**100, float(numpy.finfo("float32").max) / 2


def graph_of(symbol: Any, shape: tuple[int, ...] = (2, 3), dtype: str = "float32", training: bool = False) -> Graph:
    names = symbol.list_inputs()
    return typed_graph(symbol, names, dict.fromkeys(names, shape), dict.fromkeys(names, dtype), training)


def operators(graph: Graph) -> list[str]:
    return [n.op.name for n in graph.nodes if n.op is not None and not n.is_constant]


def same_results(before: Graph, after: Graph) -> None:
    check_graph(after)
    rng = numpy.random.default_rng(0)
    values = {n: rng.normal(size=before.types[n, 0].shape) for n in before.inputs}
    values = {n: v.astype(before.types[n, 0].dtype) for n, v in values.items()}
    results = [interpret(g.outputs, values, g.training, numpy.random.default_rng(1)) for g in (before, after)]
    for old, new in zip(*results, strict=True):
        assert (old.dtype, old.shape) == (new.dtype, new.shape) and numpy.array_equal(old, new, equal_nan=True)


#: An expression, what is left of its operators, and what it is applied to where that is not a matrix of float32.
SIMPLIFIED: dict[str, tuple[Callable[[], Any], list[str], dict[str, Any]]] = {
    "x * 1": (lambda: X * 1, ["_copy"], {}),
    "x * 2": (lambda: X * 2, ["_mul_scalar"], {}),
    "x - 0": (lambda: X - 0, ["_copy"], {}),
    "x + 0 changes -0": (lambda: X + 0, ["_plus_scalar"], {}),
    "x + 0 of whole numbers": (lambda: X + 0, ["_copy"], {"dtype": "int32"}),
    "x + -0": (lambda: X + -0.0, ["_copy"], {}),
    "x / 1 inside": (lambda: sym.exp(X / 1), ["exp"], {}),
    "x * 2 * 3": (lambda: X * 2 * 3, ["_mul_scalar"], {}),
    "x * 2 * 3 * 5": (lambda: X * 2 * 3 * 5, ["_mul_scalar"] * 2, {}),  # 6 is no power of two
    "x * 3 * 2 rounds": (lambda: X * 3 * 2, ["_mul_scalar"] * 2, {}),
    "x * 0.5 * 2 may lose digits": (lambda: X * 0.5 * 2, ["_mul_scalar"] * 2, {}),
    "x * 2 * 0.5 may be infinite": (lambda: X * 2 * 0.5, ["_mul_scalar"] * 2, {}),
    "x * 1 * 1": (lambda: X * 1 * 1, ["_copy"], {}),
    "x * -2 * -4": (lambda: X * -2 * -4, ["_mul_scalar"], {}),
    "x * 2 * 1": (lambda: X * 2 * 1, ["_mul_scalar"], {}),
    "x * huge * huge": (lambda: X * HUGE * HUGE, ["_mul_scalar"] * 2, {}),
    "x * huge * huge in double": (lambda: X * HUGE * HUGE, ["_mul_scalar"], {"dtype": "float64"}),
    "x * 2 * half of the largest number": (lambda: X * 2 * HALF, ["_mul_scalar"], {}),
    "x * -1 * 2": (lambda: X * -1 * 2, ["_mul_scalar"], {}),
    "x * 2 * -1": (lambda: X * 2 * -1, ["_mul_scalar"], {}),
    "2 * 3 of whole numbers": (lambda: X * 2 * 3, ["_mul_scalar"] * 2, {"dtype": "int32"}),
    "x * 2 + 3": (lambda: X * 2 + 3, ["_mul_scalar", "_plus_scalar"], {}),
    "transposed twice": (lambda: sym.transpose(sym.transpose(X)), ["_copy"], {}),
    "transposed once": (lambda: sym.transpose(X), ["transpose"], {}),
    "axes as they are": (lambda: sym.transpose(X, axes=(0, 1)), ["_copy"], {}),
    "a circle of axes, twice": (
        lambda: sym.transpose(sym.transpose(X, axes=(1, 2, 0)), axes=(1, 2, 0)), ["transpose"], {"shape": (2, 3, 4)},
    ),
    "a circle of axes and back": (
        lambda: sym.transpose(sym.transpose(X, axes=(1, 2, 0)), axes=(2, 0, 1)), ["_copy"], {"shape": (2, 3, 4)},
    ),
    "a circle of axes, turned around": (
        lambda: sym.transpose(sym.transpose(X, axes=(1, 2, 0))), ["transpose"], {"shape": (2, 3, 4)},
    ),
    "transposed around another": (
        lambda: sym.transpose(sym.exp(sym.transpose(X))), ["transpose", "exp", "transpose"], {},
    ),
    "reshaped to what it is": (lambda: sym.reshape(X, shape=(2, 3)), ["_copy"], {}),
    "reshaped twice": (lambda: sym.reshape(sym.reshape(X, shape=(3, 2)), shape=(6,)), ["Reshape"], {}),
    "reshaped and back": (lambda: sym.reshape(sym.reshape(X, shape=(3, 2)), shape=(2, 3)), ["_copy"], {}),
    "reshaped around another": (
        lambda: sym.reshape(sym.exp(sym.reshape(X, shape=(3, 2))), shape=(6,)), ["Reshape", "exp", "Reshape"], {},
    ),
    "reshaped with nothing in it": (  # 0 is a code there
        lambda: sym.expand_dims(sym.expand_dims(X, axis=0), axis=0), ["expand_dims"] * 2, {"shape": (0, 3)},
    ),
    "a number of axes": (lambda: sym.expand_dims(sym.expand_dims(X, axis=0), axis=0), ["Reshape"], {}),
    "flattened and an axis more": (lambda: sym.expand_dims(sym.Flatten(X), axis=0), ["Reshape"], {"shape": (2, 3, 4)}),
    "cast to its own type": (lambda: sym.exp(sym.cast(X, dtype="float32")), ["exp"], {}),
    "cast to another type": (lambda: sym.exp(sym.cast(X, dtype="float64")), ["Cast", "exp"], {}),
    "stretched to its own shape": (lambda: sym.exp(sym.broadcast_to(X, shape=(2, 3))), ["exp"], {}),
    "stretched": (lambda: sym.exp(sym.broadcast_to(X, shape=(2, 3))), ["broadcast_to", "exp"], {"shape": (1, 3)}),
    "dropout in prediction": (lambda: sym.Dropout(X, p=0.5), ["_copy"], {}),
    "dropout in training": (lambda: sym.Dropout(X, p=0.5), ["Dropout"], {"training": True}),
    "dropout of nothing in training": (lambda: sym.Dropout(X, p=0), ["_copy"], {"training": True}),
    "dropout that always drops": (lambda: sym.Dropout(X, p=0.5, mode="always"), ["Dropout"], {}),
    "dropout that always drops nothing": (lambda: sym.Dropout(X, p=0, mode="always"), ["_copy"], {}),
    "an input that is a result": (lambda: sym.Group([X, sym.exp(X)]), ["exp"], {}),
}  # fmt: skip


@pytest.mark.parametrize("case", SIMPLIFIED.values(), ids=SIMPLIFIED)
def test_what_changes_no_bit_is_made_simpler(case: Any) -> None:
    make, left, given = case
    before = graph_of(make(), **given)
    after = simplify(before)
    assert operators(after) == left
    same_results(before, after)


#: Sources, and how many operators are left once what follows from constants alone was computed.
FOLDED: dict[str, tuple[Callable[[], Any], list[str]]] = {
    "constants": (lambda: (sym.ones((1,)) + sym.ones((1,)) * 2) + sym.arange(0, 1), []),
    "of an input": (lambda: X + sym.exp(sym.ones((2, 3))), ["elemwise_add"]),
    "several results": (lambda: sym.split(sym.ones((2, 4)), num_outputs=2)[1] * 2, []),
    "random numbers": (lambda: sym.random.normal(shape=(2,)) * 2, ["_random_normal", "_mul_scalar"]),
    "as large as a constant may be": (lambda: sym.zeros((MAX_CONSTANT_BYTES // 4,)), []),
    "too large": (lambda: sym.zeros((MAX_CONSTANT_BYTES // 4 + 1,)), ["_zeros"]),
}


@pytest.mark.parametrize("case", FOLDED.values(), ids=FOLDED)
def test_what_depends_on_no_input_is_computed_once(case: Any) -> None:
    make, left = case
    before = graph_of(make())
    after = fold_constants(before)
    assert operators(after) == left
    same_results(before, after)
    for node in after.nodes:
        if node.is_constant:
            assert not node.params["value"].flags.writeable


#: What is computed twice, and what is left of it.
MERGED: dict[str, tuple[Callable[[], Any], list[str]]] = {
    "equal": (lambda: sym.exp(X) * sym.exp(X), ["exp", "elemwise_mul"]),
    "equal chains": (
        lambda: sym.exp(sym.sin(X)) - sym.exp(sym.sin(X)) * 2, ["sin", "exp", "_mul_scalar", "elemwise_sub"],
    ),
    "other settings": (lambda: (X + 1) * (X + 2), ["_plus_scalar", "_plus_scalar", "elemwise_mul"]),
    "other inputs": (lambda: sym.exp(X) * sym.exp(Y), ["exp", "exp", "elemwise_mul"]),
    "the other way around": (lambda: (X - Y) * (Y - X), ["elemwise_sub", "elemwise_sub", "elemwise_mul"]),
    "other results of one": (
        lambda: sym.exp(sym.split(X, num_outputs=3)[0]) - sym.exp(sym.split(X, num_outputs=3)[1]),
        ["SliceChannel", "exp", "exp", "elemwise_sub"],
    ),
    "random numbers": (
        lambda: sym.random.normal(shape=(2, 3)) * sym.random.normal(shape=(2, 3)),
        ["_random_normal", "_random_normal", "elemwise_mul"],
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", MERGED.values(), ids=MERGED)
def test_what_is_computed_twice_is_computed_once(case: Any) -> None:
    make, left = case
    before = graph_of(make())
    after = merge_equal(before)
    assert operators(after) == left
    same_results(before, after)


def test_constants_are_equal_by_their_numbers() -> None:
    ones = fold_constants(graph_of(X + sym.ones((2, 3)) * 2 - sym.ones((2, 3)) * 2 + sym.ones((2, 3))))
    assert sum(n.is_constant for n in ones.nodes) == 3 and sum(n.is_constant for n in merge_equal(ones).nodes) == 2


def test_only_states_that_change_are_written_back() -> None:
    net = sym.BatchNorm(X, name="norm", fix_gamma=True)
    names = net.list_inputs()
    shapes = {name: (2, 3) if name == "x" else (3,) for name in names}
    graph = typed_graph(net, names, shapes, dict.fromkeys(names, "float32"), True)
    [update] = graph.updates
    assert update.variable.name == "norm_gamma" and remove_dead(graph) is graph
    assert update.value[0].name == "norm_ones_like"  # after the layer that writes it
    unchanged = update._replace(variable=graph.inputs[2], value=(graph.inputs[2], 0))
    assert remove_dead(graph.replace(updates=(unchanged, update))).updates == (update,)


#: What of a graph a pass may look for.
TRAITS: dict[str, tuple[Callable[[], Any], set[str]]] = {
    "one row": (lambda: sym.exp(X), {"exp", "one row"}),
    "hands on": (lambda: X * 2, {"_mul_scalar", "hands on", "one row"}),
    "element-wise": (lambda: sym.exp(sym.sin(X)), {"exp", "sin", "element-wise", "one row"}),
    "equal": (lambda: sym.dot(X, X) + sym.dot(X, X), {"dot", "elemwise_add", "equal", "one row"}),
    "source": (lambda: sym.dot(X, sym.ones((1, 1))), {"dot", "_ones", "source", "one row"}),
}


@pytest.mark.parametrize("case", TRAITS.values(), ids=TRAITS)
def test_a_graph_says_what_a_pass_may_look_for(case: Any) -> None:
    make, traits = case
    assert graph_of(make(), (1, 1)).traits == traits
    assert "one row" not in graph_of(sym.exp(X), (2, 1)).traits


def test_what_follows_a_merged_value_is_merged_too() -> None:
    x = sym.var("x")
    first, second = sym.sin(x), sym.sin(x)
    both = sym.Group([first, sym.tanh(second), sym.tanh(first)])  # the second is merged before its user is reached
    graph = typed_graph(both, ["x"], {"x": (2,)}, {"x": "float32"}, False)
    merged = merge_equal(graph)
    assert (graph.num_operators, merged.num_operators) == (4, 2) and merged.outputs[1] == merged.outputs[2]
