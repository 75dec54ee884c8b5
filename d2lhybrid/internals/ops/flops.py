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
    """Return the rule for a matrix product of the inputs with the indices ``first`` and ``second``, without batch axes.

    If the matrices have M·K, K·N, and M·N elements, the number of multiplications, M·K·N, is the square root of the
    product of these three sizes. This is true whichever of the three matrices is the result.
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
    """Return the number of operations of a convolution, in which each element of the result is a sum over a window."""
    return 2 * result.size * per_filter(weight) + result.size * (bool(bias) and not no_bias)


def convolution_data_gradient(result: TensorType, dy: TensorType, weight: TensorType, *_: TensorType, **__: Any) -> int:
    """Return the number of operations of the data gradient of a convolution."""
    return 2 * dy.size * per_filter(weight)


def convolution_weight_gradient(result: TensorType, dy: TensorType, *_: TensorType, **__: Any) -> int:
    """Return the number of operations of the weight gradient of a convolution; `result` is this gradient."""
    return 2 * dy.size * per_filter(result)
