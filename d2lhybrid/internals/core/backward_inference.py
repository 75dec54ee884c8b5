"""Inference of shapes and element types from outputs to inputs, for operators that only have a forward rule.

A recurrent cell without ``begin_state`` starts from ``zeros((0, 100))``. The batch size of this state is that of an
array to which the state is added after a dense layer, a slice, or a concatenation. Instead of a second rule for each
operator, this module probes the forward rule with two trial sizes in place of the unknown size. If an output's size is
a linear function of the trial size, the known size of the output determines the unknown size. Element types are found
in the same way: if the type of an output equals each of three trial types of an input, the known type of the output
determines this input's type.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy

from ...error import MXNetError
from .infer import PartialShape, same, same_type, unify

__all__ = ["from_outputs", "types_from_outputs"]

#: The two trial sizes. They exceed any slice or window, and are divisible by usual numbers of groups.
_TRIED = (1 << 20, 3 << 20)

#: The trial types. `amp_cast` changes only the first two.
_TRIED_TYPES = tuple(numpy.dtype(name) for name in ("float16", "float32", "float64"))

ShapeRule = Callable[..., tuple[list[PartialShape], list[PartialShape]]]


def from_outputs(
    rule: ShapeRule, inputs: Sequence[PartialShape], outputs: Sequence[PartialShape], params: dict[str, Any]
) -> list[PartialShape]:
    """Return the input shapes, completed with the sizes that the output shapes determine.

    Parameters
    ----------
    rule : callable
        The operator's shape rule.
    inputs, outputs : sequence of tuple or None
        The partial shapes of the operator's inputs and outputs.
    params : dict
        The operator's attributes.

    Returns
    -------
    list of (tuple or None)
        The partial shapes of the inputs.

    Examples
    --------
    >>> from d2lhybrid.internals.core.operator import get_operator
    >>> op = get_operator("expand_dims")
    >>> from_outputs(op.shape_rule, [(None, 5)], [(3, 1, 5)], {"axis": 1})
    [(3, 5)]
    """
    completed = list(inputs)
    if all(shape is None for shape in outputs):
        return completed
    if rule is same:
        whole = unify(completed[0], outputs[0]) if completed else None
        return [whole] * len(completed)
    for i, shape in enumerate(completed):
        for axis, size in enumerate(shape or ()):
            if size is None:
                _complete(rule, completed, i, axis, outputs, params)
    return completed


def _complete(
    rule: ShapeRule,
    inputs: list[PartialShape],
    i: int,
    axis: int,
    outputs: Sequence[PartialShape],
    params: dict[str, Any],
) -> None:
    """Write the size of one input's axis into the list of input shapes, if the output shapes determine it."""
    lower, higher = (_outputs_with(rule, inputs, i, axis, size, params) for size in _TRIED)
    if lower is None or higher is None:
        return
    for shape, first, second in zip(outputs, lower, higher, strict=True):
        if shape is None or first is None or second is None or not len(shape) == len(first) == len(second):
            continue
        for size, low, high in zip(shape, first, second, strict=True):
            found = _on_the_line(size, low, high)
            if found is None:
                continue
            result = _outputs_with(rule, inputs, i, axis, found, params)
            if result is not None and all(map(_agree, outputs, result)):
                inputs[i] = _with_size(inputs[i], axis, found)
                return


def _on_the_line(size: int | None, low: int | None, high: int | None) -> int | None:
    """Return the input size that gives this output size by linear interpolation; None if it is ambiguous."""
    if size is None or low is None or high is None or low == high:
        return None
    slope, rest = divmod(high - low, _TRIED[1] - _TRIED[0])
    if rest or slope < 1:  # a stride: several input sizes give the same output size
        return None
    found, rest = divmod(size - (low - slope * _TRIED[0]), slope)
    return found if not rest and found > 0 else None


def _outputs_with(
    rule: ShapeRule, inputs: Sequence[PartialShape], i: int, axis: int, size: int, params: dict[str, Any]
) -> list[PartialShape] | None:
    """Return the output shapes for one trial size of an input; None if the rule rejects it."""
    given = list(inputs)
    given[i] = _with_size(given[i], axis, size)
    try:
        return rule(*given, **params)[1]
    except MXNetError:
        return None


def _with_size(shape: PartialShape, axis: int, size: int) -> PartialShape:
    assert shape is not None
    return (*shape[:axis], size, *shape[axis + 1 :])


def _agree(known: PartialShape, found: PartialShape) -> bool:
    try:
        unify(known, found)
    except MXNetError:
        return False
    return True


def types_from_outputs(
    rule: Callable[..., Any], inputs: Sequence[Any], outputs: Sequence[Any], params: dict[str, Any]
) -> list[Any]:
    """Return the element types of the inputs, completed with those that the output types determine.

    Parameters
    ----------
    rule : callable
        The operator's type rule.
    inputs, outputs : sequence of (numpy.dtype or None)
        The element types of the operator's inputs and outputs; None for an unknown type.
    params : dict
        The operator's attributes.

    Returns
    -------
    list of (numpy.dtype or None)
        The element types of the inputs.

    Examples
    --------
    >>> from d2lhybrid.internals.core.operator import get_operator
    >>> types_from_outputs(get_operator("expand_dims").type_rule, [None], [numpy.dtype("int8")], {"axis": 1})
    [dtype('int8')]
    """
    completed = list(inputs)
    known = {place: dtype for place, dtype in enumerate(outputs) if dtype is not None}
    if not known:
        return completed
    if rule is same_type:
        return [next(iter(known.values())) if dtype is None else dtype for dtype in completed]
    for i, dtype in enumerate(completed):
        for place, found in known.items() if dtype is None else ():
            if all(_output_type(rule, completed, i, tried, place, params) == tried for tried in _TRIED_TYPES):
                completed[i] = found
                break
    return completed


def _output_type(
    rule: Callable[..., Any], inputs: Sequence[Any], i: int, tried: numpy.dtype, place: int, params: dict[str, Any]
) -> Any:
    """Return the type of one output if one input has the type that is tried; None if the operator rejects it."""
    try:
        return rule(*inputs[:i], tried, *inputs[i + 1 :], **params)[1][place]
    except (MXNetError, ValueError, TypeError, LookupError):
        return None
