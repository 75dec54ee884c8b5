"""Chapter 01: programs that compute, and programs that describe."""

from . import chinese as _chinese  # noqa: F401  adds the translations
