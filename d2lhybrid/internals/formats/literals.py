"""Parsers of attribute texts in graph files: numbers, shapes, and truth values.

The texts are untrusted. Each function first checks the length of the text, then scans the text once. If the text is
invalid, the function raises ValueError with the reason.
"""

from __future__ import annotations

import re
from typing import Any

__all__ = ["MAX_CHARACTERS", "TooLarge", "read_bool", "read_float", "read_int", "read_shape", "read_tuple"]

#: The largest accepted length of a list of numbers, in characters.
MAX_CHARACTERS = 65_536
#: The largest accepted length of a number, in characters.
_MAX_NUMBER = 400
#: The largest accepted depth of nested brackets; pairs of widths have depth 2.
_MAX_DEPTH = 3
#: The largest accepted number of dimensions.
_MAX_DIMENSIONS = 64

_INT = re.compile(r"[+-]?[0-9]+[lL]?", re.ASCII)
_FLOAT = re.compile(r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?|[+-]?(?:inf|infinity|nan)", re.ASCII | re.I)
_TOKEN = re.compile(r"\s*([()\[\],]|[^\s()\[\],]+)", re.ASCII)
_WORDS = {"None": None, "True": True, "False": False}
_CLOSING = {"(": ")", "[": "]"}
_BOOLEANS = {"true": True, "1": True, "false": False, "0": False}


class TooLarge(ValueError):
    """An error about a number that is too large for a ``float``."""


def _short(text: str) -> str:
    return repr(text if len(text) <= 40 else f"{text[:40]}...")


def read_int(text: str) -> int:
    """Return the integer that a text contains.

    Parameters
    ----------
    text : str
        The text. A suffix ``L`` is ignored.

    Returns
    -------
    int
        The integer, which fits into 64 bits.

    Raises
    ------
    ValueError
        If the text is too long, isn't an integer, or doesn't fit into 64 bits.

    Examples
    --------
    >>> read_int("-3"), read_int("2L")
    (-3, 2)
    >>> read_int("9" * 1_000_000)
    Traceback (most recent call last):
    ValueError: an integer with 1000000 characters is too long (at most 400)
    """
    if len(text) > _MAX_NUMBER:
        raise ValueError(f"an integer with {len(text)} characters is too long (at most {_MAX_NUMBER})")
    text = text.strip()
    if not _INT.fullmatch(text):
        raise ValueError(f"{_short(text)} is not an integer")
    number = int(text.rstrip("lL"))
    if not -(2**63) <= number < 2**64:
        raise ValueError(f"{_short(text)} does not fit into 64 bits")
    return number


def read_float(text: str) -> float:
    """Return, as a float, the number that a text contains.

    Parameters
    ----------
    text : str
        The text of a number, such as ``"1e-05"``, ``"1.5f"``, ``"inf"``, or ``"nan"``.

    Returns
    -------
    float
        The number in double precision.

    Raises
    ------
    ValueError
        If the text is too long, isn't a number, or is a finite number that is too large for a float.

    Examples
    --------
    >>> read_float("1e-05"), read_float("inf")
    (1e-05, inf)
    >>> read_float("1e400")
    Traceback (most recent call last):
    d2lhybrid.internals.formats.literals.TooLarge: '1e400' is too large for a floating-point number
    """
    if len(text) > _MAX_NUMBER:
        raise ValueError(f"a number with {len(text)} characters is too long (at most {_MAX_NUMBER})")
    text = text.strip()
    if text[-1:] in ("f", "F") and text[-2:-1] in (*"0123456789", "."):
        text = text[:-1]  # a number of C, which MXNet reads, too
    if not _FLOAT.fullmatch(text):
        raise ValueError(f"{_short(text)} is not a number")
    number = float(text)
    if number in (float("inf"), -float("inf")) and text[-1] not in "fFyY":
        raise TooLarge(f"{_short(text)} is too large for a floating-point number")
    return number


def read_bool(text: str) -> bool:
    """Return the truth value that a string represents.

    Parameters
    ----------
    text : str
        ``"True"``, ``"False"``, ``"1"``, or ``"0"``, in upper or lower case.

    Returns
    -------
    bool
        The truth value.

    Raises
    ------
    ValueError
        If the text is not a truth value.

    Examples
    --------
    >>> read_bool("True"), read_bool("TRUE"), read_bool("0")
    (True, True, False)
    """
    found = _BOOLEANS.get(text.lower()) if len(text) <= 5 else None
    if found is None:
        raise ValueError(f"{_short(text)} is neither True nor False")
    return found


def read_tuple(text: str) -> Any:
    """Return the value or the tuple that a text contains; values are numbers, None, and truth values.

    Parameters
    ----------
    text : str
        The text, such as ``"(3, 4)"``, ``"[3, 4]"``, ``"(2L, None)"``, ``"((0, 1), (2, 3))"``, ``"3, 4"``, or ``"3"``.

    Returns
    -------
    int, float, bool, None, or tuple
        The value, or the tuple of values.

    Raises
    ------
    ValueError
        If the text is too long, contains too many nested brackets, or isn't such a value or tuple.

    Examples
    --------
    >>> read_tuple("((0, 1), [2.5, None])"), read_tuple("7"), read_tuple("()")
    (((0, 1), (2.5, None)), 7, ())
    >>> read_tuple("(" * 100)
    Traceback (most recent call last):
    ValueError: brackets are nested more than 3 levels deep
    """
    if len(text) > MAX_CHARACTERS:
        raise ValueError(f"a text of {len(text)} characters is longer than the limit of {MAX_CHARACTERS}")
    reader = _TupleReader(text.strip())
    return reader.read()


class _TupleReader:
    """A parser of a tuple. Its state is the open lists, innermost last, and whether a comma or a value must follow."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.open: list[tuple[str, list[Any]]] = [("", [])]
        self.commas = 0
        self.after_value = False

    def read(self) -> Any:
        position = 0
        while position < len(self.text):
            match = _TOKEN.match(self.text, position)
            if match is None:
                raise self._wrong()
            position = match.end()
            self._take(match[1])
        bracket, values = self.open[-1]
        if bracket:
            raise ValueError(f"a bracket is not closed in {_short(self.text)}")
        if not values:
            raise ValueError(f"{_short(self.text)} contains no number")
        return values[0] if len(values) == 1 and not self.commas else tuple(values)

    def _wrong(self) -> ValueError:
        return ValueError(f"{_short(self.text)} is not a tuple of numbers")

    def _take(self, token: str) -> None:
        bracket, values = self.open[-1]
        if token == ",":
            if not self.after_value:
                raise self._wrong()
            self.after_value = False
            self.commas += not bracket
            return
        if token in (")", "]"):
            if token != _CLOSING.get(bracket):
                raise self._wrong()
            self.open.pop()
            # "(3)" is a tuple here, as in MXNet's files; in Python it is a number.
            self._add(tuple(values))
            return
        if self.after_value:
            raise self._wrong()
        if token in _CLOSING:
            if len(self.open) > _MAX_DEPTH:
                raise ValueError(f"brackets are nested more than {_MAX_DEPTH} levels deep")
            self.open.append((token, []))
            self.after_value = False
            return
        self._add(_WORDS[token] if token in _WORDS else _read_number(token))

    def _add(self, value: Any) -> None:
        self.open[-1][1].append(value)
        self.after_value = True


def _read_number(text: str) -> int | float:
    return read_int(text) if _INT.fullmatch(text) else read_float(text)


def read_shape(text: str) -> tuple[int, ...]:
    """Return the shape that a text contains, a tuple of at most 64 integers.

    Parameters
    ----------
    text : str
        The text, in the form that :func:`read_tuple` reads.

    Returns
    -------
    tuple of int
        The sizes of the axes.

    Raises
    ------
    ValueError
        If the text isn't a shape, or if the shape has more than 64 dimensions or a size of 2**63 or more.

    Examples
    --------
    >>> read_shape("(2, 3)"), read_shape("[-1,]"), read_shape("()")
    ((2, 3), (-1,), ())
    """
    sizes = read_tuple(text)
    sizes = (sizes,) if isinstance(sizes, int) else sizes
    if not isinstance(sizes, tuple) or any(type(n) is not int for n in sizes):
        raise ValueError(f"{_short(text)} is not a shape")
    if len(sizes) > _MAX_DIMENSIONS:
        raise ValueError(f"a shape has at most {_MAX_DIMENSIONS} dimensions, not {len(sizes)}")
    if any(n >= 2**63 for n in sizes):
        raise ValueError(f"{_short(text)} contains a size that exceeds 2**63 - 1")
    return sizes
