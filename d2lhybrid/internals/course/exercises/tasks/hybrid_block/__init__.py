"""Chapter 03: your own blocks, and when their code runs."""

from . import chinese as _chinese  # noqa: F401  adds the translations
