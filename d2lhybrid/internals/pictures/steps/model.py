"""The plain data of the stepper: chapters of steps over nodes, sources, graphs, programs and buffers."""

from __future__ import annotations

from dataclasses import dataclass, field

from ...support.display import Shown
from ..problem import Problem
from .running import LineRun

__all__ = ["Bar", "Buffer", "Chapter", "Drawing", "Failure", "NodeInfo", "ProgramText", "Source", "Step"]


@dataclass(repr=False)
class NodeInfo(Shown):
    """A node of the graph, through all stages.

    Attributes
    ----------
    name, op : str
        Its name, and its operator's name; ``""`` for a variable.
    kind : str
        ``"data"``, ``"parameter"``, ``"head"``, ``"constant"``, ``"backward"``, ``"fused"``, ``"operator"``, or
        ``"prepared"`` for the one box of all operators that work on weights alone.
    type : str
        Dtype and shape, as inference found them; empty for a node that no result needs.
    lines : tuple of (int, int)
        (source, line) of the code that made it, outermost first.
    made : tuple of (int, int) or None
        (source, line) where the user made the layer that it is from: ``net.add(nn.Dense(3))``.
    title, family : str
        What a picture calls it, and its sort; see ``graph_family``.
    """

    name: str
    op: str
    kind: str
    type: str = ""
    lines: tuple[tuple[int, int], ...] = ()
    made: tuple[int, int] | None = None
    title: str = ""
    family: str = ""


@dataclass(repr=False)
class Source(Shown):
    """The text of a function that was traced, or of statements that made layers; the user's own or the library's."""

    title: str
    filename: str
    first: int
    lines: list[str]
    own: bool = True


@dataclass(repr=False)
class Drawing(Shown):
    """A graph to draw: some of its nodes, and which use which.

    Attributes
    ----------
    nodes : list of int
        Numbers of the nodes, inputs before users; in a trace, in the order in which they were made.
    edges : list of (int, int)
        (from, to), both drawn.
    folded : dict of int to list of int
        For a node the parameters that it takes, which are written into its box; for the box of what is prepared the
        operators that it stands for.
    total : int
        How many nodes there are; more than are drawn in a very large graph.
    outputs : tuple of int
        The nodes whose values are the results of the net.
    prepared : int
        The box of what works on weights alone and runs once; -1 for none.
    """

    nodes: list[int]
    edges: list[tuple[int, int]]
    folded: dict[int, list[int]]
    total: int
    outputs: tuple[int, ...] = ()
    prepared: int = -1

    def drawn(self, number: int) -> int:
        """Return the number of the box that a node is drawn as."""
        return self.prepared if number in self.folded.get(self.prepared, ()) else number


@dataclass(repr=False)
class ProgramText(Shown):
    """A generated function: its lines, and the node of each (-1 where there is none)."""

    name: str
    lines: list[str]
    nodes: list[int]
    microseconds: dict[int, float] = field(default_factory=dict)


@dataclass(repr=False)
class Bar(Shown):
    """A value in a buffer, from the line that makes it to the last that uses it."""

    name: str
    node: int
    first: int
    last: int
    nbytes: int
    result: bool


@dataclass(repr=False)
class Buffer(Shown):
    """A piece of memory, and the successive values in it."""

    bars: list[Bar]
    nbytes: int


@dataclass(repr=False)
class Failure(Shown):
    """The error that ended the steps, and its (source, line)."""

    place: tuple[int, int] | None
    problem: Problem


@dataclass(repr=False)
class Step(Shown):
    """One step: what happened, why, and what to light up.

    Attributes
    ----------
    text, why : str
        Sentences.
    drawing : int
        Which graph; -1 for none.
    visible : int
        How many nodes of it are there already; -1 for all.
    focus : tuple of int
        The nodes that the step is about.
    marks : dict
        Further nodes to mark: ``"removed"``, ``"merged"``, ``"added"`` ... -> numbers.
    types : dict
        Shapes and dtypes that are known from this step on.
    lines : tuple of (int, int)
        Lines of the sources, outermost first.
    made : tuple of (int, int) or None
        The line that made the layer that this is about.
    half : str
        ``"forward"``, ``"backward"``, or ``""`` before the graph is split.
    line : int
        Line of the generated function, from 1; 0 for none.
    buffer, bar : int
        Which buffer, and which storage in it; -1 for none.
    run : LineRun or None
        What the line did when it ran.
    live : tuple of int
        The buffers that hold values after it.
    printed : str
        What the line printed.
    shown : tuple of (str, str)
        Names and values to show.
    failure : Failure or None
        The error that this step is about.
    """

    text: str
    why: str = ""
    drawing: int = -1
    visible: int = -1
    focus: tuple[int, ...] = ()
    marks: dict[str, tuple[int, ...]] = field(default_factory=dict)
    types: dict[int, str] = field(default_factory=dict)
    lines: tuple[tuple[int, int], ...] = ()
    made: tuple[int, int] | None = None
    half: str = ""
    line: int = 0
    buffer: int = -1
    bar: int = -1
    run: LineRun | None = None
    live: tuple[int, ...] = ()
    printed: str = ""
    shown: tuple[tuple[str, str], ...] = ()
    failure: Failure | None = None


@dataclass(repr=False)
class Chapter(Shown):
    """Steps that belong together.

    Attributes
    ----------
    kind : str
        ``"trace"``, ``"infer"``, ``"pass"``, ``"unchanged"``, ``"memory"``, ``"code"``, ``"run"`` or ``"failed"``; of a
        program that is text: ``"define"``, ``"parse"``, ``"inline"``, ``"fold"``, ``"execute"``.
    title : str
        The label of its button.
    steps : list of Step
        In order.
    half : str
        As for a step.
    """

    kind: str
    title: str
    steps: list[Step]
    half: str = ""
