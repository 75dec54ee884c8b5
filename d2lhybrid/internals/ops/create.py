"""Operators that create arrays from attributes alone, such as zeros, ranges, and the identity matrix.

The caller chooses the array module. The attribute ``ctx`` has no effect; operators accept it because files contain it.

Legacy MXNet writes an unknown size as 0 and an unknown shape as ``()``. For a symbol, the neighboring nodes determine
the unknown sizes. A legacy kernel raises an error, because it can't create an array of an unknown shape. With NumPy
shapes (``mx.util.np_shape``), and for the operators of ``np``, an unknown size is -1, and 0 is a valid size.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy

from ...error import ShapeError
from ...util import is_np_shape
from ..core.infer import PartialShape, format_shape
from ..core.operator import REQUIRED, Array, DType, Operator, Shape, operator
from ..support.dtypes import DEFAULT_DTYPE, dtype_from_code
from . import rules
from .elementwise import in_integers

__all__ = ["creation_type", "inference_failed", "legacy_shape", "np_shape", "require_known_shape"]

FAMILY = "other"

# --- shapes given as attributes --------------------------------------------------------------------


def legacy_shape(shape: tuple[int, ...] | None) -> PartialShape:
    """Return the partial shape that an attribute represents in legacy mode.

    Examples
    --------
    >>> legacy_shape((2, 0)), legacy_shape(())
    ((2, None), None)
    """
    if is_np_shape():
        return np_shape(shape)
    if not shape:
        return None
    return tuple(n if n > 0 else None for n in shape)


def np_shape(shape: tuple[int, ...] | None) -> PartialShape:
    """Return the partial shape that an attribute represents in np mode, in which only the size -1 is unknown."""
    return None if shape is None else tuple(n if n >= 0 else None for n in shape)


def inference_failed(name: str, output: PartialShape, **attributes: Any) -> ShapeError:
    """Return MXNet's error for an array whose shape is unknown."""
    lines = [f"Operator {name} inferring shapes failed.", "input shapes:", "output shapes:"]
    lines.append(format_shape(output))
    lines.append("operator attributes:")
    lines += [f"{key} : {value}" for key, value in attributes.items() if value not in (None, "")]
    return ShapeError("\n".join(lines))


def require_known_shape(name: str, shape: tuple[int, ...] | None, **attributes: Any) -> None:
    """Raise an error unless a legacy kernel can create an array of a given shape."""
    if is_np_shape():
        _require_np_shape(name, shape, **attributes)
    elif not shape or min(shape) < 1:
        raise inference_failed(name, legacy_shape(shape), **attributes, shape=shape)


def _require_np_shape(name: str, shape: tuple[int, ...] | None, **attributes: Any) -> None:
    if shape is None or (shape and min(shape) < 0):
        raise inference_failed(name, np_shape(shape), **attributes, shape=shape)


def creation_type(dtype: Any = DEFAULT_DTYPE, **_: Any) -> tuple[list[Any], list[Any]]:
    """Apply the type rule of operators without inputs."""
    return [], [DEFAULT_DTYPE if dtype is None else numpy.dtype(dtype)]


def _creation(op: Operator, shape_of: Callable[..., PartialShape]) -> None:
    op.infer_shape(lambda **attributes: ([], [shape_of(**attributes)]))
    op.infer_type(creation_type)


# --- constants -------------------------------------------------------------------------------------


@operator("_zeros", differentiable=False)
def zeros(xp, shape: Shape = (), ctx: str = "", dtype: DType = DEFAULT_DTYPE):
    """Return an array of zeros."""
    if not shape or min(shape) < 1:
        require_known_shape("_zeros", shape, dtype=dtype, ctx=ctx)
    return xp.zeros(shape, dtype=dtype)


@operator("_ones", differentiable=False)
def ones(xp, shape: Shape = (), ctx: str = "", dtype: DType = DEFAULT_DTYPE):
    """Return an array of ones."""
    if not shape or min(shape) < 1:
        require_known_shape("_ones", shape, dtype=dtype, ctx=ctx)
    return xp.ones(shape, dtype=dtype)


@operator("_zeros_without_dtype", differentiable=False)
def zeros_without_dtype(xp, shape: Shape | None = None, ctx: str = "", dtype: int = -1):
    """Return an array of zeros; ``dtype`` is one of MXNet's type flags, or -1 for float32."""
    require_known_shape("_zeros_without_dtype", shape, ctx=ctx)
    return xp.zeros(shape, dtype=_flag_dtype(dtype))


def _flag_dtype(flag: int) -> numpy.dtype:
    return DEFAULT_DTYPE if flag < 0 else dtype_from_code(flag)


@operator("_npi_zeros", differentiable=False)
def np_zeros(xp, shape: Shape = (), ctx: str = "", dtype: DType = DEFAULT_DTYPE):
    """Return an array of zeros; a size may be 0, and the shape may be ()."""
    _require_np_shape("_npi_zeros", shape, dtype=dtype, ctx=ctx)
    return xp.zeros(shape, dtype=dtype)


@operator("_npi_ones", differentiable=False)
def np_ones(xp, shape: Shape = (), ctx: str = "", dtype: DType = DEFAULT_DTYPE):
    """Return an array of ones; a size may be 0, and the shape may be ()."""
    _require_np_shape("_npi_ones", shape, dtype=dtype, ctx=ctx)
    return xp.ones(shape, dtype=dtype)


@operator("_full", "_npi_full", differentiable=False)
def full(xp, shape: Shape | None = None, ctx: str = "", dtype: DType = DEFAULT_DTYPE, value: float = REQUIRED):
    """Return an array filled with ``value``."""
    _require_np_shape("_full", shape, dtype=dtype, ctx=ctx, value=value)
    return _filled(xp, shape, value, numpy.dtype(dtype))


def _filled(xp: Any, shape: Any, value: float, dtype: numpy.dtype) -> Any:
    return xp.full(shape, in_integers(value, dtype) if dtype.kind in "iu" else value, dtype=dtype)


_creation(zeros, lambda *, shape, **_: legacy_shape(shape))
_creation(ones, lambda *, shape, **_: legacy_shape(shape))
_creation(np_zeros, lambda *, shape, **_: np_shape(shape))
_creation(np_ones, lambda *, shape, **_: np_shape(shape))
_creation(full, lambda *, shape, **_: legacy_shape(shape))
_creation(zeros_without_dtype, lambda *, shape, **_: legacy_shape(shape))
zeros_without_dtype.infer_type(lambda *, dtype, **_: ([], [_flag_dtype(dtype)]))


@operator("_npi_full_like", differentiable=False)
def np_full_like(xp, a: Array, fill_value: float = REQUIRED, ctx: str = "", dtype: DType | None = None):
    """Return an array with the shape of another array, filled with ``fill_value``."""
    return _filled(xp, a.shape, fill_value, a.dtype if dtype is None else numpy.dtype(dtype))


np_full_like.infer_shape(lambda a, **_: ([a], [a]))
np_full_like.infer_type(lambda a, *, dtype, **_: ([a], [a if dtype is None else numpy.dtype(dtype)]))


@operator("_npi_identity", differentiable=False)
def np_identity(xp, shape: Shape = (), ctx: str = "", dtype: DType = DEFAULT_DTYPE):
    """Return the identity matrix of shape ``(n, n)``."""
    rules.require(len(shape) == 2, f"param.shape.ndim() == 2 ({len(shape)} vs. 2) : ")
    return xp.eye(*shape, dtype=dtype)


_creation(np_identity, lambda *, shape, **_: np_shape(shape))


def _eye_size(rows: int, columns: int | None) -> tuple[int, int]:
    rules.require(rows >= 0, f"param.N >= 0: negative dimensions are not allowed. N is {rows}")
    if columns is None:
        columns = rows
    rules.require(columns >= 0, f"param.M.value() >= 0: negative dimensions are not allowed. M is {columns}")
    return rows, columns


@operator("_eye", differentiable=False)
def eye(xp, N: int = REQUIRED, M: int = 0, k: int = 0, ctx: str = "", dtype: DType = DEFAULT_DTYPE):
    """Return a matrix of N rows and M columns with ones on the k-th diagonal; M is N if M isn't positive."""
    return xp.eye(*_eye_size(N, M if M > 0 else None), k, dtype=dtype)


@operator("_npi_eye", differentiable=False)
def np_eye(xp, N: int = REQUIRED, M: int | None = None, k: int = 0, ctx: str = "", dtype: DType = DEFAULT_DTYPE):
    """Return a matrix of N rows and M columns with ones on the k-th diagonal; M is N by default."""
    return xp.eye(*_eye_size(N, M), k, dtype=dtype)


_creation(eye, lambda *, N, M, **_: _eye_size(N, M if M > 0 else None))
_creation(np_eye, lambda *, N, M, **_: _eye_size(N, M))

# --- ranges ----------------------------------------------------------------------------------------


def _bounds(start: float, stop: float | None) -> tuple[float, float]:
    return (0, start) if stop is None else (start, stop)


def _range_size(start: float, stop: float | None, step: float, repeat: int) -> int:
    first, last = _bounds(start, stop)
    rules.require(step != 0, "param.step != 0 (0 vs. 0) : Range does not support step=0, received 0")
    rules.require(repeat > 0, f"param.repeat > 0: Range only supports repeat > 0, received {repeat}")
    return max(math.ceil((last - first) / step), 0) * repeat


def _as_in_c(number: float, dtype: numpy.dtype) -> Any:
    """Return a number in an element type, to which C converts it."""
    return dtype.type(number) if dtype.kind == "f" else in_integers(number, dtype)


def _ramp(xp: Any, size: int, start: float, step: float, repeat: int, dtype: Any) -> Any:
    """Return ``start + (i // repeat) * step``, computed in the result's element type as in MXNet."""
    dtype = numpy.dtype(dtype)
    result = xp.arange(-(-size // repeat), dtype=dtype)
    if step != 1:
        result *= _as_in_c(step, dtype)
    if start != 0:
        result += _as_in_c(start, dtype)
    return result if repeat == 1 else result.repeat(repeat)[:size]


@operator("_arange", differentiable=False)
def arange(
    xp,
    start: float = REQUIRED,
    stop: float | None = None,
    step: float = 1.0,
    repeat: int = 1,
    infer_range: bool = False,
    ctx: str = "",
    dtype: DType = DEFAULT_DTYPE,
):
    """Return evenly spaced numbers from ``start`` to ``stop``, which is excluded, each ``repeat`` times."""
    size = _legacy_range_size(start, stop, step, repeat)
    return _ramp(xp, size, _bounds(start, stop)[0], step, repeat, dtype)


def _legacy_range_size(start: float, stop: float | None, step: float, repeat: int) -> int:
    size = _range_size(start, stop, step, repeat)
    if size == 0:
        first, last = _bounds(start, stop)
        sign = "<" if step > 0 else ">"
        raise ShapeError(
            f"Check failed: param.start {sign} param.stop.value(): "
            f"Invalid range (start, stop, step) = ({first:g},{last:g},{step:g})"
        )
    return size


@operator("_npi_arange", differentiable=False)
def np_arange(
    xp,
    start: float = REQUIRED,
    stop: float | None = None,
    step: float = 1.0,
    repeat: int = 1,
    infer_range: bool = False,
    ctx: str = "",
    dtype: DType = DEFAULT_DTYPE,
):
    """Return evenly spaced numbers from ``start`` to ``stop``, which is excluded; the result may be empty."""
    size = _range_size(start, stop, step, repeat)
    return _ramp(xp, size, _bounds(start, stop)[0], step, repeat, dtype)


@arange.infer_shape
def _(*, start, stop, step, repeat, infer_range, **_):
    if infer_range and stop is None:  # neighboring nodes determine the length
        return [], [(None,)]
    return [], [(_legacy_range_size(start, stop, step, repeat),)]


arange.infer_type(creation_type)
_creation(np_arange, lambda *, start, stop, step, repeat, **_: (_range_size(start, stop, step, repeat),))


def _like_size(data: tuple[Any, ...], axis: int) -> Any:
    rules.require(
        -len(data) <= axis < len(data),
        f"real_axis >=0 && real_axis < (*in_attrs)[0].ndim(): cannot handle param.axis {axis}.",
    )
    return data[axis]


@operator("_contrib_arange_like", "_npx_arange_like", differentiable=False)
def arange_like(
    xp,
    data: Array,
    start: float = 0.0,
    step: float = 1.0,
    repeat: int = 1,
    ctx: str = "",
    axis: int | None = None,
):
    """Return evenly spaced numbers, as many as an array has elements in total or along one axis.

    Parameters
    ----------
    data : NDArray or Symbol
        The array that determines the size and the element type of the result.
    start, step : float
        The first number, and the difference between neighbors.
    repeat : int
        The number of repetitions of each number.
    ctx : str
        Ignored; accepted because files contain this attribute.
    axis : int, optional
        The axis whose size is the length of the result; by default, the result has the shape of ``data``.
    """
    if axis is None:
        return _ramp(xp, data.size, start, step, repeat, data.dtype).reshape(data.shape)
    return _ramp(xp, _like_size(data.shape, axis), start, step, repeat, data.dtype)


@arange_like.infer_shape
def _(data, *, axis, **_):
    if axis is None:
        return [data], [data]
    return [data], [(None if data is None else _like_size(data, axis),)]


arange_like.infer_type(rules.same_type)


def _count(num: int) -> int:
    rules.require(num >= 0, f"param.num >= 0 ({num} vs. 0) : Number of sequence should be non-negative, received {num}")
    return num


@operator("_linspace", "_npi_linspace", differentiable=False)
def linspace(
    xp,
    start: float = REQUIRED,
    stop: float = REQUIRED,
    num: int = REQUIRED,
    endpoint: bool = True,
    ctx: str = "",
    dtype: DType = DEFAULT_DTYPE,
):
    """Return ``num`` evenly spaced numbers from ``start`` to ``stop``."""
    return xp.linspace(start, stop, _count(num), endpoint=endpoint).astype(dtype)


@operator("_npi_logspace", differentiable=False)
def np_logspace(
    xp,
    start: float = REQUIRED,
    stop: float = REQUIRED,
    num: int = REQUIRED,
    endpoint: bool = True,
    base: float = 10.0,
    ctx: str = "",
    dtype: DType = DEFAULT_DTYPE,
):
    """Return ``num`` powers of ``base`` with evenly spaced exponents from ``start`` to ``stop``."""
    exponents = xp.linspace(start, stop, _count(num), endpoint=endpoint)
    return xp.power(float(base), exponents).astype(dtype)


for _op in (linspace, np_logspace):
    _creation(_op, lambda *, num, **_: (_count(num),))
