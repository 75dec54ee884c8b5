"""What is passed over for programs of MXNet, after ``as_mxnet()``: with a warning, and for them alone."""

import json
import subprocess
import sys
import warnings

import numpy
import pytest

import d2lhybrid as mx
from d2lhybrid import gluon, nd, sym
from d2lhybrid.gluon import nn
from d2lhybrid.support.old_programs import OldPrograms

PASSED_OVER = "which is passed over, as by MXNet"


@pytest.fixture
def served(monkeypatch):
    monkeypatch.setattr(OldPrograms, "served", True)


def test_the_switch_is_set_by_as_mxnet_alone():
    program = (
        "import warnings; warnings.simplefilter('error')\n"
        "import d2lhybrid\n"
        "from d2lhybrid.support.old_programs import OldPrograms\n"
        "print(OldPrograms.served); d2lhybrid.as_mxnet(); print(OldPrograms.served)"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["False", "True"]


# --- settings of operators without settings ------------------------------------------------------


@pytest.mark.parametrize(
    ("call", "expected"),
    [
        (lambda x: nd.zeros_like(x, dtype="float16"), [0, 0]),
        (lambda x: x.zeros_like(dtype="float16"), [0, 0]),
        (lambda x: nd.broadcast_mul(x, x, axis=-1), [1, 4]),
        (lambda x: nd.broadcast_maximum(x, x, axis=1, foo="bar"), [1, 2]),
        (lambda x: nd.relu(data=x, act_type="tanh"), [1, 2]),
    ],
)
def test_a_setting_that_there_is_not_is_passed_over(served, call, expected):
    x = nd.array([1.0, 2.0])
    with pytest.warns(UserWarning, match=PASSED_OVER) as told:
        y = call(x)
    assert y.dtype == numpy.float32
    assert y.asnumpy().tolist() == expected
    assert [w.filename for w in told] == [__file__]
    OldPrograms.served = False
    with pytest.raises(mx.MXNetError, match="Cannot find argument"):
        call(x)


@pytest.mark.parametrize(
    "call",
    [
        lambda x: nd.Activation(x, act_type="relu", foo=1),
        lambda x: nd.softmax(x, axes=1),
        lambda x: nd.concat(x, x, dim=0, axis=1),
        lambda x: nd.add_n(x, x, axis=1),
    ],
)
def test_operators_with_settings_still_refuse_others(served, call):
    with pytest.raises(mx.MXNetError, match="Cannot find argument"):
        call(nd.ones((2, 2)))


def test_a_graph_keeps_what_is_passed_over_as_mxnet_does(served, tmp_path):
    x, y = sym.var("x"), sym.var("y")
    with pytest.warns(UserWarning, match=PASSED_OVER):
        z = sym.broadcast_mul(x, y, axis=-1, name="z")
    assert z.attr("axis") == "-1" and z.attr_dict()["z"] == {"axis": "-1"}
    node = json.loads(z.tojson())["nodes"][-1]
    assert node["attrs"] == {"axis": "-1"}
    z.save(str(tmp_path / "z.json"))
    OldPrograms.served = False
    again = sym.load(str(tmp_path / "z.json"))  # a file of MXNet's, whoever reads it
    assert again.tojson() == z.tojson()
    run = again.bind(mx.cpu(), {"x": nd.array([2.0]), "y": nd.array([3.0])})
    assert run.forward()[0].asscalar() == 6


@pytest.mark.parametrize("hybridize", [False, True])
def test_a_net_that_gives_settings_there_are_not(served, hybridize):
    net = nn.HybridLambda(lambda F, x: F.broadcast_add(x, F.ones_like(x, dtype="float32"), axis=0))
    if hybridize:
        net.hybridize()
    with pytest.warns(UserWarning, match=PASSED_OVER):
        y = net(nd.array([1.0, 2.0]))
    assert y.asnumpy().tolist() == [2, 3]


# --- blocks in containers ------------------------------------------------------------------------


class Holder(gluon.Block):
    def __init__(self, held):
        super().__init__()
        self.held = held


@pytest.mark.parametrize(
    "held",
    [
        lambda: [nn.Dense(1), nn.Dense(2)],
        lambda: (nn.Dense(1),),
        lambda: {"a": nn.Dense(1)},
        lambda: {"a": [1, {"b": ("c", nn.Dense(1))}]},
    ],
)
def test_a_container_with_blocks_is_told_of(served, held):
    net = Holder(held())
    with pytest.warns(UserWarning, match=r'"Holder.held" is an unregistered container with Blocks') as told:
        net.collect_params()
    assert [w.filename for w in told] == [__file__]
    outer = nn.Sequential()
    outer.add(net)
    with pytest.warns(UserWarning, match="unregistered container"):
        outer.initialize()
    OldPrograms.served = False
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        net.collect_params()


def test_containers_without_forgotten_blocks_are_not_told_of(served):
    layers = [nn.Dense(1, in_units=1), nn.Dense(1, in_units=1)]
    net = nn.HybridSequential()
    net.add(*layers)
    net.known = layers
    net.round = [1, "two"]
    net.round.append(net.round)  # a list in itself
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        net.initialize()
        net.hybridize()
        net(nd.ones((1, 1)))
        net.collect_params()
