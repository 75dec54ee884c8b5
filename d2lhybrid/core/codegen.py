"""Code generation: from nodes in order to a Python function on raw arrays.

One or two lines a node, named like the node, with the type as a comment, memory given back after
the last use. The text is put where Python looks for source files, so tracebacks, ``pdb`` and
``inspect.getsource`` show it.

Nothing that comes from a file becomes source text unchecked: names are reduced to letters, digits
and underscores, and operators, attributes and constants are reached through the function's own
global names.
"""

from __future__ import annotations

import functools
import itertools
import keyword
import linecache
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from ..compiler.arena import Arena, Workspaces
from ..device import backend
from .emitter import Emitter, Host, Lowering
from .graph import TensorType, TypeTable
from .lowering import is_view, numpy_lowering, overwritable_inputs
from .memory import MemoryPlan, Placement, plan_memory
from .node import Entry, Node, program_order

__all__ = ["Options", "PythonSource", "generate"]

#: Smaller values are left to the end of the function: forgetting them costs more than it saves.
_MIN_BYTES_TO_FREE = 1 << 14

_numbers = itertools.count()

#: Files of programs that are gone, whose text is still where Python looks for source files.
_forgotten: list[str] = []


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
    static_alloc : bool
        Whether all other values lie in one arena, which is made once.
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
    static_alloc: bool = False
    static_shape: bool = False
    inputs_in_order: bool = False
    changing: frozenset[int] = frozenset()
    recorder: Callable[[Recordable, Callable[..., Any]], Callable[..., Any]] | None = None
    lowering_of: Callable[[Node, list[TensorType], list[TensorType]], Lowering | None] = numpy_lowering


class Recordable(NamedTuple):
    """What must be known of a function to record its launches.

    Attributes
    ----------
    used : tuple of int
        The arguments that it reads.
    changing : frozenset of int
        Those that are other arrays in every call.
    num_leaving : int
        How many results, from the left, a caller may keep.
    nodes : tuple of Node
        What it evaluates.
    nbytes : int
        Size of the changing arguments that it reads, and of the results that leave.
    """

    used: tuple[int, ...]
    changing: frozenset[int]
    num_leaving: int
    nodes: tuple[Node, ...]
    nbytes: int


class PythonSource:
    """A generated function.

    Attributes
    ----------
    name : str
        Name of the function.
    text : str
        Its source.
    namespace : dict
        The global names that the text uses.
    line_nodes : dict of int to Node
        Which node a line (from 1) belongs to.
    plan : MemoryPlan
        Lifetimes of the values.
    function : callable
        The compiled function, from raw arrays to a tuple of raw arrays.
    uses_generator : bool
        Whether it takes a random generator, after its inputs.
    allocation : list of str
        The lines that make the arena; none if the function allocates as it runs.
    workspaces : Workspaces or None
        The function as often as it has an arena: once for every call that runs at the same time.
    arena_bytes : int
        Size of one arena.
    threaded : bool
        Whether it has products that are large enough for several threads.
    labels : dict of Entry to str
        The names of values in the text.
    """

    def __init__(
        self,
        name: str,
        text: str,
        namespace: dict[str, Any],
        line_nodes: dict[int, Node],
        plan: MemoryPlan,
        uses_generator: bool,
        allocation: Sequence[str] = (),
        arena_bytes: int = 0,
        recorder: Callable[[Callable[..., Any]], Callable[..., Any]] | None = None,
        labels: dict[Entry, str] | None = None,
    ) -> None:
        self.labels = labels or {}
        self.name, self.text, self.namespace = name, text, namespace
        self.line_nodes, self.plan, self.uses_generator = line_nodes, plan, uses_generator
        self.allocation, self.arena_bytes = list(allocation), arena_bytes
        self.threaded = False
        self.filename = f"<d2lhybrid program {next(_numbers)}: {name}>"
        _forget_texts()
        whole = str(self)
        linecache.cache[self.filename] = (len(whole), None, whole.splitlines(True), self.filename)
        exec(compile(whole, self.filename, "exec"), namespace)
        make = namespace.get("with_arena", lambda: namespace[name])
        self.workspaces: Workspaces | None = None
        if recorder is not None:
            self.workspaces = Workspaces(lambda: recorder(make()))  # every arena has recordings of its own
        elif allocation:
            self.workspaces = Workspaces(make)
        self.function: Callable[..., Any] = namespace[name] if self.workspaces is None else self.run_once

    def run_once(self, *arguments: Any) -> Any:
        """Run the function in an arena, and give the arena back: results that lie in it last until the next call."""
        assert self.workspaces is not None
        run = self.workspaces.take()
        results = run(*arguments)
        self.workspaces.give(run)
        return results

    @property
    def launches(self) -> str:
        """What became of recording the launches on a GPU, in words; empty where nothing is to be recorded."""
        if self.workspaces is None:
            return ""
        return next((getattr(run, "state", "") for run in self.workspaces.idle), "")

    def __del__(self) -> None:
        # The garbage collector may run this while somebody walks over the cache (every traceback does): the entry
        # goes when the next program comes.
        _forgotten.append(getattr(self, "filename", ""))

    def __str__(self) -> str:
        if not self.allocation:
            return self.text
        lines = ["def with_arena():", *(f"    {line}" for line in self.allocation), ""]
        lines += [f"    {line}" for line in self.text.splitlines()]
        return "\n".join([*lines, "", f"    return {self.name}", ""])


def _forget_texts() -> None:
    """Take the texts of programs that are gone from where Python looks for source files."""
    try:
        while True:  # to ask first whether there is one would be no use: another thread may take it
            linecache.cache.pop(_forgotten.pop(), None)
    except IndexError:
        pass


class _Names:
    """Gives out legal and unique Python names, without the prefix that all of a net's names share."""

    def __init__(self, reserved: Sequence[str] = (), prefix: str = "") -> None:
        self._used = {*keyword.kwlist, *keyword.softkwlist, *reserved}
        self._prefix = prefix

    def get(self, wish: str) -> str:
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


def _unshared(value: Any, *others: Any) -> Any:
    """Return a value as memory of its own: copied if it shares memory with others, or shows an element many times."""
    may_share = backend.module_of(value).may_share_memory
    if any(may_share(value, other) for other in others) or _repeats(value):
        return value.copy()
    return value


def _repeats(value: Any) -> bool:
    """Return whether elements of an array may be one in memory, so that a write into one changes others."""
    if value.base is None or value.flags.c_contiguous:
        return not getattr(value.flags, "writeable", True)
    return True


class _Generator(Host):
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
        self.names = _Names([name, "rng", "unshared", "xp", "arena", "with_arena", "aligned_bytes"], options.prefix)
        self.name = name
        self.constants: dict[Any, str] = {}
        self.functions: dict[str, str] = {}
        self.of: dict[Entry, str] = {}
        self.uses_generator = False
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
        self.arena = Arena() if options.static_alloc else None
        self.position = 0
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

    def scratch(self, wish: str, kind: TensorType) -> str | None:
        """Return the name of memory of the arena that one node needs, None without an arena."""
        if self.arena is None:
            return None
        name = self.names.get(wish)
        self.arena.add(name, kind, self.position, self.position)
        self.static.add(name)
        self.in_order.add(name)
        return name

    def static_view(self, wish: str, expression: str) -> str | None:
        """Return the name of a view that is made once, together with the arena; None if views are not kept."""
        if self.arena is None or not self.options.static_shape:
            return None
        return self.arena.add_view(expression, lambda: self.names.get(wish))

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

    def _placement(self, node: Node) -> Placement:
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
        plan = plan_memory(self.nodes, self.roots, self.types, self._placement, self._overwritable)
        leaving = {plan.group_of(e) for e in self.roots[: self.options.num_leaving]}
        body: list[tuple[str, Node | None]] = []
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
        body.append((f"return {self._results(plan)}", None))
        parameters = [*self.parameters, *(["rng"] if self.uses_generator else [])]
        allocation: list[str] = []
        if self.arena is not None:
            allocation = self.arena.lines(self.xp, self.namespace, self.function)
        line_nodes = {}
        lines = [f"def {self.name}({', '.join(parameters)}):"]
        for text, node in body:
            lines.append("    " + text)
            if node is not None:
                line_nodes[len(lines)] = node
        recorder = self.options.recorder and functools.partial(self.options.recorder, self._recordable(body))
        return PythonSource(
            self.name, "\n".join(lines) + "\n", self.namespace, line_nodes, plan, self.uses_generator, allocation,
            0 if self.arena is None else self.arena.nbytes, recorder, self.of,
        )  # fmt: skip

    def _recordable(self, body: list[tuple[str, Node | None]]) -> Recordable:
        words = set(re.findall(r"\w+", "\n".join(text for text, _ in body)))
        arguments = [*self.parameters, *(["rng"] if self.uses_generator else [])]
        used = tuple(i for i, label in enumerate(arguments) if label in words)
        changing = self.options.changing.intersection(used)
        leaving = self.roots[: self.options.num_leaving]
        copied = [self.types[self.inputs[i]].nbytes for i in changing] + [self.types[e].nbytes for e in leaving]
        nodes = tuple({node: node for _, node in body if node is not None}.values())
        return Recordable(used, self.options.changing, self.options.num_leaving, nodes, sum(copied))

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
            if destination in self.static and self.arena is not None:
                self.static.add(outs[0])
                self.arena.add_name(outs[0], destination)
                destination = outs[0]
        else:
            for i, out in enumerate(outs):
                self._place(node, i, out, plan, leaving)
            destination = outs[0] if outs[0] in self.static else None
        types, results = self._types_of(node)
        emit = Emitter(self, node, types, results, arguments, outs, destination)
        lowering(emit)
        return emit.lines

    def _place(self, node: Node, output: int, out: str, plan: MemoryPlan, leaving: set[Any]) -> None:
        """Give a value a place in the arena, unless a caller is to keep it."""
        group = plan.group_of((node, output))
        if self.arena is None or group is None or group in leaving or not self.types[node, output].shape:
            return
        end = plan.lifetimes[group].end
        self.arena.add(out, self.types[node, output], self.position, len(self.nodes) if end is None else end)
        self.static.add(out)
        self.in_order.add(out)

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
        if arguments[0] in self.static and self.arena is not None and self.options.static_shape and not is_copy:
            [line] = emit.lines
            known = self.arena.add_view(line.partition(" = ")[2], lambda: outs[0])  # perhaps another node's, too
            self.of[node, 0] = known
            self.static.add(known)
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

    def _results(self, plan: MemoryPlan) -> str:
        """Return the text of the results.

        What a caller gets may be written to: it is never memory of an argument, of a constant or of another output.
        """
        parts = []
        taken: dict[Entry | None, list[str]] = {}
        for position, (node, i) in enumerate(self.roots):
            label = self.of[node, i]
            open_order = self.options.inputs_in_order and label not in self.in_order and node.op is not None
            result = label
            if open_order and self.types[node, i].shape:
                result = f"{self.function('ascontiguousarray')}({self.copies_in_order.get(label, label)})"
            if position < self.num_outputs and node.op is not None:
                group = plan.group_of((node, i))
                result = self._output((node, i), result, plan, taken.get(group, []))
                taken.setdefault(group, []).append(label)
            parts.append(result)
        return ", ".join(parts) + ("," if len(parts) == 1 else "") if parts else "()"

    def _output(self, entry: Entry, label: str, plan: MemoryPlan, taken: list[str]) -> str:
        """Return the text of an output, given the names of the outputs before it that may lie in the same memory."""
        node = entry[0]
        assert node.op is not None
        if node.op.name == "_constant" or label in taken:
            return f"{label}.copy()" if self.types[entry].shape else f"{self.function('asarray')}({label}).copy()"
        if _is_turned(node):  # its elements lie in another order than its axes: callers get them in order
            label = f"{self.function('ascontiguousarray')}({label})"
        elif not self.types[entry].shape:  # NumPy's results without axes are no arrays
            label = f"{self.function('asarray')}({label})"
        others = [*self._may_share(entry), *taken]
        if others or not plan.is_exact(entry):
            self.namespace["unshared"] = _unshared
            label = f"unshared({', '.join([label, *others])})"
        return label

    def _may_share(self, entry: Entry) -> list[str]:
        """Return the names of the parameters and constants that a result may be a view of."""
        found: dict[str, None] = {}
        stack, seen = [entry[0]], {entry[0]}
        while stack:
            node = stack.pop()
            placement = self._placement(node)
            if placement is Placement.FRESH:
                continue
            for child, i in node.inputs[:1] if placement is Placement.VIEW else node.inputs:
                if (child, i) in self.given or (child.op is not None and child.op.name == "_constant"):
                    found[self.of[child, i]] = None
                elif child not in seen:
                    seen.add(child)
                    stack.append(child)
        return list(found)


def _is_turned(node: Node) -> bool:
    """Return whether a value is a view of one whose axes lie in another order."""
    while node.op is not None and node.op.view:
        if node.op.view == "transpose":
            return True
        node = node.inputs[0][0]
    return False


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
    return _Generator(name, inputs, roots, types, options).run()
