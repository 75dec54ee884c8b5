"""How a gradient comes into the array that holds it: copied, added, or taken as it is.

What a walk back has made for one variable alone belongs to nobody else. It then becomes the memory of the gradient's
array itself, and a pass over the memory of every parameter is saved in every training step.
"""

from __future__ import annotations

import sys
from typing import Any

import numpy

from ..core import tape

__all__ = ["store"]


def store(variable: tape.Variable, value: Any) -> None:
    """Put what has arrived at a variable into the array of its gradient.

    Parameters
    ----------
    variable : Variable
        One with an array for its gradient.
    value : raw array or None
        What has arrived; None for zeros. The caller must not hold it.
    """
    target = variable.grad._data
    if (
        variable.grad_req != "add"
        and _may_replace(value, target)
        and _references(value) == _NOBODY_ELSE  # the gradient of two variables can be one array
        and _references(target) == _NOBODY_ELSE + 1  # a view of the old gradient would not see the new one
        and (whole := _whole_memory(value)) is not None
    ):
        variable.grad._data = whole  # nobody can tell this from a copy
    else:
        tape.store_by_copy(variable, value)


def _references(array: Any) -> int:
    """Return how many references there are to an array that a local variable of the caller holds."""
    return sys.getrefcount(array)


def _references_to_a_new_array() -> int:
    array = numpy.empty(1)
    return _references(array)


#: What :func:`_references` says of an array that nobody but the caller holds.
_NOBODY_ELSE = _references_to_a_new_array()


def _may_replace(value: Any, target: Any) -> bool:
    """Return whether one array could stand in the place of another."""
    if type(value) is not numpy.ndarray or type(target) is not numpy.ndarray:
        return False
    return value.shape == target.shape and value.dtype == target.dtype and value.flags.c_contiguous


def _whole_memory(value: Any) -> Any:
    """Return the array that owns the memory of a value, all of it in the same order; None if others may see it.

    It is the value itself, or what it is the only view of: the gradient of weights that a pass has turned around, and
    back, is a view of what was computed.
    """
    base = value.base
    if base is None:
        return value
    alike = type(base) is numpy.ndarray and base.base is None and base.dtype == value.dtype
    if not alike or base.shape != value.shape or base.strides != value.strides:
        return None
    return base if _references(base) == _NOBODY_ELSE + 1 else None
