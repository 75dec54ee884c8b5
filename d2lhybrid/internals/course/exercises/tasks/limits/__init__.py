"""Chapter 04: what no longer works, and what to write instead."""

from . import chinese as _chinese  # noqa: F401  adds the translations
