"""The base classes of timing pictures. A picture is drawn on demand, once for each language."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

from ...support.settings import settings
from ...support.words import translate
from ..html import escape, heading, table
from ..picture import Picture

__all__ = ["Drawn", "DrawnTable", "aligned"]


class Drawn(Picture):
    """A picture of measured times that Matplotlib draws on demand."""

    def __init__(self) -> None:
        self._drawn: dict[str, Any] = {}

    def _draw(self) -> Any:
        """Return the picture as SVG, or None if it cannot be drawn."""
        raise NotImplementedError

    def picture(self) -> Any:
        """Return the picture as SVG, or None if Matplotlib is not installed or nothing has been measured."""
        if settings.lang not in self._drawn:
            self._drawn[settings.lang] = self._draw()
        return self._drawn[settings.lang]


class DrawnTable(Drawn):
    """A picture with a table of its data, and a conclusion in one sentence."""

    heading: ClassVar[str]

    @property
    def title(self) -> str:
        """A description of the measurement in one line."""
        raise NotImplementedError

    @property
    def sentence(self) -> str:
        """A sentence with the conclusion."""
        raise NotImplementedError

    @property
    def header(self) -> list[str]:
        """The column titles for :meth:`rows`."""
        raise NotImplementedError

    def rows(self) -> list[list[str]]:
        """Return the rows of the table as text.

        Raises
        ------
        NotImplementedError
            If the subclass does not override this method.
        """
        raise NotImplementedError

    def to_text(self) -> str:
        """Return the title, the table, and the conclusion as text for a terminal."""
        lines, _ = aligned([self.header, *self.rows()])
        return "\n".join([self.title, "", *lines, "", self.sentence])

    def to_html(self) -> str:
        """Return the picture, the table, and the conclusion as HTML without scripts."""
        parts = [heading(translate(self.heading), self.title)]
        picture = self.picture()
        if picture is not None:
            parts.append(picture.to_img(f"{self.title}. {self.sentence}"))
        parts.append(table([[escape(cell) for cell in row] for row in self.rows()], header=self.header))
        return "".join([*parts, f"<p>{escape(self.sentence)}</p>"])


def aligned(rows: Sequence[Sequence[str]]) -> tuple[list[str], list[int]]:
    """Return rows as lines with aligned columns, and the widths of the columns.

    Examples
    --------
    >>> aligned([["a", "b"], ["ccc", "d"]])
    (['a    b', 'ccc  d'], [3, 1])
    """
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return ["  ".join(f"{c:{w}}" for c, w in zip(row, widths, strict=True)).rstrip() for row in rows], widths
