"""The conversion of graphs to mixed precision, with casts before operators that run in half or single precision."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any, NamedTuple

import numpy

from ...gluon.op_hook import hook_names
from ...internals.core.node import Entry, Node, topological_order
from ...internals.core.operator import get_operator
from ...internals.support.dtypes import dtype_code
from ...symbol import Symbol
from .operators import (
    check_target,
    list_conditional_fp32_ops,
    list_fp32_ops,
    list_lp16_fp32_ops,
    list_lp16_ops,
    list_widest_type_cast,
)

__all__ = ["convert_symbol"]

_HALF, _SINGLE = numpy.dtype("float16"), numpy.dtype("float32")


class _Rules(NamedTuple):
    """The precision of each operator, and the nodes to exclude."""

    half: Collection[str]
    single: Collection[str]
    widest: Collection[str]
    conditional: Sequence[tuple[str, str, list[str]]]
    excluded: Collection[str]
    data: Collection[str]
    cast_optional: bool

    def runs_in_single(self, node: Node) -> bool:
        """Return whether an attribute of a node requires single precision."""
        assert node.op is not None
        return any(
            name in node.op.names and node.attrs.get(attribute) in values
            for name, attribute, values in self.conditional
        )


class _Conversion:
    """A conversion of a graph that tracks the precisions in which each value is available."""

    def __init__(self, rules: _Rules) -> None:
        self.rules = rules
        self.nodes: dict[Node, Node] = {}
        #: Entries of the new graph by entry of the old graph and by type.
        self.known: dict[Any, dict[Entry, Entry]] = {_HALF: {}, _SINGLE: {}}

    def convert(self, entries: Sequence[Entry]) -> list[Entry]:
        """Return the outputs of the new graph, in single precision."""
        for node in topological_order(entries):
            self.nodes[node] = self._variable(node) if node.op is None else self._operator(node)
        return [self._cast(entry, _SINGLE) for entry in entries]

    def _variable(self, node: Node) -> Node:
        attrs = {k: v for k, v in node.attrs.items() if k != "__dtype__" or node.name in self.rules.data}
        return Node(None, node.name, attrs=attrs, source=node.source)

    def _operator(self, node: Node) -> Node:
        assert node.op is not None
        rules, names = self.rules, {*node.op.names}
        excluded = node.name in rules.excluded
        if excluded or names & {*rules.single}:
            inputs, produced = self._in_single(node), _SINGLE
        elif names & {*rules.half}:
            return self._in_half(node)
        elif names & {*rules.widest}:
            inputs, produced = self._in_widest(node)
        elif rules.runs_in_single(node):
            inputs, produced = [self._cast_of(node, i, _SINGLE) for i in range(len(node.inputs))], _SINGLE
        else:
            return self._as_its_inputs(node)
        made = node.with_inputs(tuple(inputs))
        if produced is not None:
            for i in range(node.num_outputs):
                self.known[produced][node, i] = (made, i)
        return made

    # --- operators by precision ---

    def _in_single(self, node: Node) -> list[Entry]:
        return [self._plain(e) if e[0].op is None and e not in self.known[_SINGLE] else self._cast(e, _SINGLE)
                for e in node.inputs]  # fmt: skip

    def _in_half(self, node: Node) -> Node:
        types, outputs = _types(node, _HALF)
        inputs = []
        for i, entry in enumerate(node.inputs):
            half, variable = self.known[_HALF], entry[0].op is None
            parameter = self.rules.cast_optional and variable and entry[0].name not in self.rules.data
            if entry in half:
                inputs.append(half[entry])
            elif parameter or self._is_state(node, i) or types[i] not in (_HALF, None):
                inputs.append(self._plain(entry))
                if parameter and types[i] in (_HALF, None):
                    half[entry] = inputs[-1]
            else:
                inputs.append(self._cast(entry, _HALF))
        made = node.with_inputs(tuple(inputs))
        self._note(node, made, outputs)
        return made

    def _in_widest(self, node: Node) -> tuple[list[Entry], Any]:
        half, single = self.known[_HALF], self.known[_SINGLE]
        if any(e not in half and e not in single for e in node.inputs):
            return self._multicast(node), None
        wanted = _SINGLE if any(e in single for e in node.inputs) else _HALF
        return [self._cast(e, wanted) for e in node.inputs], wanted

    def _multicast(self, node: Node) -> list[Entry]:
        first, count = node.inputs[0], len(node.inputs)
        made = Node(
            get_operator("amp_multicast"), f"{_entry_name(first)}_amp_multicast",
            tuple(self._plain(e) for e in node.inputs), {"num_outputs": str(count)}, {"num_outputs": count},
        )  # fmt: skip
        return [(made, i) for i in range(count)]

    def _as_its_inputs(self, node: Node) -> Node:
        made = node.with_inputs(tuple(self._plain(e) for e in node.inputs))
        if node.inputs:
            first = node.inputs[0]
            dtype = next((t for t in (_HALF, _SINGLE) if first in self.known[t]), None)
            if dtype is not None:
                self._note(node, made, _types(node, dtype)[1])
        return made

    # --- values ---

    def _note(self, node: Node, made: Node, types: Sequence[Any]) -> None:
        for i, dtype in enumerate(types):
            if dtype in self.known:
                self.known[dtype][node, i] = (made, i)

    def _plain(self, entry: Entry) -> Entry:
        return self.nodes[entry[0]], entry[1]

    def _is_state(self, node: Node, i: int) -> bool:
        assert node.op is not None
        names = [given.name for given in node.op.inputs]
        return i < len(names) and names[i] in node.op.aux

    def _cast_of(self, node: Node, i: int, dtype: Any) -> Entry:
        return self._plain(node.inputs[i]) if self._is_state(node, i) else self._cast(node.inputs[i], dtype)

    def _cast(self, entry: Entry, dtype: Any) -> Entry:
        """Return a value cast to an element type, with one cast for all users."""
        known = self.known[dtype]
        if entry not in known:
            made = Node(
                get_operator("amp_cast"), f"{_entry_name(entry)}_amp_cast_{dtype.name}", (self._plain(entry),),
                {"dtype": dtype.name}, {"dtype": dtype},
            )  # fmt: skip
            known[entry] = (made, 0)
        return known[entry]


def _entry_name(entry: Entry) -> str:
    node, i = entry
    return node.name if node.op is None else hook_names(node)[1][i]


def _types(node: Node, first: Any) -> tuple[list[Any], list[Any]]:
    """Return the types of inputs and outputs that the type of the first input determines."""
    assert node.op is not None
    unknown = [None] * len(node.inputs), [None] * node.num_outputs
    if node.op.type_rule is None:
        return unknown
    given = node.op.arrange(node.params, [first, *[None] * (len(node.inputs) - 1)])
    try:
        inputs, outputs = node.op.type_rule(*given, **node.op.complete(node.params))
    except TypeError:  # the rule needs the types of all inputs
        return unknown
    return node.op.pick(node.params, inputs, len(node.inputs)), list(outputs)


def convert_symbol(
    sym: Symbol,
    target_dtype: Any = "float16",
    target_dtype_ops: list[str] | None = None,
    fp32_ops: list[str] | None = None,
    conditional_fp32_ops: list[tuple[str, str, list[str]]] | None = None,
    excluded_sym_names: list[str] | None = None,
    data_names: list[str] | None = None,
    cast_optional_params: bool = False,
) -> Symbol:
    """Return a graph with casts to half and single precision. The outputs are in single precision.

    Parameters
    ----------
    sym : Symbol
        A graph in single precision.
    target_dtype : str
        The half-precision element type, ``"float16"``.
    target_dtype_ops, fp32_ops : list of str, optional
        Operators that run in half precision, and operators that run in single precision. These lists replace the lists
        of :mod:`~d2lhybrid.contrib.amp`.
    conditional_fp32_ops : list of (str, str, list of str), optional
        Operators that run in single precision for certain values of an attribute, as tuples of the operator, the
        attribute, and these values.
    excluded_sym_names : list of str, optional
        Names of nodes that run in single precision.
    data_names : list of str, optional
        Names of the inputs that are not parameters; by default, all inputs without an element type.
    cast_optional_params : bool
        Whether to store a parameter in half precision, instead of casting it, if only half-precision operators read the
        parameter.

    Returns
    -------
    Symbol
        The graph with casts.

    Raises
    ------
    AssertionError
        If ``sym`` is not a symbol, if an argument is not a list, if an operator is in two lists, or if a list contains
        an operator whose precision cannot be chosen.

    Examples
    --------
    >>> from d2lhybrid import sym
    >>> net = sym.FullyConnected(sym.var("data"), num_hidden=2, no_bias=True, name="fc")
    >>> convert_symbol(net, data_names=["data"]).get_internals().list_outputs()[1:4]
    ['data_amp_cast_float16_output', 'fc_weight', 'fc_weight_amp_cast_float16_output']
    """
    assert isinstance(sym, Symbol), "First argument to convert_symbol should be Symbol"
    check_target(target_dtype)
    attrs = sym.attr_dict()
    data = [n for n in sym.list_inputs() if "__dtype__" not in attrs.get(n, {})] if data_names is None else data_names
    rules = _Rules(
        list_lp16_ops(target_dtype) if target_dtype_ops is None else target_dtype_ops,
        list_fp32_ops(target_dtype) if fp32_ops is None else fp32_ops,
        list_widest_type_cast(target_dtype),
        list_conditional_fp32_ops(target_dtype) if conditional_fp32_ops is None else conditional_fp32_ops,
        excluded_sym_names or [], data, cast_optional_params,
    )  # fmt: skip
    _check(rules, target_dtype)
    conversion = _Conversion(rules)
    converted = type(sym)(conversion.convert(sym._entries))
    given = {name: _SINGLE for name in data if name in sym.list_inputs()}
    types, _, states = converted.infer_type_partial(**given)
    found = dict(zip(converted.list_arguments(), types, strict=True))
    found.update(zip(converted.list_auxiliary_states(), states, strict=True))
    for node, made in conversion.nodes.items():
        if node.op is None and node.name not in data:
            made.attrs["__dtype__"] = str(dtype_code(found.get(node.name) or _SINGLE))
    return converted


def _check(rules: _Rules, target_dtype: Any) -> None:
    """Raise an error for objects that are not lists, overlapping lists, and operators with a fixed precision."""
    for given in rules[:5]:
        assert isinstance(given, list), f"operators and names must be in lists, not in {given!r}"
    conditional = [entry[0] for entry in rules.conditional]
    parts = {"target_dtype_ops": rules.half, "fp32_ops": rules.single, "conditional_fp32_ops": conditional}
    names = list(parts)
    for i, first in enumerate(names):
        for second in names[i + 1 :]:
            common = {*parts[first]} & {*parts[second]}
            assert not common, f"Ops cannot be in two or more lists. Common ops in {first} and {second} {common}"
    choosable = {
        *list_lp16_ops(target_dtype), *list_fp32_ops(target_dtype), *list_lp16_fp32_ops(target_dtype),
        *(entry[0] for entry in list_conditional_fp32_ops(target_dtype)),
    }  # fmt: skip
    illegal = {*rules.half, *rules.single, *conditional} - choosable
    assert not illegal, f"No list of operators can contain {', '.join(sorted(illegal))}"
