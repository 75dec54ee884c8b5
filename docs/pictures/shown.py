"""What the pictures of README and of the site's first page show: four widgets of small nets, from what really ran."""

from __future__ import annotations

import contextlib
import io
import sys
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))

from net import Net

import d2lhybrid as mx
from d2lhybrid import nd
from d2lhybrid.gluon import nn
from d2lhybrid.internals.pictures.picture import Picture

__all__ = ["SHOWN", "graph", "steps", "timing", "trace"]

X = [[1, 2, 3]]


def _net() -> Any:
    mx.random.seed(1)
    net = Net(prefix="net_")
    net.initialize(mx.init.Uniform(1))
    return net


def _quietly(make: Any, *arguments: Any) -> Any:
    """Return what a function makes, without what the net prints on the way."""
    with contextlib.redirect_stdout(io.StringIO()):
        return make(*arguments)


def trace() -> Picture:
    """Return three calls of a net that prints: on arrays, on symbols, and as a program."""
    return _quietly(mx.print_trace, _net(), nd.array(X))


def graph() -> Picture:
    """Return the graph of a LeNet."""
    mx.random.seed(1)
    net = nn.HybridSequential(prefix="lenet_")
    with net.name_scope():
        net.add(nn.Conv2D(6, 5, activation="relu"), nn.MaxPool2D(2))
        net.add(nn.Conv2D(16, 5, activation="relu"), nn.MaxPool2D(2))
        net.add(nn.Dense(120, activation="relu"), nn.Dense(10))
    net.initialize()
    net.hybridize()
    return _quietly(net.graph, nd.random.normal(shape=(1, 1, 28, 28)))


def steps() -> Picture:
    """Return how the net that prints is compiled."""
    return _quietly(mx.compile_steps, _net(), nd.array(X))


def timing(tries: int = 1) -> Any:
    """Return how long a net of three layers takes before `hybridize()` and after it, on this machine.

    Parameters
    ----------
    tries : int
        How often it is measured; the measurement that other programs disturbed least is returned.
    """
    mx.random.seed(1)
    net = nn.HybridSequential(prefix="mlp_")
    with net.name_scope():
        net.add(nn.Dense(256, activation="relu"), nn.Dense(128, activation="relu"), nn.Dense(2))
    net.initialize()
    measured = [_quietly(mx.compare, net, nd.random.normal(shape=(1, 512))) for _ in range(tries)]
    return min(measured, key=lambda one: one.speed_up().upper / one.speed_up().lower)


#: Name of a picture -> what makes it.
SHOWN = {"trace": trace, "graph": graph, "steps": steps, "timing": timing}
