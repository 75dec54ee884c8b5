"""Code generation: from nodes in order to a Python function on raw arrays.

One or two lines a node, named like the node, with the type as a comment, memory given back after
the last use. The text is put where Python looks for source files, so tracebacks, ``pdb`` and
``inspect.getsource`` show it.

Nothing that comes from a file becomes source text unchecked: names are reduced to letters, digits
and underscores, and operators, attributes and constants are reached through the function's own
global names.
"""

from __future__ import annotations

import itertools
import keyword
import linecache
import re
from collections.abc import Callable, Sequence
from typing import Any

import numpy

from ..symbol.node import Entry, Node
from .graph import TypeTable
from .lowering import Emitter, is_view, lowering_of
from .memory import MemoryPlan, makes_fresh, plan_memory

__all__ = ["PythonSource", "generate"]

#: Smaller values are left to the end of the function: forgetting them costs more than it saves.
_MIN_BYTES_TO_FREE = 1 << 14

#: Operators whose result may lie in memory in another order than its axes: callers get it in order.
_TURNING = {"transpose", "_np_transpose", "SwapAxis", "_npi_swapaxes"}

_numbers = itertools.count()


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
        Whether it takes a random generator as its last argument.
    """

    def __init__(
        self,
        name: str,
        text: str,
        namespace: dict[str, Any],
        line_nodes: dict[int, Node],
        plan: MemoryPlan,
        uses_generator: bool,
    ) -> None:
        self.name, self.text, self.namespace = name, text, namespace
        self.line_nodes, self.plan, self.uses_generator = line_nodes, plan, uses_generator
        self.filename = f"<d2lhybrid program {next(_numbers)}: {name}>"
        linecache.cache[self.filename] = (len(text), None, text.splitlines(True), self.filename)
        exec(compile(text, self.filename, "exec"), namespace)
        self.function: Callable[..., Any] = namespace[name]

    def __del__(self) -> None:
        linecache.cache.pop(getattr(self, "filename", ""), None)

    def __str__(self) -> str:
        return self.text


class _Names:
    """Gives out legal and unique Python names."""

    def __init__(self, reserved: Sequence[str] = ()) -> None:
        self._used = {*keyword.kwlist, *keyword.softkwlist, *reserved}

    def get(self, wish: str) -> str:
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
    """Return a value as memory of its own: copied if it shares memory with an argument."""
    may_share = numpy.may_share_memory
    if any(may_share(value, other) for other in others):
        return value.copy()
    return value


class _Generator:
    def __init__(
        self,
        name: str,
        inputs: Sequence[Node | Entry],
        roots: Sequence[Entry],
        num_outputs: int,
        types: TypeTable,
        xp: Any,
        training: bool,
    ) -> None:
        self.num_outputs = num_outputs
        self.roots, self.types, self.xp, self.training = roots, types, xp, training
        self.namespace: dict[str, Any] = {"__name__": "d2lhybrid.program"}
        self.names = _Names([name, "rng", "unshared", "xp"])
        self.name = name
        self.constants: dict[Any, str] = {}
        self.functions: dict[str, str] = {}
        self.of: dict[tuple[int, int], str] = {}
        self.uses_generator = False
        self.parameters: list[str] = []
        entries: list[Entry] = [(i, 0) if isinstance(i, Node) else i for i in inputs]
        for entry in entries:
            label = self.names.get(entry[0].name)
            self.of[id(entry[0]), entry[1]] = label
            self.parameters.append(label)
        self.given = {(id(n), i) for n, i in entries}
        self.nodes = _needed(roots, self.given)

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

    def _kernel(self, node: Node) -> tuple[str, str]:
        """Return the name of a node's kernel with its attributes bound, and further arguments."""
        op = node.op
        assert op is not None
        kernel, xp, params = op.kernel, self.xp, dict(node.params)
        extra = ""
        if op.uses_training:
            params["training"] = self.training
        if op.uses_generator:
            self.uses_generator = True
            extra = "rng=rng"

        def run(*arrays: Any, **keywords: Any) -> Any:
            return kernel(xp, *arrays, **params, **keywords)

        run.__name__ = run.__qualname__ = op.name
        key = ("kernel", op.name, repr(sorted(params.items(), key=str)))
        if key not in self.constants or any(hasattr(v, "shape") for v in params.values()):
            label = self.names.get(op.name)
            self.namespace[label] = run
            self.constants[key] = label
        return self.constants[key], extra

    # --- text ---

    def _is_lowered(self, node: Node) -> bool:
        """Return whether a node becomes lines that make memory of their own."""
        if node.op is None or node.num_outputs != 1 or is_view(node):
            return False
        return lowering_of(node, [self.types[e] for e in node.inputs], self.types[node, 0]) is not None

    def run(self) -> PythonSource:
        plan = plan_memory(self.nodes, self.roots, self.types, lambda n: makes_fresh(n) or self._is_lowered(n))
        body: list[tuple[str, Node | None]] = []
        for position, node in enumerate(self.nodes):
            if node.op is None or node.op.name == "_constant":
                if node.op is not None:
                    self.of[id(node), 0] = self.constant(node.params["value"], node.name)
                continue
            lines = self._node(node, position, plan)
            comment = f"  # {self.types[node, 0]}"
            for i, line in enumerate(lines):
                body.append((line + (comment if i == 0 else ""), node))
            freed = self._freed(plan, position)
            if freed:
                body.append((f"del {', '.join(freed)}", None))
        body.append((f"return {self._results()}", None))
        parameters = [*self.parameters, *(["rng"] if self.uses_generator else [])]
        lines = [f"def {self.name}({', '.join(parameters)}):"]
        line_nodes = {}
        for text, node in body:
            lines.append("    " + text)
            if node is not None:
                line_nodes[len(lines)] = node
        return PythonSource(self.name, "\n".join(lines) + "\n", self.namespace, line_nodes, plan, self.uses_generator)

    def _node(self, node: Node, position: int, plan: MemoryPlan) -> list[str]:
        arguments = [self.of[id(n), i] for n, i in node.inputs]
        count = node.num_outputs
        base = node.name or "value"
        outs = [self.names.get(base if count == 1 else f"{base}_{i}") for i in range(count)]
        for i, out in enumerate(outs):
            self.of[id(node), i] = out
        types = [self.types[e] for e in node.inputs]
        lowering = lowering_of(node, types, self.types[node, 0]) if count == 1 else None
        if lowering is not None:
            reusable = [plan.may_overwrite(e, position) for e in node.inputs]
            emit = Emitter(node, types, self.types[node, 0], arguments, outs[0], reusable, self.constant, self.function)
            lowering(emit)
            return emit.lines
        kernel, extra = self._kernel(node)
        assert node.op is not None
        arguments = ["None" if a is None else a for a in node.op.arrange(node.params, arguments)]
        given = [*arguments, extra] if extra else arguments
        return [f"{', '.join(outs)} = {kernel}({', '.join(given)})"]

    def _freed(self, plan: MemoryPlan, position: int) -> list[str]:
        """Return the names that hold storages nobody needs any more, if they are worth a ``del``."""
        dead = set(plan.dead_after[position])
        if not any(plan.lifetimes[k].nbytes >= _MIN_BYTES_TO_FREE for k in dead):
            return []
        names = []
        for node in self._members(dead, plan):
            for i in range(node.num_outputs):
                key = plan.storage_of((node, i))
                if node.op is not None and key in dead and (id(node), i) in self.of:
                    names.append(self.of[id(node), i])
        return names

    def _members(self, dead: set[tuple[int, int]], plan: MemoryPlan) -> list[Node]:
        if not hasattr(self, "_by_storage"):
            self._by_storage: dict[tuple[int, int], list[Node]] = {}
            for node in self.nodes:
                if node.op is None:
                    continue
                for i in range(node.num_outputs):
                    self._by_storage.setdefault(plan.storage_of((node, i)), []).append(node)
        return list({id(n): n for k in dead for n in self._by_storage.get(k, [])}.values())

    def _results(self) -> str:
        """Return the text of the results.

        What a caller gets is never memory of a constant, nor, as a view, of an input.
        """
        parts = []
        for position, (node, i) in enumerate(self.roots):
            label = self.of[id(node), i]
            if position >= self.num_outputs or node.op is None:
                parts.append(label)
            elif node.op.name == "_constant":
                parts.append(f"{label}.copy()")
            else:
                if node.op.name in _TURNING:
                    label = f"{self.function('ascontiguousarray')}({label})"
                elif not self.types[node, i].shape:  # NumPy's results without axes are no arrays
                    label = f"{self.function('asarray')}({label})"
                others = self._may_share(node)
                if others:
                    self.namespace["unshared"] = _unshared
                    label = f"unshared({label}, {', '.join(others)})"
                parts.append(label)
        return ", ".join(parts) + ("," if len(parts) == 1 else "") if parts else "()"

    def _may_share(self, root: Node) -> list[str]:
        """Return the names of the parameters and constants that a result may be a view of."""
        found: dict[str, None] = {}
        stack, seen = [root], {id(root)}
        while stack:
            node = stack.pop()
            if makes_fresh(node) or self._is_lowered(node):
                continue
            for child, i in node.inputs:
                if (id(child), i) in self.given or (child.op is not None and child.op.name == "_constant"):
                    found[self.of[id(child), i]] = None
                elif id(child) not in seen:
                    seen.add(id(child))
                    stack.append(child)
        return list(found)


def _needed(roots: Sequence[Entry], given: set[tuple[int, int]]) -> list[Node]:
    """Return the nodes to run when some entries are given: the walk stops at those."""
    boundary = {n for n, _ in given}
    order: list[Node] = []
    seen: set[int] = set()
    for root, index in roots:
        if id(root) in seen or (id(root), index) in given:
            continue
        seen.add(id(root))
        stack = [(root, iter(root.inputs))]
        while stack:
            node, remaining = stack[-1]
            for child, i in remaining:
                if id(child) in seen or (id(child) in boundary and (id(child), i) in given):
                    continue
                seen.add(id(child))
                stack.append((child, iter(child.inputs)))
                break
            else:
                order.append(node)
                stack.pop()
    return order


def generate(
    name: str,
    inputs: Sequence[Node | Entry],
    roots: Sequence[Entry],
    num_outputs: int,
    types: TypeTable,
    xp: Any,
    training: bool,
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
    num_outputs : int
        How many of them, from the left, callers keep; the rest is used and forgotten here.
    types : TypeTable
        Shapes and dtypes.
    xp : module
        NumPy or CuPy.
    training : bool
        Whether layers behave as in training.
    """
    return _Generator(name, inputs, roots, num_outputs, types, xp, training).run()
