"""``rand_zipfian``: classes drawn from Zipf's distribution, for a sampled softmax."""

from __future__ import annotations

from ..context import Context, current_context
from ..internals.frontends.candidates import zipfian
from . import random
from .ndarray import NDArray

__all__ = ["rand_zipfian"]


def rand_zipfian(
    true_classes: NDArray, num_sampled: int, range_max: int, ctx: Context | None = None
) -> tuple[NDArray, NDArray, NDArray]:
    """Draw classes from Zipf's distribution, for a sampled softmax over words ordered by frequency.

    Class c has the probability ``log((c + 2) / (c + 1)) / log(range_max + 1)``. A class can be drawn several times.

    Parameters
    ----------
    true_classes : NDArray
        Classes whose expected counts are also returned.
    num_sampled : int
        Number of classes to draw.
    range_max : int
        Total number of classes.
    ctx : Context, optional
        The device of the results; the current device by default.

    Returns
    -------
    tuple of NDArray
        The sampled classes (int64), the expected count of each true class, and the expected count of each sampled
        class (float64).

    Examples
    --------
    >>> from d2lhybrid import nd
    >>> samples, of_true, of_samples = nd.contrib.rand_zipfian(nd.array([0, 3]), 4, 5)
    >>> samples.shape, samples.dtype.__name__
    ((4,), 'int64')
    >>> of_true
    <BLANKLINE>
    [1.54741123 0.49815515]
    <NDArray 2 @cpu(0)>
    """
    ctx = ctx or current_context()
    return zipfian(random, true_classes.as_in_context(ctx), num_sampled, range_max, ctx=ctx)
