"""Data that comes with the package, which is small, real, and openly licensed."""

from .digits import load_digits

__all__ = ["load_digits"]
