"""The expansion of layers that MXNet fused for oneDNN into operators of this package.

MXNet's graphs for Intel CPUs have nodes ``_sg_mkldnn_conv``, which contain the graph of a convolution and of the
operators fused with it: batch normalization, an activation, or a sum. A node on 8-bit integers takes the weight as
floating-point numbers, folds the normalization into it, and quantizes each filter with its own range. Products of 8-bit
integers are summed exactly. The sums are scaled to the calibrated range of the result and rounded, in MXNet's order of
operations. oneDNN and ``_npi_around`` round halves to even numbers, but MXNet's ``rint`` doesn't.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy

from ..error import MXNetError
from ..internals.core.operator import get_operator, is_registered
from ..internals.support.plural import counted
from .json_format import JsonEntry, JsonGraph, JsonNode
from .upgrade import parsed_attributes

__all__ = ["spelled_out"]

_CONVOLUTION = "_sg_mkldnn_conv"
_LAYERS = (_CONVOLUTION, "_sg_mkldnn_fully_connected")
_f = numpy.float32
#: The upper end of the calibrated range, in quantization steps.
_STEPS = {"int8": _f(127.5), "uint8": _f(255.5)}
_LIMITS = {"int8": (-128, 127), "uint8": (0, 255)}
#: Exceptions that a rule raises if the attributes and inputs in a file are inconsistent.
_UNFIT = (ValueError, TypeError, LookupError, ArithmeticError, AttributeError, AssertionError)


def spelled_out(graph: JsonGraph) -> JsonGraph:
    """Return a graph in which fused layers are expanded, or the graph itself if it has no fused layers.

    Parameters
    ----------
    graph : JsonGraph
        The contents of a file.

    Returns
    -------
    JsonGraph
        The expanded graph.

    Raises
    ------
    MXNetError
        If a fused layer cannot be expanded.
    """
    if not any(node.op in _LAYERS for node in graph.nodes):
        return graph
    made = _Made(graph)
    for node in graph.nodes:
        made.add_from_file(node)
    heads = tuple((*made.entry(source, output), 0) for source, output, _ in graph.heads)
    nodes = tuple(made.nodes)
    arguments = tuple(i for i, node in enumerate(nodes) if node.op == "null")
    return replace(graph, nodes=nodes, heads=heads, arg_nodes=arguments, node_row_ptr=())


def _is_true(attrs: Mapping[str, str], *names: str) -> bool:
    return any(attrs.get(name, "").lower() in ("1", "true") for name in names)


class _Made:
    """The nodes of the new graph.

    Parameters
    ----------
    graph : JsonGraph
        The graph of the file.
    """

    def __init__(self, graph: JsonGraph) -> None:
        self.nodes: list[JsonNode] = []
        #: Index of a node of the file -> index of the node in the new graph, or the outputs of its expansion.
        self._of_file: dict[int, int | list[JsonEntry]] = {}
        #: Index of a node of the file -> the element types of its outputs, with None for types that the file lacks.
        self._types: list[Sequence[numpy.dtype | None]] = []

    def entry(self, source: int, output: int) -> tuple[int, int]:
        """Return the entry of the new graph for an output of a node in the file."""
        there = self._of_file[source]
        if isinstance(there, int):
            return there, output
        if output >= len(there):
            raise MXNetError(
                f"a fused layer has {counted(len(there), 'output')}, but the file refers to the output with index "
                f"{output}"
            )
        return there[output][:2]

    def add(self, op: str, name: str, inputs: Sequence[JsonEntry], **attrs: object) -> JsonEntry:
        """Add a node, and return its output."""
        texts = {key: str(value) for key, value in attrs.items()}
        self.nodes.append(JsonNode(op, name, texts, tuple(inputs)))
        return (len(self.nodes) - 1, 0, 0)

    def add_from_file(self, node: JsonNode) -> None:
        """Add a node of the file, or its expansion."""
        index = len(self._types)
        inputs = [(*self.entry(source, output), version) for source, output, version in node.inputs]
        if node.op not in _LAYERS:
            self._types.append(self._types_of(node))
            self.nodes.append(replace(node, inputs=tuple(inputs)))
            self._of_file[index] = len(self.nodes) - 1
            return
        where = f"Failed loading Op {node.name[:200]} of type {node.op}: "
        if len(node.subgraphs) != 1:
            raise MXNetError(f"{where}a fused layer has exactly one subgraph, but the node has {len(node.subgraphs)}")
        try:
            self._of_file[index] = self._fused(node, inputs)
        except (KeyError, ValueError, IndexError, ZeroDivisionError) as error:
            raise MXNetError(f"{where}an attribute is missing or invalid ({type(error).__name__}: {error})") from None
        except MXNetError as error:
            located = MXNetError(f"{where}{error}")
            for note in getattr(error, "__notes__", ()):
                located.add_note(note)
            raise located from None

    def _fused(self, node: JsonNode, inputs: Sequence[JsonEntry]) -> list[JsonEntry]:
        """Add the expansion of a fused layer, and return its outputs."""
        if not _is_true(node.attrs, "quantized"):
            self._types.append(())
            return self._inlined(node, inputs)
        if node.op != _CONVOLUTION or "max_calib_range" not in node.attrs:
            error = MXNetError("a fused layer of 8-bit numbers must be a convolution with calibrated ranges")
            error.add_note("Quantize the model with contrib.quantization, which uses supported operators.")
            raise error
        sums = _is_true(node.attrs, "with_sum")
        data_type = self._type(node.inputs[0])
        sum_type = self._type(node.inputs[_place_of_sum(node)]) if sums else None
        layer = _Convolution(self, node, inputs, str(data_type), str(sum_type))
        self._types.append([numpy.dtype(layer.type)])
        return layer.spelled_out()

    def _type(self, entry: JsonEntry) -> numpy.dtype | None:
        types = self._types[entry[0]]
        return types[entry[1]] if entry[1] < len(types) else None

    def _types_of(self, node: JsonNode) -> Sequence[numpy.dtype | None]:
        """Return the element types of a node's outputs, inferred from the element types of its inputs."""
        op = get_operator(node.op) if is_registered(node.op) else None
        if op is None or op.type_rule is None:
            return ()
        try:
            params, _ = parsed_attributes(op, node)
            given = op.arrange(params, [self._type(entry) for entry in node.inputs])
            return list(op.type_rule(*given, **op.complete(params))[1])
        except (MXNetError, *_UNFIT):  # which the graph's own loading and inference report
            return ()

    def _inlined(self, node: JsonNode, inputs: Sequence[JsonEntry]) -> list[JsonEntry]:
        """Add the nodes of a fused layer on floating-point numbers."""
        graph, waiting = node.subgraphs[0], list(inputs)
        places: dict[int, JsonEntry] = {}
        for index, inner in enumerate(graph.nodes):
            if inner.op == "null":
                if not waiting:
                    wanted = sum(each.op == "null" for each in graph.nodes)
                    raise MXNetError(
                        f"the fused layer takes {counted(wanted, 'input')}, but the node has {len(inputs)}"
                    )
                places[index] = waiting.pop(0)
                continue
            taken = tuple((*_from(places[i], o), v) for i, o, v in inner.inputs)
            is_last = [index] == [head for head, _, _ in graph.heads]
            self.nodes.append(replace(inner, inputs=taken, name=node.name if is_last else inner.name))
            places[index] = (len(self.nodes) - 1, -1, 0)
        return [(*_from(places[index], output), 0) for index, output, _ in graph.heads]


def _from(place: JsonEntry, output: int) -> tuple[int, int]:
    """Return an output of an inner node, or the outer output that replaces it."""
    return (place[0], output) if place[1] < 0 else place[:2]


def _place_of_sum(node: JsonNode) -> int:
    bias = not _is_true(_attributes_in(node, "Convolution"), "no_bias")
    return 2 + bias + 4 * _is_true(node.attrs, "with_bn")


def _attributes_in(node: JsonNode, op: str) -> dict[str, str]:
    return next((dict(inner.attrs) for inner in node.subgraphs[0].nodes if inner.op == op), {})


class _Convolution:
    """A fused convolution on 8-bit integers, with a calibrated range.

    Parameters
    ----------
    made : _Made
        The new graph.
    node : JsonNode
        The node of the file.
    inputs : sequence of JsonEntry
        Its inputs in the new graph.
    data_type, sum_type : str
        The element types of the layer's data, and of the array that the layer adds.
    """

    def __init__(self, made: _Made, node: JsonNode, inputs: Sequence[JsonEntry], data_type: str, sum_type: str) -> None:
        self._made, self._node, self._types = made, node, (data_type, sum_type)
        attrs = node.attrs
        self._settings = _attributes_in(node, "Convolution")
        self._norm = _attributes_in(node, "BatchNorm") if _is_true(attrs, "with_bn") else None
        self._acts = [inner for inner in node.subgraphs[0].nodes if inner.op in ("Activation", "LeakyReLU", "clip")]
        self._first = _is_true(attrs, "with_act", "with_relu")
        self._last = _is_true(attrs, "with_postsum_act", "with_postsum_relu")
        self._sums = _is_true(attrs, "with_sum")
        waiting = list(inputs)
        take = lambda there: waiting.pop(0) if there and waiting else None  # noqa: E731
        self._data, self._weight = take(True), take(True)
        self._bias = take(not _is_true(self._settings, "no_bias"))
        self._statistics = [take(self._norm is not None) for _ in range(4)]
        self._added = take(self._sums)
        self._data_range = [take(True), take(True)]
        self._sum_range = [take(self._sums), take(self._sums)]
        if waiting or self._data_range[1] is None or (self._sums and self._sum_range[1] is None):
            wanted = "fewer" if waiting else "more"
            raise MXNetError(f"the node has {counted(len(inputs), 'input')}, but the layer takes {wanted}")
        if data_type not in _STEPS or (self._sums and sum_type not in _STEPS):
            found = sum_type if data_type in _STEPS else data_type
            if found == "None":
                raise MXNetError("the file does not contain the element types of the layer's inputs")
            raise MXNetError(f"the inputs of the layer must have the element type {' or '.join(_STEPS)}, not {found}")
        for act in self._acts:
            kind = act.attrs.get("act_type", "leaky" if act.op == "LeakyReLU" else "relu")
            if act.op == "LeakyReLU" or kind != "relu":
                raise MXNetError(f"the activation in a quantized fused layer must be relu or clip, not {kind}")
        self._positive = self._last or (self._first and not self._sums)
        self.type = "uint8" if self._positive else "int8"
        kernel = self._settings["kernel"].strip("() ").rstrip(",")
        self._ones = (1,) * (kernel.count(",") + 1)

    def _add(self, op: str, what: str, *inputs: JsonEntry | None, **attrs: object) -> JsonEntry:
        return self._made.add(
            op, f"{self._node.name}_{what}", [entry for entry in inputs if entry is not None], **attrs
        )

    def _cast(self, entry: JsonEntry | None, dtype: str, what: str) -> JsonEntry:
        return self._add("Cast", f"{what}_{dtype}", entry, dtype=dtype)

    def _scale(self, low: JsonEntry | None, high: JsonEntry | None, dtype: str, what: str) -> JsonEntry:
        """Return the number of quantization steps per unit."""
        largest = self._add(
            "broadcast_maximum",
            f"{what}_largest",
            self._add("abs", f"{what}_low", low),
            self._add("abs", f"{what}_high", high),
        )
        return self._add("_rdiv_scalar", f"{what}_scale", largest, scalar=float(_STEPS[dtype]))

    def _per_channel(self, entry: JsonEntry, what: str) -> JsonEntry:
        """Return per-channel values in a shape that broadcasts with the layer's result."""
        return self._add("Reshape", f"{what}_by_channel", entry, shape=(1, -1, *self._ones))

    def spelled_out(self) -> list[JsonEntry]:
        """Add the nodes, and return the result and its range."""
        weight, bias = self._folded() if self._norm is not None else (self._weight, self._bias)
        data_scale = self._scale(self._data_range[0], self._data_range[1], self._types[0], "data")
        scale = self._weight_scale(weight, bias, data_scale)
        result = self._product(weight, scale)
        low, high = float(self._node.attrs["min_calib_range"]), float(self._node.attrs["max_calib_range"])
        largest = max(abs(_f(low)), abs(_f(high)))
        wanted = float(_STEPS[self.type] / largest)
        if bias is not None:
            steps = self._add("broadcast_mul", "bias_scale", scale, data_scale)
            whole = self._add("_npi_around", "bias_steps", self._add("elemwise_mul", "bias_scaled", bias, steps))
            result = self._add("broadcast_add", "biased", result, self._per_channel(whole, "bias"))
        ratio = self._add("_rdiv_scalar", "data_ratio", data_scale, scalar=wanted)
        ratio = self._add("broadcast_div", "ratio", ratio, scale)
        result = self._add("broadcast_mul", "scaled", result, self._per_channel(ratio, "ratio"))
        if self._first and self._sums:
            result = self._add("relu", "first", result)
        if self._sums:
            result = self._summed(result, wanted)
        if self._positive:
            result = self._add("relu", "last", result)
        # MXNet writes a sum into the added array's memory, in that array's type, and reads it in the result's type.
        stored = self._types[1] if self._sums else self.type
        smallest, most = _LIMITS[stored]
        whole = self._add("clip", "clipped", self._add("_npi_around", "rounded", result), a_min=smallest, a_max=most)
        if stored != self.type and stored == "uint8":
            above = self._add("_greater_scalar", "wraps", whole, scalar=127)
            whole = self._add("elemwise_sub", "read", whole, self._add("_mul_scalar", "turn", above, scalar=256))
        ends = [self._add("_full", f"{what}_range", shape=(1,), value=float(_f(end)), dtype="float32")
                for what, end in (("min", low), ("max", high))]  # fmt: skip
        return [self._made.add("Cast", self._node.name, [whole], dtype=self.type), *ends]

    def _folded(self) -> tuple[JsonEntry, JsonEntry]:
        """Return the weight and the bias after folding the batch normalization into them."""
        gamma, beta, mean, variance = self._statistics
        norm = self._norm or {}
        wide = self._add("_plus_scalar", "variance_eps", self._cast(variance, "float64", "variance"),
                         scalar=norm.get("eps", "0.001"))  # fmt: skip
        root = self._add("sqrt", "deviation", wide)
        if _is_true(norm, "fix_gamma") or "fix_gamma" not in norm:
            factor = self._add("_rdiv_scalar", "factor", root, scalar=1.0)
        else:
            factor = self._add("elemwise_div", "factor", self._cast(gamma, "float64", "gamma"), root)
        factor = self._cast(factor, "float32", "factor")
        if self._bias is None:
            shift = self._add("elemwise_mul", "shift", factor, mean)
            bias = self._add("elemwise_sub", "bias", beta, shift)
        else:
            shift = self._add("elemwise_mul", "shift", factor, self._add("elemwise_sub", "centered", self._bias, mean))
            bias = self._add("elemwise_add", "bias", beta, shift)
        return self._add("broadcast_mul", "weight", self._weight, self._by_filter(factor, "factor")), bias

    def _by_filter(self, entry: JsonEntry, what: str) -> JsonEntry:
        """Return per-filter values in a shape that broadcasts with the weight."""
        return self._add("Reshape", f"{what}_by_filter", entry, shape=(-1, 1, *self._ones))

    def _weight_scale(self, weight: JsonEntry | None, bias: JsonEntry | None, data_scale: JsonEntry) -> JsonEntry:
        """Return the number of steps per unit for each filter, reduced where a bias would not fit into 32 bits."""
        rows = self._add("Flatten", "weight_rows", self._add("abs", "weight_sizes", weight))
        scale = self._add("_rdiv_scalar", "weight_scale", self._add("max", "weight_largest", rows, axis=1),
                          scalar=float(_STEPS["int8"]))  # fmt: skip
        if bias is None:
            return scale
        most = self._add("_rdiv_scalar", "bias_room", self._add("abs", "bias_size", bias), scalar=float(2**30))
        return self._add(
            "broadcast_minimum", "filter_scale", scale, self._add("broadcast_div", "bias_most", most, data_scale)
        )

    def _product(self, weight: JsonEntry | None, scale: JsonEntry) -> JsonEntry:
        """Return the sums of the convolution, which are exact in double precision."""
        scaled = self._add("broadcast_mul", "weight_scaled", weight, self._by_filter(scale, "scale"))
        whole = self._add("_npi_around", "weight_rounded", scaled)
        steps = self._add("clip", "weight_steps", whole, a_min=-128, a_max=127)
        data, filters = self._cast(self._data, "float64", "data"), self._cast(steps, "float64", "weight")
        settings = {**self._settings, "no_bias": "True"}
        return self._cast(self._add("Convolution", "sums", data, filters, **settings), "float32", "sums")

    def _summed(self, result: JsonEntry, wanted: float) -> JsonEntry:
        """Return the sum of the result and the other input, rounded once."""
        ratio = self._add(
            "_rdiv_scalar",
            "sum_ratio",
            self._scale(self._sum_range[0], self._sum_range[1], self._types[1], "sum"),
            scalar=wanted,
        )
        other = self._add("broadcast_mul", "added", self._cast(self._added, "float64", "added"),
                          self._add("Reshape", "sum_ratio_by_channel", self._cast(ratio, "float64", "sum_ratio"),
                                    shape=(1, 1, *self._ones)))  # fmt: skip
        both = self._add("elemwise_add", "sum", self._cast(result, "float64", "result"), other)
        return self._cast(both, "float32", "sum")
