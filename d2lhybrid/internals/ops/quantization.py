"""Int8 arithmetic, in which 8-bit integers represent real numbers, and layers that compute with them.

The range of a quantized array, from its smallest to its largest real number, is passed as two arrays with one element
each. One quantization step is the largest absolute value of the range divided by 127.5 for ``int8``, by 255.5 for
``uint8``, and by 2147483647 for ``int32`` sums. The divisors are 127 and 255 in ``quantize``, in ``requantize``, and
for the ranges of products. All values, including rounding, are identical to those of MXNet 1.9.1 on a CPU. Products of
8-bit integers are computed exactly, in double precision.

If ``no_bias`` is true, the inputs of a layer are ``(data, weight, min_data, max_data, min_weight, max_weight)``, as in
MXNet.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, Literal

import numpy

from ...error import MXNetError
from ..core.operator import REQUIRED, Array, Operator, Shape, operator
from . import rules
from .conv import convolve, full_shape, run_in_layout
from .join import concat
from .nn import fully_connected
from .pool import pooling
from .unfold import windows

FAMILY = "other"
MEANINGS = {
    "data": "The quantized array, of the type int8 or uint8.",
    "weight": "The weight, as int8.",
    "bias": "The bias, as int8.",
    "gamma": "The floating-point scale of each channel.",
    "beta": "The floating-point shift of each channel.",
    "moving_mean": "The running mean of each channel.",
    "moving_var": "The running variance of each channel.",
    "lhs": "The first array, of the type int8 or uint8.",
    "rhs": "The second array, of the type int8 or uint8, and of the shape of ``lhs``.",
    "min_range": "The smallest real number in the range of the data.",
    "max_range": "The largest real number in the range of the data.",
    "min_data": "The smallest real number in the range of the data.",
    "max_data": "The largest real number in the range of the data.",
    "min_weight": "The smallest real number in the range of the weight.",
    "max_weight": "The largest real number in the range of the weight.",
    "min_bias": "The smallest real number in the range of the bias.",
    "max_bias": "The largest real number in the range of the bias.",
    "lhs_min": "The smallest real number in the range of the first array.",
    "lhs_max": "The largest real number in the range of the first array.",
    "rhs_min": "The smallest real number in the range of the second array.",
    "rhs_max": "The largest real number in the range of the second array.",
    "out_type": "The element type of the result; ``auto`` is uint8 if no number is negative, and int8 otherwise.",
    "min_calib_range": "The smallest real number of the result, if calibration has determined it.",
    "max_calib_range": "The largest real number of the result, if calibration has determined it.",
    "enable_float_output": "Whether the result is an array of floating-point numbers.",
    "num_hidden": "The number of outputs of each example.",
    "no_bias": "Whether the layer has no bias.",
    "flatten": "Whether to flatten all axes except the first.",
    "kernel": "The size of a filter or of a window.",
    "stride": "The strides of the windows.",
    "dilate": "The distance between elements of a window.",
    "pad": "The number of elements that are added at both ends.",
    "num_filter": "The number of filters.",
    "num_group": "The number of groups into which channels and filters are divided.",
    "layout": "The order of the axes, such as ``NCHW``.",
    "workspace": "Ignored.",
    "cudnn_tune": "Ignored.",
    "cudnn_off": "Ignored.",
    "pool_type": "The pooling function, ``max`` or ``avg``.",
    "global_pool": "Whether the window is the whole image.",
    "pooling_convention": "Whether the number of windows is rounded down or up.",
    "p_value": "Ignored.",
    "count_include_pad": "Whether a mean includes the padding.",
    "act_type": "The activation function; only ``relu`` is supported.",
    "dim": "The axis along which to join the arrays.",
    "eps": "The number that is added to the variance.",
    "momentum": "Ignored.",
    "fix_gamma": "Ignored, because gamma is always used.",
    "use_global_stats": "Ignored, because the running statistics are always used.",
    "output_mean_var": "Ignored.",
    "axis": "The axis of the channels.",
    "input_dim": "The number of rows of the weight.",
    "output_dim": "The length of a row of the weight.",
    "dtype": "The element type of the weight.",
    "sparse_grad": "Ignored.",
    "hist": "The number of values in each bin.",
    "hist_edges": "The edges of the bins, one more than the number of bins.",
    "num_quantized_bins": "The number of bins after quantization.",
    "_contrib_quantize.data": "The real numbers to quantize, an array of any shape.",
    "_contrib_quantize_v2.data": (
        "The real numbers to quantize, an array of any shape. An int8 or uint8 array is only copied."
    ),
    "_contrib_requantize.data": "The values to requantize, an int32 array of any shape.",
    "_contrib_quantized_embedding.data": (
        "The indices of rows of ``weight``, an array of any shape; fractions are truncated, and indices out of "
        "range are clipped."
    ),
    "_contrib_quantized_concat.data": (
        "The quantized arrays, of the type int8 or uint8, followed by their ranges, ``min_0, max_0, min_1, "
        "max_1, ...``."
    ),
}

_INT8, _UINT8, _INT32 = numpy.dtype("int8"), numpy.dtype("uint8"), numpy.dtype("int32")
_FLOAT32 = numpy.dtype("float32")
_f = numpy.float32
#: The largest real number, in quantization steps.
_STEPS = {_INT8: _f(127.5), _UINT8: _f(255.5), _INT32: _f(2147483647)}
#: The largest real number, in quantization steps, in ``quantize``, in ``requantize``, and for the ranges of products.
_WHOLE_STEPS = {_INT8: _f(127), _UINT8: _f(255)}


def _largest(xp: Any, low: Any, high: Any) -> Any:
    """Return the largest absolute value of a range, as an array of one element."""
    return xp.maximum(xp.abs(low), xp.abs(high)).astype(_FLOAT32).reshape(1)


def _number(xp: Any, value: Any) -> Any:
    """Return a number or an array as an array of one element."""
    if numpy.ndim(value) == 0 and isinstance(value, int | float | numpy.generic):
        return xp.full((1,), value, _FLOAT32)  # created on the device without a copy
    return xp.asarray(value, dtype=_FLOAT32).reshape(1)


def _saturated(xp: Any, values: Any, dtype: numpy.dtype) -> Any:
    """Round real numbers to the nearest integer, with halves to even, and saturate them to an element type's range."""
    limits = numpy.iinfo(dtype)
    return xp.clip(xp.rint(values), limits.min, limits.max).astype(dtype)


def _range_of(xp: Any, dtype: numpy.dtype, low: Any, high: Any) -> tuple[Any, Any]:
    """Return the range of a result, as two arrays of one element; for int8, the range is symmetric."""
    if dtype == _UINT8:
        return _number(xp, low), _number(xp, high)
    largest = _largest(xp, _number(xp, low), _number(xp, high))
    return -largest, largest


def _refuse(condition: bool, message: str) -> None:
    if condition:
        raise MXNetError(message)


def _eight_bits(operator_name: str, *arrays: Any) -> None:
    for array in arrays:
        _refuse(
            array.dtype not in (_INT8, _UINT8),
            f"Check failed: {operator_name} op only supports uint8 and int8 as input type, not {array.dtype}",
        )


def _chosen(out_type: str, low: float | None) -> numpy.dtype:
    if out_type == "auto":
        return _UINT8 if low is not None and low >= 0 else _INT8
    return numpy.dtype(out_type)


def _exact(name: str, **options: Any) -> Callable[[Callable[..., Any]], Operator]:
    """Register a kernel without a gradient; eager calls check its rules before they run it."""

    def register(kernel: Callable[..., Any]) -> Operator:
        op = operator(name, differentiable=False, **options)(kernel)
        op.lenient = True
        return op

    return register


# --- between real numbers and 8 bits ----------------------------------------


@_exact("_contrib_quantize", outputs=3)
def quantize(xp, data: Array, min_range: Array, max_range: Array, out_type: Literal["int8", "uint8"] = "uint8"):
    """Round real numbers to the quantization steps of a range.

    Examples
    --------
    >>> q, low, high = nd.contrib.quantize(nd.array([-1, 0.5, 2]), nd.array([-2]), nd.array([2]), out_type="int8")
    >>> q.asnumpy().tolist(), low.asnumpy().tolist(), high.asnumpy().tolist()
    ([-64, 32, 127], [-2.0], [2.0])
    """
    dtype = numpy.dtype(out_type)
    largest = _largest(xp, min_range, max_range)
    quantized = _saturated(xp, data.astype(_FLOAT32) * (_WHOLE_STEPS[dtype] / largest), dtype)
    return [quantized, *_range_of(xp, dtype, min_range, max_range)]


@_exact("_contrib_quantize_v2", outputs=3)
def quantize_v2(
    xp,
    data: Array,
    out_type: Literal["auto", "int8", "uint8"] = "int8",
    min_calib_range: float | None = None,
    max_calib_range: float | None = None,
):
    """Round real numbers to the quantization steps of their range, or of a calibrated range.

    Examples
    --------
    >>> q, low, high = nd.contrib.quantize_v2(nd.array([-1, 0.5, 2]))
    >>> q.asnumpy().tolist(), low.asnumpy().tolist(), high.asnumpy().tolist()
    ([-64, 32, 127], [-2.0], [2.0])
    """
    known = min_calib_range is not None and max_calib_range is not None
    dtype = _chosen(out_type, min_calib_range if known else None)
    if data.dtype in (_INT8, _UINT8):  # quantized data
        _refuse(not known, f"quantize_v2 requires min_calib_range and max_calib_range for data of type {data.dtype}")
        return [data.copy(), _number(xp, min_calib_range), _number(xp, max_calib_range)]
    low, high = (min_calib_range, max_calib_range) if known else (data.min(), data.max())
    low, high = _number(xp, low), _number(xp, high)
    quantized = _saturated(xp, data.astype(_FLOAT32) * (_STEPS[dtype] / _largest(xp, low, high)), dtype)
    return [quantized, *_range_of(xp, dtype, low, high)]


@_exact("_contrib_dequantize")
def dequantize(xp, data: Array, min_range: Array, max_range: Array, out_type: Literal["float32"] = "float32"):
    """Return the real numbers that 8-bit integers represent.

    Examples
    --------
    >>> q = nd.array([-64, 32, 127], dtype="int8")
    >>> nd.contrib.dequantize(q, nd.array([-2]), nd.array([2]))
    <BLANKLINE>
    [-1.0039216  0.5019608  1.992157 ]
    <NDArray 3 @cpu(0)>
    """
    _eight_bits("dequantize", data)
    return data.astype(_FLOAT32) * (_largest(xp, min_range, max_range) / _STEPS[data.dtype])


@_exact("_contrib_requantize", outputs=3)
def requantize(
    xp,
    data: Array,
    min_range: Array,
    max_range: Array,
    out_type: Literal["auto", "int8", "uint8"] = "int8",
    min_calib_range: float | None = None,
    max_calib_range: float | None = None,
):
    """Requantize int32 values to 8 bits, within the range of these values or within a calibrated range."""
    known = min_calib_range is not None and max_calib_range is not None
    dtype = _chosen(out_type, min_calib_range if known else None)
    step = _largest(xp, min_range, max_range) / _STEPS[_INT32]
    if known:
        largest = _largest(xp, _number(xp, min_calib_range), _number(xp, max_calib_range))
    else:
        largest = xp.abs(data.astype(numpy.float64)).max().astype(_FLOAT32).reshape(1) * step
    scale = step * (_WHOLE_STEPS[dtype] / largest)
    quantized = _saturated(xp, data.astype(_FLOAT32) * scale, dtype)
    low = xp.zeros(1, _FLOAT32) if dtype == _UINT8 else -largest
    return [quantized, low, largest]


# --- products ----------------------------------------


def _given(no_bias: bool, arrays: tuple[Any, ...]) -> tuple[Any, tuple[Any, ...]]:
    """Return the bias, None if there is no bias, and the ranges."""
    there = tuple(array for array in arrays if array is not None)
    wanted = 4 if no_bias else 7
    _refuse(len(there) != wanted, f"Check failed: in_type->size() == {2 + wanted} ({2 + len(there)} vs. {2 + wanted})")
    return (None, there) if no_bias else (there[0], there[1:])


def _range_of_products(xp: Any, ranges: Any, data_type: numpy.dtype, weight_type: numpy.dtype = _INT8) -> list[Any]:
    """Return the real numbers that the smallest and the largest sum represent."""
    a = _largest(xp, ranges[0], ranges[1]) / _WHOLE_STEPS[data_type]
    b = _largest(xp, ranges[2], ranges[3]) / _WHOLE_STEPS[weight_type]
    largest = a * b * _STEPS[_INT32]
    return [-largest, largest]


def _layer_names(*, no_bias: bool, **attributes: Any) -> list[str]:
    names = ["data", "weight", "bias", "min_data", "max_data", "min_weight", "max_weight", "min_bias", "max_bias"]
    return [name for name in names if not (no_bias and name.endswith("bias"))]


def _of_layer(data: Any, weight: Any, rest: Any, weight_shape: Any, count: int, no_bias: bool) -> list[Any]:
    """Return the shapes of the inputs of a layer, in which ranges have one element."""
    weight = rules.unify(weight, weight_shape)
    bias = [] if no_bias else [rules.unify(rest[0], (count,))]
    ranges = [rules.unify(shape, (1,)) for shape in rest[len(bias) :]]
    return [data, weight, *bias, *ranges]


def _types_of_layer(data: Any, weight: Any, *rest: Any, no_bias: bool, **attributes: Any):
    bias = [] if no_bias else [_INT8]
    ranges = [_FLOAT32] * (len(rest) - len(bias))
    return [data, _INT8, *bias, *ranges], [_INT32, _FLOAT32, _FLOAT32]


@_exact("_contrib_quantized_fully_connected", outputs=3, threaded=True)
def quantized_fully_connected(
    xp,
    data: Array,
    weight: Array,
    bias: Array | None = None,
    min_data: Array | None = None,
    max_data: Array | None = None,
    min_weight: Array | None = None,
    max_weight: Array | None = None,
    min_bias: Array | None = None,
    max_bias: Array | None = None,
    num_hidden: int = REQUIRED,
    no_bias: bool = False,
    flatten: bool = True,
):
    """Multiply quantized data by the transpose of a quantized weight, and add the bias.

    The sums are exact. The bias is rounded to the quantization steps of the sums.
    """
    _eight_bits("quantized_fully_connected", data, weight)
    bias, ranges = _given(no_bias, (bias, min_data, max_data, min_weight, max_weight, min_bias, max_bias))
    wide = [array.astype(numpy.float64) for array in (data, weight)]
    sums = fully_connected(xp, *wide, None, num_hidden, True, flatten)
    if bias is not None:
        steps = _STEPS[data.dtype] / _largest(xp, ranges[0], ranges[1])
        steps = steps * (_STEPS[_INT8] / _largest(xp, ranges[2], ranges[3]))
        scale = steps / (_STEPS[_INT8] / _largest(xp, ranges[4], ranges[5]))
        sums = sums + xp.trunc(bias.astype(_FLOAT32) * scale).astype(numpy.float64)
    return [_wrapped(xp, sums), *_range_of_products(xp, ranges, data.dtype)]


def _wrapped(xp: Any, sums: Any) -> Any:
    """Return the sums as int32; larger numbers wrap around."""
    return sums.astype(numpy.int64).astype(_INT32)


@quantized_fully_connected.infer_shape
def _(data, weight, *rest, num_hidden, no_bias, flatten, **_):
    features, output = None, None
    if data is not None:
        known = data[1:] if flatten else data[-1:]
        features = None if any(n is None for n in known) else int(numpy.prod(known))
        output = (data[0], num_hidden) if flatten else (*data[:-1], num_hidden)
    inputs = _of_layer(data, weight, rest, (num_hidden, features), num_hidden, no_bias)
    return inputs, [output, (1,), (1,)]


quantized_fully_connected.infer_type(_types_of_layer)
quantized_fully_connected.input_names(_layer_names)


@_exact("_contrib_quantized_conv", outputs=3, threaded=True)
def quantized_conv(
    xp,
    data: Array,
    weight: Array,
    bias: Array | None = None,
    min_data: Array | None = None,
    max_data: Array | None = None,
    min_weight: Array | None = None,
    max_weight: Array | None = None,
    min_bias: Array | None = None,
    max_bias: Array | None = None,
    kernel: Shape = REQUIRED,
    stride: Shape = (),
    dilate: Shape = (),
    pad: Shape = (),
    num_filter: int = REQUIRED,
    num_group: int = 1,
    workspace: int = 1024,
    no_bias: bool = False,
    cudnn_tune: Literal["fastest", "limited_workspace", "off"] | None = None,
    cudnn_off: bool = False,
    layout: Literal["NCDHW", "NCHW", "NCW", "NDHWC", "NHWC"] | None = None,
):
    """Apply quantized filters to quantized images, and add the bias.

    The sums are exact. The bias is added without rounding.
    """
    _eight_bits("quantized_conv", data, weight)
    bias, ranges = _given(no_bias, (bias, min_data, max_data, min_weight, max_weight, min_bias, max_bias))
    spatial = data.shape[2:] if layout is None or layout[1] == "C" else data.shape[1:-1]
    w = windows(spatial, kernel, stride, dilate, pad)
    images, filters = data.astype(numpy.float64), weight.astype(numpy.float64)
    sums = run_in_layout(xp, convolve, images, filters, w, num_group, layout)
    if bias is not None:
        lead = layout is None or layout[1] == "C"
        sums = sums + bias.astype(numpy.float64).reshape(-1, *(1,) * (len(kernel) if lead else 0))
    return [_wrapped(xp, sums), *_range_of_products(xp, ranges, _INT8)]


@quantized_conv.infer_shape
def _(data, weight, *rest, kernel, stride, dilate, pad, num_filter, num_group, no_bias, layout, **_):
    lead = layout is None or layout[1] == "C"
    channels, output = None, None
    if data is not None:
        channels = data[1] if lead else data[-1]
        spatial = data[2:] if lead else data[1:-1]
        ones = (1,) * len(kernel)
        settings = zip(spatial, kernel, stride or ones, dilate or ones, pad or (0,) * len(kernel), strict=True)
        sizes = [None if n is None else (n + 2 * p - (k - 1) * d - 1) // s + 1 for n, k, s, d, p in settings]
        output = full_shape(data[0], num_filter, sizes, layout)
    inside = full_shape(num_filter, None if channels is None else channels // num_group, list(kernel), layout)
    return _of_layer(data, weight, rest, inside, num_filter, no_bias), [output, (1,), (1,)]


quantized_conv.infer_type(_types_of_layer)
quantized_conv.input_names(_layer_names)


# --- layers that keep the range ----------------------------------------


def _ranges_stay(op: Any, shape: Any) -> None:
    """Attach the rules of an operator whose result has the range of its data."""

    def shapes(data, low, high, **attributes):
        result = None if data is None else shape(data, **attributes)
        return [data, rules.unify(low, (1,)), rules.unify(high, (1,))], [result, (1,), (1,)]

    op.infer_shape(shapes)
    op.infer_type(lambda data, low, high, **_: ([data, _FLOAT32, _FLOAT32], [data, _FLOAT32, _FLOAT32]))


@_exact("_contrib_quantized_pooling", outputs=3)
def quantized_pooling(
    xp,
    data: Array,
    min_data: Array,
    max_data: Array,
    kernel: Shape = (),
    pool_type: Literal["avg", "lp", "max", "sum"] = "max",
    global_pool: bool = False,
    cudnn_off: bool = False,
    pooling_convention: Literal["full", "same", "valid"] = "valid",
    stride: Shape = (),
    pad: Shape = (),
    p_value: int | None = None,
    count_include_pad: bool | None = None,
    layout: Literal["NCDHW", "NCHW", "NCW", "NDHWC", "NHWC", "NWC"] | None = None,
):
    """Return the maximum or the mean of every window of quantized images.

    Means are rounded to the nearest integer, and halves to the even integer.
    """
    _eight_bits("quantized_pooling", data)
    _refuse(pool_type not in ("max", "avg"), "QuantizedPoolingOp only supports pool_type=max/avg for now")
    settings: Any = {
        "kernel": kernel, "pool_type": pool_type, "global_pool": global_pool, "pooling_convention": pooling_convention,
        "stride": stride, "pad": pad, "count_include_pad": count_include_pad, "layout": layout,
    }  # fmt: skip
    pooled = pooling(xp, data.astype(numpy.float64), **settings)
    return [_saturated(xp, pooled, data.dtype), min_data.copy(), max_data.copy()]


def _pooled_shape(data: Any, **attributes: Any) -> Any:
    return pooling.shape_rule(data, **attributes)[1][0]  # type: ignore[misc]


_ranges_stay(quantized_pooling, _pooled_shape)


@_exact("_contrib_quantized_act", outputs=3)
def quantized_act(
    xp,
    data: Array,
    min_data: Array,
    max_data: Array,
    act_type: Literal["relu", "sigmoid", "softrelu", "softsign", "tanh"] = REQUIRED,
):
    """Apply the activation ``relu`` to quantized data."""
    _eight_bits("quantized_act", data)
    _refuse(act_type != "relu", "_contrib_quantized_act only supports act_type=relu for now")
    return [xp.maximum(data, xp.zeros((), data.dtype)), min_data.copy(), max_data.copy()]


_ranges_stay(quantized_act, lambda data, **_: data)


@_exact("_contrib_quantized_flatten", outputs=3)
def quantized_flatten(xp, data: Array, min_data: Array, max_data: Array):
    """Flatten each example of quantized data into a row."""
    _eight_bits("quantized_flatten", data)
    return [data.reshape(data.shape[0], math.prod(data.shape[1:])).copy(), min_data.copy(), max_data.copy()]


def _flat(data: Any, **_: Any) -> Any:
    rest = data[1:]
    return (data[0], None if any(n is None for n in rest) else int(numpy.prod(rest)))


_ranges_stay(quantized_flatten, _flat)


@_exact("_contrib_quantized_embedding", outputs=3)
def quantized_embedding(
    xp,
    data: Array,
    weight: Array,
    min_weight: Array,
    max_weight: Array,
    input_dim: int = REQUIRED,
    output_dim: int = REQUIRED,
    dtype: Literal["float16", "float32", "float64", "int32", "int64", "int8", "uint8"] = "float32",
    sparse_grad: bool = False,
):
    """Look up rows of a quantized matrix; an index out of range selects the nearest row."""
    rows = xp.clip(data.astype(numpy.int64), 0, input_dim - 1)
    return [weight[rows], min_weight.copy(), max_weight.copy()]


@quantized_embedding.infer_shape
def _(data, weight, low, high, *, input_dim, output_dim, **_):
    inputs = [data, rules.unify(weight, (input_dim, output_dim)), rules.unify(low, (1,)), rules.unify(high, (1,))]
    return inputs, [None if data is None else (*data, output_dim), (1,), (1,)]


quantized_embedding.infer_type(
    lambda data, weight, low, high, **_: ([data, _INT8, _FLOAT32, _FLOAT32], [_INT8, _FLOAT32, _FLOAT32])
)

# --- several arrays ----------------------------------------


@_exact("_contrib_quantized_concat", outputs=3)
def quantized_concat(xp, *data: Array, dim: int = 1):
    """Join quantized arrays; their ranges, ``min_0, max_0, min_1, max_1, ...``, follow the arrays as inputs.

    The range of the result covers the ranges of all arrays. The result is ``uint8`` if all arrays are ``uint8``.
    """
    count = len(data) // 3
    arrays, ranges = data[:count], data[count:]
    _eight_bits("quantized_concat", *arrays)
    low = _number(xp, xp.min(xp.concatenate([r.reshape(1) for r in ranges[0::2]])))
    high = _number(xp, xp.max(xp.concatenate([r.reshape(1) for r in ranges[1::2]])))
    dtype = _UINT8 if all(array.dtype == _UINT8 for array in arrays) else _INT8
    largest = _largest(xp, low, high)
    parts = []
    for place, array in enumerate(arrays):
        own = _largest(xp, ranges[2 * place], ranges[2 * place + 1])
        scale = (own / _STEPS[array.dtype]) * (_STEPS[dtype] / largest)
        part = _saturated(xp, array.astype(_FLOAT32) * scale, dtype)
        parts.append(xp.where(own == largest, array, part) if array.dtype == dtype else part)
    return [xp.concatenate(parts, axis=dim), low, high]


quantized_concat.inputs_each = 3


@quantized_concat.infer_shape
def _(*shapes, dim, **_):
    count = len(shapes) // 3
    _refuse(
        len(shapes) % 3 != 0, f"the number of inputs of quantized_concat must be a multiple of 3, not {len(shapes)}"
    )
    arrays, outputs = concat.shape_rule(*shapes[:count], dim=dim)  # type: ignore[misc]
    return [*arrays, *(rules.unify(shape, (1,)) for shape in shapes[count:])], [outputs[0], (1,), (1,)]


@quantized_concat.infer_type
def _(*dtypes, **_):
    arrays = dtypes[: len(dtypes) // 3]
    known = [dtype for dtype in arrays if dtype is not None]
    joined = None if len(known) < len(arrays) else _UINT8 if all(dtype == _UINT8 for dtype in known) else _INT8
    return [*arrays, *[_FLOAT32] * (len(dtypes) - len(arrays))], [joined, _FLOAT32, _FLOAT32]


def _of_two(op: Any, outputs: Any) -> None:
    """Attach the rules of an operator on two arrays of the same shape, each with its range."""

    def shapes(lhs, rhs, *ranges, **attributes):
        both = rules.unify(lhs, rhs)
        extra = [(1,), (1,)] if len(outputs(_INT8, _INT8, **attributes)) == 3 else []
        return [both, both, *(rules.unify(shape, (1,)) for shape in ranges)], [both, *extra]

    def types(lhs, rhs, *ranges, **attributes):
        return [lhs, rhs, *[_FLOAT32] * len(ranges)], outputs(lhs, rhs, **attributes)

    op.infer_shape(shapes)
    op.infer_type(types)


@_exact("_contrib_quantized_elemwise_add", outputs=3)
def quantized_elemwise_add(
    xp,
    lhs: Array,
    rhs: Array,
    lhs_min: Array,
    lhs_max: Array,
    rhs_min: Array,
    rhs_max: Array,
    min_calib_range: float | None = None,
    max_calib_range: float | None = None,
):
    """Add two quantized arrays; the result is int32, or has 8 bits if there is a calibrated range."""
    _eight_bits("quantized_elemwise_add", lhs, rhs)
    a, b = _largest(xp, lhs_min, lhs_max), _largest(xp, rhs_min, rhs_max)
    if min_calib_range is None or max_calib_range is None:
        dtype, low, high = _INT32, -(a + b), a + b
    else:
        dtype = _UINT8 if lhs.dtype == rhs.dtype == _UINT8 else _INT8
        low, high = _number(xp, min_calib_range), _number(xp, max_calib_range)
    largest = _largest(xp, low, high)
    scales = [x * _STEPS[dtype] / (_STEPS[array.dtype] * largest) for x, array in ((a, lhs), (b, rhs))]
    parts = [array.astype(_FLOAT32) * scale for array, scale in zip((lhs, rhs), scales, strict=True)]
    if dtype == _INT8:  # if the types differ, the uint8 array is first rounded to int8 and saturated
        parts = [
            part if array.dtype == _INT8 else _saturated(xp, part, _INT8).astype(_FLOAT32)
            for part, array in zip(parts, (lhs, rhs), strict=True)
        ]
    total = parts[0] + parts[1]
    if dtype == _INT32:
        return [_wrapped(xp, xp.clip(xp.rint(total.astype(numpy.float64)), -2147483648, 2147483647)), low, high]
    return [_saturated(xp, total, dtype), low, high]


def _sum_types(lhs: Any, rhs: Any, *, min_calib_range: Any, max_calib_range: Any, **_: Any) -> list[Any]:
    if min_calib_range is None or max_calib_range is None:
        return [_INT32, _FLOAT32, _FLOAT32]
    unknown = lhs is None or rhs is None
    return [None if unknown else _UINT8 if lhs == rhs == _UINT8 else _INT8, _FLOAT32, _FLOAT32]


_of_two(quantized_elemwise_add, _sum_types)


def _results(enable_float_output: bool = False, **_: Any) -> int:
    return 1 if enable_float_output else 3


@_exact("_contrib_quantized_elemwise_mul", outputs=_results)
def quantized_elemwise_mul(
    xp,
    lhs: Array,
    rhs: Array,
    lhs_min: Array,
    lhs_max: Array,
    rhs_min: Array,
    rhs_max: Array,
    min_calib_range: float | None = None,
    max_calib_range: float | None = None,
    enable_float_output: bool = False,
):
    """Multiply two quantized arrays.

    The result is int32 by default, int8 with a calibrated range, or float32 with ``enable_float_output``.
    """
    _eight_bits("quantized_elemwise_mul", lhs, rhs)
    product = lhs.astype(_INT32) * rhs.astype(_INT32)
    ranges = (lhs_min, lhs_max, rhs_min, rhs_max)
    steps = _STEPS[lhs.dtype] / _largest(xp, lhs_min, lhs_max) * (_STEPS[rhs.dtype] / _largest(xp, rhs_min, rhs_max))
    if enable_float_output:
        return product.astype(_FLOAT32) * (_f(1) / steps)
    if min_calib_range is None or max_calib_range is None:
        return [product, *_range_of_products(xp, ranges, lhs.dtype, rhs.dtype)]
    low, high = _number(xp, min_calib_range), _number(xp, max_calib_range)
    scale = _STEPS[_INT8] / _largest(xp, low, high) / steps
    return [(product.astype(_FLOAT32) * scale).astype(numpy.int64).astype(_INT8), low, high]  # truncated as in C


def _product_types(
    lhs: Any, rhs: Any, *, min_calib_range: Any, max_calib_range: Any, enable_float_output: Any, **_: Any
):
    if enable_float_output:
        return [_FLOAT32]
    known = min_calib_range is not None and max_calib_range is not None
    return [_INT8 if known else _INT32, _FLOAT32, _FLOAT32]


_of_two(quantized_elemwise_mul, _product_types)


@_exact("_contrib_quantized_batch_norm", outputs=3, aux=("moving_mean", "moving_var"))
def quantized_batch_norm(
    xp,
    data: Array,
    gamma: Array,
    beta: Array,
    moving_mean: Array,
    moving_var: Array,
    min_data: Array,
    max_data: Array,
    eps: float = 1e-3,
    momentum: float = 0.9,
    fix_gamma: bool = True,
    use_global_stats: bool = False,
    output_mean_var: bool = False,
    axis: int = 1,
    cudnn_off: bool = False,
    min_calib_range: float | None = None,
    max_calib_range: float | None = None,
):
    """Apply BatchNorm with running statistics to quantized data; the range of the result comes from calibration."""
    _eight_bits("quantized_batch_norm", data)
    _refuse(
        min_calib_range is None or max_calib_range is None,
        "min_calib_range or max_calib_range is not available. Quantized BN currently don't support calib_mode=None",
    )
    low, high = _number(xp, min_calib_range), _number(xp, max_calib_range)
    place = tuple(-1 if i == axis % data.ndim else 1 for i in range(data.ndim))
    real = data.astype(_FLOAT32) * (_largest(xp, min_data, max_data) / _STEPS[data.dtype])
    factor = gamma / xp.sqrt(moving_var + _f(eps))
    normal = real * factor.reshape(place) + (beta - moving_mean * factor).reshape(place)
    return [_saturated(xp, normal * (_STEPS[_INT8] / _largest(xp, low, high)), _INT8), low, high]


@quantized_batch_norm.infer_shape
def _(data, gamma, beta, mean, variance, low, high, *, axis, **_):
    count = (None if data is None else data[axis],)
    of_channels = [rules.unify(shape, count) for shape in (gamma, beta, mean, variance)]
    return [data, *of_channels, rules.unify(low, (1,)), rules.unify(high, (1,))], [data, (1,), (1,)]


quantized_batch_norm.infer_type(lambda data, *rest, **_: ([data, *[_FLOAT32] * 6], [_INT8, _FLOAT32, _FLOAT32]))

# --- shapes and types of the first operators ----------------------------------------

for _op in (quantize, requantize):
    _ranges_stay(_op, lambda data, **_: data)
quantize.infer_type(
    lambda data, low, high, *, out_type, **_: (
        [data, _FLOAT32, _FLOAT32], [numpy.dtype(out_type), _FLOAT32, _FLOAT32])
)  # fmt: skip
requantize.infer_type(
    lambda data, low, high, *, out_type, min_calib_range, **_: (
        [_INT32, _FLOAT32, _FLOAT32], [_chosen(out_type, min_calib_range), _FLOAT32, _FLOAT32])
)  # fmt: skip
quantize_v2.infer_shape(lambda data, **_: ([data], [data, (1,), (1,)]))
quantize_v2.infer_type(
    lambda data, *, out_type, min_calib_range, **_: (
        [data], [data if data in (_INT8, _UINT8) else _chosen(out_type, min_calib_range), _FLOAT32, _FLOAT32])
)  # fmt: skip
dequantize.infer_shape(
    lambda data, low, high, **_: ([data, rules.unify(low, (1,)), rules.unify(high, (1,))], [data])
)  # fmt: skip
dequantize.infer_type(lambda data, low, high, **_: ([data, _FLOAT32, _FLOAT32], [_FLOAT32]))
