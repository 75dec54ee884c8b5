"""Where the time of a call goes: into kernels, or into Python around them."""

from __future__ import annotations

import statistics
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from ... import autograd
from ...compiler.report import explain
from ...gluon import HybridBlock
from ...ops.watching import timed_kernels
from ...support.words import translate
from .measuring import Times
from .ways import Subject, Way

__all__ = ["METHODS", "NO_PROGRAM", "Where", "where_the_time_goes"]

#: How each is measured, in words.
METHODS = {
    "imperative": (
        "In further calls, a stopwatch stood around the kernel of every operator (its NumPy or CuPy functions); "
        "'Python' is the rest of the median call: functions, dispatch, checks, wrapping, the tape."
    ),
    "compiled": (
        "The generated program was run line by line, each line with its own stopwatch "
        "(net.explain(x, profile=True)); 'Python' is the rest of the median call: finding the program, and wrapping."
    ),
}
NO_PROGRAM = (
    "{net} is no HybridBlock: its parts are compiled one by one, and there is no program of the whole to be run line "
    "by line."
)
_ROUNDS = 7


@dataclass(frozen=True)
class Where:
    """The parts of the median call of one way, in seconds.

    Attributes
    ----------
    way : str
        Which way.
    kernels : float
        Measured inside of kernels.
    count : int
        How many kernels were called, or lines of the program run.
    python : float or None
        The rest; None if the kernels alone took longer than the median call, which is noise: then the rest is too
        small to be measured.
    """

    way: str
    kernels: float
    count: int
    python: float | None


def where_the_time_goes(
    subject: Subject, times: list[Times], ways: list[Way], clock: Callable[[], float]
) -> tuple[list[Where], list[str]]:
    """Measure the parts of a call run line by line and of a compiled one.

    Returns
    -------
    list of Where
        For ``"imperative"`` and for the first compiled way, as far as they were measured.
    list of str
        What could not be measured, and why.
    """
    found, missing = [], []
    compiled = False
    for result, way in zip(times, ways, strict=True):
        if way.name != "imperative" and compiled:
            continue
        subject.switch(way)
        if way.name == "imperative":
            seconds, count = _eager(subject, result.calls, clock)
        else:
            compiled = True
            if not isinstance(subject.net, HybridBlock):
                missing.append(translate(NO_PROGRAM, net=type(subject.net).__name__))
                continue
            seconds, count = _compiled(subject, result.calls, clock)
        rest = result.spread.median - seconds
        found.append(Where(way.name, seconds, count, rest if rest > 0 else None))
    return found, missing


def _eager(subject: Subject, calls: int, clock: Callable[[], float]) -> tuple[float, int]:
    """Return the seconds in kernels and their number in one call: medians over rounds of as many calls as before."""
    seconds, counts = [], []
    with timed_kernels(clock, subject.wait) as kernels:
        for _ in range(_ROUNDS + 1):
            kernels.seconds, kernels.calls = 0.0, 0
            for _ in range(calls):
                subject.step()
            seconds.append(kernels.seconds / calls)
            counts.append(kernels.calls // calls)
    return statistics.median(seconds[1:]), counts[-1]


def _compiled(subject: Subject, calls: int, clock: Callable[[], float]) -> tuple[float, int]:
    """Return the seconds in lines of the program that compute, and their number; with a loss, its kernels too."""
    scope: Any = autograd.pause() if subject.loss is None else autograd.record()
    with scope:
        report = explain(subject.net, subject.inputs, profile=True)
    assert report.profile is not None
    lines = [line for line in report.profile.lines if line.operator]
    seconds, count = sum(line.microseconds for line in report.profile.lines) * 1e-6, len(lines)
    if subject.loss is not None:  # the loss is a block of its own, and may run line by line
        more, kernels = _eager(subject, calls, clock)
        seconds, count = seconds + more, count + kernels
    return seconds, count
