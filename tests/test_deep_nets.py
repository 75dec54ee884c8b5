"""Nets within nets: two hundred levels are within Python's limit, as they are in MXNet."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

import pytest

from d2lhybrid import autograd, nd
from d2lhybrid.gluon import nn

X = nd.ones((1, 2))


def nested(levels: int, container: Any) -> Any:
    net: Any = nn.Dense(2, in_units=2)
    for _ in range(levels):
        outer = container()
        outer.add(net)
        net = outer
    net.initialize()
    return net


def hybridized(net: Any) -> None:
    net.hybridize()
    net(X)


def trained(net: Any) -> None:
    with autograd.record():
        y = net(X)
    y.backward()


ACTIONS = [lambda net: net(X), hybridized, trained, str, lambda net: net.collect_params()]


@pytest.mark.filterwarnings("ignore:All children of this Sequential")
@pytest.mark.parametrize("action", ACTIONS, ids=["call", "hybridized", "trained", "str", "collect_params"])
@pytest.mark.parametrize("container", [nn.HybridSequential, nn.Sequential])
def test_two_hundred_levels(container: Any, action: Callable[[Any], Any]) -> None:
    failures: list[BaseException] = []

    def run() -> None:
        try:
            action(nested(200, container))
        except BaseException as error:  # whatever it is, the test is to say so
            failures.append(error)

    thread = threading.Thread(target=run)  # a stack of its own: pytest's is deep already
    thread.start()
    thread.join()
    assert not failures
