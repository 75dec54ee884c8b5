"""The gradient of a product of elements, which is, for each element, the product of all other elements.

The quotient ``product / x`` would be wrong for an element that is zero or infinite. Instead, the product of the
preceding elements is multiplied by the product of the following elements. For the derivative along a direction ``d``,
every element ``x`` becomes ``x + εd`` with ``ε² = 0``. The coefficient of ``ε`` in the result is the derivative. With
one ``ε`` for each direction, the gradient can be differentiated any number of times.
"""

from __future__ import annotations

import functools
from typing import Any

import numpy

from ..core.operator import Array, Shape, operator
from . import rules
from .reduce import legacy_axis, wide_dtype

__all__ = ["products_of_others"]

FAMILY = "other"


@operator("_backward_prod")
def products_of_others(xp, data: Array, *directions: Array, axis: Shape | None = None, exclude: bool = False):
    """Return, for each element, the product of all other elements along axes, or its directional derivative.

    Examples
    --------
    >>> from d2lhybrid.internals.core.kernel_space import kernel_space
    >>> kernel_space(numpy)._backward_prod(numpy.array([2.0, 0.0, 3.0]))
    array([0., 6., 0.])
    """
    if not data.size:
        return xp.zeros_like(data)
    found = legacy_axis(axis, data.shape, exclude)
    axes = tuple(range(data.ndim)) if found is None else tuple(sorted(a % data.ndim for a in found))
    order = [*(i for i in range(data.ndim) if i not in axes), *axes]
    turned = tuple(data.shape[i] for i in order)
    sizes = turned[: data.ndim - len(axes)]
    rows = [a.transpose(order).reshape(*sizes, -1).astype(wide_dtype(a.dtype), copy=False) for a in (data, *directions)]
    result = _along(xp, rows[0], rows[1:]).reshape(turned).transpose(sorted(range(data.ndim), key=order.__getitem__))
    return result.astype(data.dtype, order="C")


def _along(xp: Any, x: Any, directions: list[Any]) -> Any:
    """Return, for each element, the product of all other elements along the last axis."""
    if not directions and xp is numpy:
        whole = numpy.multiply.reduce(x, axis=-1, keepdims=True)
        if whole.all() and numpy.isfinite(whole).all():
            return whole / x
    if not directions:
        one = xp.ones_like(x[..., :1])
        before = xp.concatenate([one, xp.cumprod(x[..., :-1], axis=-1)], axis=-1)
        after = xp.concatenate([one, xp.cumprod(x[..., :0:-1], axis=-1)], axis=-1)
        return before * after[..., ::-1]
    steps = [{0: x[..., k], **{1 << i: d[..., k] for i, d in enumerate(directions)}} for k in range(x.shape[-1])]
    before, after = _running(xp, steps), _running(xp, steps[::-1])[::-1]
    whole = (1 << len(directions)) - 1
    results = [_times(a, b).get(whole) for a, b in zip(before, after, strict=True)]
    zero = xp.zeros_like(x[..., 0])
    return xp.stack([zero if r is None else r for r in results], axis=-1)


#: A number with infinitesimals: the coefficient of each product of infinitesimals, by the bits of the set of its
#: factors.
_Dual = dict[int, Any]


def _times(a: _Dual, b: _Dual) -> _Dual:
    result: _Dual = {}
    for left, x in a.items():
        for right, y in b.items():
            if not left & right:
                both = left | right
                result[both] = result[both] + x * y if both in result else x * y
    return result


def _running(xp: Any, steps: list[_Dual]) -> list[_Dual]:
    """Return the product of the preceding steps for each step."""
    products = [{0: xp.ones_like(steps[0][0])}]
    for step in steps[:-1]:
        products.append(_times(products[-1], step))
    return products


products_of_others.infer_shape(rules.same)
products_of_others.infer_type(rules.same_type)


@products_of_others.gradient
def _(F, dy, y, data, *directions, axis, exclude):
    others = functools.partial(F._backward_prod, axis=axis, exclude=exclude)
    along = [others(data, *directions[:i], *directions[i + 1 :], dy) for i in range(len(directions))]
    return [others(data, *directions, dy), *along]
