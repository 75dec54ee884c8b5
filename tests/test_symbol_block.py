"""Blocks made from graphs: what a cast leaves in single precision, and statistics that move twice in a call."""

from __future__ import annotations

import json
from pathlib import Path

import numpy
import pytest

import d2lhybrid as mx
from d2lhybrid import autograd, gluon, nd, sym
from d2lhybrid.gluon import nn


@pytest.mark.filterwarnings("ignore:Cannot decide type")
def test_a_cast_to_half_precision_leaves_the_statistics_in_single(tmp_path: Path) -> None:
    net = nn.HybridSequential(prefix="net_")
    with net.name_scope():
        net.add(nn.Conv2D(4, 3), nn.BatchNorm(), nn.LayerNorm(), nn.Dense(3))
    net.initialize(mx.init.Xavier())
    net.hybridize()
    x = nd.random.normal(shape=(2, 3, 6, 6))
    expected = net(x).asnumpy()
    net.export(str(tmp_path / "net"))
    block = gluon.SymbolBlock.imports(
        str(tmp_path / "net-symbol.json"), ["data"], str(tmp_path / "net-0000.params"), ctx=mx.cpu()
    )
    for dtype, tolerance in (("float16", 2e-2), ("float32", 2e-2), ("float64", 2e-2)):
        block.cast(dtype)
        result = block(x.astype(dtype))
        assert result.dtype == numpy.dtype(dtype)
        numpy.testing.assert_allclose(result.asnumpy(), expected, atol=tolerance)
        single = {name for name, p in block.collect_params().items() if numpy.dtype(p.dtype) == numpy.float32}
        normalized = {f"net_batchnorm0_{name}" for name in ("gamma", "beta", "running_mean", "running_var")}
        assert single == {"float16": normalized, "float32": set(block.collect_params()), "float64": set()}[dtype]


def test_what_operators_ask_of_their_states_counts_not_how_these_are_called() -> None:
    data = sym.var("data", dtype="float32")
    out = sym.BatchNorm(data, *(sym.var(name) for name in "abcd")) * sym.var("batchnorm0_running_var")
    block = gluon.SymbolBlock(out, data)
    block.initialize()
    block.cast("float16")
    types = {name: numpy.dtype(p.dtype).name for name, p in block.collect_params().items()}
    assert types == {**dict.fromkeys("abcd", "float32"), "batchnorm0_running_var": "float16"}


class _Twice(gluon.HybridBlock):
    """One layer for two inputs; the outputs come in the other order than the calls."""

    def __init__(self, **kwargs: object) -> None:
        super().__init__(**kwargs)
        with self.name_scope():
            self.shared, self.own = nn.BatchNorm(), nn.BatchNorm()

    def hybrid_forward(self, F, x, y):
        first = self.shared(self.own(x))
        return self.shared(y), first


@pytest.mark.filterwarnings("ignore:Cannot decide type")
def test_statistics_that_move_twice_in_a_call_move_in_the_same_order_from_a_file(tmp_path: Path) -> None:
    net = _Twice(prefix="net_")
    net.initialize()
    x, y = nd.random.normal(shape=(8, 3)), nd.random.normal(2, 3, shape=(8, 3))
    net(x, y)
    net.hybridize()
    net(x, y)
    net.export(str(tmp_path / "net"))
    files = str(tmp_path / "net-symbol.json"), ["data0", "data1"], str(tmp_path / "net-0000.params")
    read = gluon.SymbolBlock.imports(*files, ctx=mx.cpu())
    net.hybridize(active=False)
    for block in (net, read):
        with autograd.record():
            outputs = block(x, y)
        autograd.backward(list(outputs))
    expected, found = net.collect_params(), read.collect_params()
    for name in ("net_batchnorm0_running_mean", "net_batchnorm0_running_var", "net_batchnorm1_running_mean"):
        numpy.testing.assert_allclose(found[name].data().asnumpy(), expected[name].data().asnumpy(), rtol=1e-5)


def test_a_file_has_mxnets_order_where_no_state_is_shared() -> None:
    x = sym.var("x")
    late = sym.BatchNorm(x, name="late")
    early = sym.BatchNorm(x, name="early")
    nodes = sym.Group([early, late]).get_internals().list_outputs()
    assert [n for n in nodes if n.endswith("_output")] == ["early_output", "late_output"]
    read = sym.load_json(sym.Group([early, late]).tojson())
    assert read.get_internals().list_outputs() == nodes


@pytest.mark.filterwarnings("ignore:Cannot decide type")
def test_types_that_variables_declare_count_only_if_every_input_declares_one() -> None:
    x, w = sym.var("x"), sym.var("w", dtype="float64")

    def types(out: sym.Symbol, *inputs: sym.Symbol) -> list[str]:
        block = gluon.SymbolBlock(out, list(inputs))
        return [numpy.dtype(p.dtype).name for p in block.collect_params().values()]

    assert types(x * w, x) == ["float32"]
    assert types(x * w, sym.var("x", dtype="float64")) == ["float64"]
    assert types(x * w, sym.var("x", dtype="float32")) == ["float32"]  # a contradiction
    dense = sym.FullyConnected(sym.var("x"), num_hidden=2)
    assert types(dense, sym.var("x", dtype="float64")) == ["float64", "float64"]
    assert types(sym.FullyConnected(sym.var("x", dtype="float64"), num_hidden=2), x) == ["float32", "float32"]
    half = sym.cast(x, "float16") * sym.var("v")
    assert types(half, x) == ["float32"] and types(half, sym.var("x", dtype="float32")) == ["float16"]


@pytest.mark.filterwarnings("ignore:Cannot decide type")
@pytest.mark.parametrize("declared", ["1", "float32", "nope"])
def test_a_file_runs_with_parameters_of_another_type_than_declared(declared: str) -> None:
    nodes = [
        {"op": "null", "name": "x", "inputs": []},
        {"op": "null", "name": "w", "attrs": {"__dtype__": declared}, "inputs": []},
        {"op": "elemwise_mul", "name": "m", "inputs": [[0, 0, 0], [1, 0, 0]]},
    ]
    graph = sym.load_json(json.dumps({"nodes": nodes, "arg_nodes": [0, 1], "heads": [[2, 0, 0]]}))
    assert graph.attr_dict() == {"w": {"__dtype__": declared}}
    block = gluon.SymbolBlock(graph, [sym.var("x")])
    block.initialize(mx.init.Constant(3))
    result = block(nd.ones((2,)))
    assert (result.dtype, result.asnumpy().tolist()) == (numpy.float32, [3, 3])
