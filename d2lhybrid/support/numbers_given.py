"""Numbers that a caller gives where nothing but a whole number makes sense."""

from __future__ import annotations

import operator
from typing import Any

__all__ = ["epoch_file", "whole_number"]


def whole_number(name: str, value: Any, least: int = 1) -> int:
    """Return a number that counts something, as an ``int``.

    Parameters
    ----------
    name : str
        What it is, for the error.
    value : int, or a float without a fraction
        The number; NumPy's are taken, too.
    least : int
        The smallest one that is possible.

    Raises
    ------
    TypeError
        If it is no whole number.
    ValueError
        If it is too small.

    Examples
    --------
    >>> whole_number("batch_size", 0)
    Traceback (most recent call last):
    ValueError: batch_size must be at least 1, not 0
    >>> whole_number("size", "2", least=0)
    Traceback (most recent call last):
    TypeError: size must be a whole number, not '2'
    """
    try:
        whole: Any = int(value) if isinstance(value, float) and value.is_integer() else value
        number = operator.index(whole)
    except TypeError:
        raise TypeError(f"{name} must be a whole number, not {value!r}") from None
    if number < least:
        raise ValueError(f"{name} must be at least {least}, not {number}")
    return number


def epoch_file(prefix: str, epoch: int, ending: str = "params") -> str:
    """Return the name of a file of an epoch; called before anything is written.

    Raises
    ------
    TypeError
        If the epoch is no whole number.

    Examples
    --------
    >>> epoch_file("net", 7)
    'net-0007.params'
    """
    try:
        number = operator.index(epoch)
    except TypeError:
        raise TypeError(f"epoch must be a whole number, not {epoch!r}") from None
    return f"{prefix}-{number:04d}.{ending}"
