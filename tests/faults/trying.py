"""Try a fault at some or all lines of a scenario, and count."""

from __future__ import annotations

import os
import random
import resource
import signal
import threading
import time
import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy

from .lines import at_line, interrupt, lines_of, pause
from .scenarios import FirstCall, Scenario, check, check_switches

#: How long a child of a fork may take.
SECONDS = 60


@dataclass
class Outcome:
    """How often a fault was tried, and where something was lost."""

    fault: str
    scenario: str
    tried: int = 0
    lost: list[str] = field(default_factory=list)

    def note(self, n: int, act: Callable[[], None]) -> None:
        """Call what checks, and note what it finds."""
        self.tried += 1
        try:
            act()
        except Exception as failure:
            self.lost.append(f"line {n}: {type(failure).__name__}: {failure}")

    def row(self) -> str:
        """Return the row of a table."""
        return f"{self.fault:<34}{self.scenario:<28}{self.tried:>7}{self.tried - len(self.lost):>10}{len(self.lost):>6}"


def chosen(moments: Sequence[int], wanted: int | None) -> Sequence[int]:
    """Return all moments, or so many of them: the ends, and some by chance."""
    if wanted is None or wanted >= len(moments):
        return moments
    some = random.Random(len(moments)).sample(moments, wanted)
    return sorted({moments[0], moments[-1], *some})


def moments_of(scenario: Scenario) -> list[int]:
    """Return when each line of a scenario runs for the first and for the last time.

    Whatever is imported late is there by then.
    """
    lines: list[Any] = []
    for _ in range(2):
        scenario.prepare()
        lines = lines_of(scenario.act)
        scenario.check()
    first = {line: n for n, line in reversed(list(enumerate(lines)))}
    last = {line: n for n, line in enumerate(lines)}
    return sorted({*first.values(), *last.values()})


def interruptions(make: type[Scenario], wanted: int | None = None) -> Outcome:
    """Raise KeyboardInterrupt at lines of a scenario."""
    scenario = make()
    outcome = Outcome("Ctrl-C", scenario.name)
    try:
        for n in chosen(moments_of(scenario), wanted):
            scenario.prepare()
            if interrupt(scenario.act, n):
                outcome.note(n, scenario.check)
                if getattr(scenario, "strays", None):
                    outcome.lost.append(f"line {n}: a file was left: {scenario.strays}")
    finally:
        scenario.close()
    return outcome


def in_a_child(act: Callable[[], Any]) -> int:
    """Call a function in a fork; return how the child ended: 0 well, 1 with an error, negative with a signal."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # that threads are lost in the child is the point
        child = os.fork()
    if child == 0:
        code = 1
        try:
            act()
            code = 0
        except BaseException:
            code = 1
        finally:
            os._exit(code)
    deadline = time.monotonic() + SECONDS
    while time.monotonic() < deadline:
        ended, status = os.waitpid(child, os.WNOHANG)
        if ended:
            return os.waitstatus_to_exitcode(status)
        time.sleep(0.001)
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    raise AssertionError("the child of a fork hangs")


def kills(make: type[Scenario], wanted: int | None = None) -> Outcome:
    """Kill a process at lines of what it writes."""
    scenario = make()
    outcome = Outcome("kill", scenario.name)
    try:
        for n in chosen(moments_of(scenario), wanted):
            scenario.prepare()

            def killed(n: int = n) -> None:
                with at_line(n, lambda: os.kill(os.getpid(), signal.SIGKILL)):
                    scenario.act()

            if in_a_child(killed) == -signal.SIGKILL:
                outcome.note(n, scenario.check)
    finally:
        scenario.close()
    return outcome


def full_disks(make: type[Scenario], wanted: int | None = None) -> Outcome:
    """Let files grow to some length only."""
    scenario = make()
    outcome = Outcome("full disk", scenario.name)
    try:
        scenario.prepare()
        longest = max(map(len, scenario.old.values()))  # type: ignore[attr-defined]
        for n in chosen(range(longest), 40 if wanted is None else wanted):
            scenario.prepare()

            def full(n: int = n) -> None:
                resource.setrlimit(resource.RLIMIT_FSIZE, (n, n))
                scenario.act()

            if in_a_child(full) == (0 if scenario.silent else 1):
                outcome.note(n, scenario.check)
                if scenario.strays:  # type: ignore[attr-defined]
                    outcome.lost.append(f"byte {n}: a file was left")
    finally:
        scenario.close()
    return outcome


def forks(wanted: int | None = None) -> Outcome:
    """Fork while another thread is at a line of a first call; the child calls the net, too."""
    scenario = FirstCall()
    outcome = Outcome("fork", "first call in a thread")
    for n in chosen(moments_of(scenario), wanted):
        scenario.prepare()

        def child() -> None:
            scenario.check()

        def fork(n: int = n, child: Callable[[], None] = child) -> None:
            outcome.note(n, lambda: check(in_a_child(child) == 0, "the child has failed"))

        for failure in pause(scenario.act, n, fork):
            outcome.lost.append(f"line {n}: in the parent: {failure!r}")
        scenario.check()
    return outcome


def two_threads(wanted: int | None = None, make: type[Scenario] = FirstCall) -> Outcome:
    """Let one thread wait at a line of a first call while another one makes the same call."""
    scenario = make()
    outcome = Outcome("another thread", scenario.name)
    for n in chosen(moments_of(scenario), wanted):
        scenario.prepare()
        failures: list[Any] = []
        results: list[Any] = []

        def call(results: list[Any] = results, failures: list[Any] = failures) -> None:
            try:
                results.append(scenario.net(scenario.x).asnumpy())
            except BaseException as failure:
                failures.append(failure)

        other = threading.Thread(target=call)

        def meanwhile(other: threading.Thread = other) -> None:
            other.start()
            other.join(0.02)  # it may have to wait for the first one

        failures += pause(call, n, meanwhile)
        other.join(SECONDS)

        def judge(failures: list[Any] = failures, results: list[Any] = results) -> None:
            check(not failures, f"a thread has failed: {failures}")
            check(len(results) == 2 and numpy.array_equal(*results), "two threads got different results")
            check_switches()
            scenario.check()

        outcome.note(n, judge)
    return outcome
