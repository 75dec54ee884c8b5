"""Chapter 02: nets of layers, and the effect of hybridize."""

from . import chinese as _chinese  # noqa: F401  adds the translations
