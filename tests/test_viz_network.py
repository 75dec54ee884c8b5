"""``viz.plot_network`` and ``viz.print_summary`` say what MXNet's say: compared with what real MXNet 1.9.1 said."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
import viz_cases

import d2lhybrid as mx
from d2lhybrid import sym

TESTS = Path(__file__).parent
GOLDEN = json.loads((TESTS / "golden_data" / "viz" / "network.json").read_text("utf-8"))
with mx.name.NameManager():  # automatic names begin with 0, whatever other tests have made
    CASES = {**viz_cases.nets(mx), "gluon": viz_cases.gluon_net(mx)}


@pytest.fixture(scope="module")
def seen():
    pytest.importorskip("graphviz", reason="plot_network returns an object of that package")
    return {name: viz_cases.observe(mx, *case) for name, case in CASES.items()}


@pytest.mark.parametrize("name", sorted(GOLDEN))
def test_plot_network_draws_what_mxnet_draws(name, seen):
    assert seen[name]["plots"] == GOLDEN[name]["plots"]


@pytest.mark.parametrize("name", sorted(GOLDEN))
def test_print_summary_prints_what_mxnet_prints(name, seen):
    assert seen[name]["summaries"] == GOLDEN[name]["summaries"]


def test_repeated_names_are_warned_of():
    pytest.importorskip("graphviz", reason="plot_network returns an object of that package")
    x = sym.var("x")
    net = sym.relu(sym.relu(x, name="r"), name="r")
    with pytest.warns(RuntimeWarning, match=r"may result in cyclic graph. Repeated names: r$"):
        mx.viz.plot_network(net)


def test_bad_input_is_said():
    pytest.importorskip("graphviz", reason="plot_network returns an object of that package")
    with pytest.raises(TypeError, match=r"^symbol must be a Symbol"):
        mx.viz.plot_network(3)
    with pytest.raises(TypeError, match=r"^symbol must be Symbol"):
        mx.viz.print_summary(3)
    net = sym.FullyConnected(sym.var("a") + sym.var("b"), num_hidden=2)
    with pytest.warns(UserWarning), pytest.raises(ValueError, match=r"^Input shape is incomplete"):
        mx.viz.print_summary(net, {})


def test_graphviz_is_asked_for_by_name(monkeypatch):
    monkeypatch.setitem(sys.modules, "graphviz", None)
    with pytest.raises(ImportError, match=r"^Draw network requires graphviz library") as caught:
        mx.viz.plot_network(sym.var("x"))
    assert "pip install graphviz" in caught.value.__notes__[0]


def test_the_names_of_mxnet():
    assert mx.viz is mx.visualization
    program = (
        "import d2lhybrid; d2lhybrid.as_mxnet(); import mxnet; import mxnet.visualization; from mxnet import viz; "
        "from mxnet.visualization import plot_network, print_summary; assert mxnet.viz is viz is mxnet.visualization"
    )
    subprocess.run([sys.executable, "-c", program], check=True)


@pytest.mark.interop
def test_the_recording_is_what_real_mxnet_says(tmp_path):
    python = os.environ.get("D2LHYBRID_MXNET_PYTHON")
    if not python:
        pytest.skip("real MXNet is not installed: make interop")
    file = tmp_path / "network.json"
    subprocess.run([python, str(TESTS / "viz_cases.py"), str(file)], check=True)
    assert json.loads(file.read_text()) == GOLDEN
