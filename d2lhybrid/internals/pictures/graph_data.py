"""The data of the interactive view of a graph: the drawing, and the details of each box."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from ..support.words import sentences, translate
from . import graph_chinese  # noqa: F401  it adds words
from .columns import columns_of
from .graph_family import FAMILIES, as_written
from .graph_model import GraphInput, GraphModel, GraphNode
from .graph_moves import boxes_that_move
from .graph_origin import TRACED
from .graph_scene import Scene
from .graph_sources import SourceText, sources_of
from .graph_svg import FAMILY_COLOURS
from .graph_visible import Visible
from .graph_words import amount, microseconds
from .html import packed_size
from .listing import tokens_of
from .picture import to_json
from .steps.passes import name_of, purpose_of

if TYPE_CHECKING:
    from .graph_origin import Origin
    from .net_graph import NetGraph

__all__ = ["data_of"]

#: Longer generated programs are sent without syntax highlighting.
_COLOURED = 120
#: The maximum length of a signature that is shown completely, and the number of arguments of a longer signature.
_SIGNATURE, _FIRST_ARGUMENTS = 240, 4
#: If the graphs of a compilation have more boxes in total, a notebook contains only the first and the last graph.
_MANY = 160
_UNCHANGED = "The compiler found nothing to change here."
_HIDDEN = "What the compiler changed is in closed boxes, or concerns parameters: open them to see it."
_LEFT_OUT = (
    "Some stages are left out: all have more than {n} boxes. graph.views names them, graph.show(name) shows one."
)
_WORDS = [
    "search", "more", "fit",
    "graph", "open", "close", "no match", "1 match", "{n} matches",
    "stage of the compilation", "direction", "play", "your code", "generated program",
    "Point at a box, or click it.",
    "drag to move, Ctrl + wheel to zoom", "and {n} more",
]  # fmt: skip

_KINDS = {
    "input": "an input",
    "parameter": "a parameter",
    "constant": "a constant",
    "gradient": "the gradient of an output, passed by the caller",
    "saved": "computed by the forward function, kept for the backward function",
}


class _Extent(NamedTuple):
    """The amount of detail: lines of each generated program, and whether other directions and stages are included."""

    lines: int
    directions: bool
    stages: bool = True


#: Extents in decreasing size; the first one that fits is used.
_EXTENTS = (
    _Extent(2000, True), _Extent(300, True), _Extent(40, True), _Extent(40, False), _Extent(40, False, stages=False),
)  # fmt: skip


def data_of(graph: NetGraph, origin: Origin, room: float) -> dict[str, Any]:
    """Return the data of a graph's view, which takes at most about ``room`` bytes in a notebook.

    The data includes all graphs from the traced graph to the compiled graph, so that transitions need no kernel. For
    very large graphs, the data includes only the first, the last, and the displayed graph. If the data is still too
    large, the programs are truncated, and at last, graphs other than the displayed graph are omitted.

    Parameters
    ----------
    graph : NetGraph
        The graph, with the state of its display.
    origin : Origin
        All graphs of the net.
    room : float
        Size limit in bytes.

    Returns
    -------
    dict of str to object
        The data for the view's script.
    """
    many = _are_many(graph, _ways(graph, origin))
    *larger, smallest = [extent for extent in _EXTENTS if many or extent.directions]  # other extents would omit nothing
    for extent in larger:
        data = _told(graph, origin, extent)
        text = to_json(data)
        # Compression shrinks the text to a third or less, mostly to a tenth; columns at best halve that again.
        if len(text) < 3 * room:
            return data
        packed = packed_size(text)
        if packed < room or (packed < 3 * room and packed_size(to_json(columns_of(data))) < room):
            return data
    return _told(graph, origin, smallest)


def _told(graph: NetGraph, origin: Origin, extent: _Extent) -> dict[str, Any]:
    """Return the data of a graph's view with an amount of detail."""
    ways = _ways(graph, origin)
    all_of_them = {way: len(stops) for way, stops in ways.items()}
    if _are_many(graph, ways):
        ways = {way: [v for v in stops if v in (stops[0], stops[-1], graph.view)] for way, stops in ways.items()}
        ways = {way: stops for way, stops in ways.items() if len(stops) > 1 or graph.view in stops}
        if not extent.directions:
            ways = {way: stops for way, stops in ways.items() if graph.view in stops}
        if not extent.stages:
            ways = {way: [graph.view] for way in list(ways)[:1]}
    views = list(dict.fromkeys(view for stops in ways.values() for view in stops))
    visible = {view: graph.visible(view) for view in views}
    left = {way: translate(_LEFT_OUT, n=_MANY) for way, stops in ways.items() if len(stops) < all_of_them[way]}
    scenes = {view: sent_scene(graph.scene(view)) for view in views}
    ways = {way: _different(stops, scenes, graph.view) for way, stops in ways.items()}
    views = [view for view in views if any(view in stops for stops in ways.values())]
    sources = sources_of(s for view in views for n in graph.model(view).operators for s in n.sources)
    shown = Boxes(origin, sources, _lines_of_merged(graph, ways))
    boxes = {view: shown.of(graph.model(view), visible[view]) for view in views}
    all_links = shown.links(node for view in views for node in graph.model(view).operators)
    took = _took(graph.times, list(origin.programs), all_links)
    texts = [_text(s.title, f"s{i}", s.start, list(s.lines), shown.known, False, took) for i, s in enumerate(sources)]
    texts += [_text(name, f"p{i}", 1, origin.programs[name].text.splitlines(), shown.known, True, took, extent.lines)
              for i, name in enumerate(origin.programs) if name in views or name != "prepare"]  # fmt: skip
    there = {node.family for view in views for node in graph.model(view).operators}
    families = [family for family in FAMILIES if family in there]
    pairs = {pair for stops in ways.values() for pair in itertools.pairwise(stops)}
    there_are = {row[0] for text in texts for row in text["lines"]}
    links = {line: sorted(found & there_are) for line, found in sorted(all_links.items()) if line in there_are}
    for about in shown.abouts:  # omitted lines cannot be highlighted
        about["lines"] = [line for line in about["lines"] if line in there_are]
    return {
        "title": graph.title,
        "ways": [
            [
                way,
                translate(way),
                [_stop(graph, origin, view, left.get(way, ""), way if len(stops) == 1 else "") for view in stops],
            ]
            for way, stops in ways.items()
        ],
        "view": graph.view,
        "more": [[translate(text), *what] for text, *what in _choices(graph)],
        "searched": graph.searched,
        "scenes": {view: scenes[view] for view in views},
        "moves": {f"{a}>{b}": boxes_that_move(graph.moves(a, b), visible[a], visible[b]) for a, b in sorted(pairs)},
        "boxes": boxes,
        "abouts": shown.abouts,
        "texts": texts,
        "links": links,
        "families": [[translate(FAMILIES[f]), _variable(f)] for f in families],
        "words": {word: translate(word) for word in _WORDS},
    }


def _choices(graph: NetGraph) -> Iterator[tuple[str, str, dict[str, Any]]]:
    """Yield the text, the action, and the arguments of each item in the view's menu."""
    yield "open all", "all", {"opened": True}
    yield "close all", "all", {"opened": False}
    yield "hide parameters" if graph.parameters else "show parameters", "parameters", {"shown": not graph.parameters}
    if graph.can_be_measured:
        yield "measure times", "measure", {}
    for kind in ("svg", "png", "dot"):
        yield f"save as {kind}", "export", {"kind": kind}


def _took(
    times: Mapping[tuple[str, int], float], functions: list[str], links: Mapping[str, set[str]]
) -> dict[str, str]:
    """Return the time of each line by key; the time of a line of user code is the total of its generated lines."""
    found = {f"p{functions.index(name)}:{number}": us for (name, number), us in times.items() if name in functions}
    took = {line: microseconds(us) for line, us in found.items()}
    for line, others in links.items():
        made = found.keys() & others
        if line[0] == "s" and made:
            time = microseconds(sum(found[one] for one in made))
            together = any(other[0] == "s" for one in made for other in links[one] - {line})
            took[line] = translate("{time} with others", time=time) if together else time
    return took


def _lines_of_merged(graph: NetGraph, ways: Mapping[str, list[str]]) -> dict[str, tuple[tuple[str, int], ...]]:
    """Return, by id, the generated lines of operators that passes merged into another operator."""
    found: dict[str, tuple[tuple[str, int], ...]] = {}
    for stops in ways.values():
        for before, after in reversed(list(itertools.pairwise(stops))):
            if graph.differentiates(before):  # gradients have separate lines
                continue
            into, _ = graph.moves(before, after)
            there = graph.model(after).by_id
            for node in graph.model(before).operators:
                goal = there.get(into.get(node.id, node.id))
                if not node.lines and goal is not None and goal.kind == "operator":
                    lines = goal.lines or found.get(goal.id, ())
                    found.setdefault(node.id, tuple(line for line in lines if line[0] != "backward"))
    return found


def _are_many(graph: NetGraph, ways: dict[str, list[str]]) -> bool:
    """Return whether all graphs together have more boxes than a notebook stores, counting no more than necessary."""
    ends = [view for stops in ways.values() if stops for view in (stops[0], stops[-1])]
    count = 0
    for view in dict.fromkeys([*ends, *(view for stops in ways.values() for view in stops)]):
        count += len(graph.visible(view).leaves)
        if count > _MANY:
            return True
    return False


def _different(stops: list[str], scenes: dict[str, Any], kept: str) -> list[str]:
    """Return the stops without each stop that looks like the previous stop."""
    found = stops[:1]
    for view in stops[1:]:
        if scenes[view] != scenes[found[-1]] or view == kept:
            found.append(view)
        elif len(found) > 1 and found[-1] != kept:
            found[-1] = view  # the later name is more informative, because it is closer to the program
    return found


def _ways(graph: NetGraph, origin: Origin) -> dict[str, list[str]]:
    """Return the paths through the graphs, and the single graphs."""
    may_be_empty = ("forward", "backward")  # whole stages have outputs
    ways = {
        way: [v for v in stops if v not in may_be_empty or graph.model(v).nodes] for way, stops in origin.ways.items()
    }
    ways = {way: stops for way, stops in ways.items() if len(stops) > 1 or way == "forward"}
    known = {view for stops in ways.values() for view in stops}
    if graph.view not in known or not ways:
        ways[graph.view] = [graph.view]
    if "prepare" in origin.views:
        ways.setdefault("prepare", ["prepare"])
    return ways


def _is_changed(graph: NetGraph, stops: Sequence[str]) -> bool:
    """Return whether the operators of a graph in a sequence differ from those of the first, in open or closed boxes."""
    first, *others = (
        [(n.id, n.operator, n.inputs, n.attributes) for n in graph.model(v).operators]
        for v in stops
        if graph.model(v).nodes
    )
    return any(nodes != first for nodes in others)


def _stop(graph: NetGraph, origin: Origin, view: str, left: str, alone: str) -> list[str]:
    """Return the name, the title, the caption, and the description of a graph in a sequence of graphs.

    The last argument is the name of the sequence, if the graph is alone in it.
    """
    if view in ("forward", "backward") and origin.passes:
        title = translate("compiled")
    else:
        title = name_of(origin.passes[view]) if view in origin.passes and view != TRACED else translate(view)
    if view == TRACED:
        why = translate("The graph of your code: hybrid_forward ran once with symbols, and recorded these operators.")
        if alone:
            changed = _is_changed(graph, origin.ways.get(alone, [view]))
            why = sentences(why, left or translate(_HIDDEN if changed else _UNCHANGED))
    else:
        why = f"{purpose_of(origin.passes.get(view, ''))} {left}".strip()
    return [view, title, graph.caption(view), why]


def sent_scene(scene: Scene) -> dict[str, Any]:
    """Return a scene as the data that ``canvas.js`` draws, with positions rounded to pixels."""

    def points(piece: Any) -> list[int]:
        return [round(v) for point in piece.points for v in point]

    def sort(box: Any) -> str:
        return " ".join(part for part in (box.kind, box.family, "layer" if box.then else "") if part)

    return {
        "w": round(scene.width),
        "h": round(scene.height),
        "b": [[b.id, sort(b), *map(round, (b.x, b.y, b.width, b.height)), list(b.texts)]
              for b in scene.boxes],
        "e": [[p.tail, p.head, points(p), int(p.arrow)] for p in scene.pieces],
        "l": [[label.net, round(label.x), round(label.y), label.text, int(label.left)] for label in scene.labels],
    }  # fmt: skip


class Boxes:
    """The details of boxes in several graphs, without duplicates.

    Attributes
    ----------
    abouts : list of dict
        The details of each box: the title, the rows of a table, the keys of lines, whether the box is an open or a
        closed group, and searchable text with a line for each node.
    known : set of str
        Keys of program lines that have a box.
    """

    origin: Origin
    sources: list[SourceText]
    numbers: dict[str, int]

    def __init__(
        self, origin: Origin, sources: list[SourceText], merged: Mapping[str, tuple[tuple[str, int], ...]] | None = None
    ) -> None:
        self.origin, self.sources, self.merged = origin, sources, merged or {}
        self.numbers = {name: i for i, name in enumerate(origin.programs)}
        self.abouts: list[dict[str, Any]] = []
        self.known: set[str] = set()
        self._places: dict[str, int] = {}

    def of(self, model: GraphModel, view: Visible) -> dict[str, int]:
        """Return, by id, the index in ``abouts`` of the details of each box in a graph."""
        members: dict[str, list[GraphNode]] = {}
        for node in model.nodes:
            if node.id in view.chains:
                members.setdefault(view.chains[node.id][-1], []).append(node)
        for group in view.containers:
            if group:
                members[group] = list(model.members[group])
        return {box: self._number(self._about(box, nodes, model, view)) for box, nodes in members.items()}

    def links(self, nodes: Iterable[GraphNode]) -> dict[str, set[str]]:
        """Return, for each line of user code or of a program, the other lines that belong to the same nodes."""
        found: dict[str, set[str]] = {}
        for node in nodes:
            lines = {*self._written(node.sources), *self._generated([node])}
            for line in lines:
                found.setdefault(line, set()).update(lines - {line})
        return found

    def _written(self, places: Iterable[Any]) -> list[str]:
        return [f"s{i}:{line}" for name, line in places for i, s in enumerate(self.sources) if s.holds(name, line)]

    def _generated(self, nodes: list[GraphNode]) -> list[str]:
        generated = dict.fromkeys(at for node in nodes for at in node.lines or self.merged.get(node.id, ()))
        return [f"p{self.numbers[function]}:{number}" for function, number in generated if function in self.numbers]

    def _number(self, about: dict[str, Any]) -> int:
        self.known.update(about["lines"])
        number = self._places.setdefault(repr(about), len(self.abouts))
        if number == len(self.abouts):
            self.abouts.append(about)
        return number

    def _about(self, box: str, nodes: list[GraphNode], model: GraphModel, view: Visible) -> dict[str, Any]:
        is_group = box in model.groups
        places = dict.fromkeys(place for node in nodes for place in node.sources)
        lines = [*self._written(places), *self._generated(nodes)]
        state = ("open" if box in view.containers else "closed") if is_group else ""
        first = nodes[0]
        if is_group:
            group = model.groups[box]
            title, rows = as_written(group.label), _group_rows(box, nodes, model)
            if state == "closed" and box in model.layers:
                title, rows = group.kind or title, _layer_rows(box, model)
        else:
            title, rows = first.block or first.title or first.name, _node_rows(first, model)
        if took := view.took(nodes):
            rows = [*rows, [translate("time"), took]]
        search = title if state == "open" else "\n".join(_searched(node, model) for node in nodes)
        return {"title": title, "rows": rows, "lines": lines, "group": state, "search": search}


def _variable(family: str) -> str:
    number = FAMILY_COLOURS[family]
    return "ink" if number is None else f"family-{number}"


def _text(
    title: str,
    key: str,
    start: int,
    lines: list[str],
    known: set[str],
    generated: bool,
    took: Mapping[str, str],
    longest: int | None = None,
) -> dict[str, Any]:
    """Return the key, the number, and the tokens of each line of a program, and whether the line has a box.

    A long program is truncated, with a comment about the number of omitted lines.
    """
    left, lines = lines[longest:] if longest else [], lines[:longest]
    if generated and lines:
        lines = [_shorter_signature(lines[0]), *lines[1:]]
    tokens: list[Any] = tokens_of(lines) if len(lines) <= _COLOURED else [[(line, "")] for line in lines]
    rows: list[list[Any]] = []
    for number, line in enumerate(tokens, start):
        name = f"{key}:{number}"
        time = [(f"  # {took[name]}", "comment")] if name in took else []
        rows.append([name, number, [*line, *time], name in known])
    if left:
        rows.append(["", "", [(f"# {translate('and {n} more', n=len(left))}", "comment")], False])
    return {"title": title, "lines": rows, "generated": generated}


def _shorter_signature(line: str) -> str:
    """Return a long signature with its first arguments and the number of omitted ones, so that the program is in sight.

    Examples
    --------
    >>> _shorter_signature("def forward(data, weight):")
    'def forward(data, weight):'
    >>> _shorter_signature(f"def forward({', '.join(f'conv{i}_weight' for i in range(40))}):")
    'def forward(conv0_weight, conv1_weight, conv2_weight, conv3_weight, ...):  # and 36 more'
    """
    if len(line) <= _SIGNATURE:
        return line
    start, _, rest = line.partition("(")
    first, others = rest.split(", ")[:_FIRST_ARGUMENTS], rest.split(", ")[_FIRST_ARGUMENTS:]
    return f"{start}({', '.join(first)}, ...):  # {translate('and {n} more', n=len(others))}"


def _searched(node: GraphNode, model: GraphModel) -> str:
    """Return the searchable text on one line, with the name first, so that closed and open boxes have equal matches."""
    block = node.block or (model.groups[node.group].kind if node.group in model.groups else "")
    texts = (node.name, node.operator, block, node.path, node.kind, *node.attributes.values())
    return " ".join(" ".join(texts).split())


def _node_rows(node: GraphNode, model: GraphModel) -> list[list[str]]:
    rows = [[translate("name"), node.name]]
    if node.operator:
        rows.append([translate("operator"), node.operator])
    if node.kind != "operator":
        rows.append([translate("kind"), translate(_KINDS[node.kind])])
    if node.path:
        rows.append([translate("block"), as_written(node.path)])
    rows += [_input_row(i, model) for i in node.inputs]
    rows += _output_rows(node)
    rows += [[name, value] for name, value in node.attributes.items()]
    if node.kind == "operator":
        rows.append([translate("flops"), f"{node.flops:,}" if node.flops is not None else amount(None)])
        rows.append([translate("bytes"), f"{node.bytes:,}" if node.bytes is not None else amount(None)])
    return rows


def _layer_rows(group: str, model: GraphModel) -> list[list[str]]:
    """Return the rows of a layer and its activation, with nothing twice, so that all of them are in sight."""
    nodes = model.layers[group]
    inside = {node.id for node in nodes}
    rows = [_block_row(group, model), *_total_rows(nodes, model)]
    rows += [_input_row(i, model) for node in nodes for i in node.inputs if i.node not in inside]
    rows += _output_rows(nodes[-1])
    for node in nodes:
        rows += [[translate("operator"), f"{node.operator}  {node.name}"], *map(list, node.attributes.items())]
    return rows


def _input_row(taken: GraphInput, model: GraphModel) -> list[str]:
    return [taken.argument, f"{model.by_id[taken.node].name}  {model.tensor(taken.node, taken.output)}".rstrip()]


def _output_rows(node: GraphNode) -> list[list[str]]:
    """Return a row for each output; consecutive outputs of the same shape and type share a row."""
    if len(node.outputs) == 1:
        return [[translate("output"), str(node.outputs[0]) or "?"]]
    rows: list[list[str]] = []
    for tensor, run in itertools.groupby(enumerate(node.outputs), lambda output: str(output[1]) or "?"):
        indices = [i for i, _ in run]
        span = f"{indices[0]}–{indices[-1]}" if len(indices) > 1 else str(indices[0])
        rows.append([f"{translate('output')} {span}", tensor])
    return rows


def _group_rows(group: str, nodes: list[GraphNode], model: GraphModel) -> list[list[str]]:
    data = model.groups[group]
    operators = [node for node in nodes if node.kind == "operator"]
    rows = [_block_row(group, model)]
    if data.kind:
        rows.append([translate("class"), data.kind])
    rows.append([translate("operators"), str(len(operators))])
    return rows + _total_rows(operators, model)


def _block_row(group: str, model: GraphModel) -> list[str]:
    return [translate("block"), as_written(model.groups[group].id.strip("/").replace("/", "."))]


def _total_rows(operators: Sequence[GraphNode], model: GraphModel) -> list[list[str]]:
    units = (("flops", ""), ("bytes", "B"))
    return [[translate(what), amount(model.total(what, operators), unit)] for what, unit in units]
