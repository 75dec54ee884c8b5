"""Trial inputs of other shapes for a net."""

from __future__ import annotations

import ast
import math
from typing import Any

import numpy

from ...ndarray.ndarray import NDArray
from ..core.invoke import wrap
from ..device import array_modules
from .check.inputs import arrays_in

__all__ = ["MOST", "next_shape", "reshaped"]

#: The maximum number of elements in trial inputs; larger inputs may run for minutes or exhaust memory.
MOST = 1_000_000


def reshaped(inputs: Any, shape: Any = None) -> Any:
    """Return inputs of another shape, filled with repetitions of the original numbers.

    Parameters
    ----------
    inputs : tuple
        Original inputs.
    shape : tuple of int or str, optional
        New shape of the first input. Other inputs with the same batch size get the new batch size. By default, the
        first input gets one more row.

    Examples
    --------
    >>> from d2lhybrid import nd
    >>> [x.shape for x in reshaped((nd.ones((2, 3)), nd.ones((2,))), "(4, 3)")]
    [(4, 3), (4,)]
    """
    first = arrays_in(inputs)[0]
    wanted = next_shape(inputs) if shape is None else _parsed(shape)
    old = first.shape[0] if first.shape else None
    new = wanted[0] if wanted else None

    def change(value: Any) -> Any:
        if isinstance(value, NDArray):
            target = wanted if value is first else value.shape
            if value is not first and value.shape and value.shape[0] == old and new is not None:
                target = (new, *value.shape[1:])
            raw = numpy.resize(array_modules.asnumpy(value._data), target)
            return wrap(
                type(value), array_modules.to_context(raw.astype(value.dtype, copy=False), value._ctx), value._ctx
            )
        return type(value)(map(change, value)) if isinstance(value, list | tuple) else value

    return change(inputs)


def next_shape(inputs: Any) -> tuple[int, ...]:
    """Return the shape of the first input with one more row."""
    shape = tuple(arrays_in(inputs)[0].shape)
    return (shape[0] + 1, *shape[1:]) if shape else shape


def _parsed(shape: Any) -> tuple[int, ...]:
    try:
        read = ast.literal_eval(shape) if isinstance(shape, str) else shape
    except (ValueError, SyntaxError):
        read = None
    read = (read,) if isinstance(read, int) and not isinstance(read, bool) else read
    if not isinstance(read, list | tuple) or not all(isinstance(n, int) and n >= 0 for n in read):
        raise ValueError(f"A shape must be a tuple of non-negative integers, such as (2, 3), not {shape!r}")
    if math.prod(read) > MOST:
        raise ValueError(f"A trial input must have at most {MOST:,} elements, not {math.prod(read):,}")
    return tuple(read)
