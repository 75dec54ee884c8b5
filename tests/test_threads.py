"""Threads on a busy machine: what is found, when products are held back, and that NumPy is left as it was."""

from __future__ import annotations

import contextlib
import ctypes
import hashlib
import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy
import operator_cases
import pytest

import d2lhybrid as mx
from d2lhybrid import autograd, nd
from d2lhybrid.gluon import nn
from d2lhybrid.internals.compiler import threads
from d2lhybrid.internals.compiler.threads import Brake, library, processors
from d2lhybrid.internals.compiler.threads.library import Library
from d2lhybrid.internals.compiler.threads.processors import Quota, Usage, find_quota
from d2lhybrid.internals.core.kernel_space import kernel_space
from d2lhybrid.internals.core.observing import observe
from d2lhybrid.internals.core.operator import all_operators, get_operator
from d2lhybrid.internals.ops import conv


class FakeLibrary:
    """A library that writes down how often it was told something."""

    def __init__(self, count: int = 4) -> None:
        self.count, self.told = count, []

    def get_threads(self) -> int:
        return self.count

    def set_threads(self, count: int) -> None:
        self.count = count
        self.told.append(count)


@pytest.fixture
def make(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., Any]]:
    """Return a function that makes a brake for a library with four threads on four processors."""
    monkeypatch.setattr(threads, "_chosen", lambda: "")
    monkeypatch.delenv("OMP_NUM_THREADS", raising=False)

    def build(count: int = 4, limit: int = 4, quota: Quota | None = None) -> tuple[Brake, FakeLibrary]:
        fake = FakeLibrary(count)
        monkeypatch.setattr(threads, "find_library", lambda: Library("Fake", fake.get_threads, fake.set_threads))
        monkeypatch.setattr(threads, "affinity", lambda: limit)
        monkeypatch.setattr(threads, "find_quota", lambda: quota)
        brake = Brake()
        brake.start()
        brake._due = float("inf")  # nobody looks but the test
        return brake, fake

    return build


def judge(brake: Brake, free: float) -> bool:
    brake._judge(free)
    return brake.crowded()


def test_as_many_threads_are_wanted_as_others_leave_processors(make: Callable[..., Any]) -> None:
    brake, _ = make()
    assert not judge(brake, 3.9) and brake.wanted == 4
    assert judge(brake, 3.2) and brake.wanted == 3
    assert judge(brake, 0.3) and brake.wanted == 1
    assert not judge(brake, 4.0)


def test_the_library_is_told_before_and_after_and_only_in_a_crowd(make: Callable[..., Any]) -> None:
    brake, fake = make()
    assert brake.run(fake.get_threads) == 4 and fake.told == []
    judge(brake, 1.0)
    assert brake.run(fake.get_threads) == 1
    assert fake.count == 4 and fake.told == [1, 4]


def test_an_exception_or_an_interruption_gives_the_threads_back(make: Callable[..., Any]) -> None:
    brake, fake = make()
    judge(brake, 1.0)
    for error in (ValueError, KeyboardInterrupt):

        def fail(error: type[BaseException] = error) -> None:
            raise error

        with pytest.raises(error):
            brake.run(fail)
        assert fake.count == 4


def test_what_is_inside_of_what_is_limited_is_limited(make: Callable[..., Any]) -> None:
    brake, fake = make()
    judge(brake, 1.0)
    assert brake.run(lambda: (brake.run(fake.get_threads), fake.get_threads())) == (1, 1)
    assert fake.count == 4


def test_several_threads_share_what_there_is_and_the_last_gives_it_back(make: Callable[..., Any]) -> None:
    brake, fake = make()
    judge(brake, 2.0)
    inside, leave = threading.Event(), threading.Event()

    def stay() -> None:
        inside.set()
        assert leave.wait(60)

    other = threading.Thread(target=brake.run, args=(stay,))
    other.start()
    assert inside.wait(60)
    assert fake.count == 2
    assert brake.run(fake.get_threads) == 1
    assert fake.count == 2  # the other one is still inside
    leave.set()
    other.join()
    assert fake.count == 4


def test_several_threads_of_python_are_limited_on_a_quiet_machine_too(
    make: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(threads, "usage", lambda quota: Usage(10.0, 0.0, 0.0, None, 1))
    brake, fake = make(limit=4)
    judge(brake, 4.0)
    assert not brake.crowded()
    other = threading.Thread(target=brake.crowded)
    other.start()
    other.join()
    brake._before = None
    brake.look()
    brake._due = float("inf")
    assert brake.crowded() and brake.wanted == 4
    assert brake.run(fake.get_threads) == 4  # the other one is not inside: all are for this one
    assert brake.run(lambda: brake.run(fake.get_threads)) == 4  # the same one again
    assert fake.told == []
    brake._before = None
    brake.look()
    brake._due = float("inf")
    assert not brake.crowded()  # only one asked since


@pytest.mark.parametrize(
    ("asked", "wanted"), [("1", 1), ("3,2", 3), (" 2 ", 2), ("64", 4), ("0", 1), ("", 4), ("many", 4), ("-1", 4)]
)
def test_who_divides_work_himself_takes_no_more_threads_than_everybody_is_to_have(
    asked: str, wanted: int, make: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    brake, _ = make()
    monkeypatch.setenv("OMP_NUM_THREADS", asked)
    brake._started = False
    brake.start()
    assert brake.wanted == brake.available() == wanted
    brake.begin_anew()
    assert brake.wanted == wanted


def test_who_divides_work_himself_is_told_how_many_processors_there_are(make: Callable[..., Any]) -> None:
    brake, _ = make()
    assert brake.available() == 4
    judge(brake, 2.1)
    assert brake.available() == 2


def test_a_number_that_somebody_set_meanwhile_is_kept(make: Callable[..., Any]) -> None:
    brake, fake = make()
    judge(brake, 3.0)
    fake.count = 2
    assert brake.run(fake.get_threads) == 2  # fewer than there would be
    assert fake.count == 2


def test_when_the_crowd_has_gone_the_limit_ends_for_all_inside(make: Callable[..., Any]) -> None:
    brake, fake = make()
    judge(brake, 1.0)
    brake._enter((0, object()))  # somebody who never gets out
    assert fake.count == 1
    judge(brake, 4.0)
    assert fake.count == 4


def test_who_runs_alone_has_one_thread_whatever_the_machine_does(make: Callable[..., Any]) -> None:
    brake, fake = make()

    def crowd_comes_and_goes() -> list[int]:
        counts = [fake.count]
        for free in (1.0, 4.0):
            judge(brake, free)
            counts += [fake.count, brake.run(fake.get_threads), fake.count]
        return counts

    run = brake.alone(crowd_comes_and_goes)
    assert run.plain is crowd_comes_and_goes
    assert run() == [1] * 7 and fake.told == [1, 4]
    assert brake.alone(lambda x, y: (x + y, fake.count))(1, 2) == (3, 1) and fake.count == 4


def test_alone_inside_of_alone_and_of_what_is_limited(make: Callable[..., Any]) -> None:
    brake, fake = make()
    judge(brake, 2.0)
    assert brake.run(lambda: (fake.count, brake.alone(fake.get_threads)(), fake.count)) == (2, 1, 2)
    assert brake.alone(lambda: brake.alone(fake.get_threads)())() == 1
    assert fake.count == 4


def test_alone_ends_by_an_exception_and_what_did_not_end_by_the_next_one(make: Callable[..., Any]) -> None:
    brake, fake = make()

    def fail() -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        brake.alone(fail)()
    assert fake.count == 4
    brake._enter((threading.get_ident(), threads._ALONE), 1)  # was interrupted on its way out
    assert fake.count == 1
    brake.alone(int)()
    assert fake.count == 4


def test_who_runs_alone_uses_one_thread_whatever_number_was_asked_for(make: Callable[..., Any]) -> None:
    """NumPy's threads would spin where those of the other library are to run."""
    brake, fake = make()
    brake.chosen = "OMP_NUM_THREADS=4"
    assert brake.alone(fake.get_threads)() == 1 and fake.count == 4
    brake, fake = make()
    brake.chosen = "D2LHYBRID_THREADS=off"
    assert brake.alone(fake.get_threads)() == 4 and fake.told == []


def test_what_others_did_in_a_pause_says_nothing_of_now(
    make: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    brake, _ = make(limit=2)
    now, due = [0.0, 0.0, 0.0], [0.0]
    monkeypatch.setattr(threads, "_worked", lambda: 5.0)  # checks cost nothing

    def passes(wall: float, own: float, idle: float, running: int | None) -> bool:
        """Let time pass, look, and return whether products are held back then."""
        for i, seconds in enumerate((wall, own, idle)):
            now[i] += seconds
        monkeypatch.setattr(threads, "usage", lambda quota: Usage(*now, None, running))
        monkeypatch.setattr(threads, "_clock", lambda: now[0])
        brake.look()
        due[0] = round(brake._due - now[0], 6)
        brake._due = float("inf")
        return brake.crowded()

    passes(0.0, 0.0, 0.0, 1)
    assert due == [threads.FIRST_INTERVAL]
    assert not passes(0.25, 0.25, 0.25, 1)
    assert due == [threads.INTERVAL]
    # Others have used both processors while this process waited. Are they still there?
    assert not passes(9.0, 0.01, 0.0, 1) and brake.free == 2 and due == [threads.FIRST_INTERVAL]
    assert passes(9.0, 0.01, 0.0, 3) and due == [threads.EARLY_INTERVAL]
    # They were, for a moment.
    assert passes(0.01, 0.01, 0.0, 3) and due == [threads.EARLY_INTERVAL]
    assert not passes(0.01, 0.01, 0.0, 1) and brake.free == 2
    assert due == [round(threads.FIRST_INTERVAL - 0.02, 6)]
    # The first measurement is of the time since the pause, the counts in between included.
    assert not passes(0.04, 0.04, 0.06, 3) and brake.free == pytest.approx(2) and due == [threads.INTERVAL]
    # Threads of this process that run are no others: a library's, which spin until there is something to do.
    monkeypatch.setattr(processors, "_own_running", lambda: 3)
    assert not passes(9.0, 0.01, 0.0, 3) and brake.free == 2
    assert passes(9.0, 0.01, 0.0, 4)
    # Somebody ran for a moment only.
    for i, seconds in enumerate((9.0, 0.01, 0.0)):
        now[i] += seconds
    looks = iter([Usage(*now, None, 9), Usage(*now, None, 1)])
    monkeypatch.setattr(threads, "usage", lambda quota: next(looks))
    monkeypatch.setattr(threads, "_clock", lambda: now[0])
    brake.look()
    brake._due = float("inf")
    assert not brake.crowded() and brake.free == 2
    assert not passes(9.0, 0.01, 0.0, 1)
    assert passes(9.0, 0.01, 0.0, None)  # nobody knows
    # A call that takes long is no pause, and who comes sooner hears what was: at this very moment another may wait.
    assert passes(3.0, 1.5, 0.0, 1) and due == [threads.INTERVAL]
    assert not passes(0.25, 0.25, 0.25, 3)
    assert passes(0.3, 0.05, 0.0, 1) and due == [threads.INTERVAL]


@pytest.mark.parametrize(("running", "again", "wanted"), [(1, 1, 4), (3, 3, 2), (3, 1, 4), (9, 9, 1), (None, None, 4)])
def test_the_first_look_of_a_process_counts_who_else_runs(
    running: int | None, again: int | None, wanted: int, make: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Otherwise, the first call of a net on a busy machine waits at every product for a thread without a core."""
    monkeypatch.setattr(processors, "_own_running", lambda: 1)
    brake, _ = make()
    for _ in ("a process", "its child"):
        looks = iter([Usage(10.0, 0.1, 0.1, None, running), Usage(10.0, 0.1, 0.1, None, again)])
        monkeypatch.setattr(threads, "usage", lambda quota, looks=looks: next(looks))
        brake.look()
        assert brake.wanted == wanted
        assert round(brake._due - 10, 6) == (threads.EARLY_INTERVAL if wanted < 4 else threads.FIRST_INTERVAL)
        brake._due = float("inf")
        assert brake.crowded() == (wanted < 4)
        brake.begin_anew()


def test_the_next_look_does_not_wait_for_long_because_another_process_came_in_between(
    make: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    brake, _ = make(limit=2)
    monkeypatch.setattr(threads, "usage", lambda quota: Usage(10.0, 0.0, 0.0, None, 1))
    monkeypatch.setattr(threads, "_clock", iter([10.0, 10.1]).__next__)  # 0.1 s passed, others had the processor
    monkeypatch.setattr(threads, "_worked", iter([5.0, 5.0001]).__next__)
    brake.look()
    assert brake._due == pytest.approx(10 + threads.FIRST_INTERVAL)
    monkeypatch.setattr(threads, "_worked", iter([5.0, 5.01]).__next__)  # asking is slow here
    brake._before = None
    brake.look()
    assert brake._due == pytest.approx(10 + 0.01 / threads.FIRST_SHARE)
    monkeypatch.setattr(threads, "usage", lambda quota: Usage(10.2, 0.2, 0.0, None, 9))
    monkeypatch.setattr(threads, "_worked", iter([5.0, 5.01]).__next__)  # and often
    brake.look()
    assert brake._due == pytest.approx(10.2 + 0.01 / threads.SHARE)


def test_a_child_begins_anew(make: Callable[..., Any]) -> None:
    brake, fake = make()
    judge(brake, 1.0)
    brake._enter((0, object()))
    brake._lock.acquire()  # another thread held it when the process forked
    brake.begin_anew()
    assert fake.count == 4 and brake.wanted == 4
    brake._due = float("inf")
    assert not brake.crowded()
    assert brake.run(lambda: "runs") == "runs"


@pytest.mark.parametrize("variable", ["D2LHYBRID_THREADS=off", "OMP_NUM_THREADS=3", "MKL_NUM_THREADS=2"])
def test_who_has_decided_on_threads_is_left_alone(variable: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in threads.VARIABLES:
        monkeypatch.delenv(name, raising=False)
    fake = FakeLibrary(8)
    monkeypatch.setattr(threads, "find_library", lambda: Library("Fake", fake.get_threads, fake.set_threads))
    monkeypatch.setattr(threads, "affinity", lambda: 2)
    monkeypatch.setattr(threads, "find_quota", lambda: None)
    monkeypatch.setenv(*variable.split("="))
    brake = Brake()
    brake.look()
    assert not brake.works and not brake.crowded() and fake.told == []
    monkeypatch.setattr(threads, "brake", brake)
    assert (
        threads.describe()
        == {
            True: f"Fake in 8 threads ({variable})",
            False: f"Fake in 8 threads, as {variable} asks for",
        }[variable.endswith("off")]
    )


def test_more_threads_than_there_are_processors_are_taken_back_once(make: Callable[..., Any], tmp_path: Path) -> None:
    brake, fake = make(count=64, limit=64, quota=Quota(2.0, tmp_path / "none"))
    assert fake.told == [2] and brake.limit == 2
    brake, fake = make(count=8, limit=1)
    assert fake.told == [1] and not brake.works


def test_without_a_library_nothing_breaks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(threads, "find_library", lambda: None)
    brake = Brake()
    judge(brake, 0.5)
    assert brake.run(lambda x: x + 1, 1) == brake.limited(lambda: 2) == 2 and not brake.crowded()
    monkeypatch.setattr(threads, "brake", brake)
    assert "decides" in threads.describe()


# --- what is measured ----------------------------------------------------------------------------


def test_free_processors_are_those_that_idle_and_those_that_we_use() -> None:
    before = Usage(10.0, 1.0, 5.0, None)
    assert Usage(12.0, 4.0, 6.0, None).free_since(before, None) == pytest.approx(2.0)
    assert Usage(12.0, 0.0, 6.0, None).free_since(before, None) is None  # after a fork
    assert Usage(12.0, 4.0, None, None).free_since(before, None) is None  # a system that does not tell


def test_other_processes_under_the_same_quota_count(tmp_path: Path) -> None:
    quota = Quota(2.0, tmp_path / "cpu.stat")
    before = Usage(10.0, 0.0, 0.0, 100.0)
    # 64 processors idle, but of the quota of two somebody in the same container uses one.
    assert Usage(11.0, 1.0, 63.0, 102.0).free_since(before, quota) == pytest.approx(1.0)


@pytest.fixture
def system(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(processors, "_PROC", tmp_path / "proc")
    monkeypatch.setattr(processors, "_CGROUPS", tmp_path / "cgroup")
    (tmp_path / "proc" / "self").mkdir(parents=True)
    (tmp_path / "cgroup").mkdir()
    return tmp_path


def write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


def test_a_quota_of_version_two(system: Path) -> None:
    write(system / "proc/self/cgroup", "0::/user/notebook\n")
    write(system / "cgroup/cpu.max", "max 100000\n")
    write(system / "cgroup/user/cpu.max", "150000 100000\n")
    write(system / "cgroup/user/cpu.stat", "usage_usec 2500000\nuser_usec 1\n")
    write(system / "cgroup/user/notebook/cpu.max", "400000 100000\n")
    quota = find_quota()
    assert quota is not None and quota.processors == 1.5 and quota.seconds_used() == 2.5


def test_a_quota_of_version_one_seen_from_inside_a_container(system: Path) -> None:
    write(system / "proc/self/cgroup", "4:memory:/docker/1234\n3:cpu,cpuacct:/docker/1234\n1:name=systemd:/\n0::/\n")
    write(system / "cgroup/cpu,cpuacct/cpu.cfs_quota_us", "200000\n")
    write(system / "cgroup/cpu,cpuacct/cpu.cfs_period_us", "100000\n")
    write(system / "cgroup/cpu,cpuacct/cpuacct.usage", "1500000000\n")
    quota = find_quota()
    assert quota is not None and quota.processors == 2.0 and quota.seconds_used() == 1.5


def test_without_a_quota(system: Path) -> None:
    assert find_quota() is None
    write(system / "proc/self/cgroup", "1:cpu:/\n0::/\n")
    write(system / "cgroup/cpu/cpu.cfs_quota_us", "-1\n")
    write(system / "cgroup/cpu/cpu.cfs_period_us", "100000\n")
    assert find_quota() is None


def test_only_the_processors_of_this_process_are_asked(system: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(processors, "own_processors", lambda: {1, 2})
    rows = "".join(f"cpu{i} 5 5 5 {100 * (i + 1)} 10 0 0\n" for i in range(4))
    write(system / "proc/stat", f"cpu 9 9 9 9 9\n{rows}intr 1 2 3\nprocs_running 7\n")
    ticks = os.sysconf("SC_CLK_TCK")
    assert processors._idle_seconds() == (pytest.approx((200 + 300 + 20) / ticks), 7)
    write(system / "proc/stat", f"{rows}intr 1 2 3\n")
    assert processors._idle_seconds() == (pytest.approx((200 + 300 + 20) / ticks), None)
    (system / "proc/stat").unlink()
    assert processors._idle_seconds() == (None, None)


def test_threads_of_this_process_that_run_are_counted(system: Path) -> None:
    assert processors._own_running() == 1  # nobody tells
    for i, line in enumerate(["7 (python) R 1", "8 (a) S (b) R 1", "9 (R) S 1"]):
        write(system / f"proc/self/task/{i + 7}/stat", line)
    (system / "proc/self/task/10").mkdir()  # has ended meanwhile
    assert processors._own_running() == 2


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="the system does not tell")
def test_a_thread_that_computes_is_seen_to_run() -> None:
    data, done = bytes(1 << 20), threading.Event()

    def compute() -> None:
        while not done.is_set():
            hashlib.sha256(data)  # lets go of Python's lock

    thread = threading.Thread(target=compute)
    thread.start()
    try:
        until = time.monotonic() + 30
        while processors._own_running() < 2:
            assert time.monotonic() < until
    finally:
        done.set()
        thread.join()


# --- the library behind NumPy --------------------------------------------------------------------


def test_the_library_of_this_numpy_is_found_and_obeys() -> None:
    found = library.find_library()
    names = numpy.show_config("dicts")["Build Dependencies"]["blas"]["name"]
    if "openblas" not in names:
        pytest.skip(f"NumPy was built with {names}")
    assert found is not None and found.name == "OpenBLAS"
    before = found.get_threads()
    found.set_threads(1)
    assert found.get_threads() == 1
    found.set_threads(before)
    assert found.get_threads() == before


def test_a_numpy_without_such_a_library_has_none(monkeypatch: pytest.MonkeyPatch) -> None:
    library.find_library.cache_clear()
    try:
        monkeypatch.setattr(library, "_loaded", lambda: iter([ctypes.PyDLL(None)]))
        monkeypatch.setattr(library, "_FUNCTIONS", [("Other", "no_such_function", "nor_this_one")])
        assert library.find_library() is None
    finally:
        library.find_library.cache_clear()


@pytest.mark.parametrize(("parallel", "name"), [(0, "OpenBLAS"), (1, "OpenBLAS"), (2, None)])
def test_an_openblas_with_the_threads_of_openmp_is_left_alone(
    parallel: int, name: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Loaded:
        def __init__(self) -> None:
            for what, value in ("get_num_threads", 2), ("set_num_threads", None), ("get_parallel", parallel):
                setattr(self, f"openblas_{what}", ctypes.CFUNCTYPE(ctypes.c_int)(lambda value=value: value or 0))

    library.find_library.cache_clear()
    try:
        monkeypatch.setattr(library, "_loaded", lambda: iter([Loaded()]))
        found = library.find_library()
        assert (None if found is None else found.name) == name
    finally:
        library.find_library.cache_clear()


# --- another library's threads -------------------------------------------------------------------


def arrays(*sizes: int) -> list[Any]:
    """Return arrays of these sizes that take no memory."""
    return [numpy.broadcast_to(numpy.float32(0), (size,)) for size in sizes]


def test_after_another_librarys_call_small_products_run_in_one_thread_for_a_while(
    make: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    brake, fake = make()
    now = 100.0
    monkeypatch.setattr(threads, "_clock", lambda: now)
    small = [None, *arrays(1 << 10, 1 << 20)]
    assert not brake.crowded(small)
    brake.claim()
    assert brake.crowded(small) and brake.limited(fake.get_threads) == 1 and fake.count == 4
    assert not brake.crowded(), "a program chooses its threads when it is compiled"
    assert not brake.crowded(arrays(1 << 19, 1 << 20)), "the product takes longer than the other library's loss"
    now += threads.CLAIM + 0.01
    assert not brake.crowded(small) and brake.limited(fake.get_threads) == 4


def test_another_library_claims_nothing_where_the_limit_is_off(make: Callable[..., Any]) -> None:
    brake, _ = make()
    brake.chosen = threads.OFF
    brake.claim()
    assert not brake.crowded(arrays(1 << 10, 1 << 20))


class _Convolving:
    """A library that computes convolutions of more than one channel."""

    name = "a library"

    def compute(self, function: Any, a: Any, b: Any, w: Any, groups: int, last: bool) -> Any:
        return function(numpy, a, b, w, groups)

    def computes(self, name: str, shapes: Any, result: Any, dtype: Any, **attributes: Any) -> bool:
        return shapes[0][1] > 1


@pytest.mark.parametrize("flags", [{}, {"static_alloc": True}])
@pytest.mark.parametrize(("units", "gives_way"), [(32, True), (512, True), (4096, False)])
def test_a_numpy_program_gives_way_to_a_library_unless_its_own_products_are_large(
    units: int,
    gives_way: bool,
    flags: dict[str, Any],
    crowd: FakeLibrary,
    make: Callable[..., Any],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    brake, fake = make()
    monkeypatch.setattr(conv, "_library", _Convolving())
    monkeypatch.setattr(threads, "alone", brake.alone)
    monkeypatch.setattr(threads, "crowded", brake.crowded)
    net = nn.HybridSequential()
    net.add(nn.Conv2D(16, 3, in_channels=4), nn.Dense(units, in_units=16 * 26 * 26))
    net.initialize()
    net.hybridize(backend="numpy", **flags)
    x = nd.ones((1, 4, 28, 28))
    net(x)
    fake.told.clear()
    net(x)
    assert fake.told == ([1, 4] if gives_way else [])


# --- who asks ------------------------------------------------------------------------------------


@pytest.fixture
def crowd(make: Callable[..., Any], monkeypatch: pytest.MonkeyPatch) -> FakeLibrary:
    """A crowded machine: what is limited is seen in what the library was told."""
    brake, fake = make()
    judge(brake, 1.0)
    for name in ("crowded", "limited", "run"):
        monkeypatch.setattr(threads, name, getattr(brake, name))
    return fake


def test_eager_products_and_their_gradients_are_limited(crowd: FakeLibrary) -> None:
    a = nd.ones((64, 64))
    a.attach_grad()
    with autograd.record():
        y = nd.dot(a, a)
    assert crowd.told == [1, 4]
    y.backward()
    assert crowd.told == [1, 4] * 2
    nd.relu(a)
    assert crowd.told == [1, 4] * 2


@pytest.mark.parametrize("flags", [{}, {"static_alloc": True, "static_shape": True}])
def test_programs_with_large_products_are_limited(flags: dict[str, Any], crowd: FakeLibrary) -> None:
    net = nn.Dense(64, in_units=64)
    net.initialize()
    net.hybridize(**flags)
    x = nd.ones((64, 64))
    for _ in range(3):
        crowd.told.clear()
        net(x)
        assert crowd.told == [1, 4]
    with autograd.record():
        y = net(x)
    crowd.told.clear()
    y.backward()
    assert crowd.told == [1, 4]


def test_programs_with_small_products_never_ask(crowd: FakeLibrary) -> None:
    net = nn.HybridSequential()
    net.add(nn.Dense(256, activation="relu"), nn.Dense(128, activation="relu"), nn.Dense(2))
    net.initialize()
    net.hybridize()
    x = nd.ones((1, 512))
    with observe() as programs:
        net(x)
    crowd.told.clear()
    net(x)
    net(x)
    assert crowd.told == [] and not programs[0].forward.threaded


def test_operators_that_multiply_matrices_say_so(monkeypatch: pytest.MonkeyPatch) -> None:
    called: list[str] = []

    def watch(module: Any, name: str) -> None:
        function = getattr(module, name)

        def watched(*arguments: Any, **keywords: Any) -> Any:
            called.append(name)
            return function(*arguments, **keywords)

        monkeypatch.setattr(module, name, watched)

    samples = {op: operator_cases.samples_of(op) for op in set(all_operators())}
    for name in ("dot", "matmul", "tensordot", "inner", "vdot"):
        watch(numpy, name)
    decompositions = ("svd", "inv", "eigh", "eigvalsh", "eig", "eigvals", "qr", "solve", "cholesky", "det", "slogdet")
    for name in (*decompositions, "pinv"):
        watch(numpy.linalg, name)
    silent = set()
    rng = numpy.random.default_rng(0)
    for op, group in samples.items():
        for sample in group[:2]:
            called.clear()
            operator_cases.run_kernel(op, numpy, sample.arrays, sample.params, sample.training)
            if op.gradient_rule is not None:
                with contextlib.suppress(mx.MXNetError):  # those that have none say so
                    operator_cases.run_rule(sample, kernel_space(numpy), rng)
            if called and not op.threaded:
                silent.add((op.name, *called))
    assert not silent, "operator(..., threaded=True) is missing"
    assert samples[get_operator("dot")]


def test_processors_of_one_core_count_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(processors, "_PROCESSORS", tmp_path)
    for number, siblings in enumerate(["0,2", "1,3", "0,2", "1,3"]):
        (tmp_path / f"cpu{number}" / "topology").mkdir(parents=True)
        (tmp_path / f"cpu{number}" / "topology" / "thread_siblings_list").write_text(f"{siblings}\n")
    own = {0, 1, 2, 3}
    monkeypatch.setattr(processors, "own_processors", lambda: own)
    assert processors.cores() == 2
    own = {0, 2}
    assert processors.cores() == 1
    own = {0, 5}  # of which the system says nothing
    assert processors.cores() is None
    own = set[int]()  # nor whose they are
    assert processors.cores() is None


def test_a_busy_machine_is_noticed() -> None:
    program = (
        "import time, d2lhybrid as mx\n"
        "from d2lhybrid import nd\n"
        "from d2lhybrid.internals.compiler import threads\n"
        "a = nd.ones((80, 80))\n"
        "end = time.perf_counter() + 30\n"
        "while not (threads.brake.free or not threads.brake.works and threads.brake._started):\n"
        "    nd.dot(a, a)\n"
        "    assert time.perf_counter() < end\n"
        "print(threads.brake.works, threads.brake.free)\n"
    )
    environment = {k: v for k, v in os.environ.items() if k not in threads.VARIABLES}
    done = subprocess.run([sys.executable, "-c", program], env=environment, capture_output=True, text=True, check=True)
    works, free = done.stdout.split()
    if works == "True":
        assert 0 <= float(free) <= threads.affinity() + 0.5


def test_the_processors_are_counted_before_somebody_is_told_their_number(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(threads, "affinity", lambda: 6)
    monkeypatch.setattr(threads, "find_quota", lambda: None)
    monkeypatch.setattr(threads, "find_library", lambda: None)
    assert Brake().limit == 6
    brake = Brake()
    brake.limit = 1
    brake.start()
    assert brake.limit == 1
