"""What an operator has written into a variable is what everybody reads who comes afterwards, as line by line."""

from __future__ import annotations

import importlib.util
import shutil
import warnings

import numpy
import pytest

from d2lhybrid import autograd, gluon, init, nd
from d2lhybrid.internals.compiler import onednn

ONNX = all(map(importlib.util.find_spec, ("onnx", "onnxruntime")))
FLAGS = [
    {},
    {"static_alloc": True},
    {"static_alloc": True, "static_shape": True},
    pytest.param({"backend": "c"}, marks=pytest.mark.skipif(not shutil.which("cc"), reason="needs a C compiler")),
    pytest.param({"backend": "onednn"}, marks=pytest.mark.skipif(not onednn.is_available(), reason="needs oneDNN")),
    pytest.param({"backend": "onnxruntime"}, marks=pytest.mark.skipif(not ONNX, reason="needs ONNX Runtime")),
]


class FixedGamma(gluon.HybridBlock):
    """Reads a gamma before it is set to 1, and after."""

    def __init__(self, **settings):
        super().__init__(prefix="net_", **settings)
        for name, value in (("gamma", 5), ("beta", 1), ("mean", 0), ("var", 1)):
            shape, req = (3,), "write" if name in ("gamma", "beta") else "null"
            setattr(self, name, self.params.get(name, shape=shape, init=init.Constant(value), grad_req=req))

    def hybrid_forward(self, F, x, gamma, beta, mean, var):
        before = F.broadcast_mul(x, gamma.reshape((1, 3)))
        y = F.BatchNorm(x, gamma, beta, mean, var, fix_gamma=True)
        after = F.broadcast_mul(y, F.square(gamma + 1).reshape((1, 3)))
        return after, before, gamma, y


def _run(flags, trained):
    net = FixedGamma()
    net.initialize()
    if flags is not None:
        net.hybridize(**flags)
    x = nd.arange(6).reshape((2, 3)) - 2
    x.attach_grad()
    seen = []
    for step in range(3):
        if step == 2:
            net.gamma.set_data(nd.array([2, 3, 4]))
        if trained:
            with autograd.record():
                y = net(x)
                total = sum((a * (i + 1)).sum() for i, a in enumerate(y))
            total.backward()
            seen += [x.grad.copy(), net.gamma.grad().copy(), net.beta.grad().copy()]
        else:
            y = net(x)
        seen += [*(a.copy() for a in y), net.gamma.data().copy()]
    return [a.asnumpy() for a in seen]


@pytest.mark.parametrize("flags", FLAGS, ids=str)
@pytest.mark.parametrize("trained", [False, True], ids=["prediction", "training"])
def test_a_fixed_gamma_is_what_it_was_before_and_1_afterwards(flags, trained):
    expected, found = _run(None, trained), _run(flags, trained)
    first = 3 if trained else 0
    assert expected[first + 1][0, 0] == -2 * 5  # read before
    assert expected[first + 2].tolist() == [1, 1, 1]  # the parameter itself, returned
    for a, b in zip(expected, found, strict=True):
        numpy.testing.assert_allclose(b, a, rtol=1e-5)


def test_a_trainer_that_moves_a_fixed_gamma():
    losses = []
    for hybrid in (False, True):
        net = FixedGamma()
        net.initialize()
        net.hybridize(hybrid)
        trainer = gluon.Trainer(net.collect_params(), "sgd", {"learning_rate": 0.05})
        x = nd.arange(6).reshape((2, 3))
        for _ in range(5):
            with autograd.record():
                loss = net(x)[0].sum()
            loss.backward()
            trainer.step(2)
        losses.append((loss.asscalar(), net.gamma.data().asnumpy()))
    assert losses[0][0] == pytest.approx(losses[1][0])
    numpy.testing.assert_allclose(losses[0][1], losses[1][1], rtol=1e-6)


def test_a_second_derivative_reads_the_same():
    results = []
    for hybrid in (False, True):
        net = FixedGamma()
        net.initialize()
        net.hybridize(hybrid)
        x = nd.arange(6).reshape((2, 3))
        x.attach_grad()
        with autograd.record():
            after, before, *_ = net(x)
            (g,) = autograd.grad((after * after * before).sum(), [x], create_graph=True)
        results.append(g.asnumpy())
    numpy.testing.assert_allclose(results[1], results[0], rtol=1e-5)


def test_two_writers_of_one_state_each_read_what_was_written_last():
    class Moved(gluon.HybridBlock):
        def hybrid_forward(self, F, weight, gradient, momentum):
            first = F.sgd_mom_update(weight, gradient, momentum, lr=0.5, momentum=0.5)
            second = F.sgd_mom_update(first, gradient, momentum, lr=0.5, momentum=0.5)
            return second, momentum * 2

    results = []
    for hybrid in (False, True):
        net = Moved()
        net.hybridize(hybrid)
        weight, gradient, momentum = nd.ones((2,)), nd.array([1, 2]), nd.array([3, 4])
        results.append([a.asnumpy() for a in (*net(weight, gradient, momentum), momentum)])
    for a, b in zip(*results, strict=True):
        numpy.testing.assert_array_equal(a, b)


def test_a_file_keeps_the_sequence(tmp_path):
    net = FixedGamma()
    net.initialize()
    net.hybridize()
    x = nd.arange(6).reshape((2, 3))
    net(x)
    net.export(str(tmp_path / "net"))
    with warnings.catch_warnings(action="ignore"):  # the type of the data is in no such file
        loaded = gluon.SymbolBlock.imports(f"{tmp_path}/net-symbol.json", ["data"], f"{tmp_path}/net-0000.params")
    net.hybridize(False)
    for block in (net, loaded):
        block.collect_params()["net_gamma"].set_data(nd.array([5, 6, 7]))
    for a, b in zip(net(x), loaded(x), strict=True):
        numpy.testing.assert_array_equal(a.asnumpy(), b.asnumpy())


def test_who_reads_no_state_again_has_the_graph_of_before():
    net = gluon.nn.HybridSequential()
    net.add(gluon.nn.BatchNorm(scale=False), gluon.nn.Activation("relu"))
    net.initialize()
    net.hybridize()
    net(nd.ones((2, 3)))
    assert not any("written" in node.name for node in net.programs[0].stages[0].graph.nodes)
