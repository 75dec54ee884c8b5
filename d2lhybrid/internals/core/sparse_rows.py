"""The stored rows of a row-sparse gradient: the rows that a call looked up, even if their values are zero.

An operator declares that it looks up rows (:attr:`~d2lhybrid.internals.core.operator.Operator.looks_up`), or that the
gradients of some inputs have the rows of the incoming gradient
(:attr:`~d2lhybrid.internals.core.operator.Operator.hands_rows_on`). All other operators make a row-sparse gradient
dense. The tape and the compiler use these two declarations.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any, Literal, NamedTuple, TypeAlias

import numpy

from ...error import MXNetError
from ..device import array_modules
from .node import Entry, Node

__all__ = ["Kind", "LookedUp", "Rows", "Source", "add_rows", "named_rows", "rows_of_call", "sources_of"]

#: The row numbers of a gradient in ascending order; None for a dense gradient.
Rows: TypeAlias = numpy.ndarray | None
Kind: TypeAlias = Literal["rows", "columns", "retained"]


class LookedUp(NamedTuple):
    """The lookup of rows in one of an operator's inputs.

    Attributes
    ----------
    table, by : int
        The indices of two inputs: the table whose rows are looked up, and the array that contains the row numbers.
    kind : {"rows", "columns", "retained"}
        The contents of the input `by`: row numbers, a ``csr`` matrix whose columns are the rows, or row numbers that
        may be out of range.
    """

    table: int
    by: int
    kind: Kind


class Source(NamedTuple):
    """A value that determines the stored rows of a variable's gradient.

    Attributes
    ----------
    variable : Node
        The variable whose gradient is row-sparse.
    value : Entry
        The entry that determines the rows.
    kind : str
        As in :class:`LookedUp`.
    """

    variable: Node
    value: Entry
    kind: Kind


def named_rows(kind: Kind, by: Any, count: int, operator: str = "Embedding") -> Rows:
    """Return the rows that an array determines, or None for a dense gradient.

    Parameters
    ----------
    kind : str
        As in :class:`LookedUp`.
    by : NDArray
        The array that determines the rows.
    count : int
        The number of rows of the table.
    operator : str
        The name of the operator that looks up the rows, for the error message.

    Returns
    -------
    array of int64 or None
        The row numbers in ascending order; None if `kind` is ``"columns"`` and the array is not a ``csr`` matrix.

    Raises
    ------
    MXNetError
        If the array contains the number of a row that doesn't exist and `kind` is ``"rows"``.
    """
    if kind == "columns":
        return numpy.unique(by._stored()[1]) if by.stype == "csr" else None
    numbers = array_modules.asnumpy(by._data).reshape(-1)
    outside = (numbers < 0) | (numbers > count - 1)  # before truncation; NaN counts as row 0
    if kind == "retained":
        numbers = numbers[~outside]
    elif outside.any():
        error = MXNetError(f"Check failed: is_valid: {operator} input contains data out of bound")
        error.add_note(
            f"The table has rows 0 to {count - 1}, but the lookup requested row {numbers[outside][0]:.10g}. Pass valid "
            "row indices. With a dense gradient (sparse_grad=False), MXNet takes the nearest row instead."
        )
        raise error
    return numpy.unique(numpy.where(numbers == numbers, numbers, 0).astype(numpy.int64))


def rows_of_call(op: Any, params: dict[str, Any], arrays: Sequence[Any], i: int, rows: Rows) -> Rows:
    """Return the stored rows of the gradient for one input of a call.

    Parameters
    ----------
    op : Operator
        The operator that was called.
    params : dict
        The attributes of the call, without defaults.
    arrays : sequence of array
        The inputs of the call.
    i : int
        Index of the input.
    rows : Rows
        Rows of the gradient of the output.

    Returns
    -------
    Rows
        The rows; None for a dense gradient.
    """
    if i in op.hands_rows_on:
        return rows
    looked_up = None if op.looks_up is None else op.looks_up(**op.complete(params))
    if looked_up is None or looked_up.table != i:
        return None
    return named_rows(looked_up.kind, arrays[looked_up.by], arrays[i].shape[0])


def add_rows(total: dict[Any, Rows], key: Any, rows: Rows) -> None:
    """Add the rows of an incoming gradient to the total of an entry.

    A dense gradient makes the total dense.

    Parameters
    ----------
    total : dict
        The rows by entry.
    key : tuple
        The entry at which the gradient arrives.
    rows : Rows
        The rows of the incoming gradient; None for a dense gradient.
    """
    if key in total:
        before = total[key]
        rows = None if before is None or rows is None else numpy.union1d(before, rows)
    total[key] = rows


def _with_same_columns(value: Entry, kind: Kind) -> Entry:
    """Return the matrix from which an entry was computed by functions that keep the nonzero pattern."""
    while kind == "columns" and value[0].op is not None:
        op, inputs = value[0].op, value[0].inputs
        keeps = op.zero_stays is not None and op.zero_stays(**op.complete(value[0].params)) and len(inputs) == 1
        if not keeps or op.name == "zeros_like":
            break
        value = inputs[0]
    return value


def sources_of(
    variable: Node, users: Mapping[Node, Sequence[Node]], passed: Collection[Node], outputs: Collection[Entry]
) -> list[Source]:
    """Return the values that determine the stored rows of a variable's gradient in a graph.

    Parameters
    ----------
    variable : Node
        The variable whose gradient is row-sparse.
    users : mapping
        The nodes that read an output of each node.
    passed : collection of Node
        The nodes that propagate a gradient.
    outputs : collection of Entry
        The results at which dense gradients arrive.

    Returns
    -------
    list of Source
        The values, without duplicates; empty if the gradient is dense.
    """
    found: dict[Source, None] = {}
    stack: list[Entry] = [(variable, 0)]
    while stack:
        entry = stack.pop()
        if entry in outputs:
            return []
        for user in dict.fromkeys(users.get(entry[0], ())):
            if user not in passed or entry not in user.inputs:
                continue
            op = user.op
            assert op is not None
            looked_up = None if op.looks_up is None else op.looks_up(**op.complete(user.params))
            for i, child in enumerate(user.inputs):
                if child != entry:
                    continue
                if i in op.hands_rows_on:
                    stack.append((user, 0))
                elif looked_up is not None and looked_up.table == i:
                    value = user.inputs[looked_up.by]
                    found[Source(variable, _with_same_columns(value, looked_up.kind), looked_up.kind)] = None
                elif looked_up is None or looked_up.by != i:
                    return []
    return list(found)
