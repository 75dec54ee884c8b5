"""Rules for ``Operator.flops``, which compute the number of operations of products and convolutions from types.

A multiplication and an addition count as two operations.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ..core.graph import TensorType

__all__ = ["contraction", "convolution", "convolution_data_gradient", "convolution_weight_gradient", "per_filter"]


def contraction(first: int = 0, second: int = 1) -> Callable[..., int]:
    """Return the rule of a product of two inputs, which are given by index, without batch axes.

    With sizes MK, KN, and MN, the number of multiplications, MKN, is the square root of their product,
    for any of the three as the result.
    """

    def rule(result: TensorType, *inputs: TensorType, **_: Any) -> int:
        return 2 * math.isqrt(inputs[first].size * inputs[second].size * result.size)

    return rule


def per_filter(weight: TensorType) -> int:
    """Return the number of multiplications for one element of a convolution's output."""
    return weight.size // max(weight.shape[0], 1)


def convolution(
    result: TensorType, data: TensorType, weight: TensorType, *bias: TensorType, no_bias: bool = False, **_: Any
) -> int:
    """Return the operations of a convolution, in which each element of the result is a sum over a window."""
    return 2 * result.size * per_filter(weight) + result.size * (bool(bias) and not no_bias)


def convolution_data_gradient(result: TensorType, dy: TensorType, weight: TensorType, *_: TensorType, **__: Any) -> int:
    """Return the operations of the gradient of the data."""
    return 2 * dy.size * per_filter(weight)


def convolution_weight_gradient(result: TensorType, dy: TensorType, *_: TensorType, **__: Any) -> int:
    """Return the operations of the gradient of the weights, which has the shape of the weights."""
    return 2 * dy.size * per_filter(result)
