"""The visible parts of a graph before the layout: boxes, frames around them, and edges."""

from __future__ import annotations

import unicodedata
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from ..support.display import Shown
from ..support.words import clauses, translate
from . import graph_chinese  # noqa: F401  it adds words
from .graph_family import as_written
from .graph_model import GraphModel, GraphNode
from .graph_words import microseconds

__all__ = ["LABEL", "LONGEST", "SMALL", "TITLE", "Leaf", "Visible", "letters", "shortened"]

#: Width of a character in the two text sizes of boxes, and on edges, in pixels.
TITLE, SMALL, LABEL = 7.25, 6.65, 6.65
#: The maximum length of names, and the maximum number of results of a net that get separate boxes.
LONGEST, MOST_RESULTS = 30, 12
#: The maximum number of characters for title and attributes on one line.
_ONE_LINE = 20


@dataclass(repr=False)
class Leaf(Shown):
    """A node or a collapsed group, before it has a position."""

    id: str
    kind: str
    texts: tuple[str, ...]
    family: str = ""
    nets: list[str] = field(default_factory=list)  # values that other nodes use
    then: str = ""  # family of the activation, for a layer with its activation

    @property
    def width(self) -> float:
        """The width of the box in pixels."""
        widths = [letters(text) * (SMALL if i else TITLE) for i, text in enumerate(self.texts)]
        return round(max([*widths, 40.0]) + (22 if self.family else 24))

    @property
    def height(self) -> float:
        """The height of the box in pixels."""
        return 12.0 + 15.0 * len(self.texts)


class Visible:
    """The visible parts of a graph before layout.

    Attributes
    ----------
    leaves : dict of str to Leaf
        Nodes and collapsed groups.
    chains : dict of str to tuple
        The boxes around each visible node, from the outermost box to the box of the node.
    containers : dict of str to list
        Direct members of each open group, and of the whole graph (``""``).
    links : dict of str to dict
        Edges inside each container: (tail, head, value). A tail ``<value`` is a port on the upper border, and a head
        ``>value`` is a port on the lower border.
    """

    folded: set[str]

    def __init__(
        self,
        model: GraphModel,
        collapsed: Collection[str],
        parameters: bool,
        times: Mapping[tuple[str, int], float] | None = None,
    ) -> None:
        self.model = model
        #: Measured microseconds of each generated line, and the nodes that it runs.
        self._times = times or {}
        self._run_by: dict[tuple[str, int], set[str]] = {}
        for node in model.nodes if times else ():
            for line in node.lines:
                self._run_by.setdefault(line, set()).add(node.id)
        used = {edge.tail for edge in model.edges}
        results = {node for node, _ in model.outputs}
        self._names: dict[str, list[str]] = {}
        for (name, _), what in _results_of(model):
            if what:
                self._names.setdefault(name, []).append(what)
        #: Edges between leaves, each as (tail, head, value).
        self.uses: list[tuple[str, str, str]] = []
        self.folded = {
            node.id
            for node in model.nodes
            if not parameters and node.kind in ("parameter", "constant") and node.id in used and node.id not in results
        }
        self.leaves: dict[str, Leaf] = {}
        self.chains: dict[str, tuple[str, ...]] = {}
        self.containers: dict[str, dict[str, None]] = {"": {}}
        for node in model.nodes:
            if node.id in self.folded:
                continue
            self._place(node, collapsed)
        self.links: dict[str, dict[tuple[str, str, str], None]] = {container: {} for container in self.containers}
        for edge in model.edges:
            if edge.tail not in self.folded:
                net = f"{edge.tail}:{edge.output}"
                self._link(self.chains[edge.tail], self.chains[edge.head], net)
                self.uses.append((self.chains[edge.tail][-1], self.chains[edge.head][-1], net))
        self._add_results()

    def _add_results(self) -> None:
        """Create a box for every output of the net, or a single box if there are too many outputs."""
        model = self.model
        outputs = [place for place, what in _results_of(model) if not what]
        many = len(outputs) > MOST_RESULTS
        for i, (node, output) in enumerate(outputs):
            box = "output " if many else f"output {i}"
            if box not in self.leaves:
                name = translate("{n} outputs", n=len(outputs)) if many else translate("output")
                name += f" {i}" if len(outputs) > 1 and not many else ""
                self.leaves[box] = Leaf(box, "output", (name,))
                self.containers[""][box] = None
            self._link(self.chains[node], (box,), f"{node}:{output}")
            self.uses.append((self.chains[node][-1], box, f"{node}:{output}"))

    def label_of(self, net: str) -> str:
        """Return the label on the edges of a value: the shape, and the element type if it is not float32."""
        node, _, output = net.rpartition(":")
        tensor = self.model.tensor(node, int(output))
        return tensor.shape_text if tensor.dtype == "float32" else str(tensor)  # float32 is the default

    def _place(self, node: GraphNode, collapsed: Collection[str]) -> None:
        chain: list[str] = []
        for group in reversed(self.model.groups_of(node)):
            chain.append(group)
            if group in collapsed:
                break
        else:
            chain.append(node.id)
        around = ["", *chain[:-1]]
        for outer, inner in zip(around, chain, strict=True):
            self.containers.setdefault(outer, {})[inner] = None
        own = chain[-1]
        self.chains[node.id] = tuple(chain)
        if own not in self.leaves:
            leaf = self.leaves[own] = self._node(node) if own == node.id else self._group(own)
            if took := self.took([node] if own == node.id else self.model.members[own]):
                leaf.texts = (*leaf.texts, took)

    def _node(self, node: GraphNode) -> Leaf:
        if node.kind != "operator":
            return Leaf(node.id, node.kind, (shortened(node.name),))
        return Leaf(node.id, node.kind, self._texts(node.block or node.title, node.summary, [node]), node.family)

    def took(self, nodes: Sequence[GraphNode]) -> str:
        """Return the measured time of the lines that run nodes as text; empty if the time is unknown."""
        lines = {line for node in nodes for line in node.lines if line in self._times}
        if not lines:
            return ""
        time, mine = microseconds(sum(self._times[line] for line in lines)), {node.id for node in nodes}
        together = any(self._run_by[line] - mine for line in lines)
        return translate("{time} with others", time=time) if together else time

    def _texts(self, title: str, settings: str, nodes: list[GraphNode]) -> tuple[str, ...]:
        """Return the lines of text in a box: its title, attributes, parameters, and results."""
        texts = [shortened(title)]
        if settings in texts[0].split():  # such as "× 2"
            settings = ""
        if settings and letters(texts[0]) + 1 + letters(settings) <= _ONE_LINE:
            texts[0] += f" {settings}"
        elif settings:
            texts.append(settings)
        folded = [(i.argument, i.node) for node in nodes for i in node.inputs if i.node in self.folded]
        if folded:
            texts.append(_arguments(folded, self.model))
        names = [name for node in nodes for name in self._names.get(node.id, [])]
        if names:
            texts.append("→ " + shortened(names[0], LONGEST + 6) + (f" +{len(names) - 1}" if names[1:] else ""))
        return tuple(texts)

    def _group(self, group: str) -> Leaf:
        data = self.model.groups[group]
        layer = self.model.layers.get(group)
        if layer is not None:
            first, then = layer
            settings = ", ".join(part for part in (first.summary, then.summary or then.title) if part)
            texts = self._texts(data.kind or first.title, settings, [first, then])
            return Leaf(group, "operator", texts, first.family, then=then.family)
        count = sum(node.kind == "operator" for node in self.model.members[group])
        kind = f"{data.kind}, " if data.kind else ""
        of = translate("{n} operators", n=count)
        return Leaf(group, "group", (f"⊞ {shortened(as_written(data.label))}", shortened(f"{kind}{of}")))

    def _link(self, tail: tuple[str, ...], head: tuple[str, ...], net: str) -> None:
        if tail == head:
            return
        common = 0
        while common < min(len(tail), len(head)) - 1 and tail[common] == head[common]:
            common += 1
        if net not in self.leaves[tail[-1]].nets:
            self.leaves[tail[-1]].nets.append(net)
        for depth in range(len(tail) - 1, common, -1):
            self.links[tail[depth - 1]][tail[depth], f">{net}", net] = None
        self.links[tail[common - 1] if common else ""][tail[common], head[common], net] = None
        for depth in range(common + 1, len(head)):
            self.links[head[depth - 1]][f"<{net}", head[depth], net] = None


def _results_of(model: GraphModel) -> list[tuple[tuple[str, int], str]]:
    """Return the node and the description of each result of a graph; the description is empty for the net's outputs."""
    names = model.results or ("",) * len(model.outputs)
    return list(zip(model.outputs, names, strict=True))


def letters(text: str) -> int:
    """Return the display width of a text in columns; Chinese characters are two columns wide.

    Examples
    --------
    >>> letters("output"), letters("输出")
    (6, 4)
    """
    return sum(2 if unicodedata.east_asian_width(letter) in "WF" else 1 for letter in text)


def shortened(text: str, most: int = LONGEST) -> str:
    """Return a text without its middle if it is too long for a box.

    Examples
    --------
    >>> shortened("dense0_fwd"), shortened("a_network_with_a_name_of_many_letters", 20)
    ('dense0_fwd', 'a_network…ny_letters')
    """
    left = (most - 1) // 2
    return text if len(text) <= most else f"{text[:left]}…{text[left + 1 - most :]}"


def _arguments(folded: Iterable[tuple[str, str]], model: GraphModel) -> str:
    """Return the names and shapes of a node's parameters, such as ``weight 256×784, bias 256``."""
    parts = [f"{argument} {model.tensor(node).shape_text}".rstrip() for argument, node in folded]
    text = ", ".join(parts)
    if len(text) <= 34:
        return text
    if len(parts) > 1 and len(parts[0]) <= 24:
        return clauses(parts[0], translate("{n} more", n=len(parts) - 1))
    return translate("{n} parameters", n=len(parts))
