"""Chapter 07: training, and layers with parameters."""

from . import chinese as _chinese  # noqa: F401  adds the translations
