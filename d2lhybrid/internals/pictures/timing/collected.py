"""The times of ``with benchmark(...)`` as a table and a picture."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from ...support.words import translate
from ..html import escape, heading, table
from ..picture import Picture
from ..svg import Svg
from ..theme import PALETTE
from .measuring import Spread, spread
from .units import factor, seconds_text

__all__ = ["Collected"]

_WIDTH, _ROW, _LETTER = 640, 26, 7.2


class Collected(Picture):
    """The measurements of ``benchmark``, grouped by description.

    Parameters
    ----------
    results : sequence of (str, float)
        Descriptions and seconds, as in ``benchmark.results``.

    Examples
    --------
    >>> collected = Collected([("Before: %.4f sec", 0.6), ("After: %.4f sec", 0.2), ("After: %.4f sec", 0.3)])
    >>> print(collected)
    what    median  runs  compared with the first
    Before  600 ms     1  1×
    After   250 ms     2  2.40× faster
    """

    results: list[tuple[str, float]]

    def __init__(self, results: Sequence[tuple[str, float]]) -> None:
        self.results = list(results)
        grouped: dict[str, list[float]] = {}
        for description, seconds in self.results:
            grouped.setdefault(_label(description), []).append(seconds)
        #: Description -> median and quartiles.
        self.spreads: dict[str, Spread] = {label: spread(times) for label, times in grouped.items()}
        #: Description -> number of measurements.
        self.counts: dict[str, int] = {label: len(times) for label, times in grouped.items()}

    def rows(self) -> list[list[str]]:
        """Return the rows of the table as text."""
        found = []
        first = next(iter(self.spreads.values()), None)
        for label, s in self.spreads.items():
            compared = "1×"
            if s is not first and first is not None and s.median > 0:
                ratio = first.median / s.median
                word = translate("faster") if ratio >= 1 else translate("slower")
                compared = factor(max(ratio, 1 / ratio) if ratio else 0.0)
                compared = f"{compared} {word}" if compared != factor(1) else "1×"
            found.append([label, seconds_text(s.median), str(self.counts[label]), compared])
        return found

    @property
    def header(self) -> list[str]:
        """The column titles for :meth:`rows`."""
        return [translate(t) for t in ("what", "median", "runs", "compared with the first")]

    def to_dict(self) -> dict[str, Any]:
        """Return the measurements as a JSON-compatible dictionary."""
        return {
            "results": [list(r) for r in self.results],
            "spreads": {label: s.to_list() for label, s in self.spreads.items()},
            "counts": self.counts,
        }

    def to_text(self) -> str:
        """Return the table as text for a terminal."""
        if not self.results:
            return translate("benchmark() has not measured anything yet.")
        rows = [self.header, *self.rows()]
        widths = [max(len(row[i]) for row in rows) for i in range(4)]
        return "\n".join(
            f"{a:{widths[0]}}  {b:>{widths[1]}}  {c:>{widths[2]}}  {d}".rstrip() for a, b, c, d in rows
        )  # fmt: skip

    def to_html(self) -> str:
        """Return bars and a table as HTML without scripts."""
        if not self.results:
            return f"<p>{escape(self.to_text())}</p>"
        rows = table([[escape(cell) for cell in row] for row in self.rows()], header=self.header)
        return heading(translate("Collected by benchmark()")) + self._bars().to_img() + rows

    def _bars(self) -> Svg:
        longest = max(s.upper for s in self.spreads.values()) or 1.0
        left = min(300.0, 24 + _LETTER * max(map(len, self.spreads)))
        scale = (_WIDTH - left - 110) / longest
        picture = Svg(_WIDTH, 16 + _ROW * len(self.spreads), self.to_text())
        for i, (label, s) in enumerate(self.spreads.items()):
            y = 8.0 + i * _ROW
            colour = PALETTE["eager" if i == 0 else "compiled"][0]
            picture.text(left - 8, y + 17, label if len(label) < 40 else f"{label[:38]}…", anchor="end")
            picture.add("rect", x=left, y=y + 4, width=max(s.median * scale, 1.0), height=18, fill=colour)
            if self.counts[label] > 1:
                start, end = left + s.lower * scale, left + s.upper * scale
                picture.add(
                    "line", x1=start, x2=end, y1=y + 13, y2=y + 13, stroke=PALETTE["ink"][0], stroke_width=2
                )  # fmt: skip
            picture.text(left + s.upper * scale + 8, y + 17, seconds_text(s.median))
        return picture


def _label(description: str) -> str:
    """Return a description without the placeholder for the seconds.

    Examples
    --------
    >>> _label("Before hybridizing: %.4f sec"), _label("With")
    ('Before hybridizing', 'With')
    """
    return re.sub(r"\s*:?\s*%[-+.0-9]*[defgs].*$", "", description) or description
