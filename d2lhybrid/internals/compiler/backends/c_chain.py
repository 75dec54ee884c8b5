"""Chains: small matrix products and the operators between them, as one C function.

A call of NumPy or of a C function from Python takes about a microsecond, which is longer than a small product takes.
Therefore, a sequence of small operators becomes one C function. Intermediate values are in one block of memory, which
stays in the cache. The weights are in another block, in the order in which they are read. The ``prepare`` function
packs the weights after a parameter has changed.

Chains are for prediction. In training, weights change at every step, and most values are kept for the backward pass.
"""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from graphlib import TopologicalSorter
from typing import Any, NamedTuple

import numpy

from ...core.graph import Graph, TensorType
from ...core.node import Entry, Node
from ...core.prepared import fixed_nodes
from ...ops import batch_last, matrix, nn, unit_batch
from ...ops.batch_last import hw
from ...reports.costs import flops_of
from ..arena import Place, aligned_bytes, assign_offsets
from ..passes.regions import RegionBody, edges_of, find_regions, fused, replace_regions
from .c_products import VECTORS, convolution, lanes, padded_size, product
from .c_region import CFunction, CRegion
from .c_rows import CRows, is_row_operator
from .region_code import element_kind

__all__ = ["chain_for_c"]

FLOAT = numpy.dtype(numpy.float32)
#: The largest number of operations of a product in a chain. NumPy's library divides larger products among the cores,
#: and the saved overhead would be small.
MOST_FLOPS = 1 << 24
#: The largest number of elements of a value, and of weights, that stay in the cache between two steps.
MOST_ELEMENTS, MOST_WEIGHTS = 1 << 18, 1 << 20
#: The alignment of weights, in elements: one cache line.
LINE = 16


class Step(NamedTuple):
    """One function of a chain, with its arguments.

    Attributes
    ----------
    source : str
        The C function, with NAME for its name.
    before : str
        The arguments before the addresses, as text.
    inputs : list of (Entry, bool)
        For each input, the entry, and whether the function reads the entry transposed.
    outputs : list of Entry
        The entries that the function writes.
    work : int
        The number of elements of the function's workspace.
    general : str
        The variant of the function with the same lines for all batch sizes; empty if ``source`` is this variant.
    """

    source: str
    before: str
    inputs: list[tuple[Entry, bool]]
    outputs: list[Entry]
    work: int = 0
    general: str = ""


def chain_for_c(graph: Graph) -> Graph:
    """Return the graph with each sequence of small operators as one C function, if the graph is for prediction.

    Parameters
    ----------
    graph : Graph
        The graph. A graph for training or with gradients is returned unchanged.

    Returns
    -------
    Graph
        The new graph, or the same graph if nothing changes.
    """
    if graph.training or graph.gradients:
        return graph
    fixed = fixed_nodes(graph)
    stretches = _Search(graph, fixed).run()
    if not stretches:
        return graph
    return replace_regions(graph, stretches, lambda *found: _Stretch(graph, *found)).rewrite(
        lambda node, inputs: _packed(graph, fixed, node, inputs)
    )


# --- the search -----------------------------------------------------------------------------------


class _Stretch(RegionBody):
    """The nodes of a chain, before its C function is written."""

    def __init__(self, graph: Graph, nodes: list[Node], inputs: list[Entry], outputs: list[Entry]) -> None:
        self.nodes, self.inputs, self.outputs = tuple(nodes), tuple(inputs), tuple(outputs)
        self.types: list[TensorType] = [graph.types[e] for e in outputs]


class _Search:
    """A search for sequences of operators, consecutive in the order of the program, that a chain can compute.

    Consecutive nodes in this order form a convex set. Nodes that depend on parameters alone don't interrupt a chain,
    because the program computes them beforehand.
    """

    def __init__(self, graph: Graph, fixed: set[Node]) -> None:
        self.graph, self.fixed = graph, fixed
        self.used: set[Entry] = {(n, i) for node in graph.nodes for n, i in node.inputs}
        self.used |= {(n, i) for n, i in graph.roots}

    def run(self) -> list[list[Node]]:
        """Return the chains that replace at least one matrix product of NumPy."""
        found: list[list[Node]] = [[]]
        for node in self.graph.nodes:
            if node.op is None or node.is_constant or node in self.fixed:
                continue
            if self.has_step(node):
                found[-1].append(node)
            elif found[-1]:
                found.append([])
        return [nodes for nodes in found if any(node.op in _PRODUCTS for node in nodes) and len(nodes) > 1]

    def has_step(self, node: Node) -> bool:
        """Return whether a chain can compute a node."""
        graph, types = self.graph, self.graph.types
        assert node.op is not None
        if any((node, i) in self.used for i in range(1, node.num_outputs)):
            return False
        for entry in (*node.inputs, (node, 0)):
            most = MOST_WEIGHTS if entry[0] in self.fixed else MOST_ELEMENTS
            if types[entry].dtype != FLOAT or not 0 < types[entry].size <= most:
                return False
        if node.op in _PRODUCTS:
            return flops_of(node, types) <= MOST_FLOPS and _PRODUCTS[node.op](graph, node, self.fixed) is not None
        return bool(node.op.view) or element_kind(graph, node) is not None or is_row_operator(graph, node, 1)


# --- products -------------------------------------------------------------------------------------


def _dense(graph: Graph, node: Node, fixed: set[Node]) -> Step | None:
    """Return the step of ``data · weightᵀ``, with the weight packed in transposed form; None if unsupported."""
    data, weight = node.inputs[:2]
    (units, inner), (result, *bias) = graph.types[weight].shape, [graph.types[node, 0], *node.inputs[2:]]
    if weight[0] not in fixed:
        return None
    sizes = result.size // units, inner, units, bool(bias)
    inputs = [(data, False), (weight, True), *((entry, False) for entry in bias)]
    return Step(product(*sizes), "", inputs, [(node, 0)], general=product(*sizes, vary=("rows",)))


def _dense_batch_last(graph: Graph, node: Node, fixed: set[Node]) -> Step | None:
    """Return the step of ``weight · data`` with the batch last; None if unsupported."""
    data, weight = node.inputs
    units, inner = graph.types[weight].shape
    sizes = units, inner, graph.types[node, 0].shape[-1]
    inputs = [(weight, False), (data, False)]
    return Step(product(*sizes), "", inputs, [(node, 0)], general=product(*sizes, vary=("columns",)))


def _matrix_product(graph: Graph, node: Node, fixed: set[Node]) -> Step | None:
    left, right = (graph.types[e].shape for e in node.inputs)
    if len(left) != 2 or len(right) != 2 or node.params.get("transpose_a") or node.params.get("transpose_b"):
        return None
    sizes = left[0], left[1], right[1]
    inputs = [(entry, False) for entry in node.inputs]
    return Step(product(*sizes), "", inputs, [(node, 0)], general=product(*sizes, vary=("rows", "columns")))


def _convolution(graph: Graph, node: Node, fixed: set[Node]) -> Step | None:
    """Return the step of a convolution with the batch last; None if unsupported or if rows fill no vector register."""
    data, weight = node.inputs
    image, result, p = graph.types[data].shape, graph.types[node, 0].shape, node.params
    stride, pad = hw(p.get("stride", ()), 1), hw(p.get("pad", ()), 0)
    wide = padded_size(image, pad)
    if (result[2] if stride[1] == 1 else 1) * result[3] < lanes() or wide > MOST_ELEMENTS:
        return None
    settings = image, result, hw(p["kernel"], 1), stride, pad
    inputs = [(weight, False), (data, False)]
    general = convolution(*settings, vary=("columns",))
    return Step(convolution(*settings), "", inputs, [(node, 0)], max(1, wide), general)


_PRODUCTS = {
    unit_batch.dense: _dense,
    nn.fully_connected: _dense,
    batch_last.dense: _dense_batch_last,
    batch_last.convolution: _convolution,
    matrix.dot: _matrix_product,
}


# --- weights --------------------------------------------------------------------------------------


class CPack(RegionBody):
    """The body of a node that packs weights, some of them transposed, into one array.

    Attributes
    ----------
    offsets : list of int
        The offset of each weight in the array, in elements.
    """

    def __init__(self, inputs: Sequence[Entry], kinds: Sequence[TensorType], turned: Sequence[bool]) -> None:
        self.nodes, self.inputs, self.outputs = (), tuple(inputs), ()
        self.kinds, self.turned = list(kinds), tuple(turned)
        self.offsets: list[int] = []
        size = 0
        for kind in kinds:
            self.offsets.append(size)
            size += -(-kind.size // LINE) * LINE
        self.types: list[TensorType] = [TensorType((size,), FLOAT)]
        # The text of a program is the key of its prepared values, so it must differ between the programs of a net.
        self.label: str = f"packed_{zlib.crc32(repr((self.turned, [k.shape for k in kinds])).encode()):08x}"

    def run(self, *arrays: Any, out0_given: Any = None) -> Any:
        """Pack the weights into one array.

        Parameters
        ----------
        *arrays : array
            The weights.
        out0_given : array, optional
            Destination of the result.

        Returns
        -------
        array
            The packed weights.
        """
        packed = out0_given
        if packed is None:
            packed = aligned_bytes(self.types[0].size * FLOAT.itemsize).view(FLOAT)
            packed[:] = 0
        for array, turned, start in zip(arrays, self.turned, self.offsets, strict=True):
            packed[start : start + array.size] = (array.T if turned else array).ravel()
        return packed

    def unpacked(self, packed: Any) -> list[Any]:
        """Return the weights as views of a packed array.

        Parameters
        ----------
        packed : array
            The packed array.

        Returns
        -------
        list of array
            The views.
        """
        found = []
        for kind, turned, start in zip(self.kinds, self.turned, self.offsets, strict=True):
            piece = packed[start : start + kind.size]
            found.append(piece.reshape(kind.shape[::-1]).T if turned else piece.reshape(kind.shape))
        return found


def _packed(graph: Graph, fixed: set[Node], node: Node, inputs: Sequence[Entry]) -> list[Entry] | None:
    """Return the entries that replace those of a stretch: results of a new chain, whose weights a new node packs."""
    stretch = node.params.get("body")
    if not isinstance(stretch, _Stretch):
        return None
    new = dict(zip(stretch.inputs, inputs, strict=True))
    steps = _steps(graph, stretch, fixed)
    weights = list(dict.fromkeys(
        (entry, turned) for step in steps for entry, turned in step.inputs if entry[0] in fixed or entry[0].is_constant
    ))  # fmt: skip
    given = [e for e in stretch.inputs if e not in {entry for entry, _ in weights}]
    body = CPack([new[e] for e, _ in weights], [graph.types[e] for e, _ in weights], [turned for _, turned in weights])
    entries = [new[e] for e in given]
    if weights:
        pack = node.into(fused, body.inputs, "_weights", body=body)
        graph.types.set(pack, body.types)
        entries.append((pack, 0))
    chain = CChain(graph, stretch, steps, given, body if weights else None, [e for e, _ in weights])
    made = node.into(fused, tuple(entries), body=chain)
    graph.types.set(made, chain.types)
    return [(made, i) for i in range(len(stretch.outputs))]


# --- the function ---------------------------------------------------------------------------------


def _steps(graph: Graph, stretch: RegionBody, fixed: set[Node]) -> list[Step]:
    """Return the steps of a stretch in an order in which they can run."""
    members = set(stretch.nodes)

    def kind_of(node: Node) -> TensorType | None:
        if node not in members or node.op is None or node.op in _PRODUCTS or node.op.view == "reshape":
            return None
        return graph.types[node, 0] if node.op.view == "transpose" else element_kind(graph, node)

    regions = find_regions(graph, kind_of, lambda node: node.op is not None and node.op.view == "transpose")
    inside = {node: tuple(nodes) for nodes in regions for node in nodes}
    groups = {inside.get(node, (node,)): None for node in stretch.nodes}
    group_of = {node: group for group in groups for node in group}
    needs = {
        group: {group_of[n] for node in group for n, _ in node.inputs if n in members} - {group} for group in groups
    }
    return [_step(graph, stretch, list(group), fixed) for group in TopologicalSorter(needs).static_order()]


def _step(graph: Graph, stretch: RegionBody, nodes: list[Node], fixed: set[Node]) -> Step:
    """Return the step of one operator, or of a region."""
    node = nodes[0]
    assert node.op is not None
    if node.op in _PRODUCTS:
        step = _PRODUCTS[node.op](graph, node, fixed)
        assert step is not None
        return step
    if node.op.view == "reshape":
        return Step("", "", [(node.inputs[0], False)], [(node, 0)])
    if is_row_operator(graph, node, 1):
        types = [graph.types[node, i] for i in range(node.num_outputs)]
        rows = CRows(node, [graph.types[e] for e in node.inputs], types)
        return _call(rows)
    inputs, outputs = edges_of(graph, nodes, {n for n, _ in stretch.outputs})
    return _call(CRegion(graph, nodes, inputs, outputs, graph.types[node, 0]))


def _call(function: CFunction) -> Step:
    inputs = [((n, i), False) for n, i in function.inputs]
    return Step(function.source, f"0, {function.length}, ", inputs, [(n, i) for n, i in function.outputs])


class CChain(CFunction):
    """A sequence of steps as a C function. If the function needs a workspace, it is an additional last result."""

    length = size = weight = 1
    label = "chained"

    def __init__(
        self, graph: Graph, stretch: RegionBody, steps: Sequence[Step], given: Sequence[Entry], pack: CPack | None,
        weights: Sequence[Entry],
    ) -> None:  # fmt: skip
        self.nodes, self.outputs, self.pack = stretch.nodes, stretch.outputs, pack
        self.given, self.weights = list(given), list(weights)
        self.inputs: tuple[Entry, ...] = (*given, *([(stretch.nodes[-1], 0)] if pack else []))
        self.types: list[TensorType] = list(stretch.types)
        self._places = {entry: f"in{k}" for k, entry in enumerate(given)}
        self._homes: dict[Entry, Entry] = {}
        memory, self._copies = self._memory(graph, steps)
        if memory:
            self.types.append(TensorType((memory,), FLOAT))
        self.source: str = self._text(steps)
        self.general: str = self._text([step._replace(source=step.general or step.source) for step in steps])

    def home(self, entry: Entry) -> Entry:
        """Return the value that owns the memory of another value, such as the value before a reshape.

        Parameters
        ----------
        entry : Entry
            The value.

        Returns
        -------
        Entry
            The owner of the memory.
        """
        while entry in self._homes:
            entry = self._homes[entry]
        return entry

    def _memory(self, graph: Graph, steps: Sequence[Step]) -> tuple[int, list[str]]:
        """Assign a place to every value; return the total number of elements and the copies to make at the end."""
        for step in steps:
            if not step.source:
                self._homes[step.outputs[0]] = step.inputs[0][0]
        made = {entry for step in steps if step.source for entry in step.outputs}
        copies = []
        for k, entry in enumerate(self.outputs):
            home = self.home(entry)
            if home in made and home not in self._places:
                self._places[home] = f"out{k}"
            else:
                copies.append((k, home))
        last = {self.home(entry): i for i, step in enumerate(steps) for entry, _ in step.inputs}
        last.update((home, len(steps)) for _, home in copies)
        wanted: list[tuple[Entry | int, Place]] = []
        for i, step in enumerate(steps):
            for entry in step.outputs:
                if step.source and entry not in self._places:
                    wanted.append((entry, Place("", graph.types[entry], i, last.get(entry, i))))
            if step.work:
                wanted.append((i, Place("", TensorType((step.work,), FLOAT), i, i)))
        offsets, nbytes = assign_offsets([place for _, place in wanted])
        self._work = {}
        for (what, _), offset in zip(wanted, offsets, strict=True):
            text = f"memory + {offset // FLOAT.itemsize}"
            if isinstance(what, int):
                self._work[what] = text
            else:
                self._places[what] = text
        texts = []
        for k, home in copies:
            size = self.types[k].size
            texts.append(f"memcpy(out{k}, {self._at(home, False)}, {size} * sizeof(float));")
        return nbytes // FLOAT.itemsize, texts

    def _at(self, entry: Entry, turned: bool) -> str:
        """Return the address of a value as a C expression."""
        home = self.home(entry)
        if home in self._places:
            return self._places[home]
        assert self.pack is not None
        for k, weight in enumerate(self.weights):
            if weight == home and self.pack.turned[k] == turned:
                return f"weights + {self.pack.offsets[k]}"
        raise KeyError(entry)

    def _text(self, steps: Sequence[Step]) -> str:
        names: dict[str, str] = {}
        calls: list[str] = []
        for i, step in enumerate(steps):
            if not step.source:
                continue
            name = names.setdefault(step.source, f"NAME_step{len(names)}")
            arguments = [self._at(entry, turned) for entry, turned in step.inputs]
            arguments += [self._at(entry, False) for entry in step.outputs]
            arguments += [self._work[i]] if step.work else []
            calls.append(f"    {name}({step.before}{', '.join(arguments)});")
        parameters = ["long start", "long stop"]
        parameters += [f"const float* restrict in{k}" for k in range(len(self.given))]
        parameters += ["const float* restrict weights"] if self.pack is not None else []
        parameters += [f"float* restrict out{k}" for k in range(len(self.outputs))]
        parameters += ["float* restrict memory"] if len(self.types) > len(self.outputs) else []
        functions = [source.replace("void NAME(", f"static void {name}(") for source, name in names.items()]
        body = [*calls, *(f"    {copy}" for copy in self._copies)]
        return "\n".join([VECTORS, *functions, f"void NAME({', '.join(parameters)}) {{", *body, "}", ""])

    def known(self, arrays: Sequence[Any]) -> dict[Entry, Any]:
        """Return the values of the inputs, with the weights unpacked.

        Parameters
        ----------
        arrays : sequence of array
            The inputs of the node.

        Returns
        -------
        dict of Entry to array
            The values by entry.
        """
        unpacked = self.pack.unpacked(arrays[-1]) if self.pack is not None else []
        return dict(zip([*self.given, *self.weights], [*arrays[: len(self.given)], *unpacked], strict=True))
