"""Conversion of Python 2 source to Python 3, which rewrites statements and literals in place.

Source that today's parser accepts is not changed. If the parser rejects the source, each statement that only exists in
Python 2 is rewritten, and the result is parsed again. Renamed modules and names are not part of the syntax:
``repairs.py`` fixes them.
"""

from __future__ import annotations

import ast
import re
import warnings
from collections.abc import Callable, Iterator
from typing import NamedTuple

__all__ = ["Parsed", "mask", "parse_any"]

#: The characters that mask strings, line breaks inside statements, and comments.
_IN_STRING, _JOINED, _COMMENT = "\x01", "\x02", "\x03"
_OPENING, _CLOSING = "([{", ")]}"
_COMPOUND = re.compile(r"(?:if|elif|else|for|while|try|except|finally|with|def|class)\b")
_BLANK = f"[ \t\f{_JOINED}]"


class Parsed(NamedTuple):
    """The source of a program in Python 3, with its syntax tree.

    Attributes
    ----------
    text : str
        The source in Python 3.
    tree : ast.Module
        Syntax tree of the source.
    rewritten : dict of int to str
        The Python 2 syntax in each rewritten line, by line number.
    """

    text: str
    tree: ast.Module
    rewritten: dict[int, str]


def _parsed(text: str) -> ast.Module:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return ast.parse(text)


def parse_any(text: str) -> Parsed:
    r"""Parse a program in Python 3 or Python 2, and return its source in Python 3 with the syntax tree.

    Parameters
    ----------
    text : str
        The source.

    Returns
    -------
    Parsed
        The syntax tree, and the source in Python 3.

    Raises
    ------
    SyntaxError
        If the source is neither Python 3 nor Python 2, or has syntax of Python 2 that cannot be rewritten. The error
        refers to the original text.

    Examples
    --------
    >>> parse_any("print 'loss', loss\n").text
    "print('loss', loss)\n"
    >>> parse_any("x = 1\n").rewritten
    {}
    """
    try:
        return Parsed(text, _parsed(text), {})
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        first = error if isinstance(error, SyntaxError) else SyntaxError(str(error))
    changed, rewritten = _rewritten(text)
    try:
        return Parsed(changed, _parsed(changed), rewritten)
    except TabError:
        pass
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        raise first from None
    spaced = "".join(_with_spaces(line) for line in changed.splitlines(keepends=True))
    try:
        lines = zip(changed.splitlines(), spaced.splitlines(), strict=True)
        for number, (old, new) in enumerate(lines, 1):
            if old != new:
                rewritten.setdefault(number, "tabs among spaces")
        return Parsed(spaced, _parsed(spaced), rewritten)
    except (SyntaxError, ValueError):
        raise first from None


def _with_spaces(line: str) -> str:
    body = line.lstrip(" \t")
    return line[: len(line) - len(body)].expandtabs(8) + body


# --- masks of strings, comments, and statements -------------------------------------------------------------------


def mask(text: str) -> str:
    r"""Return a text of the same length in which strings and comments are masked.

    Line breaks that do not end a statement are also masked: line breaks inside brackets and strings, and after a
    backslash.

    Parameters
    ----------
    text : str
        Source of any version of Python.

    Returns
    -------
    str
        The masked text.

    Examples
    --------
    >>> mask("f('a b')  # c\n").replace("\x01", "s").replace("\x03", "c")
    "f('sss')  ccc\n"
    """
    out = list(text)
    place, depth, end = 0, 0, len(text)
    while place < end:
        char = text[place]
        if char in "'\"":
            place = _blot_string(text, out, place)
        elif char == "#":
            while place < end and text[place] != "\n":
                out[place] = _COMMENT
                place += 1
        else:
            if char in _OPENING:
                depth += 1
            elif char in _CLOSING:
                depth = max(depth - 1, 0)
            elif char == "\n" and depth:
                out[place] = _JOINED
            elif char == "\\" and text[place + 1 : place + 2] == "\n":
                out[place] = out[place + 1] = _JOINED
                place += 1
            place += 1
    return "".join(out)


def _blot_string(text: str, out: list[str], begin: int) -> int:
    """Mask a string, and return the position after it."""
    quote = text[begin] * 3 if text.startswith(text[begin] * 3, begin) else text[begin]
    place = begin + len(quote)
    while place < len(text) and not text.startswith(quote, place):
        if len(quote) == 1 and text[place] == "\n":
            return place  # unclosed strings are reported by the parser
        step = 2 if text[place] == "\\" else 1
        for i in range(place, min(place + step, len(text))):
            out[i] = _IN_STRING
        place += step
    return min(place + len(quote), len(text))


def _statements(masked: str) -> Iterator[tuple[int, int]]:
    """Return the start and the end of each simple statement, and of the head of each compound statement."""
    begin = 0
    for line in masked.split("\n"):
        offset, begin = begin, begin + len(line) + 1
        body = line.rstrip(f" \t\r\f{_COMMENT}{_JOINED}")
        start = len(body) - len(body.lstrip(f" \t\f{_JOINED}"))
        depth, is_head = 0, bool(_COMPOUND.match(body, start))
        for place in range(start, len(body)):
            char = body[place]
            depth += (char in _OPENING) - (char in _CLOSING)
            if depth == 0 and (char == ";" or (char == ":" and is_head and not _in_lambda(body[start:place]))):
                yield offset + start, offset + place
                start = place + 1 + len(body[place + 1 :]) - len(body[place + 1 :].lstrip(f" \t{_JOINED}"))
                is_head = False
        if start < len(body):
            yield offset + start, offset + len(body)


def _in_lambda(head: str) -> bool:
    return len(re.findall(r"\blambda\b", head)) > head.count(":")


def _parts(masked: str) -> list[tuple[int, int]]:
    """Return the start and the end of each part between commas outside brackets."""
    found, depth, start = [], 0, 0
    for place, char in enumerate(masked):
        depth += (char in _OPENING) - (char in _CLOSING)
        if char == "," and depth == 0:
            found.append((start, place))
            start = place + 1
    return [*found, (start, len(masked))]


# --- rewriting ------------------------------------------------------------------------------------------------------


def _rewritten(text: str) -> tuple[str, dict[int, str]]:
    """Return a source with the statements and literals of Python 3, and the changed lines."""
    masked = mask(text)
    edits: list[tuple[int, int, str, str]] = []
    for begin, end in _statements(masked):
        for keyword, rewrite in _STATEMENTS.items():
            if re.match(rf"{keyword}\b", masked[begin:end]):
                new = rewrite(text[begin:end], masked[begin:end])
                if new is not None:
                    edits.append((begin, end, new, keyword))
                break
    edits = [edit for edit in edits if edit[2] != text[edit[0] : edit[1]]]
    changed, lines = text, {}
    for begin, end, new, what in reversed(edits):
        changed = changed[:begin] + new + changed[end:]
        for number in range(text.count("\n", 0, begin) + 1, text.count("\n", 0, end) + 2):
            lines[number] = what
    return _literals(changed, lines)


def _literals(text: str, lines: dict[int, str]) -> tuple[str, dict[int, str]]:
    masked = mask(text)
    edits = []
    for pattern, make, what in _LITERALS:
        edits += [(m.start(), m.end(), make(m, text), what) for m in pattern.finditer(masked)]
    taken = len(text) + 1
    for begin, end, new, what in sorted(edits, reverse=True):
        if end > taken:
            continue
        lines.setdefault(text.count("\n", 0, begin) + 1, what)
        text, taken = text[:begin] + new + text[end:], begin
    return text, lines


def _print(text: str, masked: str) -> str | None:
    rest = re.sub(rf"^print{_BLANK}*", "", masked)
    skipped = len(masked) - len(rest)
    source = text[skipped:]
    if re.match(r"[=.]|[-+*/%|&^]=", rest):
        return None
    if not rest:
        return "print()"
    if rest[0] == "(" and _closes_at_the_end(rest):
        return None
    file = ""
    parts = _parts(rest)
    if rest.startswith(">>"):
        file = source[2 : parts[0][1]].strip()
        parts = parts[1:]
    pieces = [source[a:b].strip() for a, b in parts]
    hangs = bool(pieces) and not pieces[-1]
    given = [*filter(None, pieces), *(['end=" "'] if hangs else []), *([f"file={file}"] if file else [])]
    return f"print({', '.join(given)})"


def _closes_at_the_end(masked: str) -> bool:
    depth = 0
    for place, char in enumerate(masked):
        depth += (char in _OPENING) - (char in _CLOSING)
        if depth == 0:
            return place == len(masked) - 1
    return True


def _exec(text: str, masked: str) -> str | None:
    rest = re.sub(rf"^exec{_BLANK}*", "", masked)
    if not rest or rest[0] in "=.," or (rest[0] == "(" and _closes_at_the_end(rest)):
        return None
    source = text[len(masked) - len(rest) :]
    inside = re.search(r"\bin\b", rest)
    if inside is None:
        return f"exec({source})"
    return f"exec({source[: inside.start()].strip()}, {source[inside.end() :].strip()})"


def _raise(text: str, masked: str) -> str | None:
    rest = re.sub(rf"^raise{_BLANK}*", "", masked)
    source = text[len(masked) - len(rest) :]
    pieces = [source[a:b].strip() for a, b in _parts(rest)]
    if len(pieces) == 2:
        return f"raise {pieces[0]}({pieces[1]})"
    return f"raise {pieces[0]}({pieces[1]}).with_traceback({pieces[2]})" if len(pieces) == 3 else None


def _except(text: str, masked: str) -> str | None:
    rest = re.sub(rf"^except{_BLANK}*", "", masked)
    source = text[len(masked) - len(rest) :]
    pieces = [source[a:b].strip() for a, b in _parts(rest)]
    return f"except {pieces[0]} as {pieces[1]}" if len(pieces) == 2 and pieces[1].isidentifier() else None


_STATEMENTS: dict[str, Callable[[str, str], str | None]] = {
    "print": _print, "exec": _exec, "raise": _raise, "except": _except,
}  # fmt: skip

_LITERALS: list[tuple[re.Pattern[str], Callable[[re.Match[str], str], str], str]] = [
    (re.compile(r"<>"), lambda m, text: "!=", "<>"),
    (re.compile(r"`([^`\n]+)`"), lambda m, text: f"repr({text[m.start() + 1 : m.end() - 1]})", "backquotes"),
    (re.compile(r"\b[uU]([rR])(?=['\"])"), lambda m, text: m[1], "ur'...'"),
    (re.compile(r"(?<![\w.])(0[xX][0-9a-fA-F]+|\d+)[lL]\b"), lambda m, text: m[1], "long numbers"),
    (re.compile(r"(?<![\w.])0([0-7]+)(?![\w.])"), lambda m, text: f"0o{m[1]}" if m[1].strip("0") else "0", "octal"),
]
