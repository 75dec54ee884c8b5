"""Row-sparse gradients on a GPU hold the rows that were looked up, and updates change these, as on a CPU."""

from __future__ import annotations

from typing import Any

import numpy
import pytest

import d2lhybrid as mx
from d2lhybrid import autograd, gluon, nd
from d2lhybrid.internals.device import array_modules
from d2lhybrid.optimizer import fused

pytestmark = pytest.mark.usefixtures("gpu")

OPTIMIZERS = [
    ("adam", {"learning_rate": 0.1, "wd": 0.1}),
    ("sgd", {"learning_rate": 0.1, "momentum": 0.9, "wd": 0.1}),
    ("lars", {"learning_rate": 0.1, "momentum": 0.9, "wd": 0.1}),
    ("adagrad", {"learning_rate": 0.1}),
]


class Masked(gluon.HybridBlock):
    """An embedding, some of whose results are masked, and a layer with a dense gradient."""

    def __init__(self) -> None:
        super().__init__()
        with self.name_scope():
            self.table = gluon.nn.Embedding(7, 4, sparse_grad=True)
            self.out = gluon.nn.Dense(3, flatten=False, in_units=4)

    def hybrid_forward(self, F: Any, x: Any, mask: Any) -> Any:
        return self.out(F.broadcast_mul(self.table(F.floor(x / 2)), F.expand_dims(mask, axis=-1)))


def trained(contexts: list[Any], name: str, settings: Any, **form: Any) -> tuple[list[int], list[Any]]:
    """Train a net; return the rows of the last gradient, and the weights."""
    net = Masked()
    net.initialize(mx.init.One(), ctx=contexts)
    if form:
        net.hybridize(**form)
    trainer = gluon.Trainer(net.collect_params(), name, settings)
    for step in range(3):
        losses = []
        with autograd.record():
            for number, ctx in enumerate(contexts):
                x = nd.array([[0, 3, 8], [5, 8, 12 - 2 * number]], ctx=ctx)
                mask = nd.array([[1, 1, 0], [1, 0, 0]] if step else [[1, 1, 1], [1, 1, 1]], ctx=ctx)
                losses.append((net(x, mask) ** 2).sum())
        for loss in losses:
            loss.backward()
        trainer.step(4)
    gradient: Any = net.table.weight.grad(contexts[0])
    weights = [p.data(contexts[-1]).asnumpy() for p in net.collect_params().values()]
    return gradient.indices.asnumpy().tolist(), weights


@pytest.mark.parametrize("form", [{}, {"static_alloc": False}, {"static_alloc": True, "static_shape": True}], ids=str)
@pytest.mark.parametrize(("name", "settings"), OPTIMIZERS, ids=[name for name, _ in OPTIMIZERS])
def test_rows_and_updates_are_those_of_a_cpu(name: str, settings: Any, form: dict[str, Any]) -> None:
    rows, weights = trained([mx.gpu(0)], name, settings, **form)
    expected_rows, expected = trained([mx.cpu()], name, settings)
    assert rows == expected_rows == [0, 1, 2, 4, 6]
    for one, other in zip(weights, expected, strict=True):
        numpy.testing.assert_allclose(one, other, rtol=1e-4, atol=1e-5)


def test_several_devices_add_up_the_rows_of_all(gpu: Any) -> None:
    if not gpu and array_modules.num_gpus() < 2:
        pytest.skip("this machine has one GPU")
    rows, weights = trained([mx.gpu(0), mx.gpu(1)], *OPTIMIZERS[0])
    expected_rows, expected = trained([mx.cpu(0), mx.cpu(1)], *OPTIMIZERS[0])
    assert rows == expected_rows == [0, 1, 2, 4, 5, 6]
    for one, other in zip(weights, expected, strict=True):
        numpy.testing.assert_allclose(one, other, rtol=1e-4, atol=1e-5)


def test_weights_with_dense_gradients_are_updated_together_all_the_same(monkeypatch: Any) -> None:
    launches: list[int] = []
    launch = fused.Launcher.launch

    def noticed(self: Any, *arguments: Any) -> None:
        launches.append(len(self.waiting))
        launch(self, *arguments)

    monkeypatch.setattr(fused.Launcher, "launch", noticed)
    trained([mx.gpu(0)], *OPTIMIZERS[0])
    assert launches == [2, 2, 2]


def test_an_operator_updates_the_rows_of_a_gradient() -> None:
    weight, mean, var = (nd.ones((4, 2), ctx=mx.gpu()) for _ in range(3))
    gradient = nd.sparse.row_sparse_array(([[1, 2], [0, 0]], [1, 3]), shape=(4, 2), ctx=mx.gpu())
    nd.adam_update(weight, gradient, mean, var, lr=0.1, out=weight)
    assert (weight.asnumpy() != 1).any(axis=1).tolist() == [False, True, False, True]
    assert (mean.asnumpy() != 1).any(axis=1).tolist() == [False, True, False, True]
    kept = nd.sparse.retain(gradient, nd.array([3, 0], ctx=mx.gpu()))
    assert kept.indices.asnumpy().tolist() == [3, 0] and (gradient / 0).indices.asnumpy().tolist() == [1, 3]
    assert not numpy.isnan((gradient / 0).asnumpy()[[0, 2]]).any()
