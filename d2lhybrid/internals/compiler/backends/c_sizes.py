"""One library for all batch sizes: numbers in the C code that differ between sizes become arguments.

For another batch size, a net gets another program, whose C code differs only in numbers, such as loop
lengths and strides. For the first size, these numbers are constants, which a compiler can optimize a little better.
From the second size on, the numbers that differ are arguments, and every size calls the same library with its own
numbers.

The numbers are found by a comparison of the texts, so operators needn't declare which of their numbers depend on the
batch size. If the lines differ, too (for a batch of one, or if an array is small enough for one thread), a size has its
own library. There are few such sizes. For the same reason, ``torch.compile`` treats the sizes 0 and 1 separately.
"""

from __future__ import annotations

import hashlib
import re
from collections import OrderedDict
from collections.abc import Hashable, Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy

from ...support.locks import new_lock

if TYPE_CHECKING:
    from .c_region import CFunction

__all__ = ["Numbers", "numbers_for", "with_arguments"]

#: A number that isn't part of a name: an integer, or a floating-point number in the format of Python's ``float.hex``.
_NUMBER = re.compile(r"(?<![\w.])(?:0x[0-9a-f]\.[0-9a-f]+p[+-]\d+|\d+)(?![\w.])")
_HEADER = re.compile(r"(?:static )?void (NAME\w*)\((.*)\) \{$")
_ARGUMENT = "const long long* restrict sizes"
#: The largest number of texts whose numbers are stored.
MOST_TEXTS = 256


class Numbers(NamedTuple):
    """The numbers in the text of a C function that are passed as arguments.

    Attributes
    ----------
    places : tuple of int
        The indices of the arguments among all numbers of the text.
    values : numpy.ndarray of int64
        The argument of the function: the length of the outermost loop, followed by the numbers. A floating-point number
        is passed as its bits.
    """

    places: tuple[int, ...]
    values: numpy.ndarray


class _Known(NamedTuple):
    """For each function of a text: the numbers at the first size, and the indices of those that have differed since."""

    first: list[list[str]]
    places: list[set[int]]


_known: OrderedDict[Hashable, _Known] = OrderedDict()
_lock = new_lock()


def numbers_for(functions: Sequence[CFunction], parameters: Hashable) -> list[Numbers | None]:
    """Return the numbers that are arguments of each function of a program.

    Parameters
    ----------
    functions : sequence of CFunction
        The functions of a program.
    parameters : hashable
        The types of the net's parameters, which distinguish this net from nets whose texts have the same lines.

    Returns
    -------
    list of (Numbers or None)
        The numbers; None if all numbers are constants.
    """
    texts = [function.general or function.source for function in functions]
    # The length is appended, because it occurs only in the text of the calling function.
    found = [[*_NUMBER.findall(text), str(f.length)] for text, f in zip(texts, functions, strict=True)]
    lines = [(_NUMBER.sub("#", text), f.is_small) for text, f in zip(texts, functions, strict=True)]
    key = parameters, hashlib.sha256(repr(lines).encode()).digest()
    with _lock:
        known = _known.pop(key, None) or _Known(found, [set() for _ in functions])
        _known[key] = known
        if len(_known) > MOST_TEXTS:
            _known.popitem(last=False)
        if found == known.first:
            return [None] * len(functions)
        for places, old, new in zip(known.places, known.first, found, strict=True):
            places.update(i for i, (a, b) in enumerate(zip(old, new, strict=True)) if a != b)
        chosen = [tuple(sorted(places)) for places in known.places]
    return [
        Numbers(places, numpy.array([_bits(mine[i]) for i in (-1, *places)], numpy.int64)) if places else None
        for places, mine in zip(chosen, found, strict=True)
    ]


def _bits(number: str) -> int:
    """Return a number of a C text as an int64 argument.

    Examples
    --------
    >>> _bits("12"), hex(_bits("0x1.0000000000000p+0"))
    (12, '0x3ff0000000000000')
    """
    return int(numpy.float64(float.fromhex(number)).view(numpy.int64)) if "x" in number else int(number)


def with_arguments(text: str, places: Sequence[int]) -> str:
    r"""Return a C text in which the arguments ``size1`` and so on replace some numbers.

    The function NAME takes the arguments in an array, its last parameter. In functions that NAME calls, this array is
    the first parameter.

    Parameters
    ----------
    text : str
        C functions, the last of which is NAME.
    places : sequence of int
        The indices of the numbers among all numbers of the text.

    Returns
    -------
    str
        The C text.

    Examples
    --------
    >>> text = "void NAME(long start, long stop, float* y) {\n    for (long i = 0; i < 7; ++i) y[i] = 0;\n}\n"
    >>> print(with_arguments(text, [1]))
    void NAME(long start, long stop, float* y, const long long* restrict sizes) {
        const long size1 = sizes[1];
        for (long i = 0; i < size1; ++i) y[i] = 0;
    }
    <BLANKLINE>
    """
    names = {place: f"size{k}" for k, place in enumerate(places, 1)}
    numbers = iter(range(len(_NUMBER.findall(text))))
    real: set[str] = set()

    def replaced(match: re.Match[str]) -> str:
        name = names.get(next(numbers))
        if name is None:
            return match[0]
        if "x" in match[0]:
            real.add(name)
        return name

    lines = _NUMBER.sub(replaced, text).split("\n")
    bounds = [i for i, line in enumerate(lines) if _HEADER.match(line)]
    wanting: list[str] = []  # functions that take the array
    for first, last in zip(bounds, [*bounds[1:], len(lines)], strict=True):
        header, body = _HEADER.match(lines[first]), lines[first + 1 : last]
        assert header is not None
        for helper in wanting:
            body = [line.replace(f"{helper}(", f"{helper}(sizes, ") for line in body]
        used = sorted(set(re.findall(r"\bsize\d+\b", "\n".join(body))), key=lambda name: int(name[4:]))
        loads = [_load(name, name in real) for name in used]
        opening = lines[first]
        if header[1] == "NAME":
            opening = opening.replace(") {", f", {_ARGUMENT}) {{")
        elif used:
            opening = opening.replace("(", f"({_ARGUMENT}, ", 1)
            wanting.append(header[1])
        lines[first] = "\n".join([opening, *loads])
        lines[first + 1 : last] = body
    return "\n".join(lines)


def _load(name: str, is_real: bool) -> str:
    if is_real:
        return f"    double {name}; memcpy(&{name}, sizes + {name[4:]}, sizeof(double));"
    return f"    const long {name} = sizes[{name[4:]}];"
