"""The scene of a graph: boxes, frames around open groups, edges, and labels, with their positions.

Groups are open (a frame around their nodes) or collapsed (one box). An open group is laid out
separately, with a port on its upper or lower border for every value that crosses the border. The group's frame is
then one box in the enclosing layout, so frames never overlap at any nesting depth.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace

from ..support.display import Shown
from .graph_family import as_written
from .graph_layout import LayoutEdge, Point, layered_layout
from .graph_model import GraphModel
from .graph_visible import LABEL, SMALL, Visible, letters, shortened

__all__ = ["Box", "EdgePiece", "Label", "Scene", "default_collapsed", "scene_of"]

#: The maximum number of boxes in a picture before groups are collapsed.
MANY = 48
RANK_GAP, NODE_GAP, PADDING, HEADER = 24.0, 22.0, 14.0, 26.0


@dataclass(frozen=True, repr=False)
class Box(Shown):
    """A box of a picture.

    Attributes
    ----------
    id : str
        Id of the node or of the group.
    kind : str
        Kind of the node; ``"group"`` for a collapsed group, or ``"frame"`` for an open group.
    x, y, width, height : float
        Upper left corner, and size.
    texts : tuple of str
        Lines of text; the first line is the title.
    family : str
        Family of the operator.
    then : str
        Family of the activation in the same box; empty if there is none.
    """

    id: str
    kind: str
    x: float
    y: float
    width: float
    height: float
    texts: tuple[str, ...]
    family: str = ""
    then: str = ""


@dataclass(frozen=True, repr=False)
class EdgePiece(Shown):
    """A part of an edge, between boxes or borders of frames.

    Attributes
    ----------
    tail, head : str
        Ids of the boxes or frames that the edge connects.
    net : str
        Value of the edge: ``"<node>:<output>"``.
    points : tuple of tuple
        Points of the edge.
    arrow : bool
        Whether the part ends at the user of the value.
    bezier : bool
        Whether the points are control points of cubic curves; if not, they are points of a ``graph_layout.Layout``.
    """

    tail: str
    head: str
    net: str
    points: tuple[Point, ...]
    arrow: bool
    bezier: bool = False


@dataclass(frozen=True, repr=False)
class Label(Shown):
    """A text to the right or to the left of the point (x, y) on an edge."""

    x: float
    y: float
    text: str
    net: str
    left: bool = False

    @staticmethod
    def beside(points: Iterable[Point], text: str, net: str) -> Label:
        """Return the label of a value's edges, if possible on a side to which no edge turns.

        Parameters
        ----------
        points : iterable of (float, float)
            The first point of the edges, followed by their other points.
        text : str
            Text of the label.
        net : str
            Value of the edges.

        Returns
        -------
        Label
            The label, to the right or to the left of the first point.
        """
        ends = list(points)
        (x, y), right = ends[0], any(px > ends[0][0] + 2 for px, _ in ends)
        left = right and not any(px < x - 2 for px, _ in ends)
        return Label(x - 5 if left else x + 5, y + 13, text, net, left)

    @property
    def width(self) -> float:
        """The width of the label in pixels."""
        return letters(self.text) * LABEL

    @property
    def start(self) -> float:
        """The position of the label's left end."""
        return self.x - self.width if self.left else self.x


@dataclass(frozen=True, repr=False)
class Scene(Shown):
    """The boxes, frames, edges, and labels to draw; frames precede their contents."""

    width: float
    height: float
    boxes: tuple[Box, ...]
    pieces: tuple[EdgePiece, ...]
    labels: tuple[Label, ...]

    def moved(self, dx: float) -> Scene:
        """Return the scene, moved to the right by `dx` pixels."""
        return replace(
            self,
            boxes=tuple(replace(box, x=box.x + dx) for box in self.boxes),
            pieces=tuple(replace(p, points=tuple((x + dx, y) for x, y in p.points)) for p in self.pieces),
            labels=tuple(replace(label, x=label.x + dx) for label in self.labels),
        )


def default_collapsed(model: GraphModel, many: int = MANY) -> frozenset[str]:
    """Return the groups to collapse initially: groups are opened from the outside in while the picture fits.

    A layer with its activation is one box, as in other viewers.

    Parameters
    ----------
    model : GraphModel
        The data of the graph.
    many : int
        The maximum number of boxes.

    Returns
    -------
    frozenset of str
        Ids of the groups to collapse.
    """
    children: dict[str, int] = dict.fromkeys(model.groups, 0) | {"": 0}
    for node in model.nodes:
        if node.kind not in ("parameter", "constant"):
            children[node.group] += 1
    inner: dict[str, list[str]] = {}
    for group in model.groups.values():
        children[group.parent] += 1
        inner.setdefault(group.parent, []).append(group.id)
    collapsed = set(model.groups)
    shown = children[""]
    level = inner.get("", [])
    while level:
        kinds: dict[str, list[str]] = {}  # blocks of the same class are all open or all collapsed
        for group in level:
            if group in model.layers:
                continue
            kinds.setdefault(model.groups[group].kind or group, []).append(group)
        level = []
        for groups in sorted(kinds.values(), key=lambda groups: sum(children[g] for g in groups)):
            inside = sum(children[g] for g in groups)
            if shown + inside <= many:
                shown += inside
                collapsed.difference_update(groups)
                level += [g for group in groups for g in inner.get(group, [])]
    return frozenset(collapsed)


def scene_of(
    model: GraphModel,
    collapsed: Collection[str] | None = None,
    parameters: bool = False,
    engine: str = "auto",
    times: Mapping[tuple[str, int], float] | None = None,
) -> Scene:
    """Return the scene of a graph, with the positions of all boxes and edges.

    Parameters
    ----------
    model : GraphModel
        The data of the graph.
    collapsed : collection of str, optional
        Ids of the groups to show as one box; by default, as many as necessary to keep the picture readable.
    parameters : bool
        Whether parameters and constants have boxes; if not, they are listed in the boxes of their users.
    engine : str
        ``"own"`` for the layout of this package, ``"dot"`` for Graphviz, or ``"auto"`` for Graphviz if its program
        is installed, the graph is not too large, and no group is open: Graphviz's edges cross frames.
    times : mapping of (str, int) to float, optional
        Measured microseconds of generated lines by (function, number), which are shown in the boxes.
    """
    from .graph_dot import arrange_with_dot, wants_dot

    collapsed = default_collapsed(model) if collapsed is None else frozenset(collapsed) & model.groups.keys()
    view = Visible(model, collapsed, parameters, times)
    if wants_dot(engine, len(view.leaves), len(view.containers) > 1):
        scene = arrange_with_dot(view)
        if scene is not None:
            return scene
    return _arrange(view)


# --- the built-in layout, from the innermost groups outwards ---


def _arrange(view: Visible) -> Scene:
    sizes: dict[str, tuple[float, float]] = {}
    exits: dict[str, float] = {}
    for leaf in view.leaves.values():
        widest = max((len(view.label_of(net)) * LABEL for net in leaf.nets), default=0.0)
        width = leaf.width
        if len(leaf.nets) == 1:
            width = max(width, 2 * (widest + 8))
        elif 1 < len(leaf.nets) <= 4 and widest:
            exits[leaf.id] = widest + 12
            width = max(width, (len(leaf.nets) + 1) * (widest + 12))
        sizes[leaf.id] = width, leaf.height
    layouts = {}
    ports: dict[tuple[str, str], float] = {}  # (group, port) -> position on the border
    for container in sorted(view.containers, key=lambda c: -_depth(view, c)):
        links = view.links[container]
        edges = {}
        for tail, head, net in links:
            edges[tail, head, net] = LayoutEdge(
                tail, head, net, _port(ports, tail, f">{net}"), _port(ports, head, f"<{net}")
            )
        above = dict.fromkeys(tail for tail, _, _ in links if tail[0] == "<")
        below = dict.fromkeys(head for _, head, _ in links if head[0] == ">")
        items = [*above, *view.containers[container], *below]
        inner = {item: sizes.get(item, (0.0, 0.0)) for item in items}
        layout = layered_layout(
            inner, edges.values(), top=above, bottom=below, order=items, exits=exits, rank_gap=RANK_GAP,
            node_gap=NODE_GAP, port_gaps=(HEADER + 4, PADDING + 4),
        )  # fmt: skip
        layouts[container] = layout, edges, HEADER if not above else 0.0, PADDING if not below else 0.0
        if container:
            title = letters(_frame_title(view.model, container)) * SMALL + 24
            width = max(layout.width + 2 * PADDING, title)
            left = (width - layout.width) / 2
            for port in (*above, *below):
                ports[container, port] = left + layout.centers[port][0] - width / 2
            sizes[container] = width, layout.height + layouts[container][2] + layouts[container][3]
    return _assemble(view, sizes, layouts)


def _depth(view: Visible, container: str) -> int:
    depth = 0
    while container:
        depth, container = depth + 1, view.model.groups[container].parent
    return depth


def _port(ports: Mapping[tuple[str, str], float], item: str, port: str) -> float | None:
    if item[0] in "<>":
        return 0.0
    return ports.get((item, port))


def _frame_title(model: GraphModel, group: str) -> str:
    data = model.groups[group]
    return f"⊟ {shortened(as_written(data.label))}" + (f"  {shortened(data.kind)}" if data.kind else "")


def _assemble(view: Visible, sizes: dict[str, tuple[float, float]], layouts: dict) -> Scene:
    """Assign positions to all boxes, from the outermost frames inwards."""
    margin = 14.0
    boxes: list[Box] = []
    pieces: list[EdgePiece] = []
    turns: dict[str, list[Point]] = {}  # start of each value's edges, and their next points
    origins = {"": (margin, margin)}
    for container in sorted(view.containers, key=lambda c: _depth(view, c)):
        layout, edges, header, _ = layouts[container]
        x0, y0 = origins[container]
        if container:
            width, height = sizes[container]
            boxes.append(Box(container, "frame", x0, y0, width, height, (_frame_title(view.model, container),)))
            x0, y0 = x0 + (width - layout.width) / 2, y0 + header
        for item in view.containers[container]:
            cx, cy = layout.centers[item]
            width, height = sizes[item]
            if item in view.leaves:
                leaf = view.leaves[item]
                corner = x0 + cx - leaf.width / 2, y0 + cy - height / 2
                boxes.append(Box(item, leaf.kind, *corner, leaf.width, height, leaf.texts, leaf.family, leaf.then))
            else:
                origins[item] = x0 + cx - width / 2, y0 + cy - height / 2
        for (tail, head, net), edge in edges.items():
            points = tuple((x0 + x, y0 + y) for x, y in layout.routes[edge])
            pieces.append(EdgePiece(tail, head, net, points, head in view.leaves))
            if tail in view.leaves and len(view.leaves[tail].nets) <= 4 and view.label_of(net):
                turns.setdefault(net, [points[0]]).append(points[min(2, len(points) - 1)])
    layout = layouts[""][0]
    labels = tuple(Label.beside(points, view.label_of(net), net) for net, points in turns.items())
    return Scene(layout.width + 2 * margin, layout.height + 2 * margin, tuple(boxes), tuple(pieces), labels)
