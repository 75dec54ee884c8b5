"""The comparison of two results, and the search for the first operator that differs."""

from __future__ import annotations

import difflib
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy

from d2lhybrid.gluon.block import flatten
from d2lhybrid.ndarray.ndarray import NDArray

from ...core.invoke import invoke
from ...core.node import Entry, Node
from ...device import array_modules
from ...support import clock
from ...support.display import Shown
from ...support.words import translate
from .observing import Origin, Record, scope_of

__all__ = ["Blame", "arrays_of", "blame", "difference", "structure_of"]

_TOLERANCE = {2: 2e-2, 4: 2e-4, 8: 1e-7}
_SAME_OPERATOR = {"plus": "add", "minus": "sub", "subtract": "sub", "multiply": "mul", "divide": "div"}


def arrays_of(out: Any) -> list[Any]:
    """Return the parts of a block's result, except None, in order; arrays become NumPy arrays."""
    if isinstance(out, list | tuple):
        return [a for part in out for a in arrays_of(part)]
    if isinstance(out, dict):
        return arrays_of(list(out.values()))
    if isinstance(out, NDArray):
        return [array_modules.asnumpy(out._data)]
    return [] if out is None else [out]


def structure_of(out: Any) -> Any:
    """Return the nesting of arrays as text, such as ``"(x, [x])"``."""
    if isinstance(out, list | tuple):
        inner = ", ".join(structure_of(part) for part in out)
        return f"[{inner}]" if isinstance(out, list) else f"({inner}{',' if len(out) == 1 else ''})"
    return "None" if out is None else "x"


def difference(eager: Any, hybrid: Any) -> tuple[str, str] | None:
    """Return the kind and a description of the difference of two results, or None if they are equal up to rounding.

    Parameters
    ----------
    eager, hybrid : object
        The result in eager mode, and the hybridized result.

    Returns
    -------
    tuple of (str, str), or None
        The kind of the difference, such as ``"shape"``, and its description.

    Examples
    --------
    >>> difference(numpy.zeros((2, 3)), numpy.zeros((3,)))
    ('shape', 'eagerly it has shape (2, 3), hybridized (3,)')
    """
    if not isinstance(eager, numpy.ndarray) or not isinstance(hybrid, numpy.ndarray):
        if type(eager) is type(hybrid):
            return None
        kinds = {"eager": type(eager).__name__, "hybrid": type(hybrid).__name__}
        return "type", translate("eagerly it is a {eager}, hybridized a {hybrid}", **kinds)
    for kind, a, b in (("shape", eager.shape, hybrid.shape), ("dtype", eager.dtype, hybrid.dtype)):
        if a != b:
            what = translate(kind)
            return kind, translate("eagerly it has {what} {eager}, hybridized {hybrid}", what=what, eager=a,
                                   hybrid=b)  # fmt: skip
    if not eager.size or eager.dtype == object:
        return None
    a, b = eager.astype("float64"), hybrid.astype("float64")
    finite = a[numpy.isfinite(a)]
    scale = float(numpy.abs(finite).max()) if finite.size else 1.0
    tolerance = _TOLERANCE.get(eager.dtype.itemsize, 0.0) if eager.dtype.kind == "f" else 0.0
    wrong = ~numpy.isclose(a, b, rtol=tolerance, atol=tolerance * max(scale, 1e-6), equal_nan=True)
    if not wrong.any():
        return None
    where = tuple(int(i) for i in numpy.argwhere(wrong)[0])
    return "value", translate(
        "{n} of {size} elements differ; the first of them, {where}, is {eager:.6g} eagerly and "
        "{hybrid:.6g} hybridized",
        n=int(wrong.sum()), size=a.size, where=list(where), eager=eager[where], hybrid=hybrid[where],
    )  # fmt: skip


@dataclass(repr=False)
class Blame(Shown):
    """The operator that causes a difference.

    Attributes
    ----------
    operator : str
        Name of the operator; with ``only_one``, a description of the operator.
    origin : Origin or None
        Location of the call, if it is known.
    kind, text : str
        Kind and description of the difference.
    only_one : bool
        Whether the operator has no counterpart with which its values could be compared.
    confirmed : bool
        Whether the operators explain the difference; False if the graph, run operator by operator, gives the results of
        the eager run.
    """

    operator: str
    origin: Origin | None
    kind: str
    text: str
    only_one: bool = False
    confirmed: bool = True


def _family(name: str) -> str:
    words = re.sub(r"^(_np_|_npx_|_npi_|_+|elemwise_|broadcast_)+", "", name.lower()).split("_")
    return "_".join(_SAME_OPERATOR.get(w, w) for w in words)


def _operator(node: Node) -> str:
    return "" if node.op is None else node.op.name


def _pairs(nodes: Sequence[Node], records: Sequence[Record], origins: Mapping[Node, Origin]) -> dict[int, int]:
    """Return the index of the eager call that corresponds to each node of the graph."""
    left = [(_family(_operator(n)), origins[n].key if n in origins else None) for n in nodes]
    right = [(_family(r.op.name), r.origin.key) for r in records]
    if left == right:
        return {i: i for i in range(len(left))}
    matcher = difflib.SequenceMatcher(None, left, right, autojunk=False)
    found = {b.a + i: b.b + i for b in matcher.get_matching_blocks() for i in range(b.size)}
    for tag, a0, a1, b0, b1 in matcher.get_opcodes():
        # The operators differ, but both runs called them in the same lines and order, so they correspond by position.
        if tag == "replace" and [k for _, k in left[a0:a1]] == [k for _, k in right[b0:b1]]:
            found.update(zip(range(a0, a1), range(b0, b1), strict=True))
    return found


def blame(
    net: Any, args: Any, mode: str, records: Sequence[Record], outputs: list[Any], origins: Mapping[Node, Origin]
) -> Blame:
    """Return the first operator of a traced net whose value differs from its value in the eager run.

    If there is no such operator, the result describes an operator that only one of the runs has, or it is not
    confirmed. The graph runs operator by operator. Random operators return the numbers that the eager run drew,
    because a different order of draws does not count as a difference.

    Parameters
    ----------
    net : HybridBlock
        The traced net.
    args : tuple
        Inputs of the net.
    mode : str
        ``"train"`` or ``"predict"``.
    records : sequence of Record
        Operators that the eager run called.
    outputs : list of numpy.ndarray
        Outputs of the eager run.
    origins : dict
        The origin of each node of the net, in the order of creation.
    """
    variables, out = net._cached_graph
    flat, _ = flatten(args, "input")
    known: dict[Entry, Any] = {}
    given = {v.name: a for v, a in zip(variables, flat, strict=True) if v is not None}
    ctx = next(iter(given.values()))._ctx
    parameters = net.collect_params()
    everything = out._nodes()
    for node in everything:
        if node.op is None:
            known[node, 0] = given[node.name] if node.name in given else parameters[node.name].data(ctx)
    nodes = [n for n in everything if n.op is not None]
    order = {node: i for i, node in enumerate(origins)}
    if all(n in order for n in nodes):
        nodes.sort(key=order.__getitem__)
    pairs = _pairs(nodes, records, origins)
    first: Blame | None = None
    with scope_of(mode):
        for i, node in enumerate(nodes):
            inputs = node.op.arrange(node.params, [known[n, k] for n, k in node.inputs])
            try:
                result = invoke(node.op, inputs, node.params, NDArray, ctx=None if inputs else ctx)
            except Exception as error:
                return first or Blame(
                    node.op.name, origins.get(node), "error", translate("in the graph, it fails: {error}", error=error)
                )
            results = result if isinstance(result, list) else [result]
            if i in pairs:
                seen = records[pairs[i]].results
                same_shapes = [r.shape for r in seen] == [r.shape for r in results]
                if node.op.uses_generator and same_shapes:
                    for one, value in zip(results, seen, strict=True):
                        one._data[...] = array_modules.to_context(value, ctx)
                        clock.note_write()
                for one, value in zip(results, seen, strict=False):
                    found = difference(value, array_modules.asnumpy(one._data))
                    if found is not None and first is None:
                        name, origin = _first_unpaired((), records[: pairs[i]], pairs, origins)
                        text = found[1]
                        if origin is not None and origin.place is not None:
                            text = translate("{text}. Before that, {what} (line {line})", text=text, what=name,
                                             line=origin.place.line)  # fmt: skip
                        first = Blame(node.op.name, origins.get(node), found[0], text)
            for k, value in enumerate(results):
                known[node, k] = value
    if first is not None:
        return first
    values = [array_modules.asnumpy(known[n, k]._data) for n, k in out._entries]
    for a, b in zip(outputs, values, strict=False):
        found = difference(a, b)
        if found is not None:
            name, origin = _first_unpaired(nodes, records, pairs, origins)
            return Blame(name, origin or (origins.get(nodes[-1]) if nodes else None), *found, only_one=True)
    return Blame("", None, "value", "", confirmed=False)


def _first_unpaired(
    nodes: Sequence[Node], records: Sequence[Record], pairs: dict[int, int], origins: Mapping[Node, Origin]
) -> tuple[str, Origin | None]:
    """Return a sentence about the first operator that only one of the two runs has, and the operator's origin."""
    paired = set(pairs.values())
    for i, record in enumerate(records):
        if i not in paired:
            return translate("only the eager call uses {operator}", operator=record.op.name), record.origin
    for i, node in enumerate(nodes):
        if i not in pairs:
            return translate("only the graph has {operator}", operator=_operator(node)), origins.get(node)
    return translate("all operators agree"), None
