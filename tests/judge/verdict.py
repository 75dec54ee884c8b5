"""Whether both sides saw the same, up to what float32 can hold.

How far rounding carries is found by running a program again: here with kernels that round at random, and on both sides
from numbers moved by about one unit in the last place. Where such runs agree, a number is certain; where they spread,
the sides may differ likewise, and where no digit of it is certain, it may be any.

A program in float32 is also run here in float64. What both sides lose against that is rounding, too: a `tanh` that is
1 in float32 stays 1 in every run with noise, and its gradient is 0. It is the smaller loss of the two that counts, so
that a side which alone computes inexactly is found.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import numpy

from .sides import Answer

__all__ = ["difference"]

#: Differences of so many times what noise makes are still rounding.
SAFETY = 16.0
#: What sums of another order, and functions that are approximated, may do besides: relative to the number, in units in
#: the last place, and to the largest of its array.
_UNITS, _OF_LARGEST = 32.0, 2e-6


def _moved(run: Any, base: Any) -> Any:
    """Return by how much each number of a run with noise differs; infinite between a number and none."""
    if run.shape != base.shape:
        return numpy.full(base.shape, numpy.inf)
    same = (run == base) | (numpy.isnan(run) & numpy.isnan(base))
    moved = numpy.where(same, 0.0, numpy.abs(run.astype("float64") - base))
    return numpy.where(numpy.isnan(moved), numpy.inf, moved)


def _wrong(ours: Any, theirs: Any, spread: Any) -> Any:
    if ours.dtype.kind != "f":
        return (ours != theirs) & (spread == 0)
    eps = float(numpy.finfo(ours.dtype).eps)
    true = theirs.astype("float64")
    size = numpy.where(numpy.isfinite(true), numpy.abs(true), 0.0)
    largest = float(size.max(initial=0.0))
    lost = spread > max(0.02, 100 * eps) * numpy.maximum(size, 1e-3 * largest)  # no digit is certain
    tolerance = SAFETY * spread + _UNITS * eps * size + _OF_LARGEST * (eps / 2.0**-23) * largest + 1e-30
    same = (ours == theirs) | (numpy.isnan(ours) & numpy.isnan(theirs))
    return ~same & ~(numpy.abs(ours - true) <= tolerance) & ~lost


def _lost_by_both(ours: Any, theirs: Any, exact: Any) -> Any:
    """Return how far both sides are, at least, from what float64 gives: each number, and half of all in proportion."""
    if exact is None or exact.shape != ours.shape or ours.dtype.kind != "f":
        return 0.0
    lost = numpy.fmin(numpy.abs(ours - exact), numpy.abs(theirs - exact))
    lost, size = numpy.where(numpy.isfinite(lost), lost, 0.0), numpy.abs(exact)
    there = numpy.isfinite(size) & (size > 0)
    return numpy.fmax(lost, size * numpy.median(lost[there] / size[there])) if there.any() else lost


def _array_differs(ours: Any, theirs: Any, runs: Sequence[tuple[Any, Any]], exact: Any, besides: float) -> str:
    if ours.shape != theirs.shape:
        # Which rows a gradient keeps may hang on whether its norm is 0: a run with noise then keeps the other side's.
        if any(numpy.array_equal(run, ours if base is theirs else theirs) for run, base in runs):
            return ""
        return f"shape {ours.shape} here, {theirs.shape} in MXNet"
    if ours.dtype != theirs.dtype:
        return f"{ours.dtype} here, {theirs.dtype} in MXNet"
    with numpy.errstate(all="ignore"):
        spread = numpy.zeros(ours.shape)
        for run, base in runs:
            spread = numpy.fmax(spread, _moved(run, base))
        spread = numpy.fmax(spread, _lost_by_both(ours, theirs, exact))
        wrong = _wrong(ours, theirs, spread + besides / SAFETY)
    if not wrong.any():
        return ""
    where = tuple(int(i) for i in numpy.argwhere(wrong)[0])
    place = f" at {where[0] if len(where) == 1 else where}" if where else ""
    return f"{ours[where]!s} here, {theirs[where]!s} in MXNet{place} ({int(wrong.sum())} of {wrong.size} differ)"


def difference(
    ours: Answer,
    theirs: Answer,
    again: Sequence[Answer] = (),
    theirs_again: Sequence[Answer] = (),
    exact: Answer | None = None,
    base: Answer | None = None,
) -> tuple[str, str]:
    """Return what differs first, as its name and in words; two empty texts if nothing does.

    Parameters
    ----------
    ours, theirs : Answer
        What the sides saw.
    again, theirs_again : sequence of Answer
        What runs with noise saw.
    exact : Answer, optional
        What a run of a program of float32 here saw in float64.
    base : Answer, optional
        What the runs of `again` would see without noise; that is `ours` by default.
    """
    base = ours if base is None else base
    outputs = 0.0  # losses are differences of numbers of this size
    for i in range(min(len(ours.seen), len(theirs.seen))):
        (name, mine), (other, right) = ours.seen[i], theirs.seen[i]
        if name != other:
            return "order", f"{name!r} is seen here, {other!r} in MXNet"
        if re.search(r": (output|prediction|result)", name) and right.size and right.dtype.kind == "f":
            outputs = max(outputs, float(numpy.nan_to_num(numpy.abs(right), posinf=0.0).max()))
        same = i < len(base.seen) and base.seen[i][0] == name and base.seen[i][1].shape == mine.shape
        start = base.seen[i][1] if same else mine
        runs = [(a.seen[i][1], start) for a in again if i < len(a.seen) and a.seen[i][0] == name]
        runs += [(a.seen[i][1], right) for a in theirs_again if i < len(a.seen) and a.seen[i][0] == name]
        of_outputs = right.dtype.kind == "f" and re.search(r": (loss|result)", name)
        besides = _UNITS * float(numpy.finfo(right.dtype).eps) * outputs if of_outputs else 0.0
        true = exact.seen[i][1] if exact and i < len(exact.seen) and exact.seen[i][0] == name else None
        if text := _array_differs(mine, right, runs, true, besides):
            return name, text
    mine, right = (_first_line(a.error) or "no error" for a in (ours, theirs))
    if ours.kind != theirs.kind:
        return "error", f"{mine} here, {right} in MXNet"
    if len(ours.seen) != len(theirs.seen):
        return "error", f"{mine} after {len(ours.seen)} numbers here, {right} after {len(theirs.seen)} in MXNet"
    return "", ""


def _first_line(error: str) -> str:
    lines = [line for line in error.splitlines() if line.strip() and not line.startswith("Stack trace")]
    text = next(iter(lines), "")
    if re.fullmatch(r"\w+: Traceback .*", text):  # MXNet's errors begin with where they come from
        text = f"{text.partition(':')[0]}: {lines[-1]}"
    return text[:300]
