"""What the two pictures of timing share: drawn when first asked for, once for each language."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...support.settings import settings
from ..picture import Picture

__all__ = ["Drawn", "aligned"]


class Drawn(Picture):
    """A picture that Matplotlib draws."""

    def __init__(self) -> None:
        self._drawn: dict[str, Any] = {}

    def _draw(self) -> Any:
        """Return the picture as SVG, None if there is none."""
        raise NotImplementedError

    def picture(self) -> Any:
        """Return the picture as SVG; None where Matplotlib is not installed, or nothing is measured yet."""
        if settings.lang not in self._drawn:
            self._drawn[settings.lang] = self._draw()
        return self._drawn[settings.lang]


def aligned(rows: Sequence[Sequence[str]]) -> tuple[list[str], list[int]]:
    """Return rows as lines with their columns below each other, and the widths of the columns.

    Examples
    --------
    >>> aligned([["a", "b"], ["ccc", "d"]])
    (['a    b', 'ccc  d'], [3, 1])
    """
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return ["  ".join(f"{c:{w}}" for c, w in zip(row, widths, strict=True)).rstrip() for row in rows], widths
