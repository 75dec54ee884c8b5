"""``sym.var``: an input of a graph."""

from __future__ import annotations

from typing import Any

from .. import attribute
from ..core.node import Node
from ..support.dtypes import dtype_code
from .symbol import Symbol

__all__ = ["Variable", "var"]


def var(
    name: str,
    attr: dict[str, str] | None = None,
    shape: Any = None,
    lr_mult: float | None = None,
    wd_mult: float | None = None,
    dtype: Any = None,
    init: Any = None,
    stype: str | None = None,
    profiler_scope: str | None = None,
    **kwargs: Any,
) -> Symbol:
    """Return a variable: an input of a graph.

    Parameters
    ----------
    name : str
        Its name.
    attr : dict, optional
        Attributes, text to text.
    shape, dtype, init, lr_mult, wd_mult, stype : optional
        What is known of the array; stored as attributes.
    **kwargs : str
        Further attributes; their names must look like ``__this__``.

    Raises
    ------
    TypeError
        If the name is not a string.
    ValueError
        For a further attribute without underscores.

    Examples
    --------
    >>> var("data", shape=(2, 3)).list_attr()
    {'__shape__': '(2, 3)'}
    """
    if not isinstance(name, str):
        raise TypeError("Expect a string for variable `name`")
    attrs = {**attribute.AttrScope.switches.attributes, **attribute.hidden(attr or {})}
    if shape is not None:
        attrs["__shape__"] = str(shape)
    if lr_mult is not None:
        attrs["__lr_mult__"] = str(lr_mult)
    if wd_mult is not None:
        attrs["__wd_mult__"] = str(wd_mult)
    if dtype is not None:
        attrs["__dtype__"] = str(dtype_code(dtype))
    if init is not None:
        attrs["__init__"] = init if isinstance(init, str) else init.dumps()
    if stype is not None:
        attrs["__storage_type__"] = str({"default": 0, "row_sparse": 1, "csr": 2}[stype])
    for key, value in kwargs.items():
        if not (key.startswith("__") and key.endswith("__")):
            raise ValueError(
                f"Attribute name={key} is not supported. Additional attributes must start and end with double "
                "underscores, e.g, __yourattr__"
            )
        attrs[key] = value
    return Symbol([(Node(None, name, attrs=attrs), 0)])


Variable = var
