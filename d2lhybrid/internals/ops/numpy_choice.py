"""The discrete distributions of ``np.random`` and ``npx.random``."""

from __future__ import annotations

import math

import numpy

from ...error import MXNetError
from ..core import trip_reasons as host_trips
from ..core.operator import REQUIRED, Array, DType, Floats, Generator, Shape, operator
from ..support.dtypes import DEFAULT_DTYPE
from .numpy_random import samples_shape
from .random import checked_dtype, permutation
from .random_choice import categories

FAMILY = "other"

INT64 = numpy.dtype("int64")
_COIN_DTYPES = ("bool", "float16", "float32", "float64", "int32", "uint8")


@operator("_npi_bernoulli", differentiable=False)
def np_bernoulli(
    xp,
    input1: Array | None = None,
    prob: float | None = REQUIRED,
    logit: float | None = REQUIRED,
    size: Shape | None = None,
    ctx: str = "cpu",
    dtype: DType = DEFAULT_DTYPE,
    is_logit: bool = REQUIRED,
    *,
    rng: Generator,
):
    """Draw from the Bernoulli distribution with the probability ``prob`` or the log odds ``logit``."""
    if prob is not None and not 0 <= prob <= 1:
        bound = "<= 1.0 ({:g} vs. 1)" if prob > 1 else ">= 0.0 ({:g} vs. 0)"
        raise ValueError(f"Check failed: param.prob.value() {bound.format(prob)} : expect probs >= 0 && probs <= 1")
    shape = samples_shape([] if input1 is None else [input1.shape], size, prefix=False)
    chance = input1 if input1 is not None else logit if is_logit else prob
    if is_logit:
        chance = 1 / (1 + xp.exp(-chance))  # type: ignore[operator]
    coins = rng.random(shape, dtype=DEFAULT_DTYPE) < chance
    return coins.astype(checked_dtype("_npi_bernoulli", dtype, _COIN_DTYPES))


@np_bernoulli.infer_shape
def _(*input1, size, **_):
    return list(input1), [samples_shape(input1, size, prefix=False)]


np_bernoulli.infer_type(
    lambda *input1, dtype, **_: (list(input1), [checked_dtype("_npi_bernoulli", dtype, _COIN_DTYPES)])
)
np_bernoulli.input_names(lambda *, prob, logit, **_: ["input1"] if prob is None and logit is None else [])


@operator("_npi_choice", differentiable=False)
def np_choice(
    xp,
    input1: Array | None = None,
    input2: Array | None = None,
    a: int | None = REQUIRED,
    size: Shape | None = REQUIRED,
    ctx: str = "cpu",
    replace: bool = True,
    weighted: bool = False,
    *,
    rng: Generator,
):
    """Draw positions of elements in a population.

    Parameters
    ----------
    input1, input2 : ndarray, optional
        The population if ``a`` is None, and the weights if ``weighted`` is True.
    a : int, optional
        The number of elements in the population; None to take the number of slices of ``input1``.
    size : tuple of int, optional
        The shape of the result; None for a single position, without axes.
    ctx : str
        Ignored; accepted because files contain this attribute.
    replace : bool
        Whether a position may be drawn several times.
    weighted : bool
        Whether the last input contains a weight for each position, to which its probability is proportional.
    """
    given = [x for x in (input1, input2) if x is not None]
    population = given[0].shape[0] if a is None else a
    shape = size or ()
    count = math.prod(shape)
    if not replace and count > population:
        raise ValueError("Cannot take a larger sample than population when 'replace=False'")
    if not weighted:
        if replace:
            return xp.asarray(rng.integers(0, population, shape, dtype=INT64))
        return permutation(xp, rng, population)[:count].reshape(shape)
    weights = given[-1].reshape(1, -1)
    if replace:
        return categories(xp, rng, weights, count).reshape(shape)
    # # With exponential arrival times, at rates equal to the weights, the order of arrival is a draw without
    # replacement.
    times = rng.standard_exponential(population) / xp.maximum(weights[0], 1e-300)
    return xp.argsort(times)[:count].reshape(shape)


np_choice.infer_shape(lambda *inputs, size, **_: (list(inputs), [size or ()]))
np_choice.infer_type(lambda *inputs, **_: (list(inputs), [INT64]))
np_choice.input_names(lambda *, a, weighted, **_: ["input1", "input2"][: int(a is None) + int(weighted)])


@operator("_npi_multinomial", differentiable=False)
def np_multinomial(
    xp,
    a: Array | None = None,
    n: int = REQUIRED,
    pvals: Floats | None = None,
    size: Shape | None = None,
    *,
    rng: Generator,
):
    """Draw the counts of ``n`` trials with the probabilities ``a`` or ``pvals``.

    Given the previous counts, each count is drawn from a binomial distribution.
    """
    if a is None:
        total = sum(pvals or ())
        if total > 1 + 1e-12:
            raise MXNetError(f"Check failed: sum <= 1.0 + 1e-12 ({total:g} vs. 1) : sum(pvals[:-1]) > 1.0")
        chances = xp.asarray(pvals or (), dtype=numpy.float64)
    else:
        chances = a.astype(numpy.float64)
    bins = chances.shape[0]
    result = xp.zeros((*(size or ()), bins), dtype=INT64)
    left = xp.full(size or (), max(n, 0), dtype=INT64)
    if bins == 0:
        return result
    reached = xp.cumsum(chances) - chances
    odds = xp.clip(chances / xp.maximum(1 - reached, 1e-300), 0, 1)
    for i in range(bins - 1):
        result[..., i] = rng.binomial(left, odds[i])
        left = left - result[..., i]
    result[..., bins - 1] = left
    return result


np_multinomial.names_inputs = False


@np_multinomial.infer_shape
def _(*a, n, pvals, size):
    bins = len(pvals or ()) if not a else None if a[0] is None else a[0][0]
    return list(a), [(*(size or ()), bins)]


np_multinomial.tells_device = host_trips.ATTRIBUTE
np_multinomial.infer_type(lambda *a, **_: (list(a), [INT64]))
np_multinomial.input_names(lambda *, pvals, **_: ["a"] if pvals is None else [])
