"""LeNet of the lesson on real digits: it learns them, and hybridized it learns the same step by step."""

import numpy
import pytest

import d2lhybrid as mx
from d2lhybrid import autograd, gluon, nd
from d2lhybrid.data import load_digits

from .golden.models import LeNet

(TRAIN_IMAGES, TRAIN_LABELS), (TEST_IMAGES, TEST_LABELS) = load_digits()


def train(hybridized, dtype, epochs, batch_size=50):
    """Return the accuracy on the test images, and the losses of all steps."""
    mx.random.seed(0)
    generator = numpy.random.default_rng(0)
    net = LeNet()
    net.initialize(mx.init.Xavier())
    net.cast(dtype)
    if hybridized:
        net.hybridize()
    loss_function = gluon.loss.SoftmaxCrossEntropyLoss()
    trainer = gluon.Trainer(net.collect_params(), "adam", {"learning_rate": 0.001})
    losses = []
    for epoch in range(epochs):
        if epoch == 15:
            trainer.set_learning_rate(0.0003)
        for batch in numpy.split(generator.permutation(len(TRAIN_IMAGES)), len(TRAIN_IMAGES) // batch_size):
            shift = tuple(generator.integers(-2, 3, 2))  # a digit a little to the side is the same digit
            images = nd.array(numpy.roll(TRAIN_IMAGES[batch], shift, axis=(2, 3)), dtype=dtype)
            labels = nd.array(TRAIN_LABELS[batch])
            with autograd.record():
                loss = loss_function(net(images), labels)
            loss.backward()
            trainer.step(batch_size)
            losses.append(loss.mean().asscalar())
    predicted = net(nd.array(TEST_IMAGES, dtype=dtype)).asnumpy().argmax(axis=1)
    return (predicted == TEST_LABELS).mean(), losses


@pytest.mark.slow
def test_it_learns_the_digits_the_same_way_in_both_modes():
    """In double precision: what rounding does in single precision, steps can amplify."""
    (eager, eager_losses), (hybridized, losses) = train(False, "float64", 20), train(True, "float64", 20)
    numpy.testing.assert_allclose(losses, eager_losses, rtol=1e-6, atol=1e-9)
    assert eager == hybridized > 0.97


def test_the_first_epoch_in_single_precision():
    (eager, eager_losses), (hybridized, losses) = train(False, "float32", 1), train(True, "float32", 1)
    numpy.testing.assert_allclose(losses[:20], eager_losses[:20], rtol=1e-4)
    assert abs(eager - hybridized) < 0.02
    assert losses[-1] < losses[0]


@pytest.mark.slow
@pytest.mark.parametrize("hybridized", [False, True], ids=["imperative", "hybridized"])
def test_it_learns_the_digits_in_single_precision(hybridized):
    accuracy, losses = train(hybridized, "float32", 20)
    assert accuracy > 0.97
    assert losses[-1] < losses[0] / 4
