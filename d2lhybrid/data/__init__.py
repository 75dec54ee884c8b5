"""A small, real, and openly licensed data set that is part of the package."""

from .digits import load_digits

__all__ = ["load_digits"]
