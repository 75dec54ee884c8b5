"""Families of operators: what is drawn in one colour, and what a node says of its settings."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..core.operator import Operator

__all__ = ["FAMILIES", "family_of", "summary_of"]

#: The families, and what the legend calls them.
FAMILIES: dict[str, str] = {
    "linear": "matrix product",
    "convolution": "convolution",
    "pooling": "pooling",
    "normalization": "normalization",
    "activation": "activation",
    "elementwise": "element-wise",
    "reduction": "reduction, loss",
    "shape": "shape, index",
    "other": "other",
}

#: Which family the operators of a file of ``d2lhybrid/ops`` belong to.
_OF_FILE = {
    "linear": "nn matrix numpy_matrix linalg linalg_factor linalg_diagonal einsum numpy_linalg numpy_svd",
    "convolution": "conv deconv correlation batch_last direct_convolution",
    "pooling": "pool resize roi spatial_transformer",
    "normalization": "batch_norm norm",
    "activation": "activation nonlinearity softmax",
    "elementwise": "elementwise binary comparison numpy_elementwise passing fuse_elementwise",
    "reduction": "reduce numpy_reduce statistics order loss ctc",
    "shape": "shape numpy_shape join split slicing reshape rearrange tiling diagonal index assign select sequence "
    "ravel numpy_edit broadcasting image",
}
_FAMILY = {file: family for family, files in _OF_FILE.items() for file in files.split()}
_EXCEPTIONS = {
    "Dropout": "other",
    "_along_axis": "shape",
    "_reduce_like": "reduction",
    "_bias_batch_last": "elementwise",
    "_backward_bias_batch_last": "reduction",
    "_dense_batch_last": "linear",
    "_backward_dense_batch_last_weight": "linear",
    "_pooling_batch_last": "pooling",
    "_backward_pooling_batch_last": "pooling",
}


def family_of(op: Operator) -> str:
    """Return the family of an operator.

    Examples
    --------
    >>> from d2lhybrid.core.operator import get_operator
    >>> family_of(get_operator("FullyConnected")), family_of(get_operator("_backward_relu"))
    ('linear', 'activation')
    """
    file = op.kernel.__module__.rpartition(".")[2]
    return _EXCEPTIONS.get(op.name) or _FAMILY.get(file, "other")


def _times(value: Any) -> str:
    return "×".join(map(str, value)) if isinstance(value, tuple | list) else str(value)


def _window(params: Mapping[str, Any]) -> str:
    text = _times(params["kernel"]) if params.get("kernel") else ""
    stride = params.get("stride") or ()
    return text + (f" /{stride[0]}" if stride and set(stride) == {stride[0]} and stride[0] != 1 else "")


def summary_of(name: str, params: Mapping[str, Any]) -> str:
    """Return the most important settings of an operator in a few letters.

    Examples
    --------
    >>> summary_of("Convolution", {"kernel": (3, 3), "stride": (2, 2), "num_filter": 64})
    '64 filters 3×3 /2'
    """
    if "Convolution" in name and "num_filter" in params:
        return f"{params['num_filter']} filters {_window(params)}"
    if "num_hidden" in params:
        return f"{params['num_hidden']} units"
    if name == "Pooling" or name == "_pooling_batch_last":
        kind = params.get("pool_type", "max")
        return f"global {kind}" if params.get("global_pool") else f"{kind} {_window(params)}"
    for key in ("act_type", "mode"):
        if isinstance(params.get(key), str):
            return params[key]
    if "scalar" in params:
        return f"{params['scalar']:g}"
    if name == "Dropout":
        return f"p = {params.get('p', 0.5):g}"
    if "Norm" in name:
        return ""
    for key in ("axes", "axis", "dim", "shape", "newshape"):
        if params.get(key) not in (None, ()):
            text = str(params[key]).replace(" ", "")
            return f"{key} {text}" if len(text) <= 20 else ""
    if "body" in params and hasattr(params["body"], "nodes"):
        return f"{len(params['body'].nodes)} operators"
    return ""
