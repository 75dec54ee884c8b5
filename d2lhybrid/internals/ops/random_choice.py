"""Operators that draw categories and permutations: multinomial samples, shuffling, and log-uniform candidates."""

from __future__ import annotations

import math
from typing import Any

import numpy

from ...error import ShapeError
from ..core import trip_reasons as host_trips
from ..core.infer import PartialShape
from ..core.operator import REQUIRED, Array, DType, Generator, Shape, operator
from ..support.plural import counted
from . import rules
from .not_differentiable import not_differentiable
from .portable import sums_at
from .random import permutation

__all__ = ["categories"]

FAMILY = "other"
MEANINGS = {
    "range_max": "The upper end of the interval, which is excluded.",
    "data": "An array with at least one axis.",
    "_sample_unique_zipfian.shape": "The number of rows, and the number of draws in each row.",
}

INT32 = numpy.dtype("int32")


def categories(xp: Any, rng: Any, weights: Any, count: int) -> Any:
    """Draw ``count`` categories for each row of a matrix of weights. The sum of a row's weights may differ from 1.

    One search inverts the distribution functions of all rows, because the function of row i is shifted to the interval
    from i to i + 1.
    """
    rows, size = weights.shape
    cumulative = xp.cumsum(weights, axis=1, dtype=numpy.float64)
    cumulative /= cumulative[:, -1:]
    offset = xp.arange(rows, dtype=numpy.float64)[:, None]
    cumulative += offset
    points = rng.random((rows, count)) + offset
    found = xp.searchsorted(cumulative.reshape(rows * size), points.reshape(rows * count), side="right")
    found = found.reshape(rows, count) - xp.arange(rows)[:, None] * size
    return xp.minimum(found, size - 1)


def _multinomial_shape(data: PartialShape, shape: tuple[int, ...]) -> PartialShape:
    if data is None:
        return None
    rules.require(len(data) >= 1, "ishape.ndim() > 0 : the data of multinomial must have at least one axis")
    return data[:-1] + shape or (1,)


@operator(
    "_sample_multinomial",
    "sample_multinomial",
    outputs=lambda get_prob, **_: 2 if get_prob else 1,
)
def sample_multinomial(
    xp,
    data: Array,
    shape: Shape = (),
    get_prob: bool = False,
    dtype: DType = INT32,
    *,
    rng: Generator,
):
    """Draw the indices of categories, whose probabilities are along the last axis.

    Parameters
    ----------
    data : NDArray or Symbol
        The probabilities, of shape ``(..., number of categories)``.
    shape : tuple of int
        The shape of the samples for each distribution; one sample by default.
    get_prob : bool
        Whether to also return the log-probability of each sample, which has a gradient.
    dtype : str
        The element type of the samples.

    Returns
    -------
    NDArray or Symbol
        The samples, of shape ``data.shape[:-1] + shape``, or ``(1,)`` if that shape is empty. With ``get_prob``,
        also their log-probabilities.
    """
    if data.dtype.kind != "f":
        raise ShapeError(f"This operation only support floating point types, not {data.dtype.name}")
    target = _multinomial_shape(data.shape, shape)
    weights = data.reshape(math.prod(data.shape[:-1]), data.shape[-1])
    found = categories(xp, rng, weights, math.prod(shape))
    samples = found.reshape(target).astype(dtype)
    if not get_prob:
        return samples
    chances = xp.log(xp.take_along_axis(weights, found, axis=1))
    return samples, chances.reshape(target)


@sample_multinomial.infer_shape
def _(data, *, shape, get_prob, dtype):
    target = _multinomial_shape(data, shape)
    return [data], [target] * (2 if get_prob else 1)


@sample_multinomial.infer_type
def _(data, *, shape, get_prob, dtype):
    return [data], [numpy.dtype(dtype), data] if get_prob else [numpy.dtype(dtype)]


@sample_multinomial.gradient
def _(F, dy, y, data, *, shape, get_prob, dtype):
    if not get_prob or dy[1] is None:  # the index of a category has no derivative
        return [None]
    return [F._backward_sample_multinomial(dy[1], y[0], data)]


@operator("_backward_sample_multinomial", differentiable=False)
def sample_multinomial_backward(xp, dy: Array, samples: Array, data: Array):
    """Return the gradient of the log-probabilities: ``dy / probability``, added at the category of each sample."""
    rows, size = math.prod(data.shape[:-1]), data.shape[-1]
    weights = data.reshape(rows, size)
    drawn = samples.reshape(rows, samples.size // max(1, rows)).astype(numpy.int64)
    slopes = dy.reshape(drawn.shape) / xp.take_along_axis(weights, drawn, axis=1)
    flat = drawn + xp.arange(rows)[:, None] * size
    total = sums_at(xp, flat.reshape(-1), slopes.reshape(-1), rows * size)
    return total.reshape(data.shape).astype(data.dtype)


sample_multinomial_backward.infer_shape(lambda dy, samples, data: ([dy, samples, data], [data]))
sample_multinomial_backward.infer_type(lambda dy, samples, data: ([dy, samples, data], [data]))


@operator("_shuffle", "shuffle", "_npi_shuffle")
def shuffle(xp, data: Array, *, rng: Generator):
    """Return the slices along the first axis in random order."""
    if data.ndim == 0:
        raise ShapeError("Operator _shuffle inferring shapes failed.")
    return data[permutation(xp, rng, data.shape[0])]


shuffle.infer_shape(rules.same)
shuffle.infer_type(rules.same_type)
not_differentiable(shuffle)


def _unique_row(xp: Any, rng: Any, range_max: int, count: int) -> tuple[Any, int]:
    """Draw until there are ``count`` unique numbers; return these numbers and the number of draws."""
    drawn = xp.empty(0, dtype=numpy.int64)
    if count == 0:
        return drawn, 0
    while True:
        more = xp.exp(rng.random(2 * count) * math.log(range_max + 1)).astype(numpy.int64) - 1
        drawn = xp.concatenate([drawn, xp.clip(more, 0, range_max - 1)])
        _, first = xp.unique(drawn, return_index=True)
        if len(first) >= count:
            first = xp.sort(first)[:count]
            return drawn[first], int(first[-1]) + 1


@operator("_sample_unique_zipfian", outputs=2, differentiable=False)
def sample_unique_zipfian(xp, range_max: int = REQUIRED, shape: Shape | None = None, *, rng: Generator):
    """Draw unique numbers below ``range_max`` from a log-uniform distribution, row by row.

    Returns
    -------
    samples, num_tries
        The numbers, of shape ``shape = (rows, count)``, and the number of draws for each row.
    """
    rows, count = _zipfian_shape(shape)
    rules.require(
        count <= range_max,
        f"shape[1] <= range_max ({count} vs. {range_max}) : cannot draw {counted(count, 'different number')} below "
        f"{range_max}",
    )
    # The number of draws depends on the values drawn, so rows are drawn one by one.
    results = [_unique_row(xp, rng, range_max, count) for _ in range(rows)]
    samples = xp.stack([r for r, _ in results]) if rows else xp.empty((0, count), dtype=numpy.int64)
    return samples, xp.asarray([n for _, n in results], dtype=numpy.int64)


def _zipfian_shape(shape: tuple[int, ...] | None) -> tuple[int, int]:
    rank = len(shape or ())
    rules.require(rank == 2, f"param.shape.ndim() == 2U ({rank} vs. 2) : ")
    assert shape is not None
    return shape[0], shape[1]


@sample_unique_zipfian.infer_shape
def _(*, range_max, shape):
    rows, count = _zipfian_shape(shape)
    return [], [(rows, count), (rows,)]


sample_unique_zipfian.asks_device = "the host checks whether enough unique numbers have been drawn"
sample_unique_zipfian.tells_device = host_trips.ANSWER
sample_unique_zipfian.infer_type(lambda **_: ([], [numpy.dtype("int64")] * 2))
