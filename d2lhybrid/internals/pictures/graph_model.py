"""The plain data of a graph for drawings, lists, and exports.

A :class:`GraphModel` describes a graph of the compiler, or a symbol. The model contains only names, numbers, and
text, and neither nodes of the compiler nor arrays.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from ..support.display import Shown
from ..support.locks import cached_property
from ..support.places import Place
from ..support.plural import counted
from ..support.printing import printed
from .graph_family import FAMILIES

__all__ = ["FAMILIES", "GraphGroup", "GraphModel", "GraphNode", "TensorInfo"]

#: Families of operators that may be followed by an activation.
_LAYERS = ("linear", "convolution", "normalization")


@dataclass(frozen=True, repr=False)
class TensorInfo(Shown):
    """The known parts of a value's shape and element type.

    Attributes
    ----------
    shape : tuple of int or None
        Shape, with None for unknown sizes; None if the number of axes is unknown.
    dtype : str or None
        Name of the NumPy dtype, if it is known.

    Examples
    --------
    >>> str(TensorInfo((2, 256), "float32")), str(TensorInfo((), "float32")), str(TensorInfo(None, None))
    ('float32 2×256', 'float32 scalar', '')
    """

    shape: tuple[int | None, ...] | None
    dtype: str | None

    @property
    def shape_text(self) -> str:
        """The shape, such as ``2×256``; empty if it is unknown."""
        if self.shape is None:
            return ""
        return "×".join("?" if n is None else str(n) for n in self.shape) if self.shape else "scalar"

    @property
    def text(self) -> str:
        """The element type and the shape, such as ``float32 2×256``."""
        return " ".join(part for part in (self.dtype, self.shape_text) if part)

    @printed
    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True, repr=False)
class GraphInput(Shown):
    """An input of a node.

    Attributes
    ----------
    node : str
        Id of the node that computes the input.
    output : int
        Index of that node's output.
    argument : str
        Name of the operator's argument, such as ``"data"`` or ``"weight"``.
    """

    node: str
    output: int
    argument: str


@dataclass(frozen=True, repr=False)
class GraphNode(Shown):
    """A node of a graph.

    Attributes
    ----------
    id : str
        Id, unique in the graph, and the same in all graphs of a compilation that contain the node.
    name : str
        Name of the node in the graph.
    kind : str
        ``"operator"``, ``"input"``, ``"parameter"``, ``"constant"``, ``"gradient"`` (of an output, passed by the
        caller), or ``"saved"`` (kept by the forward function for the backward function).
    operator : str
        Name of the operator; empty for nodes of other kinds.
    title : str
        Title in pictures, such as ``"+"`` or ``"tanh"``.
    family : str
        Family of the operator, a key of :data:`~d2lhybrid.internals.pictures.graph_family.FAMILIES`.
    summary : str
        Most important attributes in a few characters.
    attributes : dict of str to str
        All attributes, as text.
    inputs : tuple of GraphInput
        Inputs of the node.
    outputs : tuple of TensorInfo
        Shapes and element types of the outputs.
    group : str
        Id of the innermost group that contains the node; empty outside of groups.
    path : str
        Path of the block that created the node, such as ``"features.0"``.
    block : str
        Class of that block, such as ``"Dense"``, if the block created only this node.
    flops, bytes : int or None
        Estimated numbers of operations and of bytes (see ``reports/costs.py``); None if shapes are unknown.
    source : Place or None
        Line of user code that created the node, if it is known.
    sources : tuple of Place
        All lines of user code behind the node: a fused operator has the lines of all replaced nodes, and
        a node from a pass has the lines of its original.
    lines : tuple of tuple
        Generated lines that run the node, as (function, line).
    """

    id: str
    name: str
    kind: str
    operator: str = ""
    title: str = ""
    family: str = ""
    summary: str = ""
    attributes: Mapping[str, str] = field(default_factory=dict)
    inputs: tuple[GraphInput, ...] = ()
    outputs: tuple[TensorInfo, ...] = ()
    group: str = ""
    path: str = ""
    block: str = ""
    flops: int | None = None
    bytes: int | None = None
    source: Place | None = None
    sources: tuple[Place, ...] = ()
    lines: tuple[tuple[str, int], ...] = ()


@dataclass(frozen=True, repr=False)
class GraphEdge(Shown):
    """An edge from an output of a node to an input.

    Attributes
    ----------
    tail, head : str
        Ids of the nodes that compute and use the value.
    output, position : int
        Index of the output of ``tail``, and index of the input of ``head``.
    argument : str
        Name of the operator's argument.
    tensor : TensorInfo
        Shape and element type of the value.
    """

    tail: str
    head: str
    output: int
    position: int
    argument: str
    tensor: TensorInfo


@dataclass(frozen=True, repr=False)
class GraphGroup(Shown):
    """The nodes of one call of a block.

    Attributes
    ----------
    id : str
        Id that is unique in the graph.
    label : str
        Name of the block in its parent, such as ``"hidden"`` or ``"features.4"``.
    kind : str
        Class of the block.
    parent : str
        Id of the enclosing group; empty for an outermost group.
    """

    id: str
    label: str
    kind: str = ""
    parent: str = ""


@dataclass(frozen=True, repr=False)
class GraphModel(Shown):
    """A graph for pictures: its nodes, groups, and outputs.

    Attributes
    ----------
    title : str
        Title of the graph.
    nodes : tuple of GraphNode
        All nodes in topological order.
    groups : dict of str to GraphGroup
        The groups by id, outer groups first.
    outputs : tuple of tuple
        Outputs as (node id, index).
    results : tuple of str
        Description of each output, such as ``"gradient of dense0_weight"``; empty for an output of the net.

    Examples
    --------
    >>> from d2lhybrid import sym
    >>> from d2lhybrid.viz import NetGraph
    >>> x = sym.var("x")
    >>> model = NetGraph.of(sym.elemwise_add(sym.relu(x, name="r"), x, name="sum"), x=(2, 3)).forward
    >>> [(node.name, node.operator, str(node.outputs[0])) for node in model.nodes]
    [('x', '', 'float32 2×3'), ('r', 'relu', 'float32 2×3'), ('sum', 'elemwise_add', 'float32 2×3')]
    >>> [(edge.tail, edge.head, edge.argument) for edge in model.edges]
    [('x', 'r', 'data'), ('r', 'sum', 'lhs'), ('x', 'sum', 'rhs')]
    """

    title: str
    nodes: tuple[GraphNode, ...]
    groups: Mapping[str, GraphGroup] = field(default_factory=dict)
    outputs: tuple[tuple[str, int], ...] = ()
    results: tuple[str, ...] = ()

    @cached_property
    def by_id(self) -> dict[str, GraphNode]:
        """The nodes of the graph by their ids."""
        return {node.id: node for node in self.nodes}

    @cached_property
    def edges(self) -> tuple[GraphEdge, ...]:
        """All edges of the graph, ordered by user and argument."""
        return tuple(
            GraphEdge(i.node, node.id, i.output, position, i.argument, self.tensor(i.node, i.output))
            for node in self.nodes
            for position, i in enumerate(node.inputs)
        )

    @cached_property
    def operators(self) -> tuple[GraphNode, ...]:
        """The nodes that are operators."""
        return tuple(node for node in self.nodes if node.kind == "operator")

    @cached_property
    def members(self) -> dict[str, tuple[GraphNode, ...]]:
        """The nodes of each group, including the nodes of inner groups."""
        found: dict[str, list[GraphNode]] = {group: [] for group in self.groups}
        for node in self.nodes:
            for group in self.groups_of(node):
                found[group].append(node)
        return {group: tuple(nodes) for group, nodes in found.items()}

    @cached_property
    def layers(self) -> dict[str, tuple[GraphNode, GraphNode]]:
        """The operators of each group that is a layer with its activation, such as ``Dense(8, activation="relu")``."""
        users: dict[str, list[str]] = {}
        for edge in self.edges:
            users.setdefault(edge.tail, []).append(edge.head)
        results = {node for node, _ in self.outputs}
        found = {}
        for group, nodes in self.members.items():
            operators = [node for node in nodes if node.kind == "operator"]
            if len(nodes) != 2 or len(operators) != 2:
                continue
            first, then = operators
            families = first.family in _LAYERS and then.family == "activation"
            if families and users.get(first.id) == [then.id] and first.id not in results:
                found[group] = first, then
        return found

    def tensor(self, node: str, output: int = 0) -> TensorInfo:
        """Return the shape and the element type of an output of a node."""
        outputs = self.by_id[node].outputs
        return outputs[output] if output < len(outputs) else TensorInfo(None, None)

    def groups_of(self, node: GraphNode) -> list[str]:
        """Return the groups around a node, the innermost first."""
        found, group = [], node.group
        while group:
            found.append(group)
            group = self.groups[group].parent
        return found

    def total(self, what: str, nodes: Sequence[GraphNode] | None = None) -> int | None:
        """Return the sum of ``"flops"`` or ``"bytes"`` over nodes, by default all operators; None if unknown."""
        values = [getattr(node, what) for node in (self.operators if nodes is None else nodes)]
        return None if any(value is None for value in values) else sum(values)

    def to_dict(self) -> dict[str, Any]:
        """Return nested dictionaries, lists, numbers, and strings for ``json.dumps``."""
        from dataclasses import asdict

        return {
            "title": self.title,
            "nodes": [{**asdict(node), "attributes": dict(node.attributes)} for node in self.nodes],
            "groups": [asdict(group) for group in self.groups.values()],
            "edges": [asdict(edge) for edge in self.edges],
            "outputs": [list(output) for output in self.outputs],
        }

    @printed
    def __str__(self) -> str:
        names = [node.name for node in self.operators]
        width = max((len(name) for name in names), default=0)
        lines = [": ".join(filter(None, [self.title, counted(len(names), "operator")]))]
        for node in self.operators:
            text = " ".join(part for part in (node.operator, node.summary) if part)
            result = ", ".join(t.text for t in node.outputs[:1] if t.text)
            lines.append(f"  {node.name:{width}}  {text}{' -> ' + result if result else ''}")
        return "\n".join(lines)
