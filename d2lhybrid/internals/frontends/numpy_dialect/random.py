"""Random numbers: ``np.random`` and ``npx.random``.

Parameters of a distribution are numbers or arrays. An operator gets its numbers as attributes and
its arrays as inputs; an attribute of None says that the parameter is the next input.
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

#: The meanings of parameters here; see ``documentation.py``.
MEANINGS = {
    "low": "The lower end.",
    "high": "The upper end, itself excluded.",
    "randint.low": "The smallest number; without ``high``, what the numbers stay below.",
    "randint.high": "What the numbers stay below.",
    "loc": "Where the distribution lies.",
    "scale": "How wide the distribution is.",
    "normal.loc": "The mean.",
    "normal.scale": "The standard deviation.",
    "normal_n.loc": "The mean.",
    "normal_n.scale": "The standard deviation.",
    "exponential.scale": "The mean.",
    "gamma.shape": "The shape of the distribution: of how many exponential ones it is the sum.",
    "lognormal.mean": "The mean of the logarithms.",
    "lognormal.sigma": "The standard deviation of the logarithms.",
    "a": "The shape of the distribution.",
    "b": "The second shape of the distribution.",
    "df": "How many squares are added.",
    "rand.size": "The sizes of the axes.",
    "randn.size": "The sizes of the axes.",
    "rand.kwargs": "``dtype``, ``ctx`` and ``out``, as of ``uniform``.",
    "randn.kwargs": "``dtype``, ``ctx`` and ``out``, as of ``normal``.",
    "size": "Shape of the result; by default one number, or one for each element of the parameters.",
    "ctx": "Where to draw; the current context by default.",
    "multivariate_normal.mean": "The mean: a vector, or several.",
    "multivariate_normal.size": "Shape of the draws; each is a vector.",
    "cov": "The covariance matrix, or several.",
    "check_valid": "Not possible; NumPy's parameter.",
    "tol": "Not possible; NumPy's parameter.",
    "x": "The array; it is changed.",
    "prob": "The probability of a one.",
    "logit": "The same as a logit, ``log(prob / (1 - prob))``.",
    "batch_shape": "Shape of the draws for each element of the parameters.",
}

#: What ``npx.random`` has.
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
        Shape of the result; by default one number, or one for each element of the parameters.
    dtype : str or numpy dtype, optional
        ``float32`` by default.
    ctx : Context, optional
        The context.
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
    """Draw numbers whose logarithms are normally distributed."""
    return FUNCTIONS["exp"](F, normal(F, mean, sigma, size, dtype, ctx), out)


def randint(
    F: Space, low: Any, high: Any = None, size: Any = None, dtype: Any = None, ctx: Any = None, out: Any = None
) -> Array:
    """Draw integers from ``low`` to before ``high`` (from 0 to before ``low``, if there is one argument)."""
    if high is None:
        low, high = 0, low
    shape = () if size is None else size
    return F.call("_npi_random_randint", low=low, high=high, shape=shape, dtype=dtype or "int64", ctx=ctx, out=out)


def choice(
    F: Space, a: Any, size: Any = None, replace: bool = True, p: Any = None, ctx: Any = None, out: Any = None
) -> Array:
    """Draw elements of an array, or of the numbers 0 to ``a - 1``.

    Parameters
    ----------
    F : Space
        The function space.
    a : int or array
        What to draw from.
    size : int or tuple of int, optional
        Shape of the result; one element by default.
    replace : bool
        Whether an element may be drawn again.
    p : array, optional
        Probabilities, all equal by default.
    ctx : Context, optional
        The context.
    out : array, optional
        The destination of the result.
    """
    settings = {"size": size, "replace": replace, "weighted": p is not None}
    weights = [] if p is None else [p]
    if F.is_array(a):
        positions = F.call("_npi_choice", a, *weights, a=None, **settings)
        return F.call("_npi_take", a, positions)
    return F.call("_npi_choice", *weights, a=a, ctx=ctx, out=out, **settings)


def shuffle(F: Space, x: Any) -> None:
    """Put the parts of an array along its first axis in random order, in place."""
    F.call("_npi_shuffle", x, out=x if F.eager else None)


def exponential(F: Space, scale: Any = 1.0, size: Any = None, ctx: Any = None, out: Any = None) -> Array:
    """Draw from the exponential distribution with mean ``scale``."""
    return _draw(F, "_npi_exponential", {"scale": scale}, out, size=size, ctx=ctx)


def gamma(
    F: Space, shape: Any, scale: Any = 1.0, size: Any = None, dtype: Any = None, ctx: Any = None, out: Any = None
) -> Array:
    """Draw from the gamma distribution."""
    return _draw(
        F, "_npi_gamma", {"shape": shape, "scale": scale}, out, size=size, dtype=dtype or _FLOAT32, ctx=ctx
    )  # fmt: skip


def beta(F: Space, a: Any, b: Any, size: Any = None, dtype: Any = None, ctx: Any = None) -> Array:
    """Draw from the beta distribution: ``X / (X + Y)`` for gamma distributed X and Y."""
    x = gamma(F, a, 1, size, "float64", ctx)
    y = gamma(F, b, 1, size, "float64", ctx)
    share = binary_call(F, BINARY["true_divide"], x, binary_call(F, BINARY["add"], x, y))
    return share.astype(dtype or _FLOAT32)


def chisquare(F: Space, df: Any, size: Any = None, dtype: Any = None, ctx: Any = None) -> Array:
    """Draw from the chi-square distribution, that of the sum of ``df`` squares of normal numbers."""
    return gamma(F, df / 2, 2.0, size, dtype, ctx)


def gumbel(F: Space, loc: Any = 0.0, scale: Any = 1.0, size: Any = None, ctx: Any = None, out: Any = None) -> Array:
    """Draw from Gumbel's distribution, that of the greatest of many."""
    return _draw(F, "_npi_gumbel", {"loc": loc, "scale": scale}, out, size=size, ctx=ctx)


def logistic(F: Space, loc: Any = 0.0, scale: Any = 1.0, size: Any = None, ctx: Any = None, out: Any = None) -> Array:
    """Draw from the logistic distribution."""
    return _draw(F, "_npi_logistic", {"loc": loc, "scale": scale}, out, size=size, ctx=ctx)


def _one_parameter(name: str, operator: str, parameter: str, doc: str) -> Callable[..., Any]:
    def function(F: Space, a: Any, size: Any = None, ctx: Any = None, out: Any = None) -> Array:
        return _draw(F, operator, {parameter: a}, out, size=size, ctx=ctx)

    function.__name__ = function.__qualname__ = name
    function.__doc__ = doc
    return function


pareto = _one_parameter("pareto", "_npi_pareto", "a", "Draw from the Pareto II (Lomax) distribution.")
weibull = _one_parameter("weibull", "_npi_weibull", "a", "Draw from Weibull's distribution.")


def rayleigh(F: Space, scale: Any = 1.0, size: Any = None, ctx: Any = None, out: Any = None) -> Array:
    """Draw from Rayleigh's distribution, that of the length of a normal vector in the plane."""
    return _draw(F, "_npi_rayleigh", {"scale": scale}, out, size=size, ctx=ctx)


def power(F: Space, a: Any, size: Any = None) -> Array:
    """Draw numbers between 0 and 1 with the density ``a * x**(a - 1)``."""
    return _draw(F, "_npi_powerd", {"a": a}, size=size)


def multinomial(F: Space, n: int, pvals: Any, size: Any = None) -> Array:
    """Draw how often each of several outcomes happens in ``n`` trials.

    Parameters
    ----------
    F : Space
        The function space.
    n : int
        Number of trials.
    pvals : array or sequence of float
        Probabilities of the outcomes.
    size : int or tuple of int, optional
        How many times to do the trials.
    """
    if F.is_array(pvals):
        return F.call("_npi_multinomial", pvals, n=n, size=size)
    return F.call("_npi_multinomial", n=n, pvals=tuple(pvals), size=size)


def multivariate_normal(
    F: Space, mean: Any, cov: Any, size: Any = None, check_valid: Any = None, tol: Any = None
) -> Array:
    """Draw vectors from a normal distribution with a covariance matrix.

    Raises
    ------
    NotImplementedError
        For ``check_valid`` and ``tol``.
    """
    if check_valid is not None:
        raise NotImplementedError("Parameter `check_valid` is not supported")
    if tol is not None:
        raise NotImplementedError("Parameter `tol` is not supported")
    zeros = F.call("_np_sum", 0 * cov, axis=-1) + 0 * mean
    noise = F.call("_cast_like", normal_n(F, zeros, 1.0, batch_shape=() if size is None else size), mean)
    factor = F.call("_cast_like", F.call("_npi_cholesky", cov.astype("float64")), mean)  # there is none of halves
    return mean + F.call("_npi_einsum", factor, noise, subscripts="...ij,...j->...i")


def bernoulli(
    F: Space, prob: Any = None, logit: Any = None, size: Any = None, dtype: Any = None, ctx: Any = None,
    out: Any = None,
) -> Array:  # fmt: skip
    """Draw ones with a probability, which is given as such or as its logit, and zeros.

    Raises
    ------
    ValueError
        Unless exactly one of the two is given.
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
    """Draw ``batch_shape`` uniformly distributed numbers for each element of the parameters."""
    return _draw(
        F, "_npi_uniform_n", {"low": low, "high": high}, size=batch_shape, dtype=dtype or _FLOAT32, ctx=ctx
    )  # fmt: skip


def normal_n(
    F: Space, loc: Any = 0.0, scale: Any = 1.0, batch_shape: Any = None, dtype: Any = None, ctx: Any = None
) -> Array:
    """Draw ``batch_shape`` normally distributed numbers for each element of the parameters."""
    return _draw(
        F, "_npi_normal_n", {"loc": loc, "scale": scale}, size=batch_shape, dtype=dtype or _FLOAT32, ctx=ctx
    )  # fmt: skip
