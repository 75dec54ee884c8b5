"""Arrays of any kind as NumPy's."""

from __future__ import annotations

from typing import Any

import numpy

__all__ = ["as_values"]


def as_values(x: Any) -> numpy.ndarray:
    """Return arrays of any kind, lists and ranges as a NumPy array."""
    return x.asnumpy() if hasattr(x, "asnumpy") else numpy.asarray(x)
