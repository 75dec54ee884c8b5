"""Loops and branches on arrays: ``nd.contrib.foreach``, ``while_loop``, and ``cond``.

These functions run as Python loops and branches, and the tape records the operators that run. The functions of the
same names in ``sym.contrib`` create nodes that hold the body as a graph. A block that calls these functions through
``F`` can therefore be hybridized.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..internals.core.invoke import invoke
from ..internals.core.operator import get_operator
from ..internals.support.nested import flatten, regroup
from .ndarray import NDArray

__all__ = ["cond", "foreach", "truth", "while_loop"]


def _stack(arrays: list[Any]) -> Any:
    return invoke(get_operator("stack"), arrays, {"axis": 0}, type(arrays[0]))


def foreach(body: Callable[[Any, Any], tuple[Any, Any]], data: Any, init_states: Any) -> tuple[Any, Any]:
    """Call a function for each row of arrays, and pass the states from each call to the next call.

    Parameters
    ----------
    body : callable
        ``body(row, states)`` returns ``(output, new states)``.
    data : NDArray or nested list of NDArray
        The arrays, which are split along their first axis.
    init_states : NDArray or nested list of NDArray
        The states for the first call.

    Returns
    -------
    outputs : NDArray or nested list of NDArray
        The outputs of all calls, stacked along a new first axis, with the nesting that ``body`` returns.
    states : NDArray or nested list of NDArray
        The states that the last call returned.

    Raises
    ------
    AssertionError
        If the data, the states, or the outputs contain anything but arrays.

    Examples
    --------
    >>> from d2lhybrid import nd
    >>> sums, last = nd.contrib.foreach(lambda x, s: (x + s, x + s), nd.array([1, 2, 3]), nd.zeros(1))
    >>> sums.reshape(-1)
    <BLANKLINE>
    [1. 3. 6.]
    <NDArray 3 @cpu(0)>
    """
    arrays, structure = flatten(data, NDArray, "foreach input")
    flatten(init_states, NDArray, "foreach states")
    states, columns, form = init_states, [], []
    for i in range(arrays[0].shape[0]):
        output, states = body(regroup([array[i] for array in arrays], structure), states)
        row, form = flatten(output, NDArray, "foreach output")
        columns.append(row)
    return regroup([_stack(list(column)) for column in zip(*columns, strict=True)], form), states


def while_loop(
    cond: Callable[..., Any], func: Callable[..., Any], loop_vars: Any, max_iterations: int | None = None
) -> tuple[Any, Any]:
    """Call a function repeatedly while a condition holds.

    Parameters
    ----------
    cond : callable
        The condition: ``cond(*loop_vars)`` returns an array with one element, or a truth value.
    func : callable
        The body: ``func(*loop_vars)`` returns ``(output, new loop_vars)``.
    loop_vars : NDArray or list of NDArray
        The variables for the first call.
    max_iterations : int
        Maximum number of calls.

    Returns
    -------
    outputs : list of NDArray
        The outputs of all calls, stacked along a new first axis and padded with zeros to ``max_iterations``; an empty
        list if there was no call.
    loop_vars : NDArray or list of NDArray
        The variables after the last call.

    Raises
    ------
    ValueError
        If ``max_iterations`` or the loop variables are missing, or if the number of loop variables changes.
    """
    if max_iterations is None:
        raise ValueError("max_iterations should be specified")
    limit = _convert(max_iterations, int, "max_iteration")
    single = isinstance(loop_vars, NDArray)
    variables = [loop_vars] if single else list(loop_vars) if len(loop_vars) else []
    if not variables:
        raise ValueError("loop_vars should contain at least one element")
    columns, form = [], []
    while len(columns) < limit and truth(cond(*variables), "Return value of cond"):
        output, new = func(*variables)
        new = list(new) if isinstance(new, list | tuple) else [new]
        if len(new) != len(variables):
            raise ValueError("The length of loop_vars should be consistent during the loop")
        variables = new
        row, form = flatten([] if output is None else output, NDArray, "while output")
        columns.append(row)
    outputs = []
    for column in zip(*columns, strict=True):
        zeros = invoke(get_operator("zeros_like"), [column[0]], {}, type(column[0]))
        outputs.append(_stack([*column, *[zeros] * (limit - len(column))]))
    states = variables[0] if single else variables if columns else loop_vars
    return regroup(outputs, form), states


def cond(pred: Any, then_func: Callable[[], Any], else_func: Callable[[], Any]) -> Any:
    """Call one of two functions, depending on a condition, and return the result.

    Parameters
    ----------
    pred : NDArray of one element, or truth value
        The condition.
    then_func, else_func : callable
        Functions without parameters. ``then_func`` is called if the condition is true, and ``else_func`` if the
        condition is false.

    Returns
    -------
    NDArray or list of NDArray
        The result of the called function.
    """
    return then_func() if truth(pred, "pred") else else_func()


def truth(value: Any, name: str = "pred") -> bool:
    """Return the truth value of an array with one element.

    Parameters
    ----------
    value : NDArray
        The array.
    name : str
        Name of the value, for the error.

    Returns
    -------
    bool
        The truth value.
    """
    return _convert(value, bool, name)


def _convert(value: Any, kind: type, name: str) -> Any:
    if isinstance(value, NDArray):
        value = NDArray.asscalar(value)
    try:
        return kind(value)
    except (TypeError, ValueError):
        raise ValueError(f"Cannot convert {name} to python {kind.__name__}") from None
