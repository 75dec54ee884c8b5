"""The meanings of parameters with the same name everywhere: ``axis``, ``keepdims``, ``dtype``.

An operator's docstring describes what is specific to it. Meanings shared by all operators of a file are at its top, as
``MEANINGS``; those shared by all operators are here.
"""

from __future__ import annotations

import sys

from ..core.operator import Operator

__all__ = ["meaning_of"]

_SHARED = {
    "data": "The input.",
    "args": "The inputs.",
    "x": "The input.",
    "a": "The input.",
    "A": "A matrix, or a stack of matrices.",
    "x1": "The left operand.",
    "x2": "The right operand.",
    "lhs": "The left operand.",
    "rhs": "The right operand.",
    "left": "The left operand.",
    "right": "The right operand.",
    "axis": "The axis that it is about, or axes where a tuple is given; negative numbers count from the last.",
    "axes": "The axes that it is about.",
    "keepdims": "Whether axes that are reduced stay, with size 1.",
    "exclude": "Whether ``axis`` names the axes that stay.",
    "shape": "Shape of the result.",
    "dtype": "Element type of the result.",
    "out_dtype": "Element type of the result.",
    "ctx": "Where the result lives; the current context by default.",
    "out": "The destination of the result.",
    "indices": "Positions, as numbers.",
    "index": "Which elements are taken.",
    "label": "What the output should have been.",
    "weight": "The weights.",
    "transpose_a": "Whether the first factor is transposed.",
    "transpose_b": "Whether the second factor is transposed.",
    "forward_stype": "Without effect: all arrays are dense.",
    "sequence_length": "How long each sequence of the batch is.",
    "use_sequence_length": "Whether ``sequence_length`` is read; else all sequences are as long as the array.",
    "length": "How many elements count, for each row.",
    "use_length": "Whether ``length`` is read.",
    "temperature": "What the input is divided by.",
    "grad_scale": "Factor of the gradient.",
    "is_ascend": "Whether the smallest comes first.",
    "block_size": "Width and height of a block.",
    "reps": "How often along each axis.",
    "repeats": "How often each element.",
    "rtol": "Tolerance, relative to the second array.",
    "atol": "Tolerance besides.",
    "equal_nan": "Whether NaN counts as equal to NaN.",
    "a_min": "The smallest value that is let through.",
    "a_max": "The largest value that is let through.",
    "begin": "Where it begins.",
    "end": "Where it ends, itself excluded.",
    "start": "The first number.",
    "stop": "Where it ends.",
    "step": "The distance between neighbours.",
    "decimals": "How many digits after the point.",
    "ddof": "What is taken from the number of elements, for the divisor.",
    "size": "Shape of the draws.",
    "order": "Layout in memory; NumPy's parameter.",
    "prefix": "What the names of the block's parameters begin with.",
    "params": "Parameters to share, of another block.",
    "device_id": "Number of the device.",
    "kwargs": "Further arguments, by name.",
    "layout": "The order of the axes, such as ``NCHW``.",
    "activation": "The activation behind it, such as ``relu``.",
    "strides": "Steps of the window.",
    "padding": "Zeros at both ends of each axis.",
    "dilation": "Distance between the elements of a window.",
    "channels": "How many filters there are.",
    "in_channels": "Channels of the input; found at the first call, if 0.",
    "kernel_size": "Size of a filter.",
    "groups": "How many groups channels and filters are divided into.",
    "use_bias": "Whether there is a bias.",
    "weight_initializer": "What the weights begin with.",
    "bias_initializer": "What the bias begins with.",
    "i2h_weight_initializer": "What the weights of the input begin with.",
    "h2h_weight_initializer": "What the weights of the state begin with.",
    "i2h_bias_initializer": "What the bias of the input begins with.",
    "h2h_bias_initializer": "What the bias of the state begins with.",
    "pool_size": "Size of a window.",
    "ceil_mode": "Whether a window that is not full counts.",
    "endpoint": "Whether the last number is included.",
    "num": "How many numbers.",
    "fill_value": "What every element is.",
    "axis1": "One axis.",
    "axis2": "The other.",
    "batch_size": "How many examples a batch has.",
    "pretrained": "Whether weights are read from ``root``; nothing is downloaded.",
}


def meaning_of(name: str, op: Operator | None = None) -> str:
    """Return the meaning of a parameter; empty if it differs between operators.

    Parameters
    ----------
    name : str
        The parameter.
    op : Operator, optional
        The operator; by default the meaning for all operators.

    Examples
    --------
    >>> from d2lhybrid.internals.core.operator import get_operator
    >>> meaning_of("keepdims")
    'Whether axes that are reduced stay, with size 1.'
    >>> meaning_of("mom", get_operator("sgd_mom_update"))
    'The momentum; updated in place.'
    """
    own = getattr(sys.modules[op.kernel.__module__], "MEANINGS", {}) if op is not None else {}
    return own.get(name) or _SHARED.get(name, "")
