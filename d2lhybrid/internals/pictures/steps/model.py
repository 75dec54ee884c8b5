"""The plain data of the stepper: chapters of steps, with the nodes, sources, graphs, programs, and buffers."""

from __future__ import annotations

from dataclasses import dataclass, field

from ...support.display import Shown
from ..problem import Problem
from .running import LineRun

__all__ = ["Bar", "Buffer", "Chapter", "Drawing", "Failure", "NodeInfo", "ProgramText", "Source", "Step"]


@dataclass(repr=False)
class NodeInfo(Shown):
    """A node of the graph, across all stages.

    Attributes
    ----------
    name, op : str
        Name of the node, and name of its operator; ``""`` for a variable.
    kind : str
        ``"data"``, ``"parameter"``, ``"head"``, ``"constant"``, ``"backward"``, ``"fused"``, ``"operator"``, or
        ``"prepared"`` for the box of all operators that depend only on weights.
    type : str
        Inferred element type and shape; empty for a node that no output depends on.
    lines : tuple of (int, int)
        (source, line) of the code that created the node, outermost first.
    made : tuple of (int, int) or None
        (source, line) in which the user created the node's layer, such as ``net.add(nn.Dense(3))``, if it is known.
    title, family : str
        Title and family in pictures; see ``graph_family``.
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
    """The source of a traced function, or of statements that created layers, in user code or in the library."""

    title: str
    filename: str
    first: int
    lines: list[str]
    own: bool = True


@dataclass(repr=False)
class Drawing(Shown):
    """A graph to draw: its nodes and edges.

    Attributes
    ----------
    nodes : list of int
        Indices of the nodes in topological order; in a trace, in the order of creation.
    edges : list of (int, int)
        Edges (from, to) between drawn nodes.
    folded : dict of int to list of int
        The parameters that each node's box lists. For the box of prepared values, the operators that the box
        represents.
    total : int
        Total number of nodes; in a very large graph, larger than the number of drawn nodes.
    outputs : tuple of int
        Nodes whose values are outputs of the net.
    prepared : int
        Box of the operators that depend only on weights and run once; -1 for none.
    """

    nodes: list[int]
    edges: list[tuple[int, int]]
    folded: dict[int, list[int]]
    total: int
    outputs: tuple[int, ...] = ()
    prepared: int = -1

    def drawn(self, number: int) -> int:
        """Return the index of the box that represents a node."""
        return self.prepared if number in self.folded.get(self.prepared, ()) else number


@dataclass(repr=False)
class ProgramText(Shown):
    """A generated function: its lines, and the node of each line (-1 for none)."""

    name: str
    lines: list[str]
    nodes: list[int]
    microseconds: dict[int, float] = field(default_factory=dict)


@dataclass(repr=False)
class Bar(Shown):
    """A value in a buffer, from the line that computes it to its last use."""

    name: str
    node: int
    first: int
    last: int
    nbytes: int
    result: bool


@dataclass(repr=False)
class Buffer(Shown):
    """A memory block, and the values that it holds one after the other."""

    bars: list[Bar]
    nbytes: int


@dataclass(repr=False)
class Failure(Shown):
    """The error that ended the steps, and the (source, line) of the error, if it is known."""

    place: tuple[int, int] | None
    problem: Problem


@dataclass(repr=False)
class Step(Shown):
    """A step: a sentence, its explanation, and the objects to highlight.

    Attributes
    ----------
    text, why : str
        Sentences about what happens, and why.
    drawing : int
        Index of the graph; -1 for none.
    visible : int
        Number of visible nodes of the graph; -1 for all.
    focus : tuple of int
        Nodes that the step is about.
    marks : dict
        Indices of further marked nodes, by mark: ``"removed"``, ``"merged"``, ``"added"`` ...
    types : dict
        Shapes and element types that become known in this step.
    lines : tuple of (int, int)
        Highlighted lines of the sources, outermost first.
    made : tuple of (int, int) or None
        (source, line) that created the layer that the step is about, if it is known.
    half : str
        ``"forward"``, ``"backward"``, or ``""`` before the graph is split.
    line : int
        Line of the generated function, from 1; 0 for none.
    buffer, bar : int
        Index of the buffer, and index of the value in the buffer; -1 for none.
    run : LineRun or None
        Observations of the line's run, in the chapter ``"run"``.
    live : tuple of int
        Buffers that contain values after the step.
    printed : str
        Text that the line printed.
    shown : tuple of (str, str)
        Displayed names and values.
    failure : Failure or None
        Error that the step is about, if any.
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
    """A chapter of steps.

    Attributes
    ----------
    kind : str
        ``"trace"``, ``"infer"``, ``"pass"``, ``"unchanged"``, ``"memory"``, ``"code"``, ``"run"``, or ``"failed"``; for
        a program in a string: ``"define"``, ``"parse"``, ``"inline"``, ``"fold"``, ``"execute"``.
    title : str
        Label of the chapter's button.
    steps : list of Step
        Steps in order.
    half : str
        ``"forward"``, ``"backward"``, or ``""`` before the graph is split.
    """

    kind: str
    title: str
    steps: list[Step]
    half: str = ""
