"""A region of operators as a C function: one loop nest, values in registers, nothing stored in between.

All operators of a region walk over the elements of one shape. What comes from outside is read at an address
that is linear in the position: the same element, one that is repeated (broadcasting, a bias), or several of a
window (pooling). The gradient of pooling writes that way.
"""

from __future__ import annotations

import concurrent.futures
import ctypes
import functools
import os
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy

from ...ops.batch_last import hw, pooling_size
from ...symbol.node import Entry, Node
from ..graph import Graph, TensorType
from ..passes.regions import RegionBody
from .c_compiler import build
from .c_expressions import ACTIVATIONS, EXPRESSIONS, PRELUDE, expression_of, literal

__all__ = ["CRegion", "compile_regions", "kind_in_c"]

#: C names of the types that have expressions.
CTYPES = {"float32": "float", "float64": "double"}
#: Regions of at least this many elements are divided among the cores.
PARALLEL_SIZE = 1 << 17


class Access(NamedTuple):
    """Where an element lies for a position: the sum of position times stride over the axes, plus an offset."""

    strides: tuple[int, ...]
    offset: int = 0


def _contiguous(shape: Sequence[int]) -> tuple[int, ...]:
    strides, step = [], 1
    for n in reversed(shape):
        strides.append(step)
        step *= n
    return tuple(reversed(strides))


def _broadcast(shape: tuple[int, ...], to: tuple[int, ...]) -> tuple[int, ...] | None:
    """Return the strides with which an array is read as if it had another shape; None if it does not fit."""
    if len(shape) > len(to):
        return None
    padded = (1,) * (len(to) - len(shape)) + shape
    if any(n not in (1, m) for n, m in zip(padded, to, strict=True)):
        return None
    return tuple(0 if n == 1 else s for n, s in zip(padded, _contiguous(padded), strict=True))


def _window(node: Node, shape: tuple[int, ...]) -> list[Access] | None:
    """Return where the elements of a pooling window lie; None if windows overlap the border."""
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


def kind_in_c(graph: Graph, node: Node) -> TensorType | None:
    """Return over which elements a node walks if it can be part of a region, else None."""
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
    if op.name == "Activation":
        if node.params.get("act_type") not in ACTIVATIONS:
            return None
    elif op.name not in EXPRESSIONS:
        return None
    return kind if all(_access_of(node, i, t, kind) is not None for i, t in enumerate(types)) else None


def _access_of(node: Node, number: int, given: TensorType, kind: TensorType) -> Access | None:
    assert node.op is not None
    if node.op.name == "_bias_batch_last" and number == 1:
        return Access((1,) + (0,) * (len(kind.shape) - 1))
    strides = _broadcast(given.shape, kind.shape)
    return None if strides is None else Access(strides)


class CRegion(RegionBody):
    """A region, its C source, and the compiled function once there is one."""

    def __init__(
        self, graph: Graph, nodes: list[Node], inputs: list[Entry], outputs: list[Entry], kind: TensorType
    ) -> None:
        self.nodes, self.inputs, self.outputs = tuple(nodes), tuple(inputs), tuple(outputs)
        self.kind, self.types = kind, [graph.types[e] for e in outputs]
        self._input_types = [graph.types[e] for e in inputs]
        self.dtype = kind.dtype
        self._function: Any = None
        self.source, self._length = self._write()

    # --- source ---

    def _write(self) -> tuple[str, int]:
        """Return the source, with NAME for the function's name, and the length of the outermost loop."""
        ctype = CTYPES[self.dtype.name]
        place = {(id(n), i): f"in{k}" for k, (n, i) in enumerate(self.inputs)}
        loads: dict[tuple[str, Access], str] = {}
        values: dict[int, str] = {}
        body: list[str] = []
        stores: list[tuple[str, Access, str]] = []
        results = {id(n): f"out{k}" for k, (n, _) in enumerate(self.outputs)}
        own = Access(_contiguous(self.kind.shape))

        def load(name: str, access: Access) -> str:
            if (name, access) not in loads:
                loads[name, access] = f"x{len(loads)}"
            return loads[name, access]

        def argument(node: Node, number: int) -> str:
            child, i = node.inputs[number]
            if id(child) in values:
                return values[id(child)]
            given = self._input_types[self.inputs.index((child, i))]
            access = _access_of(node, number, given, self.kind) or own
            return load(place[id(child), i], access)

        for node in self.nodes:
            assert node.op is not None
            value = f"v{len(values)}"
            if node.op.name == "_pooling_batch_last":
                body.append(f"const {ctype} {value} = {self._pooled(node, load, place, ctype)};")
            elif node.op.name == "_backward_pooling_batch_last":
                stores += self._spread(node, argument(node, 0), load, place, ctype, results[id(node)], body)
                continue
            else:
                arguments = [argument(node, i) for i in range(len(node.inputs))]
                body.append(f"const {ctype} {value} = {expression_of(node, arguments, ctype)};")
            values[id(node)] = value
            if id(node) in results:
                stores.append((results[id(node)], own, value))
        return self._loops(ctype, loads, body, stores)

    def _window_of(self, node: Node, number: int, load: Any, place: dict[Any, str]) -> tuple[list[str], list[Access]]:
        """Return the elements of a window by name, and where they lie."""
        child, i = node.inputs[number]
        accesses = _window(node, self._input_types[self.inputs.index((child, i))].shape)
        assert accesses is not None
        return [load(place[id(child), i], access) for access in accesses], accesses

    def _pooled(self, node: Node, load: Any, place: dict[Any, str], ctype: str) -> str:
        kind = node.params.get("pool_type", "max")
        elements, _ = self._window_of(node, 0, load, place)
        joined = _largest(elements, ctype) if kind == "max" else f"({' + '.join(elements)})"
        return f"{joined} * {literal(1 / len(elements), ctype)}" if kind == "avg" else joined

    def _spread(
        self, node: Node, gradient: str, load: Any, place: dict[Any, str], ctype: str, out: str, body: list[str]
    ) -> list[tuple[str, Access, str]]:
        """Give the gradient to the first of the largest elements of each window, and zero to the others."""
        elements, accesses = self._window_of(node, 1, load, place)
        largest, which = f"m{len(body)}", f"which{len(body)}"
        body.append(f"const {ctype} {largest} = {_largest(elements, ctype)};")
        # A number of the values' own type, chosen without branches: so the loop can be vectorized.
        chosen = "-1"
        for k, element in reversed(list(enumerate(elements))):
            chosen = f"{element} == {largest} ? {k} : {chosen}"
        body.append(f"const {ctype} {which} = {chosen};")
        stores = []
        for k, access in enumerate(accesses):
            value = f"g{len(body)}_{k}"
            body.append(f"const {ctype} {value} = {which} == {k} ? {gradient} : ({ctype}) 0;")
            stores.append((out, access, value))
        return stores

    def _loops(
        self, ctype: str, loads: dict[tuple[str, Access], str], body: list[str], stores: list[Any]
    ) -> tuple[str, int]:
        shape = list(self.kind.shape)
        accesses = [access for _, access in loads] + [access for _, access, _ in stores]
        strides = [list(a.strides) for a in accesses]
        axis = 0
        while axis + 1 < len(shape):  # two axes are one loop where every address goes on from one to the next
            if all(s[axis] == s[axis + 1] * shape[axis + 1] for s in strides):
                shape[axis : axis + 2] = [shape[axis] * shape[axis + 1]]
                for s in strides:
                    s[axis : axis + 2] = [s[axis + 1]]
            else:
                axis += 1
        names = [name for name, _ in loads] + [name for name, _, _ in stores]
        parameters = [f"const {ctype}* restrict in{k}" for k in range(len(self.inputs))]
        parameters += [f"{ctype}* restrict out{k}" for k in range(len(self.outputs))]
        lines = [f"void NAME(long start, long stop, {', '.join(parameters)}) {{"]
        depth = len(shape)
        for k, n in enumerate(shape):
            first, last = ("start", "stop") if k == 0 else ("0", str(n))
            if k == depth - 1:
                lines.append(f"{'    ' * depth}#pragma omp simd")
            lines.append(f"{'    ' * (k + 1)}for (long i{k} = {first}; i{k} < {last}; ++i{k}) {{")
        pad = "    " * (depth + 1)

        def address(number: int) -> str:
            terms = [f"i{k} * {s}L" if s != 1 else f"i{k}" for k, s in enumerate(strides[number]) if s]
            if accesses[number].offset:
                terms.append(str(accesses[number].offset))
            return f"{names[number]}[{' + '.join(terms) or '0'}]"

        for number, value in enumerate(loads.values()):
            lines.append(f"{pad}const {ctype} {value} = {address(number)};")
        lines += [pad + line for line in body]
        for k, (_, _, value) in enumerate(stores):
            lines.append(f"{pad}{address(len(loads) + k)} = {value};")
        lines += ["    " * (k + 1) + "}" for k in reversed(range(depth))]
        return "\n".join([*lines, "}", ""]), shape[0] if shape else 1

    # --- running ---

    def attach(self, function: Any) -> None:
        """Take the compiled function."""
        function.restype = None
        function.argtypes = [ctypes.c_long] * 2 + [ctypes.c_void_p] * (len(self.inputs) + len(self.outputs))
        self._function = function

    def run(self, *arrays: Any, **given: Any) -> Any:
        """Evaluate the region; ``out0_given=`` etc. say where results go."""
        if self._function is None:
            compile_regions([self])
        inputs = [numpy.ascontiguousarray(a) for a in arrays]
        outs = []
        for k, kind in enumerate(self.types):
            out = given.get(f"out{k}_given")
            outs.append(numpy.empty(kind.shape, kind.dtype) if out is None else out)
        addresses = [a.__array_interface__["data"][0] for a in (*inputs, *outs)]
        _divide(self._function, self._length, self.kind.size, addresses)
        return outs[0] if len(outs) == 1 else tuple(outs)


def _largest(elements: Sequence[str], ctype: str) -> str:
    """Return the expression of the largest of several values."""
    return functools.reduce(lambda joined, element: f"larger_{ctype}({joined}, {element})", elements)


def _divide(function: Any, length: int, size: int, addresses: list[int]) -> None:
    """Run a function over its outermost loop; large ones on all cores (a call from C holds no lock)."""
    workers = min(_cores(), length)
    if size < PARALLEL_SIZE or workers < 2:
        function(0, length, *addresses)
        return
    step = -(-length // workers)
    pool = _pool(os.getpid())
    others = [
        pool.submit(function, start, min(start + step, length), *addresses) for start in range(step, length, step)
    ]
    function(0, step, *addresses)
    for other in others:
        other.result()


@functools.cache
def _cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


@functools.cache
def _pool(process: int) -> concurrent.futures.ThreadPoolExecutor:
    """Return the threads of this process: after a fork, the child has none of its parent's."""
    return concurrent.futures.ThreadPoolExecutor(max(1, _cores() - 1), f"d2lhybrid-{process}")


def compile_regions(regions: Sequence[CRegion]) -> str:
    """Compile several regions with one call of the compiler; return the source."""
    texts = [region.source.replace("NAME", f"region{k}") for k, region in enumerate(regions)]
    source = "\n".join([PRELUDE, *texts])
    library = build(source)
    for k, region in enumerate(regions):
        region.attach(getattr(library, f"region{k}"))
    return source
