"""Element-wise fusion: run chains of element-wise operators block by block, in the cache.

Each operator on its own reads and writes whole arrays; once these are larger than the cache, moving
them takes longer than computing. A region of element-wise operators can be evaluated for a block of
elements at a time instead: intermediate values stay in a few small buffers, and only the inputs and
the results of the region travel through memory.

A region is a set of operators of one shape that is *convex*: no path leaves it and comes back.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy

from ...ops.registry import Array, operator
from ...symbol.node import Entry, Node, topological_order
from ..emitter import Emitter, Host
from ..graph import Graph, TensorType
from ..lowering import EXTRA_LOWERINGS, lowering_of

__all__ = ["BLOCK", "MIN_SIZE", "FusedBody", "fuse_elementwise", "fused"]

#: Elements in a block: 64k floats are 256 kB, which stay in a second-level cache with a few buffers.
BLOCK = 1 << 16
#: Smaller arrays are in the cache anyway.
MIN_SIZE = 1 << 17


class FusedBody(Host):
    """A region as a function: evaluates its operators for one block of elements after the other.

    Attributes
    ----------
    nodes : tuple of Node
        The operators, inputs before users.
    inputs, outputs : tuple of Entry
        What the region takes from outside, and which of its values are needed outside.
    type : TensorType
        Shape and dtype of all its values.
    text : str
        The generated function.
    """

    def __init__(
        self, nodes: Sequence[Node], inputs: Sequence[Entry], outputs: Sequence[Entry], kind: TensorType
    ) -> None:
        super().__init__()
        self.nodes, self.inputs, self.outputs = tuple(nodes), tuple(inputs), tuple(outputs)
        self.type = kind
        self.namespace: dict[str, Any] = {"__name__": "d2lhybrid.program"}
        self.text = self._write()
        exec(compile(self.text, "<d2lhybrid fused region>", "exec"), self.namespace)
        self.run = self.namespace["fused"]

    def function(self, name: str) -> str:
        """Return the name of a function of NumPy."""
        self.namespace[name] = getattr(numpy, name)
        return name

    def constant(self, value: Any, wish: str) -> str:
        """Return the name of a constant."""
        name = self.unique(wish)
        self.namespace[name] = numpy.asarray(value)
        return name

    def unique(self, wish: str) -> str:
        """Return a name that nothing else has."""
        return f"{wish}{len(self.namespace)}"

    def _write(self) -> str:
        """Write the function: a loop over blocks, values in as few buffers as their lifetimes allow."""
        last_use: dict[int, int] = {}
        for position, node in enumerate(self.nodes):
            for child, _ in node.inputs:
                last_use[id(child)] = position
        result = {id(n): f"out{i}" for i, (n, _) in enumerate(self.outputs)}
        place = {id(n): f"in{i}" for i, (n, _) in enumerate(self.inputs)}
        # With one result, its block serves as a buffer until the last operator fills it.
        free = ["out0"] if len(result) == 1 else []
        buffers: list[str] = []
        body: list[str] = []
        for position, node in enumerate(self.nodes):
            arguments = [place[id(child)] for child, _ in node.inputs]
            for child in {id(c) for c, _ in node.inputs}:
                mine = place[child]
                if last_use[child] == position and child not in result and not mine.startswith("in"):
                    free.append(mine)
            if id(node) in result:
                target = result[id(node)]
            elif free:
                target = free.pop()
            else:
                target = f"buffer{len(buffers)}"
                buffers.append(target)
            place[id(node)] = target
            body += self._operator(node, arguments, target)
        names = [f"in{i}" for i in range(len(self.inputs))]
        results = [f"out{i}" for i in range(len(self.outputs))]
        parameters = [f"{n}_all" for n in names] + [f"{n}_given=None" for n in results]
        lines = [f"def fused({', '.join(parameters)}):"]
        lines += [f"    {n}_flat = ascontiguousarray({n}_all).reshape(-1)" for n in names]
        for n in results:
            lines.append(
                f"    {n}_all = empty({self.type.size}, dtype) if {n}_given is None else {n}_given.reshape(-1)"
            )
        lines += [f"    {b}_all = empty({BLOCK}, dtype)" for b in buffers]
        lines += [
            f"    for start in range(0, {self.type.size}, {BLOCK}):",
            f"        stop = min(start + {BLOCK}, {self.type.size})",
        ]
        lines += [f"        {n} = {n}_flat[start:stop]" for n in names]
        lines += [f"        out{i} = out{i}_all[start:stop]" for i in range(len(self.outputs))]
        lines += [f"        {b} = {b}_all[: stop - start]" for b in buffers]
        lines += [f"        {line}" for line in body]
        shape = self.type.shape
        lines.append("    return " + ", ".join(f"out{i}_all.reshape({shape})" for i in range(len(self.outputs))))
        for name in ("empty", "ascontiguousarray", "copyto"):
            self.function(name)
        self.namespace["dtype"] = self.type.dtype
        return "\n".join(lines) + "\n"

    def _operator(self, node: Node, arguments: list[str], target: str) -> list[str]:
        types = [self.type] * len(arguments)
        lowering = lowering_of(node, types, self.type)
        if lowering is None or node.op is None or node.op.name not in _WITH_OUT:
            assert node.op is not None
            kernel, params = node.op.kernel, dict(node.params)

            def run(*arrays: Any) -> Any:
                return kernel(numpy, *arrays, **params)

            name = f"{node.op.name.strip('_')}{len(self.namespace)}"
            self.namespace[name] = run
            return [f"copyto({target}, {name}({', '.join(arguments)}))"]
        emit = Emitter(self, node, types, [self.type], arguments, [target], target)
        lowering(emit)
        return emit.lines


@operator("_fused", outputs=lambda body=None, **_: len(body.outputs))
def fused(xp, *data: Array, body: Any = None):
    """Evaluate a region of element-wise operators block by block."""
    if xp is numpy:
        return body.run(*data)
    known = {id(n): a for (n, _), a in zip(body.inputs, data, strict=True)}
    for node in body.nodes:
        known[id(node)] = node.op.kernel(xp, *[known[id(c)] for c, _ in node.inputs], **node.params)
    results = [known[id(n)] for n, _ in body.outputs]
    return results[0] if len(results) == 1 else tuple(results)


def _lower_fused(emit: Emitter) -> None:
    """A call of the region's function, which may be told where its results go."""
    run = emit.host.bound("fused", emit.node.params["body"].run)
    places = [f"out{i}_given={name}" for i, name in enumerate(emit.outs) if name in emit.host.static]
    call = f"{run}({', '.join([*emit.arguments, *places])})"
    emit.line(call if len(places) == len(emit.outs) else f"{', '.join(emit.outs)} = {call}")


fused.differentiable = False  # made after differentiation
fused.infer_shape(lambda *shapes, body, **_: (list(shapes), [body.type.shape] * len(body.outputs)))
fused.infer_type(lambda *dtypes, body, **_: (list(dtypes), [body.type.dtype] * len(body.outputs)))

#: Operators whose lowering is one NumPy function with ``out=``.
EXTRA_LOWERINGS["_fused"] = _lower_fused

_WITH_OUT = frozenset(
    {
        "exp", "log", "tanh", "sqrt", "square", "negative", "abs", "sin", "cos", "expm1", "log1p", "relu",
        "Activation", "elemwise_add", "broadcast_add", "_npi_add", "_grad_add", "elemwise_sub", "broadcast_sub",
        "_npi_subtract", "elemwise_mul", "broadcast_mul", "_npi_multiply", "elemwise_div", "broadcast_div",
        "_npi_true_divide", "_maximum", "broadcast_maximum", "_npi_maximum", "_minimum", "broadcast_minimum",
        "_npi_minimum", "_plus_scalar", "_npi_add_scalar", "_minus_scalar", "_npi_subtract_scalar", "_mul_scalar",
        "_npi_multiply_scalar", "_div_scalar", "_npi_true_divide_scalar", "_maximum_scalar", "_npi_maximum_scalar",
        "_minimum_scalar", "_npi_minimum_scalar", "_rminus_scalar", "_npi_rsubtract_scalar", "_rdiv_scalar",
        "_npi_rtrue_divide_scalar",
    }
)  # fmt: skip


def _can_join(graph: Graph, node: Node) -> bool:
    op = node.op
    if op is None or not op.elementwise or not op.pure or op.uses_training or node.num_outputs != 1:
        return False
    kind = graph.types[node, 0]
    if kind.size < MIN_SIZE or kind.dtype.kind != "f" or not node.inputs:
        return False
    return all(graph.types[e] == kind for e in node.inputs)


def _find_regions(graph: Graph) -> list[list[Node]]:
    """Return convex sets of element-wise nodes of equal type, each with at least two members."""
    region: dict[int, int] = {}
    members: list[list[Node]] = []
    forward = graph.outputs + tuple(u.value for u in graph.updates if u.stage == "forward")
    in_forward = {id(n) for n in topological_order(forward)}  # forward and backward become two programs
    outside: dict[int, frozenset[int]] = {}  # regions that a node depends on by a path outside of its own
    for node in graph.nodes:
        through = frozenset().union(
            *(outside[id(c)] | ({region[id(c)]} if id(c) in region else set()) for c, _ in node.inputs)
        )
        if _can_join(graph, node):
            kind = graph.types[node, 0]
            for candidate in dict.fromkeys(region[id(c)] for c, _ in node.inputs if id(c) in region):
                others = [c for c, _ in node.inputs if region.get(id(c)) != candidate]
                back = any(
                    candidate in outside[id(c)] for c in others
                )  # a path that left the region and would come back
                first = members[candidate][0]
                same_half = (id(first) in in_forward) == (id(node) in in_forward)
                if graph.types[first, 0] == kind and same_half and not back:
                    region[id(node)] = candidate
                    members[candidate].append(node)
                    break
            else:
                region[id(node)] = len(members)
                members.append([node])
            outside[id(node)] = through - {region[id(node)]}
        else:
            outside[id(node)] = through
    return [m for m in members if len(m) > 1]


def fuse_elementwise(graph: Graph) -> Graph:
    """Return the graph with regions of large element-wise operators as single nodes."""
    regions = _find_regions(graph)
    if not regions:
        return graph
    region_of = {id(n): nodes for nodes in regions for n in nodes}
    wanted = {id(n) for n, _ in graph.roots}
    new: dict[int, Sequence[Entry]] = {}

    def needs(node: Node) -> list[Node]:
        """Return what must exist before a node, or the region it is part of, can be made."""
        group = region_of.get(id(node), [node])
        inside = {id(n) for n in group}
        return [c for n in group for c, _ in n.inputs if id(c) not in inside and id(c) not in new]

    stack = list(reversed(graph.nodes))
    while stack:
        node = stack[-1]
        if id(node) in new:
            stack.pop()
            continue
        missing = needs(node)
        if missing:
            stack.extend(missing)
            continue
        stack.pop()
        if id(node) in region_of:
            _make_region(graph, region_of[id(node)], new, wanted)
            continue
        inputs = tuple(new[id(c)][i] for c, i in node.inputs)
        same = all(a is c and b == d for (a, b), (c, d) in zip(inputs, node.inputs, strict=True))
        kept = node if same else node.with_inputs(inputs)
        if not same:
            graph.types.set(kept, [graph.types[node, i] for i in range(node.num_outputs)])
        new[id(node)] = [(kept, i) for i in range(node.num_outputs)]

    def at(entry: Entry) -> Entry:
        return new[id(entry[0])][entry[1]]

    return graph.replace(
        outputs=tuple(at(e) for e in graph.outputs),
        gradients=tuple(None if e is None else at(e) for e in graph.gradients),
        updates=tuple(u._replace(value=at(u.value)) for u in graph.updates),
    )


def _make_region(graph: Graph, nodes: list[Node], new: dict[int, Sequence[Entry]], wanted: set[int]) -> None:
    inside = {id(n) for n in nodes}
    inputs = list(dict.fromkeys((c, i) for n in nodes for c, i in n.inputs if id(c) not in inside))
    outputs = [
        (n, 0) for n in nodes if id(n) in wanted or any(id(user) not in inside for user in graph.users.get(id(n), []))
    ]
    kind = graph.types[nodes[0], 0]
    body = FusedBody(nodes, inputs, outputs, kind)
    entries = tuple(new[id(c)][i] for c, i in inputs)
    node = Node(fused, f"{nodes[-1].name}_fused", entries, params={"body": body}, source=nodes[-1].source)
    graph.types.set(node, [kind] * len(outputs))
    position = {id(n): i for i, (n, _) in enumerate(outputs)}
    for n in nodes:
        new[id(n)] = [(node, position.get(id(n), 0))]
