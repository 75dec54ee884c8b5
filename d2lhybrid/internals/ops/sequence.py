"""Operators on padded sequences of different lengths: masking, the last step, and reversal.

The time axis is ``axis``, 0 or 1, and the batch axis is ``1 - axis``. ``sequence_length`` contains the length
of each sequence. Without ``use_sequence_length``, all sequences have the full length.
"""

from __future__ import annotations

import math
from typing import Any

from ...error import ShapeError
from ..core.operator import Array, operator
from . import rules
from .index import integer_indices, needed

FAMILY = "shape"
MEANINGS = {
    "value": "The value after the end of a sequence.",
    "data": (
        "The padded sequences: a time axis and a batch axis, in the order that ``axis`` defines, and any further axes."
    ),
    "sequence_length": "The length of each sequence, of shape ``(batch,)``; fractions are truncated.",
    "axis": "The time axis, 0 or 1; the other one is the batch axis.",
    "SequenceReverse.axis": "The time axis; only 0 is supported.",
}


def _check(data: tuple[Any, ...], lengths: tuple[Any, ...], axis: int) -> None:
    rules.require(
        len(data) > 1,
        f"dshape.ndim() > 1U ({len(data)} vs. 1) : The data array must be of rank 2 or greater.",
    )
    rules.require(
        axis in (0, 1),
        "(param_.axis == 0) || (param_.axis == 1): Current implementation expects axis to be 0 or 1.",
    )
    batch = data[1 - axis]
    for given in lengths:
        if given is not None and (len(given) != 1 or (given[0] != batch and None not in (given[0], batch))):
            raise ShapeError(f"Shape inconsistent, Provided = {rules.format_shape(given)}, inferred shape=({batch},)")


def _inputs(*, use_sequence_length, **_):
    return ["data", "sequence_length"] if use_sequence_length else ["data"]


def _complete_lengths(data: Any, lengths: tuple[Any, ...], axis: int) -> list[Any]:
    """Return the input shapes, in which the shape of the lengths is completed from the data."""
    if data is not None:
        _check(data, lengths, axis)
        lengths = tuple((data[1 - axis],) for _ in lengths)
    return [data, *lengths]


def _step_numbers(xp: Any, data: Any, axis: int) -> Any:
    """Return the index of each time step along the time axis, in a shape that broadcasts with lengths."""
    return xp.arange(data.shape[axis]).reshape((-1, 1) if axis == 0 else (1, -1))


def _types(data: Any, *lengths: Any, **_: Any) -> tuple[list[Any], list[Any]]:
    """Apply the type rule: lengths of an unknown type have the type of the data."""
    return [data, *(data if dtype is None else dtype for dtype in lengths)], [data]


def _along_batch(lengths: Any, axis: int) -> Any:
    return lengths.reshape((1, -1) if axis == 0 else (-1, 1))


# --- mask ---------------------------------------------------------------------------------------


@operator("SequenceMask", "_npx_sequence_mask")
def sequence_mask(
    xp,
    data: Array,
    sequence_length: Array | None = None,
    use_sequence_length: bool = False,
    value: float = 0.0,
    axis: int = 0,
):
    """Return a copy of the array in which ``value`` replaces all elements after the end of their sequence."""
    if not use_sequence_length:
        _check(data.shape, (), axis)
        return data.copy()
    lengths = needed(sequence_length, "SequenceMask", 2)
    _check(data.shape, (lengths.shape,), axis)
    # A length of 1.9 counts as 1, like an index.
    inside = _step_numbers(xp, data, axis) < _along_batch(integer_indices(lengths), axis)
    inside = inside.reshape(inside.shape + (1,) * (data.ndim - 2))
    return xp.where(inside, data, data.dtype.type(value))


sequence_mask.names_outputs = True
sequence_mask.input_names(_inputs)
sequence_mask.infer_shape(lambda data, *lengths, axis, **_: (_complete_lengths(data, lengths, axis), [data]))
sequence_mask.infer_type(_types)


@sequence_mask.gradient
def _(F, dy, y, data, *lengths, value, **attributes):
    return [F.SequenceMask(dy, *lengths, value=0.0, **attributes), *(None for _ in lengths)]


# --- last ---------------------------------------------------------------------------------------


def _last_positions(xp: Any, data: Any, lengths: Any, axis: int) -> Any:
    """Return the row of each sequence's last step, if the time and batch axes are flattened into rows."""
    steps, batch = data.shape[axis], data.shape[1 - axis]
    last = xp.minimum(xp.maximum(integer_indices(lengths), 1), steps) - 1
    return last * batch + xp.arange(batch) if axis == 0 else xp.arange(batch) * steps + last


def _without_axis(data: Any, axis: int) -> Any:
    return data[:axis] + data[axis + 1 :]


@operator("SequenceLast")
def sequence_last(
    xp,
    data: Array,
    sequence_length: Array | None = None,
    use_sequence_length: bool = False,
    axis: int = 0,
):
    """Return the last step of each sequence."""
    if not use_sequence_length:
        _check(data.shape, (), axis)
        return (data[-1] if axis == 0 else data[:, -1]).copy()
    lengths = needed(sequence_length, "SequenceLast", 2)
    _check(data.shape, (lengths.shape,), axis)
    rows = data.reshape(math.prod(data.shape[:2]), math.prod(data.shape[2:]))
    return rows.take(_last_positions(xp, data, lengths, axis), axis=0).reshape(_without_axis(data.shape, axis))


sequence_last.names_outputs = True
sequence_last.input_names(_inputs)
sequence_last.infer_shape(
    lambda data, *lengths, axis, **_: (
        _complete_lengths(data, lengths, axis),
        [None if data is None else _without_axis(data, axis)],
    )
)
sequence_last.infer_type(_types)


@sequence_last.gradient
def _(F, dy, y, data, *lengths, **attributes):
    return [F._backward_SequenceLast(dy, data, *lengths, **attributes), *(None for _ in lengths)]


@operator("_backward_SequenceLast")
def backward_sequence_last(
    xp,
    grad: Array,
    data: Array,
    sequence_length: Array | None = None,
    use_sequence_length: bool = False,
    axis: int = 0,
):
    """Return the gradient of ``SequenceLast``: zeros, with ``grad`` at the last step of each sequence."""
    result = xp.zeros(data.shape, grad.dtype)
    if not use_sequence_length:
        result[-1 if axis == 0 else (slice(None), -1)] = grad
        return result
    rows = result.reshape(math.prod(data.shape[:2]), math.prod(data.shape[2:]))
    rows[_last_positions(xp, data, sequence_length, axis)] = grad.reshape(data.shape[1 - axis], rows.shape[1])
    return result


backward_sequence_last.infer_shape(lambda grad, data, *lengths, **_: ([grad, data, *lengths], [data]))
backward_sequence_last.infer_type(_types)
backward_sequence_last.gradient(
    lambda F, dy, y, grad, data, *lengths, **attributes: [
        F.SequenceLast(dy, *lengths, **attributes),
        None,
        *(None for _ in lengths),
    ]
)

# --- reverse ------------------------------------------------------------------------------------


def _check_reverse(axis: int) -> None:
    rules.require(axis == 0, f"param_.axis == 0 ({axis} vs. 0) : Current implementation expects axis to be 0.")


@operator("SequenceReverse")
def sequence_reverse(
    xp,
    data: Array,
    sequence_length: Array | None = None,
    use_sequence_length: bool = False,
    axis: int = 0,
):
    """Reverse each sequence in time; the padding after the sequence keeps its position."""
    _check_reverse(axis)
    if not use_sequence_length:
        _check(data.shape, (), axis)
        return data[::-1].copy()
    lengths = needed(sequence_length, "SequenceReverse", 2)
    _check(data.shape, (lengths.shape,), axis)
    steps, batch = data.shape[:2]
    lengths = xp.minimum(integer_indices(lengths), steps)
    numbers = _step_numbers(xp, data, 0)
    source = xp.where(numbers < lengths, lengths - 1 - numbers, numbers)
    rows = data.reshape(steps * batch, math.prod(data.shape[2:]))
    return rows.take((source * batch + xp.arange(batch)).reshape(-1), axis=0).reshape(data.shape)


sequence_reverse.names_outputs = True


@sequence_reverse.infer_shape
def _(data, *lengths, axis, **_):
    _check_reverse(axis)
    return _complete_lengths(data, lengths, axis), [data]


sequence_reverse.input_names(_inputs)
sequence_reverse.infer_type(_types)
sequence_reverse.gradient(
    lambda F, dy, y, data, *lengths, **attributes: [
        F.SequenceReverse(dy, *lengths, **attributes),
        *(None for _ in lengths),
    ]
)
