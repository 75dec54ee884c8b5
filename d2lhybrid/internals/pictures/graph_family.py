"""Families of operators, each with its own color, and short texts about nodes and their attributes.

Each operator declares its own family (``Operator.family``).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..support.plural import counted

__all__ = ["FAMILIES", "as_written", "summary_of", "title_of"]

#: Name of a NumPy function -> its symbol.
_SIGNS = {"add": "+", "subtract": "−", "multiply": "×", "divide": "÷", "true_divide": "÷", "power": "^"}

#: The families, and their names in the legend.
FAMILIES: dict[str, str] = {
    "linear": "matrix product",
    "convolution": "convolution",
    "pooling": "pooling",
    "normalization": "normalization, dropout",
    "activation": "activation",
    "elementwise": "element-wise",
    "reduction": "reduction, loss",
    "shape": "shape, index",
    "control": "loop, branch",
    "other": "other",
}


def title_of(op: Any, params: Mapping[str, Any]) -> str:
    """Return the title of an operator's node: the operator's mathematical sign or, if it has no sign, its name.

    Parameters
    ----------
    op : Operator
        The operator of the node.
    params : mapping of str to object
        The attributes of the node.

    Returns
    -------
    str
        The title, such as ``× 2``.

    Examples
    --------
    >>> from d2lhybrid import sym
    >>> from d2lhybrid.internals.core.operator import get_operator
    >>> title_of(get_operator("_mul_scalar"), {"scalar": 2.0}), title_of(get_operator("elemwise_add"), {})
    ('× 2', '+')
    >>> title_of(get_operator("_rminus_scalar"), {"scalar": 1.0}), title_of(get_operator("FullyConnected"), {})
    ('1 − x', 'FullyConnected')
    """
    sign = _SIGNS.get(op.ufunc_name or "")
    if sign and "scalar" in params:
        scalar = f"{params['scalar']:g}"
        return f"{scalar} {sign} x" if op.ufunc_reversed else f"{sign} {scalar}"
    if sign:
        return sign
    name = op.name.lstrip("_")
    for prefix in ("npi_", "npx_", "np_", "contrib_"):
        name = name.removeprefix(prefix)
    return f"∂ {name.removeprefix('backward_')}" if name.startswith("backward_") else name


def as_written(path: str) -> str:
    """Return the path of a block in source notation, with indices for the children of a sequence.

    Examples
    --------
    >>> as_written("features.4.0.body"), as_written("0"), as_written("hidden (call 2)")
    ('features[4][0].body', '[0]', 'hidden (call 2)')
    """
    parts = [f"[{part}]" if part.isdecimal() else f".{part}" for part in path.split(".")]
    return "".join(parts).removeprefix(".")


def _times(value: Any) -> str:
    return "×".join(map(str, value)) if isinstance(value, tuple | list) else str(value)


def _window(params: Mapping[str, Any]) -> str:
    text = _times(params["kernel"]) if params.get("kernel") else ""
    stride = params.get("stride") or ()
    return text + (f" /{stride[0]}" if stride and set(stride) == {stride[0]} and stride[0] != 1 else "")


def summary_of(name: str, params: Mapping[str, Any]) -> str:
    """Return the most important attributes of an operator in a few characters.

    Parameters
    ----------
    name : str
        Name of the operator.
    params : mapping of str to object
        The attributes of the node.

    Returns
    -------
    str
        The attributes; empty if the operator has no important attributes.

    Examples
    --------
    >>> summary_of("Convolution", {"kernel": (3, 3), "stride": (2, 2), "num_filter": 64})
    '64 filters 3×3 /2'
    """
    if "Convolution" in name and "num_filter" in params:
        return f"{counted(params['num_filter'], 'filter')} {_window(params)}"
    if "num_hidden" in params:
        return counted(params["num_hidden"], "unit")
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
            several = text if text[0] in "([" and key != "axis" else f"{key} {text}"
            return several if len(text) <= 20 else ""
    if "body" in params and hasattr(params["body"], "nodes"):
        return counted(len(params["body"].nodes), "operator")
    return ""
