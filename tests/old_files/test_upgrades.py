"""Files of old versions, upgraded as by MXNet 1.9.1, whose answers ``tests/old_files/answers.py`` recorded."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import d2lhybrid as mx
from d2lhybrid import nd, sym

from .answers import answer, checkpoint, data_of, use_answer
from .attribute_calls import outcome_of_call
from .graphs import affine, graph, use, variable

RECORDED = Path(__file__).parent.parent / "golden_data" / "old_files" / "answers.jsonl"
ANSWERS: dict[str, dict[str, object]] = {}
for line in RECORDED.read_text("utf-8").splitlines():
    part, key, recorded = json.loads(line)
    ANSWERS.setdefault(part, {})[key] = recorded

#: What MXNet says of these when a program goes on; here it is said when the file is read.
REFUSED_LATER = {"no states, 900": "the operator takes 5 inputs, but the node has 3"}


def assert_same(found, expected, where="the answer"):
    """Compare answers: numbers up to rounding, relative to the largest of their list."""
    if isinstance(expected, dict):
        assert found.keys() == expected.keys(), where
        for name in expected:
            assert_same(found[name], expected[name], f"{where}, {name}")
    elif isinstance(expected, list) and expected and all(isinstance(v, float) for v in expected):
        assert found == pytest.approx(expected, rel=1e-4, abs=1e-6 + 1e-5 * max(map(abs, expected))), where
    elif isinstance(expected, list):
        assert len(found) == len(expected), where
        for i, (one, other) in enumerate(zip(found, expected, strict=True)):
            assert_same(one, other, f"{where}[{i}]")
    else:
        assert found == expected, where


@pytest.mark.parametrize("name", [name for name in ANSWERS["graphs"] if name not in REFUSED_LATER])
def test_a_graph_becomes_what_mxnet_makes_of_it(name):
    assert_same(json.loads(json.dumps(answer(mx, name))), ANSWERS["graphs"][name])


@pytest.mark.parametrize("name", REFUSED_LATER)
def test_what_mxnet_loads_and_cannot_use_is_refused_when_it_is_loaded(name):
    recorded = ANSWERS["graphs"][name]
    assert isinstance(recorded, dict) and "values" not in recorded
    assert REFUSED_LATER[name] in answer(mx, name)["error"]


@pytest.mark.parametrize("name", ANSWERS["uses"])
def test_programs_use_old_files_as_with_mxnet(name):
    recorded = ANSWERS["uses"][name]
    assert isinstance(recorded, dict) and "error" not in recorded
    assert_same(json.loads(json.dumps(use_answer(mx, name))), recorded)


@pytest.mark.parametrize("call", ANSWERS["calls"])
def test_attributes_become_text_or_are_refused_as_in_mxnet(call):
    assert_same(json.loads(json.dumps(outcome_of_call(mx, call))), ANSWERS["calls"][call])


def test_an_upgraded_file_is_written_as_one_of_today_and_read_again():
    symbol = sym.load_json(affine({"lr_mult": "2"}, {"bias_wd_mult": "3"}))
    again = sym.load_json(symbol.tojson())
    assert again.tojson() == symbol.tojson()
    assert json.loads(symbol.tojson())["attrs"] == {"mxnet_version": ["int", 10901]}
    assert again.attr_dict()["f_bias"] == {"__wd_mult__": "3", "wd_mult": "3"}


def test_a_file_of_a_newer_version_is_read_with_a_warning(caplog):
    text = graph(variable("x"), use("sin", "s", [0]), version=20000)
    assert sym.load_json(text).eval(x=nd.zeros((1,)))[0].asscalar() == 0
    assert "saved by MXNet 2.0.0, which is newer than 1.9.1" in caplog.text


@pytest.mark.parametrize(
    ("op", "attributes", "inputs", "names"),
    [
        ("Dropout", {}, 1, ["o_output", "o_mask"]),
        ("LayerNorm", {}, 3, ["o_output", "o_mean", "o_std"]),
        ("GroupNorm", {}, 3, ["o_output", "o_mean", "o_std"]),
        ("InstanceNorm", {}, 3, ["o_output", "o_mean", "o_var"]),
        ("BatchNorm", {}, 5, ["o_output", "o_mean", "o_var"]),
        ("LRN", {"nsize": "3"}, 1, ["o_output", "o_tmp_norm"]),
        ("L2Normalization", {}, 1, ["o_output", "o_norm"]),
        ("ROIPooling", {"pooled_size": "(2,2)", "spatial_scale": "1"}, 2, ["o_output", "o_maxidx"]),
        ("CTCLoss", {}, 2, ["o_output0", "o_output1"]),
        ("sort", {}, 1, ["o_output0", "o_output1"]),
        ("_contrib_box_nms", {}, 1, ["o_output0", "o_output1"]),
        ("_contrib_Proposal", {}, 3, ["o_output", "o_score"]),
    ],
)
def test_a_hidden_output_that_a_file_selects_has_the_name_of_mxnet(op, attributes, inputs, names):
    nodes = [variable(f"x{i}") for i in range(inputs)]
    node = use(op, "o", list(range(inputs)), attributes)
    heads = [[inputs, i] for i in range(len(names))]
    assert sym.load_json(graph(*nodes, node, heads=heads, version=10901)).list_outputs() == names


def test_a_long_old_chain_is_upgraded_in_linear_time_and_without_recursion():
    nodes = [variable("x")]
    nodes += [use("FullyConnected", f"f{i}", [i], {"num_hidden": "2"}, weight_lr_mult="2") for i in range(3000)]
    symbol = sym.load_json(graph(*nodes))
    assert len(symbol.list_arguments()) == 1 + 2 * 3000


def test_an_old_file_that_counts_its_inputs_by_the_billion_is_refused_in_no_time():
    text = graph(variable("x"), use("Concat", "c", [0], {"num_args": "1000000000"}))
    with pytest.raises(mx.MXNetError, match="num_args is 1000000000"):
        sym.load_json(text)
    text = graph(variable("x"), use("multi_sum_sq", "c", [0], {"num_arrays": "1000000000"}))
    sym.load_json(text)


def test_a_parameter_file_and_an_old_graph_make_an_onnx_model(tmp_path):
    onnx = pytest.importorskip("onnx")
    pytest.importorskip("onnxruntime")
    from ..onnx_runtime import run

    prefix = checkpoint(mx, str(tmp_path))
    made = str(tmp_path / "old.onnx")
    types = ["float32", "float32"]
    mx.onnx.export_model(prefix + "-symbol.json", prefix + "-0003.params", [(5, 6), (5,)], types, made)
    x, y = data_of(mx)
    (found,) = run(onnx.load(made), {"data": x.asnumpy(), "softmax_label": y.asnumpy()})
    recorded = ANSWERS["uses"]["predict_with_feed_forward"]
    assert isinstance(recorded, dict)
    assert found.ravel().tolist() == pytest.approx(recorded["values"], rel=1e-4)
