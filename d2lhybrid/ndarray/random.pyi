# Written by `make stubs` (d2lhybrid/internals/commands/stubs): changes made here are lost.

from collections.abc import Sequence
from typing import Any, TypeAlias

from .ndarray import NDArray

_Shape: TypeAlias = int | Sequence[int | None]

__all__ = [
    "exponential",
    "gamma",
    "generalized_negative_binomial",
    "multinomial",
    "negative_binomial",
    "normal",
    "poisson",
    "randint",
    "randn",
    "shuffle",
    "uniform",
]

def exponential(
    scale: Any = 1,
    shape: Any = ...,
    dtype: Any = ...,
    ctx: Any = None,
    out: Any = None,
    **kwargs: Any,
) -> NDArray:
    """Draw from the exponential distribution with mean ``scale``."""

def exponential_like(
    data: NDArray, lam: float = 1.0, out: NDArray | list[NDArray] | None = None, name: str | None = None
) -> NDArray:
    """Draw exponentially distributed numbers with the rate ``lam``."""

def gamma(
    alpha: Any = 1,
    beta: Any = 1,
    shape: Any = ...,
    dtype: Any = ...,
    ctx: Any = None,
    out: Any = None,
    **kwargs: Any,
) -> NDArray:
    """Draw from the gamma distribution with shape ``alpha`` and scale ``beta``."""

def gamma_like(
    data: NDArray,
    alpha: float = 1.0,
    beta: float = 1.0,
    out: NDArray | list[NDArray] | None = None,
    name: str | None = None,
) -> NDArray:
    """Draw gamma distributed numbers with the shape parameter ``alpha`` and the scale ``beta``."""

def generalized_negative_binomial(
    mu: Any = 1,
    alpha: Any = 1,
    shape: Any = ...,
    dtype: Any = ...,
    ctx: Any = None,
    out: Any = None,
    **kwargs: Any,
) -> NDArray:
    """Draw from the negative binomial distribution with mean ``mu`` and dispersion ``alpha``."""

def generalized_negative_binomial_like(
    data: NDArray,
    mu: float = 1.0,
    alpha: float = 1.0,
    out: NDArray | list[NDArray] | None = None,
    name: str | None = None,
) -> NDArray:
    """Draw negative binomial numbers with mean ``mu`` and dispersion ``alpha``; 0 gives Poisson's."""

def multinomial(
    data: Any,
    shape: Any = ...,
    get_prob: Any = False,
    out: Any = None,
    dtype: Any = "int32",
    **kwargs: Any,
) -> Any:
    """Draw category numbers with the probabilities in the last axis of ``data``."""

def negative_binomial(
    k: Any = 1,
    p: Any = 1,
    shape: Any = ...,
    dtype: Any = ...,
    ctx: Any = None,
    out: Any = None,
    **kwargs: Any,
) -> NDArray:
    """Draw the number of failures before ``k`` successes of probability ``p``."""

def negative_binomial_like(
    data: NDArray, k: int = 1, p: float = 1.0, out: NDArray | list[NDArray] | None = None, name: str | None = None
) -> NDArray:
    """Draw the number of failures before the k-th success, where a success has probability p."""

def normal(
    loc: Any = 0,
    scale: Any = 1,
    shape: Any = ...,
    dtype: Any = ...,
    ctx: Any = None,
    out: Any = None,
    **kwargs: Any,
) -> NDArray:
    """Draw from the normal distribution with mean ``loc`` and standard deviation ``scale``."""

def normal_like(
    data: NDArray,
    loc: float = 0.0,
    scale: float = 1.0,
    out: NDArray | list[NDArray] | None = None,
    name: str | None = None,
) -> NDArray:
    """Draw normally distributed numbers."""

def pdf_dirichlet(
    sample: NDArray,
    alpha: NDArray,
    is_log: bool = False,
    out: NDArray | list[NDArray] | None = None,
    name: str | None = None,
) -> NDArray:
    """Density of the distribution ``dirichlet`` at ``sample``, or its logarithm."""

def pdf_exponential(
    sample: NDArray,
    lam: NDArray,
    is_log: bool = False,
    out: NDArray | list[NDArray] | None = None,
    name: str | None = None,
) -> NDArray:
    """Density of the distribution ``exponential`` at ``sample``, or its logarithm."""

def pdf_gamma(
    sample: NDArray,
    alpha: NDArray,
    beta: NDArray,
    is_log: bool = False,
    out: NDArray | list[NDArray] | None = None,
    name: str | None = None,
) -> NDArray:
    """Density of the distribution ``gamma`` at ``sample``, or its logarithm."""

def pdf_generalized_negative_binomial(
    sample: NDArray,
    mu: NDArray,
    alpha: NDArray,
    is_log: bool = False,
    out: NDArray | list[NDArray] | None = None,
    name: str | None = None,
) -> NDArray:
    """Density of the distribution ``generalized_negative_binomial`` at ``sample``, or its logarithm."""

def pdf_negative_binomial(
    sample: NDArray,
    k: NDArray,
    p: NDArray,
    is_log: bool = False,
    out: NDArray | list[NDArray] | None = None,
    name: str | None = None,
) -> NDArray:
    """Density of the distribution ``negative_binomial`` at ``sample``, or its logarithm."""

def pdf_normal(
    sample: NDArray,
    mu: NDArray,
    sigma: NDArray,
    is_log: bool = False,
    out: NDArray | list[NDArray] | None = None,
    name: str | None = None,
) -> NDArray:
    """Density of the distribution ``normal`` at ``sample``, or its logarithm."""

def pdf_poisson(
    sample: NDArray,
    lam: NDArray,
    is_log: bool = False,
    out: NDArray | list[NDArray] | None = None,
    name: str | None = None,
) -> NDArray:
    """Density of the distribution ``poisson`` at ``sample``, or its logarithm."""

def pdf_uniform(
    sample: NDArray,
    low: NDArray,
    high: NDArray,
    is_log: bool = False,
    out: NDArray | list[NDArray] | None = None,
    name: str | None = None,
) -> NDArray:
    """Density of the distribution ``uniform`` at ``sample``, or its logarithm."""

def poisson(
    lam: Any = 1,
    shape: Any = ...,
    dtype: Any = ...,
    ctx: Any = None,
    out: Any = None,
    **kwargs: Any,
) -> NDArray:
    """Draw from the Poisson distribution with mean ``lam``."""

def poisson_like(
    data: NDArray, lam: float = 1.0, out: NDArray | list[NDArray] | None = None, name: str | None = None
) -> NDArray:
    """Draw Poisson distributed numbers."""

def randint(
    low: Any,
    high: Any,
    shape: Any = ...,
    dtype: Any = ...,
    ctx: Any = None,
    out: Any = None,
    **kwargs: Any,
) -> NDArray:
    """Draw integers from ``low`` (inclusive) to ``high`` (exclusive)."""

def randn(*shape: Any, **kwargs: Any) -> NDArray:
    """Draw from the normal distribution, the shape given as separate numbers."""

def shuffle(data: Any, **kwargs: Any) -> NDArray:
    """Return the rows in random order."""

def uniform(
    low: Any = 0,
    high: Any = 1,
    shape: Any = ...,
    dtype: Any = ...,
    ctx: Any = None,
    out: Any = None,
    **kwargs: Any,
) -> NDArray:
    """Draw from the uniform distribution on ``[low, high)``."""

def uniform_like(
    data: NDArray,
    low: float = 0.0,
    high: float = 1.0,
    out: NDArray | list[NDArray] | None = None,
    name: str | None = None,
) -> NDArray:
    """Draw numbers between ``low`` (included) and ``high``."""

def unique_zipfian(
    range_max: int, shape: _Shape | None = None, out: NDArray | list[NDArray] | None = None, name: str | None = None
) -> list[NDArray]:
    """Draw different numbers below ``range_max`` from a log-uniform distribution, row by row."""
