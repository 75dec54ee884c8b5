"""Whether random numbers are what they should be: tests that an honest answer passes but for once in millions of times.

Every bound is one of about seven standard deviations, for so many numbers that the mistakes that people make are far
outside of it.
"""

from __future__ import annotations

import itertools
from statistics import NormalDist

import numpy

__all__ = ["are_dependent", "is_normal", "is_related", "is_share"]

_DEVIATIONS = 7.0
_BINS = 40


def is_share(seen: numpy.ndarray, probability: float) -> bool:
    """Return whether so many of independent trials succeed as they should."""
    bound = _DEVIATIONS * (probability * (1 - probability) / seen.size) ** 0.5
    return bool(abs(seen.mean() - probability) < bound)


def is_normal(numbers: numpy.ndarray) -> bool:
    """Return whether numbers look like draws from the normal distribution of mean 0 and deviation 1.

    Examples
    --------
    >>> rng = numpy.random.default_rng(0)
    >>> is_normal(rng.normal(0, 1, 60000)), is_normal(rng.uniform(-(3**0.5), 3**0.5, 60000))
    (True, False)
    """
    edges = [NormalDist().inv_cdf(i / _BINS) for i in range(1, _BINS)]
    places = numpy.searchsorted(edges, numbers.ravel())
    tails = _DEVIATIONS * 2 * (96 / numbers.size) ** 0.5  # 96 is the variance of a fourth power, whose mean is 3
    return abs(float((numbers**4).mean()) - 3) < tails and all(is_share(places == i, 1 / _BINS) for i in range(_BINS))


def is_related(a: numpy.ndarray, b: numpy.ndarray) -> bool:
    """Return whether two arrays of equal size go together more than by chance."""
    return bool(abs(numpy.corrcoef(a.ravel(), b.ravel())[0, 1]) > _DEVIATIONS / a.size**0.5)


def are_dependent(numbers: numpy.ndarray) -> bool:
    """Return whether numbers repeat, or mirror, each other at any distance, along any of their axes.

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
                together.flat[0] = 0  # each with itself
            if abs(together).max() > (2**0.5 if flipped else 1) * bound:
                return True
    return False
