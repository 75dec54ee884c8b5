"""Suggestions of existing names for misspelled names."""

from __future__ import annotations

import difflib
from collections.abc import Iterable

__all__ = ["did_you_mean"]


def did_you_mean(name: str, candidates: Iterable[str]) -> str:
    """Return ``" Did you mean 'x'?"`` for the closest candidate, or an empty string if no candidate is close.

    Examples
    --------
    >>> did_you_mean("rellu", ["relu", "tanh"])
    " Did you mean 'relu'?"
    >>> did_you_mean("zzz", ["relu", "tanh"])
    ''
    """
    if len(name) > 100:  # a comparison would be slow, and all names are shorter
        return ""
    close = difflib.get_close_matches(name, list(candidates), n=1)
    return f" Did you mean '{close[0]}'?" if close else ""
