"""Threads of C that share a loop: each turn is taken once, whoever comes when."""

from __future__ import annotations

import ctypes
import os
import threading

import numpy
import pytest

from d2lhybrid.internals.compiler import threads
from d2lhybrid.internals.compiler.backends import c_crew
from d2lhybrid.internals.compiler.backends.c_compiler import build, find_compiler
from d2lhybrid.internals.compiler.backends.c_crew import Part, divide_among_cores

pytestmark = pytest.mark.skipif(find_compiler() is None, reason="there is no C compiler")

#: Two functions over the same numbers: one adds a number to each, the other takes it away and is slow at it.
SOURCE = """
struct work { int* counts; int by; };
void add(long start, long stop, void* given)
{
    struct work* work = given;
    for (long i = start; i < stop; ++i)
        work->counts[i] += work->by;
}
void take(long start, long stop, void* given)
{
    struct work* work = given;
    for (long i = start; i < stop; ++i)
        for (int k = 0; k < work->by; ++k)
            *(volatile int*) &work->counts[i] -= 1;
}
"""


class Work(ctypes.Structure):
    _fields_ = (("counts", ctypes.c_void_p), ("by", ctypes.c_int))


def divide(part: Part, counts: numpy.ndarray, by: int = 1) -> None:
    work = Work(counts.ctypes.data, by)
    divide_among_cores(part, len(counts), ctypes.addressof(work))


@pytest.fixture
def parts() -> tuple[Part, Part]:
    library = build(SOURCE)
    return Part.of(library.add), Part.of(library.take)


def test_every_turn_of_every_loop_is_taken_once(parts: tuple[Part, Part], monkeypatch: pytest.MonkeyPatch) -> None:
    add, _ = parts
    for workers in (1, 2, 3, 64):
        monkeypatch.setattr(threads, "available", lambda workers=workers: workers)
        for length in (1, 2, 3, 7, 8, 9, 63, 64, 65, 1000):
            counts = numpy.zeros(length + 1, numpy.int32)
            for _ in range(20):
                divide(add, counts[:length])
            assert counts[:-1].tolist() == [20] * length and counts[-1] == 0


def test_one_work_never_gets_pieces_of_another(parts: tuple[Part, Part], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(threads, "available", lambda: 2)
    rng = numpy.random.default_rng(0)
    all_counts = [numpy.zeros(length, numpy.int32) for length in (3, 17, 200, 5000)]
    expected = [0] * len(all_counts)
    for _ in range(5000):  # one after the other without a pause: helpers are late for most
        which, kind, by = rng.integers(len(all_counts)), rng.integers(2), int(rng.integers(1, 4))
        counts = all_counts[which]
        divide(parts[kind], counts, by)
        expected[which] += -by if kind else by
    assert [set(counts.tolist()) for counts in all_counts] == [{n} for n in expected]


def test_several_threads_call_at_the_same_time(parts: tuple[Part, Part], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(threads, "available", lambda: 2)
    results = {}

    def run(name: int) -> None:
        counts = numpy.zeros(300 + name, numpy.int32)
        for _ in range(300):
            divide(parts[0], counts)
        results[name] = set(counts.tolist())

    callers = [threading.Thread(target=run, args=(name,)) for name in range(4)]
    for caller in callers:
        caller.start()
    for caller in callers:
        caller.join(60)
    assert results == {name: {300} for name in range(4)}


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system does not fork")
@pytest.mark.filterwarnings("ignore:This process:DeprecationWarning")
def test_the_child_of_a_fork_has_helpers_of_its_own(parts: tuple[Part, Part], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(threads, "available", lambda: 2)
    counts = numpy.zeros(1000, numpy.int32)
    divide(parts[0], counts)
    crew_of_parent = c_crew._crew(os.getpid())
    child = os.fork()
    if child == 0:  # pragma: no cover - another process
        code = 1
        try:
            for _ in range(200):
                divide(parts[0], counts)
            crew = c_crew._crew(os.getpid())
            code = 0 if set(counts.tolist()) == {201} and crew is not None and crew is not crew_of_parent else 2
        finally:
            os._exit(code)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    divide(parts[0], counts)
    assert set(counts.tolist()) == {2}


def test_without_room_for_the_helpers_one_thread_does_it_all(
    parts: tuple[Part, Part], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(threads, "available", lambda: 2)
    monkeypatch.setattr(c_crew, "_crew", lambda process: None)
    counts = numpy.zeros(100, numpy.int32)
    divide(parts[0], counts)
    assert set(counts.tolist()) == {1}
