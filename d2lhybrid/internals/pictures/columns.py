"""Plain data as columns, in which similar values are adjacent and compress better.

A picture's data is a list of steps with the same names, or a list of boxes at similar positions. Its JSON is
repetitive, but deflate looks back only 32 kB and detects no arithmetic progressions. So a list of records is written as
a record of lists, numbers as differences, and strings that differ only in their numbers as one string and the numbers.
The conversion is lossless, including the order of names. ``widgets/static/columns.js`` reverses it.

A column is a list that begins with its type:

========================== ==========================================================================
``["=", values]``          the values
``["+", lag, numbers]``    numbers, each minus the number ``lag`` positions before
``["#", texts, column]``   repeated strings: the distinct strings, and the index of each string
``["%", texts, column, columns]``  strings with gaps: the distinct strings, the index of each, and the numbers in gaps
``["[", count, columns]``  lists of equal length: a column for each position
``["*", column, column]``  lists: their lengths, and all items
``["{", count, parts]``    objects: for each name, the name, a column with the objects that have it (0: all), and values
``[":", column, column, column]``  objects with individual names: their lengths, all names, and all values
``["?", column, columns]`` values of several types: the type of each, and a column for each type
========================== ==========================================================================
"""

from __future__ import annotations

import functools
import json
import re
import zlib
from collections.abc import Sequence
from typing import Any

__all__ = ["columns_of", "rows_of"]

#: Objects with more names than this are tables with individual keys.
_NAMES = 24
#: The maximum length of lists that count as records.
_PLACES = 8
#: Shorter columns are not converted.
_SHORT = 4
#: The placeholder for a number in a string.
_HOLE = "\x7f"
#: A number with a unique notation, that is, without leading zeros.
_NUMBER = re.compile(r"(?<![0-9])(0|[1-9][0-9]{0,8})(?![0-9])")
_LARGEST = 2**31


def columns_of(data: Any) -> list[Any]:
    """Return plain data as columns.

    Examples
    --------
    >>> columns_of([{"n": 10, "t": "a 1"}, {"n": 20, "t": "a 1"}])
    ['[', 1, [['{', 1, [['n', 0, ['=', [10]]], ['t', 0, ['=', ['a 1']]]]], ['{', 1, [['n', 0, ['=', [20]]], ['t', ...
    >>> columns_of([list(range(5, 500, 5))])[2][0][2]
    ['+', 1, [5, 5, 5, ...
    """
    if isinstance(data, dict) and 0 < len(data) <= _NAMES and all(isinstance(name, str) for name in data):
        return ["{", 1, [[name, 0, _column_of(json.dumps(value))] for name, value in data.items()]]
    return _column_of(json.dumps(data))


@functools.lru_cache(maxsize=32)
def _column_of(text: str) -> list[Any]:
    """Return one JSON text as a column, cached because a picture first needs its size and then its content."""
    return _column([json.loads(text)])


def rows_of(column: Sequence[Any]) -> list[Any]:
    """Return the values that a column represents; for a result of :func:`columns_of`, a list with only the data.

    Examples
    --------
    >>> rows_of(columns_of({"steps": [{"line": i} for i in range(3)]}))
    [{'steps': [{'line': 0}, {'line': 1}, {'line': 2}]}]
    """
    kind, first, *more = column
    match kind:
        case "=":
            return list(first)
        case "+":
            numbers: list[int] = []
            for i, number in enumerate(more[0]):
                numbers.append(number + (numbers[i - first] if i >= first else 0))
            return numbers
        case "#":
            return [first[i] for i in rows_of(more[0])]
        case "%":
            holes = [iter(rows_of(c)) for c in more[1]]
            return [re.sub(_HOLE, lambda _, i=i: str(next(holes[i])), first[i]) for i in rows_of(more[0])]
        case "[":
            places = [rows_of(c) for c in more[0]]
            return [[place[i] for place in places] for i in range(first)]
        case "*":
            items = iter(rows_of(more[0]))
            return [[next(items) for _ in range(n)] for n in rows_of(first)]
        case "{":
            parts = [(name, rows_of(there) if there else None, iter(rows_of(c))) for name, there, c in more[0]]
            return [{name: next(c) for name, there, c in parts if there is None or there[i]} for i in range(first)]
        case ":":
            names, values = iter(rows_of(more[0])), iter(rows_of(more[1]))
            return [{next(names): next(values) for _ in range(n)} for n in rows_of(first)]
        case _:
            sorts = [iter(rows_of(c)) for c in more[0]]
            return [next(sorts[i]) for i in rows_of(first)]


def _column(values: list[Any]) -> list[Any]:
    sorts = [_sort(value) for value in values]
    several = sorted(set(sorts))
    if len(several) > 1:
        which = _column([several.index(sort) for sort in sorts])
        parts = [[v for v, s in zip(values, sorts, strict=True) if s == sort] for sort in several]
        return ["?", which, [_column(part) for part in parts]]
    if not values or several == [4]:
        return ["=", values]
    return (_numbers, _texts, _lists, _objects)[several[0]](values)


def _sort(value: Any) -> int:
    if isinstance(value, int) and not isinstance(value, bool) and abs(value) < _LARGEST:
        return 0
    return 1 if isinstance(value, str) else 2 if isinstance(value, list) else 3 if isinstance(value, dict) else 4


def _cost(column: list[Any]) -> int:
    """Return an estimate of the compressed size of a column in bytes."""
    return len(zlib.compress(json.dumps(column, ensure_ascii=False, separators=(",", ":")).encode(), 6))


def _numbers(values: list[int]) -> list[Any]:
    found: list[list[Any]] = [["=", values]]
    if len(values) >= _SHORT:
        found += [["+", lag, [*values[:lag], *(b - a for a, b in zip(values, values[lag:], strict=False))]]
                  for lag in (1, 2, 4)]  # fmt: skip
    return min(found, key=_cost) if len(found) > 1 else found[0]


def _texts(values: list[str]) -> list[Any]:
    found: list[list[Any]] = [["=", values]]
    if len(values) < _SHORT:
        return found[0]
    distinct, which = _numbered(values)
    if len(distinct) < 0.8 * len(values):
        found.append(["#", distinct, _numbers(which)])
    if not any(_HOLE in text for text in distinct):
        texts, which = _numbered([_NUMBER.sub(_HOLE, text) for text in values])
        if len(texts) < 0.8 * len(distinct):
            holes: list[list[int]] = [[] for _ in texts]
            for text, i in zip(values, which, strict=True):
                holes[i] += map(int, _NUMBER.findall(text))
            found.append(["%", texts, _numbers(which), [_numbers(numbers) for numbers in holes]])
    return min(found, key=_cost) if len(found) > 1 else found[0]


def _numbered(texts: list[str]) -> tuple[list[str], list[int]]:
    """Return the distinct strings, and the index of each string."""
    places: dict[str, int] = {}
    which = [places.setdefault(text, len(places)) for text in texts]
    return list(places), which


def _lists(values: list[list[Any]]) -> list[Any]:
    lengths = [len(value) for value in values]
    if len(set(lengths)) == 1 and lengths[0] <= _PLACES:
        return ["[", len(values), [_column([value[i] for value in values]) for i in range(lengths[0])]]
    return ["*", _numbers(lengths), _column([item for value in values for item in value])]


def _objects(values: list[dict[str, Any]]) -> list[Any]:
    names = list(dict.fromkeys(name for value in values for name in value))
    in_order = all([name for name in names if name in value] == list(value) for value in values)
    if len(names) > _NAMES or not in_order:
        keys, items = [name for value in values for name in value], [v for value in values for v in value.values()]
        return [":", _numbers([len(value) for value in values]), _column(keys), _column(items)]
    parts: list[Any] = []
    for name in names:
        there = [int(name in value) for value in values]
        parts.append(
            [name, 0 if all(there) else _numbers(there), _column([value[name] for value in values if name in value])]
        )
    return ["{", len(values), parts]
