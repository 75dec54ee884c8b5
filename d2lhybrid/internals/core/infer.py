"""Type inference: partial shapes and element types, propagated over a graph in both directions.

Each operator's rule completes the types of its inputs and outputs. Forward and backward sweeps over the graph alternate
until no type changes. In this way, the shape of the data determines the shape of each weight.

A partial shape is ``None`` (nothing known, not even the number of axes) or a tuple whose unknown sizes are ``None``.
Error messages are MXNet's.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy

from ...error import MXNetError, ShapeError
from ...util import np_shapes
from ..formats.literals import read_int, read_shape
from ..formats.serialization import limits
from ..support import events
from ..support.dtypes import dtype_from_code
from .inference_errors import located
from .node import Entry, Node, topological_order
from .operator import Operator

__all__ = [
    "Inference", "PartialShape", "by_running", "declared_dtype", "declared_shape", "dtype_in", "format_shape",
    "infer_shapes", "infer_types", "is_complete", "known_size", "require", "same", "same_type", "unify", "unify_all",
]  # fmt: skip

PartialShape = tuple[int | None, ...] | None


def format_shape(shape: PartialShape) -> str:
    """Return a shape as text in MXNet's format, ``[2,3]``, with -1 for an unknown size.

    Parameters
    ----------
    shape : tuple or None
        The partial shape.

    Returns
    -------
    str
        The shape in brackets, or ``None``.

    Examples
    --------
    >>> format_shape((2, None))
    '[2,-1]'
    >>> format_shape(None)
    'None'
    """
    if shape is None:
        return "None"
    return "[" + ",".join("-1" if n is None else str(n) for n in shape) + "]"


def is_complete(shape: PartialShape) -> bool:
    """Return whether every size of a partial shape is known.

    Parameters
    ----------
    shape : tuple or None
        The partial shape.

    Returns
    -------
    bool
        Whether no size is unknown.
    """
    return shape is not None and None not in shape


def known_size(shape: Sequence[int | None]) -> int | None:
    """Return the number of elements of an array with a partial shape, or None if a size is unknown.

    Parameters
    ----------
    shape : sequence of (int or None)
        The partial shape.

    Returns
    -------
    int or None
        The number of elements.
    """
    return None if None in shape else math.prod(shape)  # type: ignore[arg-type]


def require(condition: bool, message: str) -> None:
    """Raise a shape error, with MXNet's prefix ``Check failed``, unless a condition is true.

    Parameters
    ----------
    condition : bool
        The condition that must hold.
    message : str
        The message after this prefix.

    Raises
    ------
    ShapeError
        If the condition is false.
    """
    if not condition:
        raise ShapeError(f"Check failed: {message}")


def unify(a: PartialShape, b: PartialShape) -> PartialShape:
    """Merge two partial shapes of the same array.

    Parameters
    ----------
    a, b : tuple or None
        The partial shapes.

    Returns
    -------
    tuple or None
        The merged shape.

    Raises
    ------
    ShapeError
        If the shapes contradict each other.

    Examples
    --------
    >>> unify((2, None), (None, 3))
    (2, 3)
    >>> unify(None, (4,))
    (4,)
    """
    if a is None or b is None or a == b:
        return b if a is None else a
    if len(a) == len(b) and all(m is None or n is None or m == n for m, n in zip(a, b, strict=True)):
        return tuple(n if m is None else m for m, n in zip(a, b, strict=True))
    raise ShapeError(f"Shape inconsistent, Provided = {format_shape(a)}, inferred shape={format_shape(b)}")


def unify_all(values: Sequence[Any], merge: Callable[[Any, Any], Any] = unify) -> Any:
    """Merge several partial shapes, or several element types, that must agree.

    Parameters
    ----------
    values : sequence
        The partial shapes or element types.
    merge : callable
        The function that merges two values.

    Returns
    -------
    object
        The merged shape or element type.

    Raises
    ------
    ShapeError
        If two values contradict each other. The message names the first value that differs.
    """
    merged = None
    for i, value in enumerate(values):
        try:
            merged = merge(merged, value)
        except ShapeError:
            expected, got = (v if isinstance(v, str) else format_shape(v) for v in (merged, value))
            raise ShapeError(
                "Check failed: assign(&dattr, vec.at(i)): Incompatible attr in node  "
                f"at {i}-th input: expected {expected}, got {got}"
            ) from None
    return merged


def same(*shapes: PartialShape, **attributes: Any) -> tuple[list[PartialShape], list[PartialShape]]:
    """Apply the shape rule of an operator whose inputs and single output have the same shape.

    Parameters
    ----------
    *shapes : tuple or None
        Partial shapes of the inputs.
    **attributes : object
        Ignored.

    Returns
    -------
    tuple of (list, list)
        The shapes of the inputs, and the shape of the output.
    """
    shape = unify_all(shapes)
    return [shape] * len(shapes), [shape]


def _unify_dtype(a: Any, b: Any) -> Any:
    if a is None or b is None or a == b:
        return b if a is None else a
    raise ShapeError(
        f"Check failed: assign(&dattr, vec.at(i)): Incompatible attr in node  at 0-th output: expected {a}, got {b}"
    )


def same_type(*dtypes: numpy.dtype | None, **attributes: Any) -> tuple[list[Any], list[Any]]:
    """Apply the type rule of an operator whose inputs and single output have the same element type.

    MXNet's legacy operators never promote element types.

    Parameters
    ----------
    *dtypes : numpy.dtype or None
        Element types of the inputs.
    **attributes : object
        Ignored.

    Returns
    -------
    tuple of (list, list)
        The types of the inputs, and the type of the output.
    """
    first = next((d for d in dtypes if d is not None), None)
    if all(d is first or d is None for d in dtypes):  # the most common case; NumPy parses element type names slowly
        return [first] * len(dtypes), [first]
    names = [None if d is None else d.name for d in dtypes]
    name = unify_all(names, _unify_dtype)
    dtype = None if name is None else numpy.dtype(name)
    return [dtype] * len(dtypes), [dtype]


@functools.lru_cache(4096)
def _declared_shape(text: str, least: int) -> tuple[int | None, ...]:
    """Return the shape in a variable's ``__shape__``, in which sizes below `least` are unknown."""
    return tuple(n if n >= least else None for n in read_shape(text))


def declared_shape(node: Node) -> tuple[int | None, ...] | None:
    """Return the shape that a variable's attributes declare, or None if they declare no shape.

    Parameters
    ----------
    node : Node
        The node of the variable.

    Returns
    -------
    tuple or None
        The partial shape.

    Raises
    ------
    MXNetError
        If the attribute ``__shape__`` is not a shape.
    """
    try:
        return _declared_shape(node.attrs["__shape__"], not np_shapes.np) if "__shape__" in node.attrs else None
    except ValueError as reason:
        raise _bad_attribute(node.name, "__shape__", node.attrs["__shape__"], reason) from None


def declared_dtype(node: Node) -> numpy.dtype | None:
    """Return the element type that a variable's attributes declare, or None if they declare no type.

    Parameters
    ----------
    node : Node
        The node of the variable.

    Returns
    -------
    numpy.dtype or None
        The element type.

    Raises
    ------
    MXNetError
        If the attribute ``__dtype__`` is not an integer, or not MXNet's code of an element type that NumPy has.
    """
    return dtype_in(node.attrs, node.name)


def dtype_in(attributes: Mapping[str, str], name: str) -> numpy.dtype | None:
    """Return the element type that a variable's attributes declare; see :func:`declared_dtype`.

    Parameters
    ----------
    attributes : mapping of str to str
        The attributes of the variable.
    name : str
        The name of the variable, for the message of an error.
    """
    text = attributes.get("__dtype__")
    try:
        code = -1 if text is None else read_int(text)
        return dtype_from_code(code) if code >= 0 else None
    except ValueError as reason:
        raise _bad_attribute(name, "__dtype__", text, reason) from None


def _bad_attribute(name: str, attribute: str, text: Any, reason: ValueError) -> MXNetError:
    shown = text if len(text) <= 200 else f"{text[:200]}..."
    error = MXNetError(f"Invalid attribute {attribute} of the variable {name[:200]!r}: value='{shown}'")
    error.add_note(f"{reason}.")
    return error


class Inference(dict[Entry, Any]):
    """The partial shapes or element types that have been inferred, by entry; None for an unknown shape or element type.

    Attributes
    ----------
    order : list of Node
        The nodes in topological order.
    """

    def __init__(self, order: list[Node]) -> None:
        self.order = order

    def __missing__(self, entry: Entry) -> None:
        return None


def by_running(op: Operator, shapes: Sequence[Any], dtypes: Sequence[Any], params: dict[str, Any]) -> Any:
    """Run the kernel of an operator that has no rule on zeros, to infer the types of the outputs.

    Parameters
    ----------
    op : Operator
        The operator to run.
    shapes, dtypes : sequence
        Shapes and element types of the inputs.
    params : dict
        The attributes of the call, without defaults.

    Returns
    -------
    list of array
        The outputs, whose shapes and element types are the inferred types.
    """
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
    """Apply every operator's rule once, and return whether any shape or element type changed."""
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
                if new is not old and new is not None and (old is None or new != old):  # in NumPy, float64 == None
                    known[n, i] = merge(known[n, i], new)
                    changed = True
                    if events.shape_found:
                        news.append((node, (n, i), known[n, i]))
            for i, new in enumerate(outputs):
                if new is None:
                    continue
                key = (node, i)
                old = known[key]
                if new is not old and (old is None or new != old):
                    known[key] = merge(old, new)
                    changed = changed or old is None or known[key] != old
                    if events.shape_found:
                        news.append((node, (node, i), known[key]))
        except MXNetError as error:
            raise located(error, node, given) from None
        except (ValueError, TypeError, LookupError, ArithmeticError, AttributeError, AssertionError) as error:
            # Only a file can contain a node whose attributes are valid, but not for its inputs.
            reason = f"the attributes do not match the inputs: {type(error).__name__}: {error}"
            raise located(MXNetError(reason), node, given) from error
        while news:  # outside of try: a subscriber's error is not an error of the graph
            events.shape_found.tell(*news.pop(0))
    return changed


def infer_shapes(
    outputs: Sequence[Entry], known: dict[Any, Any], dtypes: Inference | None = None, order: list[Node] | None = None
) -> Inference:
    """Infer the shapes of all entries of a graph from the shapes of some variables.

    Parameters
    ----------
    outputs : sequence of Entry
        The outputs of the graph.
    known : dict
        The known partial shapes, by the name of a variable, by its node, or by any entry. The attribute
        ``__shape__`` of a variable completes the variable's known shape.
    dtypes : Inference, optional
        The element types, for operators without a shape rule, which run on zeros of these types.
    order : list of Node, optional
        The nodes in topological order, if the caller has computed this order.

    Returns
    -------
    Inference
        The partial shape of each entry.

    Raises
    ------
    MXNetError
        If shapes contradict each other (``Error in operator <name>: ...``), or if the inference exceeds the time limit.
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
                from .backward_inference import from_outputs

                inputs = from_outputs(op.shape_rule, inputs, outer, params)
            return inputs, found
        given = op.pick(node.params, given, len(node.inputs))
        if any(g is None or None in g for g in given):
            return op.arrange(node.params, given), [None] * node.num_outputs
        types = [None if dtypes is None else dtypes[e] for e in node.inputs]
        return op.arrange(node.params, given), [numpy.shape(o) for o in by_running(op, given, types, node.params)]

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
        return given  # the shapes of a call override those in a file


def _complete(inference: Inference) -> bool:
    for node in inference.order:
        shape = inference[node, 0]
        if shape is None or None in shape:
            return False
    return True


def infer_types(
    outputs: Sequence[Entry], known: dict[Any, Any], shapes: Inference | None = None, order: list[Node] | None = None
) -> Inference:
    """Infer the element types of all entries of a graph.

    Parameters
    ----------
    outputs, order
        As for :func:`infer_shapes`.
    known : dict
        The known element types, by the name of a variable or by its node. For other variables, inference uses the
        attribute ``__dtype__``.
    shapes : Inference, optional
        The shapes, for operators without a type rule, which run on zeros of these shapes.

    Returns
    -------
    Inference
        The element type of each entry.
    """
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
            params = op.complete(node.params)
            inputs, found = op.type_rule(*given, **params)
            if any(dtype is None for dtype in inputs) and any(dtype is None for dtype in found):
                from .backward_inference import types_from_outputs

                outer = [inference[node, i] for i in range(len(found))]
                inputs = types_from_outputs(op.type_rule, inputs, outer, params)
            return inputs, found
        given = op.pick(node.params, given, len(node.inputs))
        sizes = [None if shapes is None else shapes[e] for e in node.inputs]
        if any(g is None for g in given) or any(s is None or None in s for s in sizes):
            return op.arrange(node.params, given), [None] * node.num_outputs
        return op.arrange(node.params, given), [
            numpy.asarray(o).dtype for o in by_running(op, sizes, given, node.params)
        ]

    backward = inference.order[::-1]
    deadline = None
    while _sweep(inference, inference.order, apply, _unify_dtype) or _assume_single(inference):
        if all(inference[n, 0] is not None for n in inference.order):
            break
        deadline = deadline or limits.deadline()
        deadline.check("inferring the element types of the graph")
        if not _sweep(inference, backward, apply, _unify_dtype) and not _assume_single(inference):
            break
    return inference


def _assume_single(inference: Inference) -> bool:
    """Set the types that MXNet assumes where nothing else determines them, and return whether there are any."""
    found = [
        entry
        for node in inference.order
        if node.op is not None and node.op.assumes_single
        for entry in node.inputs
        if inference[entry] is None
    ]
    inference.update(dict.fromkeys(found, numpy.dtype(numpy.float32)))
    return bool(found)
