"""Losses with a gradient of their own go back even where only ``BlockGrad`` and the like are behind them, as in MXNet.

The numbers are those of MXNet 1.9.1 for the same programs.
"""

import numpy
import pytest

import d2lhybrid as mx
from d2lhybrid import autograd, gluon, nd
from d2lhybrid.internals.support import events

LOGITS = [[1, 1, 1], [3, 2, 2]]
LABELS = [1, 0]
#: Probabilities less the one-hot labels.
GRADIENT = [[0.33333334, -0.6666666, 0.33333334], [-0.42388308, 0.21194157, 0.21194157]]

BLOCKING = {
    "BlockGrad": lambda F, y: F.BlockGrad(y),
    "argmax": lambda F, y: F.argmax(y, axis=1),
    "comparison": lambda F, y: y > 0.3,
    "floor": lambda F, y: F.floor(y),
    "ones_like": lambda F, y: F.ones_like(y),
}


def logits():
    x = nd.array(LOGITS)
    x.attach_grad()
    x.grad[:] = 9
    return x


class Metric(gluon.HybridBlock):
    """The cross-entropy of a prediction that has its own gradient, as libraries of translation write it."""

    def __init__(self, blocking, **settings):
        super().__init__()
        self._blocking, self._settings = blocking, settings

    def hybrid_forward(self, F, x, labels):
        return F.sum(self._blocking(F, F.SoftmaxOutput(x, labels, **self._settings)))


@pytest.mark.parametrize("hybridize", [False, True])
@pytest.mark.parametrize("name", BLOCKING)
def test_a_loss_before_an_operator_without_gradient_goes_back(name, hybridize):
    net, x = Metric(BLOCKING[name]), logits()
    net.hybridize(hybridize)
    with autograd.record():
        loss = net(x, nd.array(LABELS))
    loss.backward()
    numpy.testing.assert_allclose(x.grad.asnumpy(), GRADIENT, rtol=1e-5)


class PlusOne(autograd.Function):
    """A function whose gradient is not zero where zeros arrive."""

    def forward(self, x):
        return x * 2

    def backward(self, dy):
        return dy + 1


class WithFunction(gluon.HybridBlock):
    """A normalization, a function of the user, and an operator without a gradient."""

    def __init__(self, blocking):
        super().__init__()
        self._blocking, self.norm = blocking, gluon.nn.BatchNorm(in_channels=3)

    def hybrid_forward(self, F, x):
        return self._blocking(F, PlusOne()(self.norm(x * 3) + x))


@pytest.mark.parametrize("hybridize", [False, True])
@pytest.mark.parametrize("name", BLOCKING)
def test_a_function_before_an_operator_without_gradient_runs_backward(name, hybridize):
    net, x = WithFunction(BLOCKING[name]), logits()
    net.initialize()
    net.hybridize(hybridize)
    with autograd.record():
        y = net(x)
    y.backward()
    numpy.testing.assert_allclose(x.grad.asnumpy(), numpy.ones((2, 3)), atol=1e-4)  # of sums of ones, a norm has none
    numpy.testing.assert_allclose(net.norm.running_mean.data().asnumpy(), [0.6, 0.45, 0.45], rtol=1e-5)


@pytest.mark.parametrize("hybridize", [False, True])
def test_a_loss_that_multiplies_what_arrives_gets_zeros(hybridize):
    net, x = Metric(BLOCKING["BlockGrad"], out_grad=True), logits()
    net.hybridize(hybridize)
    with autograd.record():
        loss = net(x, nd.array(LABELS))
    loss.backward()
    assert x.grad.asnumpy().tolist() == numpy.zeros((2, 3)).tolist()


@pytest.mark.parametrize("hybridize", [False, True])
def test_a_hybridized_loss_goes_back_where_its_caller_blocks(hybridize):
    class Prediction(gluon.HybridBlock):
        def hybrid_forward(self, F, x, labels):
            return F.SoftmaxOutput(x, labels)

    net, x = Prediction(), logits()
    net.hybridize(hybridize)
    with autograd.record():
        loss = nd.sum(nd.BlockGrad(net(x, nd.array(LABELS)))) + nd.sum(x)
    loss.backward()
    numpy.testing.assert_allclose(x.grad.asnumpy(), numpy.array(GRADIENT) + 1, rtol=1e-5)


def test_losses_far_before_the_blocking_operator_go_back():
    x = nd.array([1.0, 2.0])
    x.attach_grad()
    with autograd.record():
        loss = nd.sum(nd.BlockGrad(nd.relu(nd.MakeLoss(x * 3)) + 1))
    loss.backward()
    assert x.grad.asnumpy().tolist() == [3, 3]
    with autograd.record():
        loss = nd.sum(nd.BlockGrad(nd.LinearRegressionOutput(x, nd.zeros(2))))
    loss.backward()
    assert x.grad.asnumpy().tolist() == [1, 2]


def test_the_gradient_of_a_function_is_added_where_the_variable_adds():
    """MXNet leaves the array as it was."""

    class Twice(autograd.Function):
        def forward(self, a):
            return a * 2

        def backward(self, dy):
            return dy * 2

    x = nd.array([1.0, 2.0])
    x.attach_grad("add")
    x.grad[:] = 5
    for _ in range(2):
        with autograd.record():
            y = Twice()(x)
        y.backward()
    assert x.grad.asnumpy().tolist() == [9, 9]


def test_gradients_of_gradients_meet_the_loss_too():
    x = logits()
    with autograd.record():
        loss = nd.sum(nd.BlockGrad(nd.SoftmaxOutput(x, nd.array(LABELS)))) + nd.sum(x**2)
        [gradient] = autograd.grad(loss, [x], create_graph=True)
    numpy.testing.assert_allclose(gradient.asnumpy(), numpy.array(GRADIENT) + 2 * numpy.array(LOGITS), rtol=1e-5)


def test_a_detached_prediction_is_in_no_graph():
    x = logits()
    with autograd.record():
        loss = nd.sum(nd.SoftmaxOutput(x, nd.array(LABELS)).detach()) + nd.sum(x)
    loss.backward()
    assert x.grad.asnumpy().tolist() == numpy.ones((2, 3)).tolist()


@pytest.mark.parametrize("head", [None, nd.ones(1)])
def test_an_executor_goes_back_to_a_loss_behind_a_block(head):
    prediction = mx.sym.SoftmaxOutput(mx.sym.var("x"), mx.sym.var("labels"))
    executor = mx.sym.sum(mx.sym.BlockGrad(prediction)).simple_bind(
        mx.cpu(), x=(2, 3), labels=(2,), grad_req={"x": "write", "labels": "null"}
    )
    executor.arg_dict["x"][:] = nd.array(LOGITS)
    executor.arg_dict["labels"][:] = nd.array(LABELS)
    executor.forward(is_train=True)
    executor.backward(head)
    numpy.testing.assert_allclose(executor.grad_dict["x"].asnumpy(), GRADIENT, rtol=1e-5)


def test_where_no_loss_is_nothing_is_handed_on():
    calls = []
    x = nd.array([1.0, 2.0])
    x.attach_grad()
    with autograd.record():
        y = nd.relu(x * 2)
        loss = nd.sum(nd.BlockGrad(y))
    with events.listening(gradient_ended=lambda op, params: calls.append(op.name)):
        loss.backward()
    assert calls and "relu" not in calls and x.grad.asnumpy().tolist() == [0, 0]
