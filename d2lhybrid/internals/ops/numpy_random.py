"""Operators of ``np.random`` and ``npx.random``.

Parameters are numbers or arrays. If the attribute of a parameter is None, the next input has its values. Continuous
families whose samples depend smoothly on the parameters have a second, hidden output: the derivative with respect to
the last parameter. Gradients reach the parameters through this output (reparameterization). The samples of all other
families have no derivative.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy

from ...error import ParameterError
from ..core.infer import PartialShape
from ..core.operator import REQUIRED, operator
from ..support.dtypes import DEFAULT_DTYPE
from . import rules
from .random import FLOATS, checked_dtype, generated_signature, work_dtype

FAMILY = "other"

# --- shared code -----------------------------------------------------------------------------------


def samples_shape(shapes: Sequence[PartialShape], size: tuple[int, ...] | None, prefix: bool) -> PartialShape:
    """Return the shape of the samples: the broadcast shape of the parameters, or ``size``.

    With ``prefix`` (for the ``_n`` operators), ``size`` precedes the broadcast shape.
    """
    common: PartialShape = ()
    for shape in shapes:
        common = rules.broadcast_shape(common, shape)
    if prefix:
        return None if common is None else (*(size or ()), *common)
    if size is None:
        return common
    rules.broadcast_shape(common, size)
    return size


def _values(names: Sequence[str], arrays: Sequence[Any], attributes: dict[str, Any]) -> list[Any]:
    """Return each parameter as a number or an array."""
    given = iter(arrays)
    return [next(given) if attributes[name] is None else attributes[name] for name in names]


class Check(NamedTuple):
    """A check that a parameter isn't negative (if `strict`, also not 0), with MXNet's error message."""

    parameter: str
    text: str
    strict: bool = False

    def apply(self, value: Any) -> None:
        """Raise a ParameterError with MXNet's message if the check fails for ``value``, a number."""
        if value < 0 or (self.strict and value == 0):
            sign = ">" if self.strict else ">="
            raise ParameterError(
                f"Check failed: param.{self.parameter}.value() {sign} 0.0 ({value:g} vs. 0) : {self.text}"
            )


class Family(NamedTuple):
    """A family of distributions.

    ``draw(xp, rng, shape, dtype, *parameters)`` returns the samples. For a differentiable family, it also returns the
    samples' derivatives with respect to the last parameter.
    """

    name: str
    doc: str
    parameters: dict[str, Any]  # with defaults
    draw: Callable[..., Any]
    checks: tuple[Check, ...] = ()
    differentiable: bool = False
    has_dtype: bool = False
    prefix: bool = False
    has_ctx: bool = True


def _register(family: Family) -> None:
    names = tuple(family.parameters)
    defaults = {**family.parameters, "size": None, "dtype": DEFAULT_DTYPE}

    def run(xp, *arrays, rng, **given):
        attributes = {**defaults, **given}
        dtype = checked_dtype(family.name, attributes["dtype"], FLOATS)
        shape = samples_shape([a.shape for a in arrays], attributes["size"], family.prefix)
        values = _values(names, arrays, attributes)
        for check in family.checks:
            value = values[names.index(check.parameter)]
            if not hasattr(value, "shape"):
                check.apply(value)
            elif xp is numpy and value.size:  # on a GPU, the host would have to wait
                check.apply(value.min())
        result = family.draw(xp, rng, shape, work_dtype(dtype), *values)
        if family.differentiable:
            return tuple(r.astype(dtype, copy=False) for r in result)
        return result.astype(dtype, copy=False)

    def gradient(F, dy, y, *arrays, **attributes):
        head, derivative = dy[0], y[1]
        wanted = [name for name in names if attributes[name] is None]
        return [
            F._cast_like(F._reduce_like(head if name == "loc" else head * derivative, array), array)
            for name, array in zip(wanted, arrays, strict=True)
        ]

    attributes = {name: ("float | None", default) for name, default in family.parameters.items()}
    attributes["size"] = ("Shape | None", None)
    if family.has_ctx:
        attributes["ctx"] = ("str", "cpu")
    if family.has_dtype:
        attributes["dtype"] = ("DType", DEFAULT_DTYPE)
    inputs = tuple(f"input{i + 1}" for i in range(len(names)))
    run.__doc__ = family.doc
    run.__signature__ = generated_signature(inputs, attributes, optional=True)  # type: ignore[attr-defined]
    op = operator(
        family.name,
        outputs=2 if family.differentiable else 1,
        visible_outputs=1,
        differentiable=family.differentiable,
    )(run)
    op.input_names(lambda **given: inputs[: sum(given[name] is None for name in names)])

    def rule(*shapes, size, **_):
        return list(shapes), [samples_shape(shapes, size, family.prefix)] * (2 if family.differentiable else 1)

    op.infer_shape(rule)
    op.infer_type(
        lambda *dtypes, dtype=DEFAULT_DTYPE, **_: (
            list(dtypes),
            [checked_dtype(family.name, dtype, FLOATS)] * (2 if family.differentiable else 1),
        )
    )
    if family.differentiable:
        op.output_names(lambda **_: ["output0"])  # MXNet numbers the output, because there is a hidden output
        op.gradient(gradient)


# --- the families ------------------------------------------------------------------------------------


def _standard_normal(xp: Any, rng: Any, shape: Any, dtype: Any) -> Any:
    return rng.standard_normal(shape, dtype=dtype)


def _standard_gumbel(xp: Any, rng: Any, shape: Any, dtype: Any) -> Any:
    return -xp.log(rng.standard_exponential(shape, dtype=dtype))


def _standard_logistic(xp: Any, rng: Any, shape: Any, dtype: Any) -> Any:
    # A difference of Gumbel numbers is never infinite, unlike log(u / (1 - u)) for u = 0.
    return _standard_gumbel(xp, rng, shape, dtype) - _standard_gumbel(xp, rng, shape, dtype)


def _standard_exponential(xp: Any, rng: Any, shape: Any, dtype: Any) -> Any:
    return rng.standard_exponential(shape, dtype=dtype)


def _standard_rayleigh(xp: Any, rng: Any, shape: Any, dtype: Any) -> Any:
    return xp.sqrt(2 * rng.standard_exponential(shape, dtype=dtype))


def _location_scale(standard: Callable[..., Any]) -> Callable[..., Any]:
    """Return a function that draws ``loc + scale * standard``.

    The function also returns the derivative with respect to the scale, which is ``standard``.
    """

    def draw(xp: Any, rng: Any, shape: Any, dtype: Any, loc: Any, scale: Any) -> Any:
        noise = standard(xp, rng, shape, dtype)
        return loc + scale * noise, noise

    return draw


def _scaled(standard: Callable[..., Any]) -> Callable[..., Any]:
    def draw(xp: Any, rng: Any, shape: Any, dtype: Any, scale: Any) -> Any:
        noise = standard(xp, rng, shape, dtype)
        return scale * noise, noise

    return draw


def _draw_pareto(xp: Any, rng: Any, shape: Any, dtype: Any, a: Any) -> Any:
    exponent = rng.standard_exponential(shape, dtype=dtype) / a
    values = xp.expm1(exponent)
    return values, -(values + 1) * exponent / a


def _draw_weibull(xp: Any, rng: Any, shape: Any, dtype: Any, a: Any) -> Any:
    logarithm = xp.log(rng.standard_exponential(shape, dtype=dtype)) / a
    values = xp.exp(logarithm)
    return values, -values * logarithm / a


def _draw_power(xp: Any, rng: Any, shape: Any, dtype: Any, a: Any) -> Any:
    return xp.exp(-rng.standard_exponential(shape, dtype=dtype) / a)


def _draw_uniform(xp: Any, rng: Any, shape: Any, dtype: Any, low: Any, high: Any) -> Any:
    return low + (high - low) * rng.random(shape, dtype=dtype)


def _draw_gamma(xp: Any, rng: Any, shape: Any, dtype: Any, alpha: Any, scale: Any) -> Any:
    return scale * rng.standard_gamma(alpha, shape, dtype=dtype)


_LOC_SCALE = {"loc": REQUIRED, "scale": REQUIRED}
_SCALE = Check("scale", "scale < 0")
_A = Check("a", "expect a > 0", strict=True)

for _family in (
    Family(
        "_npi_normal",
        "Draw normally distributed numbers with mean ``loc`` and standard deviation ``scale``.",
        _LOC_SCALE,
        _location_scale(_standard_normal),
        (_SCALE,),
        differentiable=True,
        has_dtype=True,
    ),
    Family(
        "_npi_normal_n",
        "Draw an array of shape ``size`` of normally distributed numbers for each pair of parameters.",
        _LOC_SCALE,
        _location_scale(_standard_normal),
        (_SCALE,),
        differentiable=True,
        has_dtype=True,
        prefix=True,
    ),
    Family(
        "_npi_gumbel",
        "Draw numbers from the Gumbel distribution with location ``loc`` and scale ``scale``.",
        _LOC_SCALE,
        _location_scale(_standard_gumbel),
        (_SCALE,),
        differentiable=True,
    ),
    Family(
        "_npi_logistic",
        "Draw numbers from the logistic distribution with mean ``loc`` and scale ``scale``.",
        _LOC_SCALE,
        _location_scale(_standard_logistic),
        (_SCALE,),
        differentiable=True,
    ),
    Family(
        "_npi_exponential",
        "Draw exponentially distributed numbers with mean ``scale``.",
        {"scale": 1.0},
        _scaled(_standard_exponential),
        (Check("scale", "expect scale >= 0"),),
        differentiable=True,
    ),
    Family(
        "_npi_rayleigh",
        "Draw numbers from the Rayleigh distribution, as the length of a normally distributed vector in the plane.",
        {"scale": 1.0},
        _scaled(_standard_rayleigh),
        (Check("scale", "expect scale >= 0"),),
        differentiable=True,
    ),
    Family(
        "_npi_pareto",
        "Draw numbers from the Pareto II (Lomax) distribution with shape ``a``.",
        {"a": None},
        _draw_pareto,
        (_A,),
        differentiable=True,
    ),
    Family(
        "_npi_weibull",
        "Draw numbers from the Weibull distribution with shape ``a``.",
        {"a": None},
        _draw_weibull,
        (_A,),
        differentiable=True,
    ),
    Family(
        "_npi_powerd",
        "Draw numbers between 0 and 1 with the density ``a * x**(a - 1)``.",
        {"a": None},
        _draw_power,
        (_A,),
        has_ctx=False,
    ),
    Family(
        "_npi_uniform",
        "Draw numbers between ``low`` (included) and ``high``.",
        {"low": REQUIRED, "high": REQUIRED},
        _draw_uniform,
        has_dtype=True,
    ),
    Family(
        "_npi_uniform_n",
        "Draw an array of shape ``size`` of numbers between ``low`` and ``high`` for each pair of parameters.",
        {"low": REQUIRED, "high": REQUIRED},
        _draw_uniform,
        has_dtype=True,
        prefix=True,
    ),
    Family(
        "_npi_gamma",
        "Draw gamma-distributed numbers with the parameters ``shape`` and ``scale``.",
        {"shape": REQUIRED, "scale": REQUIRED},
        _draw_gamma,
        (Check("shape", "expect shape > 0", strict=True), Check("scale", "expect scale > 0", strict=True)),
        has_dtype=True,
    ),
):
    _register(_family)
