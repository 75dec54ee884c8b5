"""Statistical operators: moments, histograms, quantiles, counts, polynomials, and the cross-entropy of a batch."""

from __future__ import annotations

from typing import Any, Literal

import numpy

from ...error import MXNetError, ShapeError
from ..core import trip_reasons as host_trips
from ..core.operator import Array, Floats, Shape, operator
from . import rules
from .index import integer_indices, needed
from .nn import require_float
from .portable import count_between, count_in_bins
from .reduce import legacy_axis, reduction_axes, shape_rule, wide_dtype

FAMILY = "reduction"
MEANINGS = {
    "axes": "The axes to reduce; all by default.",
    "a": "The first array to compare.",
    "b": "The second array to compare, to whose elements ``rtol`` is relative.",
    "moments.data": "An array of any shape.",
    "softmax_cross_entropy.data": "The logits, of shape ``(batch, class)`` and a floating-point type.",
    "softmax_cross_entropy.label": "The index of each example's class, of shape ``(batch,)``.",
}

_INT64 = numpy.dtype(numpy.int64)

# --- moments ------------------------------------------------------------------------------------


def _check_moment_axes(axes: Any) -> None:
    if axes is None or axes == ():
        raise ShapeError(
            "Empty axes is not supported, if you would like to do global moments, please pass all axes to axes argument"
        )


@operator("moments", outputs=2)
def moments(xp, data: Array, axes: Shape | None = None, keepdims: bool = False):
    """Return the mean and the population variance over axes."""
    _check_moment_axes(axes)
    axis = legacy_axis(axes, data.shape)
    x = data.astype(wide_dtype(data.dtype), copy=False)
    mean = x.mean(axis=axis, keepdims=True)
    centred = x - mean
    variance = (centred * centred).mean(axis=axis, keepdims=keepdims)
    mean = mean.reshape(variance.shape)
    results = [r.astype(data.dtype, copy=False) for r in (mean, variance)]
    return [r if r.ndim else r.reshape(1) for r in results]


moments.precision = "single"
moments.names_inputs = True


@moments.infer_shape
def _(data, *, axes, keepdims):
    _check_moment_axes(axes)
    return shape_rule(outputs=2)(data, axis=axes, keepdims=keepdims)


moments.infer_type(lambda data, **_: ([data], [data, data]))


@moments.gradient
def _(F, dy, y, data, *, axes, keepdims):
    attributes = {"axis": axes, "keepdims": keepdims}
    terms = []
    if dy[0] is not None:
        terms.append(F._backward_mean(dy[0], data, **attributes))
    if dy[1] is not None:
        centred = data - F._backward_sum(y[0], data, **attributes)
        terms.append(F._backward_mean(dy[1], data, **attributes) * centred * 2)
    return [terms[0] + terms[1] if len(terms) == 2 else terms[0]]


# --- cross-entropy ------------------------------------------------------------------------------


@operator("_one_hot_like", differentiable=False)
def one_hot_like(xp, data: Array, label: Array):
    """Return rows with 1 at column ``label[i]`` and 0 elsewhere, in the shape and element type of ``data``."""
    columns = xp.arange(data.shape[-1])
    return (integer_indices(label)[:, None] == columns).astype(data.dtype)


one_hot_like.infer_shape(lambda data, label: ([data, label], [data]))
one_hot_like.infer_type(rules.type_of_first)


@operator("softmax_cross_entropy")
def softmax_cross_entropy(xp, data: Array, label: Array):
    """Return the cross-entropy of ``softmax(data)`` and class labels, summed over the batch."""
    require_float(data)
    _cross_entropy_rule(data.shape, label.shape)
    exponentials = xp.exp(data - data.max(axis=1, keepdims=True))
    hits = one_hot_like(xp, data, label)
    picked = (exponentials * hits).sum(axis=1) / exponentials.sum(axis=1)
    # As in MXNet, the bound keeps the logarithm finite.
    return -xp.log(xp.maximum(picked, data.dtype.type(1e-8))).sum().reshape(1)


def _cross_entropy_rule(data, label):
    if data is None:
        return [data, label], [(1,)]
    rules.require(
        len(data) == 2,
        f"(*in_attrs)[0].ndim() == 2U ({len(data)} vs. 2) : SoftmaxCrossEntropy only accept 2D data",
    )
    if label is None:
        return [data, data[:1]], [(1,)]
    rules.require(
        len(label) == 1,
        f"(*in_attrs)[1].ndim() == 1U ({len(label)} vs. 1) : SoftmaxCrossEntropy only accept 1D label",
    )
    rules.require(
        None in (data[0], label[0]) or data[0] == label[0],
        f"(*in_attrs)[0][0] == (*in_attrs)[1][0] ({data[0]} vs. {label[0]}) : data label shape mismatch",
    )
    return [data, label], [(1,)]


softmax_cross_entropy.precision = "single"
softmax_cross_entropy.infer_shape(_cross_entropy_rule)


@softmax_cross_entropy.infer_type
def _(data, label):
    either = label if data is None else data
    return [either, either if label is None else label], [either]


@softmax_cross_entropy.gradient
def _(F, dy, y, data, label):
    return [F._backward_sum(dy, data) * (F.softmax(data, axis=-1) - F._one_hot_like(data, label)), None]


# --- histogram, quantiles, counts ---------------------------------------------------------------


@operator("_histogram", "_npi_histogram", outputs=2, differentiable=False)
def histogram(xp, data: Array, bins: Array | None = None, bin_cnt: int | None = None, range: Floats | None = None):
    """Return the number of elements in each bin of a histogram, and the edges of the bins.

    Either ``bins`` contains the edges, or ``range`` is divided into ``bin_cnt`` bins of equal width.
    """
    if bin_cnt is None:
        edges = needed(bins, "_histogram", 2).copy()
        return [count_between(xp, data, edges).astype(_INT64, copy=False), edges]
    if range is None:
        raise MXNetError("Check failed: param.range.has_value(): histogram requires range if bin_cnt is passed")
    low, high = range if range[0] != range[1] else (range[0] - 0.5, range[1] + 0.5)
    i = xp.arange(bin_cnt + 1, dtype=numpy.float64)
    edges = ((high * i + (bin_cnt - i) * low) / bin_cnt).astype(data.dtype)
    return [count_in_bins(xp, data, low, high, edges), edges]


@histogram.input_names
def _(*, bin_cnt, **_):
    return ["data", "bins"] if bin_cnt is None else ["data"]


@histogram.infer_shape
def _(data, bins=None, *, bin_cnt, range):
    if bin_cnt is not None:
        return [data], [(bin_cnt,), (bin_cnt + 1,)]
    count = None if bins is None or bins[0] is None else bins[0] - 1
    return [data, bins], [(count,), bins]


@histogram.infer_type
def _(data, bins=None, *, bin_cnt, range):
    return ([data], [_INT64, data]) if bin_cnt is not None else ([data, bins], [_INT64, bins])


def _quantile_dtype(dtype: numpy.dtype) -> numpy.dtype:
    return dtype if dtype == numpy.float64 else numpy.dtype(numpy.float32)


def _percentile(xp: Any, x: Any, wanted: Any, axes: Any, method: str, keepdims: bool) -> Any:
    if method != "nearest":
        return xp.percentile(x, wanted, axis=axes, method=method, keepdims=keepdims)
    below, above = (xp.percentile(x, wanted, axis=axes, method=m, keepdims=keepdims) for m in ("lower", "higher"))
    places = xp.asarray(wanted) / 100 * (x.size // max(below.size // xp.asarray(wanted).size, 1) - 1)
    up = places - xp.floor(places) >= 0.5  # MXNet rounds halves up, whereas NumPy rounds to even
    return xp.where(up.reshape(up.shape + (1,) * (below.ndim - up.ndim)), above, below)


@operator("_npi_percentile", differentiable=False)
def percentile(
    xp,
    a: Array,
    q: Array | None = None,
    axis: Shape | None = None,
    interpolation: Literal["higher", "linear", "lower", "midpoint", "nearest"] = "linear",
    keepdims: bool = False,
    q_scalar: float | None = None,
):
    """Return percentiles along axes: the percentile ``q_scalar``, or each percentile in ``q``.

    On a GPU, the host waits only if ``q`` is an array, to reject percentages above 100.

    Parameters
    ----------
    a : array
        The values whose percentiles are computed.
    q : array, optional
        The percentiles, from 0 to 100, if ``q_scalar`` is None.
    """
    dtype = _quantile_dtype(a.dtype)
    x = a.astype(dtype, copy=False)
    wanted = q_scalar if q_scalar is not None else needed(q, "_npi_percentile", 2).astype(numpy.float64)
    axes = None if axis is None else reduction_axes(axis, a.shape)
    try:
        result = _percentile(xp, x, wanted, axes, interpolation, keepdims)
    except ValueError:
        raise ValueError("Check failed: is_valid: percentile exceeds the valid range") from None
    return result.astype(dtype, copy=False)


@percentile.input_names
def _(*, q_scalar, **_):
    return ["a", "q"] if q_scalar is None else ["a"]


@percentile.infer_shape
def _(a, q=None, *, axis, keepdims, q_scalar, **_):
    [a], [reduced] = shape_rule(())(a, axis=axis, keepdims=keepdims)
    if q_scalar is not None:
        return [a], [reduced]
    return [a, q], [None if q is None or reduced is None else q + reduced]


percentile.infer_type(lambda a, *q, **_: ([a, *q], [None if a is None else _quantile_dtype(a)]))


@operator("_npi_bincount", differentiable=False)
def bincount(xp, data: Array, weights: Array | None = None, minlength: int = 0, has_weights: bool = False):
    """Return the count of each number 0, 1, 2, ... in an array, or the sum of each number's weights.

    On a GPU, the host waits for the length of the result.
    """
    rules.require(data.ndim == 1, f"data.shape().ndim() <= 1U ({data.ndim} vs. 1) : Input only accept 1d array")
    if data.dtype.kind == "f":
        raise MXNetError("Check failed: !common::is_float(data.dtype()): Input data should be int type")
    most = int(data.max()) if data.size else 0
    if most >= 2**31 - 1:
        raise MXNetError(
            f"Check failed: dim_size >= -1: the result would have {most + 1} elements, one for each number from 0 to "
            f"{most}, but at most {2**31 - 1} are allowed"
        )
    given = needed(weights, "_npi_bincount", 2) if has_weights else None
    if given is not None and given.shape != data.shape:
        raise ShapeError(
            f"weights must have the shape of data, {rules.format_shape(data.shape)}, not "
            f"{rules.format_shape(given.shape)}"
        )
    try:
        counts = xp.bincount(data, given, minlength)
    except ValueError as error:
        raise MXNetError("Check failed: data_ptr[i] >= 0: input should be nonnegative number") from error
    return counts.astype(data.dtype if given is None else given.dtype, copy=False)


@bincount.input_names
def _(*, has_weights, **_):
    return ["data", "weights"] if has_weights else ["data"]


# The length of the result depends on values, so the rule knows only the number of axes.
bincount.infer_shape(lambda data, *weights, **_: ([data, *weights], [(None,)]))
bincount.asks_device = host_trips.SIZE
bincount.infer_type(lambda data, *weights, **_: ([data, *weights], [weights[0] if weights else data]))

# --- comparison of arrays -----------------------------------------------------------------------


@operator("_contrib_allclose", differentiable=False)
def allclose(xp, a: Array, b: Array, rtol: float = 1e-5, atol: float = 1e-8, equal_nan: bool = True):
    """Return 1 if two arrays differ by at most ``atol + rtol * |b|`` in all elements, and 0 otherwise."""
    if a.shape != b.shape:
        rules.unify_all([a.shape, b.shape])
    close = xp.isclose(a, b, rtol=rtol, atol=atol, equal_nan=equal_nan).all()
    return xp.asarray(close, dtype=numpy.uint8)


allclose.lenient = True


@allclose.infer_shape
def _(a, b, **_):
    shape = rules.unify_all([a, b])
    return [shape, shape], [()]


@allclose.infer_type
def _(a, b, **_):
    [a, b], _ = rules.same_type(a, b)
    return [a, b], [numpy.dtype(numpy.uint8)]


# --- polynomials --------------------------------------------------------------------------------


@operator("_npi_polyval")
def polyval(xp, p: Array, x: Array):
    """Return the value of the polynomial with coefficients ``p``, highest power first, at every ``x``."""
    result = xp.zeros_like(x)
    for i in range(len(p)):  # Horner's method
        result = result * x + p[i]
    return result


polyval.lenient = True
polyval.infer_shape(lambda p, x: ([p, x], [x]))
polyval.infer_type(lambda p, x: (rules.same_type(p, x)[0], [p or x]))
polyval.gradient(lambda F, dy, y, p, x: [F._power_sums(dy, x, p), dy * F._npi_polyval(F._polynomial_derivative(p), x)])


@operator("_polynomial_derivative")
def polynomial_derivative(xp, p: Array):
    """Return the coefficients of the derivative of a polynomial; for a constant, return a single zero."""
    return p[:-1] * xp.arange(len(p) - 1, 0, -1).astype(p.dtype) if len(p) > 1 else xp.zeros_like(p)


@operator("_backward_polynomial_derivative")
def backward_polynomial_derivative(xp, grad: Array, p: Array):
    """Return the gradient of ``_polynomial_derivative`` with respect to the coefficients ``p``."""
    if len(p) < 2:
        return xp.zeros_like(p)
    powers = xp.arange(len(p) - 1, 0, -1).astype(p.dtype)
    return xp.concatenate([grad * powers, xp.zeros(1, p.dtype)])


@operator("_power_sums")
def power_sums(xp, grad: Array, x: Array, p: Array):
    """Return the gradient of a polynomial's coefficients ``p``: the sums of ``grad`` times the powers of ``x``."""
    if not len(p):
        return xp.zeros_like(p)
    degree = len(p) - 1
    return xp.stack([(grad * x ** (degree - i)).sum() for i in range(len(p))]).astype(p.dtype, copy=False)


def _derivative_rule(p):
    return [p], [None if p is None else (None if p[0] is None else max(p[0] - 1, min(p[0], 1)),)]


polynomial_derivative.infer_shape(_derivative_rule)
polynomial_derivative.infer_type(rules.same_type)
polynomial_derivative.gradient(lambda F, dy, y, p: [F._backward_polynomial_derivative(dy, p)])
backward_polynomial_derivative.infer_shape(lambda grad, p: ([grad, p], [p]))
backward_polynomial_derivative.infer_type(rules.type_of_first)
backward_polynomial_derivative.gradient(lambda F, dy, y, grad, p: [F._polynomial_derivative(dy), None])
power_sums.infer_shape(lambda grad, x, p: ([grad, x, p], [p]))
power_sums.infer_type(lambda grad, x, p: ([grad, x, p], [p]))
power_sums.gradient(
    lambda F, dy, y, grad, x, p: [
        F._npi_polyval(dy, x),
        grad * F._npi_polyval(F._polynomial_derivative(dy), x),
        None,
    ]
)
