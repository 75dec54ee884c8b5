"""What the compiler and the pictures know of an operator hangs on the operator, and a family shares it."""

from __future__ import annotations

import importlib
import re
from pathlib import Path
from typing import Any

import numpy
import pytest

import d2lhybrid.ops
from d2lhybrid import nd, np, util
from d2lhybrid.compiler.costs import flops_of
from d2lhybrid.core.operator import Array, Operator, all_operators, get_operator
from d2lhybrid.gluon import nn
from d2lhybrid.seeing.graph_family import FAMILIES


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


def test_the_number_comes_first_where_it_does_in_the_name() -> None:
    assert get_operator("_rminus_scalar").ufunc_reversed
    assert "subtract(number, data)" in source_of(lambda F, x: 2 - x, nd.ones((3, 4)))
    assert "subtract(data, number)" in source_of(lambda F, x: x - 2, nd.ones((3, 4)))


# --- pictures and costs ---------------------------------------------------------------------------

OPS = Path(d2lhybrid.ops.__file__).parent


def files_with_operators() -> list[Path]:
    return [f for f in sorted(OPS.glob("*.py")) if re.search(r"^@?(\w+ = )?operator\(", f.read_text(), re.MULTILINE)]


def test_every_file_of_operators_says_which_family_they_are() -> None:
    files = files_with_operators()
    assert len(files) > 40
    for file in files:
        module = importlib.import_module(f"d2lhybrid.ops.{file.stem}")
        assert getattr(module, "FAMILY", None) in FAMILIES, f"{file.name} has no FAMILY"


@pytest.mark.parametrize(
    ("name", "family"),
    [("_dense_vector", "linear"), ("_backward_dense_vector_weight", "linear"), ("_dense_batch_last", "linear"),
     ("_fused", "elementwise"), ("relu", "activation"), ("sigmoid", "activation"), ("_npx_sigmoid", "activation"),
     ("exp", "elementwise"), ("Dropout", "other"), ("_pooling_batch_last", "pooling"), ("_reduce_like", "reduction")],
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
