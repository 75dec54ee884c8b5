"""Chapter 06: operators, passes, and memory."""

from . import chinese as _chinese  # noqa: F401  adds the translations
