"""The stored positions of a sparse array, which are independent of the values at these positions.

A sparse array consists of dense values and *places*: the row indices of a ``row_sparse`` array, or the row pointers and
column indices of a ``csr`` matrix. A stored value may be zero, such as the gradient of a row that was looked up. All
values that aren't stored are zero. If the places are None, exactly the nonzero values are stored, as after a conversion
from a dense array.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy

from ..core.operator import Operator
from ..device import array_modules

__all__ = [
    "Held",
    "Places",
    "clear_others",
    "places_of_result",
    "places_of_rows",
    "places_of_values",
    "stored_places",
    "union",
]

#: The rows of a ``row_sparse`` array, or the row pointers and column indices of a ``csr`` matrix.
Places = Any


class Held(NamedTuple):
    """The properties of an input that determine the places of a result.

    Attributes
    ----------
    stype : str
        The storage type of the input.
    shape : tuple of int
        The shape of the input.
    places : array, tuple of array or None
        The places of a sparse input; None if they are unknown or the input is dense.
    values : raw array or None
        The values; None if they are unknown.
    """

    stype: str
    shape: tuple[int, ...]
    places: Places = None
    values: Any = None


def places_of_values(raw: Any, stype: str) -> Places:
    """Return the places of the nonzero values of an array in dense form.

    Examples
    --------
    >>> places_of_values(numpy.array([[0, 0], [0, 3]]), "row_sparse")
    array([1])
    >>> places_of_values(numpy.array([[0, 0], [0, 3]]), "csr")
    (array([0, 0, 1]), array([1]))
    """
    raw = array_modules.asnumpy(raw)
    if stype == "row_sparse":
        return numpy.flatnonzero(raw.any(axis=tuple(range(1, raw.ndim)))).astype(numpy.int64)
    return _compressed(raw != 0)


def _compressed(mask: numpy.ndarray) -> Places:
    rows, columns = numpy.nonzero(mask)
    pointers = numpy.zeros(len(mask) + 1, numpy.int64)
    numpy.add.at(pointers, rows + 1, 1)
    return numpy.cumsum(pointers), columns.astype(numpy.int64)


def places_of_rows(columns: Sequence[Any]) -> Places:
    """Return the places of a ``csr`` matrix, given the column indices of each row.

    Examples
    --------
    >>> places_of_rows([[0, 2], [], [1]])
    (array([0, 2, 2, 3]), array([0, 2, 1]))
    """
    pointers = numpy.cumsum([0, *map(len, columns)])
    return pointers, numpy.array([column for row in columns for column in row], numpy.int64)


def rows_of(places: Places) -> numpy.ndarray:
    """Return the row of each stored value of a ``csr`` matrix."""
    pointers = places[0]
    return numpy.repeat(numpy.arange(len(pointers) - 1), numpy.diff(pointers))


def stored_places(raw: Any, stype: str, places: Places) -> Places:
    """Return the places of an array: the known places, and those of nonzero values that were written elsewhere.

    Parameters
    ----------
    raw : raw array
        All values of the array, stored or not, in dense form.
    stype : {"row_sparse", "csr"}
        The storage type of the array.
    places : array, tuple of array or None
        The places that are already known, which remain stored even if they contain zeros; None if no places are known.
    """
    if places is None:
        return places_of_values(raw, stype)
    raw = array_modules.asnumpy(raw)
    chosen = numpy.unique(places) if stype == "row_sparse" else (rows_of(places), places[1])
    # In most cases, all places are known. Counting nonzero booleans is much faster than counting nonzero floats.
    if numpy.count_nonzero(raw != 0) <= numpy.count_nonzero(raw[chosen] != 0):
        return places
    if stype == "row_sparse":
        return union(places, places_of_values(raw, stype))
    return _compressed((raw != 0) | ~_outside(raw.shape, stype, places))


def _outside(shape: tuple[int, ...], stype: str, places: Places) -> numpy.ndarray:
    """Return the mask of the rows or elements that aren't stored."""
    if stype == "row_sparse":
        outside = numpy.ones(shape[0], bool)
        outside[places] = False
    else:
        outside = numpy.ones(shape, bool)
        outside[rows_of(places), places[1]] = False
    return outside


def clear_others(raw: Any, stype: str, places: Places) -> None:
    """Set all elements that aren't stored to zero; an operator may have computed NaN there (``0 / 0``)."""
    xp = array_modules.module_of(raw)
    raw[xp.asarray(_outside(raw.shape, stype, places))] = 0


def union(first: numpy.ndarray, *others: numpy.ndarray) -> numpy.ndarray:
    """Return the row indices that occur in at least one of several arrays, in ascending order.

    Examples
    --------
    >>> union(numpy.array([3, 1]), numpy.array([1, 2]))
    array([1, 2, 3])
    """
    return numpy.unique(numpy.concatenate([first, *others])).astype(numpy.int64)


# --- rules -------------------------------------------------------------------------------------------


def _as_first(inputs: Sequence[Held], stype: str, **_: Any) -> Places:
    """Return the places of the input with the same storage type, for functions of one array, and for products."""
    return next((one.places for one in inputs if one.stype == stype), None)


def _of_all(inputs: Sequence[Held], stype: str, **_: Any) -> Places:
    """Return the rows of all inputs, or None for ``csr`` matrices, where MXNet stores only the nonzero sums."""
    if stype == "csr" or any(one.places is None for one in inputs):
        return None
    return union(*[one.places for one in inputs])


def _of_factors(inputs: Sequence[Held], stype: str, **_: Any) -> Places:
    kinds = [one.stype for one in inputs]
    return _as_first(inputs, stype) if "default" in kinds else _of_all(inputs, stype)


def _nothing(inputs: Sequence[Held], stype: str, **_: Any) -> Places:
    """Return the places of an array that stores no value."""
    empty = numpy.zeros(0, numpy.int64)
    return empty if stype == "row_sparse" else (numpy.zeros(inputs[0].shape[0] + 1, numpy.int64), empty)


def _of_slice(inputs: Sequence[Held], stype: str, begin: Any = (), end: Any = (), **_: Any) -> Places:
    one = inputs[0]
    if one.places is None:
        return None
    kept = [
        range(size)[slice(*limits)]
        for size, limits in zip(one.shape, [*zip(begin, end, strict=True), (None, None)], strict=False)
    ]
    rows, columns = rows_of(one.places), one.places[1]
    inside = (columns >= kept[1].start) & (columns < kept[1].stop)
    counts = numpy.bincount(rows[inside], minlength=one.shape[0])[kept[0].start : kept[0].stop]
    inside &= (rows >= kept[0].start) & (rows < kept[0].stop)
    return numpy.concatenate([[0], numpy.cumsum(counts)]).astype(numpy.int64), columns[inside] - kept[1].start


def _of_joined(inputs: Sequence[Held], stype: str, **_: Any) -> Places:
    if any(one.places is None for one in inputs):
        return None
    pointers, columns = [numpy.zeros(1, numpy.int64)], []
    for one in inputs:
        pointers.append(one.places[0][1:] + pointers[-1][-1])
        columns.append(one.places[1])
    return numpy.concatenate(pointers), numpy.concatenate(columns)


def _of_product(
    inputs: Sequence[Held],
    stype: str,
    transpose_a: bool = False,
    transpose_b: bool = False,
    forward_stype: Any = None,
    **_: Any,
) -> Places:
    """Return the places of a matrix product, which follow from the places of the factors."""
    lhs, rhs = inputs
    natural = forward_stype in (None, stype) and not transpose_b
    if stype == "row_sparse" and lhs.stype == "csr" and lhs.places is not None and transpose_a and natural:
        columns = lhs.places[1]
        if rhs.stype == "row_sparse":
            if rhs.places is None:
                return None
            columns = columns[numpy.isin(rows_of(lhs.places), rhs.places)]
        return numpy.unique(columns)
    if stype == "csr" and rhs.stype == "csr" and rhs.places is not None and not transpose_a and natural:
        columns = numpy.unique(rhs.places[1])
        rows = lhs.shape[0]
        return numpy.arange(rows + 1) * len(columns), numpy.tile(columns, rows)
    return None


def _of_cast(inputs: Sequence[Held], stype: str, **_: Any) -> Places:
    return inputs[0].places if inputs[0].stype == stype else None


def _of_retained(inputs: Sequence[Held], stype: str, **_: Any) -> Places:
    """Return the requested rows in ascending order; an array without stored rows remains empty."""
    data, indices = inputs
    if data.places is None or indices.values is None:
        return None
    asked = array_modules.asnumpy(indices.values).reshape(-1).astype(numpy.int64)
    return asked[(asked >= 0) & (asked < data.shape[0])] if len(data.places) else data.places


def _of_taken(inputs: Sequence[Held], stype: str, mode: str = "clip", **_: Any) -> Places:
    """Return the places of the selected rows, one row after another."""
    data, indices = inputs
    if data.places is None or indices.values is None:
        return None
    pointers, columns = data.places
    rows = array_modules.asnumpy(indices.values).astype(numpy.int64)
    rows = rows % data.shape[0] if mode == "wrap" else rows.clip(0, data.shape[0] - 1)
    counts = pointers[rows + 1] - pointers[rows]
    ends = numpy.cumsum(counts)
    chosen = numpy.repeat(pointers[rows + 1] - ends, counts) + numpy.arange(counts.sum())
    return numpy.concatenate([[0], ends]).astype(numpy.int64), columns[chosen]


_RULES: dict[str, Callable[..., Places]] = {
    "Concat": _of_joined,
    "_sparse_retain": _of_retained,
    "add_n": _of_all,
    "cast_storage": _of_cast,
    "dot": _of_product,
    "elemwise_add": _of_all,
    "elemwise_mul": _of_factors,
    "elemwise_sub": _of_all,
    "slice": _of_slice,
    "take": _of_taken,
    "zeros_like": _nothing,
}


def places_of_result(op: Operator, inputs: Sequence[Held], params: dict[str, Any], stype: str) -> Places:
    """Return the places of an operator's sparse result, or None if the values of the result determine the places.

    Parameters
    ----------
    op : Operator
        The operator that was called.
    inputs : sequence of Held
        The inputs of the operator.
    params : dict
        The attributes of the operator.
    stype : str
        The storage type of the sparse result.

    Examples
    --------
    >>> from d2lhybrid.internals.core.operator import get_operator
    >>> rows = [Held("row_sparse", (5, 2), numpy.array(places)) for places in ([0, 3], [1, 3])]
    >>> places_of_result(get_operator("elemwise_add"), rows, {}, "row_sparse")
    array([0, 1, 3])
    """
    return _RULES.get(op.name, _as_first)(inputs, **{**params, "stype": stype})
