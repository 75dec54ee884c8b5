"""Operators without inputs, which become constants of the model."""

from __future__ import annotations

from typing import Any

import numpy

from ...internals.core.operator import get_operator
from ..builder import Builder
from ..translations import translates
from ..values import Value


def _constant(name: str) -> None:
    op = get_operator(name)

    def translation(g: Builder, **attributes: Any) -> Any:
        if "shape" in attributes and 0 in (attributes["shape"] or (0,)):
            if "zeros" in name and not g.results[0].is_static:
                return Value(g.dtype, g.results[0].shape, open_zeros=True)
            attributes["shape"] = g.static_shape(g.results[0])
        made = op.kernel(numpy, **attributes)
        return [g.array(numpy.asarray(a)) for a in (made if isinstance(made, list | tuple) else [made])]

    translates(name)(translation)


for _name in (
    *("_zeros", "_ones", "_zeros_without_dtype", "_npi_zeros", "_npi_ones", "_full", "_npi_identity", "_eye"),
    *("_npi_eye", "_arange", "_npi_arange", "_linspace", "_npi_logspace", "_npi_indices", "_npi_hanning"),
    "_npi_hamming",
    "_npi_blackman",
):
    _constant(_name)


def _like(number: float) -> Any:
    def translation(g: Builder, data: Value) -> Value:
        return g.fill(data, number, g.dtype)

    return translation


translates("zeros_like")(_like(0))
translates("ones_like")(_like(1))


@translates("_npi_full_like")
def full_like(g: Builder, a: Value, *, fill_value: float, ctx: str, dtype: Any) -> Value:
    """Return an array filled with a number, with the shape of another array."""
    return g.fill(a, fill_value, g.dtype)


@translates("_contrib_arange_like")
def arange_like(
    g: Builder, data: Value, *, start: float, step: float, repeat: int, ctx: str, axis: int | None
) -> Value:
    """Return evenly spaced numbers.

    The result has one number for each index along ``axis`` of ``data``, or for each element if ``axis`` is None.
    """
    made = get_operator("_contrib_arange_like").kernel(
        numpy, numpy.zeros(g.static_shape(data), data.dtype), start=start, step=step, repeat=repeat, ctx=ctx, axis=axis
    )
    return g.array(numpy.asarray(made))
