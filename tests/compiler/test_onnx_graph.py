"""What ONNX Runtime is given instead of what was traced."""

from __future__ import annotations

import importlib.util
from typing import Any

import numpy
import pytest

from d2lhybrid import nd
from d2lhybrid.gluon import nn
from d2lhybrid.internals.core.graph import Graph
from d2lhybrid.onnx import runtime_backend as onnx_runtime
from d2lhybrid.onnx.runtime_graph import for_onnx_runtime

needs_onnx = pytest.mark.skipif(
    any(importlib.util.find_spec(name) is None for name in ("onnx", "onnxruntime")),
    reason="onnx or onnxruntime is not installed",
)
LAYERS = {1: nn.Conv1DTranspose, 2: nn.Conv2DTranspose, 3: nn.Conv3DTranspose}


@pytest.fixture
def given(monkeypatch: pytest.MonkeyPatch) -> list[list[str]]:
    """The names of the operators of each graph that ONNX Runtime is given."""
    graphs: list[list[str]] = []

    def note(graph: Graph) -> Graph:
        new = for_onnx_runtime(graph)
        graphs.append([node.op.name for node in new.nodes if node.op is not None])
        return new

    monkeypatch.setattr(onnx_runtime, "for_onnx_runtime", note)
    return graphs


def filled(net: Any, x: Any) -> Any:
    """Return a net whose parameters are all drawn, those of normalisations, too."""
    net.initialize()
    net(x)
    for p in net.collect_params().values():
        p.set_data(nd.random.uniform(0.5, 1.5, shape=p.shape))
    return net


def agrees(net: Any, x: Any) -> None:
    expected = net(x).asnumpy()
    net.hybridize(backend="onnxruntime")
    for _ in range(2):
        numpy.testing.assert_allclose(net(x).asnumpy(), expected, rtol=1e-4, atol=1e-5)
    first = next(iter(net.collect_params(".*weight").values()))
    first.set_data(first.data() * 2)
    changed = net(x).asnumpy()
    net.hybridize(False)
    numpy.testing.assert_allclose(changed, net(x).asnumpy(), rtol=1e-4, atol=1e-5)


@needs_onnx
@pytest.mark.parametrize("axes", [1, 2, 3])
@pytest.mark.parametrize("bias", [False, True])
@pytest.mark.parametrize("normalised", [False, True])
def test_a_transposed_convolution_of_single_pixels_is_a_dense_layer(
    axes: int, bias: bool, normalised: bool, given: list[list[str]]
) -> None:
    x = nd.random.normal(shape=(3, 5, *[1] * axes))
    net = nn.HybridSequential()
    net.add(LAYERS[axes](4, [4, 3, 2][:axes], strides=[1, 2, 3][:axes], use_bias=bias))
    if normalised:
        net.add(nn.BatchNorm())
    net.add(nn.Activation("relu"), LAYERS[axes](2, 3, strides=2))
    agrees(filled(net, x), x)
    [found] = given
    assert found.count("FullyConnected") == 1 and found.count("Deconvolution") == 1 and "BatchNorm" not in found


OTHERS = {
    "padded": {"kernel": (3, 3), "pad": (1, 1), "stride": (3, 3), "adj": (2, 2)},  # of the size of its filters
    "padded once": {"kernel": (4, 3), "pad": (0, 1)},
    "longer": {"kernel": (3, 3), "stride": (2, 2), "adj": (1, 0)},
    "dilated": {"kernel": (3, 2), "dilate": (2, 1)},
    "in groups": {"kernel": (3, 3), "num_group": 2},
    "cut": {"kernel": (3, 3), "stride": (2, 2), "target_shape": (2, 3)},
}


@needs_onnx
@pytest.mark.parametrize("name", OTHERS)
def test_other_transposed_convolutions_stay_what_they_are(name: str, given: list[list[str]]) -> None:
    class Net(nn.HybridBlock):
        def __init__(self) -> None:
            super().__init__()
            with self.name_scope():
                filters = 2 // OTHERS[name].get("num_group", 1)
                self.weight = self.params.get("weight", shape=(4, filters, *OTHERS[name]["kernel"]))

        def hybrid_forward(self, F: Any, x: Any, weight: Any) -> Any:
            return F.Deconvolution(x, weight, num_filter=2, **OTHERS[name])

    x = nd.random.normal(shape=(3, 4, 1, 1))
    agrees(filled(Net(), x), x)
    assert given == [["Deconvolution"]]


@needs_onnx
@pytest.mark.parametrize("sizes", [(1, 2), (2, 1), (2, 2)])
def test_images_of_more_pixels_stay_images(sizes: tuple[int, int], given: list[list[str]]) -> None:
    x = nd.random.normal(shape=(3, 4, *sizes))
    agrees(filled(nn.Conv2DTranspose(2, 3), x), x)
    assert given[0][0] == "Deconvolution"


@needs_onnx
def test_what_is_a_result_is_not_taken_in(given: list[list[str]]) -> None:
    class Net(nn.HybridBlock):
        def __init__(self) -> None:
            super().__init__()
            with self.name_scope():
                self.grow, self.norm = nn.Conv2DTranspose(3, 4), nn.BatchNorm()

        def hybrid_forward(self, F: Any, x: Any) -> Any:
            y = self.grow(x)
            return F.concat(y, self.norm(y), dim=1)

    x = nd.random.normal(shape=(2, 5, 1, 1))
    agrees(filled(Net(), x), x)
    assert {"FullyConnected", "BatchNorm"} <= set(given[0])
