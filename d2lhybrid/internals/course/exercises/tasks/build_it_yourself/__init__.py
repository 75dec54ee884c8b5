"""Chapter 10: a small compiler, piece by piece."""

from . import chinese as _chinese  # noqa: F401  adds the translations
