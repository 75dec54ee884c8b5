"""Graphs: types, names, arithmetic of gradients, and what makes one well formed."""

from __future__ import annotations

import itertools
import linecache
import time
from types import SimpleNamespace
from typing import Any

import numpy
import pytest
from own_operators import own_operators

import d2lhybrid as mx
from d2lhybrid import nd, sym
from d2lhybrid.error import MXNetError
from d2lhybrid.internals.core import backends, infer
from d2lhybrid.internals.core import graph as graphs
from d2lhybrid.internals.core.gradient_starts import zeros_for
from d2lhybrid.internals.core.graph import Graph, TensorType, TypeTable, Update
from d2lhybrid.internals.core.graph_space import GraphSpace
from d2lhybrid.internals.core.inference_errors import located
from d2lhybrid.internals.core.loops import merging, same_knowledge
from d2lhybrid.internals.core.node import Node, input_names, program_order
from d2lhybrid.internals.core.open_shapes import is_open
from d2lhybrid.internals.core.operator import Array, Generator, Training, get_operator, operator
from d2lhybrid.internals.core.operator_by_operator import _order
from d2lhybrid.internals.core.pipeline import compile_graph
from d2lhybrid.internals.core.sparse_rows import LookedUp, named_rows, sources_of
from d2lhybrid.internals.core.typed_graph import follow, typed_graph
from d2lhybrid.internals.core.well_formed import check_graph
from d2lhybrid.internals.support.events import listening
from d2lhybrid.internals.support.places import BlockCall, Place
from d2lhybrid.internals.support.remedies import place_of
from d2lhybrid.symbol.compose import compose

X = sym.var("x")
F16, F32, F64 = (numpy.dtype(f"float{n}") for n in (16, 32, 64))  # F64 equals None


def graph_of(symbol: Any, **shapes: tuple[int, ...]) -> Graph:
    return typed_graph(symbol, list(shapes), shapes, dict.fromkeys(shapes, "float32"), False)


# --- arithmetic -----------------------------------------------------------------------------------

#: What is written in a gradient rule, the operator that it becomes for equal types, and that for two types.
ARITHMETIC = {
    "a + b": (lambda a, b: a + b, "elemwise_add", "_npi_add"),
    "a - b": (lambda a, b: a - b, "elemwise_sub", "_npi_subtract"),
    "a * b": (lambda a, b: a * b, "elemwise_mul", "_npi_multiply"),
    "a / b": (lambda a, b: a / b, "elemwise_div", "_npi_true_divide"),
    "a ** b": (lambda a, b: a**b, "_power", "_npi_power"),
}
WITH_NUMBERS = {
    "a + 2": (lambda a: a + 2, "_plus_scalar"), "2 + a": (lambda a: 2 + a, "_plus_scalar"),
    "a - 2": (lambda a: a - 2, "_minus_scalar"), "2 - a": (lambda a: 2 - a, "_rminus_scalar"),
    "a * 2": (lambda a: a * 2, "_mul_scalar"), "2 * a": (lambda a: 2 * a, "_mul_scalar"),
    "a / 2": (lambda a: a / 2, "_div_scalar"), "2 / a": (lambda a: 2 / a, "_rdiv_scalar"),
    "a ** 2": (lambda a: a**2, "_power_scalar"),
}  # fmt: skip


def values_of_a_space() -> tuple[GraphSpace, Any, Any, Any]:
    types = TypeTable()
    space = GraphSpace(types)
    made = []
    for name, dtype in (("a", F32), ("b", F32), ("c", F64)):
        node = Node(None, name)
        types[node, 0] = TensorType((2,), dtype)
        made.append(space.wrap((node, 0)))
    return (space, *made)


@pytest.mark.parametrize("case", ARITHMETIC.values(), ids=ARITHMETIC)
def test_arithmetic_of_gradients_leaves_a_node(case: Any) -> None:
    compute, equal, mixed = case
    space, a, b, c = values_of_a_space()
    for left, right, name, dtype in ((a, b, equal, F32), (a, c, mixed, F64), (c, a, mixed, F64)):
        value = compute(left, right)
        node = value.entry[0]
        assert node.op is get_operator(name) and node.inputs == (left.entry, right.entry)
        assert space.types[value.entry] == TensorType((2,), dtype)


@pytest.mark.parametrize("case", WITH_NUMBERS.values(), ids=WITH_NUMBERS)
def test_arithmetic_with_a_number_leaves_a_node(case: Any) -> None:
    compute, name = case
    _, a, _, _ = values_of_a_space()
    node, index = compute(a).entry
    assert node.op is get_operator(name) and node.params == {"scalar": 2.0} and (node.inputs, index) == ((a.entry,), 0)


def test_operators_of_a_space_leave_nodes_with_its_prefix() -> None:
    space, a, b, _ = values_of_a_space()
    space.prefix = "dense0_backward_"
    assert (-a).entry[0].params == {"scalar": -1.0} and (-a).entry[0].name == "dense0_backward_mul_scalar"
    first, second = space.split(a, num_outputs=2, axis=0)
    assert (first.entry[0], first.entry[1], second.entry[1]) == (second.entry[0], 0, 1)
    assert space.FullyConnected(a, b, None, num_hidden=1, no_bias=True).entry[0].inputs == (a.entry, b.entry)
    with pytest.raises(AttributeError):
        space.__array__  # noqa: B018


# --- types ----------------------------------------------------------------------------------------


def test_an_operator_without_rules_is_run_to_find_its_types() -> None:
    with own_operators():

        @operator("_without_rules", outputs=2)
        def without_rules(xp: Any, data: Array, times: int = 2) -> Any:
            """Twice the columns, and their number."""
            return xp.concatenate([data] * times, axis=1), xp.asarray(data.shape[1], "int32")

        both = compose(without_rules, "own", [X], {"times": 3}, mx.sym.Symbol)
        graph = graph_of(sym.exp(both[0]), x=(2, 4))
        made = next(n for n in graph.nodes if n.op is without_rules)
        assert [graph.types[made, i] for i in (0, 1)] == [
            TensorType((2, 12), F32), TensorType((), numpy.dtype("int32")),
        ]  # fmt: skip
        assert both.infer_shape(x=(2, 4)) == ([(2, 4)], [(2, 12), ()], [])
        for given, shape in (({}, None), ({"x": (None, 4)}, None), ({"x": (3, 4)}, (3, 12))):
            assert infer.infer_shapes(both._entries, given)[both._entries[0]] == shape
        for given in ({}, {"x": F64}):
            assert infer.infer_types(both._entries, given)[both._entries[0]] is None  # the shape is not known
        again = TypeTable({(graph.inputs[0], 0): TensorType((2, 4), F64)})
        assert again[made, 0] == TensorType((2, 12), F64)
        with pytest.raises(KeyError):
            again[made, 2]


class Asked:
    """An operator that counts how often its shape rule is asked, and repeats its answer where the sizes are equal."""

    def __init__(self, **facts: Any) -> None:
        @operator("_asked")
        def asked(xp: Any, data: Array, times: float = 1) -> Any:
            """The same numbers."""
            return data

        self.op, self.count = asked, 0
        vars(asked).update(facts)
        asked.infer_shape(self.shapes)
        asked.infer_type(lambda data, **attributes: ([data], [data]))

    def shapes(self, data: Any, times: float) -> Any:
        self.count += 1
        return [data], [(self.count, *data)]

    def shape(self, *shape: int, **params: Any) -> tuple[int, ...]:
        node = Node(self.op, "own", ((Node(None, "x"), 0),), params=params)
        return graphs.results_of(node, (TensorType(shape, F32),)).types[0].shape


def test_types_of_equal_nodes_are_inferred_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(graphs, "_found_results", {})
    monkeypatch.setattr(graphs, "_MOST_RESULTS", 2)
    with own_operators():
        asked = Asked()
        assert [asked.shape(5), asked.shape(6), asked.shape(5), asked.shape(6)] == [(1, 5), (2, 6)] * 2
        assert asked.shape(5, times=2) == (3, 5) and len(graphs._found_results) == 1  # the others were dropped
        assert asked.shape(5, times=2.0) == (4, 5) and asked.shape(5, times=2) == (3, 5)  # a rule may look at the type
        asked.op.infer_shape(lambda data, times: ([data], [(7, 7)]))
        assert asked.shape(5, times=2) == (7, 7)  # a cell ran again


@pytest.mark.parametrize("facts", [{"calls_python": True}, {"in_files": False}], ids=str)
def test_types_are_inferred_again_where_the_answer_may_change(facts: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(graphs, "_found_results", {})
    with own_operators():
        asked = Asked(**facts)
        assert [asked.shape(5), asked.shape(5)] == [(1, 5), (2, 5)] and graphs._found_results == {}


def test_types_are_inferred_for_attributes_that_no_table_holds(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(graphs, "_found_results", {})
    with own_operators():
        asked = Asked()
        assert [asked.shape(5, times=[1]), asked.shape(5, times=[1])] == [(1, 5), (2, 5)]
        assert graphs._found_results == {}


def test_a_rule_is_asked_once_where_its_inputs_tell_everything() -> None:
    with own_operators():
        asked, types = Asked(), []
        asked.op.infer_type(lambda data, times: types.append(data) or ([data], [data]))
        entries = sym.exp(compose(asked.op, "own", [sym.exp(X)], {}, mx.sym.Symbol))._entries
        assert infer.infer_shapes(entries, {"x": (5,)})[entries[0]] == (1, 5) and asked.count == 1
        assert infer.infer_types(entries, {"x": "float64"})[entries[0]] == F64 and types == [F64]


def test_an_operator_that_is_run_to_find_its_types_is_run_as_for_a_prediction() -> None:
    told: list[Any] = []
    with own_operators():

        @operator("_told")
        def tell(xp: Any, data: Array, training: Training, rng: Generator) -> Any:
            """The same numbers."""
            told.append((training, type(rng)))
            return data

        assert compose(tell, "own", [X], {}, mx.sym.Symbol).infer_shape(x=(2, 3))[1] == [(2, 3)]
    assert set(told) == {(False, numpy.random.Generator)}


def test_a_rule_that_wants_another_input_has_not_settled_the_types() -> None:
    def settled(op: Any, **params: Any) -> bool:
        return graphs.results_of(Node(op, "own", ((Node(None, "x"), 0),), params=params), (given,)).settled

    given = TensorType((2, 3), F32)
    with own_operators():

        @operator("_wants")
        def wants(xp: Any, data: Array, size: int = 2) -> Any:
            """The same numbers."""
            return data

        wants.infer_shape(lambda data, size: ([(size, 3)], [data]))
        wants.infer_type(lambda data, size: ([numpy.dtype("float32" if size < 9 else "float64")], [data]))
        assert settled(wants) and not settled(wants, size=4)
        wants.infer_shape(lambda data, size: ([None], [data]))
        assert settled(wants, size=4) and not settled(wants, size=9)
        wants.infer_type(lambda data, size: ([data], [None]))  # so that it has to run
        assert not settled(wants)
        symbol = compose(wants, "own", [X], {"size": 4}, mx.sym.Symbol)
        wants.infer_shape(lambda data, size: ([(size, 3)], [data]))
        with pytest.raises(MXNetError, match="Shape inconsistent"):
            graph_of(symbol, x=(2, 3))


def test_the_type_of_a_variable_has_to_be_known() -> None:
    with pytest.raises(MXNetError, match="the element type and shape of the variable 'x' are unknown"):
        TypeTable()[Node(None, "x"), 0]


@pytest.mark.parametrize(
    ("attribute", "text", "reason"),
    [
        ("__shape__", "(2, x)", "'x' is not a number"),
        ("__shape__", "(2.5,)", "is not a shape"),
        ("__dtype__", "float", "'float' is not an integer"),
        ("__shape__", "(" + "1, " * 200 + ")", "at most 64 dimensions, not 200"),
        ("__dtype__", "x" * 200, "is not an integer"),
        ("__dtype__", "x" * 201, "is not an integer"),
    ],
)
def test_an_attribute_of_a_variable_that_cannot_be_read_is_named(attribute: str, text: str, reason: str) -> None:
    node = Node(None, "v" * 300, attrs={attribute: text})
    with pytest.raises(MXNetError, match=f"Invalid attribute {attribute} of the variable 'v{{200}}'") as caught:
        infer.declared_shape(node)
        infer.declared_dtype(node)
    assert len(str(caught.value)) < 500 and reason in caught.value.__notes__[0]
    assert str(caught.value).endswith(f"value='{text}'" if len(text) <= 200 else f"value='{text[:200]}...'")


@pytest.mark.parametrize(
    ("attrs", "shape", "dtype"),
    [
        ({}, None, None),
        ({"__shape__": "(2, 3)", "__dtype__": "1"}, (2, 3), F64),
        ({"__shape__": "(0, 3)", "__dtype__": "-1"}, (None, 3), None),
        ({"__shape__": "(-1, 1)", "__dtype__": "0"}, (None, 1), F32),
    ],
)
def test_a_variable_says_its_shape_and_type(attrs: dict[str, str], shape: Any, dtype: Any) -> None:
    node = Node(None, "x", attrs=attrs)
    assert infer.declared_shape(node) == shape and infer.declared_dtype(node) == dtype


def test_inference_ends_in_time() -> None:
    open_size = sym.FullyConnected(sym.zeros((0, 5)), num_hidden=3) + X  # found on the way back
    assert open_size.infer_shape(x=(4, 3))[1] == [(4, 3)]
    with mx.limits(seconds=1e-9), pytest.raises(MXNetError, match="inferring the shapes of the graph"):
        open_size.infer_shape(x=(4, 3))


def test_time_of_other_processes_does_not_count() -> None:
    with mx.limits(seconds=0.02):
        deadline = mx.limits.deadline()
    time.sleep(0.05)
    deadline.check("waiting")
    with pytest.raises(MXNetError, match=r"counting takes more than 0\.02 seconds"):
        for _ in itertools.count():
            deadline.check("counting")


def test_what_does_not_fit_is_said_with_the_node_and_what_it_was_given() -> None:
    wrong = sym.FullyConnected(X, sym.var("w"), num_hidden=2, no_bias=True, name="fc")
    with pytest.raises(MXNetError, match="Error in operator fc: Shape inconsistent") as caught:
        wrong.infer_shape(x=(1, 3), w=(2, 4))
    assert any("in FullyConnected 'fc' with inputs x (1, 3), w (2, 4)" in note for note in caught.value.__notes__)
    with pytest.raises(MXNetError, match="Incompatible attr in node add at 1-th input") as caught:
        sym.elemwise_add(X, sym.var("y"), name="add").infer_shape(x=(1, 3), y=(4, 3))
    assert any("F.broadcast_add(x, y)" in note for note in caught.value.__notes__)

    class Wrong(mx.gluon.HybridBlock):
        def hybrid_forward(self, F: Any, x: Any) -> Any:
            return F.dot(x, F.ones((7, 2)))  # here

    net = Wrong()
    net.hybridize()
    with pytest.raises(MXNetError) as caught:
        net(nd.ones((2, 3)))
    place = place_of(caught.value)
    assert place is not None and linecache.getline(place[0], place[1]).endswith("# here\n")
    assert any("# here" in note for note in caught.value.__notes__)


@pytest.mark.parametrize(
    ("inside", "made", "line"),
    [(True, None, 'net.py", line 7'), (False, Place("layers.py", 3), 'layers.py", line 3'), (False, None, None)],
)
def test_an_error_names_the_line_that_made_a_node_if_it_is_known(inside: bool, made: Any, line: Any) -> None:
    calls = (BlockCall("0", "Dense", "dense0", 1, made),)
    source = Place("net.py", 7, "Net.hybrid_forward", calls, inside)
    node = Node(get_operator("exp"), "exp", ((Node(None, "x"), 0),), source=source)
    error = located(MXNetError("no"), node, [(2,)])  # the call that fails
    notes = error.__notes__
    assert [line in note for note in notes if note.startswith("made by ")] == ([] if line is None else [True])
    place = place_of(error)
    assert place is not None and place.calls == calls and place.inside == inside
    assert place == source if inside else linecache.getline(*place).endswith("# the call that fails\n")


def test_what_a_call_knows_wins_over_what_a_variable_says() -> None:
    symbol = sym.exp(sym.var("x", shape=(2, 3)))
    assert symbol.infer_shape(x=(4, 5))[1] == [(4, 5)] and symbol.infer_shape()[1] == [(2, 3)]
    partial = sym.exp(sym.var("x", shape=(0, 3)))
    assert partial.infer_shape(x=(4, 0))[1] == [(4, 3)]


def test_variables_of_one_name_are_one_input() -> None:
    graph = graph_of(sym.exp(sym.var("x")) * sym.sin(sym.var("x")) + sym.var("x"), x=(2,))
    assert len(graph.inputs) == 1 and [n for n in graph.nodes if n.op is None] == list(graph.inputs)
    check_graph(graph)


def test_an_input_that_nothing_reads_is_an_input() -> None:
    graph = graph_of(sym.exp(X), unused=(3,), x=(2,))
    assert graph.num_data == 2 and graph.replace(num_data=1).num_data == 1
    assert [n.name for n in graph.inputs] == ["unused", "x"] and graph.types[graph.inputs[0], 0].shape == (3,)


@pytest.mark.parametrize(
    ("what", "first", "second", "merged"),
    [
        ("types", F32, None, F32), ("types", None, F32, F32), ("types", F32, F64, F32), ("types", None, None, None),
        ("shapes", (2, None), (None, 3), (2, 3)), ("shapes", None, (2,), (2,)),
    ],
)  # fmt: skip
def test_what_is_known_from_two_sides_is_put_together(what: str, first: Any, second: Any, merged: Any) -> None:
    assert merging(what)(first, second) == merged
    assert same_knowledge([first], [second]) == (first == second and (first is None) == (second is None))


def test_types_are_followed_from_variables_only_where_all_is_known_of_them() -> None:
    order = list((sym.exp(X, name="exp") * 2)._nodes())
    found = follow(order, {"x": (2, 3)}, {"x": "float64"})
    assert found is not None and found[order[-1], 0] == TensorType((2, 3), F64)
    for shapes, dtypes in (({}, {"x": F32}), ({"x": (2, 3)}, {}), ({"x": (2, None)}, {"x": F32}), ({}, {})):
        assert follow(order, shapes, dtypes) is None
    assert follow(list(sym.reshape(X, shape=(4, 2))._nodes()), {"x": (2, 3)}, {"x": F32}) is None  # an error


def test_whoever_listens_hears_of_types_in_the_order_in_which_they_are_found() -> None:
    weight = sym.var("w")
    product = sym.FullyConnected(X, weight, num_hidden=2, no_bias=True, name="fc")
    heard: list[Any] = []
    with listening(shape_found=lambda node, entry, shape: heard.append((node.name, entry[0].name, entry[1], shape))):
        graph_of(sym.exp(X, name="exp"), x=(2, 3))
        assert heard == [("exp", "exp", 0, (2, 3)), ("exp", "exp", 0, F32)]
        heard.clear()
        assert infer.infer_shapes(product._entries, {"x": (3, 4)})[product._entries[0]] == (3, 2)
        assert heard == [("fc", "w", 0, (2, 4)), ("fc", "fc", 0, (3, 2))]
        infer.infer_types(sym.split(X, num_outputs=2, axis=0, name="two")._entries, {"x": "float64"})
    assert heard[2:] == [("two", "two", i, F64) for i in (0, 1)]


def test_a_type_that_one_user_tells_reaches_the_others() -> None:
    first, both = sym.exp(X, name="first"), sym.elemwise_add(X, sym.var("y"), name="both")
    outputs = sym.Group([first, both])._entries
    types = infer.infer_types(outputs, {"y": "float16"})  # nothing is known of x when its first user is reached
    assert [types[entry] for entry in outputs] == [F16, F16]
    sizes = infer.infer_shapes(outputs, {"y": (2, 3)})
    assert [sizes[entry] for entry in outputs] == [(2, 3), (2, 3)]


def test_what_the_way_back_finds_is_carried_forward_again() -> None:
    weight = sym.var("w")
    # On the way back, the second is reached before the first, which tells the type of x.
    add = sym.elemwise_add
    outputs = sym.Group([add(X, weight), sym.exp(X), add(weight, sym.var("y"))])._entries
    types = infer.infer_types(outputs, {"y": "float16"})
    assert [types[entry] for entry in outputs] == [F16] * 3
    state = sym.zeros((0, 5))
    outputs = sym.Group([sym.FullyConnected(state, num_hidden=3) + X, sym.exp(state)])._entries
    shapes = infer.infer_shapes(outputs, {"x": (4, 3)})
    assert [shapes[entry] for entry in outputs] == [(4, 3), (4, 5)]


def test_types_of_one_operator_are_one_type() -> None:
    again = F32.newbyteorder("=")  # another object for the same type
    assert again is not F32
    for given in ((F32, None, F32), (F32, again, None), (None, again, F32)):
        inputs, [output] = infer.same_type(*given)
        assert inputs == [F32] * 3 and output == F32
    assert infer.same_type(None, None) == ([None, None], [None])
    shared: Any = object()  # nothing is read of a type that all inputs share
    assert infer.same_type(shared, None, shared) == ([shared] * 3, [shared])
    with pytest.raises(MXNetError, match="at 1-th input: expected float32, got float64"):
        infer.same_type(again, F64)


def test_what_a_rule_cannot_read_is_an_error_of_its_node() -> None:
    with own_operators():

        @operator("_strict")
        def strict(xp: Any, data: Array, axis: int = 0) -> Any:
            """The same numbers."""
            return data

        strict.infer_shape(lambda data, axis: ([data], [(data[axis],)]))
        symbol = compose(strict, "own", [X], {"axis": 5}, mx.sym.Symbol)
        with pytest.raises(
            MXNetError, match=r"Error in operator own\d*: the attributes do not match the inputs"
        ) as caught:
            symbol.infer_shape(x=(2, 3))
        assert "IndexError: tuple index out of range" in str(caught.value)


def test_a_size_is_open_only_where_an_operator_without_inputs_has_a_shape_with_a_gap() -> None:
    def node_of(symbol: Any) -> Node:
        return symbol._entries[0][0]

    assert is_open(node_of(sym.zeros((0, 3)))) and is_open(node_of(sym.arange(0, infer_range=True)))
    for symbol in (
        sym.zeros((2, 3)), sym.arange(0, 3), X, sym.exp(X), sym.zeros_like(sym.zeros((0, 3))), sym.eye(3),
        sym.np.random.gamma(2.0, size=(2,)),
    ):  # fmt: skip
        assert not is_open(node_of(symbol))


def test_a_gradient_reaches_the_inputs_around_one_that_is_missing() -> None:
    with own_operators():

        @operator("_around")
        def around(xp: Any, data: Array, bias: Array | None, other: Array, with_bias: bool = False) -> Any:
            """A product, and perhaps a sum."""
            return data * other + (0 if bias is None else bias)

        around.input_names(lambda with_bias: ["data", *["bias"] * with_bias, "other"])
        around.infer_shape(lambda data, bias, other, with_bias: ([data, bias, other], [data]))
        around.infer_type(lambda data, bias, other, with_bias: ([data, bias, other], [data]))

        @around.gradient
        def _(F: Any, dy: Any, y: Any, data: Any, bias: Any, other: Any, *, with_bias: bool) -> Any:
            return [dy * other, dy, dy * data]

        symbol = compose(around, "own", [X, sym.var("y")], {"with_bias": False}, mx.sym.Symbol)
        executor = symbol.simple_bind(mx.cpu(), x=(2,), y=(2,))
        [result] = executor.forward(is_train=True, x=nd.array([2, 3]), y=nd.array([5, 7]))
        executor.backward(nd.array([1, 10]))
        assert result.asnumpy().tolist() == [10, 21]
        assert [executor.grad_dict[name].asnumpy().tolist() for name in "xy"] == [[5, 70], [2, 30]]


@pytest.mark.parametrize("raw", [False, True])
def test_zeros_go_back_where_a_call_kept_its_input(raw: bool) -> None:
    zeros = zeros_for(SimpleNamespace(zeros_like=nd.zeros_like), raw)
    call = SimpleNamespace(arrays=[nd.ones((2,)), nd.ones((1, 3))])
    made = zeros(call, 1)
    assert type(made) is (numpy.ndarray if raw else nd.NDArray) and made.shape == (1, 3)
    assert zeros(call, 2) is None


# --- names ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("symbol", "names"),
    [
        (lambda: sym.FullyConnected(X, num_hidden=2), ["data", "weight", "bias"]),
        (lambda: sym.FullyConnected(X, num_hidden=2, no_bias=True), ["data", "weight"]),
        (lambda: sym.concat(X, X, X), ["arg0", "arg1", "arg2"]),
        (
            lambda: sym.RNN(X, mode="gru", state_size=2, num_layers=1, use_sequence_length=True),
            ["data", "parameters", "state", "sequence_length"],
        ),
    ],
)
def test_inputs_are_called_what_the_operator_calls_them(symbol: Any, names: list[str]) -> None:
    assert input_names(symbol()._entries[0][0]) == names


def test_inputs_that_do_not_fit_the_settings_are_called_as_the_kernel_calls_them() -> None:
    node = Node(get_operator("FullyConnected"), "fc", ((Node(None, "x"), 0),) * 2, params={"num_hidden": 2})
    assert input_names(node) == ["data", "weight"]


def test_nodes_that_draw_run_in_the_order_of_the_code_and_the_others_as_they_are_needed() -> None:
    first, second = (sym.random.uniform(shape=(2,), name=name) for name in ("first", "second"))
    early, late = sym.exp(X, name="early"), sym.sin(X, name="late")
    names = [node.name for node in program_order(sym.Group([late - early, second - first])._entries)]
    assert names.index("first") < names.index("second") and names.index("late") < names.index("early")


def test_draws_of_which_a_result_is_known_run_in_the_order_of_the_code() -> None:
    first, second = (sym.Dropout(X, p=0.5, name=name) for name in ("first", "second"))
    entries = sym.Group([second, first])._entries
    names = [node.name for node in program_order(entries, {(entries[1][0], 1)})]
    assert names.index("first") < names.index("second")


def test_draws_run_again_in_the_order_of_a_program() -> None:
    first, second = (sym.random.uniform(shape=(2,), name=name) for name in ("first", "second"))
    entries = sym.Group([first, second])._entries
    one, other = (node.order for node, _ in entries)
    for given, names in (((one, other), ["first", "second"]), ((other, one), ["second", "first"])):
        assert [node.name for node in _order(entries, given)] == names


# --- what is well formed --------------------------------------------------------------------------


def bad(graph: Graph, what: str) -> Graph:
    [x] = graph.inputs
    wide = Node(get_operator("concat"), "wide", ((x, 0), (x, 0)), params={"dim": 0})
    return {
        "no input": lambda: graph.replace(inputs=()),
        "no such output": lambda: graph.replace(outputs=((Node(get_operator("exp"), "bad", ((x, 1),)), 0),)),
        "gradient": lambda: graph.replace(gradients=((wide, 0),)),
        "state": lambda: graph.replace(updates=(Update(x, (wide, 0), "forward"),)),
    }[what]()


@pytest.mark.parametrize(
    ("what", "message"),
    [
        ("no input", "x> is not an input"),
        ("no such output", "uses output 1 of <Node x>"),
        ("gradient", "gradient of x is float32"),
        ("state", "new value of x is float32"),
    ],
)
def test_a_graph_that_is_not_well_formed_is_refused(what: str, message: str) -> None:
    graph = graph_of(sym.exp(X), x=(2, 3))
    check_graph(graph.replace(gradients=(None,)))
    check_graph(
        graph.replace(gradients=(graph.outputs[0],), updates=(Update(graph.inputs[0], graph.outputs[0], "forward"),))
    )
    with pytest.raises(AssertionError, match=message):
        check_graph(bad(graph, what))


# --- rows -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("kind", "numbers", "rows"),
    [
        ("rows", [3, 1, 3], [1, 3]),
        ("rows", [3.9, float("nan"), 4], [0, 3, 4]),
        ("retained", [7, 1, -1], [1]),
        ("columns", [1, 2], None),
    ],
)
def test_an_array_names_rows(kind: Any, numbers: list[float], rows: Any) -> None:
    found = named_rows(kind, nd.array(numbers), 5)
    assert (None if found is None else found.tolist()) == rows


@pytest.mark.parametrize("number", [5, -1, 4.5, -0.5])
def test_a_row_that_is_not_there_is_refused(number: float) -> None:
    with pytest.raises(MXNetError, match="Embedding input contains data out of bound") as caught:
        named_rows("rows", nd.array([2, number]), 5)
    assert f"has rows 0 to 4, but the lookup requested row {number:g}." in caught.value.__notes__[0]


def test_columns_of_a_sparse_matrix_are_rows_of_the_gradient() -> None:
    matrix = nd.sparse.csr_matrix(([1.0, 2.0, 3.0], [4, 0, 4], [0, 2, 3]), shape=(2, 5))
    rows = named_rows("columns", matrix, 5)
    assert rows is not None and rows.tolist() == [0, 4]


def test_a_matrix_that_keeps_its_zeros_keeps_its_columns() -> None:
    weight, matrix = sym.var("w"), sym.var("m")
    for given, source in (
        (sym.sin(matrix), "m"),
        (matrix, "m"),
        (sym.cos(matrix), "cos0"),
        (sym.zeros_like(matrix), "z"),
    ):
        product = sym.dot(given, weight, name="dot")
        node = product._entries[0][0]
        variable = node.inputs[1][0]
        [found] = sources_of(variable, {variable: [node]}, {node}, set())
        name = found.value[0].name
        assert found.kind == "columns" and (name == source if source == "m" else name != "m")
        assert sources_of(variable, {variable: [node]}, {node}, {(variable, 0)}) == []
        assert sources_of(variable, {variable: [node]}, set(), set()) == []
    looks_up: Any = get_operator("dot").looks_up
    assert looks_up(transpose_a=False, transpose_b=False) == LookedUp(1, 0, "columns")


def test_a_table_that_also_names_the_rows_is_looked_up() -> None:
    weight = sym.var("w")
    node = sym.Embedding(weight, weight, input_dim=5, output_dim=5, sparse_grad=True)._entries[0][0]
    variable = node.inputs[0][0]
    [found] = sources_of(variable, {variable: [node]}, {node}, set())
    assert found.value == (variable, 0) and found.kind == "rows"


# --- backends -------------------------------------------------------------------------------------


def test_a_backend_that_is_registered_again_takes_the_place_of_the_other(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(backends, "BACKENDS", dict(backends.BACKENDS))
    monkeypatch.setattr(backends, "_used", {})
    made = []
    for _ in range(2):
        backends.register_backend("own", lambda: made.append(backends.Backend()) or made[-1])
        assert backends.get_backend("own") is backends.get_backend("own") is made[-1]
    assert len(made) == 2 and backends.used_backends() == [made[1]]
    backends.get_backend.cache_clear()


def test_a_backend_says_which_programs_work_in_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    class Busy(backends.Backend):
        name = "busy"

        def check_settings(self, settings: Any) -> None:
            if not settings.recording:
                raise MXNetError("this backend is for training")

        def works_in_threads(self, function: Any, types: TypeTable) -> bool:
            return function.name == "forward"

    monkeypatch.setattr(backends, "BACKENDS", dict(backends.BACKENDS))
    backends.register_backend("busy", Busy)
    settings: Any = {"num_data": 1, "backend": "busy"}
    program = compile_graph(sym.exp(X), ["x"], {"x": (2,)}, {"x": F32}, True, [True], numpy, **settings)
    assert program.forward.threaded and program.backward is not None and not program.backward.threaded
    with pytest.raises(MXNetError, match="for training"):
        compile_graph(sym.exp(X), ["x"], {"x": (2,)}, {"x": F32}, True, None, numpy, **settings)
    assert (program.backend, program.heads, program.gradient_of) == ("busy", (True,), [0])
    backends.get_backend.cache_clear()


def test_a_gradient_is_expected_where_there_are_fractions() -> None:
    both = sym.Group([sym.exp(X), sym.cast(sym.exp(X), dtype="int32")])
    for heads, expected in (((), (True, False)), ((True, True), (True, True)), ((False, True), (False, True))):
        program = compile_graph(both, ["x"], {"x": (2,)}, {"x": F32}, True, [True], numpy, heads=heads)
        assert program.heads == expected and len(program.graph.head_gradients) == sum(expected)
    program = compile_graph(both, ["x"], {"x": (2,)}, {"x": F32}, True, None, numpy)
    assert program.heads == (True, True) and program.backward is None


@pytest.mark.parametrize("installed", [False, True])
def test_the_names_of_mxnet_mean_onednn_where_it_is_installed(installed: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    class OneDNN(backends.Backend):
        name = "onednn"

        def check_available(self) -> None:
            if not installed:
                raise MXNetError("oneDNN is not installed")

    monkeypatch.setattr(backends, "BACKENDS", {**backends.BACKENDS, "onednn": OneDNN})
    backends.get_backend.cache_clear()
    try:
        assert backends.get_backend("MKLDNN").name == ("onednn" if installed else "numpy")
    finally:
        backends.get_backend.cache_clear()


def test_a_backend_that_there_is_not_is_named_with_those_that_there_are() -> None:
    with pytest.raises(MXNetError, match="backend 'tvm': the backend is not registered") as caught:
        backends.get_backend("tvm")
    assert "numpy" in caught.value.__notes__[0]
    assert backends.get_backend("MKLDNN") is backends.get_backend("MKLDNN_QUANTIZE")
    assert backends.get_backend("MKLDNN").name in ("onednn", "numpy")
    assert backends.default_backend(numpy) == "numpy" and backends.get_backend(None) is backends.get_backend("numpy")
    graph = graph_of(sym.exp(X), x=(2,))
    assert backends.Backend().start(graph)() is True and backends.Backend().takes(graph) is True  # nothing is slow
