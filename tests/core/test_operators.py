"""What an operator says of itself, how it reads its settings, and how it explains what it refuses."""

from __future__ import annotations

import re
from typing import Any

import numpy
import pytest
from own_operators import own_operators

import d2lhybrid as mx
from d2lhybrid import nd, sym
from d2lhybrid.error import MXNetError, ShapeError
from d2lhybrid.internals.core import backends
from d2lhybrid.internals.core.attributes import Input, make_attribute, read_attributes, shorten
from d2lhybrid.internals.core.invoke import invoke
from d2lhybrid.internals.core.operator import (
    Array,
    Generator,
    Operator,
    Training,
    all_operators,
    get_operator,
    operator,
    registered_names,
)
from d2lhybrid.internals.core.ranges import number_range, refusal_of_shape


def kernel(
    xp: Any, data: Array, bias: Array | None, axis: int, training: Training, rng: Generator, p: float = 0.5
) -> Any:
    """Compute something.

    At length.
    """


def made(**changes: Any) -> Operator:
    given = {
        "outputs": 1, "visible_outputs": None, "aux": (), "differentiable": True, "elementwise": False,
        "threaded": False, "fresh": False,
    }  # fmt: skip
    return Operator(kernel, ("_own", "own"), **{**given, **changes})


def test_a_signature_says_what_is_an_input_and_what_a_setting() -> None:
    op = made()
    assert op.inputs == (Input("data", False), Input("bias", True)) and op.variadic is None
    assert list(op.attributes) == ["axis", "p"] and op.attributes["p"].default == 0.5
    assert op.uses_training and op.uses_generator and not op.pure and not op.plain and op.in_files
    assert (op.name, op.names, op.summary) == ("_own", ("_own", "own"), "Compute something.")
    assert op.overwrites == () and made(elementwise=True).overwrites == (0, 1)
    assert get_operator("exp").pure and get_operator("exp").plain and not get_operator("SliceChannel").plain
    assert get_operator("concat").variadic == "data" and get_operator("concat").inputs == ()
    assert not get_operator("_constant").in_files and not get_operator("sgd_mom_update").plain
    assert [get_operator(name).moves_states for name in ("sgd_mom_update", "BatchNorm", "exp")] == [True, True, False]


DECORATORS = [
    "infer_shape", "infer_input_shapes", "infer_type", "gradient", "draws_when", "updates_in_forward",
    "updates_in_backward", "input_names", "output_names", "lowering", "lowered_if", "numpy_lowering", "expression",
    "product", "flops",
]  # fmt: skip


@pytest.mark.parametrize("name", DECORATORS)
def test_one_rule_may_be_attached_to_several_operators(name: str) -> None:
    first, second = made(), made()

    def rule(*arrays: Any, training: bool = False, **settings: Any) -> Any:
        return arrays

    assert getattr(first, name)(getattr(second, name)(rule)) is rule
    assert all(rule in vars(op).values() for op in (first, second))


def test_rules_are_told_what_they_ask_for() -> None:
    asked: list[Any] = []
    op = made(outputs=2, visible_outputs=1)

    @op.gradient
    def _(F: Any, dy: Any, y: Any, data: Any, *, axis: int, p: float, needs: Any, arrived: Any, training: bool) -> Any:
        asked.append((dy, y, data, axis, p, needs, arrived, training))
        return ["gradient", "too many"]

    class Zeros:
        zeros_like = staticmethod(lambda y: f"zeros like {y}")

    assert op.vjp(Zeros, [None, None], ["y", "hidden"], ["x"], {"axis": 1}, (True,), True) == ["gradient"]
    assert asked == [(["zeros like y", None], ["y", "hidden"], "x", 1, 0.5, (True,), (0, 0), True)]
    assert made().vjp(Zeros, [None], ["y"], ["x", "b"], {}, (True, True), False) == [None, None]

    @op.updates_in_backward
    def _(F: Any, y: Any, data: Any, *, axis: int, p: float) -> Any:
        return {"data": (y, axis, p)}

    @op.updates_in_forward
    def _(F: Any, y: Any, data: Any, *, axis: int, p: float, training: bool) -> Any:
        return {"data": training}

    assert op.updates("backward", None, ["y", "h"], ["x"], {"axis": 2}, True) == {"data": (["y", "h"], 2, 0.5)}
    assert op.updates("backward", None, ["y"], ["x"], {"axis": 2}, True) == {"data": ("y", 2, 0.5)}
    assert op.updates("forward", None, ["y"], ["x"], {"axis": 2}, True) == {"data": True}
    assert made().updates("forward", None, ["y"], ["x"], {}, True) == {}
    op.draws_when(lambda *, axis, p: p > 0)
    assert op.draws({"axis": 1}) and not op.draws({"axis": 1, "p": 0}) and made().draws({})


@pytest.mark.parametrize(
    ("name", "anything"),
    [
        ("elemwise_add", True), ("exp", True), ("LinearRegressionOutput", True),
        ("_linalg_potrf", False), ("softmax", False), ("add_n", False),
    ],
)  # fmt: skip
def test_unknown_settings_are_ignored_where_mxnet_ignores_them(name: str, anything: bool) -> None:
    assert get_operator(name).takes_anything is anything


def test_the_family_of_an_operator_is_that_of_its_file_unless_it_says_so() -> None:
    op = made()
    assert op.family == "other"
    op.family = "loss"
    assert op.family == "loss" and get_operator("exp").family != "other"


def test_what_an_operator_says_of_itself_wins_over_what_follows_from_it() -> None:
    for answer in (True, False):
        op = made()
        op.takes_anything = answer
        assert op.takes_anything is answer
    assert not made().takes_anything
    op = made()
    op.ufunc("subtract", True)
    assert (op.ufunc_name, op.ufunc_reversed) == ("subtract", True)
    assert op.lowering_rule is not None and op.lowering_rule == op._call_ufunc


def test_an_operator_that_there_is_not_is_named_with_the_closest_one() -> None:
    with pytest.raises(MXNetError, match="Operator FullyConected is not registered") as caught:
        get_operator("FullyConected")
    assert any("FullyConnected" in note for note in caught.value.__notes__)
    with pytest.raises(MXNetError, match="is not registered") as caught:
        get_operator("!" * 50)
    assert not getattr(caught.value, "__notes__", [])


def test_a_name_of_an_operator_is_taken_unless_a_cell_took_it_and_runs_again() -> None:
    def define(name: str, module: str) -> Operator:
        def own(xp: Any, data: Array) -> Any:
            """Return the same numbers."""
            return data

        own.__module__ = module
        return operator(name)(own)

    with own_operators():
        define("_of_a_cell", "__main__")
        again = define("_of_a_cell", "__main__")
        assert get_operator("_of_a_cell") is again
        for name in ("exp", "_of_a_module"):
            if name != "exp":
                define(name, "own")
            with pytest.raises(ValueError, match=f"operator '{name}' is already registered"):
                define(name, "__main__")


def test_every_operator_is_listed_once() -> None:
    listed = all_operators()
    assert len(set(listed)) == len(listed) and get_operator("exp") in listed
    assert {name for op in listed for name in op.names} == set(registered_names())


def test_a_variadic_operator_needs_what_its_rule_names_without_a_count() -> None:
    op = made()
    op.variadic = "arrays"
    assert op.list_inputs({"num_args": 2, "axis": 0}) == ["arg0", "arg1"] and op.needed_inputs({"axis": 0}) == []
    op.input_names(lambda num_args, axis, p: [*(f"in{i}" for i in range(num_args)), f"last{axis}"])
    assert op.list_inputs({"num_args": 2, "axis": 1}) == ["in0", "in1", "last1"]
    assert op.slots({"num_args": 2, "axis": 1}, 3) is None
    assert op.needed_inputs({"num_args": 2, "axis": 1}) == ["last1"]
    op.attributes["num_outputs"] = op.attributes["axis"]
    assert op.needed_inputs({"num_args": 2, "axis": 1}) == []


# --- settings -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("kind", "what", "choices"),
    [
        ("int", "int", ""), ("int | None", "int or None", ""), ("float", "float", ""), ("bool", "boolean", ""),
        ("bool | None", "boolean or None", ""), ("str", "string", ""), ("Shape", "Shape(tuple)", ""),
        ("Shape | None", "Shape or None", ""), ("Floats", "tuple of <float>", ""), ("DType", "int", ""),
        ("Pairs", "tuple of <Shape(tuple)>", ""), ('Literal["a", "b"]', "int", "{'a', 'b'}"),
        ('Literal["a"] | None', "int", "{'a'}"), ("Literal[1, 2]", "int", "{1, 2}"),
    ],
)  # fmt: skip
def test_a_setting_is_described_in_the_words_of_mxnet(kind: str, what: str, choices: str) -> None:
    attribute = make_attribute("x", kind, None)
    assert (attribute.what, attribute.choices) == (what, choices)


#: A kind, what is given, and what is read; an error where it is refused.
REFUSED = object()
READ: list[tuple[str, Any, Any]] = [
    ("int", 3, 3), ("int", "3", 3), ("int", numpy.int64(3), 3), ("int", 2.0, REFUSED), ("int", True, REFUSED),
    ("int", numpy.bool_(True), REFUSED), ("int", 2**31 - 1, 2**31 - 1), ("int", 2**31, REFUSED),
    ("int", -(2**31), -(2**31)), ("int", -(2**31) - 1, REFUSED), ("int", None, REFUSED), ("int | None", None, None),
    ("int | None", "None", None), ("int | None", "4", 4), ("int | None", "x", REFUSED), ("float", 1, 1.0),
    ("float", "1e-3", 1e-3), ("float", True, REFUSED), ("float", numpy.bool_(False), REFUSED),
    ("float", 3.5e38, REFUSED), ("float", -3.5e38, REFUSED), ("float", 3.4e38, 3.4e38), ("float", 1e-39, REFUSED),
    ("float", 1.2e-38, 1.2e-38), ("float", 0.0, 0.0), ("float | None", 1e-39, 1e-39), ("float | None", 3.5e38, REFUSED),
    ("float", float("inf"), float("inf")), ("float", "1e999", REFUSED), ("float", 10**400, REFUSED),
    ("bool", True, True), ("bool", 0, False), ("bool", "true", True), ("bool", "0", False), ("bool", 2, REFUSED),
    ("bool", 1.0, REFUSED), ("bool", numpy.float32(1), REFUSED), ("bool", numpy.bool_(True), True),
    ("Shape", (2, 3), (2, 3)), ("Shape", "(2, 3)", (2, 3)), ("Shape", [2, 3], (2, 3)), ("Shape", 5, (5,)),
    ("Shape", numpy.int64(5), (5,)), ("Shape", (None, 2), (None, 2)), ("Shape", (numpy.int64(2), 3), (2, 3)),
    ("Shape", (2.0,), REFUSED), ("Shape", (True,), REFUSED), ("Shape", (), ()), ("Floats", 0.5, (0.5,)),
    ("Floats", 2, (2.0,)), ("Floats", (1, 2.5), (1.0, 2.5)), ("Floats", "(1, 2.5)", (1.0, 2.5)),
    ("Floats", "3", (3.0,)),
    ("DType", "float16", numpy.dtype("float16")), ("DType", f"f{'0' * 30}4", numpy.dtype("float32")),
    ("DType", f"f{'0' * 31}4", REFUSED), ("DType | None", None, None),
    ("Pairs", "((0, 1), (2, 3))", ((0, 1), (2, 3))), ("Pairs", (1, 2), (1, 2)), ("Any", len, len),
    ("Any", "x", REFUSED),
    ('Literal["a", "b"]', "a", "a"), ('Literal["a", "b"]', "c", REFUSED), ("Literal[1, 2]", "2", "2"),
    ("str", 3, "3"),
]  # fmt: skip


@pytest.mark.parametrize(("kind", "given", "read"), READ)
def test_a_setting_is_read_or_refused(kind: str, given: Any, read: Any) -> None:
    attributes = {"x": make_attribute("x", kind, None)}
    if read is REFUSED:
        with pytest.raises(MXNetError, match='in operator own\\(name="node", x='):
            read_attributes(attributes, None, {"x": given}, "operator own", "node")
    else:
        found = read_attributes(attributes, None, {"x": given}, "operator own", "node")
        assert found == {"x": read} and type(found["x"]) is type(read)


@pytest.mark.parametrize(
    ("owner", "name", "value", "message"),
    [
        ("Dropout", "p", 0.0, ""), ("Dropout", "p", 1.0, ""),
        ("Dropout", "p", 1.5, "value 1.5 for Parameter p exceed bound [0,1]"),
        ("Dropout", "p", -0.5, "value -0.5 for Parameter p exceed bound [0,1]"),
        ("FullyConnected", "num_hidden", 1, ""),
        ("FullyConnected", "num_hidden", 0, "value 0 for Parameter num_hidden should be greater equal to 1"),
    ],
)  # fmt: skip
def test_a_number_out_of_bounds_is_refused_in_the_words_of_mxnet(
    owner: str, name: str, value: Any, message: str
) -> None:
    kind = type(value).__name__
    numbers = number_range(owner, name, kind)
    assert numbers.refusal(name, value) == message
    attribute = make_attribute(name, kind, None, owner)
    parse = attribute.parse
    if message:
        with pytest.raises(ValueError, match="for Parameter"):
            parse(value)
        with pytest.raises(MXNetError, match=re.escape(message)):
            read_attributes({name: attribute}, None, {name: value}, f"operator {owner}", "node")
    else:
        assert parse(value) == value


def test_a_number_has_the_c_type_of_mxnet() -> None:
    for owner, name, kind, type_, least, most in (
        ("exp", "axis", "int", "int", -(2**31), 2**31 - 1), ("exp", "scalar", "float", "double", None, None),
        ("exp", "scalar", "int", "int", -(2**31), 2**31 - 1), ("BatchNorm", "eps", "float", "double", None, None),
        ("LayerNorm", "eps", "float", "float", -3.4028234663852886e38, 3.4028234663852886e38),
        ("Convolution", "workspace", "int", "long (non-negative)", -(2**63), 2**64 - 1),
        ("Dropout", "p", "float", "float", 0, 1), ("Embedding", "input_dim", "int", "int", 1, 2**31 - 1),
    ):  # fmt: skip
        numbers = number_range(owner, name, kind)
        assert numbers.type == type_
        if least is not None:
            assert (numbers.least, numbers.most) == (least, most)


@pytest.mark.parametrize(
    ("owner", "name", "shape", "ending"),
    [
        ("Pooling", "kernel", (2, 2), ""), ("exp", "kernel", (0,), ""), ("Pooling", "pad", (0,), ""),
        ("Pooling", "kernel", (0, 2), "is invalid, the input shape must be nonzero in all dimensions"),
        ("ROIPooling", "pooled_size", (2, 2), ""),
        ("ROIPooling", "pooled_size", (2,), "has wrong dimensions, expected dimension=2"),
        ("ROIPooling", "pooled_size", (2, 0), "is invalid, the input shape must be nonzero in all dimensions"),
    ],
)  # fmt: skip
def test_a_shape_that_may_not_be_is_refused(owner: str, name: str, shape: tuple[int, ...], ending: str) -> None:
    refusal = refusal_of_shape(owner, name, shape)
    assert refusal.endswith(ending) and bool(refusal) == bool(ending)
    parse = make_attribute(name, "Shape", None, owner).parse
    if ending:
        with pytest.raises(ValueError, match="for Parameter"):
            parse(shape)
    else:
        assert parse(str(shape)) == shape


def test_what_is_missing_or_unknown_is_named_with_what_there_is() -> None:
    with pytest.raises(MXNetError, match="Required parameter num_hidden of int is not presented"):
        nd.FullyConnected(nd.ones((1, 2)), nd.ones((1, 2)), no_bias=True)
    with pytest.raises(MXNetError, match="Cannot find argument 'axes', Possible Arguments") as caught:
        sym.softmax(sym.var("x"), axes=1)
    assert "axis : int, optional, default=-1" in str(caught.value) and "axis" in caught.value.__notes__[0]
    op = get_operator("concat")
    assert op.parse({"num_args": "3", "dim": "1"}) == {"num_args": 3, "dim": 1}
    with pytest.raises(MXNetError, match="Cannot find argument 'num_args'"):
        get_operator("softmax").parse({"num_args": 1})
    with pytest.raises(MXNetError) as caught:
        op.parse({f"setting_{i}": "1" for i in range(41)})
    assert 'setting_39="1")' in str(caught.value)
    assert shorten("x" * 1000) == "x" * 1000 and shorten("x" * 1001) == "x" * 1000 + "... (1001 characters)"


@pytest.mark.parametrize(
    ("kind", "value", "text"),
    [
        ("int", 3, "3"), ("Shape", (numpy.int64(2), 3), "(2, 3)"), ("DType", numpy.float32, "float32"),
        ("DType", "float32", "float32"), ("DType | None", None, "None"), ("float", numpy.float64(0.5), "0.5"),
        ("Pairs", [(numpy.int32(1), 2)], "[(1, 2)]"), ("str", "x", "x"),
    ],
)  # fmt: skip
def test_a_setting_is_written_as_python_writes_it(kind: str, value: Any, text: str) -> None:
    assert make_attribute("x", kind, None).format(value) == text


# --- inputs ---------------------------------------------------------------------------------------


def test_a_kernel_gets_none_for_an_input_that_is_missing_in_the_middle() -> None:
    op = get_operator("RNN")
    params = {"mode": "gru", "state_size": 2, "num_layers": 1, "use_sequence_length": True}
    assert op.list_inputs(params) == ["data", "parameters", "state", "sequence_length"]
    assert op.slots(params, 4) == [0, 1, 2, 4] and op.arrange(params, "abcd") == ["a", "b", "c", None, "d"]
    assert op.pick(params, ["a", "b", "c", None, "d"], 4) == ["a", "b", "c", "d"]
    dense = get_operator("FullyConnected")
    for count, settings in ((2, {"no_bias": True}), (3, {})):
        given = {"num_hidden": 2, **settings}
        assert dense.slots(given, count) is None and dense.arrange(given, "abc"[:count]) == list("abc"[:count])
        assert dense.pick(given, ["a", "b", "c"], count) == list("abc"[:count])
    assert get_operator("concat").list_inputs({"num_args": 2}) == ["arg0", "arg1"]
    assert get_operator("concat").list_inputs({}) == [] == get_operator("concat").needed_inputs({})
    assert dense.needed_inputs({"num_hidden": 2}) == ["data", "weight", "bias"]
    assert get_operator("split").list_outputs({"num_outputs": 2}) == ["output0", "output1"]
    assert get_operator("exp").list_outputs({}) == ["output"]


# --- refusals -------------------------------------------------------------------------------------

A, B = (2, 3), (3, 2)
#: A call, the words of MXNet, and what was called on what.
REFUSALS: dict[str, tuple[Any, str, str]] = {
    "shapes": (
        lambda: nd.elemwise_add(nd.ones(A), nd.ones(B)), "at 1-th input: expected [2,3], got [3,2]",
        "in operator elemwise_add() on lhs (2, 3) float32, rhs (3, 2) float32",
    ),
    "types": (
        lambda: nd.elemwise_add(nd.ones(A), nd.ones(A, dtype="float64")), "expected float32, got float64",
        "in operator elemwise_add() on lhs (2, 3) float32, rhs (2, 3) float64",
    ),
    "products": (
        lambda: nd.dot(nd.ones(A), nd.ones(A)), "dot shape error: [2,3] X [2,3]",
        "in operator dot() on lhs (2, 3) float32, rhs (2, 3) float32",
    ),
    "any number": (
        lambda: nd.concat(nd.ones(A), nd.ones(B), dim=1), "Incompatible input shape: expected [2,-1], got [3,2]",
        "in operator Concat(dim=1) on data[0] (2, 3) float32, data[1] (3, 2) float32",
    ),
    "one": (
        lambda: nd.reshape(nd.ones(A), shape=(5,)), "Cannot reshape array of shape [2,3] into shape [5]",
        "in operator Reshape(shape=(5,)) on data (2, 3) float32",
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", REFUSALS.values(), ids=REFUSALS)
def test_a_call_that_does_not_fit_is_refused_with_what_was_called_on_what(case: Any) -> None:
    call, words, note = case
    with pytest.raises(MXNetError) as caught:
        call()
    assert type(caught.value) is MXNetError and words in str(caught.value) and note in caught.value.__notes__


def test_what_a_kernel_raises_is_an_error_of_its_operator() -> None:
    with own_operators():

        @operator("_picky")
        def picky(xp: Any, data: Array, *, axis: int = 0) -> Any:
            """No number at all."""
            raise ValueError("no such thing")

        def call() -> Any:
            return invoke(picky, [nd.ones((2,))], {"axis": 1}, nd.NDArray)

        with pytest.raises(MXNetError, match="Operator _picky: no such thing") as caught:
            call()
        assert type(caught.value) is MXNetError
        assert caught.value.__notes__[-1] == "in operator _picky(axis=1) on data (2,) float32"

        def refuse(*given: Any, **settings: Any) -> Any:
            error = ShapeError("the axis does not fit")
            error.add_note("Take another.")
            raise error

        for attach in (picky.infer_shape, picky.infer_type):
            attach(refuse)
            with pytest.raises(MXNetError, match="the axis does not fit") as caught:
                call()
            assert type(caught.value) is MXNetError and "Take another." in caught.value.__notes__
            attach(lambda *given, **settings: (given, given))
        with pytest.raises(MXNetError, match="Operator _picky: no such thing"):
            call()


def test_rules_are_asked_about_what_was_given_to_explain_what_a_kernel_raises() -> None:
    asked: list[Any] = []
    with own_operators():

        @operator("_picky")
        def picky(xp: Any, data: Array, other: Array | None = None) -> Any:
            """No number at all."""
            raise ValueError("no such thing")

        @picky.infer_shape
        def _(data: Any, other: Any) -> Any:
            asked.append((data, other))
            return [(4,), other], [data]

        @picky.infer_type
        def _(data: Any, other: Any) -> Any:
            asked.append((data, other))
            raise MXNetError("no such type")

        def refusal(*arrays: Any) -> str:
            with pytest.raises(MXNetError) as caught:
                invoke(picky, arrays, {}, nd.NDArray)
            return str(caught.value)

        assert refusal(nd.ones((2,)), None).startswith("Shape inconsistent, Provided = [2], inferred shape=")
        assert refusal(nd.ones((4,), dtype="int8"), None) == "no such type"
        assert refusal(nd.ones((4,)), nd.ones((1, 3), dtype="int32")) == "no such type"
    assert asked == [
        ((2,), None), ((4,), None), (numpy.dtype("int8"), None), ((4,), (1, 3)),
        (numpy.dtype("float32"), numpy.dtype("int32")),
    ]  # fmt: skip


def test_an_operator_that_would_take_anything_asks_its_rules_first() -> None:
    with own_operators():

        @operator("_careless")
        def careless(xp: Any, data: Array) -> Any:
            """The same numbers."""
            ran.append(data.shape)
            return data + 0

        @careless.infer_shape
        def _(data: Any) -> Any:
            return [(2,)], [(2,)]

        @careless.infer_type
        def _(data: Any) -> Any:
            if data != numpy.float32:
                raise MXNetError("no such type")
            return [data], [data]

        ran: list[Any] = []
        for lenient, words in ((True, ("Shape inconsistent", "no such type")), (False, ())):
            careless.lenient = lenient
            given = nd.ones((3,)), nd.ones((2,), dtype="int32")
            for x, message in zip(given, words, strict=False):
                with pytest.raises(MXNetError, match=message):
                    invoke(careless, [x], {}, nd.NDArray)
            assert ran == []
        assert invoke(careless, [nd.ones((3,))], {}, nd.NDArray).asnumpy().tolist() == [1, 1, 1]
        careless.lenient = True
        assert invoke(careless, [nd.ones((2,))], {}, nd.NDArray).asnumpy().tolist() == [1, 1]


def test_a_range_without_an_end_takes_the_size_of_its_users() -> None:
    x = sym.var("x")
    for made, values in (
        (sym.arange(0, infer_range=True), [0, 1, 2, 3]),
        (sym.arange(1, step=2, repeat=2, infer_range=True), [1, 1, 3, 3]),
    ):  # fmt: skip
        executor = (made + x).simple_bind(mx.cpu(), x=(4,))
        assert executor.forward(x=nd.zeros((4,)))[0].asnumpy().tolist() == values


def test_in_a_browser_there_is_one_backend(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(backends, "in_browser", lambda: True)
    monkeypatch.setattr(backends, "BACKENDS", {"c": backends.Backend, **backends.BACKENDS})
    backends.get_backend.cache_clear()
    try:
        assert backends.get_backend("MKLDNN") is backends.get_backend("numpy")
        with pytest.raises(MXNetError, match="Error optimizing for backend 'c'"):
            backends.get_backend("c")
    finally:
        backends.get_backend.cache_clear()
