"""The dense layer for a batch of one, as a product of a matrix and a vector.

Only the compiler's pass ``drop_unit_batch`` creates this operator, as a replacement for ``FullyConnected``. For a
product of a matrix and a vector and for a sum of vectors, NumPy has half the overhead of the same operations on
matrices with one row.
"""

from __future__ import annotations

from ..core.operator import Array, operator
from . import rules

__all__: list[str] = []

FAMILY = "linear"


@operator("_dense_vector", threaded=True)
def dense(xp, data: Array, weight: Array):
    """Return the product ``weight · data`` of a matrix and a vector."""
    return xp.dot(weight, data)


@dense.infer_shape
def _(data, weight):
    if data is None or weight is None:
        return [data, weight], [None]
    return [data, weight], [(weight[0],)]


dense.infer_type(rules.same_type)
dense.flops(lambda y, data, weight: 2 * weight.size)
dense.lowering(lambda emit: emit.call("dot", emit.arguments[1], emit.arguments[0]))


@dense.gradient
def _(F, dy, y, data, weight, *, needs):
    return [
        F.dot(weight, dy, transpose_a=True) if needs[0] else None,
        F._backward_dense_vector_weight(dy, data) if needs[1] else None,
    ]


@operator("_backward_dense_vector_weight", differentiable=False)
def dense_weight_gradient(xp, dy: Array, data: Array):
    """Return the gradient of the weights, an outer product."""
    return dy[:, None] * data


@dense_weight_gradient.infer_shape
def _(dy, data):
    if dy is None or data is None:
        return [dy, data], [None]
    return [dy, data], [(dy[0], data[0])]


dense_weight_gradient.infer_type(rules.same_type)
