"""What may differ between a lesson run here and the same lesson run on MXNet 1.9.1."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True)
class Difference:
    """One kind of text that may differ: what it looks like, what stands for it, and why."""

    what: str
    pattern: str
    replacement: str | Callable[[re.Match[str]], str]
    why: str
    #: Only in blocks of the record that are marked as random: elsewhere the text must be equal.
    only_random: bool = False


def _shape_of(match: re.Match[str]) -> str:
    """Return a printed array with all its numbers alike: what is left is its shape."""
    numbers = re.sub(r"-?\d+\.?\d*(?:e[-+]?\d+)?", "#", match.group())
    return re.sub(r"(?<=\[) | (?=[\],])", "", re.sub(r"\s+", " ", numbers))


#: All of them. Everything else that a user sees must be the same to the letter.
ALLOWED = [
    Difference(
        "module path in print(F)",
        r"<module '(?:mxnet|d2lhybrid)\.([\w.]+)' from '[^']*'>",
        r"<module 'mxnet.\1' from '...'>",
        "F is a module of this package, and says so; `mxnet` is another name of it.",
    ),
    Difference(
        "random numbers",
        r"\[[\[\]\d\s.,e+-]*\]",
        _shape_of,
        "NumPy's generator gives other numbers than MXNet's for the same seed. The shape must agree.",
        only_random=True,
    ),
    Difference(
        "timings",
        r"\d+\.\d{4} sec",
        "#.#### sec",
        "The machine is another one. Four decimal places must agree.",
    ),
    Difference(
        "order of unused parameters in a warning",
        r"(?<=Parameter )\S+(?:, \S+)+(?= is not used)",
        lambda match: ", ".join(sorted(match.group().split(", "))),
        "MXNet's comes from a set, and is another one in every run.",
    ),
    Difference(
        "owner and date in `ls -l`",
        r"(?m)^[-rwx]{10}\S* +\d+ +\S+ +\S+ +(\S+) +\S+ +\S+ +\S+ (\S+)$",
        r"\1 \2",
        "They are this run's. Names and sizes of files must agree.",
    ),
]


def leave_out(text: str, random: bool) -> str:
    """Return a text with everything replaced that may differ."""
    for difference in ALLOWED:
        if random or not difference.only_random:
            text = re.sub(difference.pattern, difference.replacement, text)
    return text
