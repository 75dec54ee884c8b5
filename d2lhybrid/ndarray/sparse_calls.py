"""Calls of operators on sparse arrays.

These calls set the stored positions of results, and update only the weight rows that a sparse gradient stores.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy

from ..internals.core.invoke import invoke, prepare_write, wrap
from ..internals.core.operator import Operator
from ..internals.core.sparse_rows import named_rows
from ..internals.device import array_modules
from ..internals.support import clock
from .ndarray import NDArray
from .sparse_arrays import RowSparseNDArray, give_storage, keep_storage, storage_of_call

__all__ = ["call_with_sparse"]


def call_with_sparse(op: Operator, arrays: list[Any], params: dict[str, Any], out: Any) -> Any:
    """Call an operator on arrays, at least one of which is sparse.

    Parameters
    ----------
    op : Operator
        The operator.
    arrays : list of NDArray or None
        The inputs.
    params : dict
        The operator's attributes.
    out : NDArray, list of NDArray or None
        The array or arrays to write the result to.

    Returns
    -------
    NDArray or list of NDArray
        The result.
    """
    if _is_lazy(op, arrays, params):
        return _update_rows(op, arrays, params, out)
    looked_up = None if op.looks_up is None else op.looks_up(**op.complete(params))
    if looked_up is not None and looked_up.kind == "rows" and arrays[looked_up.table].stype == "row_sparse":
        named_rows("rows", arrays[looked_up.by], len(arrays[looked_up.table]), "SparseEmbedding")
    if out is None:
        return keep_storage(op, arrays, params, invoke(op, arrays, params, NDArray))
    stype = out.stype if isinstance(out, NDArray) else "default"
    storage = None if stype == "default" else storage_of_call(op, arrays, params, out.shape)
    result = invoke(op, arrays, params, NDArray, out)
    if storage is not None and storage[0] == stype:
        give_storage(out, *storage)
    return result


def _is_lazy(op: Operator, arrays: Sequence[Any], params: dict[str, Any]) -> bool:
    if not op.lazy_rows or not isinstance(arrays[1], RowSparseNDArray):
        return False
    wanted = isinstance(arrays[0], RowSparseNDArray) or op.lazy_rows == "sparse gradient"
    return wanted and op.complete(params).get("lazy_update", True)


def _update_rows(op: Operator, arrays: Sequence[Any], params: dict[str, Any], out: Any) -> Any:
    """Call an operator that updates only some rows of a weight and its states."""
    rows = arrays[1]._stored()
    target = arrays[0].copy() if out is None else out
    if target is not arrays[0] and out is not None:
        arrays[0].copyto(target)
    places = array_modules.array_module(target._ctx).asarray(rows)
    parts = [wrap(NDArray, array._data[places], array._ctx) for array in arrays]
    changed = [target, *arrays[2:]]
    for array in changed:
        prepare_write(array)
    updated = invoke(op, parts, params, NDArray)
    for array, part in zip(changed, [updated, *parts[2:]], strict=True):
        array._data[places] = part._data
        if isinstance(array, RowSparseNDArray):
            array._places = numpy.arange(len(array))  # as in MXNet, including zeros
    clock.note_write([array._data for array in changed])
    return target
