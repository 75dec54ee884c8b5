"""Functions that mask or reverse sequences, or convert a sequence between a tensor and a list of steps."""

from __future__ import annotations

from typing import Any

import numpy

from ... import ndarray as nd
from ... import symbol as sym
from ...internals.support.plural import counted
from ...util import unknown_size
from ..parameter import tensor_types

__all__ = ["first_states", "format_sequence", "function_space", "mask_sequence", "reverse_sequences", "split_steps"]


def function_space(values: Any) -> Any:
    """Return ``mx.sym`` for a symbol or a list of symbols, and ``mx.nd`` for arrays.

    Parameters
    ----------
    values : NDArray, Symbol, or list of these
        The values.

    Returns
    -------
    module
        ``mx.sym`` or ``mx.nd``.
    """
    first = values[0] if isinstance(values, list | tuple) else values
    return sym if isinstance(first, sym.Symbol) else nd


def split_steps(F: Any, tensor: Any, axis: int, length: int | None, squeeze_axis: Any = 1) -> list[Any]:
    """Split a tensor into its steps along the time axis.

    Parameters
    ----------
    F : module
        ``mx.nd`` or ``mx.sym``.
    tensor : NDArray or Symbol
        The tensor.
    axis : int
        The time axis.
    length : int or None
        Number of steps. None accepts any number of steps, but only of an array.
    squeeze_axis : bool
        Whether to remove the time axis from the steps.

    Returns
    -------
    list of NDArray or of Symbol
        The steps.

    Raises
    ------
    AssertionError
        If an array does not have ``length`` steps.
    """
    if F is nd:
        if length is not None and tensor.shape[axis] != length:
            raise AssertionError(f"the sequence has {counted(tensor.shape[axis], 'step')}, but length is {length}")
        length = tensor.shape[axis]
    steps = F.split(tensor, axis=axis, num_outputs=length, squeeze_axis=squeeze_axis)
    return list(steps) if length != 1 else [steps]


def format_sequence(
    length: int | None, inputs: Any, layout: str, merge: bool | None, in_layout: str | None = None
) -> tuple[Any, int, Any, int]:
    """Return a sequence as one tensor, as a list of steps, or unchanged.

    Parameters
    ----------
    length : int or None
        Number of steps, which is checked unless it is None.
    inputs : NDArray, Symbol, or list of these
        The sequence.
    layout : str
        ``"NTC"`` or ``"TNC"``.
    merge : bool or None
        True for a tensor, False for a list, or None to keep the form.
    in_layout : str, optional
        Layout of an input tensor, if it differs from ``layout``.

    Returns
    -------
    tuple
        The sequence, its time axis, ``mx.nd`` or ``mx.sym``, and the batch size (0 for symbols).

    Raises
    ------
    AssertionError
        If the sequence does not have ``length`` steps.
    """
    axis = layout.find("T")
    in_axis = axis if in_layout is None else in_layout.find("T")
    F = function_space(inputs)
    if isinstance(inputs, tensor_types):
        batch_size = inputs.shape[layout.find("N")] if F is nd else unknown_size()
        if merge is False:
            inputs = split_steps(F, inputs, in_axis, length)
        elif in_axis != axis:
            inputs = F.swapaxes(inputs, dim1=axis, dim2=in_axis)
    else:
        if length is not None and len(inputs) != length:
            raise AssertionError(f"the sequence has {counted(len(inputs), 'step')}, but length is {length}")
        batch_size = inputs[0].shape[0] if F is nd else unknown_size()
        if merge is True:
            inputs = F.stack(*inputs, axis=axis)
    return inputs, axis, F, batch_size


def first_states(cell: Any, F: Any, states: Any, inputs: Any, batch_size: int) -> Any:
    """Return the initial states of a cell.

    Parameters
    ----------
    cell : RecurrentCell
        The cell.
    F : module
        ``mx.nd`` or ``mx.sym``.
    states : list or None
        The states to return. None creates zeros with the element type and the device of the inputs.
    inputs : NDArray, Symbol, or list of these
        The sequence.
    batch_size : int
        Number of sequences.

    Returns
    -------
    list of NDArray or of Symbol
        The states.
    """
    if states is not None:
        return states
    if F is sym:
        # A symbol has no known element type. Inputs and states have the element type of the parameters.
        dtypes = {numpy.dtype(p.dtype).name for p in cell.collect_params().values()} - {"float32"}
        keywords = {"dtype": dtypes.pop()} if len(dtypes) == 1 else {}
        return cell.begin_state(func=sym.zeros, batch_size=batch_size, **keywords)
    first = inputs if isinstance(inputs, tensor_types) else inputs[0]
    with first.context:
        return cell.begin_state(func=nd.zeros, batch_size=batch_size, dtype=first.dtype)


def mask_sequence(F: Any, data: Any, length: int, valid_length: Any, axis: int, merge: bool | None) -> Any:
    """Return a sequence with zeros after the valid steps of each example.

    Parameters
    ----------
    F : module
        ``mx.nd`` or ``mx.sym``.
    data : NDArray, Symbol, or list of these
        The sequence.
    length : int
        Number of steps.
    valid_length : NDArray or Symbol
        Number of valid steps of each example.
    axis : int
        The time axis.
    merge : bool or None
        Whether to return a tensor. If False or None, the result is a list of steps.

    Returns
    -------
    NDArray, Symbol, or list of these
        The masked sequence.
    """
    if not isinstance(data, tensor_types):
        data = F.stack(*data, axis=axis)
    masked = F.SequenceMask(data, sequence_length=valid_length, use_sequence_length=True, axis=axis)
    return masked if merge else split_steps(F, masked, axis, length, squeeze_axis=True)


def reverse_sequences(sequences: list[Any], unroll_step: int, valid_length: Any = None) -> list[Any]:
    """Reverse the valid steps of each example. Padding stays at the end.

    Parameters
    ----------
    sequences : list of NDArray or of Symbol
        The steps.
    unroll_step : int
        Number of steps.
    valid_length : NDArray or Symbol, optional
        Number of valid steps of each example; by default, all steps are valid.

    Returns
    -------
    list of NDArray or of Symbol
        The steps in reverse order.
    """
    if valid_length is None:
        return list(reversed(sequences))
    F = function_space(sequences)
    turned = F.SequenceReverse(F.stack(*sequences, axis=0), sequence_length=valid_length, use_sequence_length=True)
    return split_steps(F, turned, 0, unroll_step, squeeze_axis=True)
