"""Views of a hybridized net (programs, reports, pictures, intermediate values) and its exported files.

These functions are methods of :class:`HybridBlock`.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from .. import ndarray as nd
from ..internals.support.filesystem import files_together
from ..internals.support.number_arguments import epoch_file
from ..internals.support.plugins import service
from .peek import Peek

if TYPE_CHECKING:
    from ..internals.core.pipeline import Program
    from ..internals.pictures import NetGraph
    from ..internals.reports.report import Report
    from ..symbol.symbol import Symbol
    from .block import Block
    from .hybrid_block import HybridBlock

__all__ = ["explain", "export", "graph", "peek", "programs"]


@property
def programs(self: HybridBlock) -> list[Program]:
    """The programs that were compiled from this block, oldest first.

    A program is compiled for each combination of the arguments' shapes and element types, the device, the training
    mode, and whether gradients are recorded. ``hybridize()`` discards all programs.

    Examples
    --------
    >>> from d2lhybrid import nd
    >>> from d2lhybrid.gluon import nn
    >>> net = nn.HybridLambda(lambda F, x: F.relu(x) * 2)
    >>> net.hybridize()
    >>> net.programs
    []
    >>> y = net(nd.ones((2, 3)))
    >>> print(net.programs[0].source)
    def forward(...
    """
    return [] if self._cached_op is None else list(self._cached_op.programs.values())


def explain(self: HybridBlock, *inputs: Any, profile: bool = False) -> Report:
    """Return a report on the compilations of this block, with the reason for each compilation.

    Parameters
    ----------
    *inputs : NDArray
        Arguments of the block. If you pass arguments, this method first calls the block, so that a program exists.
    profile : bool
        Whether to run the program for these inputs line by line and to time each line.

    Returns
    -------
    Report
        The report, which prints as a page of text.

    Raises
    ------
    ValueError
        If ``profile`` is True and there are no inputs.
    RuntimeError
        If there is no program to profile because the block is not hybridized.

    Examples
    --------
    >>> from d2lhybrid import nd
    >>> from d2lhybrid.gluon import nn
    >>> net = nn.HybridLambda(lambda F, x: F.relu(x) * 2)
    >>> net.hybridize()
    >>> report = net.explain(nd.ones((2, 3)))
    >>> y = net(nd.ones((4, 3)))
    >>> net.explain().compilations[-1].reasons
    ('the shape of data changed from (2, 3) to (4, 3)',)
    """
    from ..internals.reports.report import explain

    return explain(self, inputs, profile)


def graph(
    self: HybridBlock, *inputs: Any, training: bool | None = None, backward: bool = False, engine: str = "auto"
) -> NetGraph:
    """Return a picture of the graph that a call with these inputs runs.

    The block is traced if necessary, but nothing is computed. In a notebook, you can search the picture, expand and
    collapse its groups, and save it as SVG, PNG, or DOT.

    Parameters
    ----------
    *inputs : NDArray
        Arguments of the call. Without arguments, the picture shows the graph of the latest program.
    training : bool, optional
        Whether layers behave as in training; by default True if ``backward`` is True.
    backward : bool
        Whether to also show the backward pass.
    engine : str
        The layout engine: ``"own"`` for the layout of this package, ``"dot"`` for Graphviz, or ``"auto"``, which
        selects Graphviz if its program is installed and the layout of this package if it is not.

    Returns
    -------
    NetGraph
        The picture, which a notebook displays.

    Raises
    ------
    ValueError
        If there is no graph yet and no inputs to trace with.

    Examples
    --------
    >>> from d2lhybrid import nd
    >>> from d2lhybrid.gluon import nn
    >>> net = nn.HybridLambda(lambda F, x: F.relu(x) * 2, prefix="double_")
    >>> net.graph(nd.ones((2, 3)))
    HybridLambda double: traced, 2 operators, 12 flops
      double_relu0        relu -> float32 2×3
      double__mulscalar0  _mul_scalar 2 -> float32 2×3
    """
    return service("net_graph").of(self, *inputs, training=training, backward=backward, engine=engine)


@contextlib.contextmanager
def peek(self: HybridBlock, *names: str | Block) -> Iterator[Peek]:
    """Return a scope that collects intermediate values of the hybridized block from the compiled program.

    Within the scope, calls run the same graph, compiled with the requested values as additional outputs, and call the
    forward hooks of child blocks with values from the graph. Calls outside the scope have no extra cost.

    Parameters
    ----------
    *names : str or Block
        Names of values in the graph, with or without this block's prefix; patterns such as ``"*relu*"``; or child
        blocks, for their outputs. Without names, all values are collected.

    Yields
    ------
    Peek
        The collected values. With ``as seen``, ``seen["dense0_relu_fwd"]`` is the value in the last call, and
        ``seen.calls`` contains the values of all calls.

    Raises
    ------
    RuntimeError
        If the block is not hybridized. In that case, ``print`` in ``hybrid_forward`` shows all values.
    TypeError
        If an argument is neither a name nor a block.
    ValueError
        If the graph has no value with a given name. The call of the net raises this error.
    """
    if not self._active:
        raise RuntimeError("peek requires a compiled program. Call net.hybridize() first.")
    seen = Peek(self, names)
    outer, self._peek, self._fast_call = self._peek, seen, None
    try:
        yield seen
    finally:
        self._peek = outer


def export(
    self: HybridBlock,
    path: str,
    epoch: int = 0,
    remove_amp_cast: bool = True,
    *,
    format: str = "mxnet",
    dynamic_batch: bool = False,
) -> None:
    """Write the graph to ``path-symbol.json`` and the parameters to ``path-0000.params``, or both to one ONNX file.

    Parameters
    ----------
    path : str
        Path of the files without the suffixes ``-symbol.json`` and ``-0000.params``.
    epoch : int
        Epoch number in the name of the parameter file.
    remove_amp_cast : bool
        Ignored; accepted because MXNet's method has this argument.
    format : {"mxnet", "onnx"}
        File format. ``"onnx"`` writes one file, ``path.onnx``, for the input shapes of the latest program, and requires
        the package ``onnx``.
    dynamic_batch : bool
        Whether the first axis of the ONNX model's inputs may have any size.

    Raises
    ------
    RuntimeError
        If there is no graph, because the net was not hybridized or was not called after ``hybridize()``.
    ValueError
        If the format is unknown.
    MXNetError
        If ONNX cannot express an operator. No file is written.
    """
    if format not in ("mxnet", "onnx"):
        raise ValueError(f"format must be 'mxnet' or 'onnx', not {format!r}")
    if not self._cached_graph:
        raise RuntimeError(
            "Please first call block.hybridize() and then run forward with this block at least once before "
            "calling export."
        )
    out = self._cached_graph[1]
    params = dict(self.collect_params().items())
    used = {name: params[name]._reduce() for name in dict.fromkeys(out.list_inputs()) if name in params}
    if format == "onnx":
        _export_onnx(self, path, out, used, dynamic_batch)
        return
    aux = set(out.list_auxiliary_states())
    arrays = {f"{'aux' if name in aux else 'arg'}:{name}": array for name, array in used.items()}
    name = epoch_file(path, epoch)
    with files_together():
        out.save(f"{path}-symbol.json")
        nd.save(name, arrays)


def _export_onnx(self: HybridBlock, path: str, out: Symbol, params: dict[str, Any], dynamic_batch: bool) -> None:
    cached = self._cached_op
    if cached is None or not cached.programs:
        raise RuntimeError(
            "Please first call block.hybridize() and then run forward with this block at least once before "
            "calling export, because an ONNX file contains the shapes of the inputs."
        )
    latest = next(reversed(cached.programs))[3:]
    signature = dict(zip(cached.names, latest, strict=True))
    variables = [v.name for v in self._cached_graph[0] if v is not None]  # type: ignore[index]
    shapes = {n: signature[n][0] for n in variables if n in signature}
    types = {n: signature[n][1] for n in shapes}
    batches = {n: ("batch", *shape[1:]) if shape else shape for n, shape in shapes.items()}
    target = path if path.endswith(".onnx") else f"{path}.onnx"
    service("export_onnx")(out, params, shapes, types, batches if dynamic_batch else None, target)
