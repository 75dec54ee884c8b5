"""The breakdown of a call's time into kernels and the Python code around them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from d2lhybrid import autograd
from d2lhybrid.gluon import HybridBlock

from ...ops.kernel_timing import timed_kernels
from ...reports.report import explain
from ...support.display import Shown
from ...support.words import translate
from .measuring import Spread, Times, spread
from .units import seconds_text
from .ways import Subject, Way

__all__ = ["METHODS", "NO_PROGRAM", "Where", "part_of", "shrinking", "where_the_time_goes"]

#: Descriptions of the methods of measurement.
METHODS = {
    "imperative": (
        "In further calls, the kernel of every operator was timed (its NumPy or CuPy functions); "
        "'Python' is the rest of the median call: functions, dispatch, checks, wrapping, the tape."
    ),
    "compiled": (
        "Each line of the generated program was timed "
        "(net.explain(x, profile=True)); 'Python' is the rest of the median call: finding the program, and wrapping."
    ),
}
NO_PROGRAM = (
    "{net} is not a HybridBlock: its parts are compiled separately, and there is no program of the whole to run line "
    "by line."
)
_APART = (
    "{way}: the breakdown of the time is not shown. During its measurement, a call took {whole} and its kernels "
    "{kernels}; before, a call took {median}. The parts do not add up to the whole: the machine was busy."
)
_SHRINK = (
    "Python around the kernels: {before} before, {after} after. The kernels shrink, too, from {old} to {new}: less is "
    "left to do where operators were joined, results are written into memory that is there already, parameters were "
    "prepared beforehand, and the Python inside of an operator is gone."
)
_STAY = "The kernels take about as long as before; the savings are around them: {before} before, {after} after."
_ROUNDS = 7
#: The tolerances for the sum of the parts, as fractions of the median call: below, and above.
_SLACK = (0.1, 0.25)


@dataclass(frozen=True, repr=False)
class Where(Shown):
    """The parts of the median call in a mode, in seconds.

    Attributes
    ----------
    way : str
        Name of the mode.
    kernels : float
        Time inside kernels.
    count : int
        Number of kernels that were called, or of program lines that ran.
    python : float or None
        Remaining time; None if it is too small to measure, because the kernels alone took longer than the median call.
    """

    way: str
    kernels: float
    count: int
    python: float | None


def where_the_time_goes(
    subject: Subject, times: list[Times], ways: list[Way], clock: Callable[[], float]
) -> tuple[list[Where], list[tuple[str, dict[str, str]]]]:
    """Measure the parts of the time of an eager call, and of a compiled call.

    Parameters
    ----------
    subject : Subject
        The net.
    times : list of Times
        Times of the modes.
    ways : list of Way
        The modes, with the net's programs in each mode.
    clock : callable
        Function that returns the time in seconds.

    Returns
    -------
    list of Where
        Parts for ``"imperative"`` and for the first compiled mode, if they were measured.
    list of (str, dict)
        Reasons for missing parts: a text to translate, and its values.
    """
    found: list[Where] = []
    missing: list[tuple[str, dict[str, str]]] = []
    compiled = False
    for result, way in zip(times, ways, strict=True):
        if way.name != "imperative" and compiled:
            continue
        subject.switch(way)
        whole = [_whole(subject, result.calls, clock) for _ in range(_ROUNDS)]
        if way.name == "imperative":
            kernels, count = _eager(subject, result.calls, clock)
        else:
            compiled = True
            if not isinstance(subject.net, HybridBlock):
                missing.append((NO_PROGRAM, {"net": type(subject.net).__name__}))
                continue
            kernels, count = _compiled(subject, result.calls, clock)
        whole += [_whole(subject, result.calls, clock) for _ in range(_ROUNDS)]
        part = part_of(result, spread(whole), kernels, count)
        if isinstance(part, Where):
            found.append(part)
        else:
            missing.append(part)
    return found, missing


def part_of(times: Times, whole: Spread, kernels: Spread, count: int) -> Where | tuple[str, dict[str, str]]:
    """Return the parts of a call, or the reason to omit the parts if they contradict the earlier measurement.

    Parameters
    ----------
    times : Times
        Times of the measured calls.
    whole : Spread
        Times of calls during the measurement of kernels.
    kernels : Spread
        Times of the kernels in a call.
    count : int
        Number of kernels.
    """
    call = times.spread
    slack = min(max(call.upper - call.lower, _SLACK[0] * call.median), _SLACK[1] * call.median)
    rest = call.median - kernels.median
    if abs(whole.median - call.median) > slack or kernels.upper - kernels.lower > slack or rest < -slack:
        shown = {"whole": whole.median, "median": call.median, "kernels": kernels.median}
        return _APART, {"way": times.way} | {name: seconds_text(value) for name, value in shown.items()}
    return Where(times.way, kernels.median, count, rest if rest > 0 else None)


def shrinking(where: list[Where]) -> list[str]:
    """Return a list with at most one sentence, about the change of the kernels' time between two modes."""
    if len(where) < 2 or any(part.python is None for part in where[:2]):
        return []
    old, new = where[:2]
    text = _SHRINK if new.kernels < 0.9 * old.kernels else _STAY
    if new.kernels > 1.1 * old.kernels or (text is _STAY and (new.python or 0.0) >= (old.python or 0.0)):
        return []
    return [translate(text, old=seconds_text(old.kernels), new=seconds_text(new.kernels),
                      before=seconds_text(old.python or 0.0), after=seconds_text(new.python or 0.0))]  # fmt: skip


def _whole(subject: Subject, calls: int, clock: Callable[[], float]) -> float:
    start = clock()
    for _ in range(calls):
        subject.step()
    return (clock() - start) / calls


def _eager(subject: Subject, calls: int, clock: Callable[[], float]) -> tuple[Spread, int]:
    """Return the time in kernels and the number of kernels in a call, from rounds with ``calls`` calls each."""
    seconds, counts = [], []
    with timed_kernels(clock, subject.wait) as kernels:
        for _ in range(_ROUNDS + 1):
            kernels.seconds, kernels.calls = 0.0, 0
            for _ in range(calls):
                subject.step()
            seconds.append(kernels.seconds / calls)
            counts.append(kernels.calls // calls)
    return spread(seconds[1:]), counts[-1]


def _compiled(subject: Subject, calls: int, clock: Callable[[], float]) -> tuple[Spread, int]:
    """Return the time and the number of the program's computing lines; with a loss, include the loss's kernels."""
    scope: Any = autograd.pause() if subject.loss is None else autograd.record()
    with scope:
        report = explain(subject.net, subject.inputs, profile=True)
    assert report.profile is not None
    lines = [line for line in report.profile.lines if line.operator]
    seconds, count = sum(line.microseconds for line in report.profile.lines) * 1e-6, len(lines)
    if subject.loss is None:
        return Spread(seconds, seconds, seconds), count
    more, kernels = _eager(subject, calls, clock)  # the loss is a separate block, and may run eagerly
    return Spread(*(seconds + part for part in (more.median, more.lower, more.upper))), count + kernels
