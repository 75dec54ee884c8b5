"""Conversion of arrays to NumPy arrays."""

from __future__ import annotations

from typing import Any

import numpy

__all__ = ["as_values"]


def as_values(x: Any) -> numpy.ndarray:
    """Convert an array of any class, a list, or a range to a NumPy array.

    Parameters
    ----------
    x : array-like
        The array, list, or range.

    Returns
    -------
    numpy.ndarray
        The values.
    """
    return x.asnumpy() if hasattr(x, "asnumpy") else numpy.asarray(x)
