"""``mx.contrib.text``: vocabularies, and vectors for words."""

from __future__ import annotations

from . import embedding, utils, vocab

__all__ = ["embedding", "utils", "vocab"]
