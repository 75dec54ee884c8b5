"""Files with oneDNN's fused layers load, and compute MXNet's numbers: on 8 bits every one of them."""

from __future__ import annotations

import functools
import gzip
import json
from typing import Any

import numpy
import pytest

import d2lhybrid as mx
from d2lhybrid import MXNetError, nd

from .record_fused import RECORD


@functools.cache
def recorded() -> Any:
    return json.loads(gzip.decompress(RECORD.read_bytes()))


def computed(symbol: Any) -> numpy.ndarray:
    arrays = {name: nd.array(values) for name, values in [*recorded()["arrays"].items(), ("data", recorded()["data"])]}
    arguments = {name: arrays[name] for name in symbol.list_arguments()}
    states = {name: arrays[name] for name in symbol.list_auxiliary_states()}
    return symbol.bind(mx.cpu(), arguments, aux_states=states).forward()[0].asnumpy()


@pytest.mark.parametrize("kind", ["8 bits", "real numbers"])
def test_fused_layers_compute_mxnets_numbers(kind):
    symbol = mx.sym.load_json(recorded()[kind]["symbol"])
    inner = symbol.get_internals()
    numbers = recorded()[kind]["numbers"]
    assert len(numbers) == 12
    for name, expected in numbers.items():
        found = computed(symbol if name == "end" else inner[f"{name}_output"])
        assert found.dtype == expected["dtype"], name
        if found.dtype == "float32":
            numpy.testing.assert_allclose(
                found, expected["values"], rtol=1e-5, atol=2e-6 * numpy.abs(found).max(), err_msg=name
            )
        else:
            assert numpy.array_equal(found, expected["values"]), name
    assert {"int8", "uint8"} <= {n["dtype"] for n in recorded()["8 bits"]["numbers"].values()}


def test_the_ranges_are_the_calibrated_ones_and_the_graph_can_be_written():
    written = json.loads(recorded()["8 bits"]["symbol"])
    node = next(n for n in written["nodes"] if n["op"] == "_sg_mkldnn_conv")
    symbol = mx.sym.load_json(json.dumps(written))
    inner = symbol.get_internals()
    for end, key in (("min", "min_calib_range"), ("max", "max_calib_range")):
        found = computed(inner[f"{node['name']}_{end}_range_output"])
        assert found.tolist() == [numpy.float32(node["attrs"][key])]
    again = mx.sym.load_json(symbol.tojson())
    assert computed(again).tolist() == computed(symbol).tolist()
    assert not any(n["op"].startswith("_sg_mkldnn") for n in json.loads(symbol.tojson())["nodes"])


def changed(**attributes: Any) -> str:
    """Return the recorded graph with attributes of its first fused layer changed, or removed by None."""
    written = json.loads(recorded()["8 bits"]["symbol"])
    node = next(n for n in written["nodes"] if n["op"] == "_sg_mkldnn_conv")
    node["attrs"] = {k: v for k, v in {**node["attrs"], **attributes}.items() if v is not None}
    return json.dumps(written)


@pytest.mark.parametrize(
    ("attributes", "said"),
    [
        ({"max_calib_range": None}, "a fused layer of 8-bit numbers must be a convolution"),
        ({"with_sum": "true"}, "the node has 8 inputs, but the layer takes more"),
        ({"min_calib_range": "low"}, "could not convert string to float: 'low'"),
    ],
)
def test_fused_layers_that_cannot_be_spelled_out_are_named(attributes, said):
    with pytest.raises(MXNetError, match=said) as caught:
        mx.sym.load_json(changed(**attributes))
    assert "quantized_sg_mkldnn_conv" in str(caught.value)


@pytest.mark.parametrize(
    "break_it", [lambda n: n.pop("subgraphs"), lambda n: n["subgraphs"][0].update(nodes=[], heads=[], arg_nodes=[])]
)
def test_a_fused_layer_without_its_graph_is_an_error(break_it):
    written = json.loads(recorded()["8 bits"]["symbol"])
    for node in written["nodes"]:
        if node["op"] == "_sg_mkldnn_conv":
            break_it(node)
    with pytest.raises(MXNetError, match="quantized_sg_mkldnn_conv"):
        mx.sym.load_json(json.dumps(written))


def with_a_copy_before(number: int) -> str:
    """Return the recorded graph with a copy of the data before one of its fused layers."""
    written = json.loads(recorded()["8 bits"]["symbol"])
    nodes = written["nodes"]
    place = [i for i, node in enumerate(nodes) if node["op"] == "_sg_mkldnn_conv"][number]

    def later(entry: list[int]) -> list[int]:
        return [entry[0] + (entry[0] >= place), *entry[1:]]

    copied = nodes[place]["inputs"][0]
    for node in nodes:
        node["inputs"] = [later(entry) for entry in node["inputs"]]
    nodes[place]["inputs"][0] = [place, 0, 0]
    nodes.insert(place, {"op": "_copy", "name": "copied", "inputs": [copied]})
    written["heads"] = [later(entry) for entry in written["heads"]]
    written["arg_nodes"] = [i for i, node in enumerate(nodes) if node["op"] == "null"]
    written.pop("node_row_ptr", None)
    return json.dumps(written)


@pytest.mark.parametrize("number", [0, 1])
def test_element_types_pass_through_any_operator_between_fused_layers(number):
    found = computed(mx.sym.load_json(with_a_copy_before(number)))
    assert numpy.array_equal(found, computed(mx.sym.load_json(recorded()["8 bits"]["symbol"])))


def test_running_statistics_of_8_bit_layers_are_arguments_and_a_fixed_gamma_is_none(tmp_path):
    real, bits = (mx.sym.load_json(recorded()[kind]["symbol"]) for kind in ("real numbers", "8 bits"))
    in_mxnet = {*real.list_arguments(), *real.list_auxiliary_states()}  # of both graphs
    assert bits.list_auxiliary_states() == []
    assert in_mxnet - {*bits.list_arguments()} == {"batchnorm3_gamma"}
    assert {*bits.list_arguments()} <= in_mxnet
    (tmp_path / "net-symbol.json").write_text(recorded()["8 bits"]["symbol"], "utf-8")
    states = real.list_auxiliary_states()
    saved = {f"{'aux' if name in states else 'arg'}:{name}": nd.array(v) for name, v in recorded()["arrays"].items()}
    nd.save(str(tmp_path / "net"), saved)
    files = str(tmp_path / "net-symbol.json"), ["data"], str(tmp_path / "net")
    with pytest.warns(UserWarning, match="Cannot decide type"):
        net = mx.gluon.SymbolBlock.imports(*files, ignore_extra=True)
    assert net(nd.array(recorded()["data"])).asnumpy().tolist() == computed(bits).tolist()
