# Written by `make stubs` (d2lhybrid/internals/commands/stubs): changes made here are lost.

from typing import Any

from ..numpy._symbol import _Symbol

def bernoulli(
    prob: Any = None, logit: Any = None, size: Any = None, dtype: Any = None, ctx: Any = None, out: Any = None
) -> _Symbol:
    """Draw ones with a probability, which is given as such or as its logit, and zeros."""

def normal_n(loc: Any = 0.0, scale: Any = 1.0, batch_shape: Any = None, dtype: Any = None, ctx: Any = None) -> _Symbol:
    """Draw ``batch_shape`` normally distributed numbers for each element of the parameters."""

def uniform_n(low: Any = 0.0, high: Any = 1.0, batch_shape: Any = None, dtype: Any = None, ctx: Any = None) -> _Symbol:
    """Draw ``batch_shape`` uniformly distributed numbers for each element of the parameters."""
