"""The lessons' LeNet learns real handwritten digits, imperatively and hybridized alike."""

from __future__ import annotations

from typing import Any

import numpy
import pytest

import d2lhybrid as mx
from d2lhybrid import autograd, gluon, nd
from d2lhybrid.data import load_digits
from d2lhybrid.gluon import nn


class Net(gluon.HybridBlock):
    """The network of the lesson: two convolutions, two dense layers, one matrix product by hand."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        with self.name_scope():
            self.conv1 = nn.Conv2D(6, kernel_size=5)
            self.pool1 = nn.MaxPool2D(pool_size=2)
            self.conv2 = nn.Conv2D(16, kernel_size=5)
            self.pool2 = nn.MaxPool2D(pool_size=2)
            self.fc1 = nn.Dense(120)
            self.fc2 = nn.Dense(84)
            self.fc3_weight = self.params.get("fc3_weight", shape=(10, 84))

    def hybrid_forward(self, F: Any, x: Any, fc3_weight: Any) -> Any:
        x = self.pool1(F.relu(self.conv1(x)))
        x = self.pool2(F.relu(self.conv2(x)))
        x = x.reshape((0, -1))
        x = F.relu(self.fc1(x))
        x = F.relu(self.fc2(x))
        return F.dot(x, fc3_weight, transpose_b=True)


def train(hybrid: bool, epochs: int, dtype: str = "float32", seed: int = 1) -> tuple[list[float], float]:
    """Return the loss of every step, and the accuracy on images that were not trained on."""
    (images, labels), (test_images, test_labels) = load_digits(28)
    mx.random.seed(seed)
    net, loss = Net(), gluon.loss.SoftmaxCrossEntropyLoss()
    net.initialize(mx.init.Xavier())
    net.cast(dtype)
    if hybrid:
        net.hybridize()
        loss.hybridize()
    trainer = gluon.Trainer(net.collect_params(), "adam", {"learning_rate": 0.003, "wd": 1e-3})
    order, losses = numpy.random.default_rng(0), []
    for epoch in range(epochs):
        trainer.set_learning_rate(0.003 * 0.85**epoch)
        shuffled = order.permutation(len(images))
        for start in range(0, len(images) - 63, 64):
            batch = shuffled[start : start + 64]
            shift = tuple(order.integers(-2, 3, 2))  # digits a little to the side are the same digits
            x = nd.array(numpy.roll(images[batch], shift, axis=(2, 3)), dtype=dtype)
            y = nd.array(labels[batch])
            with autograd.record():
                value = loss(net(x), y)
            value.backward()
            trainer.step(64)
            losses.append(float(value.mean().asscalar()))
    predicted = net(nd.array(test_images, dtype=dtype)).argmax(axis=1).asnumpy()
    return losses, float((predicted == test_labels).mean())


@pytest.mark.parametrize("hybrid", [False, True], ids=["imperative", "hybridized"])
def test_lenet_learns_to_read_digits(hybrid: bool) -> None:
    losses, accuracy = train(hybrid, epochs=24)
    assert accuracy > 0.97
    assert losses[-1] < 0.4 < losses[0]


def test_hybridizing_changes_no_loss_of_any_step() -> None:
    # In double precision, so that sums taken in another order stay far below what is compared.
    eager, _ = train(hybrid=False, epochs=3, dtype="float64")
    hybrid, _ = train(hybrid=True, epochs=3, dtype="float64")
    numpy.testing.assert_allclose(hybrid, eager, rtol=1e-7)
