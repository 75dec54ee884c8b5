"""``rand_zipfian``: classes drawn from Zipf's distribution, for a sampled softmax."""

from __future__ import annotations

from ..internals.frontends.candidates import zipfian
from . import random
from .symbol import Symbol

__all__ = ["rand_zipfian"]


def rand_zipfian(true_classes: Symbol, num_sampled: int, range_max: int) -> tuple[Symbol, Symbol, Symbol]:
    """Draw classes from Zipf's distribution in each run of the graph; see ``nd.contrib.rand_zipfian``.

    Parameters
    ----------
    true_classes : Symbol
        Classes whose expected counts are also returned.
    num_sampled : int
        Number of classes to draw.
    range_max : int
        Total number of classes.

    Returns
    -------
    tuple of Symbol
        The sampled classes (int64), the expected count of each true class, and the expected count of each sampled
        class (float64).

    Raises
    ------
    AssertionError
        If the true classes are not a symbol.

    Examples
    --------
    >>> from d2lhybrid import nd, sym
    >>> samples, of_true, of_samples = sym.contrib.rand_zipfian(sym.var("classes"), 4, 5)
    >>> of_true.eval(classes=nd.array([0, 3]))[0]
    <BLANKLINE>
    [1.54741123 0.49815515]
    <NDArray 2 @cpu(0)>
    """
    if not isinstance(true_classes, Symbol):
        raise AssertionError(f"unexpected type {type(true_classes)}")
    return zipfian(random, true_classes, num_sampled, range_max)
