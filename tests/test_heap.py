"""What arrays give back stays with the process, where the allocator can be told."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

import d2lhybrid as mx
from d2lhybrid.internals.device import heap

needs_allocator = pytest.mark.skipif(heap._allocator() is None, reason="it is no allocator of GNU's")

#: Takes and gives back 64 MiB in arrays of 2 MiB, and prints how many pages the system gave for that, on average; then
#: for once more, after everything was returned.
PROGRAM = """
import ctypes, resource
ctypes.CDLL(None).prctl(41, 1, 0, 0, 0)  # PR_SET_THP_DISABLE: pages of one size
import numpy
from d2lhybrid import nd
def step():
    arrays = [numpy.ones(1 << 19, numpy.float32) for _ in range(32)]
    numpy.ones(1)
def pages():
    return resource.getrusage(resource.RUSAGE_SELF).ru_minflt
for _ in range(3):
    step()
before = pages()
for _ in range(10):
    step()
taken = (pages() - before) // 10
import d2lhybrid
d2lhybrid.cpu().empty_cache()
before = pages()
step()
print(taken, pages() - before)
"""


def pages_taken(**variables: str) -> list[int]:
    environment = {k: v for k, v in os.environ.items() if k not in (*heap._DECIDED, heap.VARIABLE, "GLIBC_TUNABLES")}
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM], env=environment | variables, capture_output=True, text=True, check=True
    )
    return [int(number) for number in done.stdout.split()]


@needs_allocator
def test_what_a_step_gives_back_the_next_one_takes() -> None:
    taken, after_returning = pages_taken()
    whole = (64 << 20) // os.sysconf("SC_PAGE_SIZE")
    assert taken < whole / 100
    assert after_returning > whole / 2


@needs_allocator
@pytest.mark.parametrize(
    "variables", [{heap.VARIABLE: "off"}, {"MALLOC_TRIM_THRESHOLD_": "131072"}, {"MALLOC_MMAP_THRESHOLD_": "131072"}]
)
def test_who_has_decided_otherwise_is_heard(variables: dict[str, str]) -> None:
    taken, _ = pages_taken(**variables)
    assert taken > (64 << 20) // os.sysconf("SC_PAGE_SIZE") / 2


def test_where_there_is_another_allocator_nothing_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    heap._allocator.cache_clear()
    try:
        monkeypatch.setattr(sys, "platform", "darwin")
        assert not heap.keep_freed_memory() and not heap.return_freed_memory()
        mx.cpu().empty_cache()
    finally:
        heap._allocator.cache_clear()


def test_the_allocator_is_told_a_number_that_it_takes(monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[tuple[int, int]] = []

    class Allocator:
        def mallopt(self, what: int, value: int) -> int:
            told.append((what, value))
            return 1

    monkeypatch.setattr(heap, "_allocator", Allocator)
    for name in (*heap._DECIDED, heap.VARIABLE, "GLIBC_TUNABLES"):
        monkeypatch.delenv(name, raising=False)
    limits = sys.modules["d2lhybrid.internals.formats.serialization.limits"]
    for memory, kept in ((2 << 30, 256 << 20), (1 << 40, 2**31 - 1)):
        told.clear()
        monkeypatch.setattr(limits, "machine_memory", lambda memory=memory: memory)
        assert heap.keep_freed_memory()
        assert told == [(heap._MMAP, heap.LARGEST), (heap._TRIM, kept)]
