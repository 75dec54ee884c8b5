"""Gradients with less variance: ``mx.contrib.svrg_optimization``."""

from __future__ import annotations

import numpy
import pytest

import d2lhybrid as mx
from d2lhybrid import nd, sym
from d2lhybrid.contrib.svrg_optimization.svrg_module import SVRGModule
from d2lhybrid.contrib.svrg_optimization.svrg_optimizer import _SVRGOptimizer


def _line(devices: int = 1, freq: int = 2, batch: int = 6) -> tuple[SVRGModule, mx.io.NDArrayIter]:
    generator = numpy.random.default_rng(0)
    x = generator.normal(size=(16, 2)).astype("float32")
    data = mx.io.NDArrayIter(x, x @ numpy.array([1, -2], "float32"), batch, label_name="out_label")
    # A name with "full" in it, which does not end so.
    net = sym.LinearRegressionOutput(
        sym.FullyConnected(sym.var("data"), num_hidden=1, name="fullyconnected"), name="out"
    )
    context = [mx.cpu(i) for i in range(devices)]
    return SVRGModule(net, label_names=["out_label"], context=context, update_freq=freq), data


@pytest.mark.parametrize("devices", [1, 2])
def test_the_mean_of_the_gradients_is_that_of_all_data(devices):
    module, data = _line(devices)
    module.bind(data.provide_data, data.provide_label)
    module.init_params(mx.init.One())
    module.init_optimizer(optimizer_params={"learning_rate": 0.1})
    for _ in range(2):  # a second time it begins anew
        module.update_full_grads(data)
    batches = [(b.data[0].asnumpy(), b.label[0].asnumpy()) for b in data] or []
    assert not batches  # it is at its end
    data.reset()
    batches = [(b.data[0].asnumpy(), b.label[0].asnumpy()) for b in data]
    assert [len(x) for x, _ in batches] == [6, 6, 6]  # the last one is filled up
    sums = [((x.sum(axis=1) - y)[:, None] * x).sum(axis=0) for x, y in batches]
    expected = sum(sums) / (3 - 2 / 6) / devices
    for of_device in module._param_dict:
        numpy.testing.assert_allclose(of_device["fullyconnected_weight"].asnumpy()[0], expected, rtol=1e-5)


def test_the_rule_takes_from_a_gradient_what_the_kept_parameters_have():
    module, _ = _line()
    found = module._svrg_grads_update_rule([nd.array([5.0])], [nd.array([3.0])], [nd.array([10.0])])
    assert found[0].asscalar() == 12


@pytest.mark.parametrize("devices", [1, 2])
def test_a_line_is_found(devices):
    module, data = _line(devices, batch=8)
    module.fit(data, eval_metric="mse", optimizer="adam", optimizer_params={"learning_rate": 0.1}, num_epoch=60)
    weight = module.get_params()[0]["fullyconnected_weight"].asnumpy()
    numpy.testing.assert_allclose(weight, [[1, -2]], atol=0.02)


@pytest.mark.parametrize(("freq", "error"), [(0, ValueError), (-1, ValueError), (1.5, TypeError), (None, TypeError)])
def test_how_often_is_a_positive_integer(freq, error):
    with pytest.raises(error, match="update_freq in SVRGModule must be"):
        _line(freq=freq)


def test_the_optimizer_writes_gradients_of_all_data_as_they_are():
    optimizer = _SVRGOptimizer("sgd", learning_rate=0.5, param_idx2name={0: "w", 1: "w_full"})
    weights = nd.array([1.0]), nd.array([1.0])
    for index, weight in enumerate(weights):
        optimizer.update(index, weight, nd.array([4.0]), optimizer.create_state(index, weight))
    assert [w.asscalar() for w in weights] == [-1, 4]
