"""Programs for a GPU: flat Python over CuPy, in which generated kernels do nearly all the work.

On a GPU, every operator is at least one kernel launch, and launches take most of the time of a small net. Therefore,
operators are fused into few kernels, which are generated for the net's shapes. Examples of one kernel are a dense layer
with its bias and its activation, a chain of element-wise operators, and a pooling with the operators after it.
With ``static_alloc`` and ``static_shape``, the launches are captured as a CUDA graph (``cuda_graph.py``).
"""

from __future__ import annotations

import dataclasses
import functools
import os
import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy

from d2lhybrid.context import Context
from d2lhybrid.error import MXNetError

from ...core.graph import Graph, TensorType
from ...core.node import Entry, Node, topological_order
from ...core.options import Options
from ...device import array_modules
from ...ops.products import Product
from ..emitter import Emitter, Lowering, plain_lowering
from ..passes.assign_layout import assign_layout
from ..passes.convolve_directly import convolve_directly
from ..passes.regions import find_regions, replace_regions
from ..passes.split_bias import split_bias
from ..product_nodes import product_of
from . import cublas
from .cublas import CublasProduct
from .cuda_expressions import CUDA_PRELUDE
from .cuda_graph import Recorder
from .cuda_product import CudaProduct, can_be_kernel
from .cuda_region import CudaBody, CudaRegion
from .python_backend import PythonBackend
from .region_code import CTYPES, element_kind

if TYPE_CHECKING:
    from ...core.backends import Passes
    from ...core.codegen import Halves
    from ...core.pipeline import Program, Settings, Stage

__all__ = ["CupyBackend", "cuda_source", "fuse_for_cuda"]
CHINESE = ("为 CUDA 融合", "GPU 上的程序：各行是调用 CuPy 的 Python 代码，几乎所有的工作都由我们自己的核函数完成。")

#: The largest number of operations of a product in a generated kernel. For larger products, cuBLAS saves more time than
#: fusion.
OWN_FLOPS = 1 << 27
#: The environment variable that chooses the kernels for matrix products: ``own``, ``cublas``, or ``auto`` (by size).
VARIABLE = "D2LHYBRID_GPU_GEMM"


class CupyBackend(PythonBackend):
    """The default backend on a GPU, which generates Python that calls CuPy and generated kernels."""

    name = "cupy"

    def check_available(self) -> None:
        """Raise an error if CuPy or a GPU is missing.

        Raises
        ------
        MXNetError
            If CuPy or a GPU is missing.
        """
        array_modules.array_module(Context("gpu"))

    def check_settings(self, settings: Settings) -> None:
        """Raise :class:`MXNetError` if the arrays are on the CPU.

        Raises
        ------
        MXNetError
            If the arrays are on the CPU.
        """
        if settings.xp is numpy:
            error = MXNetError("Error optimizing for backend 'cupy': the arrays are on the CPU")
            error.add_note("Move the arrays and the net to a GPU: x.as_in_context(mx.gpu()), net.reset_ctx(mx.gpu()).")
            raise error

    def passes(self, passes: Passes, settings: Settings) -> Passes:
        """Return the passes with batch-last convolutions where possible, and with fusion for CUDA."""
        found: list[tuple[str, Callable[[Graph], Graph]]] = []
        for name, run in passes:
            if name == "assign layout":
                found.append((name, functools.partial(assign_layout, always=True)))
            elif name == "fuse element-wise":
                found += [
                    ("convolve directly", convolve_directly),
                    ("split bias", split_bias),
                    ("fuse for CUDA", functools.partial(fuse_for_cuda, xp=settings.xp)),
                ]
            else:
                found.append((name, run))
        return found

    def options(self, graph: Graph, settings: Settings) -> Options:
        """Return the options of the writer, which generates launches of kernels and may record the launches."""
        recorder = Recorder(settings.xp) if settings.static_alloc and settings.static_shape else None
        options = super().options(graph, settings)
        return dataclasses.replace(options, lowering_of=_lowering, recorder=recorder, inputs_in_order=True)

    def program(self, graph: Graph, stages: list[Stage], halves: Halves, settings: Settings) -> Program:
        """Compile all kernels at once, and return the Python program that launches the kernels."""
        bodies = _bodies(graph)
        source, names = _source(bodies)
        for body in bodies:
            name, module = names.get(body.source, ""), array_modules.cuda_module(source) if source else None
            body.attach(functools.partial(_kernel, module, name))
        program = super().program(graph, stages, halves, settings)
        program.other_source = source
        return program


def cuda_source(program: Program) -> str:
    """Return the source code of the kernels that a program would launch on a GPU. No GPU is required.

    Parameters
    ----------
    program : Program
        A program for the CPU, such as ``net.programs[0]``.

    Returns
    -------
    str
        The CUDA C code; empty if the program has no generated kernel.

    Examples
    --------
    >>> from d2lhybrid import nd
    >>> from d2lhybrid.gluon import nn
    >>> net = nn.HybridLambda(lambda F, x: F.tanh(x) * 2 + 1)
    >>> net.hybridize()
    >>> y = net(nd.ones((3, 4)))
    >>> source = cuda_source(net.programs[0])
    >>> print(source[source.index("    const float x0") :].partition("}")[0])
        const float x0 = in0[i0];
        const float v0 = tanh_of_float(x0);
        const float v1 = v0 * (float) 0x1.0000000000000p+1;
        const float v2 = v1 + (float) 0x1.0000000000000p+0;
        out0[i0] = v2;
    <BLANKLINE>
    """
    from ...core.pipeline import Settings, run_passes

    graph = program.stages[0].graph
    recording = program.backward is not None
    wanted = [i in program.gradient_of for i in range(len(graph.inputs))] if recording else None
    settings = Settings(numpy, graph.training, recording, CupyBackend())
    return _source(_bodies(run_passes(graph, wanted, settings)))[0]


def _bodies(graph: Graph) -> list[CudaBody]:
    bodies = [n.params["body"] for n in graph.nodes if n.op is not None and n.op.name == "_fused"]
    return [body for body in bodies if isinstance(body, CudaBody)]


def _source(bodies: list[CudaBody]) -> tuple[str, dict[str, str]]:
    """Return the source code of all bodies' kernels without duplicates, and the names of the kernels in it."""
    names: dict[str, str] = {}
    for body in bodies:
        if body.source and body.source not in names:
            label = re.sub(r"[^A-Za-z0-9_]", "_", body.nodes[0].name)[:40]
            names[body.source] = f"kernel{len(names)}_{label}"
    texts = [source.replace("NAME", name) for source, name in names.items()]
    return "\n".join([CUDA_PRELUDE, *texts]) if texts else "", names


def _kernel(module: Any, name: str, ending: str) -> Any:
    return module.get_function(name + ending)


def fuse_for_cuda(graph: Graph, xp: Any) -> Graph:
    """Return the graph with fused regions and products as single nodes.

    Parameters
    ----------
    graph : Graph
        The graph.
    xp : module
        CuPy.

    Returns
    -------
    Graph
        The new graph, or the same graph if nothing changes.

    Raises
    ------
    MXNetError
        If the environment variable ``D2LHYBRID_GPU_GEMM`` has an unknown value.
    """
    products = _products(graph)
    forward = graph.outputs + tuple(u.value for u in graph.updates if u.stage == "forward")
    in_forward = set(topological_order(forward))
    regions, after = [], {}
    taken: set[Node] = set()
    for region in find_regions(graph, lambda node: _kind(graph, node), _reads_elsewhere):
        if not region:
            continue
        kind = _kind(graph, region[0])
        assert kind is not None
        first = _joined_product(graph, region, kind, products, in_forward, taken)
        if first is not None:
            taken.add(first)
            after[first] = region
            region = [first, *region]
        regions.append(region)
    regions += [[products[key][0]] for key in products if key not in taken]

    def make(nodes: list[Node], inputs: list[Entry], outputs: list[Entry]) -> CudaBody:
        if nodes[0] not in products:
            kind = _kind(graph, nodes[0])
            assert kind is not None
            return CudaRegion(xp, graph, nodes, inputs, outputs, kind)
        node, product, is_own = products[nodes[0]]
        if not is_own:
            return CublasProduct(xp, graph, node, inputs, product)
        rest = after.get(node)
        region = None if rest is None else _region(graph, rest, outputs, xp)
        return CudaProduct(xp, graph, nodes, inputs, outputs, product, region)

    return replace_regions(graph, regions, make)


def _kind(graph: Graph, node: Node) -> TensorType | None:
    """Return the iteration space of a node; None if it can't be part of a kernel."""
    if node.op is not None and node.op.view == "transpose":
        kind = graph.types[node, 0]
        return kind if kind.dtype.name in CTYPES and kind.size and kind.shape else None
    return element_kind(graph, node)


def _reads_elsewhere(node: Node) -> bool:
    return node.op is not None and node.op.view == "transpose"


def _products(graph: Graph) -> dict[Node, tuple[Node, Product, bool]]:
    """Return the nodes that compute products, and whether a generated kernel computes each of them."""
    choice = os.environ.get(VARIABLE, "auto")
    if choice not in ("auto", "own", "cublas"):
        raise MXNetError(f"{VARIABLE} is {choice!r}, but it must be auto, own, or cublas")
    found = {}
    for node in graph.nodes:
        if node.op is None or node.num_outputs != 1:
            continue
        product = product_of(node, [graph.types[e] for e in node.inputs], graph.types[node, 0])
        if product is None or not can_be_kernel(product):
            continue
        large = choice == "cublas" or (choice == "auto" and product.flops > OWN_FLOPS)
        is_own = not (large and product.is_matrix_product and cublas.is_available())
        found[node] = node, product, is_own
    return found


def _joined_product(
    graph: Graph,
    region: list[Node],
    kind: TensorType,
    products: dict[Node, tuple[Node, Product, bool]],
    in_forward: set[Node],
    taken: set[Node],
) -> Node | None:
    """Return the most expensive product whose result only a region reads, element by element."""
    inside, results = set(region), {n for n, _ in graph.roots}
    candidates = []
    for node in {c: c for n in region for c, _ in n.inputs if c in products}.values():
        alone = all(user in inside for user in graph.users.get(node, [])) and node not in results
        same = graph.types[node, 0] == kind and (node in in_forward) == (region[0] in in_forward)
        if alone and same and products[node][2] and node not in taken and _is_read_in_place(graph, region, node):
            candidates.append(node)
    return max(candidates, key=lambda node: products[node][1].flops, default=None)


def _is_read_in_place(graph: Graph, region: list[Node], node: Node) -> bool:
    """Return whether a region reads a value only at the same position, and not through a window."""
    windows = ("_pooling_batch_last", "_backward_pooling_batch_last")
    users = [n for n in region if any(c is node for c, _ in n.inputs)]
    return all(
        n.op is not None
        and n.op.view != "transpose"
        and n.op.name not in windows
        and graph.types[n, 0] == graph.types[node, 0]
        for n in users
    )


def _region(graph: Graph, nodes: list[Node], outputs: list[Entry], xp: Any) -> CudaRegion:
    inside = set(nodes)
    inputs = list(dict.fromkeys((c, i) for n in nodes for c, i in n.inputs if c not in inside))
    kind = _kind(graph, nodes[0])
    assert kind is not None
    return CudaRegion(xp, graph, nodes, inputs, outputs, kind)


def _lowering(node: Node, types: list[TensorType], results: list[TensorType]) -> Lowering | None:
    """Return the lowering of a node to lines over CuPy."""
    if node.op is not None and node.op.name == "_fused":
        return _launch
    return plain_lowering(node, types, results)


def _launch(emit: Emitter) -> None:
    """Emit a call that launches the kernels of a body, which read and write contiguous arrays."""
    run = emit.host.bound(f"launch_{emit.node.name}", emit.node.params["body"].run)
    arguments = [emit.in_order(i) for i in range(len(emit.arguments))]
    if any(out in emit.host.static for out in emit.outs):  # the function can't assign to names of the arena
        places = [f"out{i}_given={emit.memory(i)}" for i in range(len(emit.outs))]
        emit.line(f"{run}({', '.join([*arguments, *places])})")
    else:
        emit.line(f"{', '.join(emit.outs)} = {run}({', '.join(arguments)})")
    emit.host.in_order.update(emit.outs)
