"""Chapter 03: blocks of your own, and when their code runs."""

from . import chinese as _chinese  # noqa: F401  adds the translations
