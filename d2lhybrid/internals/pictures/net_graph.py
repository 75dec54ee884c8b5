"""The graph of a net, as a picture with groups that open and close, which can be saved to files."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar

from ..support.filesystem import write_bytes, write_text
from ..support.words import clauses, labelled, translate
from .graph_data import data_of
from .graph_dot import dot_of
from .graph_model import GraphGroup, GraphModel, GraphNode
from .graph_moves import Moves, moves_between
from .graph_origin import TRACED, Origin, origin_of
from .graph_scene import Scene, default_collapsed, scene_of
from .graph_static import html_of
from .graph_svg import draw_scene
from .graph_visible import Visible
from .graph_words import amount, operators
from .picture import Picture

__all__ = ["GraphView", "NetGraph"]

#: The maximum number of operators in the text that a notebook stores.
_FEW_ROWS = 24
#: The maximum number of operators in the text.
_MAX_TEXT = 200


class NetGraph(Picture):
    """The graphs of a net, a symbol, or a program, and the state of their display.

    :meth:`of` creates the object. A notebook displays an interactive view.

    Attributes
    ----------
    title : str
        Title of the graph.
    view : str
        Name of the displayed graph, one of :attr:`views`.
    parameters : bool
        Whether parameters and constants have separate boxes.
    engine : str
        Layout engine: ``"own"``, ``"dot"``, or ``"auto"``.
    searched : str
        Text of the last search.
    found : list of str
        Ids of the nodes that the last search found.
    times : dict of (str, int) to float
        Measured microseconds of generated lines by (function, number), after :meth:`measure`.

    Examples
    --------
    >>> from d2lhybrid import nd
    >>> from d2lhybrid.gluon import nn
    >>> net = nn.HybridSequential(prefix="net_")
    >>> with net.name_scope():
    ...     net.add(nn.Dense(8, activation="relu"), nn.Dense(2))
    >>> graph = net.graph(nd.ones((3, 4)))
    >>> graph
    HybridSequential net: traced, 3 operators, 342 flops
      net_dense0_fwd       FullyConnected 8 units -> float32 3×8
      net_dense0_relu_fwd  Activation relu -> float32 3×8
      net_dense1_fwd       FullyConnected 2 units -> float32 3×2
    """

    title: str
    view: str
    parameters: bool
    searched: str

    view_name: ClassVar[str] = "graph_view"

    def __init__(self, origin: Any, engine: str = "auto") -> None:
        self._origin: Origin = origin
        self._models: dict[str, GraphModel] = {}
        self._by_default: dict[str, frozenset[str]] = {}
        self._scenes: dict[tuple[str, frozenset[str], bool], Scene] = {}
        self._visible: dict[str, tuple[Any, Visible]] = {}
        self._moves: dict[tuple[str, str], Moves] = {}
        self._opened: set[str] = set()
        self._closed: set[str] = set()
        self._all: bool | None = None
        self.title = origin.title
        self.view = TRACED if TRACED in origin.views else next(iter(origin.views))
        self.parameters = False
        self.engine = engine
        self.found: list[str] = []
        self.searched = ""
        self.times: dict[tuple[str, int], float] = {}

    @classmethod
    def of(
        cls,
        thing: Any,
        *inputs: Any,
        training: bool | None = None,
        backward: bool = False,
        engine: str = "auto",
        **shapes: Sequence[int],
    ) -> NetGraph:
        """Return the graph of an object.

        Parameters
        ----------
        thing : HybridBlock, Symbol, Program, Stage or Graph
            The object to draw.
        *inputs : NDArray
            For a block, the arguments of the call whose graph is drawn. The block is traced if
            necessary, but does not run.
        training : bool, optional
            For a block, whether layers behave as in training; by default, the value of ``backward``.
        backward : bool
            For a block, whether to include the backward pass.
        engine : str
            ``"own"`` for the layout of this package, ``"dot"`` for Graphviz, or ``"auto"`` for Graphviz if its program
            is installed and the graph is not too large.
        **shapes
            For a symbol, the shapes of its variables, as for ``infer_shape``.

        Raises
        ------
        TypeError
            If the object has no graph, or if the other arguments do not apply to the object.
        ValueError
            If no inputs are passed and the net has no such graph yet, or if a symbol lacks a named input.
        """
        if isinstance(thing, NetGraph):
            return thing
        from ...gluon import HybridBlock
        from ...symbol import Symbol

        options: dict[str, Any] = {}
        if isinstance(thing, HybridBlock):
            options = {"training": training, "backward": backward}
        elif inputs or backward or training is not None:
            raise TypeError(
                "inputs, training, and backward are arguments for a HybridBlock. For a Symbol, pass shapes, as in "
                "NetGraph.of(symbol, data=(2, 3))"
            )
        if shapes and not isinstance(thing, Symbol):
            raise TypeError(
                f"Only a Symbol accepts shapes as keyword arguments ({', '.join(shapes)}). For a net, pass arrays, as "
                "in net.graph(x)"
            )
        return cls(origin_of(thing, inputs, shapes, None, **options), engine)

    # --- graphs ------------------------------------------------------------------------------------

    @property
    def views(self) -> list[str]:
        """The names of the graphs, such as ``"forward"``, ``"backward"``, ``"traced"``, and a name for each pass."""
        return list(self._origin.views)

    def model(self, view: str | None = None) -> GraphModel:
        """Return the data of a graph, by default the displayed graph.

        Parameters
        ----------
        view : str, optional
            Name of a graph, one of :attr:`views`.

        Raises
        ------
        ValueError
            If there is no graph with this name.
        """
        view = self.view if view is None else view
        if view not in self._origin.views:
            raise ValueError(f"There is no graph {view!r}. The graphs are {', '.join(map(repr, self.views))}.")
        if view not in self._models:
            self._models[view] = self._origin.views[view]()
        return self._models[view]

    @property
    def forward(self) -> GraphModel:
        """The compiled forward graph, or the only graph."""
        return self.model(self.views[0])

    @property
    def backward(self) -> GraphModel | None:
        """The backward graph, or None if the object has no backward graph."""
        return self.model("backward") if "backward" in self._origin.views else None

    def moves(self, before: str, after: str) -> Moves:
        """Return, by node id, the replacements of the nodes of ``before``, and the origins of the nodes of ``after``.

        Parameters
        ----------
        before, after : str
            Names of two graphs, from :attr:`views`.

        Raises
        ------
        ValueError
            If there is no graph with one of these names.
        """
        for view in (before, after):  # drawing a graph assigns the ids
            self.model(view)
        graphs = self._origin.graphs
        if before not in graphs or after not in graphs:
            return {}, {}
        if (before, after) not in self._moves:  # independent of open groups
            self._moves[before, after] = moves_between(graphs[before], graphs[after], self._origin.ids)
        return self._moves[before, after]

    def differentiates(self, view: str) -> bool:
        """Return whether a graph also computes gradients.

        Parameters
        ----------
        view : str
            The name of a graph, one of :attr:`views`.
        """
        graph = self._origin.graphs.get(view)
        return graph is not None and bool(graph.gradients)

    @property
    def programs(self) -> dict[str, str]:
        """The source code of each generated function, by name."""
        return {name: source.text for name, source in self._origin.programs.items()}

    # --- display -----------------------------------------------------------------------------------

    @property
    def collapsed(self) -> frozenset[str]:
        """The groups that are shown as one box."""
        return self.collapsed_in(self.view)

    def collapsed_in(self, view: str) -> frozenset[str]:
        """Return the groups that a graph shows as one box; opening or closing a group applies to all graphs.

        Parameters
        ----------
        view : str
            Name of a graph, one of :attr:`views`.
        """
        groups = self.model(view).groups
        if self._all is not None:
            usual = frozenset() if self._all else frozenset(groups)
        else:
            usual = self._default(view)
        return frozenset((usual - self._opened) | (self._closed & groups.keys()))

    def _default(self, view: str) -> frozenset[str]:
        """Return the groups that are initially closed, which are also closed in the traced graph."""
        if view not in self._by_default:
            found = default_collapsed(self.model(view))
            if TRACED in self._origin.views and view != TRACED:
                traced, model = self.model(TRACED), self.model(view)
                # In this graph, a layer with its activation may have more nodes, which should be visible.
                closed = (self._default(TRACED) - traced.layers.keys()) & model.groups.keys()
                found = (found - (traced.groups.keys() - model.layers.keys())) | closed
            self._by_default[view] = found
        return self._by_default[view]

    def show(self, view: str) -> None:
        """Display another graph.

        Parameters
        ----------
        view : str
            Name of a graph, one of :attr:`views`.
        """
        self.model(view)
        self.view, self.found, self.searched = view, [], ""

    def look_like(self, other: NetGraph) -> None:
        """Copy another picture's state: the displayed graph, if this picture has it, open groups, and ``parameters``.

        Parameters
        ----------
        other : NetGraph
            The other picture.
        """
        self._opened, self._closed, self._all = set(other._opened), set(other._closed), other._all
        self.parameters = other.parameters
        if other.view in self._origin.views:
            self.view = other.view

    def open(self, group: str, view: str | None = None) -> None:
        """Show the nodes of a group, and of the groups around it.

        Parameters
        ----------
        group : str
            Path of the group, such as ``"/features/5"``.
        view : str, optional
            Name of the graph that has the group, one of :attr:`views`; by default, the displayed graph.
        """
        groups = self._groups(group, view)
        while group:
            self._opened.add(group)
            self._closed.discard(group)
            group = groups[group].parent

    def close(self, group: str, view: str | None = None) -> None:
        """Show a group as one box.

        Parameters
        ----------
        group : str
            Path of the group, such as ``"/features/5"``.
        view : str, optional
            Name of the graph that has the group, one of :attr:`views`; by default, the displayed graph.
        """
        self._groups(group, view)
        self._opened.discard(group)
        self._closed.add(group)

    def _groups(self, group: str, view: str | None) -> Mapping[str, GraphGroup]:
        """Return the groups of a graph, which must include ``group``."""
        groups = self.model(view).groups
        if group not in groups:
            raise ValueError(
                f"There is no group {group!r}. The groups are {', '.join(groups)}"
                if groups
                else "This graph has no groups"
            )
        return groups

    def open_all(self) -> None:
        """Show the nodes of every group."""
        self._all, self._opened, self._closed = True, set(), set()

    def close_all(self) -> None:
        """Show every group as one box."""
        self._all, self._opened, self._closed = False, set(), set()

    def find(self, text: str, many: int = 25) -> list[GraphNode]:
        """Return the nodes of the displayed graph whose name, operator, attributes, block, or kind contains a text.

        If at most ``many`` nodes match, this method opens the groups around the nodes.

        Parameters
        ----------
        text : str
            Text to search for; case is ignored.
        many : int
            Maximum number of nodes for which groups are opened.

        Examples
        --------
        >>> from d2lhybrid import sym
        >>> graph = NetGraph.of(sym.relu(sym.var("x"), name="r"))
        >>> [node.name for node in graph.find("RELU")]
        ['r']
        """
        wanted = self.searched = text.strip().lower()
        hits = []
        for node in self.model().nodes if wanted else ():
            texts = (node.name, node.operator, node.summary, node.path, node.kind, *node.attributes.values())
            if any(wanted in part.lower() for part in texts):
                hits.append(node)
        if len(hits) <= many:
            for node in hits:
                if node.group:
                    self.open(node.group)
        self.found = [node.id for node in hits]
        return hits

    def scene(self, view: str | None = None) -> Scene:
        """Return the visible part of a graph, by default the displayed graph, and the positions of its boxes.

        Parameters
        ----------
        view : str, optional
            Name of a graph, one of :attr:`views`.
        """
        view = self.view if view is None else view
        shown = view, self.collapsed_in(view), self.parameters
        if shown not in self._scenes:  # cached for the widget, the page, and the static picture
            self._scenes = {key: scene for key, scene in self._scenes.items() if key[0] != view}
            self._scenes[shown] = scene_of(self.model(view), *shown[1:], self.engine, self.times)
        return self._scenes[shown]

    def visible(self, view: str | None = None) -> Visible:
        """Return the visible part of a graph, by default the displayed graph, without positions.

        Parameters
        ----------
        view : str, optional
            Name of a graph, one of :attr:`views`.
        """
        view = self.view if view is None else view
        shown = self.collapsed_in(view), self.parameters
        if self._visible.get(view, ((),))[0] != shown:
            self._visible[view] = shown, Visible(self.model(view), *shown, self.times)
        return self._visible[view][1]

    @property
    def can_be_measured(self) -> bool:
        """Whether the graph has a program and the inputs to run it."""
        return self._origin.measure is not None

    def measure(self) -> NetGraph:
        """Run the generated program line by line, and show the time of each box; return the graph.

        Raises
        ------
        ValueError
            If the graph does not belong to a net with inputs, if the parameters have no values, or if the net has not
            been compiled for the GPU.

        Examples
        --------
        >>> from d2lhybrid import nd
        >>> from d2lhybrid.gluon import nn
        >>> net = nn.Dense(2, in_units=4)
        >>> net.initialize()
        >>> graph = net.graph(nd.ones((3, 4))).measure()
        >>> all(microseconds > 0 for microseconds in graph.times.values())
        True
        """
        if self._origin.measure is None:
            raise ValueError("There is nothing to measure: create the graph with inputs, as in net.graph(x)")
        self.times, self._scenes, self._visible = self._origin.measure(), {}, {}
        return self

    # --- files ---------------------------------------------------------------------------------------

    def to_svg(self, legend: bool = True) -> str:
        """Return the picture as an SVG document; the id of a box is ``graph-`` followed by the id of its node or group.

        Parameters
        ----------
        legend : bool
            Whether to show a legend of the colors.
        """
        hints = {node.id: node.name for node in self.model().nodes}
        return draw_scene(self.scene(), self._caption(), hints=hints, prefix="graph", legend=legend)

    def to_png(self, scale: float = 2.0) -> bytes:
        """Return the picture as a PNG file, drawn with Matplotlib.

        Parameters
        ----------
        scale : float
            Pixels per unit of the SVG picture.

        Raises
        ------
        ImportError
            If Matplotlib is not installed.
        ValueError
            If the picture would have too many pixels.
        """
        from .graph_png import png_of

        return png_of(self.scene(), scale)

    def to_dot(self) -> str:
        """Return the visible part in the DOT language, for Graphviz."""
        return dot_of(self.visible(), self.title)

    def save(self, path: str | Path, title: str = "") -> Path:
        """Write the visible part of the graph to a file in the format that the suffix selects, and return the path.

        Parameters
        ----------
        path : str or Path
            ``*.html`` for a page; ``*.svg``, ``*.png``, ``*.dot``, or ``*.gv`` for a drawing; ``*.json`` for all data
            of the graph.
        title : str
            Title of the page.

        Raises
        ------
        ValueError
            If the path has another suffix, or if a PNG picture would have too many pixels.
        ImportError
            If the suffix is ``.png``, and Matplotlib is not installed.
        """
        import json

        path = Path(path)
        kind = path.suffix.lower()
        if kind == ".html":
            return super().save(path, title)
        if kind == ".svg":
            write_text(path, self.to_svg())
        elif kind == ".png":
            write_bytes(path, self.to_png())
        elif kind in (".dot", ".gv"):
            write_text(path, self.to_dot())
        elif kind == ".json":
            write_text(path, json.dumps(self.model().to_dict(), ensure_ascii=False))
        else:
            raise ValueError(f"A graph can be saved as .html, .svg, .png, .dot, .gv, or .json, not as {path.name!r}")
        return path

    # --- the picture ---------------------------------------------------------------------------------

    def _caption(self) -> str:
        return labelled(self.title, clauses(translate(self.view), self.caption(self.view)))

    def caption(self, view: str) -> str:
        """Return the number of a graph's operators and, if it is known, of floating-point operations, as text.

        Parameters
        ----------
        view : str
            Name of a graph, one of :attr:`views`.
        """
        model = self.model(view)
        flops = model.total("flops")
        return clauses(operators(len(model.operators)), *([f"{amount(flops)} flops"] if flops else []))

    def to_dict(self, room: float | None = None) -> dict[str, Any]:
        """Return the displayed data as dictionaries, lists, strings, and numbers.

        Parameters
        ----------
        room : float, optional
            Size limit in a notebook in bytes, by default the space that the view's script leaves. For large graphs,
            some stages are omitted, with a note.
        """
        from .widgets.page import room_for_data

        return data_of(self, self._origin, room_for_data(self.view_name) if room is None else room)

    def to_text(self) -> str:
        """Return the operators, one per line; a long list is truncated, unlike ``str(graph.model())``."""
        lines, view = str(self.model()).splitlines()[1:], self.visible()
        for i, node in enumerate(self.model().operators if self.times else ()):
            lines[i] += f"  {view.took([node])}".rstrip()
        more = [f"  {translate('and {n} more', n=len(lines) - _MAX_TEXT)}"] if len(lines) > _MAX_TEXT else []
        return "\n".join([self._caption(), *lines[:_MAX_TEXT], *more])

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> Any:
        data, metadata = super()._repr_mimebundle_(include, exclude)
        if "text/plain" in data:  # the page has more; terminals use the whole text
            lines = data["text/plain"].splitlines()
            more = [f"  {translate('and {n} more', n=len(self.model().operators) - _FEW_ROWS)}"]
            data["text/plain"] = "\n".join(lines[: _FEW_ROWS + 1] + (more if len(lines) > _FEW_ROWS + 1 else []))
        return data, metadata

    def to_html(self) -> str:
        """Return the picture, a table of the operators, the user code, and the programs as HTML."""
        return html_of(self)

    def to_html_within(self, room: int) -> str:
        """Return the page, with notes in place of the parts that don't fit.

        Parameters
        ----------
        room : int
            Size limit of text and picture together, in bytes.
        """
        return html_of(self, room - len("\n".join(self.to_text().splitlines()[: _FEW_ROWS + 1]).encode()))


def GraphView(thing: Any, *inputs: Any, **options: Any) -> NetGraph:  # noqa: N802  named like a class
    """Return the graph of a net, symbol, program, or stage; see :meth:`NetGraph.of`.

    Parameters
    ----------
    thing : HybridBlock, Symbol, Program, Stage or Graph
        The object to draw.
    *inputs, **options
        Same as for :meth:`NetGraph.of`.

    Examples
    --------
    >>> from d2lhybrid import sym
    >>> GraphView(sym.FullyConnected(sym.var("data"), num_hidden=3, name="fc"), data=(2, 5))
    Symbol fc: forward, 1 operator, 66 flops
      fc  FullyConnected 3 units -> float32 2×3
    """
    return NetGraph.of(thing, *inputs, **options)
