"""Checks that an optimizer and states from a file fit the weights to update.

A damaged file may still be a pickle of an optimizer and of states, but with a missing attribute, a string instead of a
number, or a state of the wrong shape. The checks of this module find such errors when the file is loaded,
before any change, and not during an update.
"""

from __future__ import annotations

import copy
import inspect
import warnings
from collections.abc import Callable, Mapping
from typing import Any

import numpy

from ..error import MXNetError
from ..internals.support.plural import counted
from ..lr_scheduler import LRScheduler
from ..ndarray import NDArray
from .optimizer import Optimizer, zeros_for

__all__ = ["check_optimizer", "check_state", "complete_optimizer", "is_before_1_6", "renumber"]

_MISSING = object()
#: Attributes that MXNet added to optimizers in versions 1.0, 1.1, 1.5, 1.5, and 1.6.
_YOUNGER = ("sym_info", "lazy_update", "aggregate_num", "_all_index_update_counts", "allow_np_array")


def complete_optimizer(optimizer: Optimizer) -> None:
    """Set missing attributes of an optimizer from an older version of MXNet to their default values.

    MXNet 1.9.1 itself loads files of older versions, but fails in the next update.

    Parameters
    ----------
    optimizer : Optimizer
        The optimizer, which is changed in place.
    """
    attributes = vars(optimizer)
    missing = [name for name in _YOUNGER if name not in attributes]
    if not missing or not isinstance(attributes.get("_index_update_count"), dict):
        return
    usual = _usual_attributes(_ours(type(optimizer)), attributes)
    attributes |= {name: usual[name] for name in missing if name in usual}
    if "_all_index_update_counts" in missing:
        attributes["_all_index_update_counts"] = {0: optimizer._index_update_count}


def is_before_1_6(optimizer: Optimizer) -> bool:
    """Return whether an optimizer was saved by a version of MXNet before 1.6.

    These versions number parameters in the order of their creation.

    Parameters
    ----------
    optimizer : Optimizer
        The optimizer.

    Returns
    -------
    bool
        Whether the optimizer lacks an attribute that MXNet 1.6 added.
    """
    return "allow_np_array" not in vars(optimizer)


def renumber(saved: dict[Any, Any], optimizer: Optimizer, numbers: list[int]) -> tuple[dict[Any, Any], Optimizer]:
    """Return states and their optimizer with new indices of the weights.

    Parameters
    ----------
    saved : dict
        States by the index of the weight.
    optimizer : Optimizer
        The optimizer, whose update counts are renumbered in place.
    numbers : list of int
        The new index of each weight.

    Returns
    -------
    tuple of (dict, Optimizer)
        The renumbered states, and the optimizer.
    """

    def moved(table: Any) -> Any:
        if not isinstance(table, dict):
            return table  # invalid; the check refuses it
        valid = range(len(numbers))
        return {numbers[i] if type(i) is int and i in valid else i: value for i, value in table.items()}

    tables = optimizer._all_index_update_counts
    if isinstance(tables, dict):
        current = next((device for device, table in tables.items() if table is optimizer._index_update_count), None)
        tables = {device: moved(table) for device, table in tables.items()}
        optimizer._all_index_update_counts = tables
        optimizer._index_update_count = moved(optimizer._index_update_count) if current is None else tables[current]
    return moved(saved), optimizer


def check_optimizer(optimizer: Optimizer) -> None:
    """Check the attributes of an optimizer from a file.

    Parameters
    ----------
    optimizer : Optimizer
        An optimizer that was created without its constructor.

    Raises
    ------
    MXNetError
        If an attribute is missing, or has a different type than in a newly constructed optimizer.
    """
    name = type(optimizer).__name__
    for attribute, usual in _usual_attributes(_ours(type(optimizer)), vars(optimizer)).items():
        value = vars(optimizer).get(attribute, _MISSING)
        if attribute == "lr_scheduler" and isinstance(value, LRScheduler):
            _check_schedule(value)
        elif attribute == "lr" and value is None and isinstance(optimizer.lr_scheduler, LRScheduler):
            pass  # the schedule has its own base_lr
        elif not _alike(value, usual, attribute):
            raise _error(f"{attribute} of {name}", value, _wanted(usual, attribute))


def check_state(optimizer: Optimizer, index: Any, weight: Any, state: Any) -> None:
    """Check that a state from a file is valid for an optimizer and a weight.

    Parameters
    ----------
    optimizer : Optimizer
        The optimizer that will use the state.
    index : hashable
        The index of the weight.
    weight : NDArray
        The weight.
    state : any
        The state from the file.

    Raises
    ------
    MXNetError
        If the structure, shape, or element type of the state is wrong for the weight.

    Examples
    --------
    >>> from d2lhybrid import nd, optimizer
    >>> check_state(optimizer.create("adam"), 0, nd.ones((2,)), (nd.zeros((2,)), nd.zeros((3,))))
    Traceback (most recent call last):
    d2lhybrid.error.MXNetError: the states do not match this optimizer: part 1 of the state of weight 0 is a ...
    """
    makers = (type(optimizer).create_state, type(optimizer).create_state_multi_precision)
    if any(maker.__module__.partition(".")[0] != __name__.partition(".")[0] for maker in makers):
        return  # the states of user-defined classes are unknown
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # about half precision, issued when a state is created
        usual = optimizer.create_state_multi_precision(index, weight)
    _compare_states(
        f"the state of weight {index}", state, usual, weight.shape if hasattr(optimizer, "momentum") else None
    )
    _try_update(optimizer, index, weight, state)


def _try_update(optimizer: Optimizer, index: Any, weight: Any, state: Any) -> None:
    """Update a copy of a weight with a copy of the optimizer, to find numbers that are invalid for the next step."""
    trial, copied = _trial(optimizer, index), weight.copy()
    trial._set_current_context(weight.context.device_id)
    if state is None or (isinstance(state, tuple) and any(part is None for part in state)):
        vars(trial)["momentum"] = 0.0  # as in MXNet, the next step, not the load, refuses a changed setting
    try:
        trial.update_multi_precision(index, copied, zeros_for(copied), _copied(state))
    except Exception as reason:
        what = f"{type(trial).__name__} cannot update weight {index}: {str(reason) or type(reason).__name__}"
        raise MXNetError(f"the states do not match this optimizer: {what:.300}") from None


def _trial(optimizer: Optimizer, index: Any) -> Optimizer:
    """Return a copy of an optimizer with its own update counts for a single weight."""
    alone = copy.copy(optimizer)
    alone._all_index_update_counts = {
        device: {index: counts[index]} if index in counts else {}
        for device, counts in optimizer._all_index_update_counts.items()
    }
    alone._index_update_count = {}
    looked_up = (alone.idx2name, alone.lr_mult, alone.wd_mult)
    return copy.deepcopy(alone, {id(table): table for table in looked_up})


def _copied(state: Any) -> Any:
    if isinstance(state, tuple | list):
        return tuple(_copied(part) for part in state)
    return state.copy() if isinstance(state, NDArray) else state


def _ours(cls: type[Any]) -> type[Any]:
    """Return the class itself, or its nearest base class in this package."""
    package = __name__.partition(".")[0]
    return next(base for base in cls.__mro__ if base.__module__.partition(".")[0] == package)


def _usual_attributes(cls: type[Any], given: Mapping[str, Any]) -> dict[str, Any]:
    """Return the attributes of a newly constructed object.

    Required arguments of the constructor are attributes of the object with the same names.
    """
    needed = {}
    for parameter in inspect.signature(cls).parameters.values():
        if parameter.default is parameter.empty and parameter.kind is parameter.POSITIONAL_OR_KEYWORD:
            if parameter.name not in given:
                raise _error(f"{parameter.name} of {cls.__name__}", _MISSING)
            needed[parameter.name] = given[parameter.name]
    try:
        usual = dict(vars(cls(**needed)))
    except Exception as reason:  # user code may raise anything
        raise MXNetError(
            f"the states do not match this optimizer: {cls.__name__} cannot be created with {needed!r:.80}: {reason}"
        ) from None
    usual.pop("param_dict", None)
    return usual


def _check_schedule(schedule: LRScheduler) -> None:
    cls, attributes = type(schedule), vars(schedule)
    if _ours(cls) is not cls:
        return  # the attributes of user-defined classes are unknown
    for attribute, usual in _usual_attributes(cls, attributes).items():
        value = attributes.get(attribute, _MISSING)
        if not _alike(value, usual, attribute):
            raise _error(f"{attribute} of {cls.__name__}", value, _wanted(usual, attribute))


def _alike(value: Any, usual: Any, attribute: str = "") -> bool:
    """Return whether a value could replace the value of a newly constructed object."""
    if usual is None:  # an optional number
        return value is None or (_is_number(value) and attribute != "lr_scheduler")
    if isinstance(usual, bool | int | float):
        return _is_number(value)
    if attribute in _TABLES:
        return isinstance(value, dict) and all(map(_TABLES[attribute], value.values()))
    if isinstance(usual, list):
        return isinstance(value, list) and all(map(_is_number, value))
    return isinstance(value, type(usual))


def _wanted(usual: Any, attribute: str) -> str:
    """Describe the values that could replace the value of a newly constructed object."""
    if usual is None:
        return "None or an LRScheduler" if attribute == "lr_scheduler" else "None or a number"
    if isinstance(usual, bool | int | float):
        return "a number"
    if attribute in _TABLES:
        return "a dictionary of names" if _TABLES[attribute] is _is_name else "a dictionary of numbers"
    return "a list of numbers" if isinstance(usual, list) else f"of type {type(usual).__name__}"


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float | numpy.integer | numpy.floating | numpy.bool_)


def _is_count(value: Any) -> bool:
    return type(value) is int and value >= 0


def _are_counts(value: Any) -> bool:
    return isinstance(value, dict) and all(map(_is_count, value.values()))


def _is_name(value: Any) -> bool:
    return isinstance(value, str)


#: Checks of the dictionaries in an optimizer, by attribute.
_TABLES: dict[str, Callable[[Any], bool]] = {
    "lr_mult": _is_number, "wd_mult": _is_number, "idx2name": _is_name,
    "_index_update_count": _is_count, "_all_index_update_counts": _are_counts,
}  # fmt: skip


def _compare_states(what: str, state: Any, usual: Any, momentum: tuple[int, ...] | None) -> None:
    """Raise an error if a state differs from a newly created state in structure, shape, or type.

    A momentum of shape ``momentum`` is optional, because the setting may have changed since the state was created.
    """
    if isinstance(usual, tuple | list):
        if not isinstance(state, tuple | list) or len(state) != len(usual):
            raise _error(what, state, f"a tuple of {counted(len(usual), 'part')}")
        for i, (part, example) in enumerate(zip(state, usual, strict=True)):
            _compare_states(f"part {i} of {what}", part, example, momentum)
    elif isinstance(usual, NDArray):
        if not (_is_float(state, usual.shape) or (state is None and usual.shape == momentum)):
            raise _error(what, state, _described(usual))
    elif not (state is None or (momentum is not None and _is_float(state, momentum))):
        raise _error(what, state, _described(usual))


def _is_float(state: Any, shape: tuple[int, ...]) -> bool:
    return isinstance(state, NDArray) and state.shape == shape and numpy.dtype(state.dtype).kind == "f"


def _error(what: str, value: Any, wanted: str = "") -> MXNetError:
    ending = f", but should be {wanted}" if wanted else ""
    return MXNetError(f"the states do not match this optimizer: {what} is {_described(value)}{ending}")


def _described(value: Any) -> str:
    if value is _MISSING:
        return "missing"
    if isinstance(value, NDArray):
        dtype = numpy.dtype(value.dtype).name
        return f"{'an' if dtype.startswith('int') else 'a'} {dtype} array of shape {value.shape}"
    if isinstance(value, tuple | list):
        return f"a {type(value).__name__} of {counted(len(value), 'part')}"
    return repr(value)[:80] if value is None or isinstance(value, str | int | float) else f"a {type(value).__name__}"
