"""Where the boxes of a drawing go, for the widget and for the static picture alike."""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from typing import Any

from ..graph_layout import LayoutEdge, layered_layout
from ..svg import Svg
from ..theme import FAMILIES, PALETTE, tint
from .model import Drawing, NodeInfo

__all__ = ["COLOURS", "Box", "Placed", "place", "short_type", "to_svg"]

_CHAR, _LINE = 6.4, 15

#: kind of a node -> which colour of ``theme.FAMILIES``; variables have none.
COLOURS = {"operator": 0, "backward": 1, "fused": 2, "constant": 4, "call": 3, "number": 4}

#: mark -> (name of a colour in the palette, whether the border is dashed)
MARKS = {
    "removed": ("error", True), "merged": ("frozen", True), "folded": ("frozen", True), "fused": ("compiled", False),
    "absorbed": ("frozen", True), "replaced": ("error", True), "moved": ("eager", False), "dead": ("faint", True),
    "added": ("compiled", False), "forward": ("traced", False), "backward": ("eager", False),
    "kept": ("compiled", False),
}  # fmt: skip


@dataclass
class Box:
    """A node of a drawing: its middle, its size, its lines of text."""

    node: int
    x: float
    y: float
    width: float
    height: float
    title: str
    name: str


@dataclass
class Placed:
    """A drawing with places."""

    width: float
    height: float
    boxes: list[Box]
    edges: list[tuple[int, int, str]]
    total: int


def short_type(text: str) -> str:
    """Return a type as it stands beside an edge: float32 goes without saying.

    Examples
    --------
    >>> short_type("float32[1,10]"), short_type("int32[]"), short_type("")
    ('1×10', 'int32 ()', '')
    """
    dtype, _, rest = text.partition("[")
    shape = rest.rstrip("]").replace(",", "×") or "()"
    return "" if not text else shape if dtype == "float32" else f"{dtype} {shape}"


def place(drawing: Drawing, nodes: list[NodeInfo]) -> Placed:
    """Return where everything goes."""
    titles = {n: _texts(nodes[n], [nodes[p].name for p in drawing.folded.get(n, [])]) for n in drawing.nodes}
    sizes = {}
    for n, (title, name) in titles.items():
        width = max(len(title), len(name) * 0.9, len(short_type(nodes[n].type)) * 0.9) * _CHAR + 20
        sizes[str(n)] = (round(max(width, 44.0)), 38.0 if name else 24.0)
    edges = [LayoutEdge(str(a), str(b)) for a, b in drawing.edges]
    found = layered_layout(sizes, edges, order=[str(n) for n in drawing.nodes], rank_gap=34.0, node_gap=16.0)
    boxes = []
    for n in drawing.nodes:
        x, y = found.centers[str(n)]
        width, height = sizes[str(n)]
        boxes.append(Box(n, x, y, width, height, *titles[n]))
    lines = [(int(e.tail), int(e.head), _path(found.routes[e])) for e in edges]
    return Placed(found.width, found.height, boxes, lines, drawing.total)


def _texts(info: NodeInfo, parameters: list[str]) -> tuple[str, str]:
    """Return the two lines of a box: the operator, then the node's name and what else it takes."""
    if not info.op:
        return info.name, ""
    body = info.op.lstrip("_").removeprefix("backward_")
    title = f"∂ {body}" if info.op.startswith("_backward") else body
    own = [_own_part(p, info.name) for p in parameters]
    name = info.name if len(info.name) <= 26 else f"{info.name[:12]}…{info.name[-13:]}"
    return title, name + (f" · {', '.join(own)}" if own and len(own) < 4 else "")


def _own_part(parameter: str, node: str) -> str:
    """Return a parameter's name without what it shares with its node: ``weight``."""
    parts, others = parameter.split("_"), node.split("_")
    while len(parts) > 1 and others and parts[0] == others[0]:
        parts, others = parts[1:], others[1:]
    return "_".join(parts)


def _path(points: list[tuple[float, float]]) -> str:
    """Return an edge as a path that bends with vertical ends."""
    points = [(round(x), round(y)) for x, y in points]
    text = f"M{points[0][0]} {points[0][1]}"
    for (x0, y0), (x1, y1) in itertools.pairwise(points):
        if x0 == x1:
            text += f"V{y1}"
        else:
            middle = (y0 + y1) // 2
            text += f"C{x0} {middle} {x1} {middle} {x1} {y1}"
    return text


def to_svg(placed: Placed, nodes: list[NodeInfo], marks: dict[str, tuple[int, ...]], title: str, **show: Any) -> Svg:
    """Return a drawing as a picture; ``types=True`` writes shapes beside the edges."""
    margin = 10
    picture = Svg(placed.width + 2 * margin + 40, placed.height + 2 * margin, title)
    picture.open("g", transform=f"translate({margin} {margin})", font_family="monospace", fill=PALETTE["ink"][0])
    picture.add("path", d="".join(path for *_, path in placed.edges), fill="none", stroke=PALETTE["muted"][0])
    marked = {n: mark for mark, numbers in marks.items() for n in numbers}
    users = {a for a, _, _ in placed.edges}
    for box in placed.boxes:
        info = nodes[box.node]
        _draw_box(picture, box, info, marked.get(box.node, ""))
        if show.get("types") and info.type:
            x, y = box.x + 5 * (box.node in users), box.y + box.height / 2 + 12
            picture.add("text", short_type(info.type), x=round(x), y=round(y), font_size=10, fill=PALETTE["muted"][0])
    picture.close()
    return picture


def _draw_box(picture: Svg, box: Box, info: NodeInfo, mark: str) -> None:
    left, top = round(box.x - box.width / 2), round(box.y - box.height / 2)
    colour = FAMILIES[COLOURS[info.kind]][0] if info.kind in COLOURS else PALETTE["muted"][0]
    fill, dash = "none", None
    if mark:
        name, dashed = MARKS[mark]
        colour, fill, dash = PALETTE[name][0], tint(name), "4 3" if dashed else None
    picture.add(
        "rect", x=left, y=top, width=round(box.width), height=round(box.height), rx=5 if info.op else 12, fill=fill,
        stroke=colour, stroke_width=1.5, stroke_dasharray=dash,
    )  # fmt: skip
    x = round(box.x)
    first = round(box.y + (-3 if box.name else 4))
    picture.add("text", box.title, x=x, y=first, text_anchor="middle", font_size=11, font_weight=600)
    if box.name:
        picture.add("text", box.name, x=x, y=first + 14, text_anchor="middle", font_size=9.5)
