"""Chapter 10: a small compiler in six steps."""

from . import chinese as _chinese  # noqa: F401  adds the translations
