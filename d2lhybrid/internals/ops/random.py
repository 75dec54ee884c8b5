"""Legacy operators for random numbers: a table of distributions, and three operators for each distribution.

* ``_random_normal`` takes numbers as parameters, and the shape of the result.
* ``_random_normal_like`` takes an array that determines the shape instead.
* ``_sample_normal`` takes arrays of parameters and draws ``shape`` numbers for each element.

All operators draw from the caller's generator, directly in float32 if that is the element type.
Discrete distributions use only functions that both NumPy's and CuPy's generators have.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy

from ...error import MXNetError, ShapeError
from ..core.infer import PartialShape
from ..core.operator import REQUIRED, DType, Generator, Shape, operator
from ..support.dtypes import DEFAULT_DTYPE
from . import rules
from .create import inference_failed, legacy_shape, require_known_shape

__all__ = [
    "FLOAT16",
    "FLOATS",
    "checked_dtype",
    "generated_signature",
    "negative_binomial_rate",
    "permutation",
    "work_dtype",
]

FAMILY = "other"
MEANINGS = {
    "low": "The lower end of the interval, which is included.",
    "high": "The upper end of the interval, which is excluded.",
    "loc": "The mean of the normal distribution.",
    "scale": "The standard deviation of the normal distribution.",
    "mu": "The mean of the negative binomial distribution.",
    "sigma": "The standard deviation of each normal distribution.",
    "alpha": "The shape of the gamma distribution, or the dispersion of a negative binomial distribution.",
    "beta": "The scale of the gamma distribution.",
    "lam": "The rate of an exponential distribution, or the mean of a Poisson distribution.",
    "k": "The number of successes after which counting ends.",
    "p": "The probability of a success in each trial.",
    "shape": "The shape of all draws, or of the draws for each element of the parameters.",
    "data": "An array of floats, which determines the shape and the element type of the result.",
    "_sample_normal.mu": "The mean of each normal distribution.",
}

FLOAT16 = numpy.dtype("float16")
FLOATS = ("float16", "float32", "float64")


def work_dtype(dtype: Any) -> numpy.dtype:
    """Return the element type in which to draw numbers: float32 for float16, which generators don't support."""
    return DEFAULT_DTYPE if dtype == FLOAT16 else numpy.dtype(dtype)


# --- the distributions -----------------------------------------------------------------------------
# Each function draws an array of a shape and a type. Parameters are numbers, or arrays that broadcast to this shape.


def draw_uniform(xp: Any, rng: Any, shape: Any, dtype: Any, low: Any, high: Any) -> Any:
    """Draw numbers between ``low`` (included) and ``high``."""
    values = rng.random(shape, dtype=dtype)
    values *= high - low
    values += low
    return values


def draw_normal(xp: Any, rng: Any, shape: Any, dtype: Any, loc: Any, scale: Any) -> Any:
    """Draw normally distributed numbers with mean ``loc`` and standard deviation ``scale``."""
    values = rng.standard_normal(shape, dtype=dtype)
    if not isinstance(scale, float) or scale != 1:
        values *= scale
    if not isinstance(loc, float) or loc != 0:
        values += loc
    return values


def draw_gamma(xp: Any, rng: Any, shape: Any, dtype: Any, alpha: Any, beta: Any) -> Any:
    """Draw gamma-distributed numbers with the shape parameter ``alpha`` and the scale ``beta``."""
    values = rng.standard_gamma(alpha, shape, dtype=dtype)
    values *= beta
    return values


def draw_exponential(xp: Any, rng: Any, shape: Any, dtype: Any, lam: Any) -> Any:
    """Draw exponentially distributed numbers with the rate ``lam``."""
    values = rng.standard_exponential(shape, dtype=dtype)
    values /= lam
    return values


def draw_poisson(xp: Any, rng: Any, shape: Any, dtype: Any, lam: Any) -> Any:
    """Draw Poisson-distributed numbers with mean ``lam``."""
    return rng.poisson(lam, shape).astype(dtype)


def negative_binomial_rate(xp: Any, rng: Any, shape: Any, k: Any, p: Any) -> Any:
    """Draw the rates of the Poisson distributions from which negative binomial numbers are drawn."""
    rate = rng.standard_gamma(k, shape)
    rate *= 1 - p
    rate /= p
    return xp.maximum(rate, 0)


def draw_negative_binomial(xp: Any, rng: Any, shape: Any, dtype: Any, k: Any, p: Any) -> Any:
    """Draw the number of failures before the k-th success, where p is the probability of a success."""
    return draw_poisson(xp, rng, shape, dtype, negative_binomial_rate(xp, rng, shape, k, p))


def draw_dispersed(xp: Any, rng: Any, shape: Any, dtype: Any, mu: Any, alpha: Any) -> Any:
    """Draw negative binomial numbers with mean ``mu`` and dispersion ``alpha``; Poisson numbers if ``alpha`` is 0."""
    tiny = 1e-8  # below this dispersion, the distribution equals Poisson's to all digits
    spread = max(alpha, tiny) if isinstance(alpha, float | int) else xp.maximum(alpha, tiny)
    rate = rng.standard_gamma(1 / spread, shape)
    rate *= spread * mu
    return draw_poisson(xp, rng, shape, dtype, rate)


class Check(NamedTuple):
    """A condition on a parameter, with MXNet's error message."""

    parameter: str
    sign: str  # '>' or '>='
    bound: str | float  # a number or another parameter
    text: str


class Distribution(NamedTuple):
    """An entry of the table of distributions."""

    draw: Callable[..., Any]
    parameters: dict[str, float]  # with defaults
    array_names: tuple[str, ...]  # of the parameters as arrays
    checks: tuple[Check, ...]
    aliases: tuple[str, ...] = ()


LOW_HIGH = Check("high", ">=", "low", "low must be less or equal to high in uniform distribution")


def _checked(checks: tuple[Check, ...], values: dict[str, float]) -> None:
    for check in checks:
        value = values[check.parameter]
        bound = values[check.bound] if isinstance(check.bound, str) else check.bound
        if value < bound or (value == bound and check.sign == ">"):
            against = f"param.{check.bound}" if isinstance(check.bound, str) else check.bound
            raise MXNetError(
                f"Check failed: param.{check.parameter} {check.sign} {against} ({value:g} vs. {bound:g}) : {check.text}"
            )


def _positive(parameter: str, name: str) -> Check:
    return Check(parameter, ">", 0, f"{name} has to be positive")


def _non_negative(parameter: str, name: str) -> Check:
    return Check(parameter, ">=", 0, f"{name} has to be non-negative")


_NEGATIVE = "parameter in negative binomial distribution"
_GENERALIZED = "parameter in generalized negative binomial distribution"

DISTRIBUTIONS: dict[str, Distribution] = {
    "uniform": Distribution(draw_uniform, {"low": 0.0, "high": 1.0}, ("low", "high"), (LOW_HIGH,), ("uniform",)),
    "normal": Distribution(
        draw_normal,
        {"loc": 0.0, "scale": 1.0},
        ("mu", "sigma"),
        (_positive("scale", "scale parameter in gaussian"),),
        ("normal",),
    ),
    "gamma": Distribution(
        draw_gamma,
        {"alpha": 1.0, "beta": 1.0},
        ("alpha", "beta"),
        (
            _positive("alpha", "alpha parameter in gamma distribution"),
            _positive("beta", "beta parameter in gamma distribution"),
        ),
    ),
    "exponential": Distribution(
        draw_exponential,
        {"lam": 1.0},
        ("lam",),
        (_positive("lam", "lambda parameter in exponential distribution"),),
    ),
    "poisson": Distribution(
        draw_poisson,
        {"lam": 1.0},
        ("lam",),
        (_non_negative("lam", "lambda parameter in poisson distribution"),),
    ),
    "negative_binomial": Distribution(
        draw_negative_binomial,
        {"k": 1, "p": 1.0},
        ("k", "p"),
        (_non_negative("k", f"k {_NEGATIVE}"), _non_negative("p", f"p {_NEGATIVE}")),
    ),
    "generalized_negative_binomial": Distribution(
        draw_dispersed,
        {"mu": 1.0, "alpha": 1.0},
        ("mu", "alpha"),
        (_non_negative("mu", f"mu {_GENERALIZED}"), _non_negative("alpha", f"alpha {_GENERALIZED}")),
    ),
}

# --- three operators for each ----------------------------------------------------------------------


def generated_signature(
    arrays: tuple[str, ...], attributes: dict[str, tuple[str, Any]], optional: bool = False
) -> inspect.Signature:
    """Return the signature of a generated kernel, with its arrays, its attributes, and the random generator.

    The registry reads names, annotations, and default values from this signature, as from that of a written kernel.
    """
    kind = inspect.Parameter
    array = "Array | None" if optional else "Array"
    parameters = [kind("xp", kind.POSITIONAL_OR_KEYWORD)]
    parameters += [kind(name, kind.POSITIONAL_OR_KEYWORD, annotation=array) for name in arrays]
    parameters += [
        kind(name, kind.KEYWORD_ONLY, default=default, annotation=annotation)
        for name, (annotation, default) in attributes.items()
    ]
    parameters.append(kind("rng", kind.KEYWORD_ONLY, annotation="Generator"))
    return inspect.Signature(parameters)


def _numbers(distribution: Distribution) -> dict[str, tuple[str, Any]]:
    return {
        name: ("int" if isinstance(default, int) else "float", default)
        for name, default in distribution.parameters.items()
    }


def checked_dtype(
    name: str, dtype: Any, valid: tuple[str, ...] = ("None", *FLOATS), default: numpy.dtype = DEFAULT_DTYPE
) -> numpy.dtype:
    """Return the element type of an operator's samples; raise MXNet's error if the operator doesn't support the type.

    Raises
    ------
    MXNetError
        If the operator doesn't support the element type.
    """
    if dtype is None:
        return default
    dtype = numpy.dtype(dtype)
    if dtype.name not in valid:
        choices = ", ".join(map(repr, valid))
        raise MXNetError(
            f"Invalid Input: '{dtype.name}', valid values are: {{{choices}}}, "
            f'in operator {name}(name="", dtype="{dtype.name}")'
        )
    return dtype


def _register_with_numbers(title: str, distribution: Distribution) -> None:
    name = f"_random_{title}"
    draw, defaults = distribution.draw, distribution.parameters

    def run(xp, *, rng, shape=None, ctx="", dtype=None, **given):
        values = {**defaults, **given}
        _checked(distribution.checks, values)
        if not shape or min(shape) < 1:
            require_known_shape(name, shape, ctx=ctx)
        dtype = checked_dtype(name, dtype)
        numbers = draw(xp, rng, shape, work_dtype(dtype), *values.values())
        return numbers.astype(dtype) if dtype == FLOAT16 else numbers

    run.__doc__ = f"{inspect.getdoc(draw)}\n\nThe parameters are numbers, and ``shape`` is the shape of the result."
    run.__signature__ = generated_signature(  # type: ignore[attr-defined]
        (),
        {
            **_numbers(distribution),
            "shape": ("Shape | None", None),
            "ctx": ("str", ""),
            "dtype": ("DType | None", None),
        },
    )
    op = operator(name, f"random_{title}", *distribution.aliases, differentiable=False)(run)
    op.infer_shape(lambda *, shape, **_: ([], [legacy_shape(shape)]))
    op.infer_type(lambda *, dtype, **_: ([], [checked_dtype(name, dtype)]))


def _float_like(dtype: Any) -> Any:
    if dtype is not None and dtype.name not in FLOATS:
        raise ShapeError(f"This operation only support floating point types, not {dtype.name}")
    return dtype


def _register_like(title: str, distribution: Distribution) -> None:
    draw, defaults = distribution.draw, distribution.parameters

    def run(xp, data, *, rng, **given):
        values = {**defaults, **given}
        _checked(distribution.checks, values)
        dtype = _float_like(data.dtype)
        numbers = draw(xp, rng, data.shape, work_dtype(dtype), *values.values())
        return numbers.astype(dtype) if dtype == FLOAT16 else numbers

    run.__doc__ = f"{inspect.getdoc(draw)}\n\nThe result has the shape and the element type of ``data``."
    run.__signature__ = generated_signature(("data",), _numbers(distribution))  # type: ignore[attr-defined]
    op = operator(f"_random_{title}_like", differentiable=False)(run)
    op.infer_shape(lambda data, **_: ([data], [data]))
    op.infer_type(lambda data, **_: ([data], [_float_like(data)]))


def _register_with_arrays(title: str, distribution: Distribution) -> None:
    name = f"_sample_{title}"
    draw = distribution.draw

    def rule(*shapes: PartialShape, shape: tuple[int, ...], **_: Any):
        try:
            common = rules.unify_all(shapes)
        except ShapeError:
            error = inference_failed(name, None)
            lines = [rules.format_shape(s) for s in shapes]
            raise ShapeError(str(error).replace("input shapes:", "\n".join(["input shapes:", *lines]))) from None
        return [common] * len(shapes), [None if common is None else common + tuple(shape or ())]

    def run(xp, *parameters, rng, shape=(), dtype=None):
        target = rule(*[p.shape for p in parameters], shape=shape)[1][0]
        dtype = checked_dtype(name, dtype)
        work = work_dtype(dtype)
        wide = [p.reshape(p.shape + (1,) * len(shape)).astype(work) for p in parameters]
        numbers = draw(xp, rng, target, work, *wide)
        return numbers.astype(dtype) if dtype == FLOAT16 else numbers

    run.__doc__ = (
        f"{inspect.getdoc(draw)}\n\nThe parameters are arrays. For each element of the parameters, an array of the "
        "shape ``shape`` is drawn."
    )
    run.__signature__ = generated_signature(  # type: ignore[attr-defined]
        distribution.array_names, {"shape": ("Shape", ()), "dtype": ("DType | None", None)}
    )
    op = operator(name, f"sample_{title}", differentiable=False)(run)
    op.infer_shape(rule)
    op.infer_type(lambda *dtypes, dtype, **_: (list(dtypes), [checked_dtype(name, dtype)]))


for _title, _distribution in DISTRIBUTIONS.items():
    _register_with_numbers(_title, _distribution)
    _register_like(_title, _distribution)
    _register_with_arrays(_title, _distribution)

# --- integers ---------------------------------------------------------------------------------------


def _int_dtype(dtype: Any) -> numpy.dtype:
    return checked_dtype("_random_randint", dtype, ("None", "int32", "int64"), numpy.dtype("int32"))


@operator("_random_randint", "random_randint", "_npi_random_randint", differentiable=False)
def randint(
    xp,
    low: int = REQUIRED,
    high: int = REQUIRED,
    shape: Shape | None = None,
    ctx: str = "",
    dtype: DType | None = None,
    *,
    rng: Generator,
):
    """Draw integers from ``low`` to ``high``, which is excluded, with equal probabilities."""
    _checked((LOW_HIGH,), {"low": low, "high": high})
    if low == high:
        raise MXNetError(
            f"Check failed: param.high > param.low ({high} vs. {low}) : high is excluded and must be greater than low"
        )
    if shape is None or (shape and min(shape) < 0):
        raise inference_failed("_random_randint", None, ctx=ctx, high=high, low=low)
    return rng.integers(low, high, shape, dtype=_int_dtype(dtype))


randint.infer_shape(lambda *, shape, **_: ([], [shape]))
randint.infer_type(lambda *, dtype, **_: ([], [_int_dtype(dtype)]))


def permutation(xp: Any, rng: Any, size: int) -> Any:
    """Return the numbers from 0 to ``size - 1`` in random order."""
    return xp.argsort(rng.random(size))
