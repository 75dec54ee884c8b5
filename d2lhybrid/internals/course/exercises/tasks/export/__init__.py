"""Chapter 05: nets as files."""

from . import chinese as _chinese  # noqa: F401  adds the translations
