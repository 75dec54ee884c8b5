"""Chapter 04: code that fails in hybridized blocks, and its replacements."""

from . import chinese as _chinese  # noqa: F401  adds the translations
