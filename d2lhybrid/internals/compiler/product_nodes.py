"""The search for matrix products, sums over ``a[m, k] * b[k, n]``, that generated kernels can compute."""

from __future__ import annotations

from collections.abc import Sequence

from ..core.graph import TensorType
from ..core.node import Node
from ..ops.products import Product

__all__ = ["product_of"]


def product_of(node: Node, types: Sequence[TensorType], result: TensorType) -> Product | None:
    """Return the matrix product that a node computes, if a generated kernel can compute the product.

    Parameters
    ----------
    node : Node
        A node with one result.
    types : sequence of TensorType
        The types of the node's inputs.
    result : TensorType
        The type of the node's result.

    Returns
    -------
    Product or None
        The product; None if the node computes no product, if an array is empty, or if the element types differ or
        aren't float32 or float64.
    """
    rule = None if node.op is None else node.op.product_rule
    if node.op is None or rule is None or result.size == 0 or result.dtype.name not in ("float32", "float64"):
        return None
    if any(t.dtype != result.dtype or t.size == 0 for t in types):
        return None
    return rule(result, *types, **node.op.complete(node.params))
