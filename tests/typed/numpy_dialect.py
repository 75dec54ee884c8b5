"""A program of ``np`` and ``npx``; a type checker reads it."""

from typing import assert_type

from d2lhybrid import autograd, gluon, np, npx
from d2lhybrid.gluon import nn
from d2lhybrid.numpy import ndarray

npx.set_np()
x = np.arange(12).reshape(3, 4)
assert_type(x, ndarray)
assert_type(np.array([1.0, 2.0]), ndarray)
assert_type(np.ones((2, 3)) * 2 + x, ndarray)
assert_type(np.exp(x).sum(axis=0), ndarray)
assert_type(x[0, 1:], ndarray)
assert_type(x @ x.T, ndarray)
assert_type(x > 3, ndarray)
assert_type(np.concatenate([x, x], axis=1), ndarray)
assert_type(np.random.normal(0, 1, size=(2, 3)), ndarray)
assert_type(np.linalg.norm(x), ndarray)
assert_type(npx.relu(x), ndarray)
assert_type(npx.softmax(x, axis=1), ndarray)
assert_type(x.astype("int32").copy().as_in_ctx(npx.cpu()), ndarray)
first, second = np.split(x, 2, axis=1)
assert_type(first, ndarray)
print(x.dtype, x.tolist(), x.nonzero()[0].shape, np.pi, np.float32)


class Net(nn.HybridBlock):
    """The functions of ``np`` in a block."""

    def hybrid_forward(self, F, x):
        return F.npx.relu(x) + F.np.ones((4,))


net = Net()
net.initialize()
x.attach_grad()
with autograd.record():
    loss = net(x).mean()
    assert_type(net(x), ndarray)
loss.backward()
print(x.grad.shape, gluon.loss.L2Loss()(net(x), x).item())
