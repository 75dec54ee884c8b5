"""A program that says all its types, read by a type checker that lets nothing pass."""
# pyright: strict

from collections.abc import Iterable
from typing import Any, assert_type

import d2lhybrid as mx
from d2lhybrid import autograd, gluon, init, metric, nd
from d2lhybrid.gluon import nn
from d2lhybrid.ndarray import NDArray
from d2lhybrid.typing import FunctionSpace, Tensor


class MLP(nn.HybridBlock):
    """A net of two layers."""

    def __init__(self, units: int, classes: int, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        with self.name_scope():
            self.hidden = nn.Dense(units)
            self.norm = nn.BatchNorm()
            self.output = nn.Dense(classes)

    def hybrid_forward(self, F: FunctionSpace, x: Tensor) -> Tensor:
        x = F.relu(self.norm(self.hidden(x)))
        return self.output(F.Dropout(x, p=0.5))


class Attention(nn.HybridBlock):
    """Several inputs, one of which may be left out, and two outputs."""

    def hybrid_forward(
        self, F: FunctionSpace, query: Tensor, key: Tensor, value: Tensor, mask: Tensor | None = None
    ) -> tuple[Tensor, Tensor]:
        scores = F.batch_dot(query, key, transpose_b=True) / 8
        if mask is not None:
            scores = F.where(mask, scores, F.ones_like(scores) * -1e9)
        weights = F.softmax(scores, axis=-1)
        return F.batch_dot(weights, value), weights


class Scale(gluon.Block):
    """A block that is not hybrid, with a parameter of its own."""

    def __init__(self, size: int) -> None:
        super().__init__()
        self.scale = self.params.get("scale", shape=(size,), init=init.One())

    def forward(self, x: NDArray) -> NDArray:
        return x * self.scale.data()


def accuracy(net: MLP, batches: Iterable[list[NDArray]]) -> float:
    """Return the share of right answers."""
    measure = metric.Accuracy()
    for images, labels in batches:
        measure.update([labels], [net(images)])
    return measure.get()[1]


def train(epochs: int) -> MLP:
    """Train, with all that belongs to it."""
    features, labels = nd.random.normal(shape=(100, 8)), nd.zeros((100,))
    data = gluon.data.DataLoader(gluon.data.ArrayDataset(features, labels), batch_size=10, shuffle=True)
    net = MLP(16, 2)
    net.initialize(init.Xavier(), ctx=mx.cpu())
    net.hybridize(static_alloc=True)
    loss_function = gluon.loss.SoftmaxCrossEntropyLoss()
    trainer = gluon.Trainer(net.collect_params(), "adam", {"learning_rate": 1e-3})
    for _ in range(epochs):
        total = 0.0
        for x, y in data:
            assert_type(x, NDArray)
            with autograd.record():
                loss = loss_function(net(x), y)
            assert_type(loss, NDArray)
            loss.backward()
            trainer.step(x.shape[0])
            total += float(loss.mean().asscalar())
        trainer.set_learning_rate(trainer.learning_rate * 0.9)
        print(total, accuracy(net, data))
    for name, parameter in net.collect_params().items():
        print(name, parameter.shape, parameter.data().asnumpy().mean(), parameter.grad().norm().asscalar())
    return net


x = nd.ones((2, 3, 4))
assert_type(Attention()(x, x, x), tuple[NDArray, NDArray])
assert_type(Scale(3)(x), NDArray)
assert_type(autograd.grad(x.sum(), x), NDArray)
assert_type(autograd.grad(x.sum(), [x]), list[NDArray])
print(train(2).hidden.weight.data(), [(type(batch), batch.shape) for batch in gluon.data.DataLoader(x, 1)])
