"""Threads that help run on other processors than the thread that they help, wherever that goes."""

from __future__ import annotations

import os
import threading
from typing import Any

import numpy
import pytest

from d2lhybrid import nd
from d2lhybrid.compiler.backends import c_region
from d2lhybrid.compiler.backends.c_compiler import find_compiler
from d2lhybrid.device import threads
from d2lhybrid.device.threads import apart
from d2lhybrid.gluon import HybridBlock

pytestmark = pytest.mark.skipif(
    not hasattr(os, "sched_getaffinity") or len(os.sched_getaffinity(0)) < 2 or apart.find_processor() is None,
    reason="threads cannot be bound here, or there is one processor",
)


@pytest.fixture
def here(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """On which processor the callers are made to think that they are."""
    for name in (*apart.DECIDED, apart.VARIABLE):
        monkeypatch.delenv(name, raising=False)
    place = [min(os.sched_getaffinity(0))]
    monkeypatch.setattr(apart, "find_processor", lambda: lambda: place[0])
    return place


class Helper:
    """A thread that waits until it is told to go, and where it may run."""

    def __init__(self) -> None:
        self.go, self.there = threading.Event(), threading.Event()
        self.thread = threading.Thread(target=self._wait)
        self.thread.start()
        assert self.there.wait(60)

    def _wait(self) -> None:
        self.there.set()
        self.go.wait(60)

    @property
    def number(self) -> int:
        assert self.thread.native_id is not None
        return self.thread.native_id

    def end(self) -> None:
        self.go.set()
        self.thread.join()


def test_helpers_follow_their_caller(here: list[int]) -> None:
    allowed, first, second = os.sched_getaffinity(0), Helper(), Helper()
    try:
        helpers = apart.Apart([first.number])
        for here[0] in (min(allowed), max(allowed)):
            helpers.follow()
            assert os.sched_getaffinity(first.number) == allowed - set(here)
        helpers.helpers.append(second.number)  # one that has joined, while the caller stayed
        helpers.follow()
        assert os.sched_getaffinity(second.number) == allowed - set(here)
        first.end()
        here[0] = min(allowed)
        helpers.follow()  # one of them is gone
        assert os.sched_getaffinity(second.number) == allowed - set(here)
        assert os.sched_getaffinity(0) == allowed
    finally:
        first.end()
        second.end()


@pytest.mark.parametrize("name", [apart.VARIABLE, "OMP_PROC_BIND"])
def test_whoever_decides_otherwise_is_heard(name: str, here: list[int], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(name, "off")
    helper = Helper()
    try:
        apart.Apart([helper.number]).follow()
        assert os.sched_getaffinity(helper.number) == os.sched_getaffinity(0)
    finally:
        helper.end()


class Curve(HybridBlock):
    def hybrid_forward(self, F: Any, x: Any) -> Any:
        return F.tanh(x * 2 + 1) * x


@pytest.mark.skipif(find_compiler() is None, reason="there is no C compiler")
def test_a_region_is_divided_among_threads_that_run_elsewhere(here: list[int], monkeypatch: pytest.MonkeyPatch) -> None:
    c_region._crew.cache_clear()
    monkeypatch.setattr(threads.brake, "limit", 2)
    net, x = Curve(), nd.random.normal(shape=(1024, 1024))
    net.hybridize(backend="c")
    monkeypatch.setattr(threads, "available", lambda: 1)
    alone = net(x).asnumpy()
    assert not c_region._crew(os.getpid()).apart.helpers
    monkeypatch.setattr(threads, "available", lambda: 2)
    allowed = os.sched_getaffinity(0)
    for here[0] in (min(allowed), min(allowed), max(allowed)):
        numpy.testing.assert_array_equal(net(x).asnumpy(), alone)
    [helper] = c_region._crew(os.getpid()).apart.helpers
    assert os.sched_getaffinity(helper) == allowed - set(here)
    c_region._crew.cache_clear()
