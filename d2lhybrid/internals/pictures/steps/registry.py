"""The registry of nodes, which numbers each node across all stages and finds the lines that created the node."""

from __future__ import annotations

import inspect
import linecache
from collections.abc import Collection, Iterable
from types import CodeType
from typing import Any

from d2lhybrid.util import is_user_file

from ...core.graph import Graph
from ...core.node import Node, topological_order
from ...core.prepared import fixed_nodes
from ...reports.lines_behind import of_its_origin
from ...support.places import Place
from ...support.words import listed, translate
from ..graph_family import title_of
from ..graph_sources import sources_of
from .comparing import Comparison
from .model import Drawing, NodeInfo, Source
from .recorded_call import Call

__all__ = ["MAX_DRAWN", "Registry", "few", "operators", "prepared_in"]

#: The maximum number of drawn nodes, which limits the size of notebooks.
MAX_DRAWN = 80


class Registry:
    """The indices of a compilation's nodes and of their source code.

    Attributes
    ----------
    nodes : list of NodeInfo
        Nodes by index.
    sources : list of Source
        Traced functions, and statements that created layers, by index.
    """

    parameters: set[str]

    def __init__(self, call: Call) -> None:
        self.call = call
        self.nodes: list[NodeInfo] = []
        self.sources: list[Source] = []
        self.keep: list[Node] = []
        self.drawings: list[Drawing] = []
        #: Pair of successive drawings -> replacements of removed boxes, and origins of new boxes.
        self.moves: dict[tuple[int, int], dict[int, int]] = {}
        self._number: dict[Node, int] = {}
        self._variables: dict[str, int] = {}
        self._source: dict[CodeType, int] = {}
        self._drawn: dict[Any, int] = {}
        self._made = {call.order_of(e.node): e for e in call.traced if e.node and call.order_of(e.node) >= 0}
        #: Index in the trace -> node, before the first pass; after it, comparisons match the nodes.
        self._by_order: dict[int, int] | None = {}
        self.parameters = set(call.parameters)
        self._texts = sources_of(e.made for e in call.traced if e.made is not None)
        self._text_number: dict[int, int] = {}
        self._prepared = -1
        self._lines_of: dict[str, tuple[tuple[int, int], ...]] = {}

    # --- nodes -----------------------------------------------------------------------------------

    def number(self, node: Node) -> int:
        """Return the index of a node, which it shares with its copies in other graphs. A new node gets a new index."""
        found = self._number.get(node)
        if found is None:
            found = self._find(node)
            self._number[node] = found
            self.keep.append(node)
        return found

    def _find(self, node: Node) -> int:
        if node.op is None and node.name in self._variables:
            return self._variables[node.name]
        order = self.call.order_of(node)
        known = -1 if self._by_order is None else self._by_order.get(order, -1)
        if known >= 0 and node.op is not None and self._is_copy(self.nodes[known], node):
            return known
        number = len(self.nodes)
        made = self.made(self._made[order].made) if order in self._made else None
        info = NodeInfo(node.name, node.op.name if node.op else "", self._kind(node), "", self.lines(node), made)
        if node.op is not None:
            info.title, info.family = title_of(node.op, node.params), node.op.family
        self.nodes.append(info)
        if node.op is None:
            self._variables[node.name] = number
        elif order >= 0 and self._by_order is not None:
            self._by_order.setdefault(order, number)
        return number

    @staticmethod
    def _is_copy(info: NodeInfo, node: Node) -> bool:
        return node.op is not None and info.op == node.op.name and info.name == node.name

    def _kind(self, node: Node) -> str:
        if node.op is None:
            if node.name in self.parameters:
                return "parameter"
            return "head" if node.name.startswith("head_grad") else "data"
        if node.op.name == "_constant":
            return "constant"
        if "body" in node.params and hasattr(node.params["body"], "nodes"):
            return "fused"
        return "backward" if "_backward_" in node.name else "operator"

    def alias(self, comparison: Comparison) -> None:
        """Keep the indices of nodes for which a pass has changed only the inputs."""
        self._by_order = None  # after a pass, several nodes may share a name and an origin
        for node in comparison.after.nodes:
            older = comparison.same.get(node)
            if older is not None:
                self._number[node] = self.number(older)
                self.keep.append(node)

    def add_types(self, graph: Graph) -> None:
        """Store the types of all nodes of a graph."""
        for node in graph.nodes:
            self.nodes[self.number(node)].type = str(graph.types[node, 0])

    def numbers(self, nodes: Iterable[Node]) -> tuple[int, ...]:
        """Return the indices of nodes without duplicates."""
        return tuple(dict.fromkeys(self.number(n) for n in nodes))

    # --- lines -----------------------------------------------------------------------------------

    def lines(self, node: Node) -> tuple[tuple[int, int], ...]:
        """Return the lines that created a node, outermost first."""
        body = node.params.get("body")
        if body is not None and hasattr(body, "nodes"):
            return tuple(dict.fromkeys(line for n in body.nodes for line in self.lines(n)))
        event = self._made.get(self.call.order_of(node))
        if event is not None:
            return self._lines_of.setdefault(node.name, self.stack(event.stack))
        return of_its_origin(node.name, self._lines_of)

    def stack(self, stack: Iterable[tuple[CodeType, int]]) -> tuple[tuple[int, int], ...]:
        """Return the index of the function's source, and the line, for each (function, line) pair of a stack."""
        return tuple((self.source(code), line) for code, line in stack)

    def made(self, place: Place | None) -> tuple[int, int] | None:
        """Return the index of the source and the line in which the user created a layer, or None if unknown."""
        if place is None:
            return None
        for i, text in enumerate(self._texts):
            if text.holds(place.file, place.line):
                if i not in self._text_number:
                    self._text_number[i] = len(self.sources)
                    self.sources.append(Source(text.title, text.filename, text.start, list(text.lines)))
                return self._text_number[i], place.line
        return None

    def line_at(self, place: Place) -> tuple[int, int] | None:
        """Return the index of the source that contains a line, added if necessary, and the line, or None if unknown."""
        for i, known in enumerate(self.sources):
            if known.filename == place.file and known.first <= place.line < known.first + len(known.lines):
                return i, place.line
        for text in sources_of([place]):
            self.sources.append(Source(text.title, text.filename, text.start, list(text.lines)))
            return len(self.sources) - 1, place.line
        return None

    def source(self, code: CodeType) -> int:
        """Return the index of a function's source, which is added if necessary."""
        if code not in self._source:
            self._source[code] = len(self.sources)
            lines = linecache.getlines(code.co_filename)[code.co_firstlineno - 1 :]
            block = [t.rstrip("\n") for t in inspect.getblock(lines)] if lines else []
            indent = min((len(t) - len(t.lstrip()) for t in block if t.strip()), default=0)
            title = code.co_qualname.rpartition("<locals>.")[2]
            own = is_user_file(code.co_filename)
            self.sources.append(Source(title, code.co_filename, code.co_firstlineno, [t[indent:] for t in block], own))
        return self._source[code]

    def _box_of(self, prepared: Collection[Node]) -> int:
        """Return the index of the box of prepared nodes, which has the lines of all of them."""
        if self._prepared < 0:
            self._prepared = len(self.nodes)
            self.nodes.append(NodeInfo("", "prepared", "prepared"))
        info = self.nodes[self._prepared]
        info.lines = tuple(dict.fromkeys([*info.lines, *(line for n in prepared for line in self.lines(n))]))
        return self._prepared

    # --- drawings --------------------------------------------------------------------------------

    def draw(self, graph: Graph) -> int:
        """Return the index of a graph's drawing. An unchanged graph reuses its drawing."""
        return self.draw_nodes(graph.nodes, [node for node, _ in graph.outputs], prepared_in(graph))

    def draw_nodes(self, nodes: Iterable[Node], outputs: Iterable[Node] = (), prepared: Collection[Node] = ()) -> int:
        """Draw nodes in the given order, and return the index of the drawing.

        Parameters
        ----------
        nodes, outputs : iterable of Node
            Nodes to draw, and nodes whose values are outputs.
        prepared : collection of Node
            Nodes that depend only on weights, which share one box.
        """
        box = self._box_of(prepared) if prepared else -1
        shown: dict[int, None] = {}
        edges: dict[tuple[int, int], None] = {}
        folded: dict[int, list[int]] = {box: [self.number(n) for n in prepared]} if prepared else {}
        for node in nodes:
            number = self.number(node)
            if self.nodes[number].kind == "parameter" or node in prepared:
                continue
            for child, _ in node.inputs:
                other = box if child in prepared else self.number(child)
                if self.nodes[other].kind == "parameter":
                    if other not in folded.setdefault(number, []):
                        folded[number].append(other)
                elif other != number:
                    shown.setdefault(other, None)
                    edges[other, number] = None
            shown.setdefault(number, None)
        drawn = list(shown)[:MAX_DRAWN]
        kept = set(drawn)
        drawing = Drawing(
            drawn,
            [(a, b) for a, b in edges if a in kept and b in kept],
            {n: p for n, p in folded.items() if n in kept},
            len(shown),
            tuple(n for n in map(self.number, outputs) if n in kept),
            box if box in kept else -1,
        )
        inside = tuple(drawing.folded.get(drawing.prepared, ()))
        key = tuple(drawing.nodes), tuple(sorted(drawing.edges)), drawing.outputs, len(shown), inside
        if key not in self._drawn:
            self._drawn[key] = len(self.drawings)
            self.drawings.append(drawing)
        return self._drawn[key]


def prepared_in(graph: Graph) -> list[Node]:
    """Return the operators of a graph that depend only on weights, and that a program therefore runs only once."""
    fixed, results = fixed_nodes(graph), {node for node, _ in graph.roots}
    return [node for node in graph.nodes if node in fixed and node.op is not None and node not in results]


def few(texts: Iterable[str], most: int = 6) -> str:
    """Return the first texts, separated by commas, with an ellipsis in place of further texts.

    Examples
    --------
    >>> few(["a", "b"]), few("abc", most=2), few([])
    ('a, b', 'a, b, …', 'nothing')
    """
    first = list(texts)
    return listed([*first[:most], *(["…"] if len(first) > most else [])]) or translate("nothing")


def operators(symbol: Any) -> list[Node]:
    """Return the nodes of a symbol in topological order."""
    return [] if symbol is None else topological_order(symbol._entries)
