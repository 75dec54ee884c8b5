"""Chapter 04: code that no longer works, and its replacements."""

from . import chinese as _chinese  # noqa: F401  adds the translations
