"""``mx.contrib.quantization``: conversion of floating-point models to int8.

Converted graphs contain the quantized operators of ``contrib``, whereas MXNet uses oneDNN's fused layers on a CPU.
Calibration finds the range of each array from examples: ``calib_mode="naive"`` uses the minimum and maximum,
``"entropy"`` uses the range with the least loss of information, and ``"none"`` uses the range of each batch.

Examples
--------
>>> from d2lhybrid import gluon, nd
>>> net = gluon.nn.HybridSequential()
>>> net.add(gluon.nn.Dense(8, in_units=4, activation="relu"), gluon.nn.Dense(2, in_units=8))
>>> net.initialize()
>>> x = nd.random.uniform(shape=(16, 4))
>>> small = quantize_net(net, calib_mode="naive", calib_data=gluon.data.DataLoader(x, batch_size=4))
>>> bool((abs(small(x) - net(x)) < 0.02).asnumpy().all())
True
"""

from __future__ import annotations

import logging
import os
import tempfile
import warnings
from collections.abc import Iterator, Sequence
from typing import Any

from ... import gluon, io
from ... import ndarray as nd
from ... import symbol as sym_module
from ...context import Context, cpu
from ...internals.support.notes import with_note
from ...model import load_checkpoint
from ...symbol.symbol import Symbol
from .calibration import HistogramCollector, MinMaxCollector, combine_histogram
from .graph import QuantizedGraph, quantized_parameters, with_ranges

__all__ = [
    "calib_graph", "combine_histogram", "quantize_graph", "quantize_model", "quantize_model_mkldnn", "quantize_net",
    "quantize_net_v2",
]  # fmt: skip

_CPU = cpu(0)


class _Collected:
    """The state of a calibration between :func:`quantize_graph` and :func:`calib_graph`.

    Parameters
    ----------
    ranges : dict of str to str
        The output of the original graph with the same range, by node of the quantized graph.
    collector : object
        Object that receives values of outputs and returns their ranges.
    """

    def __init__(self, ranges: dict[str, str], collector: Any) -> None:
        self.nodes, self.collector = ranges, collector

    @property
    def outputs(self) -> list[str]:
        """The outputs of the original graph to collect."""
        return list(dict.fromkeys(self.nodes.values()))


def quantize_graph(
    sym: Any,
    arg_params: dict[str, Any],
    aux_params: dict[str, Any],
    ctx: Context = _CPU,
    excluded_sym_names: Sequence[str] | None = None,
    excluded_op_names: Sequence[str] | None = None,
    calib_mode: str | None = "entropy",
    quantized_dtype: str = "int8",
    quantize_mode: str = "full",
    quantize_granularity: str = "tensor-wise",
    LayerOutputCollector: Any = None,  # noqa: N803 - MXNet calls it so
    logger: Any = None,
) -> tuple[Any, dict[str, Any], dict[str, Any], Any]:
    """Return the quantized graph, its parameters and states, and the collector of ranges for :func:`calib_graph`.

    Parameters
    ----------
    sym : Symbol
        The floating-point graph.
    arg_params, aux_params : dict of str to NDArray
        Parameters and states of the graph.
    ctx : Context
        Ignored, because the function runs no calibration.
    excluded_sym_names, excluded_op_names : list of str, optional
        Names of nodes and of operators that are not quantized.
    calib_mode : {"none", "naive", "entropy", "customize"}
        Method that finds the ranges.
    quantized_dtype : {"int8", "uint8", "auto"}
        Quantized element type. Convolutions are quantized to int8 only.
    quantize_mode : {"full", "smart"}
        Whether to quantize layers without weights everywhere (``"full"``) or only after quantized layers (``"smart"``).
    quantize_granularity : {"tensor-wise"}
        Granularity of the ranges: one range for each array.
    LayerOutputCollector : object, optional
        Collector for ``"customize"``, with the methods ``collect(name, array)`` and ``ranges(dtype)``.
    logger : logging.Logger, optional
        Logger for messages.

    Returns
    -------
    tuple of (Symbol, dict, dict, object)
        The quantized graph, its parameters, its states, and the collector. Without calibration, the collector is None.

    Raises
    ------
    ValueError
        If a mode or type is unknown, or if ``"customize"`` is passed without a collector.
    """
    _check(quantized_dtype, quantize_mode, quantize_granularity, calib_mode)
    calibrated = calib_mode not in (None, "none")
    names, ops = excluded_sym_names or [], excluded_op_names or []
    made = QuantizedGraph(sym, names, ops, quantized_dtype, quantize_mode == "full", calibrated)
    collectors = {"naive": MinMaxCollector, "entropy": HistogramCollector}
    collector = collectors[calib_mode]() if calib_mode in collectors else LayerOutputCollector
    if calib_mode == "customize" and collector is None:
        raise ValueError("LayerOutputCollector must be provided when calib_mode=customize")
    if logger:
        logger.info("Quantizing symbol: %d parameters become int8", len(made.parameters))
    parameters = quantized_parameters(made.outputs, arg_params)
    return made.outputs, parameters, aux_params, _Collected(made.ranges, collector) if calibrated else None


def _check(dtype: str, mode: str, granularity: str, calib_mode: str | None) -> None:
    if dtype not in ("int8", "uint8", "auto"):
        raise ValueError(f"unknown quantized_dtype {dtype} received, expected `int8`, `uint8` or `auto`")
    if mode not in ("full", "smart"):
        raise ValueError(f"unknown quantize_mode {mode} received, expected `full` or `smart`")
    if granularity != "tensor-wise":
        raise ValueError(f"quantize_granularity must be 'tensor-wise' (one range for each array), not {granularity!r}")
    if calib_mode not in (None, "none", "naive", "entropy", "customize"):
        raise ValueError(
            f"unknown calibration mode {calib_mode} received, expected `none`, `naive`, `entropy`, or `customize`"
        )


def calib_graph(
    qsym: Any,
    arg_params: dict[str, Any],
    aux_params: dict[str, Any],
    collector: Any,
    calib_mode: str = "entropy",
    quantized_dtype: str = "int8",
    logger: Any = logging,
) -> tuple[Any, dict[str, Any], dict[str, Any]]:
    """Return the quantized graph with the collected ranges, its parameters, and its states.

    Parameters
    ----------
    qsym : Symbol
        The quantized graph.
    arg_params, aux_params : dict of str to NDArray
        Parameters and states of the floating-point graph.
    collector : object
        A collector from :func:`quantize_graph` that has received examples.
    calib_mode : str
        Name of the calibration method, which is only logged.
    quantized_dtype : str
        Argument of :func:`quantize_graph`.
    logger : logging.Logger, optional
        Logger for messages.

    Returns
    -------
    tuple of (Symbol, dict, dict)
        The quantized graph with ranges, its parameters, and its states.
    """
    found = collector.collector.ranges(quantized_dtype)
    ranges = {node: found[output] for node, output in collector.nodes.items() if output in found}
    if logger:
        logger.info("Calibrated %d ranges (%s)", len(ranges), calib_mode)
    qsym = with_ranges(qsym, ranges)
    return qsym, quantized_parameters(qsym, arg_params), aux_params


def _show_examples(
    symbol: Any, arg_params: Any, aux_params: Any, data: Iterator[dict[str, Any]], collected: _Collected, ctx: Context,
    most: int | None, logger: Any,
) -> None:  # fmt: skip
    """Run the floating-point graph, and pass the outputs whose ranges are required to the collector."""
    inside = symbol.get_internals()
    wanted = collected.outputs
    variables = [name for name in wanted if name in symbol.list_inputs()]
    others = [name for name in wanted if name not in variables]
    group = sym_module.Group([inside[name] for name in others]) if others else None
    count = 0
    for batch in data:
        for name in variables:
            collected.collector.collect(name, {**arg_params, **batch}[name].asnumpy())
        if group is not None:
            needed = set(group.list_arguments())
            arguments = {n: a.as_in_context(ctx) for n, a in {**arg_params, **batch}.items() if n in needed}
            states = {n: aux_params[n].as_in_context(ctx) for n in group.list_auxiliary_states()}
            outputs = group.bind(ctx, arguments, aux_states=states, grad_req="null").forward(is_train=False)
            for name, output in zip(others, outputs, strict=True):
                collected.collector.collect(name, output.asnumpy())
        count += next(iter(batch.values())).shape[0]
        if most is not None and count >= most:
            break
    if not count:
        note = "Pass at least one batch. A generator that was already read to its end yields no batches."
        raise with_note(ValueError("calib_data contains no examples"), note)
    if logger:
        logger.info("Collected layer output values from FP32 model using %d examples", count)


def _batches(data: Any, names: Sequence[str]) -> Iterator[dict[str, Any]]:
    """Return the data of each batch by name, without labels at the end."""
    if isinstance(data, io.DataIter):
        data.reset()
    for batch in [data] if isinstance(data, nd.NDArray) else data:
        arrays = batch.data if isinstance(batch, io.DataBatch) else batch
        arrays = list(arrays) if isinstance(arrays, (list, tuple)) else [arrays]
        yield dict(zip(names, arrays, strict=False))


def quantize_model(
    sym: Any,
    arg_params: dict[str, Any],
    aux_params: dict[str, Any],
    data_names: Sequence[str] = ("data",),
    label_names: Sequence[str] | None = ("softmax_label",),
    ctx: Context = _CPU,
    excluded_sym_names: Sequence[str] | None = None,
    excluded_op_names: Sequence[str] | None = None,
    calib_mode: str | None = "entropy",
    calib_data: Any = None,
    num_calib_examples: int | None = None,
    quantized_dtype: str = "int8",
    quantize_mode: str = "smart",
    quantize_granularity: str = "tensor-wise",
    logger: Any = None,
) -> tuple[Any, dict[str, Any], dict[str, Any]]:
    """Return a quantized symbol with its parameters and states.

    Parameters
    ----------
    sym : str or Symbol
        The graph, or the path of its JSON file.
    arg_params, aux_params : dict of str to NDArray
        Parameters and states of the graph.
    data_names, label_names : list of str
        Names of the inputs for data and for labels. The names of labels are ignored.
    ctx : Context
        Device on which the calibration runs.
    excluded_sym_names, excluded_op_names, calib_mode, quantized_dtype, quantize_mode, quantize_granularity
        Arguments of :func:`quantize_graph`.
    calib_data : DataIter, DataLoader or NDArray
        Examples for the calibration. Not required with ``calib_mode="none"``.
    num_calib_examples : int, optional
        Maximum number of examples.
    logger : logging.Logger, optional
        Logger for messages.

    Returns
    -------
    tuple of (Symbol, dict, dict)
        The quantized graph, its parameters, and its states.

    Raises
    ------
    ValueError
        If there are no examples, or if a mode is unknown.
    """
    if isinstance(sym, str):
        sym = sym_module.load(sym)
    qsym, parameters, states, collected = quantize_graph(
        sym, arg_params, aux_params, ctx, excluded_sym_names, excluded_op_names, calib_mode, quantized_dtype,
        quantize_mode, quantize_granularity, None, logger,
    )  # fmt: skip
    if collected is None:
        return qsym, parameters, states
    if calib_data is None:
        raise ValueError(f"calib_data must be provided when calib_mode={calib_mode}")
    batches = _batches(calib_data, data_names)
    _show_examples(sym, arg_params, aux_params, batches, collected, ctx, num_calib_examples, logger)
    return calib_graph(qsym, arg_params, aux_params, collected, str(calib_mode), quantized_dtype, logger)


def quantize_model_mkldnn(
    sym: Any,
    arg_params: dict[str, Any],
    aux_params: dict[str, Any],
    data_names: Sequence[str] = ("data",),
    label_names: Sequence[str] | None = ("softmax_label",),
    ctx: Context = _CPU,
    excluded_sym_names: Sequence[str] | None = None,
    excluded_op_names: Sequence[str] | None = None,
    calib_mode: str | None = "entropy",
    calib_data: Any = None,
    num_calib_examples: int | None = None,
    quantized_dtype: str = "int8",
    quantize_mode: str = "smart",
    quantize_granularity: str = "tensor-wise",
    logger: Any = None,
) -> tuple[Any, dict[str, Any], dict[str, Any]]:
    """Quantize a graph for the CPU, with :func:`quantize_model`.

    Unlike MXNet's function, this function does not fuse layers with oneDNN.

    The parameters are those of :func:`quantize_model`.

    Returns
    -------
    tuple of (Symbol, dict, dict)
        The quantized graph, its parameters, and its states.

    Raises
    ------
    ValueError
        If ``ctx`` is a GPU.
    """
    if ctx.device_type != "cpu":
        raise ValueError("quantize_model_mkldnn only support Intel cpu platform with MKL-DNN Backend")
    return quantize_model(
        sym, arg_params, aux_params, data_names, label_names, ctx, excluded_sym_names, excluded_op_names, calib_mode,
        calib_data, num_calib_examples, quantized_dtype, quantize_mode, quantize_granularity, logger,
    )  # fmt: skip


def quantize_net_v2(
    network: Any,
    quantized_dtype: str = "auto",
    quantize_mode: str = "full",
    quantize_granularity: str = "tensor-wise",
    exclude_layers: Sequence[str] | None = None,
    exclude_layers_match: Sequence[str] | None = None,
    exclude_operators: Sequence[str] | None = None,
    calib_data: Any = None,
    data_shapes: Any = None,
    calib_mode: str | None = "none",
    num_calib_examples: int | None = None,
    ctx: Context = _CPU,
    LayerOutputCollector: Any = None,  # noqa: N803 - MXNet calls it so
    logger: Any = None,
) -> Any:
    """Quantize a net, and return the result as a new block.

    Parameters
    ----------
    network : HybridBlock
        The net. This function hybridizes the net and does not change it otherwise.
    quantized_dtype : {"auto", "int8", "uint8"}
        Quantized element type. ``"auto"`` selects int8. With ``"uint8"``, convolutions are not quantized.
    quantize_mode, quantize_granularity, calib_mode, LayerOutputCollector
        Arguments of :func:`quantize_graph`.
    exclude_layers, exclude_operators : list of str, optional
        Names of nodes and of operators that are not quantized.
    exclude_layers_match : list of str, optional
        Substrings of the names of nodes that are not quantized.
    calib_data : DataIter, DataLoader or NDArray, optional
        Examples for the calibration.
    data_shapes : list of DataDesc or of (str, tuple), optional
        Shapes of the inputs, if there are no examples.
    num_calib_examples : int, optional
        Maximum number of examples.
    ctx : Context
        Device of the block.
    logger : logging.Logger, optional
        Logger for messages.

    Returns
    -------
    SymbolBlock
        The quantized block.

    Raises
    ------
    ValueError
        If there are neither examples nor shapes, or if there are no examples for a calibration.
    """
    if quantized_dtype == "auto":
        quantized_dtype = "int8"
    network.hybridize()
    _call_once(network, calib_data, data_shapes, ctx)
    with tempfile.TemporaryDirectory() as folder:
        prefix = os.path.join(folder, "net")
        network.export(prefix)
        symbol, parameters, states = load_checkpoint(prefix, 0)
    names = [name for name in symbol.list_inputs() if name not in parameters and name not in states]
    inside = [str(Symbol([entry]).name) for entry in symbol.get_internals()._entries]
    excluded = [*(exclude_layers or [])]
    excluded += [name for name in inside if any(part in name for part in exclude_layers_match or [])]
    qsym, made, states, collected = quantize_graph(
        symbol, parameters, states, ctx, excluded, exclude_operators, calib_mode, quantized_dtype, quantize_mode,
        quantize_granularity, LayerOutputCollector, logger,
    )  # fmt: skip
    if collected is not None:
        if calib_data is None:
            raise ValueError(f"calib_data must be provided when calib_mode={calib_mode}")
        batches = _batches(calib_data, names)
        _show_examples(symbol, parameters, states, batches, collected, ctx, num_calib_examples, logger)
        qsym, made, states = calib_graph(
            qsym, parameters, states, collected, str(calib_mode), quantized_dtype, logger
        )  # fmt: skip
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Cannot decide type")  # the type of the unused data doesn't matter
        block = gluon.SymbolBlock(qsym, [sym_module.var(name) for name in names])
    arrays = {**{f"arg:{n}": a for n, a in made.items()}, **{f"aux:{n}": a for n, a in states.items()}}
    with tempfile.TemporaryDirectory() as folder:
        file = os.path.join(folder, "net.params")
        nd.save(file, arrays)
        block.collect_params().load(file, ctx, cast_dtype=True, dtype_source="saved")
    return block


def _call_once(network: Any, calib_data: Any, data_shapes: Any, ctx: Context) -> None:
    """Call a net with the first example, or with zeros, so that it has a graph."""
    if data_shapes:
        shapes = [getattr(one, "shape", None) or one[1] for one in data_shapes]
        network(*(nd.zeros(shape, ctx=ctx) for shape in shapes))
        return
    if calib_data is None:
        note = 'Pass the shapes of the inputs, such as data_shapes=[("data", (1, 3, 224, 224))], or pass calib_data.'
        raise with_note(ValueError("data_shapes required"), note)
    described: Any = getattr(calib_data, "provide_data", None)  # the batch of an iterator
    if described is not None:
        network(*(nd.zeros(one.shape, ctx=ctx) for one in described))
        return
    first = calib_data if isinstance(calib_data, nd.NDArray) else next(iter(calib_data))
    arrays = list(first) if isinstance(first, (list, tuple)) else [first]
    while True:
        try:
            network(*(array.as_in_context(ctx) for array in arrays))
            return
        except (TypeError, ValueError):
            if len(arrays) == 1:
                raise
            arrays.pop()  # the last array is the label


def quantize_net(
    network: Any,
    quantized_dtype: str = "auto",
    quantize_mode: str = "full",
    exclude_layers: Sequence[str] | None = None,
    exclude_layers_match: Sequence[str] | None = None,
    exclude_operators: Sequence[str] | None = None,
    calib_data: Any = None,
    data_shapes: Any = None,
    calib_mode: str | None = "none",
    num_calib_examples: int | None = None,
    ctx: Context = _CPU,
    logger: Any = None,
) -> Any:
    """Quantize a net, and return the result as a new block.

    The parameters are those of :func:`quantize_net_v2`, without ``quantize_granularity`` and ``LayerOutputCollector``.

    Returns
    -------
    SymbolBlock
        The quantized block.
    """
    return quantize_net_v2(
        network, quantized_dtype, quantize_mode, "tensor-wise", exclude_layers, exclude_layers_match, exclude_operators,
        calib_data, data_shapes, calib_mode, num_calib_examples, ctx, None, logger,
    )  # fmt: skip
