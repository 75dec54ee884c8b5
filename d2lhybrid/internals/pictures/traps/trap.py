"""The data of one trap."""

from __future__ import annotations

from dataclasses import dataclass
from importlib.resources.abc import Traversable

from ...support.display import Shown

__all__ = ["Trap"]


@dataclass(frozen=True, repr=False)
class Trap(Shown):
    """One trap of hybridization: the numbered page, and all that tools know of it.

    Attributes
    ----------
    folder : Traversable
        The folder of its texts and programs.
    number : str
        ``"H01"``: below 50 an error, from 51 on a difference that raises nothing.
    name : str
        The rest of the page's file name.
    title : str
        One line.
    trap, reason, remedy : str
        What happens, why, and what to do: a few sentences each.
    message : str
        For errors: type and first line of the wrong program's exception. Empty for silent traps.
    rows : tuple of str
        The rows of ``support/remedies.py`` that belong to it.
    patterns : tuple of str
        Regular expressions for ``"Type: message"`` of errors that carry no such row.
    kinds : tuple of str
        Kinds of findings of ``check_hybridization``.
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
        """The correct program."""
        return self._program("right.py")

    def _program(self, name: str) -> str:
        return (self.folder / name).read_text("utf-8").rstrip("\n")

    @property
    def file_name(self) -> str:
        """The page's name in ``docs/errors``."""
        return f"{self.number}-{self.name}.md"

    @property
    def silent(self) -> bool:
        """Whether the wrong program raises nothing."""
        return not self.message
