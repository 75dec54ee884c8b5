"""Activation functions, softmax, and the outputs of networks."""

from __future__ import annotations

from typing import Any

import numpy

from ..builder import Builder
from ..translations import Untranslatable, translates
from ..values import Value
from .elementwise import real

_ACTIVATIONS = {"relu": "Relu", "sigmoid": "Sigmoid", "tanh": "Tanh", "softrelu": "Softplus", "softsign": "Softsign"}


@translates("Activation")
def activation(g: Builder, data: Value, *, act_type: str) -> Value:
    """Apply an activation function. Most activation functions have the same name in ONNX and in MXNet."""
    return g.make(_ACTIVATIONS[act_type], [data])


@translates("softsign")
def softsign(g: Builder, data: Value) -> Value:
    """Return ``x / (1 + |x|)``."""
    return g.Softsign(real(g, data))


@translates("LeakyReLU")
def leaky_relu(
    g: Builder,
    data: Value,
    gamma: Value | None = None,
    *,
    act_type: str,
    slope: float,
    lower_bound: float,
    upper_bound: float,
) -> Any:
    """Apply a variant of ReLU, such as leaky ReLU, ELU, or GELU. The mean slope replaces the random slope of RReLU."""
    if act_type == "prelu":
        assert gamma is not None
        rank = g.rank(data)
        return g.PRelu(data, g.channelwise(gamma, rank) if g.rank(gamma) == 1 and rank > 1 else gamma)
    if act_type == "elu":
        return g.Elu(data, alpha=slope)
    if act_type == "selu":
        return g.Selu(data)
    if act_type == "gelu":
        return g.Gelu(data)
    mean_slope = (lower_bound + upper_bound) / 2 if act_type == "rrelu" else slope
    return g.LeakyRelu(data, alpha=mean_slope)


@translates("hard_sigmoid")
def hard_sigmoid(g: Builder, data: Value, *, alpha: float, beta: float) -> Value:
    """Return ``alpha x + beta``, clipped to the range from 0 to 1."""
    return g.Clip(g.Add(g.Mul(data, alpha), beta), 0, 1)


@translates("clip")
def clip(g: Builder, data: Value, *, a_min: float, a_max: float) -> Value:
    """Clip values to an interval.

    If ``a_min > a_max``, values above ``a_max`` become ``a_max``, and all other values become ``a_min``.
    """
    x = real(g, data)
    if a_min > a_max:
        return g.Where(g.Greater(x, a_max), a_max, g.Max(x, a_min))
    return g.Clip(x, a_min, a_max)


@translates("smooth_l1")
def smooth_l1(g: Builder, data: Value, *, scalar: float) -> Value:
    """Return the smooth L1 loss, which is quadratic near 0 and linear elsewhere."""
    size = g.Abs(real(g, data))
    width = 1 / (scalar * scalar)
    near = g.Min(size, width)
    return g.Mul(g.Mul(g.Sub(size, g.Mul(near, 0.5)), near), 1 / width)


@translates("_contrib_quadratic")
def quadratic(g: Builder, data: Value, *, a: float, b: float, c: float) -> Value:
    """Return ``a x² + b x + c``."""
    x = real(g, data)
    return g.Add(g.Mul(g.Add(g.Mul(x, a), b), x), c)


@translates("_contrib_div_sqrt_dim")
def div_sqrt_dim(g: Builder, data: Value) -> Value:
    """Divide the data by the square root of the last axis's size."""
    if data.dtype.kind != "f":
        return g.Div(real(g, data), float(int(g.size(data, -1) ** 0.5)))
    return g.Mul(data, g.size(data, -1) ** -0.5)


# --- softmax --------------------------------------------------------------------------------------


def _softmax(op_type: str, sign: float, beyond: float) -> Any:
    def translation(
        g: Builder,
        data: Value,
        length: Value | None = None,
        *,
        axis: int,
        temperature: float | None,
        dtype: Any,
        use_length: bool,
    ) -> Value:
        x = g.cast(data, g.dtype)
        if sign < 0:
            x = g.Neg(x)
        if temperature is not None and temperature != 1:
            x = g.Div(x, temperature)
        if not use_length or length is None:
            return g.make(op_type, [x], axis=axis)
        inside = _inside(g, data, length, axis)
        x = g.Where(inside, x, g.value(float(numpy.finfo(x.dtype).min), x.dtype))
        return g.Where(inside, g.make(op_type, [x], axis=axis), g.value(beyond, x.dtype))

    return translation


def _inside(g: Builder, data: Value, length: Value, axis: int) -> Value:
    """Return whether each element is before the end of its sequence."""
    rank = g.rank(data)
    shape = [1] * rank
    shape[axis] = -1
    steps = numpy.arange(g.size(data, axis), dtype=numpy.int64).reshape(shape)
    return g.Less(g.array(steps), g.unsqueeze(g.cast(length, numpy.int64), [axis % rank]))


translates("softmax")(_softmax("Softmax", 1, 0.0))
translates("softmin")(_softmax("Softmax", -1, 0.0))
translates("log_softmax")(_softmax("LogSoftmax", 1, 0.0))


def _over_all_but_first(g: Builder, data: Value) -> Value:
    if g.rank(data) <= 2:
        return g.Softmax(data, axis=-1)
    flat = g.Softmax(g.Flatten(data, axis=1), axis=-1)
    return g.Reshape(flat, g.shape_vector(data))


@translates("SoftmaxActivation")
def softmax_activation(g: Builder, data: Value, *, mode: str) -> Value:
    """Return the softmax over the channels, or over the last axis."""
    return g.Softmax(data, axis=1 if mode == "channel" else -1)


# --- outputs: prediction does not need the label --------------------------------------------------


@translates("SoftmaxOutput")
def softmax_output(
    g: Builder, data: Value, label: Value, *, multi_output: bool, preserve_shape: bool, **attributes: Any
) -> Value:
    """Return the softmax. The loss affects only the gradient."""
    if multi_output:
        return g.Softmax(data, axis=1)
    return g.Softmax(data, axis=-1) if preserve_shape else _over_all_but_first(g, data)


@translates("LinearRegressionOutput", "MAERegressionOutput", "SVMOutput")
def regression_output(g: Builder, data: Value, label: Value, **attributes: Any) -> Value:
    """Return the data. The loss affects only the gradient."""
    return data


@translates("LogisticRegressionOutput")
def logistic_output(g: Builder, data: Value, label: Value, *, grad_scale: float) -> Value:
    """Return the sigmoid. The loss affects only the gradient."""
    return g.Sigmoid(data)


@translates("softmax_cross_entropy")
def softmax_cross_entropy(g: Builder, data: Value, label: Value) -> Value:
    """Return the sum of the cross-entropies of all rows.

    As in the kernel, the loss of a row is finite: a probability below 1e-8 and the probability of an invalid class
    count as 1e-8.
    """
    columns = g.array(numpy.arange(g.size(data, 1), dtype=numpy.int64))
    hits = g.Equal(g.unsqueeze(g.cast(label, numpy.int64), [1]), columns)
    picked = g.ReduceSum(g.Mul(g.Softmax(data, axis=1), g.cast(hits, g.dtype)), [1], keepdims=0)
    return g.reshape(g.Neg(g.ReduceSum(g.Log(g.Max(picked, 1e-8)), keepdims=0)), (1,))


@translates("Dropout")
def dropout(g: Builder, data: Value, *, p: float, mode: str, axes: Any, cudnn_off: bool) -> Any:
    """Return the data, because dropout has no effect in prediction. ``mode="always"`` cannot be translated."""
    if mode == "always" and p > 0:
        raise Untranslatable(
            "Dropout(mode='always') draws random numbers in prediction: use mode='training' for the exported net"
        )
    return [data, g.fill(g.results[1], 1, g.results[1].dtype)] if g.results[1].is_static else data
