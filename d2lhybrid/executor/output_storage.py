"""The storage types of what a graph computes from sparse arrays."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ..core.cached_op import MAX_PROGRAMS, Newest
from ..core.infer import infer_shapes
from ..core.node import Entry, topological_order
from ..ndarray.storage import Stored, storage_of_result

__all__ = ["OutputStorage", "storage_of_outputs"]


def storage_of_outputs(entries: Sequence[Entry], given: Mapping[str, Stored]) -> list[str]:
    """Return the storage types that the outputs of a graph have in MXNet.

    Parameters
    ----------
    entries : sequence of Entry
        The outputs.
    given : mapping
        Name of a variable -> what it is given.

    Examples
    --------
    >>> from d2lhybrid import sym
    >>> x = sym.var("x")
    >>> storage_of_outputs(sym.Group([sym.sqrt(x), sym.exp(x)])._entries, {"x": Stored("csr", (2, 3))})
    ['csr', 'default']
    """
    shapes = infer_shapes(entries, {name: one.shape for name, one in given.items()})
    found: dict[Entry, str] = {}

    def stored(entry: Entry) -> Stored:
        return Stored(found.get(entry, "default"), shapes[entry] or ())

    for node in topological_order(entries):
        if node.op is None:
            found[node, 0] = given[node.name].stype if node.name in given else "default"
        elif node.num_visible_outputs == 1:
            inputs = [stored(entry) for entry in node.inputs]
            found[node, 0] = storage_of_result(node.op, inputs, node.params, shapes[node, 0] or ())
    return [found.get(entry, "default") for entry in entries]


class OutputStorage:
    """The storage types of a graph's outputs, call by call.

    Parameters
    ----------
    entries : sequence of Entry
        The outputs.
    names : sequence of str
        Its variables, in the order in which a call gives arrays for them.
    """

    def __init__(self, entries: Sequence[Entry], names: Sequence[str]) -> None:
        self._entries, self._names = entries, names
        nodes = topological_order(entries)
        self._casts = any(node.op is not None and node.op.name == "cast_storage" for node in nodes)
        self._known: dict[Any, list[str]] = Newest(MAX_PROGRAMS)

    def matters(self, data: Sequence[Any]) -> bool:
        """Return whether outputs may be sparse, for one of the arrays is, or the graph makes such."""
        return self._casts or any(array.stype != "default" for array in data)

    def of(self, arrays: Sequence[Any]) -> list[str]:
        """Return the storage types of the outputs for a call with these arrays."""
        key = tuple([Stored(array.stype, array.shape) for array in arrays])
        if key not in self._known:
            self._known[key] = storage_of_outputs(self._entries, dict(zip(self._names, key, strict=True)))
        return self._known[key]
