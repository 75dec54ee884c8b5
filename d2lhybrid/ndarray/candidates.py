"""``rand_zipfian``: classes by Zipf's law, for a sampled softmax."""

from __future__ import annotations

from ..context import Context, current_context
from ..internals.frontends.candidates import zipfian
from . import random
from .ndarray import NDArray

__all__ = ["rand_zipfian"]


def rand_zipfian(
    true_classes: NDArray, num_sampled: int, range_max: int, ctx: Context | None = None
) -> tuple[NDArray, NDArray, NDArray]:
    """Draw classes by Zipf's law, for a sampled softmax over words that are ordered by how often they occur.

    Class c has the probability ``log((c + 2) / (c + 1)) / log(range_max + 1)``; a class may come several times.

    Parameters
    ----------
    true_classes : NDArray
        Classes whose expected counts are also returned.
    num_sampled : int
        The number of classes to draw.
    range_max : int
        The number of classes.
    ctx : Context, optional
        The device of the results; the current one by default.

    Returns
    -------
    tuple of NDArray
        The classes that were drawn (int64), how often each true class is expected among them, and how often each of
        the drawn ones is (float64).

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
