"""The graph of a quantized model, with layers on int8 and conversions before and after these layers."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping
from typing import Any

from ... import symbol as sym
from ...internals.core.node import Entry, Node, topological_order
from ...internals.support.display import Shown
from ...symbol.symbol import Symbol

__all__ = ["QuantizedGraph", "quantized_parameters"]

#: The quantized operator of each operator.
_QUANTIZED = {
    "FullyConnected": "quantized_fully_connected", "Convolution": "quantized_conv", "Pooling": "quantized_pooling",
    "Activation": "quantized_act", "Flatten": "quantized_flatten", "Concat": "quantized_concat",
    "elemwise_add": "quantized_elemwise_add", "elemwise_mul": "quantized_elemwise_mul",
    "BatchNorm": "quantized_batch_norm",
}  # fmt: skip
_WITH_WEIGHTS = ("FullyConnected", "Convolution")
#: Operators whose int32 results are requantized to 8 bits.
_SUMS = (*_WITH_WEIGHTS, "elemwise_add", "elemwise_mul")


class QuantizedGraph(Shown):
    """A quantized graph made from a symbol.

    Parameters
    ----------
    symbol : Symbol
        The floating-point graph.
    excluded_names, excluded_ops : collection of str
        Names of nodes and of operators that are not quantized.
    dtype : str
        Quantized element type: ``int8``, ``uint8``, or ``auto``, which selects the type by the range of the values.
    full : bool
        Whether to quantize layers without weights everywhere. If False, they are quantized only after quantized layers.
    calibrated : bool
        Whether ranges will be calibrated. Batch normalization requires a calibrated range.

    Attributes
    ----------
    outputs : Symbol
        The quantized graph.
    parameters : set of str
        Weights and biases that are stored as int8.
    ranges : dict of str to str
        For the name of each node whose range can be calibrated, the output of the original graph with the same range.
    """

    def __init__(
        self, symbol: Any, excluded_names: Collection[str], excluded_ops: Collection[str], dtype: str, full: bool,
        calibrated: bool,
    ) -> None:  # fmt: skip
        self._names, self._ops = set(excluded_names), set(excluded_ops)
        self._dtype: Any = dtype
        self._full, self._calibrated = full, calibrated
        self._real: dict[Entry, Any] = {}
        self._triples: dict[Entry, tuple[Any, Any, Any]] = {}
        self.parameters: set[str] = set()
        self.ranges: dict[str, str] = {}
        for node in topological_order(symbol._entries):
            if node.op is None:
                self._real[node, 0] = Symbol([(node, 0)])
            elif self._can(node):
                self._quantized(node)
            else:
                made = node.with_inputs(tuple(self._of_real(entry)._entries[0] for entry in node.inputs))
                self._real.update({(node, i): Symbol([(made, i)]) for i in range(node.num_outputs)})
        self.outputs = sym.Group([self._of_real(entry) for entry in symbol._entries])
        if len(symbol._entries) == 1:
            self.outputs = self._of_real(symbol._entries[0])

    def _can(self, node: Node) -> bool:
        """Return whether a node is quantized."""
        assert node.op is not None
        op, params = node.op.name, node.op.complete(node.params)
        if op not in _QUANTIZED or node.name in self._names or {op, node.attrs.get("op", op)} & self._ops:
            return False
        if op == "Convolution" and self._dtype != "int8":  # the operator would use the step size of int8 for uint8
            return False
        if op in _WITH_WEIGHTS:
            return all(source.op is None for source, _ in node.inputs[1:])
        if (op == "Activation" and params["act_type"] != "relu") or (
            op == "Pooling" and params["pool_type"] not in ("max", "avg")
        ):
            return False
        if op == "BatchNorm" and not (self._calibrated and params["axis"] == 1):
            return False
        data = node.inputs[:1] if op == "BatchNorm" else node.inputs
        return self._full or any(entry in self._triples for entry in data)

    # --- conversions between floating-point and quantized values ---

    def _of_real(self, entry: Entry) -> Any:
        """Return the floating-point values of an output."""
        if entry not in self._real:
            self._real[entry] = sym.contrib.dequantize(*self._triples[entry], name=f"{entry[0].name}_dequantize")
        return self._real[entry]

    def _of_int8(self, entry: Entry) -> tuple[Any, Any, Any]:
        """Return the quantized values of an output, and their range."""
        if entry not in self._triples:
            name = f"{output_name(entry)}_quantize"
            made = sym.contrib.quantize_v2(self._real[entry], out_type=self._dtype, name=name)
            if entry[0].op is None:  # for other entries, MXNet uses the range of each batch
                self.ranges[name] = output_name(entry)
            self._triples[entry] = (made[0], made[1], made[2])
        return self._triples[entry]

    # --- layers ---

    def _quantized(self, node: Node) -> None:
        assert node.op is not None
        op = node.op.name
        settings = {name: value for name, value in node.params.items() if name != "num_args"}
        function = getattr(sym.contrib, _QUANTIZED[op])
        name = f"quantized_{node.name}"
        if op in _WITH_WEIGHTS:
            made = function(**self._with_weights(node), **settings, name=name)
        elif op == "BatchNorm":
            data, low, high = self._of_int8(node.inputs[0])
            others = [self._of_real(entry) for entry in node.inputs[1:]]
            made = function(data, *others, low, high, **settings, name=name)
            self.ranges[name] = output_name((node, 0))
        else:
            triples = [self._of_int8(entry) for entry in node.inputs]
            ranges = [end for _, low, high in triples for end in (low, high)]
            made = function(*(data for data, _, _ in triples), *ranges, **settings, name=name)
        if op in _SUMS:
            name = f"requantize_{node.name}"
            made = sym.contrib.requantize(made[0], made[1], made[2], out_type=self._dtype, name=name)
            if op not in _WITH_WEIGHTS:  # for these operators, MXNet uses the range of each batch
                self.ranges[name] = output_name((node, 0))
        self._triples[node, 0] = (made[0], made[1], made[2])

    def _with_weights(self, node: Node) -> dict[str, Any]:
        """Return the inputs of a layer with weights by name. The weights are quantized in advance."""
        data, low, high = self._of_int8(node.inputs[0])
        found = {"data": data, "min_data": low, "max_data": high}
        for kind, (source, _) in zip(("weight", "bias"), node.inputs[1:], strict=False):
            self.parameters.add(source.name)
            found[kind] = sym.var(f"{source.name}_quantize")
            found[f"min_{kind}"] = sym.var(f"{source.name}_quantize_min")
            found[f"max_{kind}"] = sym.var(f"{source.name}_quantize_max")
        return found


def output_name(entry: Entry) -> str:
    """Return MXNet's name of an output. The output of a variable has the variable's name.

    Parameters
    ----------
    entry : Entry
        Node and index of the output.

    Returns
    -------
    str
        The name.
    """
    return Symbol([entry]).list_outputs()[0]


def with_ranges(symbol: Any, ranges: Mapping[str, tuple[float, float]]) -> Any:
    """Return a copy of a quantized graph that stores calibrated ranges in its nodes.

    Parameters
    ----------
    symbol : Symbol
        The quantized graph.
    ranges : dict of str to (float, float)
        The minimum and maximum of each node, by name.

    Returns
    -------
    Symbol
        The graph with ranges.
    """
    graph = json.loads(symbol.tojson())
    for node in graph["nodes"]:
        if node["name"] in ranges:
            low, high = ranges[node["name"]]
            node.setdefault("attrs", {}).update(min_calib_range=f"{low:f}", max_calib_range=f"{high:f}")
    return sym.load_json(json.dumps(graph))


def quantized_parameters(symbol: Any, parameters: Mapping[str, Any]) -> dict[str, Any]:
    """Return the parameters of a quantized graph: quantized weights and biases with their ranges, and all others as is.

    Parameters
    ----------
    symbol : Symbol
        The quantized graph.
    parameters : dict of str to NDArray
        Parameters of the floating-point graph.

    Returns
    -------
    dict of str to NDArray
        The parameters by name.
    """
    from ... import ndarray as nd

    found: dict[str, Any] = {}
    for name in symbol.list_arguments():
        if name.endswith("_quantize") and name.removesuffix("_quantize") in parameters:
            array = parameters[name.removesuffix("_quantize")]
            found[name], found[f"{name}_min"], found[f"{name}_max"] = nd.contrib.quantize(
                array, nd.min(array), nd.max(array), out_type="int8"
            )
        elif name in parameters:
            found[name] = parameters[name]
    return found
