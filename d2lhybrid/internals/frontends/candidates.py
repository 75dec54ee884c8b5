"""Candidates for sampled softmax, which are drawn from Zipf's distribution by a function for arrays and symbols."""

from __future__ import annotations

import math
from typing import Any

__all__ = ["zipfian"]


def zipfian(random: Any, true_classes: Any, num_sampled: int, range_max: int, **place: Any) -> tuple[Any, Any, Any]:
    """Draw classes from Zipf's distribution, and return these classes and the expected counts.

    Class c has the probability ``log((c + 2) / (c + 1)) / log(range_max + 1)``.

    Parameters
    ----------
    random : module
        ``mx.nd.random`` or ``mx.sym.random``.
    true_classes : NDArray or Symbol
        The classes whose expected counts are also returned.
    num_sampled, range_max : int
        The number of classes to draw, and the total number of classes.
    **place
        The device ``ctx``, for arrays.

    Returns
    -------
    tuple of (NDArray or Symbol)
        The drawn classes, the expected counts of `true_classes`, and the expected counts of the drawn classes.

    Raises
    ------
    ValueError
        If `range_max` is less than 1.

    Examples
    --------
    >>> from d2lhybrid import nd
    >>> samples, of_true, of_samples = zipfian(nd.random, nd.array([0, 1]), 10, 2)
    >>> of_true
    <BLANKLINE>
    [6.30929754 3.69070246]
    <NDArray 2 @cpu(0)>
    """
    if range_max < 1:
        raise ValueError(f"range_max of rand_zipfian must be at least 1, not {range_max}")
    total = math.log(range_max + 1)
    drawn = random.uniform(0, total, shape=(num_sampled,), dtype="float64", **place)
    samples = (drawn.exp() - 1).astype("int64") % range_max  # a draw near the end may be rounded to range_max

    def expected(classes: Any) -> Any:
        classes = classes.astype("float64")
        return ((classes + 2.0) / (classes + 1.0)).log() / total * num_sampled

    return samples, expected(true_classes), expected(samples)
