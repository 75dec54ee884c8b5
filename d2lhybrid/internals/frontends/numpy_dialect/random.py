"""The functions of ``np.random`` and ``npx.random``.

The parameters of a distribution are numbers or arrays. An operator gets numbers as attributes and
arrays as inputs. If the attribute of a parameter is None, the next input contains the values of the parameter.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .elementwise import BINARY, FUNCTIONS, binary_call
from .space import Array, Space

__all__ = [
    "beta", "chisquare", "choice", "exponential", "gamma", "gumbel", "logistic", "lognormal", "multinomial",
    "multivariate_normal", "normal", "pareto", "power", "rand", "randint", "randn", "rayleigh", "shuffle", "uniform",
    "weibull",
]  # fmt: skip

#: The meanings of parameters of this file's functions; see ``documentation.py``.
MEANINGS = {
    "low": "The lower end of the interval.",
    "high": "The upper end of the interval, which is excluded.",
    "randint.low": "The smallest integer; without ``high``, the upper end, which is excluded.",
    "randint.high": "The upper end of the interval, which is excluded.",
    "loc": "The location of the distribution.",
    "scale": "The scale of the distribution.",
    "normal.loc": "The mean.",
    "normal.scale": "The standard deviation.",
    "normal_n.loc": "The mean.",
    "normal_n.scale": "The standard deviation.",
    "exponential.scale": "The mean.",
    "gamma.shape": "The shape parameter of the distribution.",
    "lognormal.mean": "The mean of the logarithms.",
    "lognormal.sigma": "The standard deviation of the logarithms.",
    "a": "The shape parameter of the distribution.",
    "b": "The second shape parameter of the distribution.",
    "df": "The number of degrees of freedom.",
    "rand.size": "The sizes of the axes.",
    "randn.size": "The sizes of the axes.",
    "rand.kwargs": "``dtype``, ``ctx``, and ``out``, as for ``uniform``.",
    "randn.kwargs": "``dtype``, ``ctx``, and ``out``, as for ``normal``.",
    "size": "The shape of the result; by default, the shape to which the distribution's parameters broadcast.",
    "ctx": "The device; the current context by default.",
    "multivariate_normal.mean": "The mean: a vector or several vectors.",
    "multivariate_normal.size": "The shape of the draws, each of which is a vector.",
    "cov": "The covariance matrix, or several matrices.",
    "check_valid": "Not supported; a parameter of NumPy.",
    "tol": "Not supported; a parameter of NumPy.",
    "x": "The array, which is shuffled in place.",
    "prob": "The probability of drawing 1.",
    "logit": "The logit of the probability, ``log(prob / (1 - prob))``.",
    "batch_shape": "The shape of the draws for each element of the parameters.",
}

#: The functions of ``npx.random``.
EXTENSION = ("bernoulli", "normal_n", "uniform_n")

_FLOAT32 = "float32"


def _draw(F: Space, operator: str, parameters: dict[str, Any], out: Any = None, **attributes: Any) -> Array:
    arrays = [value for value in parameters.values() if F.is_array(value)]
    numbers = {name: None if F.is_array(value) else value for name, value in parameters.items()}
    return F.call(operator, *arrays, out=out, **numbers, **attributes)


def uniform(
    F: Space, low: Any = 0.0, high: Any = 1.0, size: Any = None, dtype: Any = None, ctx: Any = None, out: Any = None
) -> Array:
    """Draw from the uniform distribution on ``[low, high)``.

    Parameters
    ----------
    F : Space
        The function space.
    low, high : number or array
        The ends of the interval.
    size : int or tuple of int, optional
        The shape of the result; by default, the shape to which the distribution's parameters broadcast.
    dtype : str or numpy dtype, optional
        The element type, ``float32`` by default.
    ctx : Context, optional
        The device; the current context by default.
    out : array, optional
        The destination of the result.
    """
    return _draw(
        F, "_npi_uniform", {"low": low, "high": high}, out, size=size, dtype=dtype or _FLOAT32, ctx=ctx
    )  # fmt: skip


def normal(
    F: Space, loc: Any = 0.0, scale: Any = 1.0, size: Any = None, dtype: Any = None, ctx: Any = None, out: Any = None
) -> Array:
    """Draw from the normal distribution with mean ``loc`` and standard deviation ``scale``."""
    return _draw(
        F, "_npi_normal", {"loc": loc, "scale": scale}, out, size=size, dtype=dtype or _FLOAT32, ctx=ctx
    )  # fmt: skip


def rand(F: Space, *size: int, **kwargs: Any) -> Array:
    """Draw from the uniform distribution on ``[0, 1)``; the arguments are the sizes of the axes."""
    return uniform(F, 0, 1, size or None, **kwargs)


def randn(F: Space, *size: int, **kwargs: Any) -> Array:
    """Draw from the standard normal distribution; the arguments are the sizes of the axes."""
    return normal(F, 0, 1, size or None, **kwargs)


def lognormal(
    F: Space, mean: Any = 0.0, sigma: Any = 1.0, size: Any = None, dtype: Any = None, ctx: Any = None, out: Any = None
) -> Array:
    """Draw numbers whose logarithms are normally distributed, with mean ``mean`` and standard deviation ``sigma``."""
    return FUNCTIONS["exp"](F, normal(F, mean, sigma, size, dtype, ctx), out)


def randint(
    F: Space, low: Any, high: Any = None, size: Any = None, dtype: Any = None, ctx: Any = None, out: Any = None
) -> Array:
    """Draw integers from the interval ``[low, high)``, or from ``[0, low)`` if ``high`` is None."""
    if high is None:
        low, high = 0, low
    shape = () if size is None else size
    return F.call("_npi_random_randint", low=low, high=high, shape=shape, dtype=dtype or "int64", ctx=ctx, out=out)


def choice(
    F: Space, a: Any, size: Any = None, replace: bool = True, p: Any = None, ctx: Any = None, out: Any = None
) -> Array:
    """Draw elements from an array, or from the integers 0 to ``a - 1``.

    Parameters
    ----------
    F : Space
        The function space.
    a : int or array
        The array from which to draw, or the number of integers.
    size : int or tuple of int, optional
        The shape of the result; one element by default.
    replace : bool
        Whether an element may be drawn several times.
    p : array, optional
        The probabilities of the elements; all equal by default.
    ctx : Context, optional
        The device; the current context by default. Ignored if ``a`` is an array.
    out : array, optional
        The destination of the result. Ignored if ``a`` is an array.
    """
    settings = {"size": size, "replace": replace, "weighted": p is not None}
    weights = [] if p is None else [p]
    if F.is_array(a):
        positions = F.call("_npi_choice", a, *weights, a=None, **settings)
        return F.call("_npi_take", a, positions)
    return F.call("_npi_choice", *weights, a=a, ctx=ctx, out=out, **settings)


def shuffle(F: Space, x: Any) -> None:
    """Shuffle an array in place along its first axis."""
    F.call("_npi_shuffle", x, out=x if F.eager else None)


def exponential(F: Space, scale: Any = 1.0, size: Any = None, ctx: Any = None, out: Any = None) -> Array:
    """Draw from the exponential distribution with mean ``scale``."""
    return _draw(F, "_npi_exponential", {"scale": scale}, out, size=size, ctx=ctx)


def gamma(
    F: Space, shape: Any, scale: Any = 1.0, size: Any = None, dtype: Any = None, ctx: Any = None, out: Any = None
) -> Array:
    """Draw from the gamma distribution with the parameters ``shape`` and ``scale``."""
    return _draw(
        F, "_npi_gamma", {"shape": shape, "scale": scale}, out, size=size, dtype=dtype or _FLOAT32, ctx=ctx
    )  # fmt: skip


def beta(F: Space, a: Any, b: Any, size: Any = None, dtype: Any = None, ctx: Any = None) -> Array:
    """Draw from the beta distribution: ``X / (X + Y)`` for gamma-distributed X and Y with shapes ``a`` and ``b``."""
    x = gamma(F, a, 1, size, "float64", ctx)
    y = gamma(F, b, 1, size, "float64", ctx)
    share = binary_call(F, BINARY["true_divide"], x, binary_call(F, BINARY["add"], x, y))
    return share.astype(dtype or _FLOAT32)


def chisquare(F: Space, df: Any, size: Any = None, dtype: Any = None, ctx: Any = None) -> Array:
    """Draw from the chi-square distribution: the distribution of the sum of ``df`` squared standard normal numbers."""
    return gamma(F, df / 2, 2.0, size, dtype, ctx)


def gumbel(F: Space, loc: Any = 0.0, scale: Any = 1.0, size: Any = None, ctx: Any = None, out: Any = None) -> Array:
    """Draw from the Gumbel distribution, which is a limit distribution of the maximum of many independent numbers."""
    return _draw(F, "_npi_gumbel", {"loc": loc, "scale": scale}, out, size=size, ctx=ctx)


def logistic(F: Space, loc: Any = 0.0, scale: Any = 1.0, size: Any = None, ctx: Any = None, out: Any = None) -> Array:
    """Draw from the logistic distribution with mean ``loc`` and scale ``scale``."""
    return _draw(F, "_npi_logistic", {"loc": loc, "scale": scale}, out, size=size, ctx=ctx)


def _one_parameter(name: str, operator: str, parameter: str, doc: str) -> Callable[..., Any]:
    def function(F: Space, a: Any, size: Any = None, ctx: Any = None, out: Any = None) -> Array:
        return _draw(F, operator, {parameter: a}, out, size=size, ctx=ctx)

    function.__name__ = function.__qualname__ = name
    function.__doc__ = doc
    return function


pareto = _one_parameter("pareto", "_npi_pareto", "a", "Draw from the Pareto II (Lomax) distribution.")
weibull = _one_parameter("weibull", "_npi_weibull", "a", "Draw from the Weibull distribution.")


def rayleigh(F: Space, scale: Any = 1.0, size: Any = None, ctx: Any = None, out: Any = None) -> Array:
    """Draw from the Rayleigh distribution: the length of a 2-D vector with independent normal components."""
    return _draw(F, "_npi_rayleigh", {"scale": scale}, out, size=size, ctx=ctx)


def power(F: Space, a: Any, size: Any = None) -> Array:
    """Draw numbers between 0 and 1 with the density ``a * x**(a - 1)``."""
    return _draw(F, "_npi_powerd", {"a": a}, size=size)


def multinomial(F: Space, n: int, pvals: Any, size: Any = None) -> Array:
    """Draw from the multinomial distribution: the counts of several outcomes in ``n`` trials.

    Parameters
    ----------
    F : Space
        The function space.
    n : int
        The number of trials.
    pvals : array or sequence of float
        The probabilities of the outcomes.
    size : int or tuple of int, optional
        The shape of the draws; one draw by default. The last axis of the result contains the counts of a draw.
    """
    if F.is_array(pvals):
        return F.call("_npi_multinomial", pvals, n=n, size=size)
    return F.call("_npi_multinomial", n=n, pvals=tuple(pvals), size=size)


def multivariate_normal(
    F: Space, mean: Any, cov: Any, size: Any = None, check_valid: Any = None, tol: Any = None
) -> Array:
    """Draw vectors from the multivariate normal distribution.

    Raises
    ------
    NotImplementedError
        If ``check_valid`` or ``tol`` is passed.
    """
    if check_valid is not None:
        raise NotImplementedError("Parameter `check_valid` is not supported")
    if tol is not None:
        raise NotImplementedError("Parameter `tol` is not supported")
    zeros = F.call("_np_sum", 0 * cov, axis=-1) + 0 * mean
    noise = F.call("_cast_like", normal_n(F, zeros, 1.0, batch_shape=() if size is None else size), mean)
    factor = F.call("_cast_like", F.call("_npi_cholesky", cov.astype("float64")), mean)  # no float16 in LAPACK
    return mean + F.call("_npi_einsum", factor, noise, subscripts="...ij,...j->...i")


def bernoulli(
    F: Space, prob: Any = None, logit: Any = None, size: Any = None, dtype: Any = None, ctx: Any = None,
    out: Any = None,
) -> Array:  # fmt: skip
    """Draw zeros and ones from the Bernoulli distribution, given the probability of 1 or its logit.

    Raises
    ------
    ValueError
        If ``prob`` and ``logit`` are both passed, or both omitted.
    """
    if (prob is None) == (logit is None):
        raise ValueError(
            f"Either `prob` or `logit` must be specified, but not both. Received prob={prob}, logit={logit}"
        )
    return _draw(
        F, "_npi_bernoulli", {"prob": prob, "logit": logit}, out, is_logit=prob is None, size=size,
        dtype=dtype or _FLOAT32, ctx=ctx,
    )  # fmt: skip


def uniform_n(
    F: Space, low: Any = 0.0, high: Any = 1.0, batch_shape: Any = None, dtype: Any = None, ctx: Any = None
) -> Array:
    """Draw uniformly distributed numbers, an array of shape ``batch_shape`` for each element of the parameters."""
    return _draw(
        F, "_npi_uniform_n", {"low": low, "high": high}, size=batch_shape, dtype=dtype or _FLOAT32, ctx=ctx
    )  # fmt: skip


def normal_n(
    F: Space, loc: Any = 0.0, scale: Any = 1.0, batch_shape: Any = None, dtype: Any = None, ctx: Any = None
) -> Array:
    """Draw normally distributed numbers, an array of shape ``batch_shape`` for each element of the parameters."""
    return _draw(
        F, "_npi_normal_n", {"loc": loc, "scale": scale}, size=batch_shape, dtype=dtype or _FLOAT32, ctx=ctx
    )  # fmt: skip
