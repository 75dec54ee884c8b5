"""Random predictions: what one C function computes is what the operators do, whatever follows on what."""

from __future__ import annotations

import math
import random
from collections.abc import Callable
from typing import Any

import numpy
import pytest

import d2lhybrid as mx
from d2lhybrid import gluon, nd
from d2lhybrid.internals.compiler.backends import c_compiler
from d2lhybrid.internals.compiler.backends.c_chain import CChain

pytestmark = pytest.mark.skipif(c_compiler.find_compiler() is None, reason="no C compiler")

Shape = tuple[int, ...]
#: Computes a value from ``F``, the values before it, and the net's parameters.
Step = Callable[[Any, list[Any], dict[str, Any]], Any]


class Plan:
    """A random computation: its steps, the shapes of its values and of its parameters."""

    def __init__(self, seed: int) -> None:
        self.random = draw = random.Random(seed)
        batch = draw.choice([1, 1, 2, 5, 16, 20])
        rows = (batch, draw.choice([1, 3, 7, 20, 64]))
        images = (batch, draw.choice([1, 2, 3]), draw.choice([4, 6, 9]), draw.choice([5, 8, 12]))
        self.inputs: list[Shape] = [draw.choice([rows, images])]
        if draw.random() < 0.3:
            self.inputs.append((draw.choice([batch, 3]), draw.choice([3, 16])))
        self.shapes, self.steps = list(self.inputs), list[Step]()
        self.parameters: list[Shape] = []
        for _ in range(draw.randint(2, 12)):
            self.extend()
        self.outputs = sorted({len(self.shapes) - 1, *draw.choices(range(len(self.shapes)), k=draw.randint(0, 2))})

    def extend(self) -> None:
        """Add a step that fits one of the last values."""
        draw = self.random
        i = draw.randrange(max(0, len(self.shapes) - 4), len(self.shapes))
        shape = self.shapes[i]
        moves = {
            2: [self.dense, self.dense, self.product, self.on_rows, self.moved],
            4: [self.convolution, self.pooled],
        }
        draw.choice([self.elementwise, *moves.get(len(shape), [self.moved])])(i, shape)

    def parameter(self, *shape: int) -> str:
        """Return the name of a parameter, new or one that others use."""
        known = [k for k, s in enumerate(self.parameters) if s == shape]
        if not known or self.random.random() < 0.7:
            self.parameters.append(shape)
            known = [len(self.parameters) - 1]
        return f"p{self.random.choice(known)}"

    def add(self, shape: Shape, step: Step) -> None:
        self.shapes.append(shape)
        self.steps.append(step)

    def dense(self, i: int, shape: Shape) -> None:
        units = self.random.choice([1, 2, 3, 5, 8, 16, 17, 24, 33, 64, 100])
        names = [self.parameter(units, shape[1]), self.parameter(units)][: self.random.randint(1, 2)]
        settings = {"num_hidden": units, "no_bias": len(names) == 1}
        self.add((shape[0], units), lambda F, v, p: F.FullyConnected(v[i], *(p[n] for n in names), **settings))

    def product(self, i: int, shape: Shape) -> None:
        others = [j for j, s in enumerate(self.shapes) if len(s) == 2 and s[0] == shape[1]]
        if others and self.random.random() < 0.5:
            j = self.random.choice(others)
            self.add((shape[0], self.shapes[j][1]), lambda F, v, p: F.dot(v[i], v[j]))
            return
        columns = self.random.choice([1, 4, 16, 31])
        name = self.parameter(shape[1], columns)
        self.add((shape[0], columns), lambda F, v, p: F.dot(v[i], p[name]))

    def on_rows(self, i: int, shape: Shape) -> None:
        gamma, beta, row = self.parameter(shape[1]), self.parameter(shape[1]), self.parameter(1, shape[1])
        steps: list[Step] = [
            lambda F, v, p: F.softmax(v[i]),
            lambda F, v, p: F.log_softmax(v[i]),
            lambda F, v, p: F.LayerNorm(v[i], p[gamma], p[beta], eps=0.1),
            lambda F, v, p: F.broadcast_add(v[i], p[row]),
        ]
        self.add(shape, self.random.choice(steps))

    def moved(self, i: int, shape: Shape) -> None:
        size, end = math.prod(shape), self.random.randint(1, shape[1])
        steps: list[tuple[Shape, Step]] = [
            (shape[::-1], lambda F, v, p: F.transpose(v[i])),
            ((1, size), lambda F, v, p: F.reshape(v[i], shape=(1, size))),
            ((shape[0], end), lambda F, v, p: F.slice_axis(v[i], axis=1, begin=0, end=end)),
            ((shape[0], 1), lambda F, v, p: F.sum(v[i], axis=1, keepdims=True)),
        ]
        self.add(*self.random.choice(steps))

    def convolution(self, i: int, shape: Shape) -> None:
        draw = self.random
        kernel, stride = draw.choice([(1, 1), (2, 2), (3, 3), (2, 3), (3, 1)]), draw.choice([(1, 1), (2, 2), (2, 1)])
        pad, filters = draw.choice([(0, 0), (1, 1), (1, 0)]), draw.choice([1, 3, 6, 8, 17])
        size = [(n + 2 * p - k) // s + 1 for n, p, k, s in zip(shape[2:], pad, kernel, stride, strict=True)]
        if min(size) < 1:
            return
        names = [self.parameter(filters, shape[1], *kernel), self.parameter(filters)][: draw.randint(1, 2)]
        settings = {"kernel": kernel, "stride": stride, "pad": pad, "num_filter": filters, "no_bias": len(names) == 1}
        step: Step = lambda F, v, p: F.Convolution(v[i], *(p[n] for n in names), **settings)  # noqa: E731
        self.add((shape[0], filters, *size), step)

    def pooled(self, i: int, shape: Shape) -> None:
        kind, halves = self.random.choice(["max", "avg"]), [(n - 2) // 2 + 1 for n in shape[2:]]
        steps: list[tuple[Shape, Step]] = [
            ((shape[0], math.prod(shape[1:])), lambda F, v, p: F.Flatten(v[i])),
            (shape[:2], lambda F, v, p: F.mean(v[i], axis=(2, 3))),
        ]
        if min(halves) > 0:
            step: Step = lambda F, v, p: F.Pooling(v[i], kernel=(2, 2), stride=(2, 2), pool_type=kind)  # noqa: E731
            steps += [((*shape[:2], *halves), step)] * 2
        self.add(*self.random.choice(steps))

    def elementwise(self, i: int, shape: Shape) -> None:
        j = self.random.choice([j for j, s in enumerate(self.shapes) if s == shape])
        steps: list[Step] = [
            lambda F, v, p: F.relu(v[i]),
            lambda F, v, p: F.tanh(v[i]),
            lambda F, v, p: v[i] * 0.7 + 0.1,
            lambda F, v, p: v[i] + v[j],
        ]
        self.add(shape, self.random.choice(steps))


class Net(gluon.HybridBlock):
    def __init__(self, plan: Plan) -> None:
        super().__init__()
        self.plan = plan
        for k, shape in enumerate(plan.parameters):
            setattr(self, f"p{k}", self.params.get(f"p{k}", shape=shape, init=mx.init.Normal(0.4)))

    def hybrid_forward(self, F: Any, *inputs: Any, **parameters: Any) -> Any:
        values = list(inputs)
        for step in self.plan.steps:
            values.append(step(F, values, parameters))
        return [values[k] for k in self.plan.outputs]


def results(net: Any, inputs: list[Any]) -> list[numpy.ndarray]:
    found = net(*inputs)
    return [y.asnumpy() for y in (found if isinstance(found, list | tuple) else [found])]


@pytest.mark.filterwarnings("ignore:.*is not used by any computation")
@pytest.mark.parametrize("first", range(0, 60, 10))
def test_random_predictions_are_those_of_the_operators(first: int) -> None:
    chains = 0
    for seed in range(first, first + 10):
        plan = Plan(seed)
        net, x = Net(plan), [nd.random.normal(shape=shape) for shape in plan.inputs]
        net.initialize()
        static = plan.random.choice([{}, {"static_alloc": True}, {"static_alloc": True, "static_shape": True}])
        for _ in range(2):  # before and after the weights have changed
            net.hybridize(active=False)
            expected = results(net, x)
            net.hybridize(backend="c", **static)
            for _ in range(2):
                for got, wanted in zip(results(net, x), expected, strict=True):
                    assert got.shape == wanted.shape and got.dtype == wanted.dtype, seed
                    scale = max(1, abs(wanted).max())
                    numpy.testing.assert_allclose(got, wanted, rtol=2e-4, atol=2e-5 * scale, err_msg=f"{seed}")
            nodes = [node for program in net.programs for node in program.graph.nodes]
            chains += sum(isinstance(node.params.get("body"), CChain) for node in nodes)
            for parameter in net.collect_params().values():
                parameter.data()[:] *= 1.1
    assert chains
