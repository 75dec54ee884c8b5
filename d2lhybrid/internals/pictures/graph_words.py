"""Formatting of quantities in pictures of graphs."""

from __future__ import annotations

from ..support.words import translate

__all__ = ["amount", "microseconds", "operators"]


def amount(number: int | None, unit: str = "") -> str:
    """Return a number as short text with a metric prefix; ``"?"`` for None.

    Examples
    --------
    >>> amount(1_250_000, "B"), amount(17), amount(None)
    ('1.25 MB', '17', '?')
    """
    if number is None:
        return "?"
    value, prefix = float(number), ""
    for prefix in ("", "k", "M", "G", "T"):
        if value < 1000 or prefix == "T":
            break
        value /= 1000
    return f"{value:.3g}" + (f" {prefix}{unit}" if prefix or unit else "")


def microseconds(number: float) -> str:
    """Return a number of microseconds as text with a suitable unit.

    Examples
    --------
    >>> microseconds(12.345), microseconds(1234.5)
    ('12.3 µs', '1.23 ms')
    """
    return f"{number / 1000:.3g} ms" if number >= 999.5 else f"{number:.3g} µs"


def operators(count: int) -> str:
    """Return a number of operators with its noun, as text.

    Examples
    --------
    >>> operators(1), operators(2)
    ('1 operator', '2 operators')
    """
    return translate("1 operator") if count == 1 else translate("{n} operators", n=count)
