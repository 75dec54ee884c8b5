"""Shape and dtype inference over a graph, in both directions.

Each operator's rule completes what is known of its inputs and outputs. The graph is swept forward
and backward until nothing more follows: this is how the shape of a weight is found from the shape
of the data.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy

from ..compiler.backward_inference import from_outputs
from ..compiler.declared import declared_dtype, declared_shape
from ..compiler.located import located
from ..errors import MXNetError, ShapeError
from ..formats.serialization import limits
from ..support import events
from .node import Entry, Node, topological_order
from .operator import Operator
from .shapes import unify

__all__ = ["Inference", "infer_shapes", "infer_types"]


class Inference(dict[Entry, Any]):
    """What is known of the outputs of the nodes: entry -> partial shape or dtype, None where nothing is.

    Attributes
    ----------
    order : list of Node
        The nodes, inputs before users.
    """

    def __init__(self, order: list[Node]) -> None:
        self.order = order

    def __missing__(self, entry: Entry) -> None:
        return None


def _unify_dtype(a: Any, b: Any) -> Any:
    if a is None or b is None or a == b:
        return b if a is None else a
    raise ShapeError(
        f"Check failed: assign(&dattr, vec.at(i)): Incompatible attr in node  at 0-th output: expected {a}, got {b}"
    )


def _by_running(op: Operator, shapes: Sequence[Any], dtypes: Sequence[Any], params: dict[str, Any]) -> Any:
    """Find the outputs of an operator without a rule: run its kernel on zeros."""
    arrays = [None if s is None else numpy.zeros(s, d or numpy.float32) for s, d in zip(shapes, dtypes, strict=True)]
    arrays = op.arrange(params, arrays)
    extras: dict[str, Any] = {"training": False} if op.uses_training else {}
    if op.uses_generator:
        extras["rng"] = numpy.random.default_rng(0)
    with numpy.errstate(all="ignore"):
        value = op.kernel(numpy, *arrays, **params, **extras)
    return value if isinstance(value, tuple | list) else [value]


def _sweep(
    inference: Inference,
    nodes: Sequence[Node],
    apply: Callable[[Node, list[Any]], tuple[list[Any], list[Any]]],
    merge: Callable[[Any, Any], Any],
) -> bool:
    """Apply every operator's rule once; return whether something new is known."""
    changed = False
    known = inference
    news: list[tuple[Node, Entry, Any]] = []
    for node in nodes:
        if node.op is None:
            continue
        given = [known[entry] for entry in node.inputs]
        try:
            slots = node.op.slots(node.params, len(given))
            arranged, outputs = apply(node, given if slots is None else node.op.arrange(node.params, given))
            inputs = list(arranged)[: len(given)] if slots is None else [arranged[i] for i in slots]
            for (n, i), old, new in zip(node.inputs, given, inputs, strict=True):
                if new is not None and (old is None or new != old):  # float64 == None, says NumPy
                    known[n, i] = merge(known[n, i], new)
                    changed = True
                    if events.shape_found:
                        news.append((node, (n, i), known[n, i]))
            for i, new in enumerate(outputs):
                if new is None:
                    continue
                key = (node, i)
                old = known[key]
                if old is None or new != old:
                    known[key] = merge(old, new)
                    changed = changed or old is None or known[key] != old
                    if events.shape_found:
                        news.append((node, (node, i), known[key]))
        except MXNetError as error:
            raise located(error, node, given) from None
        except (ValueError, TypeError, LookupError, ArithmeticError, AttributeError, AssertionError) as error:
            # Attributes and inputs that each can be, but not together: only a file can have made such a node.
            reason = f"the attributes and the inputs do not fit together ({type(error).__name__}: {error})"
            raise located(MXNetError(reason), node, given) from error
        while news:  # here, where an error of a listener's is none of the graph's
            events.shape_found.tell(*news.pop(0))
    return changed


def infer_shapes(
    outputs: Sequence[Entry], known: dict[Any, Any], dtypes: Inference | None = None, order: list[Node] | None = None
) -> Inference:
    """Infer the shapes of a graph from those of some variables.

    Parameters
    ----------
    outputs : sequence of Entry
        The graph.
    known : dict
        Shapes by the name of a variable, by its node, or by any entry;
        unknown sizes are None. Variables' ``__shape__`` attributes count, too.
    dtypes : Inference, optional
        Element types, for operators whose shape is found by running them.
    order : list of Node, optional
        The topological order, where the caller has it.

    Raises
    ------
    MXNetError
        ``Error in operator <name>: ...`` where shapes contradict each other.
    """
    inference = Inference(topological_order(outputs) if order is None else order)
    for node in inference.order:
        if node.op is None:
            shape = known.get(node, known.get(node.name))
            declared = declared_shape(node)
            if declared is not None:
                shape = declared if shape is None else _unify_variable(node, shape, declared)
            if shape is not None:
                inference[node, 0] = shape

    inference.update({key: shape for key, shape in known.items() if isinstance(key, tuple)})

    def apply(node: Node, given: list[Any]) -> tuple[list[Any], list[Any]]:
        op = node.op
        assert op is not None
        if op.shape_rule is not None:
            params = op.complete(node.params)
            inputs, found = op.shape_rule(*given, **params)
            outer = [inference[node, i] for i in range(len(found))]
            if op.input_shape_rule is not None:
                inputs = op.input_shape_rule(outer, *inputs, **params)
            if any(shape is None or None in shape for shape in inputs):
                inputs = from_outputs(op.shape_rule, inputs, outer, params)
            return inputs, found
        given = op.pick(node.params, given, len(node.inputs))
        if any(g is None or None in g for g in given):
            return op.arrange(node.params, given), [None] * node.num_outputs
        types = [None if dtypes is None else dtypes[e] for e in node.inputs]
        return op.arrange(node.params, given), [numpy.shape(o) for o in _by_running(op, given, types, node.params)]

    backward = inference.order[::-1]
    deadline = None
    while _sweep(inference, inference.order, apply, unify) and not _complete(inference):
        deadline = deadline or limits.deadline()
        deadline.check("inferring the shapes of the graph")
        if not _sweep(inference, backward, apply, unify):
            break
    return inference


def _unify_variable(node: Node, given: Any, declared: Any) -> Any:
    try:
        return unify(given, declared)
    except ShapeError:
        return given  # a call's own shapes win over what a file remembers


def _complete(inference: Inference) -> bool:
    for node in inference.order:
        shape = inference[node, 0]
        if shape is None or None in shape:
            return False
    return True


def infer_types(
    outputs: Sequence[Entry], known: dict[Any, Any], shapes: Inference | None = None, order: list[Node] | None = None
) -> Inference:
    """Infer the element types of a graph; parameters as for :func:`infer_shapes`."""
    inference = Inference(topological_order(outputs) if order is None else order)
    for node in inference.order:
        if node.op is None:
            dtype = known.get(node, known.get(node.name))
            if dtype is None:
                dtype = declared_dtype(node)
            if dtype is not None:
                inference[node, 0] = numpy.dtype(dtype)

    def apply(node: Node, given: list[Any]) -> tuple[list[Any], list[Any]]:
        op = node.op
        assert op is not None
        if op.type_rule is not None:
            return op.type_rule(*given, **op.complete(node.params))
        given = op.pick(node.params, given, len(node.inputs))
        sizes = [None if shapes is None else shapes[e] for e in node.inputs]
        if any(g is None for g in given) or any(s is None or None in s for s in sizes):
            return op.arrange(node.params, given), [None] * node.num_outputs
        return op.arrange(node.params, given), [
            numpy.asarray(o).dtype for o in _by_running(op, sizes, given, node.params)
        ]

    backward = inference.order[::-1]
    deadline = None
    while _sweep(inference, inference.order, apply, _unify_dtype):
        if all(inference[n, 0] is not None for n in inference.order):
            break
        deadline = deadline or limits.deadline()
        deadline.check("inferring the element types of the graph")
        if not _sweep(inference, backward, apply, _unify_dtype):
            break
    return inference
