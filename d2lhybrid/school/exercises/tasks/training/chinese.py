"""What the checks of this chapter say, in Chinese; the English sentences are the keys."""

from __future__ import annotations

from .....support.words import add_words

add_words({})
