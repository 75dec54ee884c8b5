"""Code generation: from nodes in order to a Python function on raw arrays.

One or two lines a node, named like the node, with the type as a comment, memory given back after the last use.

Nothing that comes from a file becomes source text unchecked: names are reduced to letters, digits
and underscores, and operators, attributes and constants are reached through the function's own
global names.
"""

from __future__ import annotations

import itertools
import keyword
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from .emitter import Emitter, Host, Lowering
from .graph import TensorType, TypeTable
from .lowering import is_view, numpy_lowering, overwritable_inputs
from .memory import MemoryPlan, Placement, plan_memory
from .node import Entry, Node, program_order
from .results import results_text
from .source import PythonSource

if TYPE_CHECKING:
    from ..compiler.static_writer import Recordable

__all__ = ["Body", "Options", "Writer", "generate"]

#: Smaller values are left to the end of the function: forgetting them costs more than it saves.
_MIN_BYTES_TO_FREE = 1 << 14

#: The lines of a function, each with the node that it computes.
Body = list[tuple[str, Node | None]]


@dataclass(frozen=True)
class Options:
    """How a program is written.

    Attributes
    ----------
    xp : module
        NumPy or CuPy.
    prefix : str
        What is left out of names: the prefix of the net.
    training : bool
        Whether layers behave as in training.
    num_outputs : int
        How many results, from the left, are outputs: they are never views of inputs or constants.
    num_leaving : int
        How many results, from the left, leave the program for good; the memory of the others may be
        the arena's.
    writer : type of Writer
        Who writes it: one with an arena for ``static_alloc``.
    static_shape : bool
        Whether views of the arena are made once, too.
    inputs_in_order : bool
        Whether the elements of all arguments lie in memory in the order of the axes, and must do so in all results.
    changing : frozenset of int
        Which arguments are other arrays in every call: data, and gradients that arrive.
    recorder : callable, optional
        Wraps the function for a GPU: ``recorder(what, run)`` returns a function of the same arguments.
    lowering_of : callable
        Which operators become lines of their own: ``lowering_of(node, types, results)``.
    """

    xp: Any
    prefix: str = ""
    training: bool = False
    num_outputs: int = 0
    num_leaving: int = 0
    writer: Callable[..., Writer] | None = None
    static_shape: bool = False
    inputs_in_order: bool = False
    changing: frozenset[int] = frozenset()
    recorder: Callable[[Recordable, Callable[..., Any]], Callable[..., Any]] | None = None
    lowering_of: Callable[[Node, list[TensorType], list[TensorType]], Lowering | None] = numpy_lowering


class Names:
    """Gives out legal and unique Python names, without the prefix that all of a net's names share."""

    def __init__(self, reserved: Sequence[str] = (), prefix: str = "") -> None:
        self._used = {*keyword.kwlist, *keyword.softkwlist, *reserved}
        self._prefix = prefix

    def get(self, wish: str) -> str:
        """Return a name like the one that is wished for."""
        wish = wish.removeprefix(self._prefix)
        base = re.sub(r"[^A-Za-z0-9_]", "_", wish)[:60].lstrip("_") or "value"
        if base[0].isdigit():
            base = f"v{base}"
        name = base
        for i in itertools.count(1):
            if name not in self._used:
                break
            name = f"{base}_{i}"
        self._used.add(name)
        return name


class Writer(Host):
    """Writes one function, which takes memory as it needs it and gives it back after the last use."""

    def __init__(
        self,
        name: str,
        inputs: Sequence[Node | Entry],
        roots: Sequence[Entry],
        types: TypeTable,
        options: Options,
    ) -> None:
        super().__init__()
        self.roots, self.types, self.options = roots, types, options
        self.xp, self.num_outputs = options.xp, options.num_outputs
        self.namespace: dict[str, Any] = {"__name__": "d2lhybrid.program"}
        self.names = Names([name, "rng", "unshared", "xp", "arena", "with_arena", "aligned_bytes"], options.prefix)
        self.name = name
        self.constants: dict[Any, str] = {}
        self.functions: dict[str, str] = {}
        self.of: dict[Entry, str] = {}
        self.uses_generator: bool = False
        self.parameters: list[str] = []
        entries: list[Entry] = [(i, 0) if isinstance(i, Node) else i for i in inputs]
        for entry in entries:
            label = self.names.get(entry[0].name)
            self.of[entry] = label
            self.parameters.append(label)
        if options.inputs_in_order:
            self.in_order.update(self.parameters)
        self.inputs = entries
        self.given = set(entries)
        self.nodes = program_order(roots, self.given)
        self.position: int = 0
        self._known_types: dict[Node, tuple[list[TensorType], list[TensorType]]] = {}
        self._known_lowerings: dict[Node, Lowering | None] = {}
        self._members: dict[Entry | None, list[Entry]] | None = None

    # --- names ---

    def constant(self, value: Any, wish: str) -> str:
        """Return the name of a constant; small ones as 0-d arrays, which NumPy takes fastest."""
        key = (wish, value.dtype.str, value.tobytes(), value.shape) if hasattr(value, "tobytes") else (wish, id(value))
        if key not in self.constants:
            label = self.names.get(wish)
            self.namespace[label] = self.xp.asarray(value)
            self.constants[key] = label
        return self.constants[key]

    def function(self, name: str) -> str:
        """Return the name under which a function of the array module is known in the program."""
        if name not in self.functions:
            self.functions[name] = self.names.get(name)
            self.namespace[self.functions[name]] = getattr(self.xp, name)
        return self.functions[name]

    def unique(self, wish: str) -> str:
        """Return a name that nothing else has."""
        return self.names.get(wish)

    def bound(self, wish: str, value: Any) -> str:
        """Return the name under which a function that is made for one node is known in the program."""
        label = self.names.get(wish)
        self.namespace[label] = value
        return label

    def _kernel(self, node: Node) -> tuple[str, str]:
        """Return the name of a node's kernel with its attributes bound, and further arguments."""
        op = node.op
        assert op is not None
        kernel, xp, params = op.kernel, self.xp, dict(node.params)
        extra = ""
        if op.uses_training:
            params["training"] = self.options.training
        if op.draws(node.params):
            self.uses_generator = True
            extra = "rng=rng"

        def run(*arrays: Any, **keywords: Any) -> Any:
            return kernel(xp, *arrays, **params, **keywords)

        run.__name__ = run.__qualname__ = op.name
        key = ("kernel", op.name, repr(sorted(params.items(), key=str)))
        if key not in self.constants or any(hasattr(v, "shape") for v in params.values()):
            self.constants[key] = self.bound(op.name, run)
        return self.constants[key], extra

    # --- text ---

    def _types_of(self, node: Node) -> tuple[list[TensorType], list[TensorType]]:
        known = self._known_types.get(node)
        if known is None:
            inputs = [self.types[e] for e in node.inputs]
            known = self._known_types[node] = inputs, [self.types[node, i] for i in range(node.num_outputs)]
        return known

    def _lowering(self, node: Node) -> Lowering | None:
        if node not in self._known_lowerings:
            self._known_lowerings[node] = self.options.lowering_of(node, *self._types_of(node))
        return self._known_lowerings[node]

    def placement(self, node: Node) -> Placement:
        """Return where the results of a node lie."""
        if is_view(node):
            return Placement.VIEW
        fresh = self._lowering(node) is not None or (node.op is not None and node.op.fresh)
        return Placement.FRESH if fresh else Placement.UNKNOWN

    def _overwritable(self, node: Node) -> Sequence[int]:
        if node.op is None or node.num_outputs != 1:
            return ()
        types, results = self._types_of(node)
        return overwritable_inputs(node, types, results[0])

    def run(self) -> PythonSource:
        """Write and compile the function."""
        plan = plan_memory(self.nodes, self.roots, self.types, self.placement, self._overwritable)
        leaving = {plan.group_of(e) for e in self.roots[: self.options.num_leaving]}
        body: Body = []
        for position, node in enumerate(self.nodes):
            self.position = position
            if node.op is None or node.op.name == "_constant":
                if node.op is not None:
                    self.of[node, 0] = self.constant(node.params["value"], node.name)
                continue
            lines = self._node(node, plan, leaving)
            comment = f"  # {self.types[node, 0]}"
            for i, line in enumerate(lines):
                body.append((line + (comment if i == len(lines) - 1 else ""), node))
            freed = self._freed(plan, position)
            if freed:
                body.append((f"del {', '.join(freed)}", None))
        body.append((f"return {results_text(self, plan)}", None))
        parameters = [*self.parameters, *(["rng"] if self.uses_generator else [])]
        line_nodes = {}
        lines = [f"def {self.name}({', '.join(parameters)}):"]
        for text, node in body:
            lines.append("    " + text)
            if node is not None:
                line_nodes[len(lines)] = node
        return self.source("\n".join(lines) + "\n", line_nodes, plan, body)

    def source(self, text: str, line_nodes: dict[int, Node], plan: MemoryPlan, body: Body) -> PythonSource:
        """Return the function of a text."""
        return PythonSource(self.name, text, self.namespace, line_nodes, plan, self.uses_generator, self.of)

    def _node(self, node: Node, plan: MemoryPlan, leaving: set[Any]) -> list[str]:
        arguments = [self.of[entry] for entry in node.inputs]
        count = node.num_outputs
        base = node.name or "value"
        outs = [self.names.get(base if count == 1 else f"{base}_{i}") for i in range(count)]
        for i, out in enumerate(outs):
            self.of[node, i] = out
        lowering = self._lowering(node)
        if lowering is None:
            kernel, extra = self._kernel(node)
            assert node.op is not None
            arguments = ["None" if a is None else a for a in node.op.arrange(node.params, arguments)]
            given = [*arguments, extra] if extra else arguments
            return [f"{', '.join(outs)} = {kernel}({', '.join(given)})"]
        if is_view(node):
            return self._view(node, lowering, arguments, outs)
        chosen = plan.overwrites(node)
        if chosen is not None:
            destination: str | None = arguments[chosen]
            if destination in self.in_order:
                self.in_order.add(outs[0])
            if destination in self.static:
                self.rename(outs[0], destination)
                destination = outs[0]
        else:
            for i, out in enumerate(outs):
                self.place(node, i, out, plan, leaving)
            destination = outs[0] if outs[0] in self.static else None
        types, results = self._types_of(node)
        emit = Emitter(self, node, types, results, arguments, outs, destination)
        lowering(emit)
        return emit.lines

    def place(self, node: Node, output: int, name: str, plan: MemoryPlan, leaving: set[Any]) -> None:
        """Give a value a place, unless a caller is to keep it; here each is allocated as it is computed."""

    def keep_view(self, name: str, expression: str) -> str | None:
        """Make a view of such a place once; return its name, None if it is made in every call."""
        return None

    def rename(self, name: str, old: str) -> None:
        """Give a place a second name."""

    def _view(self, node: Node, lowering: Lowering, arguments: list[str], outs: list[str]) -> list[str]:
        """Return the line of a view; none if it is made once, with the arena."""
        types, results = self._types_of(node)
        assert node.op is not None
        emit = Emitter(self, node, types, results, arguments, outs)
        lowering(emit)
        reshapes = node.op.view == "reshape"
        if arguments[0] in self.in_order and reshapes:
            self.in_order.add(outs[0])
        is_copy = reshapes and arguments[0] not in self.in_order  # of elements that lie in another order
        if arguments[0] in self.static and not is_copy:
            [line] = emit.lines
            if known := self.keep_view(outs[0], line.partition(" = ")[2]):
                self.of[node, 0] = known
                return []
        return emit.lines

    def _freed(self, plan: MemoryPlan, position: int) -> list[str]:
        """Return the names of values in memory that nobody needs any more, if it is worth a ``del``."""
        dead = plan.dead_after[position]
        if not any(plan.lifetimes[group].nbytes >= _MIN_BYTES_TO_FREE for group in dead):
            return []
        if self._members is None:
            self._members = {}
            for node in self.nodes:
                for value in [(node, i) for i in range(node.num_outputs)]:
                    self._members.setdefault(plan.group_of(value), []).append(value)
        labels = [self.of[node, i] for group in dead for node, i in self._members[group]]
        return [label for label in labels if label not in self.static]


def generate(
    name: str, inputs: Sequence[Node | Entry], roots: Sequence[Entry], types: TypeTable, options: Options
) -> PythonSource:
    """Write and compile the program that computes some entries from others.

    Parameters
    ----------
    name : str
        Name of the function.
    inputs : sequence of Node or Entry
        What the function takes, in order.
    roots : sequence of Entry
        What it returns, in order.
    types : TypeTable
        Shapes and dtypes.
    options : Options
        How to write it.
    """
    return (options.writer or Writer)(name, inputs, roots, types, options).run()
