"""Statistical tests of random numbers, which reject a right answer only once in millions of runs.

Every threshold is about seven standard deviations away from the expected value. The number of samples is so large that
typical mistakes are far beyond the threshold.
"""

from __future__ import annotations

import functools
import itertools
from statistics import NormalDist

import numpy

__all__ = ["are_dependent", "is_normal", "is_related", "is_share"]

_DEVIATIONS = 7.0
_BINS = 40
#: The threshold for the sum of the squared means of these polynomials; random numbers exceed it with probability 1e-12.
_POLYNOMIALS, _EVEN = 10, 78.0


def is_share(seen: numpy.ndarray, probability: float) -> bool:
    """Return whether the fraction of true elements in an array is compatible with a probability."""
    bound = _DEVIATIONS * (probability * (1 - probability) / seen.size) ** 0.5
    return bool(abs(seen.mean() - probability) < bound)


def is_normal(numbers: numpy.ndarray) -> bool:
    """Return whether numbers look like samples of the standard normal distribution.

    With a million numbers, the test also rejects sums of twelve uniform numbers, a common approximation.

    Examples
    --------
    >>> rng = numpy.random.default_rng(0)
    >>> is_normal(rng.normal(0, 1, 60000)), is_normal(rng.uniform(-(3**0.5), 3**0.5, 60000))
    (True, False)
    >>> is_normal(rng.uniform(-0.5, 0.5, (12, 10**6)).sum(axis=0))
    False
    """
    places, below = _normal_shares()
    steps = numpy.rint((numbers.ravel() - places[0]) * ((places.size - 1) / (places[-1] - places[0])))
    counts = numpy.bincount(numpy.fmin(numpy.fmax(steps, 0), places.size - 1).astype(int), minlength=places.size)
    shares = counts / numbers.size
    bins = numpy.bincount(numpy.minimum((below * _BINS).astype(int), _BINS - 1), shares)
    alike = numpy.abs(bins - 1 / _BINS).max() < _DEVIATIONS * ((1 / _BINS) * (1 - 1 / _BINS) / numbers.size) ** 0.5
    far = all(is_share(numpy.abs(numbers) > z, 2 * NormalDist().cdf(-z)) for z in (3, 4))
    return bool(alike and far and _evenness(below, shares) * numbers.size < _EVEN)


@functools.cache
def _normal_shares() -> tuple[numpy.ndarray, numpy.ndarray]:
    """Return points, and the probability that a normal number is below each point."""
    places = numpy.linspace(-6, 6, 48001)
    return places, numpy.array([NormalDist().cdf(place) for place in places])


def _evenness(below: numpy.ndarray, shares: numpy.ndarray) -> float:
    """Return a measure of how far numbers in [0, 1] are from uniform (a smooth test with Legendre polynomials)."""
    x, total = 2 * below - 1, 0.0
    before, now = numpy.ones_like(x), x
    for k in range(1, _POLYNOMIALS + 1):
        total += (2 * k + 1) * float(now @ shares) ** 2
        before, now = now, ((2 * k + 1) * x * now - k * before) / (k + 1)
    return total


def is_related(a: numpy.ndarray, b: numpy.ndarray) -> bool:
    """Return whether the correlation of two arrays of equal size is significant."""
    return bool(abs(numpy.corrcoef(a.ravel(), b.ravel())[0, 1]) > _DEVIATIONS / a.size**0.5)


def are_dependent(numbers: numpy.ndarray) -> bool:
    """Return whether an array is correlated with a shifted or mirrored copy of itself along any axes.

    Examples
    --------
    >>> rng = numpy.random.default_rng(0)
    >>> are_dependent(rng.normal(0, 1, 10000)), are_dependent(rng.normal(0, 1, 5000).repeat(2))
    (False, True)
    """
    centred = (numbers - numbers.mean()) / (numbers.std() or 1)
    spectrum, bound = numpy.fft.rfftn(centred), (_DEVIATIONS + 1) * centred.size**0.5
    axes = [i for i, size in enumerate(centred.shape) if size > 1]
    for count in range(len(axes) + 1):
        for flipped in itertools.combinations(axes, count):
            together = numpy.fft.irfftn(
                spectrum * numpy.fft.rfftn(numpy.flip(centred, flipped)).conj(), centred.shape, range(centred.ndim)
            )
            if not flipped:
                together.flat[0] = 0  # the correlation of each number with itself
            if abs(together).max() > (2**0.5 if flipped else 1) * bound:
                return True
    return False
