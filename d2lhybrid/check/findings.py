"""What a check has found: plain data, and the text that a student reads."""

from __future__ import annotations

import linecache
import textwrap
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from typing import Any

from ..symbol.remedies import location
from ..traps import TRAPS, trap_of_kind

__all__ = ["Finding", "Findings"]


@dataclass
class Finding:
    """One thing that hybridizing changes, or could change.

    Attributes
    ----------
    kind : str
        ``"error"``, ``"value"``, ``"shape"``, ``"branch"``, ``"attribute"``, ``"loop"``, ``"counter"``, ``"random"``,
        ``"time"``, ``"print"``, ``"silent"``, ``"hook"`` ...
    what, why, remedy : str
        What happens, for which reason, and what to write instead.
    filename : str or None
        File of the line that makes it happen.
    line : int
        Number of that line; 0 where no line of the user's is to blame.
    value : object
        For what is frozen: the value that it has in the graph, as text.
    differs : bool
        For what is frozen: whether a call was seen that would have taken another value.
    page : str
        Number of the page in ``docs/errors`` that explains the trap; empty if there is none.
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

    def __post_init__(self) -> None:
        found = trap_of_kind(self.kind)
        if not self.page and found is not None:
            self.page = found.number

    @property
    def code(self) -> str:
        """The program text of the line."""
        return linecache.getline(self.filename, self.line).strip() if self.filename else ""

    def __str__(self) -> str:
        lines = [_wrap(f"[{self.kind}] {self.what}", "  ")]
        if self.filename and self.line:
            lines.append(f"    where:  {location(self.filename, self.line)}")
            if self.code:
                lines.append(f"            {self.code}")
        for label, text in (("why", self.why), ("remedy", self.remedy)):
            if text:
                lines.append(_wrap(text, "            ", f"    {label + ':':8}"))
        if self.page:
            lines.append(f"    page:   {self.page} {TRAPS[self.page].title}")
        return "\n".join(lines)


def _wrap(text: str, indent: str, first: str = "  ") -> str:
    return textwrap.fill(text, 100, initial_indent=first, subsequent_indent=indent, break_long_words=False)


@dataclass
class Findings:
    """The result of :func:`~d2lhybrid.check.check_hybridization`.

    It is true if there is something to say, and printing it says so in words.

    Attributes
    ----------
    net : str
        Class of the net.
    differences : list of Finding
        Where the hybridized net does something else than the net run line by line, or fails.
    frozen : list of Finding
        What Python decided while the net was traced, and no later call decides again.
    notes : list of Finding
        What is the same in both, but perhaps not meant.
    runs : list of str
        Which calls were compared.
    """

    net: str
    differences: list[Finding] = field(default_factory=list)
    frozen: list[Finding] = field(default_factory=list)
    notes: list[Finding] = field(default_factory=list)
    runs: list[str] = field(default_factory=list)

    def __iter__(self) -> Iterator[Finding]:
        return iter([*self.differences, *self.frozen, *self.notes])

    def __len__(self) -> int:
        return len(self.differences) + len(self.frozen) + len(self.notes)

    def of_kind(self, kind: str) -> list[Finding]:
        """Return the findings of one kind."""
        return [f for f in self if f.kind == kind]

    def as_dict(self) -> dict[str, Any]:
        """Return everything as dictionaries, lists, texts and numbers."""
        return asdict(self)

    def __str__(self) -> str:
        runs = f"{len(self.runs)} calls compared" if self.runs else "no call compared, because one of the two fails"
        if not len(self):
            return f"{self.net}: hybridized and run line by line it computes the same ({runs}), and nothing is frozen."
        parts = [f"{self.net}: {runs}."]
        for title, found in (
            ("Hybridized, the net does something else:", self.differences),
            ("Frozen: decided once, while the net was traced:", self.frozen),
            ("To be known:", self.notes),
        ):
            if found:
                parts += ["", title, *map(str, found)]
        if not self.differences:
            parts.insert(1, "Hybridized and run line by line it computes the same in all of them.")
        return "\n".join(parts)

    __repr__ = __str__


def add(found: list[Finding], new: Finding) -> Finding:
    """Add a finding, unless there is one of its kind at its line; return the one that is there."""
    for old in found:
        if (old.kind, old.filename, old.line) == (new.kind, new.filename, new.line) and (
            old.line or old.what == new.what
        ):
            old.differs = old.differs or new.differs
            return old
    found.append(new)
    return new
