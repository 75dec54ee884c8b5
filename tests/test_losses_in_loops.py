"""Losses with a gradient of their own, in bodies of loops and branches and before them, go back as in an eager call.

The numbers are those of MXNet 1.9.1 for the same eager programs. Most of these programs are errors in hybridized MXNet,
or their gradients come from memory that was not written.
"""

import numpy
import pytest

from d2lhybrid import autograd, gluon, nd

PROGRAMS = {}


def program(a, b):
    """Register a program with the gradients of its inputs, of shapes (2, 3) and (3,)."""

    def add(f):
        PROGRAMS[f.__name__] = (f, a, b)
        return f

    return add


def twice(i, s):
    return i < 2


@program([[0, 0, 0], [0, 0, 0]], [4, 4, 4])
def row_unused(F, a, b):
    return F.contrib.foreach(lambda row, s: (row * 3, s * 2), F.make_loss(a), b)[1]


@program([[2, 2, 2], [2, 2, 2]], [0, 0, 0])
def state_unused(F, a, b):
    return F.contrib.foreach(lambda row, s: ([s * 4, row * 2], s * 3), a, F.make_loss(b))[0][1]


@program([[0, 0, 0], [0, 0, 0]], [20, 20, 20])
def free_variable_unused(F, a, b):
    loss = F.make_loss(b)
    return F.contrib.foreach(lambda row, s: (row * loss, s * 2), a, b * 5)[1]


@program([[1, 1, 1], [1, 1, 1]], [3, 3, 3])
def row_blocked(F, a, b):
    return F.contrib.foreach(lambda row, s: (F.BlockGrad(row) + s, s * 2), F.make_loss(a), b)[0]


@program([[1, 1, 1], [1, 1, 1]], [2, 2, 2])
def state_blocked_before(F, a, b):
    return F.contrib.foreach(lambda row, s: (F.BlockGrad(s) + row, s * row), a, F.make_loss(b * 2))[0]


@program([[2, 4, 3], [1, 1, 1]], [1, 2, 3])
def state_blocked_inside(F, a, b):
    return F.contrib.foreach(lambda row, s: (F.BlockGrad(s) + row, F.make_loss(s * row)), a, b)[0]


@program([[3, 3, 3], [3, 3, 3]], [2, 2, 2])
def body_blocked_behind(F, a, b):
    rows = F.contrib.foreach(lambda row, s: (F.make_loss(row * 3), s * 2), a, b)[0]
    return F.broadcast_add(F.BlockGrad(rows), b)


@program([[3, 3, 3], [3, 3, 3]], [0, 0, 0])
def nested_body_blocked_behind(F, a, b):
    def body(row, s):
        return F.contrib.foreach(lambda n, t: (F.make_loss(n * 3) + t, t), row, F.zeros((1,)))[0], s * 2

    return F.BlockGrad(F.contrib.foreach(body, a, b)[0])


@program([[-0.909969, 0.244728, 0.665241], [-0.885805, 0.042010, 0.843795]], [0, 0, 0])
def softmax_blocked_behind(F, a, b):
    def body(row, s):
        return F.SoftmaxOutput(F.expand_dims(row, axis=0), F.zeros((1,))), s * 2

    return F.BlockGrad(F.contrib.foreach(body, a, b)[0])


@program([[0, 0, 0], [0, 0, 0]], [0, 0, 0])
def loop_variable_unused(F, a, b):
    start = [F.sum(b) * 0, F.make_loss(a)]
    return F.contrib.while_loop(twice, lambda i, s: (s * 1, (i + 1, s * 2)), start, max_iterations=3)[1][0]


@program([[6, 6, 6], [6, 6, 6]], [0, 0, 0])
def loop_variable_blocked(F, a, b):
    def body(i, s):
        return F.broadcast_add(F.BlockGrad(s), i), (i + 1, F.make_loss(s * 3))

    return F.contrib.while_loop(twice, body, [F.sum(b) * 0, a * 2], max_iterations=3)[0]


@program([[9, 9, 9], [9, 9, 9]], [0, 0, 0])
def loop_body_blocked_behind(F, a, b):
    start = [F.sum(b) * 0, a * 1]
    step = lambda i, s: (F.make_loss(s * 3), (i + 1, s * 2))  # noqa: E731
    return F.BlockGrad(F.contrib.while_loop(twice, step, start, max_iterations=3)[0])


@program([[2, 2, 2], [2, 2, 2]], [0, 0, 0])
def branch_not_taken(F, a, b):
    loss, other = F.make_loss(a), a * 1
    return F.contrib.cond(F.sum(b) > 0, lambda: other * 2, lambda: loss * 2 + other)


@program([[3, 3, 3], [3, 3, 3]], [0, 0, 0])
def branch_taken_blocked(F, a, b):
    loss, other = F.make_loss(a), a * 1
    return F.contrib.cond(F.sum(b) > 0, lambda: other * 2 + F.BlockGrad(loss), lambda: other * 3)


@program([[3, 3, 3], [3, 3, 3]], [0, 0, 0])
def branch_blocked_behind(F, a, b):
    return F.BlockGrad(F.contrib.cond(F.sum(b) > 0, lambda: F.make_loss(a * 3), lambda: a * 2))


@program([[0, 0, 0], [0, 0, 0]], [0, 0, 0])
def condition_with_a_loss(F, a, b):
    return F.BlockGrad(F.contrib.cond(F.make_loss(F.sum(b)) > 0, lambda: a * 3, lambda: a * 2))


class Net(gluon.HybridBlock):
    def __init__(self, name):
        super().__init__()
        self._program = PROGRAMS[name][0]

    def hybrid_forward(self, F, a, b):
        return self._program(F, a, b)


def inputs():
    arrays = nd.array([[1, 2, 3], [2, 1, 4]]), nd.array([1, 3, 2])
    for array in arrays:
        array.attach_grad()
    return arrays


@pytest.mark.parametrize("hybridize", [False, True])
@pytest.mark.parametrize("name", PROGRAMS)
def test_a_loss_in_a_loop_or_before_it_goes_back_where_it_does_eagerly(name, hybridize):
    net, (a, b) = Net(name), inputs()
    net.hybridize(hybridize)
    with autograd.record():
        y = net(a, b)
    y.backward()
    numpy.testing.assert_allclose(a.grad.asnumpy(), PROGRAMS[name][1], rtol=1e-5)
    numpy.testing.assert_allclose(b.grad.asnumpy(), PROGRAMS[name][2], rtol=1e-5)


@pytest.mark.parametrize("hybridize", [False, True])
def test_a_loop_with_a_loss_goes_back_where_the_caller_of_its_net_blocks(hybridize):
    class Loop(gluon.HybridBlock):
        def hybrid_forward(self, F, a, b):
            return F.contrib.foreach(lambda row, s: (F.make_loss(row * 3), s * 2), a, b)[0]

    net, (a, b) = Loop(), inputs()
    net.hybridize(hybridize)
    with autograd.record():
        y = nd.BlockGrad(net(a, b)).sum() + b.sum()
    y.backward()
    assert (a.grad.asnumpy().tolist(), b.grad.asnumpy().tolist()) == ([[3, 3, 3], [3, 3, 3]], [1, 1, 1])
