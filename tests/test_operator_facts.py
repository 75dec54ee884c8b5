"""What the compiler and the pictures know of an operator hangs on the operator, and a family shares it."""

from __future__ import annotations

from typing import Any

import numpy
import pytest

from d2lhybrid import nd, np, util
from d2lhybrid.core.operator import Operator, all_operators, get_operator
from d2lhybrid.gluon import nn


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
