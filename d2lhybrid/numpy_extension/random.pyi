# Written by `make stubs` (d2lhybrid/internals/commands/stubs): changes made here are lost.

from typing import Any

from ..ndarray.numpy._array import ndarray

__all__ = [
    "seed",
]

def bernoulli(
    prob: Any = None, logit: Any = None, size: Any = None, dtype: Any = None, ctx: Any = None, out: Any = None
) -> ndarray:
    """Draw ones with a probability, which is given as such or as its logit, and zeros."""

def normal_n(loc: Any = 0.0, scale: Any = 1.0, batch_shape: Any = None, dtype: Any = None, ctx: Any = None) -> ndarray:
    """Draw ``batch_shape`` normally distributed numbers for each element of the parameters."""

def seed(seed: int, ctx: Any = "all") -> None:
    """Start the random numbers of one context, or of all, anew, as :func:`mxnet.random.seed` does."""

def uniform_n(low: Any = 0.0, high: Any = 1.0, batch_shape: Any = None, dtype: Any = None, ctx: Any = None) -> ndarray:
    """Draw ``batch_shape`` uniformly distributed numbers for each element of the parameters."""
