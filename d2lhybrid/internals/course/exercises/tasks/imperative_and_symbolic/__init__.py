"""Chapter 01: programs that compute, and programs that describe computations."""

from . import chinese as _chinese  # noqa: F401  adds the translations
