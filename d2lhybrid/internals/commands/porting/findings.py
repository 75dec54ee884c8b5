"""The findings in a program, and its verdict."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import Any, NamedTuple

from d2lhybrid.internals.support.words import add_words, translate

from .sources import Source

__all__ = ["Edit", "Finding", "Kind", "Result", "Taken", "Verdict"]


class Kind(StrEnum):
    """The kind of a finding, such as a missing package or a removed name."""

    UNREADABLE = "unreadable"
    PYTHON2 = "python 2"
    ABSENT = "absent"
    PACKAGE = "package"
    FOLDER = "folder"
    GPU = "gpu"
    DOWNLOAD = "download"
    FILE = "file"
    ARGUMENTS = "arguments"
    DOUBT = "doubt"
    HABIT = "habit"


class Verdict(StrEnum):
    """The verdict on whether a program runs under ``d2lhybrid run``."""

    RUNS = "runs"
    HABITS = "runs, on habits"
    PROBABLY = "probably runs"
    NEEDS = "needs"
    ABSENT = "uses what is absent"
    PYTHON2 = "is for Python 2"
    UNREADABLE = "cannot be read"

    @property
    def words(self) -> str:
        """The verdict in the language of the reader."""
        return translate(_WORDS[self])


_WORDS = {
    Verdict.RUNS: "runs unchanged",
    Verdict.HABITS: "runs with restored names",
    Verdict.PROBABLY: "probably runs",
    Verdict.NEEDS: "has missing requirements",
    Verdict.ABSENT: "uses missing functions",
    Verdict.PYTHON2: "is for Python 2",
    Verdict.UNREADABLE: "cannot be read",
}


class Edit(NamedTuple):
    """A replacement of a part of one line in a program. Lines are numbered from 1, and columns from 0."""

    line: int
    begin: int
    end: int
    new: str


class Taken(NamedTuple):
    """A use of a name from one of the program's own modules. The import of a name is also a use."""

    module: str
    name: str
    line: int
    inside: str
    is_import: bool


@dataclass(frozen=True)
class Finding:
    """A finding in a program.

    Attributes
    ----------
    kind : Kind
        Kind of the finding.
    what : str
        Name in the program that the finding is about.
    line : int
        First line of the finding; 0 for the whole file.
    instead : str
        Advice on the replacement; empty if no change is necessary.
    edits : tuple of Edit
        Edits that fix the finding mechanically, if possible.
    inside : tuple of str
        Functions and classes that contain the finding; "" represents lines that run when the file is imported.
    through : str
        The program's own module that contains the finding, if the finding is not in the program itself.
    """

    kind: Kind
    what: str
    line: int = 0
    instead: str = ""
    edits: tuple[Edit, ...] = ()
    inside: tuple[str, ...] = ("",)
    through: str = ""


@dataclass
class Result:
    """All findings in one file.

    Attributes
    ----------
    path : Path
        The file.
    source : Source or None
        Content of the file; None if it cannot be read.
    findings : list of Finding
        The findings, at most one for each kind and name.
    uses_mxnet : bool
        Whether the program imports MXNet, or a book's package that uses it.
    text : str
        The program with only its syntax converted to Python 3. Edits refer to this text.
    rewritten : dict of int to str
        For each line of the text that differs from the file, the Python 2 syntax and its Python 3 replacement.
    own_modules : list of (str, int)
        The program's own modules that the file imports at the top level, and the lines of the imports.
    names : dict of str to set of str
        The names that each function and class of the file uses. The key "" has the names of all other lines.
    optional : set of str
        The program's own modules that it can do without, because it imports them inside a check or a ``try`` statement
        that handles missing names.
    defined : set of str or None
        The names that the file defines for files that import it; None if the text doesn't show all of these names.
    taken : list of Taken
        The uses of names from the program's own modules.
    set_elsewhere : set of str
        The attributes that the file assigns.
    relative : list of Edit
        Fixes for imports of modules in the file's own folder. If a program in another folder imports the file, only
        Python 2 finds these modules.
    is_program : bool
        Whether the file checks ``if __name__ == "__main__"``. Other programs may also import such a file.
    """

    path: Path
    source: Source | None = None
    findings: list[Finding] = field(default_factory=list)
    uses_mxnet: bool = False
    text: str = ""
    rewritten: dict[int, str] = field(default_factory=dict)
    own_modules: list[tuple[str, int]] = field(default_factory=list)
    names: dict[str, set[str]] = field(default_factory=dict)
    optional: set[str] = field(default_factory=set)
    defined: set[str] | None = None
    taken: list[Taken] = field(default_factory=list)
    set_elsewhere: set[str] = field(default_factory=set)
    relative: list[Edit] = field(default_factory=list)
    is_program: bool = False

    @property
    def verdict(self) -> Verdict:
        """The verdict, which depends on the worst finding."""
        kinds = {finding.kind for finding in self.findings}
        for kind, verdict in (
            (Kind.UNREADABLE, Verdict.UNREADABLE),
            (Kind.PYTHON2, Verdict.PYTHON2),
            (Kind.ABSENT, Verdict.ABSENT),
        ):
            if kind in kinds:
                return verdict
        if kinds - {Kind.HABIT, Kind.DOUBT}:
            return Verdict.NEEDS
        if Kind.DOUBT in kinds:
            return Verdict.PROBABLY
        return Verdict.HABITS if kinds else Verdict.RUNS

    def place(self, finding: Finding) -> str:
        """Return the line or cell of a finding in words.

        Parameters
        ----------
        finding : Finding
            The finding.

        Returns
        -------
        str
            The words; empty for a finding about the whole file.
        """
        place = self.source.place(finding.line) if self.source is not None and finding.line else ""
        return f"{place}: {finding.through}" if finding.through else place

    def to_dict(self, folder: Path) -> dict[str, Any]:
        """Return the path, the verdict, and the findings as a dictionary that JSON can express.

        Parameters
        ----------
        folder : Path
            Folder that paths are relative to.

        Returns
        -------
        dict of str to object
            The data.
        """
        path = self.path.relative_to(folder) if self.path.is_relative_to(folder) else self.path
        return {
            "path": path.as_posix(),
            "verdict": self.verdict.value,
            "uses_mxnet": self.uses_mxnet,
            "findings": [
                {"kind": f.kind.value, "what": f.what, "line": f.line, "place": self.place(f), "instead": f.instead,
                 "repaired": bool(f.edits)}
                for f in self.findings
            ],
        }  # fmt: skip


add_words(
    {
        "runs unchanged": "可以直接运行",
        "runs with restored names": "可以运行，但用到了已经移除的功能",
        "probably runs": "很可能可以运行",
        "has missing requirements": "还缺少必要的内容",
        "uses missing functions": "用到了这里没有的功能",
        "is for Python 2": "是为 Python 2 写的",
        "cannot be read": "无法读取",
    }
)
