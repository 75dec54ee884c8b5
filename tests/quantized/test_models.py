"""Whole models become models on int8 as MXNet makes them: graphs, parameters, numbers. Nets stay near themselves."""

from __future__ import annotations

import json
from typing import Any

import numpy
import pytest

import d2lhybrid as mx
from d2lhybrid import gluon, nd
from d2lhybrid.contrib import quantization
from d2lhybrid.contrib.quantization.calibration import optimal_threshold

from .models import EXAMPLES, WAYS, distributions, network, parameters
from .test_operators import recorded


def quantized(settings: dict[str, Any]) -> Any:
    examples = (
        {} if settings["calib_mode"] == "none" else {"calib_data": mx.io.NDArrayIter(nd.array(EXAMPLES), None, 8)}
    )
    return quantization.quantize_model(network(mx), parameters(mx), {}, label_names=None, **examples, **settings)


@pytest.mark.parametrize("way", WAYS)
def test_a_model_is_quantized_as_by_mxnet(way):
    expected = recorded()["models"][way]
    symbol, made, _ = quantized(WAYS[way])
    nodes = [[n["op"], n["name"], n.get("attrs", {})] for n in json.loads(symbol.tojson())["nodes"]]
    assert sorted(map(str, nodes)) == sorted(map(str, expected["nodes"]))
    assert {name: array.asnumpy().tolist() for name, array in made.items()} == expected["parameters"]
    output = symbol.bind(mx.cpu(), {"data": nd.array(EXAMPLES), **made}).forward()[0].asnumpy()
    numpy.testing.assert_allclose(output, expected["output"], rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize("name", distributions())
def test_the_range_that_loses_least_is_mxnets(name):
    values = distributions()[name]
    largest = float(abs(values).max())
    counts, edges = numpy.histogram(values, bins=8001, range=(-largest, largest))
    threshold, divergence = optimal_threshold(counts, edges, 255)
    expected = recorded()["thresholds"][name]
    assert numpy.float32(threshold) == numpy.float32(expected[0])
    numpy.testing.assert_allclose(divergence, expected[1], rtol=1e-3)


def convolutional() -> gluon.HybridBlock:
    mx.random.seed(3)
    net = gluon.nn.HybridSequential()
    net.add(
        gluon.nn.Conv2D(8, 3, padding=1, in_channels=1),
        gluon.nn.BatchNorm(in_channels=8),
        gluon.nn.Activation("relu"),
        gluon.nn.MaxPool2D(),
        gluon.nn.Conv2D(8, 3, in_channels=8, activation="relu", use_bias=False),
        gluon.nn.GlobalAvgPool2D(),
        gluon.nn.Flatten(),
        gluon.nn.Dense(10, in_units=8),
    )
    net.initialize(mx.init.Xavier())
    return net


@pytest.mark.filterwarnings("ignore:Cannot decide type")  # of data, which may be quantized already
@pytest.mark.parametrize("mode", ["none", "naive", "entropy"])
def test_a_net_stays_near_what_it_was(mode, tmp_path):
    net = convolutional()
    x = nd.random.uniform(shape=(16, 1, 12, 12))
    loader = gluon.data.DataLoader(gluon.data.ArrayDataset(x, nd.zeros(16)), batch_size=8)
    given = {"data_shapes": [("data", (16, 1, 12, 12))]} if mode == "none" else {"calib_data": loader}
    small = quantization.quantize_net(net, calib_mode=mode, **given)
    expected, found = net(x).asnumpy(), small(x).asnumpy()
    assert numpy.abs(found - expected).max() < 0.1 * numpy.abs(expected).max()
    assert (found.argmax(1) == expected.argmax(1)).mean() > 0.7
    operators = {n["op"] for n in json.loads(small._cached_graph[1].tojson() if small._cached_graph else "{}")["nodes"]}
    assert {"_contrib_quantized_conv", "_contrib_quantized_fully_connected", "_contrib_quantized_pooling"} <= operators
    assert ("_contrib_quantized_batch_norm" in operators) == (mode != "none") and "Convolution" not in operators
    small.export(str(tmp_path / "small"))
    read = gluon.SymbolBlock.imports(
        str(tmp_path / "small-symbol.json"), ["data"], str(tmp_path / "small-0000.params"), allow_missing=False
    )
    numpy.testing.assert_array_equal(read(x).asnumpy(), found)


def test_layers_are_left_out_by_a_part_of_their_name():
    net = convolutional()
    small = quantization.quantize_net(
        net, data_shapes=[("data", (2, 1, 12, 12))], exclude_layers_match=["conv"], exclude_operators=["Pooling"]
    )
    text = small._cached_graph[1].tojson()
    assert "quantized_fully_connected" in text and "quantized_conv" not in text and "quantized_pooling" not in text


class Everything:
    """A collector of one's own."""

    def __init__(self) -> None:
        self.names: list[str] = []

    def collect(self, name, array):
        self.names.append(name)

    def ranges(self, dtype):
        return dict.fromkeys(self.names, (-4.0, 4.0))


def test_ranges_may_come_from_a_collector_of_ones_own():
    collector = Everything()
    small = quantization.quantize_net_v2(
        convolutional(), calib_mode="customize", calib_data=nd.ones((2, 1, 12, 12)), LayerOutputCollector=collector
    )
    assert "data" in collector.names and '"max_calib_range": "4.000000"' in small._cached_graph[1].tojson()


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"calib_mode": "best"}, "unknown calibration mode best"),
        ({"quantized_dtype": "int4"}, "unknown quantized_dtype int4"),
        ({"quantize_mode": "half"}, "unknown quantize_mode half"),
        ({"quantize_granularity": "channel-wise"}, "one range for each array"),
        ({"calib_mode": "naive"}, "calib_data must be provided when calib_mode=naive"),
        ({"calib_mode": "naive", "calib_data": []}, "no examples"),
    ],
)
def test_what_is_not_possible_is_said(settings, message):
    with pytest.raises(ValueError, match=message):
        quantization.quantize_model(network(mx), parameters(mx), {}, label_names=None, **settings)
