"""A scene as SVG, with text of known width, stable ids, and colors that follow the theme of the page.

In a page, the colors are CSS variables of the page. A file or an ``<img>`` has the colors of a light page, and a
white background.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Mapping, Sequence

from ..support.words import translate
from .graph_family import FAMILIES
from .graph_layout import Point
from .graph_scene import Box, EdgePiece, Scene
from .html import escape
from .theme import FAMILIES as COLOURS
from .theme import MONOSPACE, PALETTE

__all__ = ["FAMILY_COLOURS", "MARKS", "draw_scene", "path_of", "tip_of"]

#: Family -> index of its color in the palette; None is the text color. Shape operators are gray.
FAMILY_COLOURS: dict[str, int | None] = {
    "linear": 0, "convolution": 1, "pooling": 2, "normalization": 3, "activation": 4, "elementwise": 5,
    "reduction": 7, "shape": 6, "control": 8, "other": None,
}  # fmt: skip

#: Mark of a box -> color of the mark in the palette.
MARKS: dict[str, str] = {
    "selected": "accent", "added": "compiled", "removed": "error", "changed": "eager", "faint": "faint",
    "found": "frozen",
}  # fmt: skip


def _variable(name: str, light: str) -> str:
    return f"var(--d2l-{name},{light})"


def _ink(name: str) -> str:
    return _variable(name, PALETTE[name][0])


def _colour(family: str) -> str:
    number = FAMILY_COLOURS.get(family)
    return _ink("ink") if number is None else _variable(f"family-{number}", COLOURS[number][0])


def _style() -> str:
    """Return the style sheet for all pictures of graphs."""
    rules = [
        f".gv text{{font:11px {MONOSPACE};fill:{_ink('ink')}}}",
        ".gv .gv-t{font-size:12px;font-weight:600}",
        f".gv .gv-s{{fill:{_ink('muted')}}}",
        f".gv-paper{{fill:{_ink('paper')}}}",
        f".gv-e{{fill:none;stroke:{_ink('faint')};stroke-width:1.3}}.gv-tip{{fill:{_ink('faint')}}}",
        f".gv .gv-l,.gv .gv-g{{stroke:{_ink('paper')};stroke-width:3px;paint-order:stroke;stroke-linejoin:round}}",
        f".gv .gv-l{{font-size:11px;fill:{_ink('muted')}}}.gv .gv-r{{text-anchor:end}}",
        f".gv-b{{fill:{_ink('paper')}}}.gv-c{{fill-opacity:.13;stroke-width:1.3}}",
        f".gv-output .gv-c,.gv-input .gv-c,.gv-saved .gv-c,.gv-gradient .gv-c,.gv-parameter .gv-c,.gv-constant .gv-c"
        f"{{fill:{_ink('muted')};stroke:{_ink('muted')};fill-opacity:.06}}",
        ".gv-parameter .gv-c{stroke-dasharray:5 3}.gv-constant .gv-c{stroke-dasharray:2 3}",
        ".gv-saved .gv-c{stroke-width:2.6}.gv-gradient .gv-c{stroke-dasharray:9 3}",
        f".gv-group .gv-b,.gv-group .gv-c{{stroke:{_ink('muted')};stroke-width:1.2}}"
        f".gv-group .gv-c{{fill:{_ink('panel')};fill-opacity:1}}",
        f".gv-frame .gv-c{{fill:{_ink('muted')};fill-opacity:.055;stroke:{_ink('rule')};stroke-width:1.2}}",
        *(f".gv-f-{f} .gv-c{{fill:{_colour(f)};stroke:{_colour(f)}}}.gv-f-{f} .gv-k{{fill:{_colour(f)}}}"
          for f in FAMILIES),
        *(f".gv-{m} .gv-c{{stroke:{_ink(c)};stroke-width:2.6}}" for m, c in MARKS.items() if m != "faint"),
        ".gv-removed .gv-c{stroke-dasharray:4 3}.gv-removed .gv-t{text-decoration:line-through}.gv-faint{opacity:.35}",
    ]  # fmt: skip
    return "".join(rules)


def _number(value: float) -> str:
    return f"{value:.1f}".removesuffix(".0")


def path_of(points: Sequence[Point], bezier: bool = False) -> str:
    """Return the path of an edge in SVG syntax.

    Parameters
    ----------
    points : sequence of (float, float)
        Points of the edge.
    bezier : bool
        Whether the points are control points of cubic curves.

    Returns
    -------
    str
        The value of the attribute ``d``.

    Examples
    --------
    >>> path_of([(0, 0), (0, 10), (20, 40)])
    'M0 0L0 10C0 25 20 25 20 40'
    """
    text = f"M{_number(points[0][0])} {_number(points[0][1])}"
    if bezier:
        return text + "C" + " ".join(f"{_number(x)} {_number(y)}" for x, y in points[1:])
    for (x0, y0), (x1, y1) in itertools.pairwise(points):
        if abs(x0 - x1) < 0.3 or abs(y0 - y1) < 0.3:
            text += f"L{_number(x1)} {_number(y1)}"
        else:
            middle = _number((y0 + y1) / 2)
            text += f"C{_number(x0)} {middle} {_number(x1)} {middle} {_number(x1)} {_number(y1)}"
    return text


def tip_of(piece: EdgePiece) -> list[Point]:
    """Return the three corners of the arrow head at the end of an edge."""
    (x0, y0), (x1, y1) = piece.points[-2:]
    if not piece.bezier and abs(y1 - y0) > 0.3:
        x0 = x1  # edges end vertically
    length = math.hypot(x1 - x0, y1 - y0) or 1.0
    dx, dy = (x1 - x0) / length, (y1 - y0) / length
    x, y = x1 - 7 * dx, y1 - 7 * dy
    return [(x1, y1), (x + 3.2 * dy, y - 3.2 * dx), (x - 3.2 * dy, y + 3.2 * dx)]


def _tip(piece: EdgePiece) -> str:
    return "M" + "L".join(f"{_number(x)} {_number(y)}" for x, y in tip_of(piece)) + "z"


def draw_scene(
    scene: Scene,
    title: str = "",
    marks: Mapping[str, str] | None = None,
    hints: Mapping[str, str] | None = None,
    prefix: str = "",
    legend: bool = True,
    interactive: bool = False,
) -> str:
    """Return a scene as an SVG document.

    Parameters
    ----------
    scene : Scene
        The scene to draw.
    title : str
        Alternative text.
    marks : mapping of str to str, optional
        The mark of each marked box, by the box's id. A mark is one of :data:`MARKS`: ``"selected"``, ``"added"``,
        ``"removed"``, ``"changed"``, ``"faint"``.
    hints : mapping of str to str, optional
        The tooltip of each box, by the box's id.
    prefix : str
        Prefix of the boxes' ids; without a prefix, boxes have no ids.
    legend : bool
        Whether to show a legend of the colors below the drawing.
    interactive : bool
        Whether boxes can be focused with the keyboard.
    """
    marks, hints = marks or {}, hints or {}
    families = [f for f in FAMILIES if any(f in (box.family, box.then) for box in scene.boxes)] if legend else []
    rows = _legend_rows(families, max(scene.width, 220.0))
    width, height = max(scene.width, 220.0 if rows else 0.0), scene.height + (18 * len(rows) + 8 if rows else 0)
    size = f'width="{_number(width)}" height="{_number(height)}" viewBox="0 0 {_number(width)} {_number(height)}"'
    name = f' role="{"group" if interactive else "img"}" aria-label="{escape(title)}"' if title else ""
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" class="gv" {size}{name}><style>{_style()}</style>']
    if not interactive:
        parts.append(f'<rect class="gv-paper" width="{_number(width)}" height="{_number(height)}" rx="6"/>')
    parts += [_box(b, marks, hints, prefix, interactive) for b in scene.boxes if b.kind == "frame"]
    for piece in scene.pieces:
        ends = f'data-t="{escape(piece.tail)}" data-h="{escape(piece.head)}" data-n="{escape(piece.net)}"'
        ends = f" {ends}" if interactive or prefix else ""
        parts.append(f'<path class="gv-e"{ends} d="{path_of(piece.points, piece.bezier)}"/>')
        if piece.arrow:
            parts.append(f'<path class="gv-tip" d="{_tip(piece)}"/>')
    parts += [
        f'<text class="gv-g" x="{_number(b.x + 10)}" y="{_number(b.y + 17)}">{escape(b.texts[0])}</text>'
        for b in scene.boxes
        if b.kind == "frame"
    ]
    parts += [_box(b, marks, hints, prefix, interactive) for b in scene.boxes if b.kind != "frame"]
    parts += [
        f'<text class="gv-l{" gv-r" if label.left else ""}" x="{_number(label.x)}" y="{_number(label.y)}">'
        f"{escape(label.text)}</text>"
        for label in scene.labels
    ]
    parts += _legend(rows, scene.height)
    parts.append("</svg>")
    return "".join(parts)


def _box(box: Box, marks: Mapping[str, str], hints: Mapping[str, str], prefix: str, interactive: bool) -> str:
    classes = ["gv-n", f"gv-{box.kind}"]
    if box.family:
        classes.append(f"gv-f-{box.family}")
    if marks.get(box.id) in MARKS:
        classes.append(f"gv-{marks[box.id]}")
    identity = f' id="{escape(prefix)}-{escape(box.id)}"' if prefix else ""
    if interactive:
        identity += f' tabindex="0" role="button" aria-label="{escape(" ".join(box.texts))}"'
    if interactive or prefix:  # static images need no names
        identity = f' data-id="{escape(box.id)}"{identity}'
    parts = [f'<g class="{" ".join(classes)}"{identity}>']
    if box.id in hints:
        parts.append(f"<title>{escape(hints[box.id])}</title>")
    x, y, w, h = (_number(v) for v in (box.x, box.y, box.width, box.height))
    rect = f'x="{x}" y="{y}" width="{w}" height="{h}"'
    if box.kind == "frame":
        return "".join([*parts, f'<rect class="gv-b" {rect} rx="9"/><rect class="gv-c" {rect} rx="9"/></g>'])
    radius = {"operator": 5, "group": 6}.get(box.kind, min(box.height / 2, 13))
    if box.kind == "group":  # drawn like a stack of cards
        behind = f'x="{_number(box.x + 4)}" y="{_number(box.y + 4)}" width="{w}" height="{h}"'
        parts.append(f'<rect class="gv-b" {behind} rx="6"/>')
    parts.append(
        f'<rect class="gv-b" {rect} rx="{_number(radius)}"/><rect class="gv-c" {rect} rx="{_number(radius)}"/>'
    )
    left = box.x + 10
    if box.kind == "operator":
        parts.append(
            f'<rect class="gv-k" x="{x}" y="{_number(box.y + 4)}" width="4" height="{_number(box.height - 8)}" rx="2"/>'
        )
        left = box.x + 12
        if box.then:  # the lower half has the color of the activation
            half = f'x="{x}" y="{_number(box.y + box.height / 2)}" width="4" height="{_number(box.height / 2 - 4)}"'
            parts.append(f'<g class="gv-f-{box.then}"><rect class="gv-k" {half} rx="2"/></g>')
    middle = box.kind not in ("operator", "group")
    for i, text in enumerate(box.texts):
        kind = "gv-t" if not i and not middle else "gv-s" if i else "gv-v"
        at = f'x="{_number(box.x + box.width / 2)}" text-anchor="middle"' if middle else f'x="{_number(left)}"'
        parts.append(f'<text class="{kind}" {at} y="{_number(box.y + 17.5 + 15 * i)}">{escape(text)}</text>')
    return "".join([*parts, "</g>"])


def _legend_rows(families: Iterable[str], width: float) -> list[list[tuple[float, str]]]:
    rows: list[list[tuple[float, str]]] = []
    x = width
    for family in families:
        needed = 26 + 6.65 * len(FAMILIES[family])
        if x + needed > width - 10:
            rows.append([])
            x = 14.0
        rows[-1].append((x, family))
        x += needed
    return rows


def _legend(rows: list[list[tuple[float, str]]], top: float) -> list[str]:
    parts = []
    for i, row in enumerate(rows):
        y = top + 18 * i
        for x, family in row:
            parts.append(
                f'<g class="gv-f-{family}"><rect class="gv-k" x="{_number(x)}" y="{_number(y)}" width="10" height="10" '
                f'rx="2"/><text class="gv-s" x="{_number(x + 15)}" y="{_number(y + 9)}">'
                f"{escape(translate(FAMILIES[family]))}</text></g>"
            )
    return parts
