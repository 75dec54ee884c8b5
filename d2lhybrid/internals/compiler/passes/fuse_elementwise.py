"""Element-wise fusion: runs chains of element-wise operators block by block, in the cache.

Without fusion, each operator reads and writes whole arrays. If the arrays are larger than the cache, memory traffic
takes longer than the computation. With fusion, a region of element-wise operators is evaluated for one block of
elements at a time. Intermediate values stay in a few small buffers, and only the inputs and results of the region are
read from and written to main memory.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy

from ...core.graph import Graph, TensorType
from ...core.node import Entry, Node
from ...core.passes import looks_for
from ...ops.repeated import repeated
from ..emitter import Emitter, Host, lowering_of
from .regions import RegionBody, find_regions, replace_regions

__all__ = ["BLOCK", "MIN_SIZE", "FusedBody", "fuse_elementwise"]
CHINESE = ("按元素融合", "按元素融合：把数组分成放得进缓存的块，在每一块上依次运行一串按元素计算的算子。")

#: The number of elements in a block: 64k floats are 256 kB, which fit into the L2 cache with a few buffers.
BLOCK = 1 << 16
#: The smallest number of elements for which fusion pays off, because smaller arrays fit into the cache.
MIN_SIZE = 1 << 17


class FusedBody(Host, RegionBody):
    """A region of operators as a function that evaluates the operators block by block.

    Attributes
    ----------
    type : TensorType
        The shape and element type of all values in the region.
    text : str
        The source code of the function.
    """

    nodes: tuple[Node, ...]
    inputs: tuple[Entry, ...]
    outputs: tuple[Entry, ...]
    types: list[TensorType]
    type: TensorType

    def __init__(
        self, nodes: Sequence[Node], inputs: Sequence[Entry], outputs: Sequence[Entry], kind: TensorType
    ) -> None:
        super().__init__()
        self.nodes, self.inputs, self.outputs = tuple(nodes), tuple(inputs), tuple(outputs)
        self.type, self.types = kind, [kind] * len(self.outputs)
        self.namespace: dict[str, Any] = {"__name__": "d2lhybrid.program"}
        self.repeats: list[str] = []
        self.text: str = self._write()
        exec(compile(self.text, "<d2lhybrid fused region>", "exec"), self.namespace)
        self.run = self.namespace["fused"]

    def function(self, name: str) -> str:
        """Make a NumPy function available to the generated code, and return its name."""
        self.namespace[name] = getattr(numpy, name)
        return name

    def constant(self, value: Any, wish: str) -> str:
        """Add a constant to the namespace of the generated code, and return its name."""
        name = self.unique(wish)
        self.namespace[name] = numpy.asarray(value)
        return name

    def beside(self, value: float, wish: str, name: str, kind: TensorType) -> str:
        """Return the name of a block-sized array filled with a number, because NumPy is faster with two arrays."""
        number = repeated(value, (BLOCK,), kind.dtype)
        if not number.shape:
            return self.constant(number, wish)
        label = self.unique(wish)
        self.namespace[f"{label}_all"] = number
        self.repeats.append(label)
        return label

    def unique(self, wish: str) -> str:
        """Return a name that the generated code doesn't use yet."""
        return f"{wish}{len(self.namespace)}"

    def _write(self) -> str:
        """Return the source code: a loop over blocks, with as few buffers as the liveness of values allows."""
        last_use = {entry: position for position, node in enumerate(self.nodes) for entry in node.inputs}
        result = {entry: f"out{i}" for i, entry in enumerate(self.outputs)}
        place = {entry: f"in{i}" for i, entry in enumerate(self.inputs)}
        # If there is one result, its block is a buffer until the last operator writes the result.
        free = ["out0"] if len(result) == 1 else []
        buffers: list[str] = []
        body: list[str] = []
        for position, node in enumerate(self.nodes):
            arguments = [place[entry] for entry in node.inputs]
            for entry in dict.fromkeys(node.inputs):
                if last_use[entry] == position and entry not in result and not place[entry].startswith("in"):
                    free.append(place[entry])
            value = (node, 0)
            if value in result:
                target = result[value]
            elif free:
                target = free.pop()
            else:
                target = f"buffer{len(buffers)}"
                buffers.append(target)
            place[value] = target
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
        lines += [f"        {b} = {b}_all[: stop - start]" for b in (*buffers, *self.repeats)]
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
        if lowering is None:
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


def _can_join(graph: Graph, node: Node) -> bool:
    op = node.op
    if op is None or not op.elementwise or not op.pure or op.uses_training or node.num_outputs != 1:
        return False
    kind = graph.types[node, 0]
    if kind.size < MIN_SIZE or kind.dtype.kind != "f" or not node.inputs:
        return False
    return all(graph.types[e] == kind for e in node.inputs)


@looks_for("element-wise")
def fuse_elementwise(graph: Graph) -> Graph:
    """Return the graph with regions of large element-wise operators as single nodes."""
    kinds = {node: graph.types[node, 0] for node in graph.nodes if _can_join(graph, node)}
    if len(kinds) < 2:
        return graph
    regions = find_regions(graph, kinds.get)
    regions = [nodes for nodes in regions if len(nodes) > 1]

    def make(nodes: list[Node], inputs: list[Entry], outputs: list[Entry]) -> FusedBody:
        return FusedBody(nodes, inputs, outputs, graph.types[nodes[0], 0])

    return replace_regions(graph, regions, make)
