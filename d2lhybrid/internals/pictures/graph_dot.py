"""Graphs in the DOT language, and Graphviz's positions if the program ``dot`` is installed."""

from __future__ import annotations

import json
import shutil
import subprocess
from typing import TYPE_CHECKING, Any

from .graph_layout import Point

if TYPE_CHECKING:
    from .graph_scene import Scene
from .graph_visible import Visible

__all__ = ["arrange_with_dot", "dot_of", "quote", "wants_dot"]

#: The maximum size of graphs for Graphviz, which takes seconds for larger graphs.
MAX_FOR_DOT = 120
_SECONDS = 10


def wants_dot(engine: str, count: int, has_frames: bool = False) -> bool:
    """Return whether Graphviz should lay out a picture with this number of boxes, with or without frames.

    Parameters
    ----------
    engine : str
        ``"own"``, ``"dot"``, or ``"auto"``.
    count : int
        Number of boxes.
    has_frames : bool
        Whether the picture has frames around open groups.

    Returns
    -------
    bool
        Whether Graphviz should lay out the picture.

    Raises
    ------
    ValueError
        If the engine is unknown.
    FileNotFoundError
        If Graphviz was requested by name and is missing.
    """
    if engine not in ("auto", "own", "dot"):
        raise ValueError(f"engine must be 'auto', 'own', or 'dot', not {engine!r}")
    present = engine != "own" and shutil.which("dot") is not None
    if engine == "dot" and not present:
        raise FileNotFoundError("Graphviz's program `dot` is not on the PATH: install Graphviz, or pass engine='own'")
    return present and (engine == "dot" or (count <= MAX_FOR_DOT and not has_frames))


def quote(text: str) -> str:
    r"""Return a text as a quoted DOT string.

    Examples
    --------
    >>> print(quote('a "b"'))
    "a \"b\""
    """
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{escaped}"'


def dot_of(view: Visible, title: str = "", sized: bool = False) -> str:
    """Return the visible part of a graph in the DOT language.

    Parameters
    ----------
    view : Visible
        Boxes and edges.
    title : str
        Name of the graph.
    sized : bool
        Whether boxes have the sizes of this package's pictures and no text, because only their positions are used.
    """
    lines = [f"digraph {quote(title or 'graph')} {{"]
    if sized:
        lines += ["  graph [rankdir=TB, nodesep=0.6, ranksep=0.6, margin=0];"]
        lines += ['  node [shape=box, fixedsize=true, label=""];', "  edge [arrowhead=none];"]
    else:
        lines += ['  graph [rankdir=TB, fontname="monospace"];']
        lines += ['  node [shape=box, style="rounded", fontname="monospace", fontsize=11];']
        lines += ['  edge [fontname="monospace", fontsize=9];']
    lines += _clusters(view, sized)
    for number, (tail, head, net) in enumerate(_flat_links(view)):
        # Not "label": Graphviz puts labels on separate ranks, and then fails on some graphs with clusters.
        label = "" if not view.label_of(net) else f" [xlabel={quote(view.label_of(net))}]"
        label = f" [id={number}]" if sized else label
        lines.append(f"  {quote(tail)} -> {quote(head)}{label};")
    return "\n".join([*lines, "}", ""])


def _clusters(view: Visible, sized: bool) -> list[str]:
    """Return the nodes inside the clusters of their groups."""
    lines: list[str] = []
    stack: list[tuple[str, str]] = [("open", item) for item in reversed(view.containers[""])]
    depth = 1
    while stack:
        what, item = stack.pop()
        indent = "  " * depth
        if what == "close":
            depth -= 1
            lines.append("  " * depth + "}")
        elif item in view.leaves:
            leaf = view.leaves[item]
            if sized:
                settings = f"width={leaf.width / 72:.4f}, height={leaf.height / 72:.4f}"
            else:
                settings = f"label={quote(chr(10).join(leaf.texts))}"
                if leaf.kind not in ("operator", "group"):
                    settings += ", shape=ellipse"
            lines.append(f"{indent}{quote(item)} [{settings}];")
        else:
            title = view.model.groups[item].label
            lines.append(f"{indent}subgraph {quote(f'cluster_{item}')} {{")
            lines.append(f"{indent}  label={quote(title)}; labeljust=l; {'margin=14; fontsize=11;' if sized else ''}")
            depth += 1
            stack.append(("close", item))
            stack += [("open", inner) for inner in reversed(view.containers[item])]
    return lines


def _flat_links(view: Visible) -> list[tuple[str, str, str]]:
    """Return the edges between boxes without duplicates."""
    found: dict[tuple[str, str, str], None] = {}
    for tail, head, net in view.uses:
        if tail != head:
            found[tail, head, net] = None
    return list(found)


def arrange_with_dot(view: Visible) -> Scene | None:
    """Return the picture with Graphviz's positions, or None if Graphviz fails."""
    text = dot_of(view, sized=True)
    try:
        done = subprocess.run(["dot", "-Tjson"], input=text.encode(), capture_output=True, timeout=_SECONDS, check=True)
        data = json.loads(done.stdout)
        return _scene(view, data)
    except (OSError, subprocess.SubprocessError, ValueError, KeyError):
        return None


def _scene(view: Visible, data: dict[str, Any]) -> Scene:
    from .graph_scene import Box, EdgePiece, Label, Scene, _frame_title

    margin = 14.0
    _, _, width, height = map(float, data["bb"].split(","))

    def at(text: str) -> Point:
        x, y = map(float, text.split(",")[:2])
        return round(x + margin, 1), round(height - y + margin, 1)

    frames, boxes = [], []
    for thing in data.get("objects", []):
        name = thing["name"]
        if name.startswith("cluster_") and name[8:] in view.model.groups:
            left, low, right, high = map(float, thing["bb"].split(","))
            x, y = left + margin, height - high + margin
            frame = name[8:]
            title = (_frame_title(view.model, frame),)
            frames.append(Box(frame, "frame", x, y, right - left, high - low, title))
        elif name in view.leaves:
            x, y = at(thing["pos"])
            leaf = view.leaves[name]
            corner = x - leaf.width / 2, y - leaf.height / 2
            boxes.append(Box(name, leaf.kind, *corner, leaf.width, leaf.height, leaf.texts, leaf.family, leaf.then))
    pieces: list[EdgePiece] = []
    turns: dict[str, list[Point]] = {}
    placed = {int(edge["id"]): edge for edge in data.get("edges", [])}
    for number, (tail, head, net) in enumerate(_flat_links(view)):
        thing = placed[number]
        points = tuple(at(point) for point in thing["pos"].split())
        pieces.append(EdgePiece(tail, head, net, points, True, bezier=True))
        if view.label_of(net) and len(view.leaves[tail].nets) == 1:
            turns.setdefault(net, [points[0]]).append(points[-1])
    labels = tuple(Label.beside(ends, view.label_of(net), net) for net, ends in turns.items())
    frames.sort(key=lambda box: -box.width * box.height)
    left = max([0.0, *(-label.start for label in labels)])
    right = max([width + 2 * margin, *(label.start + label.width for label in labels)])
    scene = Scene(left + right, height + 2 * margin, (*frames, *boxes), tuple(pieces), labels)
    return scene.moved(left) if left else scene
