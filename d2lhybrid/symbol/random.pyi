# Written by `make stubs` (d2lhybrid/internals/commands/stubs): changes made here are lost.

from collections.abc import Sequence
from typing import Any, TypeAlias

from .symbol import Symbol

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

def exponential(scale: Any = 1, shape: Any = ..., dtype: Any = ..., **kwargs: Any) -> Symbol:
    """Draw from the exponential distribution with mean ``scale``."""

def exponential_like(
    data: Symbol | None = None,
    lam: float = 1.0,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> Symbol:
    """Draw exponentially distributed numbers with the rate ``lam``."""

def gamma(alpha: Any = 1, beta: Any = 1, shape: Any = ..., dtype: Any = ..., **kwargs: Any) -> Symbol:
    """Draw from the gamma distribution with shape ``alpha`` and scale ``beta``."""

def gamma_like(
    data: Symbol | None = None,
    alpha: float = 1.0,
    beta: float = 1.0,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> Symbol:
    """Draw gamma distributed numbers with the shape parameter ``alpha`` and the scale ``beta``."""

def generalized_negative_binomial(
    mu: Any = 1,
    alpha: Any = 1,
    shape: Any = ...,
    dtype: Any = ...,
    **kwargs: Any,
) -> Symbol:
    """Draw from the negative binomial distribution with mean ``mu`` and dispersion ``alpha``."""

def generalized_negative_binomial_like(
    data: Symbol | None = None,
    mu: float = 1.0,
    alpha: float = 1.0,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> Symbol:
    """Draw negative binomial numbers with mean ``mu`` and dispersion ``alpha``; 0 gives Poisson's."""

def multinomial(data: Any, shape: Any = ..., get_prob: Any = True, dtype: Any = "int32", **kwargs: Any) -> Any:
    """Draw category numbers with the probabilities in the last axis of ``data``."""

def negative_binomial(k: Any = 1, p: Any = 1, shape: Any = ..., dtype: Any = ..., **kwargs: Any) -> Symbol:
    """Draw the number of failures before ``k`` successes of probability ``p``."""

def negative_binomial_like(
    data: Symbol | None = None,
    k: int = 1,
    p: float = 1.0,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> Symbol:
    """Draw the number of failures before the k-th success, where a success has probability p."""

def normal(loc: Any = 0, scale: Any = 1, shape: Any = ..., dtype: Any = ..., **kwargs: Any) -> Symbol:
    """Draw from the normal distribution with mean ``loc`` and standard deviation ``scale``."""

def normal_like(
    data: Symbol | None = None,
    loc: float = 0.0,
    scale: float = 1.0,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> Symbol:
    """Draw normally distributed numbers."""

def pdf_dirichlet(
    sample: Symbol | None = None,
    alpha: Symbol | None = None,
    is_log: bool = False,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> Symbol:
    """Density of the distribution ``dirichlet`` at ``sample``, or its logarithm."""

def pdf_exponential(
    sample: Symbol | None = None,
    lam: Symbol | None = None,
    is_log: bool = False,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> Symbol:
    """Density of the distribution ``exponential`` at ``sample``, or its logarithm."""

def pdf_gamma(
    sample: Symbol | None = None,
    alpha: Symbol | None = None,
    beta: Symbol | None = None,
    is_log: bool = False,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> Symbol:
    """Density of the distribution ``gamma`` at ``sample``, or its logarithm."""

def pdf_generalized_negative_binomial(
    sample: Symbol | None = None,
    mu: Symbol | None = None,
    alpha: Symbol | None = None,
    is_log: bool = False,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> Symbol:
    """Density of the distribution ``generalized_negative_binomial`` at ``sample``, or its logarithm."""

def pdf_negative_binomial(
    sample: Symbol | None = None,
    k: Symbol | None = None,
    p: Symbol | None = None,
    is_log: bool = False,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> Symbol:
    """Density of the distribution ``negative_binomial`` at ``sample``, or its logarithm."""

def pdf_normal(
    sample: Symbol | None = None,
    mu: Symbol | None = None,
    sigma: Symbol | None = None,
    is_log: bool = False,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> Symbol:
    """Density of the distribution ``normal`` at ``sample``, or its logarithm."""

def pdf_poisson(
    sample: Symbol | None = None,
    lam: Symbol | None = None,
    is_log: bool = False,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> Symbol:
    """Density of the distribution ``poisson`` at ``sample``, or its logarithm."""

def pdf_uniform(
    sample: Symbol | None = None,
    low: Symbol | None = None,
    high: Symbol | None = None,
    is_log: bool = False,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> Symbol:
    """Density of the distribution ``uniform`` at ``sample``, or its logarithm."""

def poisson(lam: Any = 1, shape: Any = ..., dtype: Any = ..., **kwargs: Any) -> Symbol:
    """Draw from the Poisson distribution with mean ``lam``."""

def poisson_like(
    data: Symbol | None = None,
    lam: float = 1.0,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> Symbol:
    """Draw Poisson distributed numbers."""

def randint(low: Any, high: Any, shape: Any = ..., dtype: Any = ..., **kwargs: Any) -> Symbol:
    """Draw integers from ``low`` (inclusive) to ``high`` (exclusive)."""

def randn(*shape: Any, **kwargs: Any) -> Symbol:
    """Draw from the normal distribution, the shape given as separate numbers."""

def shuffle(data: Any, **kwargs: Any) -> Symbol:
    """Return the rows in random order."""

def uniform(low: Any = 0, high: Any = 1, shape: Any = ..., dtype: Any = ..., **kwargs: Any) -> Symbol:
    """Draw from the uniform distribution on ``[low, high)``."""

def uniform_like(
    data: Symbol | None = None,
    low: float = 0.0,
    high: float = 1.0,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> Symbol:
    """Draw numbers between ``low`` (included) and ``high``."""

def unique_zipfian(
    range_max: int,
    shape: _Shape | None = None,
    name: str | None = None,
    attr: dict[str, str] | None = None,
    out: Any = None,
    **kwargs: Any,
) -> Symbol:
    """Draw different numbers below ``range_max`` from a log-uniform distribution, row by row."""
