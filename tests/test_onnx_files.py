"""MXNet's functions for ONNX files: arguments, names, errors; what a file holds."""

from __future__ import annotations

import logging
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy
import onnx
import pytest
from onnx_runtime import run

import d2lhybrid as mx
from d2lhybrid import nd, sym
from d2lhybrid.error import MXNetError
from d2lhybrid.gluon import nn
from d2lhybrid.onnx import UnsupportedOperatorsError, export_model, get_model_metadata, get_operator_support, to_onnx

X = numpy.arange(6, dtype="float32").reshape(2, 3)
PARAMS = {"fc_weight": nd.array([[1, 0, 2], [0, 1, -1]]), "fc_bias": nd.array([0.5, -0.5])}
EXPECTED = X @ PARAMS["fc_weight"].asnumpy().T + PARAMS["fc_bias"].asnumpy()


def dense() -> Any:
    return sym.FullyConnected(sym.var("data"), num_hidden=2, name="fc")


@pytest.fixture
def path(tmp_path: Path) -> str:
    return str(tmp_path / "model.onnx")


# --- arguments ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "params",
    [
        PARAMS,
        {f"arg:{k}": v for k, v in PARAMS.items()},
        [PARAMS, {}],
        [{"fc_weight": PARAMS["fc_weight"]}, {"fc_bias": PARAMS["fc_bias"]}],
        {k: v.asnumpy() for k, v in PARAMS.items()},
    ],
    ids=["names", "with arg:", "two dicts", "arguments and states", "NumPy"],
)
def test_forms_of_parameters(params: Any, path: str) -> None:
    assert export_model(dense(), params, [(2, 3)], numpy.float32, path) == path
    numpy.testing.assert_allclose(run(onnx.load(path), {"data": X})[0], EXPECTED)


def test_files_of_mxnet(tmp_path: Path, path: str) -> None:
    dense().save(str(tmp_path / "net-symbol.json"))
    nd.save(str(tmp_path / "net-0000.params"), {f"arg:{k}": v for k, v in PARAMS.items()})
    files = str(tmp_path / "net-symbol.json"), str(tmp_path / "net-0000.params")
    mx.contrib.onnx.export_model(*files, input_shape=[(2, 3)], input_type=numpy.float32, onnx_file_path=path)
    numpy.testing.assert_allclose(run(onnx.load(path), {"data": X})[0], EXPECTED)


def test_element_types(path: str) -> None:
    half = {k: v.astype("float16") for k, v in PARAMS.items()}
    export_model(dense(), half, [(2, 3)], [numpy.float16], path)
    found = run(onnx.load(path), {"data": X.astype("float16")})[0]
    assert found.dtype == numpy.float16
    numpy.testing.assert_allclose(found, EXPECTED, rtol=1e-2)


def test_dynamic_shapes(path: str) -> None:
    export_model(dense(), PARAMS, [(2, 3)], numpy.float32, path, dynamic=True, dynamic_input_shapes=[("n", 3)])
    model = onnx.load(path)
    assert get_model_metadata(path) == {
        "input_tensor_data": [("data", (0, 3), onnx.TensorProto.FLOAT)],
        "output_tensor_data": [("fc_output", (0, 2))],
    }
    for rows in (1, 7):
        assert run(model, {"data": numpy.zeros((rows, 3), "float32")})[0].shape == (rows, 2)
    export_model(sym.relu(sym.var("x")), {}, [(2, 3)], numpy.float32, path, dynamic=True)
    assert run(onnx.load(path), {"x": numpy.zeros((4, 9), "float32")})[0].shape == (4, 9)


def test_shapes_inside_and_the_log(path: str, caplog: pytest.LogCaptureFixture) -> None:
    y = sym.relu(dense(), name="act")
    with caplog.at_level(logging.INFO):
        export_model(y, PARAMS, [(2, 3)], numpy.float32, path, verbose=True, run_shape_inference=True)
    assert [v.name for v in onnx.load(path).graph.value_info] == ["fc_output"]
    assert "Gemm(data, fc_weight, fc_bias) -> fc_output" in caplog.text


def test_metadata_of_a_model(path: str) -> None:
    export_model(dense(), PARAMS, [(2, 3)], numpy.float32, path)
    assert get_model_metadata(path) == {
        "input_tensor_data": [("data", (2, 3), onnx.TensorProto.FLOAT)],
        "output_tensor_data": [("fc_output", (2, 2))],
    }


def test_the_names_of_mxnet() -> None:
    program = (
        "import d2lhybrid; d2lhybrid.as_mxnet()\n"
        "import mxnet as mx\n"
        "from mxnet import onnx as mxnet_onnx\n"
        "from mxnet.contrib import onnx as old\n"
        "import mxnet.contrib.onnx\n"
        "assert mx.onnx.export_model is mxnet_onnx.export_model is old.export_model\n"
        "assert mx.contrib.onnx.get_model_metadata and mx.onnx.get_operator_support\n"
        "assert mx.contrib.nd is mx.nd.contrib and mx.contrib.sym is mx.sym.contrib\n"
        "import sys; assert 'onnx' not in sys.modules\n"
    )
    subprocess.run([sys.executable, "-c", program], check=True)


def test_operator_support() -> None:
    names = get_operator_support()
    assert names == sorted(names) == get_operator_support(13) and {"Convolution", "RNN", "_npi_add"} <= {*names}


# --- what a model holds ---------------------------------------------------------------------------


def model_of(symbol: Any, *shapes: Any, params: Any = (), **options: Any) -> Any:
    names = [n for n in dict.fromkeys(symbol.list_inputs()) if n not in dict(params)]
    return to_onnx(symbol, dict(params), dict(zip(names, shapes, strict=True)), **options)


def test_constants_are_computed_once() -> None:
    weight = numpy.ones((4, 3), "float32")
    y = sym.dot(sym.var("x"), sym.transpose(sym.var("w") * 2))
    model = model_of(y, (2, 3), params={"w": weight})
    assert [node.op_type for node in model.graph.node] == ["MatMul"]
    numpy.testing.assert_allclose(run(model, {"x": X})[0], X @ weight.T * 2)


def test_large_uniform_constants_are_written_short() -> None:
    y = sym.broadcast_add(sym.var("x"), sym.zeros((300, 200)) + 1)
    model = model_of(y, (300, 200))
    assert len(model.SerializeToString()) < 1000
    assert (run(model, {"x": numpy.zeros((300, 200), "float32")})[0] == 1).all()


def test_only_what_the_outputs_need_is_written() -> None:
    x = sym.var("x")
    mean, var = sym.moments(x, axes=(1,))
    assert "Div" not in [node.op_type for node in model_of(mean, (2, 3)).graph.node] and var is not None


def test_outputs_that_are_inputs_or_constants_or_twice_the_same() -> None:
    x = sym.var("x")
    y = sym.relu(x, name="y")
    model = model_of(sym.Group([y, y, x, sym.BlockGrad(y), sym.zeros((2,), name="z")]), (2, 3))
    first, second, same, blocked, zeros = run(model, {"x": X - 2})
    assert (first == numpy.maximum(X - 2, 0)).all() and (first == second).all() and (blocked == first).all()
    assert (same == X - 2).all() and (zeros == 0).all() and zeros.shape == (2,)


def test_nodes_may_share_a_name() -> None:
    y = sym.relu(sym.relu(sym.var("x"), name="a"), name="a") + sym.exp(sym.var("x"), name="a_output")
    names = [name for node in model_of(y, (2, 3)).graph.node for name in (*node.output, node.name)]
    outputs = [n for node in model_of(y, (2, 3)).graph.node for n in node.output]
    assert len({*outputs}) == len(outputs) and len(names) == 2 * len(outputs)


def test_labels_of_losses_are_no_inputs(path: str) -> None:
    y = sym.SoftmaxOutput(dense(), name="softmax")
    export_model(y, PARAMS, [(2, 3)], numpy.float32, path)
    model = onnx.load(path)
    assert [i.name for i in model.graph.input] == ["data"]
    numpy.testing.assert_allclose(run(model, {"data": X})[0].sum(axis=1), 1, rtol=1e-6)


# --- errors ---------------------------------------------------------------------------------------


def test_wrong_arguments(path: str) -> None:
    with pytest.raises(ValueError, match=r"The graph has 1 input, \['data'\], but in_shapes has 2 shapes"):
        export_model(dense(), PARAMS, [(2, 3), (1,)], numpy.float32, path)
    with pytest.raises(ValueError, match=r"The graph has 1 input, \['data'\], but in_shapes has 0 shapes"):
        export_model(dense(), PARAMS, None, numpy.float32, path)
    with pytest.raises(ValueError, match="in_types has 2 types, but in_shapes has 1 shape"):
        export_model(dense(), PARAMS, [(2, 3)], [numpy.float32] * 2, path)
    with pytest.raises(ValueError, match="should either be files or objects"):
        export_model(3, PARAMS, [(2, 3)], numpy.float32, path)
    with pytest.raises(ValueError, match="should either be files or objects"):
        export_model(dense(), 3, [(2, 3)], numpy.float32, path)
    with pytest.raises(ValueError, match="1 input, but dynamic_input_shapes has 2 shapes"):
        export_model(dense(), PARAMS, [(2, 3)], numpy.float32, path, dynamic=True, dynamic_input_shapes=[(1,), (2,)])
    assert not Path(path).exists()


def test_wrong_inputs_of_the_graph() -> None:
    with pytest.raises(MXNetError, match="The variable 'fc_weight' has neither a value in params nor an input shape"):
        to_onnx(dense(), {}, {"data": (2, 3)})
    with pytest.raises(MXNetError, match="The graph has no variable 'dta'"):
        to_onnx(dense(), PARAMS, {"dta": (2, 3)})
    with pytest.raises(MXNetError, match="must have as many axes as the input shape"):
        to_onnx(dense(), PARAMS, {"data": (2, 3)}, dynamic_shapes={"data": (None,)})
    with pytest.raises(MXNetError, match="'fc_bias' has a dynamic shape, but no input shape"):
        to_onnx(dense(), PARAMS, {"data": (2, 3)}, dynamic_shapes={"fc_bias": (None,)})
    raws = {k: v.asnumpy() for k, v in PARAMS.items()}
    with pytest.raises(MXNetError, match="Error in operator fc"):
        to_onnx(dense(), raws, {"data": (2, 4)})


def test_a_note_says_how_to_fix_the_input_shapes(path: str) -> None:
    pooled = sym.contrib.AdaptiveAvgPooling2D(sym.var("data"), output_size=2)
    with pytest.raises(UnsupportedOperatorsError, match="the size of axis 2 must be known") as caught:
        export_model(pooled, {}, [(1, 3, 4, 4)], numpy.float32, path, dynamic=True)
    assert any("dynamic=False" in note for note in caught.value.__notes__)
    export_model(pooled, {}, [(1, 3, 4, 4)], numpy.float32, path)


def test_an_older_file_stays_when_the_export_fails(path: str) -> None:
    Path(path).write_bytes(b"old")
    with pytest.raises(UnsupportedOperatorsError):
        export_model(sym.gamma(sym.var("x")), {}, [(2,)], numpy.float32, path)
    assert Path(path).read_bytes() == b"old"
    with pytest.raises(MXNetError, match="No such file or directory"):
        export_model(dense(), PARAMS, [(2, 3)], numpy.float32, str(Path(path).parent / "no" / "a.onnx"))


def test_what_is_no_model(path: str) -> None:
    with pytest.raises(MXNetError, match="No such file"):
        get_model_metadata(path)
    Path(path).write_bytes(b"\xff" * 50)
    with pytest.raises(MXNetError, match="is not an ONNX model"):
        get_model_metadata(path)


def test_without_the_package(path: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "onnx", None)
    with pytest.raises(ImportError, match="Onnx and protobuf need to be installed") as caught:
        export_model(dense(), PARAMS, [(2, 3)], numpy.float32, path)
    assert "pip install" in caught.value.__notes__[0]


# --- net.export -----------------------------------------------------------------------------------


def test_export_of_a_net_that_was_not_called(tmp_path: Path) -> None:
    net = nn.Dense(2)
    net.initialize()
    with pytest.raises(RuntimeError, match=r"first call block\.hybridize"):
        net.export(str(tmp_path / "net"), format="onnx")
    net(nd.ones((1, 3)))  # traced to find the shapes of the parameters, and not hybridized
    with pytest.raises(RuntimeError, match="contains the shapes of the inputs"):
        net.export(str(tmp_path / "net"), format="onnx")
    with pytest.raises(ValueError, match="format must be 'mxnet' or 'onnx', not 'pickle'"):
        net.export(str(tmp_path / "net"), format="pickle")
    assert not list(tmp_path.iterdir())


def test_export_takes_the_latest_shapes_and_either_name(tmp_path: Path) -> None:
    net = nn.Dense(2, flatten=False)
    net.initialize()
    net.hybridize()
    for rows in (2, 5):
        net(nd.ones((rows, 3)))
    net.export(str(tmp_path / "a"), format="onnx")
    net.export(str(tmp_path / "b.onnx"), format="onnx")
    assert (tmp_path / "a.onnx").read_bytes() == (tmp_path / "b.onnx").read_bytes()
    assert get_model_metadata(str(tmp_path / "a.onnx"))["input_tensor_data"][0][1] == (5, 3)
