"""A listing of source code with marks for the lines that ran, and notes next to lines."""

from __future__ import annotations

import inspect
import io
import keyword
import linecache
import tokenize
import types
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from ..support.display import Shown
from .html import element, escape
from .theme import MONOSPACE, tint

__all__ = ["Line", "Listing", "listing_of", "tokens_of"]


@dataclass(repr=False)
class Line(Shown):
    """A line of source code.

    Attributes
    ----------
    number : int
        Number of the line in the file.
    text : str
        Content of the line without the common indentation of all lines.
    mark : str
        Name of a color in the palette, such as ``"eager"``; ``""`` for an ordinary line, and ``"faint"`` for a line
        that did not run.
    sign : str
        Sign before the line; ``""`` for the mark's default sign.
    notes : list of str
        Notes next to the line.
    tokens : list of (str, str)
        Parts of the line and their kinds: ``"keyword"``, ``"string"``, ``"number"``, ``"comment"``, or ``""``.
    """

    number: int
    text: str
    mark: str = ""
    sign: str = ""
    notes: list[str] = field(default_factory=list)
    tokens: list[tuple[str, str]] = field(default_factory=list)

    def to_dict(self) -> dict[str, Any]:
        """Return the line as a JSON-compatible dictionary."""
        return {"n": self.number, "mark": self.mark, "notes": self.notes, "tokens": [list(t) for t in self.tokens]}


@dataclass(repr=False)
class Listing(Shown):
    """Consecutive lines of a file, with marks and notes."""

    title: str
    filename: str
    lines: list[Line]

    def line(self, number: int) -> Line | None:
        """Return the line with the number, or None if the listing does not include it."""
        first = self.lines[0].number if self.lines else 0
        return self.lines[number - first] if 0 <= number - first < len(self.lines) else None

    def to_dict(self) -> dict[str, Any]:
        """Return the listing as a JSON-compatible dictionary."""
        return {"title": self.title, "lines": [line.to_dict() for line in self.lines]}

    def to_text(self, signs: dict[str, str] | None = None) -> str:
        """Return the listing as text; ``signs`` maps each mark to the sign before a line."""
        signs = signs or {}
        width = max((len(line.text) for line in self.lines), default=0)
        rows = []
        for line in self.lines:
            sign = line.sign or signs.get(line.mark, " ")
            notes = f"{'':{width - len(line.text)}}   # {'; '.join(line.notes)}" if line.notes else ""
            rows.append(f"{sign} {line.number:4}  {line.text}{notes}".rstrip())
        return "\n".join(rows)

    def to_html(self, signs: dict[str, str] | None = None) -> str:
        """Return the listing as preformatted text: a sign, the number, the line, and its notes.

        A table would be ten times as large, because in an untrusted notebook, each table cell needs its own style.
        """
        signs = signs or {}
        width = max((len(line.text) for line in self.lines), default=0)
        gap = "\n" + " " * (width + 12)
        rows = []
        for line in self.lines:
            faint = line.mark == "faint"
            code = "".join(_weighted(part, "" if faint else kind) for part, kind in line.tokens)
            sign = escape(line.sign or signs.get(line.mark, " "))
            style = "opacity: 0.6" if faint else f"background: {tint(line.mark)}" if line.mark else ""
            text = f"{sign} {line.number:4}  {code}"
            if style or line.notes:  # colors of lines, and notes, have the same width, and the same column
                text += f"{'':{width - len(line.text)}}  "
            # All notes are in one row, because further rows would look like empty lines in the code.
            notes = [escape(" ".join(note.split())) for note in line.notes]
            rows.append((element("span", text, style=style) if style else text) + f"  {gap.join(notes)}".rstrip())
        style = f"font: 12px/1.5 {MONOSPACE}; white-space: pre; overflow-x: auto; margin: 4px 0; padding: 0"
        return element("pre", "\n".join(rows), style=f"{style}; background: none")


def _weighted(text: str, kind: str) -> str:
    # Colored text is not readable on both light and dark pages, but weight and slant are.
    tag = {"keyword": "b", "comment": "i"}.get(kind)
    return element(tag, escape(text)) if tag else escape(text)


def listing_of(code: types.CodeType, title: str = "") -> Listing:
    """Return the listing of a function; the listing has no lines if the function's source is unknown.

    Examples
    --------
    >>> print(listing_of(_indent_of.__code__).lines[-1].text)
        return ...
    """
    lines = _block(code.co_filename, code.co_firstlineno)
    indent = min(map(_indent_of, filter(str.strip, lines)), default=0)
    lines = [t[indent:].rstrip() for t in lines]
    found = [
        Line(code.co_firstlineno + i, t, tokens=k) for i, (t, k) in enumerate(zip(lines, tokens_of(lines), strict=True))
    ]
    return Listing(title or code.co_qualname.rpartition("<locals>.")[2], code.co_filename, found)


def _indent_of(line: str) -> int:
    return len(line) - len(line.lstrip())


def _block(filename: str, first: int) -> list[str]:
    """Return the lines of the function that begins at a line."""
    lines = linecache.getlines(filename)[first - 1 :]
    return inspect.getblock(lines) if lines else []


def tokens_of(lines: Sequence[str]) -> list[list[tuple[str, str]]]:
    """Return the parts of each line of source code, with their kinds.

    Examples
    --------
    >>> tokens_of(["if x:  # why", "    y = 'a'"])
    [[('if', 'keyword'), (' x:  ', ''), ('# why', 'comment')], [('    y = ', ''), ("'a'", 'string')]]
    """
    kinds = [[""] * len(line) for line in lines]
    for (row, start), (last, end), kind in _pieces(lines):
        for i in range(row, last + 1):
            begin, stop = (start if i == row else 0), (end if i == last else len(kinds[i]))
            kinds[i][begin:stop] = [kind] * (stop - begin)
    return [_joined(line, of) for line, of in zip(lines, kinds, strict=True)]


def _pieces(lines: Sequence[str]) -> Iterator[tuple[tuple[int, int], tuple[int, int], str]]:
    reader = io.StringIO("\n".join(lines)).readline
    names = {tokenize.STRING: "string", tokenize.COMMENT: "comment", tokenize.NUMBER: "number"}
    for name in ("FSTRING_START", "FSTRING_MIDDLE", "FSTRING_END"):  # Python 3.12
        if hasattr(tokenize, name):
            names[getattr(tokenize, name)] = "string"
    try:
        for token in tokenize.generate_tokens(reader):
            kind = names.get(token.type, "")
            if token.type == tokenize.NAME and keyword.iskeyword(token.string):
                kind = "keyword"
            if kind:
                (row, start), (last, end) = token.start, token.end
                yield (row - 1, start), (last - 1, end), kind
    except (tokenize.TokenError, SyntaxError):  # incomplete code: use the tokens read so far
        return


def _joined(line: str, kinds: list[str]) -> list[tuple[str, str]]:
    parts: list[tuple[str, str]] = []
    for letter, kind in zip(line, kinds, strict=True):
        if parts and (parts[-1][1] == kind):
            parts[-1] = parts[-1][0] + letter, kind
        else:
            parts.append((letter, kind))
    return parts
