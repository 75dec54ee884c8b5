"""``net.save`` and ``net.load``: names, graphs and values, for a net that is made by the same program."""

import json
from pathlib import Path

import numpy as np
import pytest

import d2lhybrid as mx
from d2lhybrid import gluon, nd
from d2lhybrid.gluon import nn

X, Y = nd.array([[1.0, 2, 3, 4, 5]]), nd.array([[0.1, 0.2, 0.3]])


class Net(gluon.HybridBlock):
    def __init__(self, **kwargs):
        super().__init__(**kwargs)
        self.traced = 0
        with self.name_scope():
            self.body = nn.HybridSequential()
            self.body.add(nn.Dense(4, activation="relu"), nn.BatchNorm(), nn.Dense(3))
            self.out = nn.Dense(2)

    def hybrid_forward(self, F, x, y):
        self.traced += F is not nd
        return self.out(self.body(x) + y), [x]


class Imperative(nn.Block):
    def __init__(self, **kwargs):
        super().__init__(**kwargs)
        with self.name_scope():
            self.net, self.same = Net(), nn.Dense(2)

    def forward(self, x, y):
        return self.same(self.net(x, y)[0])


def saved(make, folder, hybridized=True):
    net = make()
    net.initialize(mx.init.Uniform(1))
    if hybridized:
        net.hybridize()
    result = flat(net(X, Y))
    net.save(str(folder / "net"))
    return net, result


def flat(y):
    return [a for part in y for a in flat(part)] if isinstance(y, list | tuple) else [y.asnumpy()]


@pytest.mark.parametrize("hybridized", [True, False])
@pytest.mark.parametrize("make", [Net, Imperative, lambda: Net(prefix="")], ids=["hybrid", "imperative", "no prefix"])
def test_a_net_of_other_names_becomes_the_one_that_was_saved(make, hybridized, tmp_path):
    net, expected = saved(make, tmp_path, hybridized)
    make()
    again = make()
    again.load(str(tmp_path / "net"))
    for found, right in zip(flat(again(X, Y)), expected, strict=True):
        np.testing.assert_allclose(found, right, rtol=1e-6)
    assert again.name == net.name and list(again.collect_params()) == list(net.collect_params())
    assert [p.name for p in again.collect_params().values()] == list(net.collect_params())
    again.hybridize()
    for found, right in zip(flat(again(X, Y)), expected, strict=True):
        np.testing.assert_allclose(found, right, rtol=1e-5)
    again.save_parameters(str(tmp_path / "again"))


def test_the_graph_is_run_without_a_trace(tmp_path):
    saved(Net, tmp_path)
    again = Net()
    again.load(str(tmp_path / "net"))
    again(X, Y)
    assert again.traced == 0 and again._active
    again.hybridize()
    again(X, Y)
    assert again.traced == 1


@pytest.mark.parametrize("hybridized", [True, False])
def test_a_block_may_stand_twice_in_a_net(hybridized, tmp_path):
    def make():
        net, twice = nn.HybridSequential(), nn.Dense(5, activation="tanh")
        net.add(twice, twice, nn.Dense(2))
        return net

    net = make()
    net.initialize(mx.init.Uniform(1))
    net.hybridize(hybridized)
    expected = net(X).asnumpy()
    net.save(str(tmp_path / "net"))
    again = make()
    again.load(str(tmp_path / "net"))
    np.testing.assert_allclose(again(X).asnumpy(), expected, rtol=1e-6)
    assert list(again.collect_params()) == list(net.collect_params())


@pytest.mark.filterwarnings("ignore:Cannot decide type")
def test_a_child_that_is_a_graph_keeps_it(tmp_path):
    def make():
        data = mx.sym.var("data")
        net = nn.HybridSequential()
        net.add(gluon.SymbolBlock(mx.sym.FullyConnected(data, num_hidden=3, name="fc"), data), nn.Dense(2))
        return net

    net = make()
    net.initialize(mx.init.Uniform(1))
    expected = net(X).asnumpy()
    net.save(str(tmp_path / "net"))
    again = make()
    again.load(str(tmp_path / "net"))
    np.testing.assert_allclose(again(X).asnumpy(), expected, rtol=1e-6)


def test_arrays_of_numpys_flavour(tmp_path):
    with mx.util.np_shape(), mx.util.np_array():
        net = nn.Dense(3)
        net.initialize()
        net.hybridize()
        x = mx.np.ones((2, 4))
        expected = net(x)
        net.save(str(tmp_path / "net"))
        again = nn.Dense(3)
        again.load(str(tmp_path / "net"))
        found = again(x)
        assert isinstance(found, mx.np.ndarray) and (found == expected).all()


def damaged():
    yield lambda text: text[: len(text) // 2]
    yield lambda text: "[]"
    yield lambda text: text.replace("body", "other")
    yield lambda text: text.replace('"orig_name"', '"name"')
    yield lambda text: text.replace("Activation", "Nonsense")
    yield lambda text: "[" * 100_000
    yield lambda text: text.replace('"in_format": [0', '"in_format": ["x"')


@pytest.mark.parametrize("how", range(7))
def test_a_file_that_does_not_fit_changes_nothing(how, tmp_path):
    saved(Net, tmp_path)
    path = tmp_path / "net-model.json"
    path.write_text(list(damaged())[how](path.read_text("utf-8")), "utf-8")
    other = Net()
    other.initialize()
    names, before = list(other.collect_params()), flat(other(X, Y))
    with pytest.raises(mx.MXNetError):
        other.load(str(tmp_path / "net"))
    assert list(other.collect_params()) == names
    for found, right in zip(flat(other(X, Y)), before, strict=True):
        np.testing.assert_array_equal(found, right)


def test_what_is_missing_is_named(tmp_path):
    with pytest.raises(mx.MXNetError, match=r"nowhere-model\.json"):
        Net().load(str(tmp_path / "nowhere"))
    saved(Net, tmp_path)
    with pytest.raises(mx.MXNetError, match="does not match this net, or was not written by save"):
        Imperative().load(str(tmp_path / "net"))


def test_the_file_is_mxnets(tmp_path: Path) -> None:
    net, _ = saved(Net, tmp_path)
    (key, entry), *more = json.loads((tmp_path / "net-model.json").read_text("utf-8")).items()
    assert not more and key == "net0" and entry["orig_name"] == net.name and entry["hybridized"]
    assert entry["in_format"] == [0, 0] and entry["out_format"] == [0, [0]] and len(entry["inputs"]) == 2
    assert entry["children"] == {net.body.name: "body", net.out.name: "out"}
    assert [k for k, v in entry.items() if isinstance(v, dict)] == [
        "children",
        "hybridsequential1",
        "dense6",
    ]  # 3 is the activation of the first


def test_weights_that_were_saved_without_numpy_semantics_are_loaded_with_them(tmp_path):
    # Those of every model zoo are: the book loads them after `npx.set_np()`.
    def make():
        net = nn.HybridSequential()
        net.add(nn.Dense(2, in_units=3), nn.BatchNorm())
        return net

    net = make()
    net.initialize()
    net(nd.ones((1, 3)))
    net.save_parameters(str(tmp_path / "old"))
    nd.save(str(tmp_path / "part"), {"0.weight": nd.array([[1, 2, 3], [4, 5, 6]])})
    mx.npx.set_np()
    try:
        again = make()
        again.load_parameters(str(tmp_path / "old"))
        assert type(again[0].weight.data()) is mx.np.ndarray
        np.testing.assert_array_equal(again[0].weight.data().asnumpy(), net[0].weight.data().asnumpy())
        again.load_parameters(str(tmp_path / "part"), allow_missing=True)
        assert again[0].weight.data().asnumpy()[1, 2] == 6
        again.save_parameters(str(tmp_path / "new"))
        for load in (nd.load, mx.npx.load, again.collect_params().load):
            with pytest.raises(mx.MXNetError, match="was not saved in np shape semantics"):
                load(str(tmp_path / "old"))
    finally:
        mx.npx.reset_np()
    with pytest.raises(mx.MXNetError, match="was saved in np shape semantics"):
        make().load_parameters(str(tmp_path / "new"))
