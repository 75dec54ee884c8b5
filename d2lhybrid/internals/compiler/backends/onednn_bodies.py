"""Bodies of nodes that run a oneDNN primitive instead of the operator's kernel.

Each supported operator has a rule. The rule examines the types of a node and returns a plan. If the rule raises
:class:`~d2lhybrid.internals.compiler.onednn.library.Unsupported`, NumPy computes the node.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy

from ...core.graph import Graph, TensorType
from ...core.node import Entry, Node
from ...core.operator import Operator
from ...ops import batch_norm, conv, deconv, matrix, nn, rnn
from ...ops.unfold import windows
from ..onednn.convolving import Adjoint, Convolution, Geometry, WeightGradient
from ..onednn.layers import BatchNormalization, BatchNormalizationGradient
from ..onednn.library import Unsupported
from ..onednn.matmul import Dense, Product, is_large
from ..onednn.ordering import InOrder, Packing
from ..onednn.recurrent import Layers, LstmBackward, LstmForward
from ..passes.regions import RegionBody

__all__ = ["OneDnnBody", "Plan", "is_supported", "plan_of"]

FLOAT = numpy.dtype(numpy.float32)


class Plan(NamedTuple):
    """The plan for the computation of a node by oneDNN.

    Attributes
    ----------
    run : callable
        The function that computes the result from arrays. ``out0_given=`` is the result's destination.
    inputs : tuple of int
        The indices of the node's inputs that `run` takes, in order.
    pack : Packing or None
        The packing of the weights, which are the second input of `run`.
    implementation : str
        The library's name for the chosen implementation.
    adding : callable or None
        A function that returns a plan that also adds an array of the result's shape; None if there is no such plan.
    kept : TensorType or None
        The type of an additional last result, which the gradient uses; None if there is no additional result.
    """

    run: Callable[..., Any]
    inputs: tuple[int, ...]
    pack: Packing | None
    implementation: str
    adding: Callable[[], Plan] | None = None
    kept: TensorType | None = None


class OneDnnBody(RegionBody):
    """The body of a node that runs a plan.

    Attributes
    ----------
    library : str
        The name of the library, followed by the library's name for the chosen implementation.
    """

    label: str
    nodes: tuple[Node, ...]
    inputs: tuple[Entry, ...]
    types: list[TensorType]
    library: str

    def __init__(
        self, label: str, nodes: Sequence[Node], inputs: Sequence[Entry], types: Sequence[TensorType], run: Any,
        implementation: str,
    ) -> None:  # fmt: skip
        self.label, self.nodes, self.inputs = label, tuple(nodes), tuple(inputs)
        self.outputs: tuple[Entry, ...] | tuple[()] = tuple((nodes[-1], i) for i in range(len(types))) if nodes else ()
        self.types, self.run, self.library = list(types), run, f"oneDNN {implementation}"


class Site(NamedTuple):
    """The node that a rule examines, with facts about its types and the graph around it.

    Attributes
    ----------
    node : Node
        The node to compute.
    types : list of TensorType
        The types of the node's inputs.
    result : TensorType
        The type of the node's first output.
    training : bool
        Whether layers behave as in training.
    keeping : bool
        Whether the node must keep values for a gradient.
    prepares : bool
        Whether the program prepares values that depend on parameters alone.
    turned : bool
        Whether all users of the result are transposes, which are views.
    """

    node: Node
    types: list[TensorType]
    result: TensorType
    training: bool
    keeping: bool
    prepares: bool
    turned: bool

    def attribute(self, name: str) -> Any:
        """Return the value of an attribute of the node, or its default value.

        Parameters
        ----------
        name : str
            Name of the attribute.

        Returns
        -------
        object
            The value.
        """
        assert self.node.op is not None
        return self.node.op.complete(self.node.params)[name]


Rule = Callable[[Site], Plan]
_RULES: dict[Operator, Rule] = {}


def _plans(*operators: Operator) -> Callable[[Rule], Rule]:
    def keep(rule: Rule) -> Rule:
        _RULES.update(dict.fromkeys(operators, rule))
        return rule

    return keep


def is_supported(node: Node, types: Sequence[TensorType]) -> bool:
    """Return whether there is a rule for a node's operator and whether all given types have the element type float32.

    Parameters
    ----------
    node : Node
        The node.
    types : sequence of TensorType
        Types of the node's inputs, and optionally of its results.

    Returns
    -------
    bool
        Whether a rule can examine the node.
    """
    return node.op in _RULES and all(t.dtype == FLOAT for t in types)


def plan_of(graph: Graph, node: Node, keeping: bool = False) -> Plan | None:
    """Return the plan for the computation of a node by oneDNN.

    Parameters
    ----------
    graph : Graph
        The graph, with the node's types.
    node : Node
        The node.
    keeping : bool
        Whether the node must keep values for a gradient.

    Returns
    -------
    Plan or None
        The plan; None if oneDNN doesn't support the node or wouldn't be faster.
    """
    types, result = [graph.types[e] for e in node.inputs], graph.types[node, 0]
    if not is_supported(node, [*types, result]):
        return None
    assert node.op is not None
    prepares = not graph.training and not graph.head_gradients
    users = graph.users.get(node, [])
    turned = bool(users) and all(u.op is not None and u.op.view == "transpose" for u in users)
    turned = turned and all(entry[0] is not node for entry in graph.roots)
    try:
        return _RULES[node.op](Site(node, types, result, graph.training, keeping, prepares, turned))
    except Unsupported:
        return None


# --- convolution -----------------------------------------------------------------------------------


def _geometry(site: Site, data: TensorType, weight: TensorType, result: TensorType) -> Geometry:
    """Return the sizes and settings of a convolution."""
    layout = site.attribute("layout")
    if layout is None or layout[-1] != "C":
        raise Unsupported("the channels are not the last axis")
    kernel, sizes = site.attribute("kernel"), data.shape[1:-1]
    w = windows(sizes, kernel, site.attribute("stride"), site.attribute("dilate"), site.attribute("pad"))
    if w.output != result.shape[1:-1] or weight.shape[1:-1] != tuple(kernel):
        raise Unsupported("the windows do not cover all pixels of the image")
    return Geometry(
        data.shape[0], data.shape[-1], result.shape[-1], site.attribute("num_group"), sizes, w.output, w.kernel,
        w.stride, w.dilate, w.pad,
    )  # fmt: skip


def _transposed(site: Site, data: TensorType, weight: TensorType, result: TensorType) -> Geometry:
    """Return the sizes and settings of the convolution whose adjoint is the transposed convolution."""
    if any(site.attribute("target_shape")):
        raise Unsupported("the target shape determines the padding")
    return _geometry(site, result, weight, data)


def _has_bias(site: Site) -> bool:
    return len(site.types) > 2 and not site.attribute("no_bias")


@_plans(conv.convolution)
def _(site: Site) -> Plan:
    geometry, bias = _geometry(site, site.types[0], site.types[1], site.result), _has_bias(site)

    def make(added: bool) -> Plan:
        found = Convolution(geometry, bias, added)
        inputs = (0, 1, 2) if bias else (0, 1)
        return Plan(found.run, inputs, found.pack, found.implementation, None if added else lambda: make(True))

    return make(False)


@_plans(conv.convolution_data_gradient)
def _(site: Site) -> Plan:
    found = Adjoint(_geometry(site, site.result, site.types[1], site.types[0]))
    return Plan(found.run, (0, 1), found.pack, found.implementation)


@_plans(conv.convolution_weight_gradient)
def _(site: Site) -> Plan:
    found = WeightGradient(_geometry(site, site.types[1], site.result, site.types[0]), site.turned)
    return Plan(found.run, (0, 1), None, found.implementation)


def _is_one_place(geometry: Geometry) -> bool:
    """Return whether a single window covers the image, so that the transposed convolution is a matrix product."""
    g = geometry
    return set(g.output) == {1} and g.groups == 1 and g.sizes == g.kernel and set(g.pad) == {0}


class _Spread:
    """The transposed convolution of images of one pixel, which is a matrix product.

    The library's transposed convolution would take six times as long.
    """

    def __init__(self, geometry: Geometry, shape: tuple[int, ...]) -> None:
        inner = geometry.filters
        self.shape, self.rows, self.columns = shape, (shape[0], inner), (shape[0], math.prod(shape[1:]))
        self.pack = InOrder(inner * self.columns[1])
        self.product = Product(*self.rows, self.columns[1], False, False)
        self.implementation: str = self.product.implementation

    def run(self, data: Any, packed: Any, out0_given: Any = None) -> Any:
        """Return the result."""
        result = numpy.empty(self.shape, numpy.float32) if out0_given is None else out0_given
        weights = packed.reshape(self.rows[1], self.columns[1])
        self.product.run(data.reshape(self.rows), weights, out0_given=result.reshape(self.columns))
        return result


@_plans(deconv.deconvolution)
def _(site: Site) -> Plan:
    geometry = _transposed(site, site.types[0], site.types[1], site.result)
    found = _Spread(geometry, site.result.shape) if site.prepares and _is_one_place(geometry) else Adjoint(geometry)

    def with_bias(data: Any, packed: Any, bias: Any, **out: Any) -> Any:
        result = found.run(data, packed, **out)
        return numpy.add(result, bias, out=result)

    if _has_bias(site):
        return Plan(with_bias, (0, 1, 2), found.pack, found.implementation)
    return Plan(found.run, (0, 1), found.pack, found.implementation)


@_plans(deconv.deconvolution_data_gradient)
def _(site: Site) -> Plan:
    found = Convolution(_transposed(site, site.result, site.types[1], site.types[0]))
    return Plan(found.run, (0, 1), found.pack, found.implementation)


@_plans(deconv.deconvolution_weight_gradient)
def _(site: Site) -> Plan:
    found = WeightGradient(_transposed(site, site.types[1], site.result, site.types[0]), site.turned)
    return Plan(lambda dy, data, **out: found.run(data, dy, **out), (0, 1), None, found.implementation)


# --- batch normalization ---------------------------------------------------------------------------


def _is_last(site: Site, data: TensorType) -> bool:
    rank = len(data.shape)
    return rank > 2 and site.attribute("axis") % rank == rank - 1


@_plans(batch_norm.batch_norm)
def _(site: Site) -> Plan:
    if not site.training or site.attribute("use_global_stats") or not _is_last(site, site.types[0]):
        raise Unsupported("the layer uses global statistics, or the channels are not the last axis")
    found = BatchNormalization(site.types[0].shape, site.attribute("eps"), site.attribute("fix_gamma"))
    return Plan(found.run, (0, 1, 2), None, found.implementation)


@_plans(batch_norm.batch_norm_gradient)
def _(site: Site) -> Plan:
    if not site.attribute("batch_statistics") or not _is_last(site, site.types[1]):
        raise Unsupported("the layer uses global statistics, or the channels are not the last axis")
    found = BatchNormalizationGradient(site.types[1].shape, site.attribute("fix_gamma"))
    return Plan(found.run, (0, 1, 2, 3, 4), None, found.implementation)


# --- products of matrices --------------------------------------------------------------------------

#: The largest weight that is packed, in bytes. A packed weight is a copy, and each batch size has its own.
LARGEST_PACKED = 128 << 20


def _check_size(rows: int, inner: int, columns: int) -> None:
    if not is_large(rows, inner, columns):
        raise Unsupported("the matrix product is small")


@_plans(nn.fully_connected)
def _(site: Site) -> Plan:
    shape, (units, features), bias = site.result.shape, site.types[1].shape, _has_bias(site)
    packed = site.prepares and site.types[1].nbytes <= LARGEST_PACKED
    _check_size(site.result.size // max(units, 1), features, units)

    def make(added: bool) -> Plan:
        found = Dense(shape, features, bias, added, packed)
        inputs = (0, 1, 2) if bias else (0, 1)
        return Plan(found.run, inputs, found.pack, found.implementation, None if added else lambda: make(True))

    return make(False)


@_plans(matrix.dot)
def _(site: Site) -> Plan:
    first, second = (t.shape for t in site.types)
    if len(first) != 2 or len(second) != 2:
        raise Unsupported("a factor of the product is not a matrix")
    turned = site.attribute("transpose_a"), site.attribute("transpose_b")
    (rows, inner), (_, columns) = (s[::-1] if t else s for s, t in zip((first, second), turned, strict=True))
    _check_size(rows, inner, columns)
    found = Product(rows, inner, columns, *turned)
    return Plan(found.run, (0, 1), None, found.implementation)


# --- recurrent layers ------------------------------------------------------------------------------

#: The results of a run that its gradient uses: outputs, states, cells.
NUM_RESULTS = 3


def _layers(site: Site, data: TensorType) -> Layers:
    """Return the sizes of a node's LSTM layers for data of some type."""
    if site.attribute("mode") != "lstm" or site.attribute("projection_size") or not site.attribute("state_outputs"):
        raise Unsupported("the layer is not an LSTM, has a projection, or does not return its last states")
    if site.attribute("use_sequence_length"):
        raise Unsupported("the sequences end at different steps")
    layers, p = site.attribute("num_layers"), site.attribute("p")
    if site.training and layers > 1 and 0 < p < 1:
        raise Unsupported("there is dropout between the layers")
    steps, batch, inputs = data.shape
    return Layers(steps, batch, inputs, site.attribute("state_size"), layers, 1 + site.attribute("bidirectional"))


@_plans(rnn.rnn)
def _(site: Site) -> Plan:
    found = LstmForward(_layers(site, site.types[0]), site.keeping)
    kept = TensorType((found.kept,), FLOAT) if site.keeping else None

    def with_mask(*arrays: Any, **given: Any) -> Any:
        """Return the results, with a dropout mask that drops nothing inserted before the kept values."""
        mask = given.pop("out3_given", None)
        if "out4_given" in given:
            given["out3_given"] = given.pop("out4_given")
        results = found.run(*arrays, **given)
        mask = numpy.empty(shape, numpy.float32) if mask is None else mask
        mask.fill(1)
        return *results[:NUM_RESULTS], mask, *results[NUM_RESULTS:]

    shape = (found.layers.layers - 1, *site.result.shape)
    run = with_mask if site.attribute("p") > 0 else found.run
    return Plan(run, (0, 1, 2, 3), found.pack, found.implementation, kept=kept)


@_plans(rnn.rnn_gradient)
def _(site: Site) -> Plan:
    found = LstmBackward(_layers(site, site.types[NUM_RESULTS]))
    return Plan(found.run, (0, 4, 1, 2, 3, 5, 6), found.pack, found.implementation)
