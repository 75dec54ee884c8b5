"""The storage types of a graph's results for sparse arguments."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ..internals.core.cached_op import MAX_PROGRAMS, Newest
from ..internals.core.infer import infer_shapes
from ..internals.core.node import Entry, topological_order
from ..internals.ops.stored_places import Held, places_of_result
from ..ndarray.sparse_arrays import held
from ..ndarray.storage import Stored, storage_of_result

__all__ = ["OutputStorage", "storage_of_entries", "storage_of_outputs"]


def storage_of_outputs(entries: Sequence[Entry], given: Mapping[str, Stored]) -> list[str]:
    """Return the storage types that the outputs of a graph have in MXNet.

    Parameters
    ----------
    entries : sequence of Entry
        The outputs.
    given : mapping
        The storage type and shape of each variable's array, by name.

    Returns
    -------
    list of str
        The storage type of each output.

    Examples
    --------
    >>> from d2lhybrid import sym
    >>> x = sym.var("x")
    >>> storage_of_outputs(sym.Group([sym.sqrt(x), sym.exp(x)])._entries, {"x": Stored("csr", (2, 3))})
    ['csr', 'default']
    """
    storage = storage_of_entries(entries, given)
    return [storage[entry].stype for entry in entries]


def storage_of_entries(entries: Sequence[Entry], given: Mapping[str, Stored]) -> dict[Entry, Stored]:
    """Return the storage types and shapes of all entries in a graph.

    Parameters
    ----------
    entries, given
        Arguments of :func:`storage_of_outputs`.

    Returns
    -------
    dict of Entry to Stored
        The storage type and the shape of each entry.
    """
    shapes = infer_shapes(entries, {name: one.shape for name, one in given.items()})
    stypes: dict[Entry, str] = {}

    def stored(entry: Entry) -> Stored:
        return Stored(stypes.get(entry, "default"), shapes[entry] or ())

    for node in topological_order(entries):
        if node.op is None:
            stypes[node, 0] = given[node.name].stype if node.name in given else "default"
        elif node.num_visible_outputs == 1:
            inputs = [stored(entry) for entry in node.inputs]
            stypes[node, 0] = storage_of_result(node.op, inputs, node.params, shapes[node, 0] or ())
    return {
        (node, i): stored((node, i)) for node in topological_order(entries) for i in range(node.num_outputs)
    }  # fmt: skip


class OutputStorage:
    """The storage types of a graph's outputs, which are cached from call to call.

    Parameters
    ----------
    entries : sequence of Entry
        The outputs.
    names : sequence of str
        The graph's variables, in the order of the arrays in a call.
    """

    def __init__(self, entries: Sequence[Entry], names: Sequence[str]) -> None:
        self._entries, self._names = entries, names
        nodes = topological_order(entries)
        self._casts = any(node.op is not None and node.op.name == "cast_storage" for node in nodes)
        self._known: dict[Any, dict[Entry, Stored]] = Newest(MAX_PROGRAMS)

    def matters(self, data: Sequence[Any]) -> bool:
        """Return whether outputs may be sparse, because an input is sparse or the graph casts to a storage type.

        Parameters
        ----------
        data : sequence of NDArray
            The inputs.

        Returns
        -------
        bool
            Whether outputs may be sparse.
        """
        return self._casts or any(array.stype != "default" for array in data)

    def of(self, arrays: Sequence[Any]) -> list[tuple[str, Any]]:
        """Return the storage type and the stored positions of each output of a call.

        Parameters
        ----------
        arrays : sequence of NDArray
            The arrays of the call, in the order of the variables' names.

        Returns
        -------
        list of tuple
            For each output, its storage type and its stored positions. The positions are None if they are unknown or
            the output is dense.
        """
        key = tuple([Stored(array.stype, array.shape) for array in arrays])
        if key not in self._known:
            self._known[key] = storage_of_entries(self._entries, dict(zip(self._names, key, strict=True)))
        stored = self._known[key]
        if all(stored[entry].stype == "default" for entry in self._entries):
            return [("default", None)] * len(self._entries)
        places = self._places(stored, {name: held(array) for name, array in zip(self._names, arrays, strict=True)})
        return [(stored[entry].stype, places.get(entry)) for entry in self._entries]

    def _places(self, stored: Mapping[Entry, Stored], given: Mapping[str, Held]) -> dict[Entry, Any]:
        """Return the stored positions of those sparse results whose positions depend only on the arguments."""
        stored_positions: dict[Entry, Held] = {}
        for node in topological_order(self._entries):
            if node.op is None:
                stored_positions[node, 0] = given[node.name]
                continue
            for i in range(node.num_outputs):
                stored_positions[node, i] = Held(*stored[node, i])
            one = stored[node, 0]
            if one.stype != "default":
                inputs = [stored_positions[entry] for entry in node.inputs]
                determined = all(part.stype == "default" or part.places is not None for part in inputs)
                places = places_of_result(node.op, inputs, node.params, one.stype) if determined else None
                stored_positions[node, 0] = Held(one.stype, one.shape, places)
        return {entry: one.places for entry, one in stored_positions.items()}
