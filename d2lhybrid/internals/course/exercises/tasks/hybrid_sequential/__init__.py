"""Chapter 02: nets of layers, and what hybridize makes of them."""

from . import chinese as _chinese  # noqa: F401  adds the translations
