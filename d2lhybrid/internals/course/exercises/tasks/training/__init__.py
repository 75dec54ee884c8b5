"""Chapter 07: training, and layers that are trained."""

from . import chinese as _chinese  # noqa: F401  adds the translations
