"""Collectors of the range of each output: the full range, or the range that loses the least information."""

from __future__ import annotations

from typing import Any

import numpy

from ...internals.support.display import Shown

__all__ = ["HistogramCollector", "MinMaxCollector", "combine_histogram", "optimal_threshold"]


class MinMaxCollector(Shown):
    """A collector of the minimum and maximum of each output."""

    def __init__(self) -> None:
        self._ranges: dict[str, tuple[float, float]] = {}

    def collect(self, name: str, array: Any) -> None:
        """Extend the range of an output so that it contains new values.

        Parameters
        ----------
        name : str
            Name of the output.
        array : numpy.ndarray
            Values of the output.
        """
        low, high = float(array.min()), float(array.max())
        before = self._ranges.get(name, (low, high))
        self._ranges[name] = min(low, before[0]), max(high, before[1])

    def ranges(self, quantized_dtype: str) -> dict[str, tuple[float, float]]:
        """Return the range of each output.

        Parameters
        ----------
        quantized_dtype : str
            Ignored, because the range does not depend on the quantized element type.

        Returns
        -------
        dict of str to (float, float)
            The minimum and maximum of each output, by name.
        """
        return dict(self._ranges)


class HistogramCollector(Shown):
    """A collector that keeps a histogram of each output, with bins that are symmetric around 0.

    Parameters
    ----------
    num_bins : int
        Initial number of bins.
    """

    def __init__(self, num_bins: int = 8001) -> None:
        self._num_bins = num_bins
        self._histograms: dict[str, Any] = {}

    def collect(self, name: str, array: Any) -> None:
        """Add values of an output to its histogram.

        Parameters
        ----------
        name : str
            Name of the output.
        array : numpy.ndarray
            Values of the output.
        """
        low, high = float(array.min()), float(array.max())
        largest = max(abs(low), abs(high))
        if name in self._histograms:
            self._histograms[name] = combine_histogram(self._histograms[name], array, low, high, largest)
            return
        counts, edges = numpy.histogram(array, bins=self._num_bins, range=(-largest, largest))
        self._histograms[name] = (counts, edges, low, high, largest)

    def ranges(self, quantized_dtype: str) -> dict[str, tuple[float, float]]:
        """Return the ranges that lose the least information, one for each output.

        Parameters
        ----------
        quantized_dtype : {"int8", "uint8", "auto"}
            Quantized element type.

        Returns
        -------
        dict of str to (float, float)
            The lower and upper end of each range, by name of the output.
        """
        found = {}
        for name, (counts, edges, low, _, _) in self._histograms.items():
            positive = low >= 0 and quantized_dtype in ("auto", "uint8")
            threshold, _ = optimal_threshold(counts, edges, 2 * 255 + 1 if positive else 255)
            found[name] = (0.0 if low >= 0 else -threshold, threshold)
        return found


def combine_histogram(old_hist: Any, arr: Any, new_min: float, new_max: float, new_th: float) -> tuple[Any, ...]:
    """Add values to a histogram around 0, extending it with bins of the same width if necessary.

    Parameters
    ----------
    old_hist : tuple
        Counts, edges, current minimum and maximum, and upper end of the histogram.
    arr : numpy.ndarray
        The values.
    new_min, new_max : float
        Minimum and maximum of the values.
    new_th : float
        Largest absolute value among the values.

    Returns
    -------
    tuple
        Counts, edges, minimum, maximum, and upper end of the new histogram.
    """
    counts, edges, low, high, end = old_hist
    low, high = min(low, new_min), max(high, new_max)
    if new_th <= end:
        more, _ = numpy.histogram(arr, bins=len(counts), range=(-end, end))
        return counts + more, edges, low, high, end
    width = 2 * end / len(counts)
    at_each_side = int((new_th - end) // width + 1)
    wide = at_each_side * width + end
    found, edges = numpy.histogram(arr, bins=2 * at_each_side + len(counts), range=(-wide, wide))
    found[at_each_side : len(found) - at_each_side] += counts
    return found, edges, low, high, wide


def optimal_threshold(counts: Any, edges: Any, num_quantized_bins: int = 255) -> tuple[float, float]:
    """Return the threshold at which a clipped and quantized distribution is closest to the original, and the distance.

    Parameters
    ----------
    counts, edges : numpy.ndarray
        A histogram around 0 with an odd number of bins.
    num_quantized_bins : int
        Number of quantization steps.

    Returns
    -------
    tuple of float
        The largest value that is kept, and the Kullback-Leibler divergence in nats.
    """
    counts = numpy.asarray(counts, dtype=numpy.float64)
    middle, half = len(counts) // 2, num_quantized_bins // 2
    best = (numpy.inf, float(edges[-1]))
    sums = numpy.concatenate([[0.0], numpy.cumsum(counts)])
    for reach in range(half, middle + 1):
        begin, end = middle - reach, middle + reach + 1
        kept = counts[begin:end]
        outside = (sums[begin], sums[-1] - sums[end])
        divergence = _divergence(kept, outside, num_quantized_bins)
        if divergence < best[0]:
            best = (divergence, float(edges[end]))
    return best[1], float(best[0])


def _divergence(kept: Any, outside: tuple[float, float], bins: int) -> float:
    """Return the divergence of a clipped histogram from its quantized form. The outermost bins count clipped values.

    As in MXNet, the first bin counts as clipped.
    """
    p = kept.copy()
    p[0] += outside[0]
    p[-1] += outside[1]
    inside = kept.copy()
    inside[0] = 0
    starts = numpy.arange(bins) * (len(kept) // bins)
    merged = numpy.add.reduceat(inside, starts)
    filled = numpy.add.reduceat((inside != 0).astype(numpy.float64), starts)
    mean = numpy.divide(merged, filled, out=numpy.zeros_like(merged), where=filled > 0)
    lengths = numpy.diff(numpy.append(starts, len(kept)))
    q = numpy.where(p != 0, numpy.repeat(mean, lengths), 0.0)
    smooth_p, smooth_q = _smooth(p), _smooth(q)
    if smooth_p is None or smooth_q is None:
        return numpy.inf
    smooth_p, smooth_q = smooth_p / smooth_p.sum(), smooth_q / smooth_q.sum()
    return float((smooth_p * numpy.log(smooth_p / smooth_q)).sum())


def _smooth(values: Any, little: float = 0.0001) -> Any:
    """Return a distribution without zeros, with mass moved from other bins, or None if these bins lack the mass."""
    zeros = values == 0
    count = zeros.sum()
    if count == len(values):
        return None
    taken = little * count / (len(values) - count)
    if taken >= 1.0:
        return None
    return values + little * zeros - taken * ~zeros
