"""Probability densities and their gradients: ``random_pdf_normal`` and the operators of other distributions.

A family of distributions consists of its log-density and the derivatives of the log-density with respect to the sample
and each parameter. A sample has the axes of the parameters, then additional axes, over which the gradients of the
parameters are summed.
"""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from ..core.infer import PartialShape
from ..core.operator import operator
from . import rules
from .special_functions import digamma, gammaln

FAMILY = "other"
MEANINGS = {
    "sample": "The points at which to evaluate the density; the last axes contain the points for each distribution.",
    "is_log": "Whether to return the logarithm of the density.",
    "low": "The lower ends of the intervals, which are included.",
    "high": "The upper ends of the intervals, which are excluded.",
    "mu": "The mean of each distribution.",
    "sigma": "The standard deviation of each distribution.",
    "alpha": "Shapes of gamma distributions, concentrations of Dirichlet distributions, or dispersions of counts.",
    "beta": "The rate (the inverse scale) of each gamma distribution.",
    "lam": "The rate of each exponential distribution, or the mean of each Poisson distribution.",
    "k": "The numbers of successes after which counting ends.",
    "p": "The probability of a success, for each distribution.",
}


class Density(NamedTuple):
    """A family of distributions: its log-density ``log(xp, x, *parameters)`` and derivatives ``slopes`` (None if 0)."""

    parameters: tuple[str, ...]
    log: Callable[..., Any]
    slopes: Callable[..., tuple[Any, ...]]
    vector: bool = False  # whether the last axis is one sample (Dirichlet)


# --- the families ------------------------------------------------------------------------------------


def _log_normal(xp: Any, x: Any, mu: Any, sigma: Any) -> Any:
    return -0.5 * xp.square((x - mu) / sigma) - xp.log(sigma) - 0.5 * math.log(2 * math.pi)


def _slopes_normal(xp: Any, x: Any, mu: Any, sigma: Any) -> tuple[Any, ...]:
    distance = (x - mu) / sigma
    return -distance / sigma, distance / sigma, (distance * distance - 1) / sigma


def _log_gamma(xp: Any, x: Any, alpha: Any, beta: Any) -> Any:
    return alpha * xp.log(beta) + (alpha - 1) * xp.log(x) - beta * x - gammaln(xp, alpha)


def _slopes_gamma(xp: Any, x: Any, alpha: Any, beta: Any) -> tuple[Any, ...]:
    return (alpha - 1) / x - beta, xp.log(beta) + xp.log(x) - digamma(xp, alpha), alpha / beta - x


def _log_poisson(xp: Any, x: Any, lam: Any) -> Any:
    return x * xp.log(lam) - lam - gammaln(xp, x + 1)


def _log_negative_binomial(xp: Any, x: Any, k: Any, p: Any) -> Any:
    chance = gammaln(xp, x + k) - gammaln(xp, x + 1) - gammaln(xp, k)
    return chance + k * xp.log(p) + x * xp.log1p(-p)


def _slopes_negative_binomial(xp: Any, x: Any, k: Any, p: Any) -> tuple[Any, ...]:
    return None, digamma(xp, x + k) - digamma(xp, k) + xp.log(p), k / p - x / (1 - p)


def _log_dispersed(xp: Any, x: Any, mu: Any, alpha: Any) -> Any:
    return _log_negative_binomial(xp, x, 1 / alpha, 1 / (1 + mu * alpha))


def _slopes_dispersed(xp: Any, x: Any, mu: Any, alpha: Any) -> tuple[Any, ...]:
    p = 1 / (1 + mu * alpha)
    _, by_k, by_p = _slopes_negative_binomial(xp, x, 1 / alpha, p)
    by_product = -p * p * by_p  # the derivative by mu * alpha
    return None, by_product * alpha, by_product * mu - by_k / (alpha * alpha)


def _log_dirichlet(xp: Any, x: Any, alpha: Any) -> Any:
    normalizer = gammaln(xp, alpha.sum(-1)) - gammaln(xp, alpha).sum(-1)
    return ((alpha - 1) * xp.log(x)).sum(-1) + normalizer


def _slopes_dirichlet(xp: Any, x: Any, alpha: Any) -> tuple[Any, ...]:
    total = digamma(xp, alpha.sum(-1, keepdims=True))
    return (alpha - 1) / x, xp.log(x) - digamma(xp, alpha) + total


DENSITIES: dict[str, Density] = {
    "uniform": Density(
        ("low", "high"),
        lambda xp, x, low, high: -xp.log(high - low) + 0 * x,
        lambda xp, x, low, high: (None, 1 / (high - low) + 0 * x, -1 / (high - low) + 0 * x),
    ),
    "normal": Density(("mu", "sigma"), _log_normal, _slopes_normal),
    "gamma": Density(("alpha", "beta"), _log_gamma, _slopes_gamma),
    "exponential": Density(
        ("lam",),
        lambda xp, x, lam: xp.log(lam) - lam * x,
        lambda xp, x, lam: (-lam + 0 * x, 1 / lam - x),
    ),
    "poisson": Density(("lam",), _log_poisson, lambda xp, x, lam: (None, x / lam - 1)),
    "negative_binomial": Density(("k", "p"), _log_negative_binomial, _slopes_negative_binomial),
    "generalized_negative_binomial": Density(("mu", "alpha"), _log_dispersed, _slopes_dispersed),
    "dirichlet": Density(("alpha",), _log_dirichlet, _slopes_dirichlet, vector=True),
}

# --- two operators for each ----------------------------------------------------------------------------


def _widened(sample: Any, parameters: Sequence[Any], vector: bool) -> list[Any]:
    """Return the parameters with trailing axes of size 1, so that they have as many axes as the sample."""
    wide = []
    for p in parameters:
        kept = p.ndim - 1 if vector else p.ndim
        ones = (1,) * (sample.ndim - p.ndim)
        wide.append(p.reshape(p.shape[:kept] + ones + p.shape[kept:]))
    return wide


def _signature(names: tuple[str, ...]) -> inspect.Signature:
    kind = inspect.Parameter
    return inspect.Signature(
        [
            kind("xp", kind.POSITIONAL_OR_KEYWORD),
            *(kind(name, kind.POSITIONAL_OR_KEYWORD, annotation="Array") for name in names),
            kind("is_log", kind.KEYWORD_ONLY, default=False, annotation="bool"),
        ]
    )


def _rule(vector: bool) -> Callable[..., Any]:
    def rule(sample: PartialShape, *parameters: PartialShape, **_: Any):
        common = rules.unify_all(parameters)
        if sample is None:
            return [None, *[common] * len(parameters)], [None]
        if common is not None:
            kept = len(common) - 1 if vector else len(common)
            front = rules.unify(sample[:kept], common[:kept])
            back = rules.unify(sample[-1:], common[-1:]) if vector else ()
            assert front is not None
            assert back is not None
            sample = front + sample[kept : len(sample) - len(back)] + back
            common = front + back
        result = sample[:-1] or (1,) if vector else sample
        return [sample, *[common] * len(parameters)], [result]

    return rule


def _register(title: str, density: Density) -> None:
    name = f"_random_pdf_{title}"
    backward_name = f"_backward_random_pdf_{title}"
    rule = _rule(density.vector)

    def run(xp, sample, *parameters, is_log=False):
        rule(sample.shape, *[p.shape for p in parameters])
        logarithm = density.log(xp, sample, *_widened(sample, parameters, density.vector))
        result = logarithm if is_log else xp.exp(logarithm)
        return result.reshape(1) if density.vector and result.ndim == 0 else result

    def run_backward(xp, dy, y, sample, *parameters, is_log=False):
        weight = dy if is_log else dy * y
        if density.vector:
            weight = weight.reshape(*sample.shape[:-1], 1)
        slopes = density.slopes(xp, sample, *_widened(sample, parameters, density.vector))
        gradients = []
        for array, slope in zip((sample, *parameters), slopes, strict=True):
            if slope is None:
                gradients.append(xp.zeros_like(array))
                continue
            first = array.ndim - 1 if density.vector else array.ndim
            extra = tuple(range(first, first + sample.ndim - array.ndim))
            gradients.append(xp.add.reduce(weight * slope, axis=extra) if extra else weight * slope)
        return gradients

    run.__doc__ = (
        f"Return the density of the distribution ``{title}`` at ``sample``, or the logarithm of this density.\n\n"
        "The sample has the axes of the parameters, optionally followed by more axes."
    )
    run.__signature__ = _signature(("sample", *density.parameters))  # type: ignore[attr-defined]
    run_backward.__doc__ = (
        f"Return the gradients of the density ``{title}`` with respect to the sample and the parameters."
    )
    run_backward.__signature__ = _signature(("dy", "y", "sample", *density.parameters))  # type: ignore[attr-defined]

    op = operator(name, name.removeprefix("_"))(run)
    op.precision = "widest"
    op.lenient = True
    op.infer_shape(rule)
    op.infer_type(rules.same_type)
    op.gradient(
        lambda F, dy, y, sample, *parameters, is_log: list(
            getattr(F, backward_name)(dy, y, sample, *parameters, is_log=is_log)
        )
    )
    # Second derivatives of densities aren't implemented.
    backward = operator(backward_name, outputs=1 + len(density.parameters), differentiable=False)(run_backward)
    backward.infer_shape(lambda dy, y, *arrays, **_: ([dy, y, *arrays], list(arrays)))
    backward.infer_type(lambda dy, y, *arrays, **_: ([dy, y, *arrays], list(arrays)))


for _title, _density in DENSITIES.items():
    _register(_title, _density)
