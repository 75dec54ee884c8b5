"""Whether two runs of a program saw the same, up to rounding."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy

__all__ = ["Seen", "difference"]

#: What a run saw: name, numbers, context.
Seen = list[tuple[str, Any, str]]

#: Differences of so many times what noise makes are still rounding.
SAFETY = 8.0


def _tolerance(expected: Any, noisy: Sequence[Any], scale: float, absolute: float) -> Any:
    """Return by how much each element may differ; infinite where noise decides between a number and none."""
    eps = float(numpy.finfo(expected.dtype).eps)
    with numpy.errstate(all="ignore"):
        true = expected.astype("float64")
        spread = numpy.zeros(expected.shape)
        for run in noisy:
            same = (run == expected) | (numpy.isnan(run) & numpy.isnan(expected))
            moved = numpy.where(same, 0.0, numpy.abs(run.astype("float64") - true))
            spread = numpy.fmax(spread, numpy.where(numpy.isnan(moved), numpy.inf, moved))
        size = numpy.where(numpy.isfinite(true), numpy.abs(true), 0.0)
        tiny = float(numpy.finfo(expected.dtype).tiny)
        spread = numpy.where(
            spread > max(0.01, 100 * eps) * numpy.maximum(size, 1), numpy.inf, spread
        )  # no digit is certain
        return scale * (SAFETY * spread + 4 * eps * size + tiny) + absolute


def _differs(name: str, expected: Any, found: Any, noisy: Sequence[Any], scale: float, absolute: float) -> str:
    if found.dtype != expected.dtype:
        return f"{name}: dtype {found.dtype}, expected {expected.dtype}"
    if found.shape != expected.shape:
        return f"{name}: shape {found.shape}, expected {expected.shape}"
    if expected.dtype.kind != "f":
        certain = numpy.ones(expected.shape, bool)
        for run in noisy:
            certain &= run == expected
        wrong = certain & (found != expected)
    else:
        with numpy.errstate(all="ignore"):
            same = (found == expected) | (numpy.isnan(found) & numpy.isnan(expected))
            gap = numpy.abs(found.astype("float64") - expected.astype("float64"))
            tolerance = _tolerance(expected, noisy, scale, absolute)
            wrong = ~same & ~(gap <= tolerance) & ~numpy.isinf(tolerance)
            zeros = (found == 0) & (expected == 0)
            certain = numpy.ones(expected.shape, bool)
            for run in noisy:
                certain &= (run == 0) & (numpy.signbit(run) == numpy.signbit(expected))
            if (
                "output" in name and not absolute
            ):  # what a gradient adds up may be added in another order, zeros among it
                wrong |= zeros & certain & (numpy.signbit(found) != numpy.signbit(expected))
    if not wrong.any():
        return ""
    where = tuple(int(i) for i in numpy.argwhere(wrong)[0])
    count = int(wrong.sum())
    return f"{name}: {found[where]!s} at {where}, expected {expected[where]!s} ({count} of {wrong.size} differ)"


def difference(
    expected: Seen, found: Seen, noisy: Sequence[Seen] = (), scale: float = 1.0, absolute: float = 0.0
) -> str:
    """Return the first difference between what two runs saw, in words; empty if there is none.

    Parameters
    ----------
    expected, found : list
        What the runs saw.
    noisy : sequence of list
        What runs with noise saw: how far rounding may carry.
    scale : float
        How much more the second run may round.
    absolute : float
        By how much a number may differ however small it is.
    """
    if [n for n, _, _ in expected] != [n for n, _, _ in found]:
        names = [n for n, _, _ in expected], [n for n, _, _ in found]
        return f"what can be seen: {[n for n in names[1] if n not in names[0]]} instead of " + str(
            [n for n in names[0] if n not in names[1]]
        )
    for i, ((name, mine, ctx), (_, theirs, other)) in enumerate(zip(expected, found, strict=True)):
        if ctx != other:
            return f"{name}: context {other}, expected {ctx}"
        runs = [run[i][1] for run in noisy if i < len(run) and run[i][1].shape == mine.shape]
        if text := _differs(name, mine, theirs, runs, scale, absolute):
            return text
    return ""
