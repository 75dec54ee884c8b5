"""Nets that a picture of calls was not made for, and what was done to them."""

from __future__ import annotations

import linecache
import random
from collections.abc import Callable

import d2lhybrid as mx
from d2lhybrid import nd, print_trace
from d2lhybrid.gluon import nn
from d2lhybrid.internals.pictures.print_trace import PrintTrace

__all__ = ["NETS", "HybridNet", "X", "trace_of"]

X = nd.ones((1, 3))


class HybridNet(nn.HybridBlock):
    """The lesson's."""

    def __init__(self, **kwargs):
        super().__init__(**kwargs)
        self.hidden = nn.Dense(4)
        self.output = nn.Dense(2)
        self.scale = 2

    def hybrid_forward(self, F, x):
        print("F is", F.__name__)
        h = F.relu(self.hidden(x))
        if self.scale > 1:
            h = h * self.scale
        print("hidden is", h.shape if hasattr(h, "shape") else h)
        return self.output(h)


class LongLines(nn.HybridBlock):
    def hybrid_forward(self, F, x):
        print("a line that goes on and on " * 12, x, "=" * 200)
        for i in range(12):
            print(i, "x" * (i * 5))
        return F.concat(x, x, x, dim=1).reshape((-1, 3)) * 2 + F.broadcast_add(x, x) + F.dot(x, F.ones((3, 3)))


class Gate(nn.HybridBlock):
    def __init__(self, factor=2, **kwargs):
        super().__init__(**kwargs)
        self.a_rather_long_name_of_an_attribute = factor

    def hybrid_forward(self, F, x):
        print("the gate is", self.a_rather_long_name_of_an_attribute)
        if self.a_rather_long_name_of_an_attribute > 1:
            x = x * self.a_rather_long_name_of_an_attribute
        return F.relu(x)


class Inner(nn.HybridBlock):
    def __init__(self, **kwargs):
        super().__init__(**kwargs)
        self.first, self.second = Gate(2), Gate(3)

    def hybrid_forward(self, F, x):
        x = self.first(x)
        print("between")
        return self.second(x)


class Outer(nn.HybridBlock):
    def __init__(self, **kwargs):
        super().__init__(**kwargs)
        self.inner, self.dense = Inner(), nn.Dense(2)
        self.calls = 0

    def hybrid_forward(self, F, x):
        self.calls += 1
        noise = random.random()
        for i in range(3):
            x = x + noise * i
        return self.dense(self.inner(x))


class FailsWhenTraced(nn.HybridBlock):
    def hybrid_forward(self, F, x):
        print("begin")
        y = x * 2
        return y.reshape(y.shape)


class Silent(nn.HybridBlock):
    def hybrid_forward(self, F, x):
        y = x * 2
        return F.relu(y) + y


class PlainBlock(nn.Block):
    def __init__(self, **kwargs):
        super().__init__(**kwargs)
        self.gate = Gate()

    def forward(self, x):
        print("outside")
        return self.gate(x)


def _sixty_lines() -> type:
    steps = "".join(f"        x = F.relu(x * {i} + 1)  # step number {i} of a long way\n" for i in range(56))
    text = (
        "class SixtyLines(nn.HybridBlock):\n    def hybrid_forward(self, F, x):\n        print('begin')\n"
        f"{steps}        print('end')\n        return x\n"
    )
    linecache.cache["<sixty lines>"] = (len(text), None, text.splitlines(keepends=True), "<sixty lines>")
    names: dict = {"nn": nn, "__name__": "lesson"}
    exec(compile(text, "<sixty lines>", "exec"), names)
    return names["SixtyLines"]


def _many_calls() -> PrintTrace:
    trace = trace_of("the lesson's")
    for _ in range(3):
        trace.new_shape()
    trace.hybridize(False)
    trace.again()
    trace.again()
    trace.hybridize()
    trace.again()
    trace.new_shape("(7, 3)")
    trace.set_attribute("self.scale", "5")
    trace.again()
    trace.again()
    return trace


def _of_layers() -> nn.HybridBlock:
    net = nn.HybridSequential()
    net.add(nn.Dense(3), nn.Dense(2))
    return net


NETS: dict[str, Callable] = {
    "the lesson's": HybridNet,
    "sixty lines": lambda: _sixty_lines()(),
    "long lines": LongLines,
    "blocks in blocks": Outer,
    "fails when traced": FailsWhenTraced,
    "without a print": Silent,
    "a Block": PlainBlock,
    "layers alone": _of_layers,
    "a lambda": lambda: nn.HybridLambda(lambda F, x: F.relu(x) * 2),
    "twelve calls": _many_calls,
}


def trace_of(name: str) -> PrintTrace:
    """Return the calls of a net with its name."""
    mx.random.seed(1)
    random.seed(1)
    made = NETS[name]()
    if isinstance(made, PrintTrace):
        return made
    made.initialize()
    return print_trace(made, X)
