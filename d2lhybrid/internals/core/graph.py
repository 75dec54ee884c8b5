"""The compiler's graph, which is immutable and typed, and whose nodes the passes share.

A :class:`Graph` is a list of output entries over :class:`~d2lhybrid.internals.core.node.Node` objects, with a
table of shapes and element types. A pass never changes a graph. A pass returns a new graph that shares all unchanged
nodes. Keeping every stage of a compilation therefore costs only references, and comparing the nodes of two stages by
identity shows the changes.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy

from ...error import MXNetError
from ..support.display import Shown
from ..support.dtypes import name_of
from ..support.locks import cached_property
from .infer import by_running
from .node import Entry, Node, topological_order
from .operator import Operator, get_operator
from .sparse_rows import Source

__all__ = ["Graph", "Results", "TensorType", "TypeTable", "Update", "results_of"]


class TensorType(NamedTuple):
    """The shape and element type of one entry of a graph."""

    shape: tuple[int, ...]
    dtype: numpy.dtype

    @property
    def size(self) -> int:
        """The number of elements of the array."""
        return math.prod(self.shape)

    @property
    def nbytes(self) -> int:
        """The size of the array in bytes."""
        return self.size * self.dtype.itemsize

    def __str__(self) -> str:
        return f"{name_of(self.dtype)}[{','.join(map(str, self.shape))}]"


class TypeTable(dict[Entry, TensorType]):
    """The shapes and element types of all entries in all stages of one compilation.

    The first lookup of a new node infers the types of its outputs from the types of its inputs.
    """

    def __repr__(self) -> str:
        return f"<TypeTable: {len(self)} entries>"

    def set(self, node: Node, types: Sequence[TensorType]) -> None:
        """Declare the types of a node's outputs.

        Parameters
        ----------
        node : Node
            The node whose outputs have these types.
        types : sequence of TensorType
            The type of each output.
        """
        for i, t in enumerate(types):
            self[node, i] = t

    def __missing__(self, entry: Entry) -> TensorType:
        stack = [entry[0]]
        while stack:  # visits new nodes only, because it stops at nodes with known types
            node = stack[-1]
            missing = [n for n, _ in node.inputs if (n, 0) not in self]
            if missing:
                stack.extend(missing)
                continue
            stack.pop()
            if (node, 0) not in self:
                self._infer(node)
        if entry not in self:
            raise KeyError(entry)
        return self[entry]

    def _infer(self, node: Node) -> None:
        if node.op is None:
            raise MXNetError(f"the element type and shape of the variable {node.name!r} are unknown")
        self.set(node, results_of(node, tuple([self[entry] for entry in node.inputs])).types)


class Results(NamedTuple):
    """The types of a node's outputs, inferred from the types of the node's inputs.

    Attributes
    ----------
    types : tuple of TensorType
        The type of each output.
    settled : bool
        Whether the operator's rules determine the output types and add nothing to the input types.
    """

    types: tuple[TensorType, ...]
    settled: bool


#: Cache of inferred types by operator, attributes, and input types, because most nets repeat the same lookups.
_found_results: dict[Any, Results] = {}
_MOST_RESULTS = 4096


def results_of(node: Node, given: tuple[TensorType, ...]) -> Results:
    """Return the types of a node's outputs from known types of its inputs.

    Parameters
    ----------
    node : Node
        The node, which must have an operator.
    given : tuple of TensorType
        The type of each input.

    Returns
    -------
    Results
        The types of the outputs.
    """
    op, values = node.op, node.params.values()
    assert op is not None
    if op.calls_python or not op.in_files:  # user code may change; attributes may be graphs
        return _find_results(node, op, given)
    # The key includes the rules, because re-running a notebook cell may replace them.
    key = (op, op.shape_rule, op.type_rule, given, node.num_outputs, *node.params, *values, *map(type, values))
    try:
        found = _found_results.get(key)
    except TypeError:  # an unhashable attribute, such as an array
        return _find_results(node, op, given)
    if found is None:
        found = _find_results(node, op, given)
        if len(_found_results) >= _MOST_RESULTS:
            _found_results.clear()
        _found_results[key] = found
    return found


def _find_results(node: Node, op: Operator, given: tuple[TensorType, ...]) -> Results:
    full = op.complete(node.params)
    arranged = given if len(given) == len(op.inputs) else op.arrange(node.params, given)
    shapes, dtypes = ([None if t is None else t[i] for t in arranged] for i in range(2))
    known_shapes, out_shapes = ([], None) if op.shape_rule is None else op.shape_rule(*shapes, **full)
    known_dtypes, out_dtypes = ([], None) if op.type_rule is None else op.type_rule(*dtypes, **full)
    if (
        out_shapes is None or any(s is None or None in s for s in out_shapes)
        or out_dtypes is None or any(d is None for d in out_dtypes)  # not "in": in NumPy, float64 == None
    ):  # fmt: skip
        found = by_running(op, [t.shape for t in given], [t.dtype for t in given], node.params)
        return Results(tuple([TensorType(v.shape, v.dtype) for v in map(numpy.asarray, found)]), False)
    types = tuple([TensorType(tuple(s), numpy.dtype(d)) for s, d in zip(out_shapes, out_dtypes, strict=True)])
    pairs = [*zip(shapes, known_shapes, strict=False), *zip(dtypes, known_dtypes, strict=False)]
    settled = all(old is None or new is None or new is old or new == old for old, new in pairs)
    return Results(types, settled and len(types) == node.num_outputs)


class Update(NamedTuple):
    """A state that the program writes back: the variable, its new value, and the stage, "forward" or "backward"."""

    variable: Node
    value: Entry
    stage: str


@dataclasses.dataclass(frozen=True, eq=False, repr=False)
class Graph(Shown):
    """A computation with known shapes and element types.

    Attributes
    ----------
    inputs : tuple of Node
        The variables, in the order of the program's arguments.
    outputs : tuple of Entry
        The results of the computation.
    gradients : tuple of (Entry or None)
        The gradient of each input; None for a gradient that is zero or not needed. Empty without a backward pass.
    head_gradients : tuple of Node
        The variables for the incoming gradients of the outputs.
    updates : tuple of Update
        The states that the program writes back.
    looked_up : tuple of Source
        The values that determine the stored rows of row-sparse gradients.
    types : TypeTable
        Shapes and element types.
    training : bool
        Whether layers behave as in training.
    num_data : int
        The number of leading inputs that are data, all by default. The remaining inputs are parameters, which seldom
        change between calls.
    roots : tuple of Entry
        All entries that must be computed: outputs, gradients, states, and looked-up values.
    """

    inputs: tuple[Node, ...]
    outputs: tuple[Entry, ...]
    types: TypeTable
    training: bool
    gradients: tuple[Entry | None, ...] = ()
    head_gradients: tuple[Node, ...] = ()
    updates: tuple[Update, ...] = ()
    looked_up: tuple[Source, ...] = ()
    num_data: int = -1
    roots: tuple[Entry, ...] = dataclasses.field(init=False)

    def __post_init__(self) -> None:
        found = vars(self)  # the dataclass is frozen, but still under construction here
        gradients = tuple(g for g in self.gradients if g is not None)
        found["num_data"] = len(self.inputs) if self.num_data < 0 else self.num_data
        found["roots"] = self.outputs + gradients + tuple(u.value for u in (*self.updates, *self.looked_up))

    @cached_property
    def nodes(self) -> list[Node]:
        """The nodes of the graph in topological order."""
        return topological_order(self.roots)

    @cached_property
    def num_operators(self) -> int:
        """The number of nodes that are neither variables nor constants."""
        return sum(n.op is not None and not n.is_constant for n in self.nodes)

    @cached_property
    def traits(self) -> frozenset[str]:
        """The traits that a pass may look for: the names of the operators, and properties of the graph's nodes.

        - ``"hands on"``: a result may equal its input (a view, a copy, ``x * 1``).
        - ``"source"``: an operator has no input.
        - ``"equal"``: two nodes have the same operator and inputs.
        - ``"element-wise"``: at least two nodes are element-wise.
        - ``"one row"``: the first axis of a result has size 1.
        - ``"update"``: a state is written back.
        """
        operators = [(node.op, node.inputs) for node in self.nodes if node.op is not None]
        found = {op.name for op, _ in operators}
        if any(op.view or op.identity or op.neutral is not None for op, _ in operators):
            found.add("hands on")
        if not all(inputs for _, inputs in operators):
            found.add("source")
        if len(set(operators)) < len(operators):
            found.add("equal")
        if sum(op.elementwise for op, _ in operators) > 1:
            found.add("element-wise")
        if any(self.types[node, 0].shape[:1] == (1,) for node in self.nodes if node.op is not None):
            found.add("one row")
        if self.updates:
            found.add("update")
        return frozenset(found)

    @cached_property
    def users(self) -> dict[Node, list[Node]]:
        """The users of each node: the nodes that read one of its outputs."""
        users: dict[Node, list[Node]] = {}
        for node in self.nodes:
            for child, _ in node.inputs:
                users.setdefault(child, []).append(node)
        return users

    def replace(self, **changes: Any) -> Graph:
        """Return a copy of the graph with new values for some attributes.

        Parameters
        ----------
        **changes : object
            New values by attribute.

        Returns
        -------
        Graph
            The copy with the new values.
        """
        return dataclasses.replace(self, **changes)

    def rewrite(
        self,
        rule: Callable[[Node, tuple[Entry, ...]], Sequence[Entry] | None],
        variables: Mapping[Node, Entry] | None = None,
    ) -> Graph:
        """Return the graph in which a rule has replaced nodes. The rule is called for every node in topological order.

        Parameters
        ----------
        rule : callable
            ``rule(node, inputs)`` gets a node and its already rewritten inputs. The rule returns the entries that
            replace the node's outputs, or None to keep the node.
        variables : mapping, optional
            The entries that replace variables. With this argument, the rule is called for operators only.

        Returns
        -------
        Graph
            The new graph, or this graph if nothing changed.
        """
        new: dict[Node, Sequence[Entry]] = {}
        changed = bool(variables)
        for node in self.nodes:
            if node.op is None and variables is not None:
                new[node] = [variables.get(node, (node, 0))]
                continue
            inputs = tuple([new[n][i] for n, i in node.inputs])
            result = rule(node, inputs)
            if result is None:
                kept, count = node, node.num_outputs
                if inputs != node.inputs:
                    kept = node.with_inputs(inputs)
                    self.types.set(kept, [self.types[node, i] for i in range(count)])
                result = [(kept, i) for i in range(count)]
            else:
                changed = True
            new[node] = result
        if not changed:
            return self

        def at(entry: Entry) -> Entry:
            return new[entry[0]][entry[1]]

        return self.replace(
            outputs=tuple(at(e) for e in self.outputs),
            gradients=tuple(None if e is None else at(e) for e in self.gradients),
            updates=tuple(u._replace(value=at(u.value)) for u in self.updates),
            looked_up=tuple(source._replace(value=at(source.value)) for source in self.looked_up),
        )

    def make(self, op: Operator | str, name: str, inputs: Sequence[Entry], **params: Any) -> Entry:
        """Create a node and return its first output.

        Parameters
        ----------
        op : Operator or str
            The operator of the node, or the operator's name.
        name : str
            Name of the node.
        inputs : sequence of Entry
            The inputs of the node, in order.
        **params : object
            The attributes of the node, without defaults.

        Returns
        -------
        Entry
            The first output.
        """
        op = get_operator(op) if isinstance(op, str) else op
        return Node(op, name, tuple(inputs), params=params), 0

    def __repr__(self) -> str:
        counts = (self.num_operators, "operator"), (len(self.inputs), "input"), (len(self.outputs), "output")
        return f"<Graph: {', '.join(f'{n} {word}' + 's' * (n != 1) for n, word in counts)}>"

    def __str__(self) -> str:
        lines = []
        for node in self.nodes:
            if node.op is None:
                lines.append(f"{node.name}: {self.types[node, 0]}")
                continue
            arguments = [n.name if n.num_outputs == 1 else f"{n.name}[{i}]" for n, i in node.inputs]
            for name, value in node.params.items():
                if not hasattr(value, "tolist"):
                    arguments.append(f"{name}={value!r}")
                elif value.size <= 4:  # a constant short enough to read
                    arguments.append(f"{name}={value.tolist()}")
            lines.append(f"{node.name} = {node.op.name}({', '.join(arguments)}): {self.types[node, 0]}")
        lines.append("return " + ", ".join(n.name for n, _ in self.outputs))
        return "\n".join(lines)
