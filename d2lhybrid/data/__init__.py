"""Data that comes with the package: small, real and openly licensed."""

from .digits import load_digits

__all__ = ["load_digits"]
