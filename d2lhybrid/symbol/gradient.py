"""The gradient of a symbol, as a symbol."""

from __future__ import annotations

from typing import Any

from ..internals.core.passes.differentiate import differentiate
from ..internals.core.typed_graph import typed_graph

__all__ = ["gradient_symbol"]


def gradient_symbol(symbol: Any, wrt: list[str]) -> Any:
    """Return a symbol for the gradients of a symbol's outputs with respect to variables.

    The variables' ``__shape__`` attributes must determine all shapes.

    Parameters
    ----------
    symbol : Symbol
        The symbol.
    wrt : list of str
        Names of the variables.

    Returns
    -------
    Symbol
        The gradients, in the order of ``wrt``. The gradient of a variable that does not affect the outputs is zero.
    """
    names = symbol.list_inputs()
    graph = typed_graph(symbol, names, {}, {}, training=True)
    graph = differentiate(graph, [n in wrt for n in names])
    ones = {
        head: graph.make("ones_like", f"{head.name}_ones", [entry])
        for head, entry in zip(graph.head_gradients, graph.outputs, strict=True)
    }
    graph = graph.rewrite(lambda node, inputs: None, ones)
    by_name = dict(zip(names, graph.gradients, strict=True))
    entries = []
    for name in wrt:
        entry = by_name[name]
        if entry is None:
            entry = graph.make("zeros_like", f"{name}_grad", [(graph.inputs[names.index(name)], 0)])
        entries.append(entry)
    return type(symbol)(entries)
