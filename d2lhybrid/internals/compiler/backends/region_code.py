"""A region of operators as source code of a loop body, in C or CUDA C.

All operators of a region iterate over the elements of one shape. The address of an external value is a linear function
of the position: the same element, a repeated element (broadcasting, a bias), or one of several elements of a window
(pooling). The gradient of pooling writes the elements of a window. A subclass generates the iteration as loops, or as
threads of a GPU.
"""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import NamedTuple

from ...core.graph import Graph, TensorType
from ...core.node import Entry, Node
from ...ops.batch_last import hw, pooling_size
from ...ops.products import contiguous
from ..passes.regions import RegionBody
from .c_expressions import expression_of, literal, template_of

__all__ = ["CTYPES", "Access", "RegionCode", "element_kind", "linear"]

#: The C types of the element types that expressions support.
CTYPES = {"float32": "float", "float64": "double"}


class Access(NamedTuple):
    """The address of an element as a function of its position: an offset, plus position times stride for each axis."""

    strides: tuple[int, ...]
    offset: int = 0


def _broadcast(shape: tuple[int, ...], to: tuple[int, ...]) -> tuple[int, ...] | None:
    """Return the strides of an array that is broadcast to another shape; None if the shapes don't fit."""
    if len(shape) > len(to):
        return None
    padded = (1,) * (len(to) - len(shape)) + shape
    if any(n not in (1, m) for n, m in zip(padded, to, strict=True)):
        return None
    return tuple(0 if n == 1 else s for n, s in zip(padded, contiguous(padded), strict=True))


def _window(node: Node, shape: tuple[int, ...]) -> list[Access] | None:
    """Return the accesses of a pooling window's elements; None if windows overlap the border."""
    p = node.params
    (kh, kw), (sh, sw) = p["kernel"], hw(p.get("stride", ()), 1)
    _, h, w, n = shape
    oh, ow = pooling_size(h, kh, sh, 0, full=False), pooling_size(w, kw, sw, 0, full=False)
    fits = (oh - 1) * sh + kh <= h and (ow - 1) * sw + kw <= w and oh > 0 and ow > 0
    if hw(p.get("pad", ()), 0) != (0, 0) or not fits or kh * kw == 1 or kh * kw > 25:
        return None
    if p.get("full", False) and ((h - kh) % sh or (w - kw) % sw):
        return None
    strides = (h * w * n, sh * w * n, sw * n, 1)
    return [Access(strides, (i * w + j) * n) for i in range(kh) for j in range(kw)]


def element_kind(graph: Graph, node: Node) -> TensorType | None:
    """Return the shape and element type of the array whose elements a node iterates over.

    The caller must handle transposes, which are views on a CPU and join a region on a GPU.

    Parameters
    ----------
    graph : Graph
        The graph.
    node : Node
        The node.

    Returns
    -------
    TensorType or None
        The shape and element type; None if the node can't be part of a region.
    """
    op = node.op
    if op is None or not node.inputs:
        return None
    types = [graph.types[e] for e in node.inputs]
    kind = graph.types[node, 0]
    if kind.dtype.name not in CTYPES or any(t.dtype != kind.dtype for t in types) or kind.size == 0:
        return None
    if op.name == "_pooling_batch_last":
        known = node.params.get("pool_type", "max") in ("max", "avg", "sum")
        return kind if known and _window(node, types[0].shape) is not None else None
    if op.name == "_backward_pooling_batch_last":
        (kh, kw), stride = node.params["kernel"], hw(node.params.get("stride", ()), 1)
        whole = types[1].shape[1] == kh * types[0].shape[1] and types[1].shape[2] == kw * types[0].shape[2]
        ok = node.params.get("pool_type", "max") == "max" and stride == (kh, kw) and whole
        return types[0] if ok and _window(node, types[1].shape) is not None else None
    if template_of(node) is None:
        return None
    return kind if all(_access_of(node, i, t, kind) is not None for i, t in enumerate(types)) else None


def _access_of(node: Node, number: int, given: TensorType, kind: TensorType) -> Access | None:
    assert node.op is not None
    if node.op.name == "_bias_batch_last" and number == 1:
        return Access((1,) + (0,) * (len(kind.shape) - 1))
    if node.op.view == "transpose":
        axes = node.params.get("axes") or tuple(range(len(given.shape)))[::-1]
        strides = contiguous(given.shape)
        return Access(tuple(strides[int(axis)] for axis in axes))
    strides = _broadcast(given.shape, kind.shape)
    return None if strides is None else Access(strides)


class RegionCode(RegionBody):
    """A region of operators as source code: loads, computation, and stores.

    Attributes
    ----------
    kind : TensorType
        The shape and element type of the array whose elements the region iterates over.
    input_types : list of TensorType
        The types of the inputs.
    ctype : str
        The C type of all values.
    loads : dict of (str, Access) to str
        The name of each element that is read, by its input (``in0`` …) and access.
    body : list of str
        The computation, with one definition per line.
    stores : list of (str, Access, str)
        The result (``out0`` …), the access, and the name of each value that is written.
    shape : list of int
        The sizes of the loops. A loop is an axis of the elements, or several axes that are contiguous in all accesses.
    """

    nodes: tuple[Node, ...]
    inputs: tuple[Entry, ...]
    outputs: tuple[Entry, ...]
    types: list[TensorType]
    kind: TensorType
    ctype: str
    shape: list[int]

    def __init__(
        self, graph: Graph, nodes: list[Node], inputs: list[Entry], outputs: list[Entry], kind: TensorType
    ) -> None:
        self.nodes, self.inputs, self.outputs = tuple(nodes), tuple(inputs), tuple(outputs)
        self.kind, self.types = kind, [graph.types[e] for e in outputs]
        self.input_types: list[TensorType] = [graph.types[e] for e in inputs]
        self.dtype, self.ctype = kind.dtype, CTYPES[kind.dtype.name]
        self.loads: dict[tuple[str, Access], str] = {}
        self.body: list[str] = []
        self.stores: list[tuple[str, Access, str]] = []
        self._place = {(n, i): f"in{k}" for k, (n, i) in enumerate(self.inputs)}
        self._own = Access(contiguous(kind.shape))
        self._write()
        self.shape, self._strides = self._joined_axes()

    def _write(self) -> None:
        values: dict[Node, str] = {}
        results = {n: f"out{k}" for k, (n, _) in enumerate(self.outputs)}

        def argument(node: Node, number: int) -> str:
            child, i = node.inputs[number]
            if child in values:
                return values[child]
            given = self.input_types[self.inputs.index((child, i))]
            return self._load(self._place[child, i], _access_of(node, number, given, self.kind) or self._own)

        for node in self.nodes:
            assert node.op is not None
            value = f"v{len(values)}"
            if node.op.name == "_pooling_batch_last":
                self._define(value, self._pooled(node))
            elif node.op.name == "_backward_pooling_batch_last":
                self._spread(node, argument(node, 0), results[node])
                continue
            elif node.op.view == "transpose":
                self._define(value, argument(node, 0))
            else:
                expression = expression_of(node, [argument(node, i) for i in range(len(node.inputs))], self.ctype)
                assert expression is not None
                self._define(value, expression)
            values[node] = value
            if node in results:
                self.stores.append((results[node], self._own, value))

    def _define(self, name: str, expression: str) -> None:
        self.body.append(f"const {self.ctype} {name} = {expression};")

    def _load(self, place: str, access: Access) -> str:
        return self.loads.setdefault((place, access), f"x{len(self.loads)}")

    def _window_of(self, node: Node, number: int) -> tuple[list[str], list[Access]]:
        """Return the names of a window's elements, and their accesses."""
        child, i = node.inputs[number]
        accesses = _window(node, self.input_types[self.inputs.index((child, i))].shape)
        assert accesses is not None
        return [self._load(self._place[child, i], access) for access in accesses], accesses

    def _pooled(self, node: Node) -> str:
        kind = node.params.get("pool_type", "max")
        elements, _ = self._window_of(node, 0)
        joined = _largest(elements, self.ctype) if kind == "max" else f"({' + '.join(elements)})"
        return f"{joined} * {literal(1 / len(elements), self.ctype)}" if kind == "avg" else joined

    def _spread(self, node: Node, gradient: str, out: str) -> None:
        """Define the elements of a window's gradient: `gradient` at the first maximum, and zero elsewhere."""
        elements, accesses = self._window_of(node, 1)
        largest, which = f"m{len(self.body)}", f"which{len(self.body)}"
        self._define(largest, _largest(elements, self.ctype))
        # The index has the type of the values and is computed without branches, so that the loop can be vectorized.
        chosen = "-1"
        for k, element in reversed(list(enumerate(elements))):
            chosen = f"{element} == {largest} ? {k} : {chosen}"
        self._define(which, chosen)
        for k, access in enumerate(accesses):
            value = f"g{len(self.body)}_{k}"
            self._define(value, f"{which} == {k} ? {gradient} : ({self.ctype}) 0")
            self.stores.append((out, access, value))

    def _accesses(self) -> list[tuple[str, Access]]:
        return [*self.loads, *((name, access) for name, access, _ in self.stores)]

    def _joined_axes(self) -> tuple[list[int], list[list[int]]]:
        """Return the sizes of the merged loops, and the strides of all accesses along them."""
        shape = list(self.kind.shape)
        strides = [list(access.strides) for _, access in self._accesses()]
        axis = 0
        while axis + 1 < len(shape):
            if all(s[axis] == s[axis + 1] * shape[axis + 1] for s in strides):
                shape[axis : axis + 2] = [shape[axis] * shape[axis + 1]]
                for s in strides:
                    s[axis : axis + 2] = [s[axis + 1]]
            else:
                axis += 1
        return shape, strides

    def addresses(self) -> list[str]:
        """Return the C expressions of loads and stores, such as ``in0[i0 * 5 + i1]`` for a position ``i0``, ``i1``."""
        return [
            f"{name}[{linear([f'i{k}' for k in range(len(self.shape))], strides, access.offset)}]"
            for (name, access), strides in zip(self._accesses(), self._strides, strict=True)
        ]

    @property
    def is_linear(self) -> bool:
        """Whether each element depends only on elements at the same position."""
        same = all(s in ([1], []) for s in self._strides)
        return len(self.shape) <= 1 and same and not any(access.offset for _, access in self._accesses())


def linear(indices: Sequence[str], strides: Sequence[int], offset: int = 0) -> str:
    """Return the C expression of a sum of indices times strides.

    Parameters
    ----------
    indices : sequence of str
        The indices.
    strides : sequence of int
        The strides.
    offset : int
        The constant term.

    Returns
    -------
    str
        The expression.

    Examples
    --------
    >>> linear(["i0", "i1", "i2"], [6, 0, 1], 3)
    'i0 * 6 + i2 + 3'
    """
    terms = [f"{i} * {s}" if s != 1 else i for i, s in zip(indices, strides, strict=True) if s]
    if offset:
        terms.append(str(offset))
    return " + ".join(terms) or "0"


def _largest(elements: Sequence[str], ctype: str) -> str:
    """Return the expression of the maximum of several values, which ignores NaN."""
    return functools.reduce(lambda joined, element: f"largest_{ctype}({joined}, {element})", elements)
