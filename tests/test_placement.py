"""Threads that help run on other processors than the thread that they help, wherever that goes."""

from __future__ import annotations

import _thread
import importlib.util
import os
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy
import pytest

from d2lhybrid import nd
from d2lhybrid.error import MXNetError
from d2lhybrid.gluon import HybridBlock, nn
from d2lhybrid.internals.compiler import threads
from d2lhybrid.internals.compiler.backends import c_crew
from d2lhybrid.internals.compiler.backends.c_compiler import find_compiler
from d2lhybrid.internals.compiler.threads import placement
from d2lhybrid.onnx import runtime_backend as onnx_runtime

pytestmark = pytest.mark.skipif(
    not hasattr(os, "sched_getaffinity") or len(os.sched_getaffinity(0)) < 2 or placement.find_processor() is None,
    reason="threads cannot be bound here, or there is one processor",
)


@pytest.fixture
def here(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """On which processor the callers are made to think that they are."""
    for name in (*placement.DECIDED, placement.VARIABLE):
        monkeypatch.delenv(name, raising=False)
    place = [min(os.sched_getaffinity(0))]
    monkeypatch.setattr(placement, "find_processor", lambda: lambda: place[0])
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
        helpers = placement.Apart([first.number])
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


@pytest.mark.parametrize("name", [placement.VARIABLE, "OMP_PROC_BIND"])
def test_whoever_decides_otherwise_is_heard(name: str, here: list[int], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(name, "off")
    helper = Helper()
    try:
        placement.Apart([helper.number]).follow()
        assert os.sched_getaffinity(helper.number) == os.sched_getaffinity(0)
    finally:
        helper.end()


class Curve(HybridBlock):
    def hybrid_forward(self, F: Any, x: Any) -> Any:
        return F.tanh(x * 2 + 1) * x


@pytest.mark.skipif(find_compiler() is None, reason="there is no C compiler")
def test_a_region_is_divided_among_threads_that_run_elsewhere(here: list[int], monkeypatch: pytest.MonkeyPatch) -> None:
    net, x = Curve(), nd.random.normal(shape=(1024, 1024))
    net.hybridize(backend="c")
    monkeypatch.setattr(threads, "available", lambda: 1)
    alone = net(x).asnumpy()
    monkeypatch.setattr(threads, "available", lambda: 2)
    crew = c_crew._crew(os.getpid())
    assert crew is not None and crew.apart.helpers
    crew = crew._replace(apart=placement.Apart(crew.apart.helpers))  # who knows where the caller is pretended to be
    monkeypatch.setattr(c_crew, "_crew", lambda process: crew)
    allowed = os.sched_getaffinity(0)
    for here[0] in (min(allowed), min(allowed), max(allowed)):
        numpy.testing.assert_array_equal(net(x).asnumpy(), alone)
    assert all(os.sched_getaffinity(helper) == allowed - set(here) for helper in crew.apart.helpers)


def test_a_child_leaves_the_helpers_of_its_parent_alone(here: list[int], monkeypatch: pytest.MonkeyPatch) -> None:
    allowed, helper = os.sched_getaffinity(0), Helper()
    try:
        helpers = placement.Apart([helper.number])
        helpers.follow()
        mine = os.getpid()
        monkeypatch.setattr(os, "getpid", lambda: mine + 1)  # as after a fork
        before, here[0] = here[0], max(allowed)
        helpers.follow()
        assert os.sched_getaffinity(helper.number) == allowed - {before}
        assert not helpers.helpers
    finally:
        helper.end()


# --- threads that a library starts --------------------------------------------------------------


class Started:
    """A thread that nobody has named, as libraries start them, and how it is ended."""

    def __init__(self) -> None:
        self.number, self._there, self._go, self._gone = 0, *(threading.Event() for _ in range(3))
        _thread.start_new_thread(self._wait, ())
        assert self._there.wait(60)

    def _wait(self) -> None:
        self.number = threading.get_native_id()
        self._there.set()
        self._go.wait(60)
        self._gone.set()

    def end(self) -> None:
        self._go.set()
        assert self._gone.wait(60)


def own_name() -> bytes:
    return Path("/proc/thread-self/comm").read_bytes()


def test_threads_are_known_by_who_has_started_them() -> None:
    name, others, begin = own_name(), [Started()], threading.Event()

    def start_another() -> None:
        assert begin.wait(60)
        others.append(Started())

    elsewhere = threading.Thread(target=start_another)
    elsewhere.start()

    def start() -> list[Started]:
        assert own_name() != name
        begin.set()
        elsewhere.join(60)
        return [Started(), Started()]

    ours, threads_of_ours = placement.started_by(start, "ours")
    more, threads_of_more = placement.started_by(lambda: [Started()], "ours")
    assert own_name() == name and len(others) == 2
    assert threads_of_ours == {thread.number for thread in ours}
    assert threads_of_more == {thread.number for thread in more}
    for thread in (*ours, *more, *others):
        thread.end()


def test_a_thread_has_its_name_again_after_an_error() -> None:
    before, comm = own_name(), Path("/proc/thread-self/comm")
    try:
        comm.write_bytes("线程的名字".encode()[:14])  # the system cuts names in the middle of a letter
        cut = own_name()
        with pytest.raises(ZeroDivisionError):
            placement.started_by(lambda: 1 // 0, "none")
        assert own_name() == cut
    finally:
        comm.write_bytes(before.rstrip())


def test_where_threads_have_no_names_none_is_known(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(placement, "_OWN_NAME", tmp_path / "none" / "comm")
    thread, found = placement.started_by(Started, "ours")
    thread.end()
    assert found == set()


# --- ONNX Runtime -------------------------------------------------------------------------------

needs_onnx = pytest.mark.skipif(
    any(importlib.util.find_spec(name) is None for name in ("onnx", "onnxruntime")),
    reason="onnx or onnxruntime is not installed",
)


@pytest.fixture
def found(monkeypatch: pytest.MonkeyPatch) -> list[tuple[Any, set[int]]]:
    """What sessions were made, and their threads; each has two."""
    made: list[tuple[Any, set[int]]] = []

    def note(run: Callable[[], Any], name: str) -> Any:
        made.append(placement.started_by(run, name))
        return made[-1]

    monkeypatch.setattr(onnx_runtime, "started_by", note)
    monkeypatch.setattr(onnx_runtime, "cores", lambda: 2)
    monkeypatch.setattr(threads.brake, "limit", 2)
    return made


def convolution(**flags: Any) -> tuple[Any, Any]:
    net = nn.Conv2D(16, 3, in_channels=8, activation="relu")
    net.initialize()
    net.hybridize(**flags)
    return net, nd.random.normal(shape=(4, 8, 30, 30))


@needs_onnx
def test_the_threads_of_onnx_runtime_run_elsewhere(here: list[int], found: list[tuple[Any, set[int]]]) -> None:
    net, x = convolution()
    expected = net(x).asnumpy()
    net.hybridize(backend="onnxruntime")
    allowed = os.sched_getaffinity(0)
    for here[0] in (min(allowed), min(allowed), max(allowed)):
        numpy.testing.assert_allclose(net(x).asnumpy(), expected, rtol=1e-4, atol=1e-5)
        [(_, helpers)] = found
        [helper] = helpers
        assert os.sched_getaffinity(helper) == allowed - set(here)
        assert os.sched_getaffinity(0) == allowed


@needs_onnx
def test_where_the_user_decides_the_threads_of_onnx_runtime_may_run_everywhere(
    here: list[int], found: list[tuple[Any, set[int]]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(placement.VARIABLE, "off")
    net, x = convolution(backend="onnxruntime")
    net(x)
    [(_, helpers)] = found
    assert [os.sched_getaffinity(helper) for helper in helpers] == [os.sched_getaffinity(0)]


@needs_onnx
def test_a_second_caller_of_a_session_leaves_its_threads_where_they_are(
    here: list[int], found: list[tuple[Any, set[int]]]
) -> None:
    net, x = convolution(backend="onnxruntime")
    net(x)
    [(session, [helper])] = [(session, list(helpers)) for session, helpers in found]
    running = onnx_runtime._Session(lambda: (session, [helper]))
    allowed, given, second = os.sched_getaffinity(0), {session.get_inputs()[0].name: x.asnumpy()}, []

    def call() -> None:
        second.append(running.run(given)[0])

    def run_first(names: Any, given: Any) -> Any:
        """Run, while another thread calls from another processor."""
        before, here[0] = here[0], max(allowed)
        thread = threading.Thread(target=call)
        running._run = session.run
        thread.start()
        thread.join(60)
        assert os.sched_getaffinity(helper) == allowed - {before}
        return session.run(names, given)

    running._run = run_first
    [first] = running.run(given)
    numpy.testing.assert_array_equal(first, second[0])
    running.run(given)  # now nobody is inside
    assert os.sched_getaffinity(helper) == allowed - set(here)


@needs_onnx
def test_threads_are_counted_by_cores_and_quota(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(onnx_runtime, "cores", lambda: 8)
    monkeypatch.setattr(threads.brake, "limit", 3)
    assert onnx_runtime._count_threads() == 3
    monkeypatch.setattr(threads.brake, "limit", 16)
    assert onnx_runtime._count_threads() == 8
    monkeypatch.setattr(onnx_runtime, "cores", lambda: None)
    assert onnx_runtime._count_threads() == 0  # its own affair


@needs_onnx
def test_what_onnx_runtime_refuses_leaves_no_name_behind(found: list[tuple[Any, set[int]]]) -> None:
    name, net = own_name(), nn.HybridLambda("erf")
    net.hybridize(backend="onnxruntime")
    with pytest.raises(MXNetError, match="ONNX Runtime cannot run this net"):
        net(nd.ones((2, 3), dtype="float64"))
    assert own_name() == name and not found
