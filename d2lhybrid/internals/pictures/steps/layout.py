"""The positions of a drawing's boxes, for the widget and the static picture."""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from typing import Any

from ...support.display import Shown
from ...support.words import translate
from ..graph_layout import LayoutEdge, layered_layout
from ..graph_svg import FAMILY_COLOURS
from ..graph_visible import LONGEST, SMALL, TITLE, letters, shortened
from ..svg import Svg
from ..theme import FAMILIES, PALETTE, tint
from .model import Drawing, NodeInfo

__all__ = ["MARKS", "Box", "Placed", "place", "short_type", "to_svg"]

#: Kind of a node that isn't an operator -> the kind of operators with the same color.
_LIKE = {
    "call": "reduction", "number": "activation", "operator": "elementwise", "constant": "shape", "prepared": "shape",
}  # fmt: skip

#: mark -> (name of a color in the palette, whether the border is dashed)
MARKS = {
    "removed": ("error", True), "merged": ("frozen", True), "folded": ("frozen", True), "fused": ("compiled", False),
    "absorbed": ("frozen", True), "replaced": ("error", True), "moved": ("eager", False), "dead": ("faint", True),
    "added": ("compiled", False), "forward": ("traced", False), "backward": ("eager", False),
    "kept": ("compiled", False), "failed": ("error", False),
}  # fmt: skip


@dataclass(repr=False)
class Box(Shown):
    """A box of a drawing: its center, its size, and its lines of text. For an output of the net, ``node`` is -1."""

    id: str
    node: int
    x: float
    y: float
    width: float
    height: float
    texts: tuple[str, ...]
    family: str


@dataclass(repr=False)
class Placed(Shown):
    """A drawing with positions. An edge consists of the ids of its ends, and its points."""

    width: float
    height: float
    boxes: list[Box]
    edges: list[tuple[str, str, list[tuple[float, float]]]]
    total: int


def short_type(text: str) -> str:
    """Return the label of a type next to an edge, without the element type float32.

    Examples
    --------
    >>> short_type("float32[1,10]"), short_type("int32[]"), short_type("")
    ('1×10', 'int32 ()', '')
    """
    dtype, _, rest = text.partition("[")
    shape = rest.rstrip("]").replace(",", "×") or "()"
    return "" if not text else shape if dtype == "float32" else f"{dtype} {shape}"


def place(drawing: Drawing, nodes: list[NodeInfo]) -> Placed:
    """Return a drawing with the positions of its boxes and edges."""
    shown = {str(n): _texts(nodes[n], [nodes[p].name for p in drawing.folded.get(n, [])]) for n in drawing.nodes}
    edges = [LayoutEdge(str(a), str(b)) for a, b in drawing.edges]
    for i, n in enumerate(drawing.outputs):
        shown[f"out{i}"] = (translate("output") + (f" {i}" if len(drawing.outputs) > 1 else ""),)
        edges.append(LayoutEdge(str(n), f"out{i}"))
    sizes = {}
    for name, texts in shown.items():
        type_ = short_type(nodes[int(name)].type) if name.isdecimal() else ""
        width = max(letters(texts[0]) * TITLE, *(letters(t) * SMALL for t in (*texts[1:], type_))) + 24
        sizes[name] = round(max(width, 44.0)), 12.0 + 15 * len(texts)
    found = layered_layout(sizes, edges, order=list(shown), rank_gap=32.0, node_gap=18.0)
    boxes = []
    for name, texts in shown.items():
        node = int(name) if name.isdecimal() else -1
        family = "" if node < 0 else nodes[node].family or _LIKE.get(nodes[node].kind, "")
        (x, y), (width, height) = found.centers[name], sizes[name]
        boxes.append(Box(name, node, x, y, width, height, texts, family))
    return Placed(found.width, found.height, boxes, [(e.tail, e.head, found.routes[e]) for e in edges], drawing.total)


def _texts(info: NodeInfo, parameters: list[str]) -> tuple[str, ...]:
    """Return the lines of text in a box: the operator and its parameters, then the node's name."""
    if info.kind == "prepared":
        return translate("computed once"), translate("from the weights: {n} operators", n=len(parameters))
    if not info.op:
        return (shortened(info.name),)
    own = [_own_part(p, info.name) for p in parameters]
    more = f" ({', '.join(own)})" if own and len(own) < 3 else ""
    title = shortened(info.title or info.op)
    return title + more if len(title + more) <= LONGEST else title, shortened(info.name)


def _own_part(parameter: str, node: str) -> str:
    """Return a parameter's name without the prefix of its node, such as ``weight``."""
    parts, others = parameter.split("_"), node.split("_")
    while len(parts) > 1 and others and parts[0] == others[0]:
        parts, others = parts[1:], others[1:]
    return "_".join(parts)


def _path(points: list[tuple[float, float]]) -> str:
    """Return the path of an edge, a curve with vertical ends."""
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
    """Return a drawing as an SVG picture.

    Parameters
    ----------
    placed : Placed
        The drawing.
    nodes : list of NodeInfo
        Nodes by index.
    marks : dict of str to tuple of int
        Indices of the marked nodes, by mark.
    title : str
        Alternative text.
    **show : bool
        ``types=True`` adds shapes, and element types other than float32.

    Returns
    -------
    Svg
        The picture.
    """
    margin = 10
    picture = Svg(placed.width + 2 * margin + 40, placed.height + 2 * margin, title)
    picture.open("g", transform=f"translate({margin} {margin})", font_family="monospace", fill=PALETTE["ink"][0],
                 stroke_width=1.5, font_size=10)  # fmt: skip
    paths = "".join(_path(points) for *_, points in placed.edges)
    picture.add("path", d=paths, fill="none", stroke=PALETTE["muted"][0], stroke_width=1)
    marked = {n: mark for mark, numbers in marks.items() for n in numbers}
    looks: dict[tuple[str, str, str | None], list[Box]] = {}
    for box in placed.boxes:
        looks.setdefault(_look(box, marked.get(box.node, "")), []).append(box)
    for (fill, stroke, dashes), boxes in looks.items():  # common attributes are written once
        picture.open("g", fill=fill, stroke=stroke, stroke_dasharray=dashes)
        for box in boxes:
            left, top = _corner(box)
            picture.add("rect", x=left, y=top, width=round(box.width), height=round(box.height),
                        rx=5 if len(box.texts) > 1 else 12)  # fmt: skip
        picture.close()
    for i, weight in enumerate((600, None)):
        picture.open("g", font_weight=weight)
        for box in placed.boxes:
            left, top = _corner(box)
            for k, text in enumerate(box.texts[i : None if i else 1], i):
                picture.add("text", text, x=left + 9, y=round(top + 17.5 + 15 * k))
        picture.close()
    picture.open("g", fill=PALETTE["muted"][0])
    for box in placed.boxes if show.get("types") else ():
        kind = nodes[box.node].type if box.node >= 0 else ""
        if kind:
            picture.add("text", short_type(kind), x=round(box.x + 5), y=round(box.y + box.height / 2 + 12))
    picture.close()
    picture.close()
    return picture


def _corner(box: Box) -> tuple[int, int]:
    return round(box.x - box.width / 2), round(box.y - box.height / 2)


def _look(box: Box, mark: str) -> tuple[str, str, str | None]:
    """Return fill, stroke, and dash pattern of a box."""
    if mark:
        name, dashed = MARKS[mark]
        return tint(name), PALETTE[name][0], "4 3" if dashed else None
    number = FAMILY_COLOURS.get(box.family)
    return PALETTE["paper"][0], PALETTE["muted"][0] if number is None else FAMILIES[number][0], None
