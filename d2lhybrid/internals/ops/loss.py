"""Output layers with an implicit loss, which return predictions, and whose gradient is the gradient of a loss.

The loss itself is never computed. In the backward pass, ``SoftmaxOutput`` and similar operators ignore the incoming
gradient and return the gradient of the loss, such as ``prediction - label``. They are the last operators of a network
in the symbolic style.
"""

from __future__ import annotations

import math
from typing import Any, Literal

from ...error import ShapeError
from ..core.infer import format_shape
from ..core.operator import Array, operator
from . import rules
from .activation import sigmoid
from .index import integer_indices
from .nn import require_float
from .not_differentiable import not_differentiable
from .softmax import softmax_of

FAMILY = "reduction"
#: The smallest number that is too large for a label.
_INTEGERS = 2**31
MEANINGS = {
    "use_ignore": "Whether the gradient is 0 where the label is ``ignore_label``.",
    "LinearRegressionOutput.data": "The predictions, an array of floats of shape ``(batch, ...)``.",
    "LogisticRegressionOutput.data": "The logits, an array of floats of shape ``(batch, ...)``.",
    "MAERegressionOutput.data": "The predictions, an array of floats of shape ``(batch, ...)``.",
    "label": "The target values, with the batch size and the number of elements of ``data``.",
}

# --- softmax with cross-entropy ------------------------------------------------------------------


@operator("SoftmaxOutput", "Softmax")
def softmax_output(
    xp,
    data: Array,
    label: Array,
    grad_scale: float = 1.0,
    ignore_label: float = -1.0,
    multi_output: bool = False,
    use_ignore: bool = False,
    preserve_shape: bool = False,
    normalization: Literal["batch", "null", "valid"] = "null",
    out_grad: bool = False,
    smooth_alpha: float = 0.0,
):
    """Return the softmax of the data; the backward pass returns the gradient of the cross-entropy with the labels.

    Parameters
    ----------
    data : array
        The logits, of shape ``(batch, classes)``; all axes except the first are flattened into one axis.
    label : array
        The class indices, or probabilities in the shape of the data.
    grad_scale : float
        The number by which the gradient is multiplied.
    ignore_label : float
        The class whose examples have no gradient if ``use_ignore`` is true.
    multi_output : bool
        Whether the classes are on axis 1, with a label for each position along the axes after axis 1.
    preserve_shape : bool
        Whether the classes are on the last axis.
    normalization : {"null", "batch", "valid"}
        The divisor of the gradient: none (with ``multi_output``, the number of positions), the number of labels, or the
        number of labels that aren't ignored.
    out_grad : bool
        Whether the gradient is multiplied by the incoming gradient. By default, the incoming gradient is ignored.
    smooth_alpha : float
        The share of the labels' probability that is distributed among all other classes.

    Examples
    --------
    >>> x = nd.array([[0, 0]])
    >>> x.attach_grad()
    >>> with autograd.record():
    ...     y = nd.SoftmaxOutput(x, nd.array([1]))
    >>> y.backward()
    >>> x.grad
    <BLANKLINE>
    [[ 0.5 -0.5]]
    <NDArray 1x2 @cpu(0)>
    """
    if multi_output:
        return softmax_of(xp, data, 1)
    if preserve_shape or data.ndim == 2:
        return softmax_of(xp, data, -1)
    return softmax_of(xp, data.reshape(len(data), -1), 1).reshape(data.shape)


softmax_output.precision = "single"
softmax_output.names_outputs = True
softmax_output.lenient = True


@softmax_output.infer_shape
def _(data, label, *, multi_output, **attributes):
    if data is None:
        return [data, label], [None]
    if label == data and None not in data:
        return [data, label], [data]  # probabilities
    with_axis = (data[0], 1, *data[2:])
    if multi_output and label == with_axis:
        return [data, label], [data]
    if label is not None and len(label) == len(data) and label != (*data[:-1], 1):
        differ = any(a != b and None not in (a, b) for a, b in zip(label, data, strict=True))
        if not differ:
            return [data, rules.unify(label, data)], [data]  # probabilities
    if not multi_output:
        return [data, rules.unify(label, data[:-1])], [data]
    positions = (data[0], *data[2:])
    flat = (data[0], rules.known_size(data[2:]))
    if label is None:
        return [data, flat], [data]
    if label not in (positions, flat) and None not in label:
        raise ShapeError(f"Expecting {format_shape(flat)} or {format_shape(positions)}. But got {format_shape(label)}")
    return [data, label], [data]


softmax_output.is_loss = True
softmax_output.infer_type(rules.same_type)


@softmax_output.gradient
def _(F, dy, y, data, label, **attributes):
    dx = F._backward_SoftmaxOutput(y, label, **attributes)
    # As in MXNet's documentation. MXNet 1.9 itself multiplies by the output instead of the incoming gradient.
    return [dx * dy if attributes["out_grad"] else dx, None]


@operator("_backward_SoftmaxOutput")
def softmax_output_gradient(
    xp,
    output: Array,
    label: Array,
    grad_scale: float = 1.0,
    ignore_label: float = -1.0,
    multi_output: bool = False,
    use_ignore: bool = False,
    preserve_shape: bool = False,
    normalization: Literal["batch", "null", "valid"] = "null",
    out_grad: bool = False,  # handled by the caller
    smooth_alpha: float = 0.0,
):
    """Return the gradient of SoftmaxOutput: the probabilities minus the one-hot vectors of the labels."""
    if label.shape == output.shape:
        return (output - label) * grad_scale
    if not output.size:
        return xp.zeros_like(output)
    every = label
    if not (multi_output or preserve_shape):  # one label for each example; MXNet only counts the others
        label = label.reshape(-1)[: len(output)]
    classes = output.shape[1] if multi_output else output.size // label.size
    shape = (len(output), classes, -1) if multi_output else (label.size, classes)
    probabilities = output.reshape(shape)
    label = label.reshape(len(output), 1, -1) if multi_output else label.reshape(-1, 1)
    numbers = xp.arange(classes).reshape(-1, 1) if multi_output else xp.arange(classes)
    label = integer_indices(label)
    hit = numbers == label
    if smooth_alpha and not multi_output:
        target = hit * output.dtype.type(1 - smooth_alpha)
        target += ~hit * output.dtype.type(smooth_alpha / (classes - 1))
        gradient = probabilities - target
    else:
        gradient = probabilities - hit
    scale = output.dtype.type(grad_scale)
    ignored = int(ignore_label) if abs(ignore_label) < _INTEGERS else -_INTEGERS  # as C converts numbers, also NaN
    if use_ignore:
        gradient = gradient * (label != ignored)
    if normalization == "batch":
        scale = scale / every.size
    elif normalization == "valid":  # ignored labels don't count, even if they have a gradient
        gradient = gradient / xp.asarray(
            xp.maximum(xp.count_nonzero(integer_indices(every) != ignored), 1), dtype=output.dtype
        )
    elif multi_output:
        scale = scale / label.shape[-1]
    return (gradient * output.dtype.type(scale)).reshape(output.shape)


softmax_output_gradient.infer_shape(lambda output, label, **attributes: ([output, label], [output]))
softmax_output_gradient.infer_type(rules.type_of_first)
not_differentiable(softmax_output_gradient)


# --- regression ------------------------------------------------------------------------------------


def _regression(name: str, predict: Any, difference: Any, doc: str) -> None:
    """Register an output layer for regression, and its gradient."""

    def run(xp, data: Array, label: Array, grad_scale: float = 1.0):
        require_float(data)
        return predict(xp, data)

    def run_backward(xp, output: Array, label: Array, grad_scale: float = 1.0):
        per_example = label.size // max(1, len(label))
        scale = output.dtype.type(grad_scale / max(1, per_example))
        return difference(xp, output - label.reshape(output.shape)) * scale

    run.__doc__ = doc
    run_backward.__doc__ = f"Return the gradient of {name}."
    forward = operator(name)(run)
    backward = operator(f"_backward_{name}")(run_backward)

    @forward.infer_shape
    def _(data, label, *, grad_scale):
        if data is None:
            return [data, label], [None]
        if label is None:
            return [data, (data[0],) if len(data) == 2 and data[1] == 1 else data], [data]
        sizes = rules.known_size(data), rules.known_size(label)
        if None not in sizes and (sizes[0] != sizes[1] or data[:1] != label[:1]):
            raise ShapeError(f"Shape inconsistent, Provided={format_shape(label)}, inferred shape={format_shape(data)}")
        return [data, label], [data]

    forward.is_loss = forward.takes_anything = True
    forward.precision = "single"
    forward.lenient = True
    forward.infer_type(rules.same_type)
    backward.infer_shape(lambda output, label, **attributes: ([output, label], [output]))
    backward.infer_type(rules.type_of_first)
    not_differentiable(backward)

    @forward.gradient
    def _(F, dy, y, data, label, *, grad_scale):
        return [getattr(F, f"_backward_{name}")(y, label, grad_scale=grad_scale), None]


_regression(
    "LinearRegressionOutput",
    lambda xp, x: x.copy(),
    lambda xp, d: d,
    "Return the data; the backward pass returns the gradient of half the squared distance to the labels.",
)
_regression(
    "LogisticRegressionOutput",
    sigmoid,
    lambda xp, d: d,
    "Return the sigmoid; the backward pass returns the gradient of the binary cross-entropy with the labels.",
)
_regression(
    "MAERegressionOutput",
    lambda xp, x: x.copy(),
    lambda xp, d: xp.where(d > 0, d.dtype.type(1), d.dtype.type(-1)),  # -1 where both are equal
    "Return the data; the backward pass returns the gradient of the absolute distance to the labels.",
)


# --- any loss, and support vector machines ---------------------------------------------------------


@operator("MakeLoss")
def make_loss(
    xp,
    data: Array,
    grad_scale: float = 1.0,
    valid_thresh: float = 0.0,
    normalization: Literal["batch", "null", "valid"] = "null",
):
    """Return the values of a loss, from which the backward pass starts with the gradient ``grad_scale``.

    Parameters
    ----------
    data : array
        The values of the loss, of any shape.
    grad_scale : float
        The gradient with respect to each value.
    valid_thresh : float
        The threshold above which values are valid for ``normalization="valid"``.
    normalization : {"null", "batch", "valid"}
        The divisor of the gradient: none, the number of rows (the product of all sizes except the last), or the
        number of valid values.
    """
    return data.copy()


make_loss.precision = "single"
make_loss.names_outputs = True
make_loss.infer_shape(rules.same)
make_loss.is_loss = True
make_loss.infer_type(rules.same_type)
make_loss.gradient(lambda F, dy, y, data, **attributes: [F._backward_MakeLoss(data, **attributes)])


@operator("_backward_MakeLoss", differentiable=False)
def make_loss_gradient(
    xp,
    data: Array,
    grad_scale: float = 1.0,
    valid_thresh: float = 0.0,
    normalization: Literal["batch", "null", "valid"] = "null",
):
    """Return the gradient of MakeLoss, whose elements are all equal."""
    if normalization == "batch":
        grad_scale /= max(1, math.prod(data.shape[:-1]))  # MXNet reads the data as a matrix
    gradient = xp.full(data.shape, grad_scale, data.dtype)
    if normalization == "valid":
        gradient /= xp.maximum(xp.count_nonzero(data > valid_thresh), 1)
    return gradient


make_loss_gradient.infer_shape(rules.same)
make_loss_gradient.infer_type(rules.same_type)


@operator("SVMOutput")
def svm_output(
    xp,
    data: Array,
    label: Array,
    margin: float = 1.0,
    regularization_coefficient: float = 1.0,
    use_linear: bool = False,
):
    """Return the data; the backward pass returns the gradient of the hinge loss of a support vector machine.

    Parameters
    ----------
    data : array
        The scores, of shape ``(batch, classes)``.
    label : array
        The class indices, of shape ``(batch,)``.
    margin : float
        The margin: the score of the correct class should be at least ``margin``, and all other scores at most
        ``-margin``.
    regularization_coefficient : float
        The number by which the gradient is multiplied.
    use_linear : bool
        Whether to use the hinge loss itself instead of its square.
    """
    return data.copy()


svm_output.precision = "single"
svm_output.names_outputs = True
svm_output.lenient = True


@svm_output.infer_shape
def _(data, label, **attributes):
    if data is None or len(data) < 2:
        return [data, label], [data]
    return [data, rules.unify(label, data[:-1])], [data]


svm_output.is_loss = True
svm_output.infer_type(rules.same_type)


@svm_output.gradient
def _(F, dy, y, data, label, **attributes):
    return [F._backward_SVMOutput(y, label, **attributes), None]


@operator("_backward_SVMOutput")
def svm_output_gradient(
    xp,
    output: Array,
    label: Array,
    margin: float = 1.0,
    regularization_coefficient: float = 1.0,
    use_linear: bool = False,
):
    """Return the gradient of SVMOutput with respect to the data."""
    hit = xp.arange(output.shape[-1]) == xp.expand_dims(integer_indices(label), -1)
    sign = 1 - 2 * hit.astype(output.dtype)  # -1 for the correct class, whose score should rise
    gap = margin + sign * output
    slope = (gap > 0).astype(output.dtype) if use_linear else 2 * xp.maximum(gap, 0)
    return sign * slope * regularization_coefficient


svm_output_gradient.infer_shape(lambda output, label, **attributes: ([output, label], [output]))
svm_output_gradient.infer_type(rules.type_of_first)
not_differentiable(svm_output_gradient)
