"""Verdicts from measured times: faster, slower, equally fast, or unclear on a busy machine."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from ...support.display import Shown
from ...support.words import sentences, translate
from .measuring import Spread, Times, spread
from .units import factor

__all__ = [
    "LEAST_ROUNDS", "Verdict", "certain", "certainty", "headline", "known_factor", "sentence", "verdict_of",
]  # fmt: skip

#: The minimum number of rounds for a verdict; fewer rounds could agree by chance.
LEAST_ROUNDS = 5
#: If the interval is narrower than this and contains 1, the modes are equally fast.
_CLOSE = 1.2
#: If the interval is wider than this factor, the end closer to 1 is reported.
_WIDE = 2.0
_CERTAINTY = 0.95


def certain(values: Sequence[float]) -> Spread:
    """Return the median of values, and a confidence interval of the median.

    The interval contains the true median with 95% confidence for any distribution. Its ends are two of the values,
    whose ranks follow from the binomial distribution. For five or fewer values, the interval covers all values, with
    the confidence of :func:`certainty`. A quartile outside the interval replaces the nearer end.

    Examples
    --------
    >>> certain([1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0])
    Spread(median=5.0, lower=2.0, upper=8.0)
    """
    ordered, n = sorted(values), len(values)
    outside, tail = 0, 2 * 0.5**n  # the probability that the median is outside the range of the values
    while tail + 2 * math.comb(n, outside + 1) * 0.5**n <= 1 - _CERTAINTY and outside + 1 < n / 2:
        outside += 1
        tail += 2 * math.comb(n, outside) * 0.5**n
    quartiles = spread(values)
    return Spread(
        quartiles.median, min(quartiles.lower, ordered[outside]), max(quartiles.upper, ordered[n - 1 - outside])
    )


def certainty(count: int) -> int:
    """Return the confidence that an interval of :func:`certain` contains the true median, in percent, rounded down.

    Parameters
    ----------
    count : int
        Number of values.

    Examples
    --------
    >>> certainty(30), certainty(6), certainty(5)
    (95, 95, 93)
    """
    return min(round(100 * _CERTAINTY), int(100 * (1 - 2 * 0.5**count)))


@dataclass(frozen=True, repr=False)
class Verdict(Shown):
    """The verdict on one mode of a net.

    Attributes
    ----------
    way : str
        Name of the mode.
    kind : str
        ``"faster"`` or ``"slower"`` if the interval of the speed-up excludes 1, or ``"equal"`` if the interval contains
        1 and is narrow. The kind is ``"unclear"`` in all other cases, and after too few rounds.
    speed_up : Spread
        Median of the speed-up, and its interval.
    certainty : int
        Confidence that the interval contains the true median, in percent.
    """

    way: str
    kind: str
    speed_up: Spread
    certainty: int = 95


def verdict_of(way: str, speed_ups: Sequence[float]) -> Verdict:
    """Return the verdict on a mode from the speed-ups of all rounds.

    Parameters
    ----------
    way : str
        Name of the mode.
    speed_ups : sequence of float
        The speed-up of each round.

    Returns
    -------
    Verdict
        The verdict.

    Examples
    --------
    >>> verdict_of("hybridized", [3.0, 3.1, 2.9, 3.2, 3.0]).kind
    'faster'
    >>> verdict_of("hybridized", [3.0, 0.1, 2.9, 14.6, 3.0]).kind
    'unclear'
    """
    found = certain(speed_ups)
    kind = "unclear"
    if len(speed_ups) >= LEAST_ROUNDS:
        if found.lower > 1:
            kind = "faster"
        elif found.upper < 1:
            kind = "slower"
        elif found.upper <= _CLOSE * found.lower:
            kind = "equal"
    return Verdict(way, kind, found, certainty(len(speed_ups)))


_HEADLINES = {
    "faster": "{factor} faster",
    "slower": "{factor} slower",
    "equal": "as fast",
    "unclear": "Your machine is busy",
    "at least faster": "{median} faster here, certain: {factor}",
    "at least slower": "{median} slower here, certain: {factor}",
}
_SMALL = {
    "faster": "{way}, compared with eager. Between {lower} and {upper}, with {certainty}% confidence.",
    "equal": "{way}: the speed-up is between {lower} and {upper}, with {certainty}% confidence.",
    "unclear": (
        "{way}: the speed-up is anywhere between {lower} and {upper}, so these measurements do not show whether "
        "it is faster. Stop other programs, and measure again."
    ),
}
_SMALL["slower"] = _SMALL["faster"]
_MEDIANS = (
    "The bars are medians, and their ratio is {ratio}: the speed of the machine changed between the rounds, and "
    "the headline compares only calls of the same round."
)
#: A larger factor between the median of the ratios and the ratio of the medians is explained.
_APART = 1.1
_SENTENCES = {
    "faster": "{way} is {factor} faster ({lower} – {upper}).",
    "slower": "{way} is slower: {factor} ({lower} – {upper}).",
    "equal": "{way} is as fast as eager ({lower} – {upper}).",
    "unclear": "{way}: these measurements do not show whether it is faster ({lower} – {upper}).",
    "at least faster": "{way} is at least {factor} faster ({lower} – {upper}).",
    "at least slower": "{way} is at least {factor} slower ({lower} – {upper}).",
}


def _values(verdict: Verdict) -> dict[str, str]:
    found = verdict.speed_up
    ends = {"lower": factor(found.lower), "upper": factor(found.upper)}
    return {"way": verdict.way, "certainty": str(verdict.certainty)} | ends


def known_factor(verdict: Verdict) -> str:
    """Return a speed-up as text: the median, the end of a wide interval closer to 1, or ``""`` for an unclear verdict.

    Examples
    --------
    >>> known_factor(Verdict("hybridized", "faster", Spread(3.0, 2.8, 3.1)))
    '3.00×'
    >>> known_factor(Verdict("hybridized", "faster", Spread(28.5, 1.5, 244.0)))
    '≥ 1.50×'
    """
    found = verdict.speed_up
    if verdict.kind == "unclear":
        return ""
    if not _claim(verdict)[0].startswith("at least"):
        return factor(found.median)
    return f"≥ {factor(found.lower)}" if verdict.kind == "faster" else f"≤ {factor(found.upper)}"


def _claim(verdict: Verdict) -> tuple[str, str]:
    """Return the key of the text, and the factor: the median, or the end closer to 1 of a wide interval."""
    found, kind = verdict.speed_up, verdict.kind
    if kind in ("faster", "slower") and found.upper > _WIDE * found.lower:
        return f"at least {kind}", factor(found.lower if kind == "faster" else 1 / found.upper)
    ratio = found.median
    return kind, factor(1 / ratio if kind == "slower" and ratio else ratio)


def headline(verdict: Verdict, ratio: float | None = None) -> dict[str, str]:
    """Return the headline of a verdict as a dictionary with ``kind`` and the texts ``big`` and ``small``.

    Parameters
    ----------
    verdict : Verdict
        The verdict.
    ratio : float, optional
        Ratio of the median times that the picture shows. If it differs from the speed-up, a sentence explains why.

    Examples
    --------
    >>> verdict = Verdict("hybridized", "faster", Spread(3.0, 2.8, 3.1))
    >>> headline(verdict, 3.05)["small"]
    'hybridized, compared with eager. Between 2.80× and 3.10×, with 95% confidence.'
    >>> "their ratio is 6.00×" in headline(verdict, 6.0)["small"]
    True
    """
    claim, by = _claim(verdict)
    median = verdict.speed_up.median
    seen = factor(1 / median if verdict.kind == "slower" and median else median)
    small = translate(_SMALL[verdict.kind], **_values(verdict))
    if verdict.kind in ("faster", "slower") and ratio and not 1 / _APART < ratio / median < _APART:
        shown = factor(1 / ratio if verdict.kind == "slower" else ratio)
        small = sentences(small, translate(_MEDIANS, ratio=shown))
    return {"kind": verdict.kind, "big": translate(_HEADLINES[claim], factor=by, median=seen), "small": small}


def sentence(verdict: Verdict) -> str:
    """Return the verdict as a sentence.

    Examples
    --------
    >>> sentence(Verdict("hybridized", "faster", Spread(3.0, 2.8, 3.1)))
    'hybridized is 3.00× faster (2.80× – 3.10×).'
    >>> sentence(Verdict("hybridized", "faster", Spread(28.5, 1.5, 244.0)))
    'hybridized is at least 1.50× faster (1.50× – 244×).'
    """
    claim, by = _claim(verdict)
    by = by if claim != "slower" else factor(verdict.speed_up.median)
    return translate(_SENTENCES[claim], factor=by, **_values(verdict))


def saved_by(first: Times, other: Times) -> float:
    """Return the time in seconds that a mode saves in a call: the median of the rounds' differences from eager mode.

    Parameters
    ----------
    first, other : Times
        The times of eager mode, and of the other mode.

    Returns
    -------
    float
        The time in seconds; negative if the other mode is slower.
    """
    return spread([a - b for a, b in zip(first.seconds, other.seconds, strict=True)]).median
