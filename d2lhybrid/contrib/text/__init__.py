"""``mx.contrib.text``: vocabularies and word vectors."""

from __future__ import annotations

from . import embedding, utils, vocab

__all__ = ["embedding", "utils", "vocab"]
