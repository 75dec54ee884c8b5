"""How a text that MXNet printed is compared with ours: what is left out of both before."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True)
class Rule:
    """One kind of text that may differ, what stands for it, and why."""

    pattern: str
    replacement: str | Callable[[re.Match[str]], str]
    why: str


def _in_order(match: re.Match[str]) -> str:
    """Put the attributes in an error message, or the entries of a dictionary of texts, in order."""
    first, attributes, last = match.groups()
    return first + ", ".join(sorted(re.findall(r"""\w+="[^"]*"|'\w+': '(?:[^'\\]|\\.)*'""", attributes))) + last


def _with_braces(match: re.Match[str]) -> str:
    """Write the pairs in the repr of an OrderedDict of texts as Python 3.12 does."""
    return "OrderedDict({" + re.sub(r"\(('\w+'), (.*?)\)(?=, \('|$)", r"\1: \2", match[1]) + "})"


#: All of them. Everything else must be the same to the letter, or stand in ``DIFFERENCES``.
RULES = [
    Rule(
        r"Traceback \(most recent call last\):\n  File \"\.\./[^\n]*\n(?:MXNetError: )?",
        "",
        "Where in MXNet's C++ an error was raised.",
    ),
    Rule(r"\[\d\d:\d\d:\d\d\] \.\./\S+?:\d+: ", "", "The same, with the time of day."),
    Rule(
        r"MXNetError(:?) (?:(?:MXNetError|LocalFileSystem|JSONReader|NDArray\.Reshape|std): ?)+",
        r"MXNetError\1 ",
        "MXNet's library takes the first word with a colon for the name of an exception.",
    ),
    Rule(r"(?<=inferred\. )MXNetError: ", "", "The same, where the message is part of another one."),
    Rule(r"\bShapeError\b", "MXNetError", "Errors of shapes have a class of their own, derived from MXNetError."),
    *[
        Rule(rf"\b{module}{ours}\b", f"{origin}{theirs}", f"{what} is an MXNetError here, too.")
        for ours, theirs, what in (
            ("MismatchError", "AssertionError", "What was loaded and is not what the net has"),
            ("UnexpectedNameError", "ValueError", "What was loaded under a name that nobody has"),
            ("BindError", "RuntimeError", "What cannot be bound"),
        )
        for module, origin in ((r"d2lhybrid\.error\.", "builtins."), ("", ""))
    ],
    Rule(r" at 0x[0-9a-f]+", "", "Addresses of objects."),
    Rule(
        r"\b(?:mxnet|d2lhybrid)(?:\.\w+)*\.(?=[A-Z_]\w*)",
        "mxnet.",
        "The module in which a class is defined; a class is found under MXNet's name all the same.",
    ),
    Rule(r"(?<=')d2lhybrid\b", "mxnet", "The name of the package: `mxnet` is another name of it."),
    Rule(r"\bnumpy\.bool\b", "numpy.bool_", "NumPy 2 calls the type numpy.bool."),
    Rule(
        r"OrderedDict\(\[((?:(?!OrderedDict\().)*)\]\)",
        _with_braces,
        "Python 3.12 and newer write an OrderedDict with braces.",
    ),
    Rule(
        r"""(\(name="[^"]*", )(\w+="[^"]*"(?:, \w+="[^"]*")*)(\))""",
        _in_order,
        "The order of the attributes in a message is that of a hash table of MXNet's.",
    ),
    Rule(
        r"""(\{)('\w+': '(?:[^'\\]|\\.)*'(?:, '\w+': '(?:[^'\\]|\\.)*')*)(\})""",
        _in_order,
        "The order of the attributes of a node is that of a hash table of MXNet's.",
    ),
    Rule(r"(?m)[ \t]+$", "", "Blanks at the end of a line."),
    Rule(r"\n+\Z", "", "Empty lines at the end."),
]


def leave_out(text: str) -> str:
    """Return a text without what may differ."""
    for rule in RULES:
        text = re.sub(rule.pattern, rule.replacement, text)
    return text


def blur(text: str) -> str:
    """Return a text with all numbers in brackets alike, or all numbers where there are no brackets."""
    if "[" not in text and "]" not in text:
        return _NUMBER.sub("#", text)

    def alike(match: re.Match[str]) -> str:
        return re.sub(r"(?<=\[) | (?=\])", "", re.sub(r"\s+", " ", _NUMBER.sub("#", match.group())))

    return re.sub(r"\[(?:[\[\]\d\s.,e+'#-]|nan|inf)*\]", alike, text)


_NUMBER = re.compile(r"-?(?:\d+\.?\d*(?:e[-+]?\d+)?|nan|inf)")


def common(first: str, second: str) -> str:
    """Return what two runs with different random numbers have in common: other lines are blurred."""
    lines, others = first.split("\n"), second.split("\n")
    if len(lines) != len(others) or any(blur(a) == a != b for a, b in zip(lines, others, strict=True)):
        return blur(first)
    return "\n".join(a if a == b else blur(a) for a, b in zip(lines, others, strict=True))


_FLOAT = re.compile(r"\s*(-?\d+\.\d*(?:e[-+]?\d+)?)\s*")


def _close(ours: str, expected: str) -> bool:
    """Return whether only the last digits of float32 numbers, and the blanks beside them, are different.

    The order of a sum is not MXNet's.
    """
    if _FLOAT.sub("#", ours) != _FLOAT.sub("#", expected):
        return False
    numbers, others = _FLOAT.findall(ours), _FLOAT.findall(expected)
    return len(numbers) == len(others) and all(
        math.isclose(float(a), float(b), rel_tol=1e-5, abs_tol=5e-6) for a, b in zip(numbers, others, strict=True)
    )


def agrees(ours: str, expected: str) -> bool:
    """Return whether a text is as expected, where lines of the expected one may be blurred.

    Where MXNet shows an address, an object here says what it was made with.
    """
    address = re.fullmatch(r"<mxnet\.(\w+) object>", expected)
    if ours == expected or _close(ours, expected) or (address is not None and ours.startswith(f"{address[1]}(")):
        return True
    if "#" not in expected:
        return False
    lines, others = ours.split("\n"), expected.split("\n")
    if len(lines) != len(others):
        return blur(ours) == blur(expected)
    return all(_close(a, b) or ("#" in b and blur(a) == b) for a, b in zip(lines, others, strict=True))
