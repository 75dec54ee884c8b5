"""Small networks that between them use every part of the compiler."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy
from own_operators import own_operators

import d2lhybrid as mx
from d2lhybrid import gluon
from d2lhybrid.gluon import nn, rnn
from d2lhybrid.internals.core.invoke import invoke
from d2lhybrid.internals.core.operator import Array, operator
from d2lhybrid.symbol.compose import compose


def mlp() -> Any:
    net = nn.HybridSequential()
    net.add(nn.Dense(8, activation="relu"), nn.Dense(6, activation="tanh"), nn.Dense(3))
    return net


class LeNet(gluon.HybridBlock):
    def __init__(self) -> None:
        super().__init__()
        self.conv1, self.pool1 = nn.Conv2D(3, 3), nn.MaxPool2D(2)
        self.conv2, self.pool2 = nn.Conv2D(4, 3), nn.AvgPool2D(2)
        self.fc = nn.Dense(5)
        self.out_weight = self.params.get("out_weight", shape=(2, 5))

    def hybrid_forward(self, F: Any, x: Any, out_weight: Any) -> Any:
        x = self.pool1(F.relu(self.conv1(x)))
        x = self.pool2(F.relu(self.conv2(x)))
        x = F.sigmoid(self.fc(x.reshape((0, -1))))
        return F.dot(x, out_weight, transpose_b=True)


class Residual(gluon.HybridBlock):
    def __init__(self) -> None:
        super().__init__()
        self.conv, self.norm = nn.Conv2D(2, 3, padding=1), nn.BatchNorm()
        self.norm2, self.dense = nn.LayerNorm(), nn.Dense(3, flatten=False)

    def hybrid_forward(self, F: Any, x: Any) -> Any:
        y = F.relu(self.norm(self.conv(x)) + x)
        y = self.dense(self.norm2(F.mean(y, axis=(2, 3))))
        return F.softmax(y), F.log_softmax(y * 2 + 0)


class Tangle(gluon.HybridBlock):
    """Repeated subexpressions, constants, several inputs, an unused branch, nested outputs."""

    def hybrid_forward(self, F: Any, x: Any, y: Any) -> Any:
        constant = F.ones((2, 3)) * 2 + F.ones((2, 3))
        a = F.exp(x * 0.5) + F.exp(x * 0.5)
        b = F.broadcast_mul(a, F.sum(y, axis=0, keepdims=True))
        F.tanh(b)
        c = F.transpose(F.transpose(b)) * 1
        return c + constant, [F.concat(c, y, dim=0), F.square(x - y)]


class Large(gluon.HybridBlock):
    """Element-wise operators on arrays that no cache holds, and signs that cancel."""

    def hybrid_forward(self, F: Any, x: Any, y: Any) -> Any:
        z = F.tanh(x * -1 * -1 + y) * 0.5
        return F.sigmoid(F.relu(z) - y)


class Recurrent(gluon.HybridBlock):
    """Two layers that run through time; the states of one are outputs, too."""

    def __init__(self) -> None:
        super().__init__()
        self.lstm, self.gru = rnn.LSTM(4), rnn.GRU(3)

    def hybrid_forward(self, F: Any, x: Any, h: Any, c: Any) -> Any:
        y, states = self.lstm(x, [h, c])
        return self.gru(y), states


with own_operators():

    @operator("_remembering", aux=("memory",))
    def remembering(xp: Any, data: Array, memory: Array, rate: float = 0.0) -> Any:
        """Twice the data; the memory fades at a rate."""
        return data + data


remembering.infer_shape(lambda data, memory, *, rate: ([data, memory], [data]))
remembering.infer_type(lambda data, memory, *, rate: ([data, memory], [data]))
remembering.gradient(lambda F, dy, y, data, memory, *, rate: [dy + dy, None])
remembering.updates_in_forward(lambda F, y, data, memory, *, rate: {"memory": memory * (1 - rate)})


class Remembering(gluon.HybridBlock):
    """States of an operator: one that fades, and one that stays as it is."""

    def __init__(self) -> None:
        super().__init__()
        for name in ("fading", "staying"):
            setattr(self, name, self.params.get(name, shape=(2, 3), grad_req="null", init="ones"))

    def hybrid_forward(self, F: Any, x: Any, fading: Any, staying: Any) -> Any:
        for state, rate in ((fading, 0.25), (staying, 0.0)):
            if F is mx.nd:
                x = invoke(remembering, [x, state], {"rate": rate}, mx.nd.NDArray)
            else:
                x = compose(remembering, "remembering", [x, state], {"rate": rate}, mx.sym.Symbol)
        return x * fading + staying


NETWORKS: dict[str, tuple[Callable[[], Any], list[tuple[int, ...]]]] = {
    "mlp": (mlp, [(4, 5)]),
    "lenet": (LeNet, [(2, 1, 12, 12)]),
    "residual": (Residual, [(3, 2, 4, 4)]),
    "tangle": (Tangle, [(2, 3), (2, 3)]),
    "mlp of one": (mlp, [(1, 5)]),
    "large": (Large, [(256, 600), (256, 600)]),
}
#: Networks in which passes find what these have not; they have no parts for every backend, or change when they run.
FOR_PASSES: dict[str, tuple[Callable[[], Any], list[tuple[int, ...]]]] = {
    "recurrent": (Recurrent, [(3, 2, 5), (1, 2, 4), (1, 2, 4)]),
    "remembering": (Remembering, [(2, 3)]),
}


def make(name: str, seed: int = 0) -> tuple[Any, list[Any]]:
    """Return an initialised network and inputs."""
    build, shapes = (NETWORKS | FOR_PASSES)[name]
    mx.random.seed(seed)
    rng = numpy.random.default_rng(seed)
    net = build()
    net.initialize(mx.init.Uniform(0.5))
    inputs = [mx.nd.array(rng.normal(size=s)) for s in shapes]
    net(*inputs)  # shapes and values of all parameters are there from now on
    return net, inputs
