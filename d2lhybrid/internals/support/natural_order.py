"""An order of names in which the numbers in names are compared as numbers."""

from __future__ import annotations

import re

__all__ = ["natural_key"]


def natural_key(text: str) -> tuple[tuple[int, str | int], ...]:
    """Return a sort key by which ``"conv2"`` precedes ``"conv10"``.

    Parameters
    ----------
    text : str
        The name.

    Returns
    -------
    tuple of tuple
        The key.

    Examples
    --------
    >>> sorted(["conv10", "conv2", "conv"], key=natural_key)
    ['conv', 'conv2', 'conv10']
    """
    return tuple((0, int(part)) if part.isdecimal() else (1, part) for part in re.split(r"(\d+)", text) if part)
