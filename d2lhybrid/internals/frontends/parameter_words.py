"""The meanings of parameters that many operators share, such as ``axis``, ``keepdims``, and ``dtype``.

The docstring of an operator describes parameters that are specific to the operator. ``MEANINGS`` at the top of a file
describes parameters that the operators of the file share, or, with a key such as ``"argmax.axis"``, a parameter of one
operator. This file describes parameters that many operators share.
"""

from __future__ import annotations

import sys

from ..core.operator import Operator

__all__ = ["meaning_of"]

_SHARED = {
    "data": "The input array.",
    "args": "The input arrays.",
    "x": "The input array.",
    "a": "The input array.",
    "A": "A matrix or a stack of matrices.",
    "x1": "The left operand.",
    "x2": "The right operand.",
    "lhs": "The left operand.",
    "rhs": "The right operand.",
    "left": "The left operand.",
    "right": "The right operand.",
    "axis": "The axis of the operation, or a tuple of axes; negative numbers count from the last axis.",
    "axes": "The axes of the operation.",
    "keepdims": "Whether the reduced axes remain with size 1.",
    "exclude": "Whether ``axis`` contains the axes that remain.",
    "shape": "The shape of the result.",
    "dtype": "The element type of the result.",
    "out_dtype": "The element type of the result.",
    "ctx": "The device of the result; the current context by default.",
    "out": "The destination of the result.",
    "indices": "The indices of the elements to take.",
    "index": "The indices of the elements to take.",
    "label": "The target values.",
    "weight": "The weights.",
    "transpose_a": "Whether the first factor is transposed.",
    "transpose_b": "Whether the second factor is transposed.",
    "forward_stype": "Ignored; accepted because MXNet's operator has this parameter.",
    "sequence_length": "The length of each sequence in the batch.",
    "use_sequence_length": "Whether to use ``sequence_length``; if not, all sequences have the full length.",
    "length": "The number of valid elements in each row.",
    "use_length": "Whether to use ``length``.",
    "temperature": "The number by which the input is divided.",
    "grad_scale": "The number by which the gradient is multiplied.",
    "is_ascend": "Whether the order is ascending.",
    "block_size": "The width and height of a block.",
    "reps": "The number of repetitions along each axis.",
    "repeats": "The number of repetitions of each element.",
    "rtol": "The tolerance relative to the second array.",
    "atol": "The absolute tolerance.",
    "equal_nan": "Whether NaN counts as equal to NaN.",
    "a_min": "The lower limit, which replaces smaller values.",
    "a_max": "The upper limit, which replaces larger values.",
    "begin": "The index of the first element.",
    "end": "The index after the last element.",
    "start": "The first number.",
    "stop": "The end of the interval.",
    "step": "The difference between neighboring numbers.",
    "decimals": "The number of decimal places.",
    "ddof": "The difference between the number of elements and the divisor.",
    "size": "The shape of the draws.",
    "order": "The memory layout, such as ``C``.",
    "prefix": "The prefix for the names of the block's parameters.",
    "params": "The parameters of another block, which this block shares.",
    "device_id": "The index of the device.",
    "kwargs": "Additional keyword arguments.",
    "layout": "The order of the axes, such as ``NCHW``.",
    "activation": "The activation function after the layer, such as ``relu``.",
    "strides": "The strides of the window.",
    "padding": "The number of elements to add at both ends of each axis.",
    "dilation": "The distance between elements of a window.",
    "channels": "The number of filters.",
    "in_channels": "The number of input channels; 0 to infer the number at the first call.",
    "kernel_size": "The size of a filter.",
    "groups": "The number of groups into which channels and filters are divided.",
    "use_bias": "Whether the layer has a bias.",
    "weight_initializer": "The initializer of the weights.",
    "bias_initializer": "The initializer of the bias.",
    "i2h_weight_initializer": "The initializer of the input weights.",
    "h2h_weight_initializer": "The initializer of the state weights.",
    "i2h_bias_initializer": "The initializer of the input bias.",
    "h2h_bias_initializer": "The initializer of the state bias.",
    "pool_size": "The size of a window.",
    "ceil_mode": "Whether the number of windows is rounded up, so that the last window may be incomplete.",
    "endpoint": "Whether the last number is included.",
    "num": "The length of the result.",
    "fill_value": "The value of every element.",
    "axis1": "The first axis.",
    "axis2": "The second axis.",
    "batch_size": "The number of examples in a batch.",
    "pretrained": "Whether to read weights from ``root``; nothing is downloaded.",
}


#: The meaning of ``axis`` for operators that accept only one axis.
_ONE_AXIS = "The axis of the operation; negative numbers count from the last axis."


def meaning_of(name: str, op: Operator | None = None) -> str:
    """Return the shared meaning of a parameter, or an empty string if the parameter has no shared meaning.

    Parameters
    ----------
    name : str
        The parameter's name.
    op : Operator, optional
        The operator, whose file may define a different meaning. By default, the meaning is the same for all operators.

    Examples
    --------
    >>> from d2lhybrid.internals.core.operator import get_operator
    >>> meaning_of("keepdims")
    'Whether the reduced axes remain with size 1.'
    >>> meaning_of("mom", get_operator("sgd_mom_update"))
    'The momentum; updated in place.'
    >>> meaning_of("axis", get_operator("log_softmax"))
    'The axis of the operation; negative numbers count from the last axis.'
    """
    if op is None:
        return _SHARED.get(name, "")
    own = getattr(sys.modules[op.kernel.__module__], "MEANINGS", {})
    if text := own.get(f"{op.name}.{name}") or own.get(name):
        return text
    attribute = op.attributes.get(name)
    if name == "axis" and attribute is not None and attribute.kind.partition(" | ")[0] == "int":
        return _ONE_AXIS
    return _SHARED.get(name, "")
