"""Attention on interleaved projections, as in the transformer layers of GluonNLP's BERT.

One dense layer computes the queries, keys, and values of all heads, in an array of shape ``(length, batch, heads ·
parts · size)``. For each head, this array contains the query, the key, and the value, in this order. The
operators multiply these parts without copying them. The intermediate matrices have the shape ``(batch · heads, length,
length)``. The gradients are computed with ``batch_dot``.
"""

from __future__ import annotations

import math
from typing import Any

from ..core.operator import REQUIRED, Array, operator
from . import rules
from .elementwise import check_same_dtype

FAMILY = "linear"

#: The numbers of parts: 3 for queries, keys, and values, or 2 for keys and values.
_SELF, _ENCODED = 3, 2


def _pieces(xp: Any, data: Any, heads: int, parts: int) -> list[Any]:
    """Return the parts of an interleaved array as stacks of matrices ``(batch · heads, length, size)``."""
    length, batch, width = data.shape
    size = width // (heads * parts)
    split = data.reshape(length, batch, heads, parts, size)
    order = (1, 2, 0, 3)
    return [split[:, :, :, i].transpose(order).reshape(batch * heads, length, size) for i in range(parts)]


def _scores(xp: Any, queries: Any, keys: Any) -> Any:
    return xp.matmul(queries / queries.dtype.type(math.sqrt(queries.shape[-1])), keys.swapaxes(1, 2))


def _mixture(xp: Any, attention: Any, values: Any, heads: int) -> Any:
    mixed = xp.matmul(attention, values)
    stack, length, size = mixed.shape
    batch = stack // heads
    return mixed.reshape(batch, heads, length, size).transpose(2, 0, 1, 3).reshape(length, batch, heads * size)


# --- functions for the gradients ------------------------------------------------------------------


def _cut(F: Any, data: Any, heads: int, parts: int) -> list[Any]:
    """Return the same parts as :func:`_pieces`, computed with operators."""
    split = F.SliceChannel(
        F.Reshape(data, shape=(0, 0, heads, parts, -1)), num_outputs=parts, axis=3, squeeze_axis=True
    )
    return [F.Reshape(F.transpose(part, axes=(1, 2, 0, 3)), shape=(-3, 0, 0)) for part in split]


def _laid_back(F: Any, matrices: Any, heads: int) -> Any:
    """Return an array ``(length, batch, heads, size)`` from ``(batch · heads, length, size)``."""
    return F.transpose(F.Reshape(matrices, shape=(-4, -1, heads, 0, 0)), axes=(2, 0, 1, 3))


def _interleaved(F: Any, parts: list[Any], heads: int, like: Any) -> Any:
    """Undo :func:`_cut`; None represents zeros."""
    given = next(part for part in parts if part is not None)
    laid = [_laid_back(F, F.zeros_like(given) if part is None else part, heads) for part in parts]
    return F.reshape_like(F.stack(*laid, axis=3), like)


def _score_gradients(F: Any, dy: Any, queries: Any, keys: Any) -> list[Any]:
    return [
        F._contrib_div_sqrt_dim(F.batch_dot(dy, keys)),
        F._contrib_div_sqrt_dim(F.batch_dot(dy, queries, transpose_a=True)),
    ]


def _mixture_gradients(F: Any, dy: Any, attention: Any, values: Any, heads: int) -> list[Any]:
    (mixed,) = _cut_whole(F, dy, heads)
    return [F.batch_dot(mixed, values, transpose_b=True), F.batch_dot(attention, mixed, transpose_a=True)]


def _cut_whole(F: Any, data: Any, heads: int) -> list[Any]:
    split = F.transpose(F.Reshape(data, shape=(0, 0, heads, -1)), axes=(1, 2, 0, 3))
    return [F.Reshape(split, shape=(-3, 0, 0))]


# --- rules ----------------------------------------------------------------------------------------


def _check(name: str, data: Any, heads: int, parts: int) -> None:
    rules.require(heads > 0, f"heads > 0: heads must be positive, not {heads}")
    if data is None:
        return
    rules.require(
        len(data) == 3,
        f"Input {name} should be 3D in seq_length-batch-{'' if parts == 1 else f'{parts}*'}proj_dim, "
        f"currently is: {len(data)}D",
    )
    rules.require(
        data[2] is None or data[2] % (heads * parts) == 0,
        f"{name}.shape[2] should be a multiple of {heads * parts} ({parts} parts for each of {heads} heads), "
        f"currently is {data[2]}",
    )


def _sizes(shape: Any) -> tuple[Any, Any, Any]:
    return (None, None, None) if shape is None else shape


def _times(size: int | None, factor: int) -> int | None:
    return None if size is None else size * factor


def _over(size: int | None, factor: int) -> int | None:
    return None if size is None else size // factor


# --- one sequence with itself ---------------------------------------------------------------------


@operator("_contrib_interleaved_matmul_selfatt_qk", threaded=True, fresh=True)
def interleaved_matmul_selfatt_qk(xp, queries_keys_values: Array, heads: int = REQUIRED):
    """Return the products of queries and keys, divided by the square root of the size of a key, for each head.

    Parameters
    ----------
    queries_keys_values : NDArray or Symbol
        The projections, of shape ``(length, batch, heads * 3 * size)``.
    heads : int
        The number of attention heads, at least 1.

    Returns
    -------
    NDArray or Symbol
        An array of shape ``(batch * heads, length, length)``.
    """
    _check("queries_keys_values", queries_keys_values.shape, heads, _SELF)
    queries, keys, _ = _pieces(xp, queries_keys_values, heads, _SELF)
    return _scores(xp, queries, keys)


interleaved_matmul_selfatt_qk.precision = "widest"
interleaved_matmul_selfatt_qk.names_outputs = True
interleaved_matmul_selfatt_qk.infer_type(rules.same_type)


@interleaved_matmul_selfatt_qk.infer_shape
def _(data, *, heads):
    _check("queries_keys_values", data, heads, _SELF)
    length, batch, _ = _sizes(data)
    return [data], [(_times(batch, heads), length, length)]


@interleaved_matmul_selfatt_qk.gradient
def _(F, dy, y, data, *, heads):
    queries, keys, _ = _cut(F, data, heads, _SELF)
    return [_interleaved(F, [*_score_gradients(F, dy, queries, keys), None], heads, data)]


@operator("_contrib_interleaved_matmul_selfatt_valatt", threaded=True, fresh=True)
def interleaved_matmul_selfatt_valatt(xp, queries_keys_values: Array, attention: Array, heads: int = REQUIRED):
    """Return the sums of values, weighted by attention, for each head.

    Parameters
    ----------
    queries_keys_values : NDArray or Symbol
        The projections, of shape ``(length, batch, heads * 3 * size)``.
    attention : NDArray or Symbol
        An array of shape ``(batch * heads, length, length)``.
    heads : int
        The number of attention heads, at least 1.

    Returns
    -------
    NDArray or Symbol
        An array of shape ``(length, batch, heads * size)``.
    """
    check_same_dtype(queries_keys_values, attention)
    _value_rule(queries_keys_values.shape, attention.shape, heads, _SELF)
    *_, values = _pieces(xp, queries_keys_values, heads, _SELF)
    return _mixture(xp, attention, values, heads)


def _value_rule(data: Any, attention: Any, heads: int, parts: int) -> tuple[list[Any], list[Any]]:
    name = "queries_keys_values" if parts == _SELF else "keys_values"
    _check(name, data, heads, parts)
    rules.require(
        attention is None or len(attention) == 3,
        f"Input attention should be 3D in batch-seq_length-seq_length, currently is: {len(attention or ())}D",
    )
    length, batch, width = _sizes(data)
    attention = rules.unify(attention, (_times(batch, heads), length if parts == _SELF else None, length))
    stack, rows, columns = _sizes(attention)
    data = rules.unify(data, (columns, _over(stack, heads), width))
    rows = columns if parts == _SELF else rows
    return [data, attention], [(rows, _over(stack, heads), _over(width, parts))]


interleaved_matmul_selfatt_valatt.precision = "widest"
interleaved_matmul_selfatt_valatt.names_outputs = True
interleaved_matmul_selfatt_valatt.infer_type(rules.same_type)
interleaved_matmul_selfatt_valatt.infer_shape(
    lambda data, attention, *, heads: _value_rule(data, attention, heads, _SELF)
)


@interleaved_matmul_selfatt_valatt.gradient
def _(F, dy, y, data, attention, *, heads):
    *_, values = _cut(F, data, heads, _SELF)
    of_attention, of_values = _mixture_gradients(F, dy, attention, values, heads)
    return [_interleaved(F, [None, None, of_values], heads, data), of_attention]


# --- one sequence with another --------------------------------------------------------------------


@operator("_contrib_interleaved_matmul_encdec_qk", threaded=True, fresh=True)
def interleaved_matmul_encdec_qk(xp, queries: Array, keys_values: Array, heads: int = REQUIRED):
    """Return the products of the queries of one sequence and the keys of another sequence, for each head.

    The products are divided by the square root of the size of a key.

    Parameters
    ----------
    queries : NDArray or Symbol
        An array of shape ``(length, batch, heads * size)``.
    keys_values : NDArray or Symbol
        The projections, of shape ``(other length, batch, heads * 2 * size)``.
    heads : int
        The number of attention heads, at least 1.

    Returns
    -------
    NDArray or Symbol
        An array of shape ``(batch * heads, length, other length)``.
    """
    check_same_dtype(queries, keys_values)
    _encoded_rule(queries.shape, keys_values.shape, heads)
    (own,) = _pieces(xp, queries, heads, 1)
    keys, _ = _pieces(xp, keys_values, heads, _ENCODED)
    return _scores(xp, own, keys)


def _encoded_rule(queries: Any, keys_values: Any, heads: int) -> tuple[list[Any], list[Any]]:
    _check("queries", queries, heads, 1)
    _check("keys_values", keys_values, heads, _ENCODED)
    rows, batch, width = _sizes(queries)
    keys_values = rules.unify(keys_values, (None, batch, _times(width, _ENCODED)))
    columns, batch, double = _sizes(keys_values)
    queries = rules.unify(queries, (None, batch, _over(double, _ENCODED)))
    return [queries, keys_values], [(_times(batch, heads), rows, columns)]


interleaved_matmul_encdec_qk.precision = "widest"
interleaved_matmul_encdec_qk.names_outputs = True
interleaved_matmul_encdec_qk.infer_type(rules.same_type)
interleaved_matmul_encdec_qk.infer_shape(
    lambda queries, keys_values, *, heads: _encoded_rule(queries, keys_values, heads)
)


@interleaved_matmul_encdec_qk.gradient
def _(F, dy, y, queries, keys_values, *, heads):
    (own,) = _cut_whole(F, queries, heads)
    keys, _ = _cut(F, keys_values, heads, _ENCODED)
    of_queries, of_keys = _score_gradients(F, dy, own, keys)
    return [
        F.reshape_like(_laid_back(F, of_queries, heads), queries),
        _interleaved(F, [of_keys, None], heads, keys_values),
    ]


@operator("_contrib_interleaved_matmul_encdec_valatt", threaded=True, fresh=True)
def interleaved_matmul_encdec_valatt(xp, keys_values: Array, attention: Array, heads: int = REQUIRED):
    """Return the sums of the values of another sequence, weighted by attention, for each head.

    Parameters
    ----------
    keys_values : NDArray or Symbol
        The projections, of shape ``(other length, batch, heads * 2 * size)``.
    attention : NDArray or Symbol
        An array of shape ``(batch * heads, length, other length)``.
    heads : int
        The number of attention heads, at least 1.

    Returns
    -------
    NDArray or Symbol
        An array of shape ``(length, batch, heads * size)``.
    """
    check_same_dtype(keys_values, attention)
    _value_rule(keys_values.shape, attention.shape, heads, _ENCODED)
    _, values = _pieces(xp, keys_values, heads, _ENCODED)
    return _mixture(xp, attention, values, heads)


interleaved_matmul_encdec_valatt.precision = "widest"
interleaved_matmul_encdec_valatt.names_outputs = True
interleaved_matmul_encdec_valatt.infer_type(rules.same_type)
interleaved_matmul_encdec_valatt.infer_shape(
    lambda data, attention, *, heads: _value_rule(data, attention, heads, _ENCODED)
)


@interleaved_matmul_encdec_valatt.gradient
def _(F, dy, y, keys_values, attention, *, heads):
    _, values = _cut(F, keys_values, heads, _ENCODED)
    of_attention, of_values = _mixture_gradients(F, dy, attention, values, heads)
    return [_interleaved(F, [None, of_values], heads, keys_values), of_attention]
