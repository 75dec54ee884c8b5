"""Checks and conversions of numeric arguments: whole numbers, and arrays of one element."""

from __future__ import annotations

import operator
from typing import Any

import numpy

__all__ = ["epoch_file", "number", "whole_number"]


def number(value: Any) -> Any:
    """Return the element of a NumPy array of one element, and any other object unchanged.

    NumPy 2.4 converts only 0-D arrays to numbers, but the value of a metric may be an array with axes.

    Examples
    --------
    >>> number(numpy.array([0.5])), number("a")
    (0.5, 'a')
    """
    return value.item() if isinstance(value, numpy.ndarray) and value.size == 1 else value


def whole_number(name: str, value: Any, least: int = 1) -> int:
    """Return a whole number as an ``int``, and reject numbers smaller than `least`.

    Parameters
    ----------
    name : str
        The name of the argument, for the error message.
    value : int, or a float without a fraction
        The number, which may be a NumPy scalar.
    least : int
        The smallest valid number.

    Raises
    ------
    TypeError
        If the value is not a whole number.
    ValueError
        If the value is smaller than `least`.

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
        found = operator.index(whole)
    except TypeError:
        raise TypeError(f"{name} must be a whole number, not {value!r}") from None
    if found < least:
        raise ValueError(f"{name} must be at least {least}, not {found}")
    return found


def epoch_file(prefix: str, epoch: int, ending: str = "params") -> str:
    """Return the file name for an epoch.

    Call this function before you write any file, so that an invalid epoch leaves no files behind.

    Parameters
    ----------
    prefix : str
        Beginning of the file name, which may contain folders.
    epoch : int
        Number of the epoch.
    ending : str
        Extension of the file name, without the dot.

    Returns
    -------
    str
        The file name.

    Raises
    ------
    TypeError
        If the epoch is not a whole number.

    Examples
    --------
    >>> epoch_file("net", 7)
    'net-0007.params'
    """
    try:
        found = operator.index(epoch)
    except TypeError:
        raise TypeError(f"epoch must be an integer, not {epoch!r}") from None
    return f"{prefix}-{found:04d}.{ending}"
