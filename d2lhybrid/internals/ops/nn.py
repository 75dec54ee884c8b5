"""Basic operators of layers: the fully connected layer and dropout.

This file also contains functions that other layers share: the inference of a parameter's shape from the data, and
the broadcasting of a vector with one value per channel along an axis.
"""

from __future__ import annotations

import math
from typing import Any, Literal

import numpy

from ...error import MXNetError, ShapeError
from ..core.infer import PartialShape
from ..core.operator import REQUIRED, Array, Generator, Shape, Training, operator
from ..support.dtypes import CODES
from ..support.notes import with_note
from . import rules

__all__ = ["check_bias", "complete_parameter", "require_float", "require_uniform_type"]

FAMILY = "linear"


# --- shared by the layers ----------------------------------------------------------------------


def complete_parameter(given: PartialShape, inferred: PartialShape) -> PartialShape:
    """Merge the declared shape of a parameter with the shape that the data determine.

    Raises
    ------
    ShapeError
        If the shapes contradict each other. The message contains the inferred shape as a Python tuple.

    Examples
    --------
    >>> complete_parameter(None, (2, 3))
    (2, 3)
    >>> complete_parameter((2, 5), (2, 6))
    Traceback (most recent call last):
        ...
    d2lhybrid.error.ShapeError: Shape inconsistent, Provided = [2,5], inferred shape=(2,6)
    """
    try:
        return rules.unify(given, inferred)
    except ShapeError:
        sizes = rules.format_shape(inferred)[1:-1]
        comma = "," if len(inferred or ()) == 1 else ""
        raise ShapeError(
            f"Shape inconsistent, Provided = {rules.format_shape(given)}, inferred shape=({sizes}{comma})"
        ) from None


def require_uniform_type(check: str, names: tuple[str, ...], *dtypes: Any) -> list[Any]:
    """Return the common element type of all inputs of a layer, as a list with one item for each input.

    Parameters
    ----------
    check : str
        The right side of the comparison in MXNet's message.
    names : tuple of str
        The names of the inputs, in the order of ``dtypes``.
    *dtypes : numpy.dtype or None
        The element types of the inputs; None for an unknown element type.

    Raises
    ------
    ShapeError
        If the element types differ. The message names the input that differs.
    """
    expected: Any = next((d for d in dtypes if d is not None), None)
    for name, dtype in zip(names, dtypes, strict=False):
        if dtype is not None and dtype != expected:
            raise ShapeError(
                f"Check failed: (*in_type)[i] == {check} ({CODES.get(dtype)} vs. {CODES.get(expected)}) : "
                "This layer requires uniform type. "
                f"Expected '{expected.name}' v.s. given '{dtype.name}' at '{name}'"
            )
    return [expected] * len(dtypes)


def check_bias(name: str, bias: Any, no_bias: bool) -> None:
    """Raise MXNet's error if a bias is missing, or present although `no_bias` is True.

    Raises
    ------
    MXNetError
        If the number of inputs is wrong, with MXNet's message.
    """
    if (bias is None) != no_bias:
        given, expected = (2, 3) if bias is None else (3, 2)
        raise MXNetError(
            f"Check failed: num_inputs == infered_num_inputs ({given} vs. {expected}) : "
            f"Operator {name} expects {expected} inputs, but got {given} instead."
        )


def require_float(data: Any) -> None:
    """Raise MXNet's error if an array doesn't have a floating-point element type.

    Raises
    ------
    MXNetError
        If the element type isn't a floating-point type, with MXNet's message.
    """
    if data.dtype.kind != "f":
        raise MXNetError(f"This operation only support floating point types, not {data.dtype.name}")


@operator("_along_axis")
def along_axis(xp, vector: Array, like: Array, axis: int = 1):
    """Reshape a vector for broadcasting along one axis of an array; all other sizes are 1.

    If ``vector`` has more than one axis, trailing sizes of 1 are added to its shape.
    """
    if vector.ndim > 1:
        return vector.reshape(vector.shape + (1,) * (like.ndim - vector.ndim))
    shape = [1] * like.ndim
    shape[min(axis, like.ndim - 1)] = -1
    return vector.reshape(shape)


@along_axis.infer_shape
def _(vector, like, *, axis):
    if vector is None or like is None:
        return [vector, like], [None]
    if len(vector) > 1:
        return [vector, like], [vector + (1,) * (len(like) - len(vector))]
    shape: list[int | None] = [1] * len(like)
    shape[min(axis, len(like) - 1)] = vector[0]
    return [vector, like], [tuple(shape)]


along_axis.infer_type(rules.type_of_first)
along_axis.family = "shape"


@along_axis.gradient
def _(F, dy, y, vector, like, *, axis):
    return [F.reshape_like(dy, vector), None]


# --- fully connected -----------------------------------------------------------------------------


@operator("FullyConnected", "_npx_fully_connected", threaded=True)
def fully_connected(
    xp,
    data: Array,
    weight: Array,
    bias: Array | None = None,
    num_hidden: int = REQUIRED,
    no_bias: bool = False,
    flatten: bool = True,
):
    """Return the affine map ``data · weightᵀ + bias``.

    Parameters
    ----------
    data : array
        The data, with one row for each example. All axes except the first are flattened into the row. If ``flatten`` is
        false, only the last axis is the row.
    weight : array
        The weights, of shape ``(num_hidden, features)``.
    bias : array, optional
        The bias, of shape ``(num_hidden,)``; required unless ``no_bias`` is true.
    num_hidden : int
        The number of outputs of each example.
    no_bias : bool
        Whether the layer has no bias.
    flatten : bool
        Whether to flatten all axes except the first.

    Examples
    --------
    >>> x, weight, bias = nd.array([[1, 2]]), nd.array([[3, 4]]), nd.array([0.5])
    >>> nd.FullyConnected(x, weight, bias, num_hidden=1)
    <BLANKLINE>
    [[11.5]]
    <NDArray 1x1 @cpu(0)>
    """
    check_bias("FullyConnected", bias, no_bias)
    dtype = data.dtype
    if dtype != weight.dtype or (bias is not None and dtype != bias.dtype):
        rules.same_type(dtype, weight.dtype, *([] if bias is None else [bias.dtype]))
    if dtype == numpy.float16 and xp is numpy:  # NumPy has no fast product of half-precision matrices
        arrays = [a if a is None else a.astype(numpy.float32) for a in (data, weight, bias)]
        return fully_connected(xp, *arrays, num_hidden, no_bias, flatten).astype(dtype)
    shape = data.shape
    if len(shape) == 2:
        rows = data
    elif flatten:
        rows = data.reshape(shape[0], math.prod(shape[1:]))
    else:
        rows = data.reshape(math.prod(shape[:-1]), shape[-1])
    if weight.shape != (num_hidden, rows.shape[1]) or (bias is not None and bias.shape != (num_hidden,)):
        bias_shape = None if bias is None else bias.shape
        _fully_connected_shape(shape, weight.shape, bias_shape, num_hidden=num_hidden, no_bias=no_bias, flatten=flatten)
    y = xp.dot(rows, weight.T)
    if bias is not None:
        xp.add(y, bias, out=y)
    return y if flatten or len(shape) == 2 else y.reshape(*shape[:-1], num_hidden)


fully_connected.precision = "half"
fully_connected.names_outputs = True


@fully_connected.flops
def _(result, data, weight, *bias, no_bias, **_):
    return 2 * result.size * weight.shape[1] + result.size * (bool(bias) and not no_bias)


@fully_connected.lowering
def _(emit):
    """Emit one matrix product, to which the bias is added in place.

    As in the kernel, further axes count as rows: NumPy would compute a product of arrays with more axes as many small
    products.
    """
    data, weight = emit.arguments[:2]
    shape, (units, features) = emit.types[0].shape, emit.types[1].shape
    flat = len(shape) == 2 or emit.node.params.get("flatten", True)
    if len(shape) != 2:
        data = emit.reshaped("flat", 0, (shape[0] if flat else math.prod(shape[:-1]), features))
    if flat:
        emit.call("dot", data, f"{weight}.T")
    elif emit.destination is None:
        result = ", ".join(map(str, emit.result.shape))
        emit.line(f"{emit.out} = {emit.function('dot')}({data}, {weight}.T).reshape({result})")
    else:
        rows = emit.view("rows", f"{emit.out}.reshape({math.prod(shape[:-1])}, {units})", emit.out)
        emit.line(f"{emit.function('dot')}({data}, {weight}.T, out={rows})")
    if len(emit.arguments) > 2 and not emit.node.params.get("no_bias", False):
        emit.increase(emit.out, emit.arguments[2])


@fully_connected.infer_shape
def _fully_connected_shape(data, weight, bias=None, *, num_hidden, no_bias, flatten):
    parameters = [weight] if no_bias else [weight, bias]
    if data is None:
        return [data, *parameters], [None]
    features = rules.known_size(data[1:]) if flatten else data[-1]
    parameters[0] = complete_parameter(weight, (num_hidden, features))
    if not no_bias:
        if bias is not None and bias != (num_hidden,) and bias != (None,):
            error = ShapeError(f"Unexpected shape for bias {rules.format_shape(bias)}")
            raise with_note(error, f"Pass a bias of shape ({num_hidden},), because num_hidden is {num_hidden}.")
        parameters[1] = (num_hidden,)
    return [data, *parameters], [(data[0], num_hidden) if flatten else (*data[:-1], num_hidden)]


fully_connected.infer_type(rules.same_type)


@fully_connected.input_names
def _(*, no_bias, **attributes):
    return ["data", "weight"] if no_bias else ["data", "weight", "bias"]


@fully_connected.gradient
def _(F, dy, y, data, weight, bias=None, *, num_hidden, no_bias, flatten, needs):
    if flatten:
        rows = F.Flatten(data)
    else:
        dy = F.Reshape(dy, shape=(-1, num_hidden))
        rows = F.Reshape(data, shape=(-1, 0), reverse=True)
    gradients = [
        F.reshape_like(F.dot(dy, weight), data) if needs[0] else None,
        F.dot(dy, rows, transpose_a=True) if needs[1] else None,
    ]
    if bias is not None:
        gradients.append(F.sum(dy, axis=0) if needs[2] else None)
    return gradients


# --- dropout -------------------------------------------------------------------------------------


@operator("Dropout", "_npx_dropout", outputs=2, visible_outputs=1)
def dropout(
    xp,
    data: Array,
    p: float = 0.5,
    mode: Literal["always", "training"] = "training",
    axes: Shape = (),
    cudnn_off: bool | None = False,
    training: Training = False,
    rng: Generator = None,
):
    """Set elements to zero at random in training mode, and scale the remaining elements by ``1 / (1 - p)``.

    Parameters
    ----------
    data : array
        An array of floats, of any shape.
    p : float
        The probability that an element is dropped.
    mode : {"training", "always"}
        Whether to drop elements only in training mode or always.
    axes : tuple of int
        The axes along which all elements are dropped together.
    cudnn_off : bool, optional
        Ignored.

    Notes
    -----
    The hidden second output is the mask, whose elements are 0 or ``1 / (1 - p)``.
    """
    require_float(data)
    shape = _mask_shape(data.shape, axes)
    if not training and mode != "always":
        return data.copy(), xp.broadcast_to(xp.ones((), data.dtype), shape)
    keep = 1.0 - p
    if keep <= 0.0:  # 0 · (1 / 0) is NaN, as in MXNet
        mask = xp.full(shape, numpy.nan, data.dtype)
    else:
        uniform = rng.random(shape, dtype=numpy.float64 if data.dtype == numpy.float64 else numpy.float32)
        mask = xp.multiply(uniform < keep, 1.0 / keep, dtype=data.dtype)
    return data * mask, mask


def _mask_shape(shape: Any, axes: tuple[Any, ...]) -> Any:
    if not axes or shape is None:
        return shape
    shared = {a % len(shape) for a in axes}
    return tuple(1 if i in shared else n for i, n in enumerate(shape))


dropout.names_outputs = True
dropout.hidden_names = ("mask",)
dropout.infer_shape(lambda data, *, axes, **attributes: ([data], [data, _mask_shape(data, axes)]))
dropout.infer_type(lambda data, **attributes: ([data], [data, data]))
dropout.family = "normalization"


@dropout.gradient
def _(F, dy, y, data, *, mode, axes, training, **attributes):
    if not training and mode != "always":
        return [dy[0]]
    return [F.broadcast_mul(dy[0], y[1]) if axes else dy[0] * y[1]]
