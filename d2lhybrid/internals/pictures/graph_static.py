"""The static form of a graph without scripts: the drawing, a table of the operators, and the programs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..support.display import shorter
from ..support.words import translate
from .graph_model import GraphNode
from .graph_scene import default_collapsed, scene_of
from .graph_sources import sources_of
from .graph_svg import draw_scene
from .graph_words import amount, operators
from .html import details, element, escape, heading, without_room
from .svg import image_of
from .theme import MONOSPACE

if TYPE_CHECKING:
    from .net_graph import NetGraph

__all__ = ["html_of"]

#: The maximum numbers of table rows, and of lines of a generated program.
_MAX_ROWS, _MAX_LINES = 24, 16
#: The size in characters above which a picture is simplified, and the number of boxes of the simplified picture.
_MAX_DRAWING, _FEW = 10_000, 8
#: The maximum size of a picture in a notebook, in characters.
_TOO_LARGE = 150_000
_NO_PICTURE = "The picture is too large to stay in a notebook. Write it to a file with graph.save('graph.svg')."
_PRE = f"font: 12px/1.5 {MONOSPACE}; margin: 4px 0; background: none; white-space: pre; overflow-x: auto"


def html_of(graph: NetGraph, room: int = _TOO_LARGE) -> str:
    """Return the picture, a table of the operators, the user code, and the programs as HTML.

    Parameters
    ----------
    graph : NetGraph
        The graph, with the state of its display.
    room : int
        Approximate size limit in bytes; a note replaces each part that does not fit.
    """
    caption = graph.to_text().partition("\n")[0]
    parts = [heading(graph.title, caption.partition(": ")[2])]
    picture = _picture(graph, caption)
    room -= len(picture.encode())
    if room < 0:
        room += len(picture.encode())
        picture = element("p", escape(translate(_NO_PICTURE)))
    parts.append(picture)
    for title, text in _texts(graph):
        part = details(title, element("pre", escape(text), style=_PRE))
        if len(part.encode()) > room:
            part = details(title, without_room())
        room -= len(part.encode())
        parts.append(part)
    return element("div", *parts)


def _picture(graph: NetGraph, caption: str) -> str:
    drawing = draw_scene(graph.scene(), caption)
    if len(drawing) > _MAX_DRAWING:  # close more groups, because notebooks store this picture
        model = graph.model()
        few = default_collapsed(model, _FEW) | graph.collapsed
        smaller = draw_scene(scene_of(model, few, graph.parameters, graph.engine, graph.times), caption)
        drawing = min(drawing, smaller, key=len)
    return image_of(drawing, caption)


def _texts(graph: NetGraph) -> list[tuple[str, str]]:
    """Return titles and texts of the collapsible parts: operators, user code, and programs."""
    nodes = graph.model().operators
    columns = ("name", "operator", "settings", "result", "flops", "bytes", "line")
    rows = [[translate(column) for column in columns], *map(_row, nodes[:_MAX_ROWS])]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    shown = "\n".join("  ".join(t.ljust(w) for t, w in zip(row, widths, strict=True)).rstrip() for row in rows)
    if len(nodes) > _MAX_ROWS:
        shown += f"\n{translate('and {n} more', n=len(nodes) - _MAX_ROWS)}"
    found = [(operators(len(nodes)), shown)]
    for source in sources_of(node.source for node in nodes if node.source)[:3]:
        found.append((source.title, "\n".join(f"{source.start + i:4}  {line}"
                                              for i, line in enumerate(source.lines[:_MAX_LINES]))))  # fmt: skip
    for name, text in graph.programs.items():
        lines = text.splitlines()
        cut = [f"# {translate('and {n} more', n=len(lines) - _MAX_LINES)}"] if len(lines) > _MAX_LINES else []
        shown = "\n".join(f"{i:4}  {shorter(line)}" for i, line in enumerate([*lines[:_MAX_LINES], *cut], 1))
        found.append((translate("generated program: {name}", name=name), shown))
    return found


def _row(node: GraphNode) -> list[str]:
    line = "" if node.source is None else str(node.source.line)
    texts = [node.name, node.operator, node.summary, str(node.outputs[0]) if node.outputs else ""]
    return [*texts, amount(node.flops), amount(node.bytes, "B"), line]
