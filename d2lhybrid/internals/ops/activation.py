"""Activation functions, which are applied element by element: ReLU and its variants, sigmoid, tanh, and others."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, Literal

from ..core.operator import REQUIRED, Array, Generator, Training, get_operator, operator
from . import rules
from .elementwise import at_least, at_most
from .nn import require_float

if TYPE_CHECKING:
    from ..compiler.emitter import Emitter

FAMILY = "activation"

#: The largest x for which exp(x) is finite and 1 / exp(x) isn't denormal, by size of the element type.
EXP_LIMIT = {2: 9.7, 4: 87.0, 8: 708.0}


def sigmoid(xp: Any, x: Any) -> Any:
    """Return ``1 / (1 + exp(-x))`` without overflow.

    Examples
    --------
    >>> import numpy
    >>> sigmoid(numpy, numpy.array([0.0, 1000.0]))
    array([0.5, 1. ])
    """
    return 1 / (1 + xp.exp(-at_least(xp, x, -EXP_LIMIT[x.dtype.itemsize])))


def softrelu(xp: Any, x: Any) -> Any:
    """Return ``log(1 + exp(x))`` without overflow."""
    return at_least(xp, x, 0) + xp.log1p(xp.exp(-abs(x)))


#: act_type -> function(xp, x) and gradient(F, dy, y, x).
_ACTIVATIONS: dict[str, tuple[Any, Any]] = {
    "relu": (lambda xp, x: at_least(xp, x, 0), lambda F, dy, y, x: F._backward_relu(dy, y)),
    "sigmoid": (sigmoid, lambda F, dy, y, x: dy * (y * (1 - y))),
    "softrelu": (softrelu, lambda F, dy, y, x: dy * -F.expm1(-y)),
    "softsign": (lambda xp, x: x / (1 + abs(x)), lambda F, dy, y, x: dy / F.square(F.abs(x) + 1)),
    "tanh": (
        lambda xp, x: xp.tanh(x),
        lambda F, dy, y, x: dy * ((1 - y) * (1 + y)),
    ),  # near 1, `1 - y * y` loses precision
}


@operator("Activation", "_npx_activation", elementwise=True)
def activation(xp, data: Array, act_type: Literal["relu", "sigmoid", "softrelu", "softsign", "tanh"] = REQUIRED):
    """Apply an activation function to each element.

    Parameters
    ----------
    data : array
        An array of floats, of any shape.
    act_type : {"relu", "sigmoid", "softrelu", "softsign", "tanh"}
        The function: ``max(x, 0)``, ``1 / (1 + exp(-x))``, ``log(1 + exp(x))``, ``x / (1 + |x|)``, or ``tanh(x)``.

    Examples
    --------
    >>> nd.Activation(nd.array([-1, 2]), act_type="relu")
    <BLANKLINE>
    [0. 2.]
    <NDArray 2 @cpu(0)>
    """
    require_float(data)
    return _ACTIVATIONS[act_type][0](xp, data)


activation.precision = ("act_type", ("softrelu",))
activation.names_outputs, activation.names_inputs = True, False
activation.infer_shape(rules.same)
activation.infer_type(rules.same_type)
activation.lowered_if(lambda data, *, act_type: act_type in ("relu", "tanh"))


def lower_relu(emit: Emitter) -> None:
    """Emit ``max(x, 0)``."""
    emit.call("maximum", emit.arguments[0], emit.beside(0, "zero"))


@activation.expression
def _(*, act_type):
    return {"relu": "larger({0}, zero)", "sigmoid": "sigmoid({0})", "tanh": "tanh_of({0})"}.get(act_type)


@activation.lowering
def _(emit):
    if emit.node.params["act_type"] == "relu":
        lower_relu(emit)
    else:
        emit.call("tanh", emit.arguments[0])


@activation.gradient
def _(F, dy, y, data, *, act_type):
    return [_ACTIVATIONS[act_type][1](F, dy, y, data)]


_SELU_SCALE, _SELU_ALPHA = 1.0507009873554805, 1.6732632423543772


def _leaky(xp: Any, x: Any, slope: float) -> Any:
    if 0 <= slope <= 1:
        return xp.maximum(x, x * slope)
    if not math.isfinite(slope):  # 0 * slope would be NaN, also for positive x
        return xp.where(x > 0, x, x * slope)
    return at_least(xp, x, 0) + at_most(xp, x, 0) * slope


def _elu(xp: Any, x: Any, slope: float) -> Any:
    if not math.isfinite(slope):
        return xp.where(x > 0, x, slope * xp.expm1(at_most(xp, x, 0)))
    return at_least(xp, x, 0) + slope * xp.expm1(at_most(xp, x, 0))


def _gelu(xp: Any, x: Any, slope: float) -> Any:
    return 0.5 * x * (1 + get_operator("erf").kernel(xp, x * math.sqrt(0.5)))


def _where_positive(F: Any, dy: Any, x: Any, yes: Any, no: Any) -> Any:
    """Return ``dy * yes`` for positive x, and ``dy * no`` elsewhere."""
    positive = F._greater_scalar(x, scalar=0.0)
    return dy * (positive * yes + (1 - positive) * no)


def _sloped(F: Any, dy: Any, x: Any, slope: float, no: Any) -> Any:
    """Return ``dy`` for positive x, and ``dy * no`` elsewhere."""
    if math.isfinite(slope):
        return _where_positive(F, dy, x, 1.0, no)
    return F.where(F._greater_scalar(x, scalar=0.0), dy, dy * slope)


def _negative(F: Any, y: Any) -> Any:
    """Return the negative elements of the result, with 0 elsewhere, because infinity times 0 would be NaN."""
    return F._minimum_scalar(y, scalar=0.0)


def _gelu_gradient(F: Any, dy: Any, y: Any, x: Any, slope: float) -> Any:
    density = F.exp(x * x * -0.5) * (1 / math.sqrt(2 * math.pi))
    return dy * ((F.erf(x * math.sqrt(0.5)) + 1) * 0.5 + x * density)


#: act_type -> function(xp, x, slope) and gradient(F, dy, y, x, slope).
_LEAKY: dict[str, tuple[Any, Any]] = {
    "leaky": (_leaky, lambda F, dy, y, x, slope: _sloped(F, dy, x, slope, slope)),
    "elu": (_elu, lambda F, dy, y, x, slope: _sloped(F, dy, x, slope, _negative(F, y) + slope)),
    "selu": (
        lambda xp, x, slope: _SELU_SCALE * _elu(xp, x, _SELU_ALPHA),
        # MXNet 1.9 lacks a factor here: its gradient is (y + alpha) · scale for negative x.
        lambda F, dy, y, x, slope: _where_positive(F, dy, x, _SELU_SCALE, _negative(F, y) + _SELU_SCALE * _SELU_ALPHA),
    ),
    "gelu": (_gelu, _gelu_gradient),
}


@operator("LeakyReLU", "_npx_leaky_relu", outputs=lambda act_type, **attributes: 1 + (act_type == "rrelu"))
def leaky_relu(
    xp,
    data: Array,
    gamma: Array | None = None,
    act_type: Literal["elu", "gelu", "leaky", "prelu", "rrelu", "selu"] = "leaky",
    slope: float = 0.25,
    lower_bound: float = 0.125,
    upper_bound: float = 0.334,
    training: Training = False,
    rng: Generator = None,
):
    """Apply a leaky rectifier, which isn't zero for negative numbers, to each element.

    Parameters
    ----------
    data : array
        The data, of any shape. For ``"prelu"``, the channels are on axis 1.
    gamma : array, optional
        The slopes that ``"prelu"`` learns, of shape ``(channels,)``, or ``(1,)`` for one slope in all channels.
    act_type : {"leaky", "prelu", "rrelu", "elu", "selu", "gelu"}
        The rectifier: with a fixed (leaky), learned (prelu), or random slope (rrelu), or a smooth curve (elu, selu,
        gelu).
    slope : float
        The slope of ``"leaky"``, or the scale of ``"elu"``.
    lower_bound, upper_bound : float
        The interval from which ``"rrelu"`` draws its slopes in training mode. In prediction mode, the slope is the mean
        of the interval.

    Notes
    -----
    ``"rrelu"`` returns the slopes as a second output.

    Examples
    --------
    >>> nd.LeakyReLU(nd.array([-4, 2]), slope=0.25)
    <BLANKLINE>
    [-1.  2.]
    <NDArray 2 @cpu(0)>
    """
    require_float(data)
    if act_type == "prelu":
        if gamma.dtype != data.dtype:  # type: ignore[union-attr]
            found = gamma.dtype  # type: ignore[union-attr]
            error = TypeError(f"gamma has the element type {found}, but data has {data.dtype}")
            error.add_note(f'Pass gamma.astype("{data.dtype}").')
            raise error
        slopes = gamma.reshape(gamma.shape + (1,) * max(0, data.ndim - 2))  # type: ignore[union-attr]
        return at_least(xp, data, 0) + at_most(xp, data, 0) * slopes
    if act_type == "rrelu":
        slopes = xp.full(data.shape, (lower_bound + upper_bound) / 2, data.dtype)
        if training:
            slopes = rng.uniform(lower_bound, upper_bound, data.shape).astype(data.dtype)
        slopes = xp.maximum(slopes, data > 0)
        return data * slopes, slopes
    return _LEAKY[act_type][0](xp, data, slope)


leaky_relu.initial = lambda *, act_type="leaky", **_: (
    {"gamma": '["Constant", {"value": 0.25}]'} if act_type == "prelu" else {}
)
leaky_relu.names_outputs, leaky_relu.precision = True, ("act_type", ("elu", "selu"))
leaky_relu.draws_when(lambda *, act_type, **_: act_type == "rrelu")


@leaky_relu.infer_shape
def _(data, gamma=None, *, act_type, **attributes):
    if act_type == "prelu":
        if data is not None and gamma is None:
            gamma = (data[min(1, len(data) - 1)],)
        return [data, gamma], [data]
    return [data], [data, data] if act_type == "rrelu" else [data]


@leaky_relu.infer_type
def _(data, gamma=None, *, act_type, **attributes):
    inputs, [output] = rules.same_type(data, gamma) if act_type == "prelu" else rules.same_type(data)
    return inputs, [output, output] if act_type == "rrelu" else [output]


@leaky_relu.input_names
def _(*, act_type, **attributes):
    return ["data", "gamma"] if act_type == "prelu" else ["data"]


@leaky_relu.output_names
def _(*, act_type, **attributes):
    return ["output", "mask"] if act_type == "rrelu" else ["output"]


@leaky_relu.gradient
def _(F, dy, y, data, gamma=None, *, act_type, slope, **attributes):
    if act_type == "rrelu":
        return [dy[0] * y[1]]
    if act_type != "prelu":
        return [_LEAKY[act_type][1](F, dy, y, data, slope)]
    slopes, above = F._along_axis(gamma, data), F._greater_scalar(data, scalar=0.0)
    d_slopes = F._reduce_like(dy * (1 - above) * data, slopes)
    return [F.where(above, dy, F.broadcast_mul(dy, slopes)), F.reshape_like(d_slopes, gamma)]
