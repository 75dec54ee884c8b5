"""The model zoo: the graphs of real MXNet, node for node; forward passes; missing files."""

import hashlib
import json
from pathlib import Path

import pytest
from exact_messages import raises

from d2lhybrid import autograd, gluon, nd, sym
from d2lhybrid.error import MXNetError
from d2lhybrid.gluon.model_zoo import vision

#: For each network, hashes of what real MXNet makes: graph, text, names of parameters.
GOLDEN = json.loads((Path(__file__).parent / "golden_data" / "gluon" / "model_zoo.json").read_text(encoding="utf-8"))


def digest(text):
    return hashlib.sha256(text.encode()).hexdigest()[:16]


@pytest.mark.parametrize("name", GOLDEN)
def test_same_graph_as_mxnet(name):
    net = vision.get_model(name, prefix="net_")
    graph = json.loads(net(sym.var("data")).tojson())
    nodes = [
        [n["op"], n["name"], sorted(n.get("attrs", {}).items()), [i[:2] for i in n["inputs"]]] for n in graph["nodes"]
    ]
    names = [list(net.collect_params().keys()), list(net._collect_params_with_prefix().keys())]
    assert {
        "graph": digest(json.dumps(nodes)),
        "nodes": len(nodes),
        "repr": digest(repr(net)),
        "params": digest(json.dumps(names)),
    } == GOLDEN[name]


@pytest.mark.parametrize(
    ("module", "name", "arguments", "shape", "second"),
    [  # shapes and names of MXNet 1.9.1
        ("densenet", "_make_dense_block", (2, 4, 8, 0.5, 1), (1, 19, 8, 8), "stage1_batchnorm0_beta"),
        ("densenet", "_make_dense_layer", (8, 4, 0), (1, 11, 8, 8), None),
        ("densenet", "_make_transition", (6,), (1, 6, 4, 4), None),
        ("squeezenet", "_make_fire", (3, 4, 5), (1, 9, 8, 8), None),
        ("squeezenet", "_make_fire_conv", (4, 3, 1), (1, 4, 8, 8), None),
    ],
)
def test_parts_of_networks_have_mxnets_names(module, name, arguments, shape, second):
    part = getattr(getattr(vision, module), name)(*arguments)
    part.initialize()
    assert part(nd.ones((1, 3, 8, 8))).shape == shape
    assert second in (None, list(part.collect_params())[1])


def test_every_network_has_a_function():
    assert set(vision._MODELS) == set(GOLDEN)
    functions = [n for n in vision.__all__ if n[0].islower() and not n.startswith("get_")]
    assert len(functions) == len(GOLDEN)


@pytest.mark.parametrize(
    ("make", "size"),
    [
        (lambda: vision.ResNetV1(vision.BasicBlockV1, [1, 1], [8, 8, 16], 10, thumbnail=True), 8),
        (lambda: vision.ResNetV1(vision.BottleneckV1, [1, 1], [8, 8, 16], 10), 32),
        (lambda: vision.ResNetV2(vision.BasicBlockV2, [1, 1], [8, 8, 16], 10), 32),
        (lambda: vision.ResNetV2(vision.BottleneckV2, [1, 1], [8, 8, 16], 10, thumbnail=True), 8),
        (lambda: vision.mobilenet0_25(classes=10), 32),
        (lambda: vision.mobilenet_v2_0_25(classes=10), 32),
        (lambda: vision.DenseNet(8, 4, [2, 2], classes=10), 56),
        (lambda: vision.VGG([1, 1], [4, 8], classes=10, batch_norm=True), 16),
    ],
    ids=[
        "resnet_v1",
        "bottleneck_v1",
        "resnet_v2",
        "bottleneck_v2",
        "mobilenet",
        "mobilenet_v2",
        "densenet",
        "vgg",
    ],
)
def test_trains(make, size):
    net = make()
    net.initialize()
    x = nd.random.normal(shape=(2, 3, size, size))
    eager = net(x).asnumpy()
    net.hybridize()
    compiled = net(x).asnumpy()
    assert eager.shape == compiled.shape == (2, 10)
    assert abs(eager - compiled).max() < 1e-4 * abs(eager).max() + 1e-6
    trainer = gluon.Trainer(net.collect_params(), "sgd")
    with autograd.record():
        loss = gluon.loss.SoftmaxCrossEntropyLoss()(net(x), nd.array([0, 1]))
    loss.backward()
    trainer.step(2)


@pytest.mark.parametrize(("make", "size"), [(vision.squeezenet1_1, 224)], ids=["squeezenet"])
def test_large_images(make, size):
    net = make(classes=5)
    net.initialize()
    assert net(nd.zeros((1, 3, size, size))).shape == (1, 5)


def test_pretrained_parameters(tmp_path):
    with raises(MXNetError, f"Pretrained parameters of resnet18_v1 are not in {tmp_path}") as caught:
        vision.resnet18_v1(pretrained=True, root=str(tmp_path))
    assert "does not download models" in caught.value.__notes__[0]
    net = vision.get_mobilenet(0.25, classes=3)
    net.initialize()
    net(nd.zeros((1, 3, 32, 32)))
    net.save_parameters(str(tmp_path / "mobilenet0.25-0123abcd.params"))
    loaded = vision.get_model("mobilenet0.25", classes=3, pretrained=True, root=str(tmp_path))
    assert (loaded.output.weight.data().asnumpy() == net.output.weight.data().asnumpy()).all()


def test_messages():
    with pytest.raises(ValueError, match=r"Model foo is not supported. Available options are\n\talexnet\n"):
        vision.get_model("foo")
    with raises(AssertionError, "Invalid resnet version: 3. Options are 1 and 2."):
        vision.get_resnet(3, 18)
    with raises(AssertionError, "Invalid number of layers: 19. Options are dict_keys([18, 34, 50, 101, 152])"):
        vision.get_resnet(1, 19)
    with raises(AssertionError, "Unsupported SqueezeNet version 2.0:1.0 or 1.1 expected"):
        vision.SqueezeNet("2.0")
