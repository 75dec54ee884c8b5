"""The findings of a check: what differs after ``hybridize()``, why, and how to change the code."""

from __future__ import annotations

import linecache
import re
import textwrap
import unicodedata
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from typing import Any

from ...support.display import Shown
from ...support.printing import printed
from ...support.remedies import location
from ...support.settings import settings
from ...support.words import labelled, translate
from ..traps import TRAPS, trap_of_kind

__all__ = ["Finding", "Findings"]

_SAME = "{net}: the eager and hybridized results are the same ({runs}), and nothing is frozen."


@dataclass
class Finding(Shown):
    """A difference that hybridizing causes, or could cause.

    Attributes
    ----------
    kind : str
        Kind of the finding: ``"error"``, ``"value"``, ``"shape"``, ``"branch"``, ``"attribute"``,
        ``"computed"``, ``"loop"``, ``"counter"``, ``"random"``, ``"time"``, ``"print"``, ``"silent"``, ``"hook"`` ...
    what, why, remedy : str
        Description, reason, and advice.
    filename : str or None
        File of the line that causes the finding; None if there is no such line.
    line : int
        Number of the line; 0 if no line of user code is the cause.
    value : str
        For a frozen value, the value in the graph as text.
    differs : bool
        For a frozen value, whether an observed call would have used another value.
    page : str
        Number of the page in ``docs/errors`` about the trap; empty if there is none.
    name : str
        For a frozen value, its source code, such as ``self.factor``; empty for other findings.
    """

    kind: str
    what: str
    why: str = ""
    remedy: str = ""
    filename: str | None = None
    line: int = 0
    value: str = ""
    differs: bool = False
    page: str = ""
    name: str = ""

    def __post_init__(self) -> None:
        found = trap_of_kind(self.kind)
        if not self.page and found is not None:
            self.page = found.number

    @property
    def code(self) -> str:
        """The source code of the line; empty if there is none."""
        return linecache.getline(self.filename, self.line).strip() if self.filename else ""

    @printed
    def __str__(self) -> str:
        lines = [_wrap(f"[{self.kind}] {self.what}", "  ")]
        if self.filename and self.line:
            lines.append(f"{_label('where')}{location(self.filename, self.line)}")
            if self.code:
                lines.append(f"            {self.code}")
        for label, text in (("why", self.why), ("remedy", self.remedy)):
            if text:
                lines.append(_wrap(text, "            ", _label(label)))
        if self.page:
            lines.append(f"{_label('page')}{self.page} {translate(TRAPS[self.page].title)}")
        return "\n".join(lines)

    __repr__ = __str__


def _label(name: str) -> str:
    text = f"    {labelled(translate(name))}"
    return text + " " * (12 - _columns(text))


def _wrap(text: str, indent: str, first: str = "  ") -> str:
    """Return a text wrapped at 100 columns."""
    if settings.lang != "zh":
        return textwrap.fill(text, 100, initial_indent=first, subsequent_indent=indent, break_long_words=False)
    lines, line = [], first
    # A line breaks at a space, or on either side of a Chinese character; no line begins with closing punctuation.
    for piece in re.findall(r"[\u3400-\u9fff][，。；：、？！）”]*|[^\u3400-\u9fff\s]+|\s+", text):
        if _columns(line + piece.rstrip()) > 100:
            lines.append(line.rstrip())
            line = indent
        line += piece.lstrip() if line == indent else piece
    return "\n".join([*lines, line.rstrip()])


def _columns(text: str) -> int:
    """Return the display width of a text: Chinese characters have two columns."""
    return sum(2 if unicodedata.east_asian_width(letter) in "WF" else 1 for letter in text)


@dataclass
class Findings(Shown):
    """The result of :func:`~d2lhybrid.internals.pictures.check.check_hybridization`.

    The object is true if there are findings. Its printed form is a list of sentences.

    Attributes
    ----------
    net : str
        Class name of the net.
    differences : list of Finding
        Findings for which the hybridized net fails, or computes different values than in eager mode.
    frozen : list of Finding
        Values that Python computed in the trace, and that later calls do not recompute.
    notes : list of Finding
        Properties that the net has in both modes, but that may not be intended.
    runs : list of str
        Descriptions of the compared calls.
    unseen : list of str
        Code in the net that was not examined, in which frozen values would go unnoticed.
    """

    net: str
    differences: list[Finding] = field(default_factory=list)
    frozen: list[Finding] = field(default_factory=list)
    notes: list[Finding] = field(default_factory=list)
    runs: list[str] = field(default_factory=list)
    unseen: list[str] = field(default_factory=list)

    def __iter__(self) -> Iterator[Finding]:
        return iter([*self.differences, *self.frozen, *self.notes])

    def __len__(self) -> int:
        return len(self.differences) + len(self.frozen) + len(self.notes)

    def of_kind(self, kind: str) -> list[Finding]:
        """Return the findings of a kind.

        Parameters
        ----------
        kind : str
            Kind of the findings.
        """
        return [f for f in self if f.kind == kind]

    def as_dict(self) -> dict[str, Any]:
        """Return the findings as dictionaries, lists, strings, and numbers."""
        return asdict(self)

    @printed
    def __str__(self) -> str:
        runs = translate("no call compared, because the eager or the hybridized call fails")
        if self.runs:
            runs = translate("{n} calls compared", n=len(self.runs))
        unseen = []
        if self.unseen:
            title = "Not examined (frozen values there are not listed):"
            unseen = ["", translate(title), *(_wrap(text, "    ", "  - ") for text in self.unseen)]
        if not len(self):
            return "\n".join([translate(_SAME, net=self.net, runs=runs), *unseen])
        parts = [translate("{net}: {runs}.", net=self.net, runs=runs)]
        for title, found in (
            ("Hybridized, the net behaves differently:", self.differences),
            ("Frozen: decided once, while the net was traced:", self.frozen),
            ("Good to know:", self.notes),
        ):
            if found:
                parts += ["", translate(title), *map(str, found)]
        if not self.differences:
            parts.insert(1, translate("In all of these calls, the hybridized and the eager results are the same."))
        return "\n".join([*parts, *unseen])

    __repr__ = __str__


def add(found: list[Finding], new: Finding) -> Finding:
    """Add a finding, unless its line already has a finding of this kind, and return the finding in the list."""
    for old in found:
        if (old.kind, old.filename, old.line) == (new.kind, new.filename, new.line) and (
            old.line or old.what == new.what
        ):
            old.differs = old.differs or new.differs
            return old
    found.append(new)
    return new
