"""What the compiler and the pictures know of an operator hangs on the operator, and a family shares it."""

from __future__ import annotations

import ast
import importlib
import re
from pathlib import Path
from typing import Any

import numpy
import pytest

import d2lhybrid.internals.ops
from d2lhybrid import autograd, nd, np, util
from d2lhybrid.gluon import nn, rnn
from d2lhybrid.internals.core.operator import Array, Operator, all_operators, get_operator, registered_names
from d2lhybrid.internals.pictures.graph_family import FAMILIES
from d2lhybrid.internals.reports.costs import flops_of


def source_of(function: Any, x: Any) -> str:
    """Return what a function becomes: its program, and the regions in it."""
    with util.np_array(isinstance(x, np.ndarray)):
        net = nn.HybridLambda(function)
        net.hybridize()
        net(x)
    [program] = net.programs
    regions = [n.params["body"].text for n in program.stages[-1].graph.nodes if n.op and n.op.name == "_fused"]
    return "\n".join([str(program.forward), *regions])


def twins() -> list[tuple[Operator, Operator]]:
    """Return operators of legacy MXNet and of its np that are one kernel under two names."""
    found: dict[str, Operator] = {}
    for op in all_operators():
        name = op.name.removeprefix("_npi_").removeprefix("_npx_").removeprefix("_np_")
        if name != op.name and op.elementwise:
            found[name] = op
    return [(op, found[op.name]) for op in all_operators() if op.name in found and op.elementwise]


def test_there_are_twins() -> None:
    names = {a.name: b.name for a, b in twins()}
    assert len(names) > 30
    assert names["exp"] == "_npi_exp"
    assert names["relu"] == "_npx_relu"


@pytest.mark.parametrize(("legacy", "other"), twins(), ids=lambda op: op.name)
def test_a_function_of_np_has_the_facts_of_its_twin(legacy: Operator, other: Operator) -> None:
    assert (legacy.ufunc_name, legacy.ufunc_reversed) == (other.ufunc_name, other.ufunc_reversed)
    assert (legacy.lowering_rule is None) == (other.lowering_rule is None)
    assert (legacy.fresh, legacy.overwrites, legacy.view) == (other.fresh, other.overwrites, other.view)
    assert (legacy.expression_rule, legacy.family) == (other.expression_rule, other.family)


def test_large_functions_of_np_are_fused_as_those_of_nd_are() -> None:
    values = numpy.zeros((512, 512), "float32")
    legacy = source_of(lambda F, x: F.relu(F.exp(F.square(x))), nd.array(values))
    other = source_of(lambda F, x: F.npx.relu(F.np.exp(F.np.square(x))), np.array(values))
    lines = ["square(in0, out=out0)", "exp(out0, out=out0)", "maximum(out0, zero"]
    for text in (legacy, other):
        assert [line for line in lines if line not in text] == []
        assert "copyto" not in text


def test_a_ufunc_writes_over_an_input_that_nobody_needs() -> None:
    text = source_of(lambda F, x: F.arctan(F.cosh(x)), nd.ones((3, 4)))
    assert "arctan(" in text
    assert text.count("out=") == 1


def test_squeezing_is_a_view() -> None:
    for text in (
        source_of(lambda F, x: F.exp(F.squeeze(x)), nd.ones((3, 1, 4))),
        source_of(lambda F, x: F.np.exp(F.np.squeeze(x)), np.ones((3, 1, 4))),
    ):
        assert ".reshape(3, 4)" in text


@pytest.mark.parametrize(
    "function",
    [
        lambda F, x: F.transpose(F.exp(x), axes=(1, 0, 2)),
        lambda F, x: F.expand_dims(F.transpose(F.exp(x), axes=(1, 0, 2)), axis=0),
        lambda F, x: F.squeeze(F.transpose(F.exp(x), axes=(1, 0, 2))),
        lambda F, x: F.swapaxes(F.exp(x), 0, 1),
    ],
)
@pytest.mark.parametrize("flags", [{}, {"static_alloc": True, "static_shape": True}], ids=["plain", "static"])
def test_the_elements_of_a_result_lie_in_the_order_of_its_axes(function: Any, flags: dict[str, bool]) -> None:
    x = nd.random.normal(shape=(3, 4, 1))
    net = nn.HybridLambda(function)
    expected = net(x).asnumpy()
    net.hybridize(**flags)
    for _ in range(2):
        y = net(x)
        assert y._data.flags.c_contiguous
        numpy.testing.assert_array_equal(y.asnumpy(), expected)


def test_the_number_comes_first_where_it_does_in_the_name() -> None:
    assert get_operator("_rminus_scalar").ufunc_reversed
    assert "subtract(number, data)" in source_of(lambda F, x: 2 - x, nd.ones((3, 4)))
    assert "subtract(data, number)" in source_of(lambda F, x: x - 2, nd.ones((3, 4)))


# --- pictures and costs ---------------------------------------------------------------------------

OPS = Path(d2lhybrid.internals.ops.__file__).parent


def files_with_operators() -> list[Path]:
    return [f for f in sorted(OPS.glob("*.py")) if re.search(r"^@?(\w+ = )?operator\(", f.read_text(), re.MULTILINE)]


def test_every_file_of_operators_says_which_family_they_are() -> None:
    files = files_with_operators()
    assert len(files) > 40
    for file in files:
        module = importlib.import_module(f"d2lhybrid.internals.ops.{file.stem}")
        assert getattr(module, "FAMILY", None) in FAMILIES, f"{file.name} has no FAMILY"


@pytest.mark.parametrize(
    ("name", "family"),
    [("_dense_vector", "linear"), ("_backward_dense_vector_weight", "linear"), ("_dense_batch_last", "linear"),
     ("_fused", "elementwise"), ("relu", "activation"), ("sigmoid", "activation"), ("_npx_sigmoid", "activation"),
     ("exp", "elementwise"), ("Dropout", "normalization"), ("_pooling_batch_last", "pooling"),
     ("_reduce_like", "reduction")],
)  # fmt: skip
def test_an_operator_has_the_colour_of_its_family(name: str, family: str) -> None:
    assert get_operator(name).family == family


def test_all_families_are_in_the_legend() -> None:
    assert {op.family for op in all_operators()} == {*FAMILIES}


def test_an_operator_of_a_user_is_drawn_as_other() -> None:
    def kernel(xp, data: Array):
        return data

    kernel.__module__ = "nowhere"
    assert Operator(kernel, ("mine",), 1, None, (), True, False, False, False).family == "other"


def flops_of_first(function: Any, *shapes: tuple[int, ...]) -> int:
    net = nn.HybridLambda(function)
    net.hybridize()
    net(*(nd.ones(shape) for shape in shapes))
    graph = net.programs[0].stages[0].graph
    [node] = [n for n in graph.nodes if n.op is not None]
    return flops_of(node, graph.types)


@pytest.mark.parametrize("name", ["sum", "_square_sum", "max", "norm", "argmax", "argmax_channel"])
def test_a_reduction_costs_an_operation_for_each_element_that_it_reads(name: str) -> None:
    assert flops_of_first(lambda F, x: getattr(F if hasattr(F, name) else F._internal, name)(x), (4, 5)) == 20


def test_a_product_is_counted_by_its_rule() -> None:
    assert flops_of_first(lambda F, x, y: F.dot(x, y), (4, 5), (5, 6)) == 2 * 4 * 5 * 6
    assert flops_of_first(lambda F, x, y: F.dot(x, y, transpose_a=True), (5, 4), (5, 6)) == 2 * 4 * 5 * 6
    with_bias = flops_of_first(lambda F, x, w, b: F.FullyConnected(x, w, b, num_hidden=6), (4, 5), (6, 5), (6,))
    assert with_bias == 2 * 4 * 5 * 6 + 4 * 6


@pytest.mark.parametrize(("mode", "gates"), [("lstm", 4), ("gru", 3), ("rnn_tanh", 1)])
def test_the_products_of_recurrent_layers_are_counted(mode: str, gates: int) -> None:
    net = getattr(rnn, mode.upper().split("_")[0])(5, num_layers=2, bidirectional=True, input_size=3)
    net.initialize()
    net.hybridize()
    x = nd.ones((7, 4, 3))
    x.attach_grad()
    with autograd.record():
        y = net(x)
    y.backward()
    graph = net.programs[0].stages[-1].graph
    costs = {n.op.name: flops_of(n, graph.types) for n in graph.nodes if n.op is not None and "RNN" in n.op.name}
    # Each step multiplies each sequence with the weights of the inputs and of the states: 2 layers, 2 directions.
    forward = 2 * 7 * 4 * 2 * gates * 5 * ((3 + 5) + (2 * 5 + 5))
    assert costs == {"_RNN_keeping": forward, "_backward_RNN_from_kept": 2 * forward}
    first = net.programs[0].stages[0].graph
    assert [flops_of(n, first.types) for n in first.nodes if n.op is not None and n.op.name == "RNN"] == [forward]


# --- no tables by name ----------------------------------------------------------------------------

PACKAGE = Path(d2lhybrid.__file__).parent

#: So many names of operators in one literal are a table of operators.
TABLE = 4

_NAMES = "names of functions, methods or layers that a user sees: which there are, and what they are called"

#: Tables that are not about what operators are, by file and line's target, with the reason.
NOT_FACTS = {
    ("commands/porting/facts.py", "MAKING_ARRAYS"): "functions that programs call, whatever operators they are",
    ("compiler/backends/c_expressions.py", "UFUNCS"): "functions of NumPy, whatever operators they are",
    ("compiler/onednn/single_calls.py", "_OPERATORS"): "what oneDNN computes, each in a way of its own",
    ("compiler/passes/assign_layout.py", "rules"): "the pass that rewrites just these, each in a way of its own",
    ("compiler/passes/put_channels_last.py", "rules"): "the pass that rewrites just these, each in a way of its own",
    ("core/ranges.py", "NONE_OF_SHAPES"): "what MXNet declares of shapes, beside the code that reads them",
    ("core/ranges.py", "_BOUNDS"): "what MXNet declares of numbers, beside the code that reads them",
    ("core/ranges.py", "_SHAPES"): "what MXNet declares of shapes, beside the code that reads them",
    ("core/ranges.py", "_TYPES_OF"): "what MXNet declares of numbers, beside the code that reads them",
    ("frontends/fluent.py", "FLUENT_METHODS"): _NAMES,
    (
        "frontends/numpy_dialect/elementwise.py",
        "_ROUND_TO_FLOATS",
    ): "what NumPy makes of numbers, which no operator sees",
    ("frontends/numpy_dialect/elementwise.py", "_UNARY"): _NAMES,
    ("ndarray/storage.py", "_RULES"): "storage types, which sparse arrays have and compiled graphs do not",
    ("frontends/random_functions.py", "_DISTRIBUTIONS"): "functions of two operators each: for numbers, and for arrays",
    ("gluon/dialect.py", "_NUMPY_NAMES"): _NAMES,
    ("gluon/rnn/rnn_cell.py", "_get_activation"): "names of activations, which MXNet's cells call as functions",
    ("pictures/rewriting.py", "_LIKE_NUMPY"): "functions that NumPy and F have under one name, of whatever operators",
    ("pictures/network.py", "_FILL"): "the colours of MXNet's plot_network, which has one for each of these names",
    ("ndarray/numpy/_array.py", "_OPERATORS"): "what Python's operators call",
    ("symbol/numpy/_symbol.py", "_LEGACY"): "what Python's operators are called in MXNet's messages",
    ("ndarray/arithmetic.py", "ARITHMETIC"): "what Python's operators call",
    ("symbol/arithmetic.py", "_ARITHMETIC"): "what Python's operators are called in MXNet's graphs",
    ("_numpy_op_doc.py", "_OF_NP"): "MXNet's list of functions of np, whatever operators they are made of",
    ("numpy_dispatch_protocol.py", "_NUMPY_ARRAY_FUNCTION_LIST"): "functions of NumPy that MXNet names",
    ("numpy_dispatch_protocol.py", "_NUMPY_ARRAY_UFUNC_LIST"): "ufuncs of NumPy that MXNet names",
    ("symbol/file.py", "_OF_NUMPY_SHAPES"): "what two operators are called in files",
    (
        "contrib/quantization/graph.py",
        "_QUANTIZED",
    ): "operators that have another one on int8, each of which takes other inputs",
}


class _Tables(ast.NodeVisitor):
    """Finds literals with many names of operators, and what they are assigned to, or the function they are in."""

    def __init__(self) -> None:
        self.names = {*registered_names()}
        self.inside: list[str] = []
        self.found: list[str] = []

    def _named(self, node: ast.AST, name: str) -> None:
        self.inside.append(name)
        self.generic_visit(node)
        self.inside.pop()

    def visit_FunctionDef(self, node: ast.FunctionDef) -> None:
        self._named(node, node.name)

    def visit_ClassDef(self, node: ast.ClassDef) -> None:
        self._named(node, node.name)

    def visit_Assign(self, node: ast.Assign) -> None:
        target = node.targets[0]
        self._named(node, target.id if isinstance(target, ast.Name) else getattr(target, "attr", ""))

    def visit_AnnAssign(self, node: ast.AnnAssign) -> None:
        self._named(node, node.target.id if isinstance(node.target, ast.Name) else getattr(node.target, "attr", ""))

    def _literal(self, node: ast.AST) -> None:
        texts = {
            n.value
            for n in ast.walk(node)
            if isinstance(n, ast.Constant) and isinstance(n.value, str) and n.value in self.names
        }
        if len(texts) >= TABLE:
            self.found.append(self.inside[-1] if self.inside else "")
        else:
            self.generic_visit(node)

    visit_Dict = visit_Set = visit_List = visit_Tuple = _literal


def tables_in(text: str) -> set[str]:
    tables = _Tables()
    tables.visit(ast.parse(text))
    return {*tables.found} - {"__all__"}


def tables_outside_of_operators() -> dict[tuple[str, str], str]:
    found = {}
    for file in sorted(PACKAGE.rglob("*.py")):
        place = str(file.relative_to(PACKAGE)).removeprefix("internals/")
        if not place.startswith(("ops/", "onnx/operators/", "course/exercises/")):  # which hold answers, too
            found.update({(place, name): "" for name in tables_in(file.read_text("utf-8"))})
    return found


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("COSTS = {'exp': 2, 'log': 2, 'tanh': 3, 'sqrt': 1}", {"COSTS"}),
        ("VIEWS: set[str] = {'Reshape', 'Flatten', 'transpose', 'squeeze'}", {"VIEWS"}),
        ("def f(op):\n    return op.name in ('exp', '_npi_exp', 'log', '_npi_log')", {"f"}),
        ("DEAR = frozenset({**dict.fromkeys(('exp', 'log', 'tanh', 'sin'), 1)})", {"DEAR"}),
        ("class C:\n    def __init__(self):\n        self.table = ['exp', 'log', 'tanh', 'sin']", {"table"}),
        ("PAIR = ('exp', 'log', 'tanh')", set()),
        ("__all__ = ['exp', 'log', 'tanh', 'sin']", set()),
        ("WORDS = {'one', 'two', 'three', 'four', 'five'}", set()),
    ],
)
def test_a_table_of_operators_is_found(text: str, names: set[str]) -> None:
    assert tables_in(text) == names


def test_what_is_known_of_operators_hangs_on_the_operators() -> None:
    found = {*tables_outside_of_operators()}
    new = found - {*NOT_FACTS}
    assert not new, f"declare this below the kernels, as the other facts (core/facts.py): {sorted(new)}"
    assert {*NOT_FACTS} <= found, "a reason for a table that is gone"


# --- simplification -------------------------------------------------------------------------------


@pytest.mark.parametrize("function", [lambda x: x * 1.0, lambda x: x / 1.0, lambda x: x - 0.0, lambda x: x**1.0])
def test_a_number_that_changes_nothing_is_left_out_in_both_dialects(function: Any) -> None:
    texts = (
        source_of(lambda F, x: F.exp(function(F.tanh(x))), nd.ones((3, 4))),
        source_of(lambda F, x: F.np.exp(function(F.np.tanh(x))), np.ones((3, 4))),
    )
    for text in texts:
        assert [word for word in ("multiply(", "divide(", "subtract(", "power(") if word in text] == []


def test_integers_times_one_point_zero_become_floats() -> None:
    x = nd.array([1, 2], dtype="int32")
    net = nn.HybridLambda(lambda F, x: F.sqrt(F._internal._div_scalar(x + 1, scalar=1.0, is_int=False)))
    expected = net(x)
    net.hybridize()
    assert net(x).dtype == expected.dtype == numpy.float64
    numpy.testing.assert_array_equal(net(x).asnumpy(), expected.asnumpy())


def test_a_copy_of_np_is_left_out_of_a_program() -> None:
    text = source_of(lambda F, x: F.np.exp(F.np.copy(F.np.tanh(x))), np.ones((3, 4)))
    assert "copy" not in text


def test_a_copy_that_is_a_result_has_memory_of_its_own() -> None:
    with util.np_array(True):
        net = nn.HybridLambda(lambda F, x: F.np.copy(x))
        net.hybridize()
        x = np.ones((3, 4))
        y = net(x)
        y[:] = 5
    assert x.asnumpy().max() == 1
