"""Formatting of times, ratios, and percentages."""

from __future__ import annotations

__all__ = ["factor", "per_cent", "seconds_text"]


def seconds_text(seconds: float) -> str:
    """Return a time with three significant digits and a unit.

    Examples
    --------
    >>> seconds_text(0.0000123), seconds_text(0.25), seconds_text(12)
    ('12.3 µs', '250 ms', '12.0 s')
    """
    for unit, size in (("s", 1.0), ("ms", 1e-3), ("µs", 1e-6)):
        if abs(seconds) >= 0.9995 * size:
            return f"{_three_digits(seconds / size)} {unit}"
    return f"{_three_digits(seconds * 1e9)} ns"


def factor(ratio: float) -> str:
    """Return a ratio of two times as text with a multiplication sign.

    Examples
    --------
    >>> factor(2.345), factor(12.34)
    ('2.35×', '12.3×')
    """
    return f"{_three_digits(ratio)}×"


def per_cent(part: float, whole: float) -> str:
    """Return a part of a whole as a percentage.

    Examples
    --------
    >>> per_cent(1, 3)
    '33%'
    """
    return f"{100 * part / whole:.0f}%" if whole else "–"


def _three_digits(value: float) -> str:
    if abs(value) >= 99.95:
        return f"{value:.0f}"
    return f"{value:.1f}" if abs(value) >= 9.995 else f"{value:.2f}"
