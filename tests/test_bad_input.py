"""Bad input gets a clear error that names what was wrong, and nothing is lost."""

from __future__ import annotations

import json
import warnings
from typing import Any

import numpy
import pytest

import d2lhybrid as mx
from d2lhybrid import gluon, nd, sym
from d2lhybrid.gluon import nn


def notes(error: pytest.ExceptionInfo[Any]) -> str:
    return "\n".join(getattr(error.value, "__notes__", []))


def net_of_two() -> Any:
    net = nn.HybridSequential(prefix="net_")
    with net.name_scope():
        net.add(nn.Dense(4, in_units=3), nn.Dense(2, in_units=4))
    net.initialize()
    return net


@pytest.mark.parametrize("hybrid", [False, True])
def test_a_wrong_input_shape_names_layer_operator_expected_and_actual(hybrid: bool) -> None:
    net = net_of_two()
    net.hybridize(hybrid)
    with pytest.raises(mx.MXNetError, match=r"Shape inconsistent, Provided = \[4,3\], inferred shape=\(4,5\)") as error:
        net(nd.ones((2, 5)))
    text = notes(error)
    assert "FullyConnected" in text and "net_" in text
    assert "(2, 5)" in text or "data" in text
    assert net(nd.ones((2, 3))).shape == (2, 2)


@pytest.mark.parametrize("hybrid", [False, True])
def test_a_wrong_rank_for_a_convolution_says_so(hybrid: bool) -> None:
    net = nn.Conv2D(2, 3, in_channels=1)
    net.initialize()
    net.hybridize(hybrid)
    with pytest.raises(mx.MXNetError, match="Input data should be 4D"):
        net(nd.ones((2, 5, 5)))


@pytest.mark.parametrize("hybrid", [False, True])
def test_two_element_types_are_refused_in_a_sum(hybrid: bool) -> None:
    net = nn.HybridLambda(lambda F, x: x + F.ones((2, 3)))
    net.hybridize(hybrid)
    with pytest.raises(mx.MXNetError, match="expected float64, got float32") as error:
        net(nd.ones((2, 3), dtype="float64"))
    assert "Arrays broadcast" not in notes(error)


LAYERS: list[Any] = [nn.PReLU(), nn.InstanceNorm(in_channels=3), nn.Dropout(0.5), nn.LayerNorm(in_channels=4)]
LAYERS += [nn.BatchNorm(in_channels=3), nn.GroupNorm(1), nn.LeakyReLU(0.1), nn.GELU(), nn.SELU(), nn.ELU()]


@pytest.mark.parametrize("hybrid", [False, True])
@pytest.mark.parametrize("layer", LAYERS, ids=str)
def test_layers_refuse_element_types_hybridized_or_not(layer: Any, hybrid: bool) -> None:
    layer.initialize(force_reinit=True)
    layer.hybridize(hybrid)
    with pytest.raises(mx.MXNetError):
        layer(nd.ones((2, 3, 4), dtype="int32"))


def test_uninitialised_parameters_are_named() -> None:
    with pytest.raises(RuntimeError, match=r"Parameter 'dense\d+_weight' has not been initialized"):
        nn.Dense(2, in_units=3)(nd.ones((1, 3)))


def test_an_unknown_operator_gets_a_suggestion() -> None:
    for module in (nd, sym):
        with pytest.raises(AttributeError, match="has no attribute 'rellu'") as error:
            _ = module.rellu
        assert "Did you mean 'relu'?" in notes(error)


def test_an_unknown_attribute_gets_the_possible_ones_and_a_suggestion() -> None:
    for call in (
        lambda: nd.FullyConnected(nd.ones((1, 2)), nd.ones((3, 2)), num_hidden=3, no_bais=True),
        lambda: sym.FullyConnected(sym.var("x"), num_hidden=3, no_bais=True),
    ):
        with pytest.raises(mx.MXNetError, match="Cannot find argument 'no_bais', Possible Arguments:") as error:
            call()
        assert "no_bias" in str(error.value)


def test_inputs_on_two_contexts_are_refused_by_a_hybridized_block() -> None:
    class Add(gluon.HybridBlock):
        def hybrid_forward(self, F: Any, x: Any, y: Any) -> Any:
            return x + y

    net = Add()
    net.hybridize()
    with pytest.raises(ValueError, match="Find multiple contexts in the input"):
        net(nd.ones((1,)), nd.ones((1,), ctx=mx.cpu(1)))
    assert net(nd.ones((1,)), nd.ones((1,))).asscalar() == 2


def test_a_gpu_that_is_not_there_is_one_clear_error() -> None:
    if mx.context.num_gpus():
        pytest.skip("there is a GPU")
    with pytest.raises(mx.MXNetError, match="GPU is not enabled") as error:
        nd.ones((2,)).as_in_context(mx.gpu())
    assert "mx.cpu()" in notes(error)


@pytest.mark.parametrize("interruption", [ValueError("broken"), KeyboardInterrupt()], ids=["error", "Ctrl-C"])
def test_an_interruption_inside_the_trace_leaves_the_net_usable(interruption: BaseException) -> None:
    class Net(gluon.HybridBlock):
        broken = True

        def __init__(self) -> None:
            super().__init__()
            self.dense = nn.Dense(2, in_units=3)

        def hybrid_forward(self, F: Any, x: Any) -> Any:
            y = self.dense(x)
            if F is sym and self.broken:
                raise interruption
            return y * 2

    net, x = Net(), nd.ones((1, 3))
    net.initialize()
    before = net(x).asnumpy()
    net.hybridize()
    with pytest.raises(type(interruption)):
        net(x)
    name = sym.relu(sym.var("x")).name
    assert name is not None and name.startswith("relu"), "a name scope stayed open"
    net.hybridize(False)
    numpy.testing.assert_array_equal(net(x).asnumpy(), before)
    net.broken = False
    net.hybridize()
    numpy.testing.assert_allclose(net(x).asnumpy(), before, rtol=1e-6)


def test_export_before_forward_is_refused_and_writes_nothing(tmp_path: Any) -> None:
    net = net_of_two()
    net.hybridize()
    with pytest.raises(RuntimeError, match=r"Please first call block.hybridize\(\) and then run forward"):
        net.export(str(tmp_path / "net"))
    assert not list(tmp_path.iterdir())


# --- graph files -------------------------------------------------------------------------------------


def graph_file(**changes: Any) -> str:
    """Return a small valid file with the last node changed."""
    graph = json.loads(sym.FullyConnected(sym.var("data"), num_hidden=2, name="fc").tojson())
    graph["nodes"][-1].update(changes)
    return json.dumps(graph)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (graph_file(op="NoSuchOp"), "Operator NoSuchOp is not registered"),
        (graph_file(op="FullyConnectd"), "Did you mean 'FullyConnected'"),
        (
            graph_file(op="_contrib_quantize_asym"),
            "is not registered. MXNet has it, but d2lhybrid does not: MXNet quantizes recurrent layers only",
        ),
        (
            graph_file(attrs={"num_hidden": "many"}),
            "Invalid Parameter format for num_hidden expect int but value='many'",
        ),
        (graph_file(attrs={}), "Required parameter num_hidden of int is not presented"),
        (graph_file(attrs={"num_hidden": "2", "colour": "red"}), "Cannot find argument 'colour'"),
        (graph_file(inputs=[[0, 0, 0]]), "takes 2 to 3 inputs"),
        (graph_file(inputs=[[0, 5, 0], [1, 0, 0], [2, 0, 0]]), "the file refers to the output with index 5"),
        (graph_file(inputs=[[3, 0, 0], [1, 0, 0], [2, 0, 0]]), ""),
        (graph_file(inputs=[[99, 0, 0], [1, 0, 0], [2, 0, 0]]), ""),
        (graph_file(inputs=[[-1, 0, 0], [1, 0, 0], [2, 0, 0]]), ""),
        (
            graph_file(op="SliceChannel", attrs={"num_outputs": "1000000000"}, inputs=[[0, 0, 0]]),
            "the number of outputs must be in the range",
        ),
        (
            graph_file(op="Reshape", attrs={"shape": "(" * 3000}, inputs=[[0, 0, 0]]),
            "Invalid Parameter format",
        ),
        (
            graph_file(op="Reshape", attrs={"shape": "__import__('os').abort()"}, inputs=[[0, 0, 0]]),
            "Invalid Parameter",
        ),
    ],
)
def test_a_damaged_graph_file_is_refused(text: str, message: str) -> None:
    with pytest.raises(mx.MXNetError) as error:
        sym.load_json(text)
    assert message in f"{error.value}\n{notes(error)}"


def test_a_net_whose_names_are_python_code_runs_as_a_graph_and_runs_no_code(tmp_path: Any) -> None:
    evil = "x'); import os; os._exit(3)  #\n"
    graph = json.loads(sym.FullyConnected(sym.var(evil), num_hidden=2, name=evil + "fc").tojson())
    path = tmp_path / "evil-symbol.json"
    path.write_text(json.dumps(graph))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # MXNet's warning about types that the file does not tell
        net = gluon.SymbolBlock.imports(str(path), [evil])
    net.initialize()
    assert net(nd.ones((1, 3))).shape == (1, 2)


def test_huge_claimed_sizes_give_an_error_and_keep_the_process_alive() -> None:
    graph = sym.zeros((2**40, 2**20)) + 1
    with pytest.raises((mx.MXNetError, MemoryError, ValueError)):
        graph.eval()
    assert nd.ones((1,)).asscalar() == 1
