"""Derivatives of all orders for normalizations: the gradients of their gradient operators.

The gradient of a normalization is one fast kernel. The gradient of this gradient consists of elementary operators. It
computes means and deviations again from the data, so that further derivatives propagate through them. Half-precision
arrays are converted to single precision, as in the kernels. The precision of the parameters may differ from that of
the data.

With ``n = (x - mean) / s`` along a row and ``P(t) = t - mean(t) - n · mean(t · n)``, the gradient is ``dx = P(dy ·
gamma) / s``, ``dgamma = Σ dy · n``, and ``dbeta = Σ dy``. P is symmetric. Along t, the derivative of n is ``P(t) / s``,
and the derivative of s is ``mean(t · n)``. All other derivatives follow from the product rule.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from ..core.operator import Operator

__all__ = ["differentiate_again"]

Values = Callable[[Any, Any], Any]


class Rows(NamedTuple):
    """Functions that arrange the arrays of a normalization as rows; their arguments are ``F`` and an array.

    Attributes
    ----------
    of, back : callable
        Functions that convert data to an array in which each row is normalized separately, and back; ``back`` takes the
        data as a third argument.
    mean : callable
        The function that returns the means of the rows, with the reduced axes kept as size 1.
    spread, collect : callable
        Functions that broadcast a parameter to an array of rows, and that sum an array of rows to the shape of a
        parameter.
    """

    of: Values
    back: Callable[[Any, Any, Any], Any]
    mean: Values
    spread: Values
    collect: Values


def _along(axis: int, **rows: Any) -> Rows:
    """Return the functions for rows along an axis, which is moved to the end so that parameters broadcast.

    The keyword arguments are the attributes of a mean over the rows.
    """

    def turn(F: Any, value: Any, *data: Any) -> Any:
        return value if axis == -1 else F.SwapAxis(value, dim1=axis, dim2=-1)

    return Rows(
        of=turn,
        back=turn,
        mean=lambda F, x: F.mean(x, axis=-1, keepdims=True, **rows),
        spread=lambda F, parameter: parameter,
        collect=lambda F, x: F.sum(x, axis=-1, exclude=True),
    )


def _layer(axis: int = -1, **attributes: Any) -> Rows:
    return _along(axis)


def _batch(axis: int = 1, **attributes: Any) -> Rows:
    return _along(axis, exclude=True)


def _groups(num_groups: int = 0, **attributes: Any) -> Rows:
    """Return the functions for groups of channels as rows; without a number of groups, each channel is a row."""
    return Rows(
        of=lambda F, x: F.Reshape(x, shape=(0, num_groups, -1)),
        back=lambda F, x, data: F.reshape_like(x, data),
        mean=lambda F, x: F.mean(x, axis=-1, keepdims=True),
        spread=lambda F, parameter: F.Reshape(parameter, shape=(1, -1, 1)),
        collect=lambda F, x: F.sum(x, axis=1, exclude=True),
    )


def _plus(first: Any, second: Any) -> Any:
    """Return a sum in which either summand may be None."""
    if first is None or second is None:
        return second if first is None else first
    return first + second


def _again(
    F: Any, heads: Any, dy: Any, data: Any, gamma: Any, rows: Rows, eps: float, fix_gamma: bool = False
) -> list[Any]:
    """Return the gradients with respect to the inputs dy, data, and gamma of a normalization's gradient."""
    multiply, divide = F.broadcast_mul, F.broadcast_div
    of_dx, of_gamma, of_beta = heads
    x, dy_rows = rows.of(F, data), rows.of(F, dy)
    centred = F.broadcast_sub(x, rows.mean(F, x))
    deviation = F.sqrt(rows.mean(F, F.square(centred)) + eps)
    normalized = divide(centred, deviation)
    scale = None if fix_gamma else rows.spread(F, gamma)

    def scaled(value: Any) -> Any:
        return value if scale is None else multiply(value, scale)

    def project(value: Any) -> Any:
        along = multiply(normalized, rows.mean(F, value * normalized))
        return F.broadcast_sub(value, rows.mean(F, value)) - along

    d_dy = d_normalized = through_deviation = d_gamma = None
    if of_dx is not None:
        u, a = rows.of(F, of_dx), scaled(dy_rows)
        projected = divide(project(u), deviation)
        d_dy = scaled(projected)
        d_gamma = None if fix_gamma else rows.collect(F, dy_rows * projected)
        cross = multiply(u, rows.mean(F, a * normalized)) + multiply(a, rows.mean(F, u * normalized))
        d_normalized = F.negative(divide(cross, deviation))
        along = rows.mean(F, u * divide(project(a), deviation))
        through_deviation = F.negative(divide(multiply(normalized, along), deviation))
    if of_gamma is not None:
        v = rows.spread(F, of_gamma)
        d_dy = _plus(d_dy, multiply(normalized, v))
        d_normalized = _plus(d_normalized, multiply(dy_rows, v))
    if of_beta is not None:
        d_dy = _plus(d_dy, F.broadcast_add(F.zeros_like(x), rows.spread(F, of_beta)))
    d_x = None if d_normalized is None else divide(project(d_normalized), deviation)
    d_x = _plus(d_x, through_deviation)
    return [None if g is None else rows.back(F, g, data) for g in (d_dy, d_x)] + [d_gamma]


def _with_fixed_statistics(
    F: Any, heads: Any, dy: Any, data: Any, gamma: Any, mean: Any, scale: Any, rows: Rows, fix_gamma: bool
) -> list[Any]:
    """Return the gradients of :func:`_again` for a BatchNorm with running statistics, where dx is linear in dy."""
    multiply = F.broadcast_mul
    of_dx, of_gamma, of_beta = heads
    x, dy_rows, factor = rows.of(F, data), rows.of(F, dy), rows.spread(F, scale)
    d_dy = d_x = d_gamma = None
    if of_dx is not None:
        u = rows.of(F, of_dx)
        d_dy = multiply(u, factor if fix_gamma else factor * rows.spread(F, gamma))
        d_gamma = None if fix_gamma else rows.collect(F, multiply(u * dy_rows, factor))
    if of_gamma is not None:
        v = factor * rows.spread(F, of_gamma)
        d_dy = _plus(d_dy, multiply(F.broadcast_sub(x, rows.spread(F, mean)), v))
        d_x = multiply(dy_rows, v)
    if of_beta is not None:
        d_dy = _plus(d_dy, F.broadcast_add(F.zeros_like(x), rows.spread(F, of_beta)))
    return [None if g is None else rows.back(F, g, data) for g in (d_dy, d_x)] + [d_gamma]


def differentiate_again(kind: str, op: Operator) -> None:
    """Attach the gradient rule of a normalization's gradient operator.

    Parameters
    ----------
    kind : {"layer", "batch", "groups"}
        The choice of rows: an axis, all positions of a channel, or the positions of a group of channels in one example.
    op : Operator
        The gradient operator, whose inputs are dy, data, gamma, and two moments, and which has the attribute ``eps``.
    """
    rows_of = {"layer": _layer, "batch": _batch, "groups": _groups}[kind]

    @op.gradient
    def _(F, heads, y, dy, data, gamma, mean, scale, *, eps, fix_gamma=False, batch_statistics=True, **attributes):
        rows, given = rows_of(**attributes), (dy, data, gamma)
        heads = [None if head is None else F._at_least_single(head) for head in heads]
        dy, data, gamma, mean, scale = (F._at_least_single(value) for value in (*given, mean, scale))
        if batch_statistics:
            found = _again(F, heads, dy, data, gamma, rows, eps, fix_gamma)
        else:
            found = _with_fixed_statistics(F, heads, dy, data, gamma, mean, scale, rows, fix_gamma)
        return [None if g is None else F._backward_cast(g, x) for g, x in zip(found, given, strict=True)] + [None, None]
