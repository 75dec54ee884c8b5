"""Statistical tests of random numbers."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy

__all__ = ["chi_square_check", "gen_buckets_probs_with_ppf", "mean_check", "var_check", "verify_generator"]

Generator = Callable[[int], Any]


def gen_buckets_probs_with_ppf(
    ppf: Callable[[float], float], nbuckets: int
) -> tuple[list[tuple[float, float]], list[float]]:
    """Return ranges that are equally probable under a distribution, and their probabilities.

    Parameters
    ----------
    ppf : callable
        Quantile function (inverse of the cumulative distribution function).
    nbuckets : int
        Number of ranges.

    Returns
    -------
    tuple of (list of (float, float), list of float)
        The ranges and the probabilities.

    Examples
    --------
    >>> gen_buckets_probs_with_ppf(lambda p: 10 * p, 2)
    ([(0.0, 5.0), (5.0, 10.0)], [0.5, 0.5])
    """
    assert nbuckets > 0
    limits = [ppf(i / nbuckets) for i in range(nbuckets + 1)]
    return list(itertools.pairwise(limits)), [1.0 / nbuckets] * nbuckets


def mean_check(generator: Generator, mu: float, sigma: float, nsamples: int = 1000000) -> bool:
    """Return whether the mean of random numbers is within the 99.7% confidence interval around the expected mean.

    Parameters
    ----------
    generator : callable
        Function of a number of samples that returns an array of random numbers.
    mu, sigma : float
        Expected mean and standard deviation.
    nsamples : int
        Number of samples.

    Returns
    -------
    bool
        Whether the mean is within the interval.

    Examples
    --------
    >>> mean_check(lambda n: numpy.arange(n) % 2, 0.5, 0.5, 1000)
    True
    """
    mean = numpy.array(generator(nsamples)).mean()
    return bool(abs(mean - mu) < 3 * sigma / math.sqrt(nsamples))


def var_check(generator: Generator, sigma: float, nsamples: int = 1000000) -> bool:
    """Return whether the variance of random numbers is within the 99.7% confidence interval around ``sigma**2``.

    Parameters
    ----------
    generator : callable
        Function of a number of samples that returns an array of random numbers.
    sigma : float
        Expected standard deviation.
    nsamples : int
        Number of samples.

    Returns
    -------
    bool
        Whether the variance is within the interval.

    Examples
    --------
    >>> var_check(lambda n: numpy.arange(n) % 2, 0.5, 1000)
    True
    """
    variance = numpy.array(generator(nsamples)).var(ddof=1)
    return bool(abs(variance - sigma**2) < 3 * math.sqrt(2 * sigma**4 / (nsamples - 1)))


def chi_square_check(
    generator: Generator, buckets: list[Any], probs: Sequence[float], nsamples: int = 1000000
) -> tuple[Any, numpy.ndarray, numpy.ndarray]:
    """Return the p-value of a chi-square test of random numbers.

    Parameters
    ----------
    generator : callable
        Function of a number of samples that returns an array of random numbers.
    buckets : list
        Ordered, disjoint ranges, or all possible values.
    probs : sequence of float
        Expected probability of each range or value.
    nsamples : int
        Number of samples.

    Returns
    -------
    tuple
        The p-value, the observed frequencies, and the expected frequencies.

    Raises
    ------
    ImportError
        If SciPy is not installed.

    Examples
    --------
    >>> p, counts, expected = chi_square_check(lambda n: numpy.arange(n) % 2, [0, 1], [0.5, 0.5], 10)  # doctest: +SKIP
    """
    try:
        from scipy import stats  # pyright: ignore[reportMissingImports]
    except ImportError:
        raise ImportError("scipy is not available. Please check if the scipy python bindings are installed.") from None
    assert isinstance(buckets, list)
    samples = generator(nsamples)
    samples = numpy.asarray(samples.asnumpy() if hasattr(samples, "asnumpy") else samples)
    assert len(probs) == len(buckets)
    if isinstance(buckets[0], (list, tuple)):
        assert all(low <= high for low, high in buckets)
        assert all(one[1] <= other[0] for one, other in itertools.pairwise(buckets))
        limits = numpy.array(buckets, numpy.float32).ravel()
        places = numpy.searchsorted(limits, samples, side="right") // 2
        wanted: Any = range(len(buckets))
    else:
        places, wanted = samples, buckets
    counts = numpy.array([(places == bucket).sum() for bucket in wanted])
    expected = (nsamples * numpy.array(probs, numpy.float32)).astype(numpy.int32)
    return stats.chisquare(f_obs=counts, f_exp=expected)[1], counts, expected


def verify_generator(
    generator: Generator,
    buckets: list[Any],
    probs: Sequence[float],
    nsamples: int = 1000000,
    nrepeat: int = 5,
    success_rate: float = 0.2,
    alpha: float = 0.05,
) -> list[Any]:
    """Raise an AssertionError if random numbers pass too few of several chi-square tests.

    Parameters
    ----------
    generator, buckets, probs, nsamples
        Arguments of :func:`chi_square_check`.
    nrepeat : int
        Number of tests.
    success_rate : float
        Fraction of the tests that must pass.
    alpha : float
        Significance level. A test passes if its p-value is larger than this level.

    Returns
    -------
    list of float
        The p-values.

    Raises
    ------
    AssertionError
        If the fraction of the tests that pass is less than ``success_rate``.

    Examples
    --------
    >>> _ = verify_generator(lambda n: numpy.random.randint(0, 2, n), [0, 1], [0.5, 0.5], 1000)  # doctest: +SKIP
    """
    found = [chi_square_check(generator, buckets, probs, nsamples) for _ in range(nrepeat)]
    likely, counts, expected = (list(part) for part in zip(*found, strict=True))
    if sum(p > alpha for p in likely) < nrepeat * success_rate:
        raise AssertionError(
            f"Generator test fails, Chi-square p={likely}, obs_freq={counts}, expected_freq={expected}."
            f"\nbuckets={buckets}, probs={probs}"
        )
    return likely
