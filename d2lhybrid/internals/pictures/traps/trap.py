"""The data of a trap."""

from __future__ import annotations

from dataclasses import dataclass
from importlib.resources.abc import Traversable

from ...support.display import Shown

__all__ = ["Trap"]


@dataclass(frozen=True, repr=False)
class Trap(Shown):
    """A trap of hybridization: its numbered page, and the data for tools.

    Attributes
    ----------
    folder : Traversable
        Folder with the texts and programs.
    number : str
        Number, such as ``"H01"``: below 50 for errors, and from 51 for differences without an error.
    name : str
        File name of the page without the number and the suffix.
    title : str
        Title in one line.
    trap, reason, remedy : str
        Description, reason, and remedy, a few sentences each.
    message : str
        Type and first line of the wrong program's error; empty for silent traps.
    rows : tuple of str
        Rows of ``support/remedies.py`` that belong to the trap.
    patterns : tuple of str
        Regular expressions for ``"Type: message"`` of errors without such a row.
    kinds : tuple of str
        Kinds of findings from ``check_hybridization``.
    """

    folder: Traversable
    number: str
    name: str
    title: str
    trap: str
    reason: str
    remedy: str
    message: str = ""
    rows: tuple[str, ...] = ()
    patterns: tuple[str, ...] = ()
    kinds: tuple[str, ...] = ()

    @property
    def wrong(self) -> str:
        """A program that falls into the trap."""
        return self._program("wrong.py")

    @property
    def right(self) -> str:
        """A correct program with the same purpose as :attr:`wrong`."""
        return self._program("right.py")

    def _program(self, name: str) -> str:
        return (self.folder / name).read_text("utf-8").rstrip("\n")

    @property
    def file_name(self) -> str:
        """The file name of the page in ``docs/errors``."""
        return f"{self.number}-{self.name}.md"

    @property
    def silent(self) -> bool:
        """Whether the wrong program raises no error."""
        return not self.message
