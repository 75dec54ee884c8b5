"""Checks that the names of a module's inputs match its symbol and its data, and helper functions of modules."""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from typing import Any

from .. import ndarray as nd
from ..io import DataDesc

__all__ = [
    "as_list", "check_input_names", "check_names_match", "describe_inputs", "require", "require_ready", "shapes_of",
    "zeros_like_first",
]  # fmt: skip

_OF_PARAMETERS = ("_weight", "_bias", "_gamma", "_beta")


def require(condition: Any, message: str) -> None:
    """Raise an ``AssertionError``, as MXNet's modules do, if a condition is false.

    Parameters
    ----------
    condition : object
        The condition.
    message : str
        The message of the error.

    Raises
    ------
    AssertionError
        If the condition is false.
    """
    if not condition:
        raise AssertionError(message)


def require_ready(module: Any, method: str) -> None:
    """Raise an ``AssertionError`` if a module is not bound, or its parameters are not initialized.

    Parameters
    ----------
    module : BaseModule
        The module.
    method : str
        Name of the method for the error message, such as ``"forward()"``.

    Raises
    ------
    AssertionError
        If ``bind()`` or ``init_params()`` was not called.
    """
    require(module.binded and module.params_initialized, f"call bind() and init_params() before {method}")


def as_list(value: Any) -> list[Any]:
    """Return a list or tuple as a list, and any other value as the only item of a list.

    Parameters
    ----------
    value : object, list or tuple
        The value, or the values.

    Returns
    -------
    list
        The values.
    """
    return list(value) if isinstance(value, list | tuple) else [value]


def check_input_names(symbol: Any, names: Sequence[str], typename: str, throw: bool) -> None:
    """Check that names are arguments of a symbol.

    Parameters
    ----------
    symbol : Symbol
        The graph.
    names : sequence of str
        The names.
    typename : str
        The role of the names: ``"data"``, ``"label"``, ``"state"``, or ``"fixed_param"``.
    throw : bool
        Whether a missing name raises an error. If False, a missing name causes a warning.

    Raises
    ------
    ValueError
        If the symbol has no argument with a name in ``names`` and ``throw`` is True. The message lists candidates.
    """
    arguments = symbol.list_arguments()
    for name in names:
        if name in arguments:
            continue
        candidates = "\n\t".join(a for a in arguments if not a.endswith(_OF_PARAMETERS))
        message = (
            f"\033[91mYou created Module with Module(..., {typename}_names={list(names)}) but input with name '{name}' "
            f"is not found in symbol.list_arguments(). Did you mean one of:\n\t{candidates}\033[0m"
        )
        if throw:
            raise ValueError(message)
        warnings.warn(message, stacklevel=4)


def describe_inputs(
    data_names: Sequence[str], label_names: Sequence[str], data_shapes: Any, label_shapes: Any
) -> tuple[list[DataDesc], list[DataDesc] | None]:
    """Return descriptions of data and labels.

    Parameters
    ----------
    data_names, label_names : sequence of str
        The module's names for the data and for the labels.
    data_shapes, label_shapes : list of DataDesc or of (str, tuple of int)
        Descriptions, or pairs of name and shape. ``label_shapes`` may be None.

    Returns
    -------
    tuple of list of DataDesc
        The descriptions of the data and of the labels. Without ``label_shapes``, the second element is None.

    Raises
    ------
    ValueError
        If the names of the data differ from the module's names. A difference in the names of labels causes a warning.
    """
    data = _descriptions(data_shapes)
    check_names_match(data_names, data, "data", throw=True)
    labels = None if label_shapes is None else _descriptions(label_shapes)
    check_names_match(label_names, labels or [], "label", throw=False)
    return data, labels


def _descriptions(shapes: Any) -> list[DataDesc]:
    return [x if isinstance(x, DataDesc) else DataDesc(*x) for x in shapes]


def check_names_match(data_names: Sequence[str], data_shapes: Sequence[Any], name: str, throw: bool) -> None:
    """Check that descriptions, or pairs of name and shape, have the module's names.

    Parameters
    ----------
    data_names : sequence of str
        The module's names.
    data_shapes : sequence of DataDesc or of (str, tuple of int)
        The descriptions.
    name : {"data", "label"}
        The role of the names, for the error message.
    throw : bool
        Whether a difference raises an error. If False, a difference causes a warning.

    Raises
    ------
    ValueError
        If the names differ and ``throw`` is True.
    """
    if sorted(data_names) == sorted(x[0] for x in data_shapes):
        return
    message = (
        f"Data provided by {name}_shapes don't match names specified by {name}_names "
        f"({list(data_shapes)} vs. {list(data_names)})"
    )
    if throw:
        raise ValueError(message)
    warnings.warn(message, stacklevel=4)


def shapes_of(data_batch: Any) -> tuple[tuple[int, ...], ...]:
    """Return the shapes of the data of a batch, or of the concatenated data of a list of batches.

    Parameters
    ----------
    data_batch : DataBatch or list of DataBatch
        The batch or the batches.

    Returns
    -------
    tuple of tuple of int
        The shape of each input.

    Raises
    ------
    AssertionError
        If the list is empty, or if the shapes of its batches differ.
    """
    if not isinstance(data_batch, list):
        return tuple(x.shape for x in data_batch.data)
    require(data_batch, "Encountered empty data batch")
    shapes = [tuple(x.shape for x in batch.data) for batch in data_batch]
    require(all(s == shapes[0] for s in shapes), "All data batches in a list need to have the same shape")
    return tuple((len(data_batch) * shape[0], *shape[1:]) for shape in shapes[0])


def zeros_like_first(
    names: Sequence[str], blocks: Sequence[Sequence[Any]], attributes: Mapping[str, Mapping[str, str]] | None = None
) -> dict[str, Any]:
    """Return zeros with the shape and the element type of the first array of each list.

    Parameters
    ----------
    names : sequence of str
        A name for each list.
    blocks : sequence of sequence of NDArray
        The lists.
    attributes : dict of str to dict, optional
        Attributes of the variables, by name. ``__storage_type__`` is the storage type of the result.

    Returns
    -------
    dict of str to NDArray
        The zeros, by name.
    """
    zeros = {n: nd.zeros(b[0].shape, dtype=b[0].dtype) for n, b in zip(names, blocks, strict=True)}
    for name, array in zeros.items():
        code = (attributes or {}).get(name, {}).get("__storage_type__", "0")
        if code in _STORAGE:
            zeros[name] = array.tostype(_STORAGE[code])
    return zeros


#: Storage types by the value of a variable's attribute ``__storage_type__``.
_STORAGE = {"1": "row_sparse", "2": "csr"}
