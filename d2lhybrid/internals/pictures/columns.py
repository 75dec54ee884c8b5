"""Plain data as columns, which puts similar values next to each other for better compression.

A picture's data are a list of steps, each with the same few names, or a list of boxes, each a little below the last. As
JSON they repeat themselves, and deflate looks back 32 kB and knows no arithmetic. So a list of records is written as
a record of lists, numbers as differences, and texts that differ in their numbers alone as one text and the numbers.
Nothing is lost, also not the order of names. ``widgets/static/columns.js`` is the way back.

A column is a list that begins with its kind:

========================== ==========================================================================
``["=", values]``          the values
``["+", lag, numbers]``    numbers, each less the one so many places before
``["#", texts, column]``   texts that are repeated: each once, and which one it is
``["%", texts, column, columns]``  texts with holes, which one it is, and for each the numbers in its holes
``["[", count, columns]``  lists of one length: a column for each place
``["*", column, column]``  lists: their lengths, and all items
``["{", count, parts]``    objects: for each name the name, a column that says which have it (0: all), and the values
``[":", column, column, column]``  objects with names of their own: their lengths, all names, all values
``["?", column, columns]`` values of several sorts: which sort, and a column for each
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

#: Objects with more names than this are tables with keys of their own.
_NAMES = 24
#: The largest length of lists that count as records.
_PLACES = 8
#: Shorter columns are as they are.
_SHORT = 4
#: Stands in a text where a number was.
_HOLE = "\x7f"
#: A number that is written in one way only: no zero before it.
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
    """Return one piece of data as a column; a picture asks how large it is, and its page soon after for the same."""
    return _column([json.loads(text)])


def rows_of(column: Sequence[Any]) -> list[Any]:
    """Return the data of columns, in a list of one.

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
    """Return each text once, and for each which of these it is."""
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
