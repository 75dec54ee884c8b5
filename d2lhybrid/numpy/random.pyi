# Written by `make stubs` (d2lhybrid/internals/commands/stubs): changes made here are lost.

from typing import Any

from ..ndarray.numpy._array import ndarray

def beta(a: Any, b: Any, size: Any = None, dtype: Any = None, ctx: Any = None) -> ndarray:
    """Draw from the beta distribution: ``X / (X + Y)`` for gamma distributed X and Y."""

def chisquare(df: Any, size: Any = None, dtype: Any = None, ctx: Any = None) -> ndarray:
    """Draw from the chi-square distribution, that of the sum of ``df`` squares of normal numbers."""

def choice(a: Any, size: Any = None, replace: bool = True, p: Any = None, ctx: Any = None, out: Any = None) -> ndarray:
    """Draw elements of an array, or of the numbers 0 to ``a - 1``."""

def exponential(scale: Any = 1.0, size: Any = None, ctx: Any = None, out: Any = None) -> ndarray:
    """Draw from the exponential distribution with mean ``scale``."""

def gamma(
    shape: Any, scale: Any = 1.0, size: Any = None, dtype: Any = None, ctx: Any = None, out: Any = None
) -> ndarray:
    """Draw from the gamma distribution."""

def gumbel(loc: Any = 0.0, scale: Any = 1.0, size: Any = None, ctx: Any = None, out: Any = None) -> ndarray:
    """Draw from Gumbel's distribution, that of the greatest of many."""

def logistic(loc: Any = 0.0, scale: Any = 1.0, size: Any = None, ctx: Any = None, out: Any = None) -> ndarray:
    """Draw from the logistic distribution."""

def lognormal(
    mean: Any = 0.0, sigma: Any = 1.0, size: Any = None, dtype: Any = None, ctx: Any = None, out: Any = None
) -> ndarray:
    """Draw numbers whose logarithms are normally distributed."""

def multinomial(n: int, pvals: Any, size: Any = None) -> ndarray:
    """Draw how often each of several outcomes happens in ``n`` trials."""

def multivariate_normal(mean: Any, cov: Any, size: Any = None, check_valid: Any = None, tol: Any = None) -> ndarray:
    """Draw vectors from a normal distribution with a covariance matrix."""

def normal(
    loc: Any = 0.0, scale: Any = 1.0, size: Any = None, dtype: Any = None, ctx: Any = None, out: Any = None
) -> ndarray:
    """Draw from the normal distribution with mean ``loc`` and standard deviation ``scale``."""

def pareto(a: Any, size: Any = None, ctx: Any = None, out: Any = None) -> ndarray:
    """Draw from the Pareto II (Lomax) distribution."""

def power(a: Any, size: Any = None) -> ndarray:
    """Draw numbers between 0 and 1 with the density ``a * x**(a - 1)``."""

def rand(*size: int, **kwargs: Any) -> ndarray:
    """Draw from the uniform distribution on ``[0, 1)``; the arguments are the sizes of the axes."""

def randint(
    low: Any, high: Any = None, size: Any = None, dtype: Any = None, ctx: Any = None, out: Any = None
) -> ndarray:
    """Draw integers from ``low`` to before ``high`` (from 0 to before ``low``, if there is one argument)."""

def randn(*size: int, **kwargs: Any) -> ndarray:
    """Draw from the standard normal distribution; the arguments are the sizes of the axes."""

def rayleigh(scale: Any = 1.0, size: Any = None, ctx: Any = None, out: Any = None) -> ndarray:
    """Draw from Rayleigh's distribution, that of the length of a normal vector in the plane."""

def shuffle(x: Any) -> None:
    """Put the parts of an array along its first axis in random order, in place."""

def uniform(
    low: Any = 0.0, high: Any = 1.0, size: Any = None, dtype: Any = None, ctx: Any = None, out: Any = None
) -> ndarray:
    """Draw from the uniform distribution on ``[low, high)``."""

def weibull(a: Any, size: Any = None, ctx: Any = None, out: Any = None) -> ndarray:
    """Draw from Weibull's distribution."""
