"""Families of operators: what is drawn in one colour, and what a node says of its settings.

Which family an operator belongs to, it says itself (``Operator.family``).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

__all__ = ["FAMILIES", "summary_of"]

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
