"""A program as the lessons write it; a type checker reads it, and nobody runs it."""

import time
from typing import assert_type

import d2lhybrid as mx
from d2lhybrid import autograd, gluon, nd, sym
from d2lhybrid.gluon import nn
from d2lhybrid.ndarray import NDArray
from d2lhybrid.symbol import Symbol

x = nd.ones((1, 512))
assert_type(x, NDArray)
assert_type(nd.array([[1, 2], [3, 4]]), NDArray)
assert_type(nd.zeros((2, 3), ctx=mx.cpu()), NDArray)
assert_type(nd.random.normal(shape=(2, 3)), NDArray)
assert_type(x + 1, NDArray)
assert_type(2**x, NDArray)
assert_type(x == x, NDArray)
assert_type(-x[0], NDArray)
assert_type(x.T.reshape((-1,)).sum(axis=0), NDArray)
assert_type(x.relu().astype("float64").copy(), NDArray)
assert_type(nd.maximum(x, 0), NDArray)
assert_type(nd.dot(x, x.T).shape, tuple[int, ...])
assert_type(x.copyto(mx.cpu()), NDArray)
x[:] = 3
x += 1
for row in x:
    assert_type(row, NDArray)

a, b = sym.var("a"), sym.var("b")
assert_type(a, Symbol)
assert_type(a * b + 1, Symbol)
assert_type(sym.FullyConnected(a, num_hidden=2).relu(), Symbol)
assert_type((a + b).tojson(), str)


class Print(nn.Block):
    """A block with parameters of its own choice."""

    def forward(self, x):
        print("x:", x)
        return x


class HybridNet(nn.HybridBlock):
    """The net of the lesson."""

    def __init__(self, **kwargs):
        super().__init__(**kwargs)
        self.hidden = nn.Dense(10)
        self.output = nn.Dense(2)

    def hybrid_forward(self, F, x):
        print("F:", F)
        print("x:", x)
        x = F.relu(self.hidden(x))
        print("hidden:", x)
        return self.output(x)


class TwoInputs(nn.Block):
    """What is given to it, goes to ``forward``."""

    def forward(self, x, mask=None, *, scale=1.0):
        return x if mask is None else x * mask * scale


net = nn.HybridSequential()
net.add(nn.Dense(256, activation="relu"), nn.Dense(2))
net.initialize()
net.hybridize(static_alloc=True, static_shape=True)
y = net(x)
assert_type(y, NDArray)
print(y.asnumpy(), y.shape)
symbolic = net(sym.var("data"))
assert_type(symbolic, Symbol)
print(symbolic.tojson(), net.programs[0].source, net.collect_params().keys())


def benchmark(net, x):
    """Time a thousand calls, as the lessons do."""
    start = time.time()
    for _ in range(1000):
        _ = net(x)
    nd.waitall()
    return time.time() - start


def get_net():
    """Make the net that the lessons time."""
    net = nn.HybridSequential()
    net.add(nn.Dense(256, activation="relu"), nn.Dense(128, activation="relu"), nn.Dense(2))
    net.initialize()
    return net


print(f"{benchmark(get_net(), x):.4f} sec")
assert_type(get_net()(x), NDArray)
loaded = gluon.SymbolBlock.imports("net-symbol.json", ["data"], "net-0000.params")
print(loaded(x).asnumpy(), gluon.nn.SymbolBlock(symbolic, [sym.var("data")])(x))
net.export("net")
print(net.explain(x), net.programs[0].source, net.graph(x))
mx.print_trace(HybridNet(), x)
assert_type(HybridNet()(x), NDArray)
TwoInputs()(x, x)

w = nd.ones((3,))
w.attach_grad()
with autograd.record():
    loss = (w * w).sum()
loss.backward()
print(w.grad.asnumpy())
trainer = gluon.Trainer(net.collect_params(), "sgd", {"learning_rate": 0.1})
trainer.step(1)
for parameter in net.collect_params().values():
    assert_type(parameter.data(), NDArray)
    assert_type(parameter.grad(), NDArray)
