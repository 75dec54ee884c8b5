"""The storage of a gradient in the gradient array: by a copy, by an addition, or by reuse of the gradient's memory.

If the backward walk computed a gradient only for one variable, no other object uses the gradient's memory. The gradient
array then adopts this memory instead of copying it, which saves a pass over the memory of every parameter in every
training step.
"""

from __future__ import annotations

import sys
from typing import Any

import numpy

from ..core import tape

__all__ = ["store"]


def store(variable: tape.Variable, value: Any) -> None:
    """Store the gradient that arrived at a variable in the variable's gradient array, or add it to this array.

    Parameters
    ----------
    variable : Variable
        A variable that has a gradient array.
    value : raw array or None
        The gradient; None for zeros. The caller must not keep a reference to the gradient.
    """
    target = variable.grad._data
    if (
        variable.grad_req != "add"
        and _may_replace(value, target)
        and _references(value) == _NOBODY_ELSE  # otherwise, two variables may share a gradient array
        and _references(target) == _NOBODY_ELSE + 1  # otherwise, a view of the old gradient wouldn't change
        and (whole := _whole_memory(value)) is not None
    ):
        variable.grad._data = whole  # without other references, this is equivalent to a copy
    else:
        tape.store_by_copy(variable, value)


def _references(array: Any) -> int:
    """Return the reference count of an array to which a local variable of the caller refers."""
    return sys.getrefcount(array)


def _references_to_a_new_array() -> int:
    array = numpy.empty(1)
    return _references(array)


#: The result of :func:`_references` for an array without other references.
_NOBODY_ELSE = _references_to_a_new_array()


def _may_replace(value: Any, target: Any) -> bool:
    """Return whether an array has the type and memory layout of the array that it would replace."""
    if type(value) is not numpy.ndarray or type(target) is not numpy.ndarray:
        return False
    return value.shape == target.shape and value.dtype == target.dtype and value.flags.c_contiguous


def _whole_memory(value: Any) -> Any:
    """Return the array that owns exactly the memory of a value; None if other references may exist.

    This is the value itself, or the array of which the value is the only view. For example, the gradient of weights
    that a pass has transposed is a view of a computed array.
    """
    base = value.base
    if base is None:
        return value
    alike = type(base) is numpy.ndarray and base.base is None and base.dtype == value.dtype
    if not alike or base.shape != value.shape or base.strides != value.strides:
        return None
    return base if _references(base) == _NOBODY_ELSE + 1 else None
