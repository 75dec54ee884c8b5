"""Composition of symbols: calls of operators create nodes instead of computing values."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from .. import attribute
from .. import name as naming
from ..error import MXNetError
from ..internals.core.attributes import COUNTS
from ..internals.core.node import Entry, Node
from ..internals.core.operator import Operator
from ..internals.support import events
from ..internals.support.places import new_source

__all__ = ["compose", "compose_call", "initializers"]


def compose(
    op: Operator,
    hint: str,
    inputs: Sequence[Any],
    attributes: dict[str, Any],
    cls: Any,
    name: str | None = None,
    attr: dict[str, Any] | None = None,
) -> Any:
    """Create a node that applies an operator to symbols.

    Parameters
    ----------
    op : Operator
        The operator.
    hint : str
        Automatic name of the node, without its number.
    inputs : sequence of Symbol or None
        The inputs in order. Missing inputs become variables with the names ``<name>_<input>``.
    attributes : dict
        The operator's attributes that the caller specified.
    cls : type
        Class of the result.
    name : str, optional
        Name of the node.
    attr : dict, optional
        Additional attributes, such as ``__lr_mult__``, whose values are converted to strings. An attribute whose
        name doesn't begin and end with two underscores is a setting of the operator if the operator has settings.

    Returns
    -------
    Symbol
        The outputs of the node.

    Raises
    ------
    AttributeError
        If the name is not a string.
    """
    # Request the name first: even a failed call uses up a number.
    full_name: str = naming.switches.manager.get(name, hint)
    if not isinstance(full_name, str):
        raise AttributeError(f"{type(full_name).__name__!r} object has no attribute 'encode'")
    extra = attribute.AttrScope.switches.attributes
    if attr:
        extra = {**extra, **attr}
    if extra:
        extra = attribute.of_operator(extra)
    if extra and not op.takes_anything and not all(map(_is_free, extra)):
        attributes = {**attributes, **{k: v for k, v in extra.items() if not _is_free(k)}}
        extra = {k: v for k, v in extra.items() if _is_free(k)}
    reading = _reading_of(op, attributes)
    params, texts = reading.params.copy(), reading.texts
    if op.variadic is not None:
        count = len(inputs)
        if COUNTS.isdisjoint(op.attributes):
            texts = {**texts, "num_args": str(count // op.inputs_each)}
        if "num_args" in op.attributes:
            params["num_args"] = count
    attrs = {**extra, **texts}
    if op.variadic is not None:
        entries = []
        for k, symbol in enumerate(inputs):  # None for an input that was only counted
            entries += [(_variable(full_name, f"arg{k}", reading, attrs), 0)] if symbol is None else symbol._entries
        entries += _own_entries(op, full_name, entries, reading, attrs)
    else:
        entries = _input_entries(op, full_name, inputs, reading, attrs)
    node = Node(op, full_name, tuple(entries), attrs, params, source=new_source())
    if events.node_made:
        events.node_made.tell(node)
    visible = node.num_visible_outputs
    return cls([(node, i) for i in range(visible)])


def _is_free(key: str) -> bool:
    """Return whether an attribute belongs to the node. All others are settings of the operator, if it has settings."""
    return key.startswith("__") and key.endswith("__")


def compose_call(
    op: Operator, function: str, inputs: Sequence[Any], given: dict[str, Any], cls: Any, name: Any, attr: Any
) -> Any:
    """Create the node for a function call. Arguments that aren't settings of the operator become node attributes.

    Parameters
    ----------
    op : Operator
        The operator.
    function : str
        Name of the called function.
    inputs : sequence of Symbol or None
        The inputs in order.
    given : dict
        Keyword arguments of the call.
    cls, name, attr
        Arguments of :func:`compose`.

    Returns
    -------
    Symbol
        The outputs of the node.
    """
    if not given.keys() <= op.attributes.keys():
        attr = {**{k: given.pop(k) for k in list(given) if k not in op.attributes}, **(attr or {})}
    return compose(op, function.lower(), inputs, given, cls, name, attr)


class _Reading(NamedTuple):
    """The parsed attributes of a node.

    Attributes
    ----------
    params : dict
        The parsed values.
    texts : dict
        The values as strings in a file.
    variables : dict
        The initializer of each input that becomes a variable if it is missing, or None if the operator defines no
        initializer.
    """

    params: dict[str, Any]
    texts: dict[str, str]
    variables: dict[str, str | None]


#: A cache of parsed attributes, because a net often uses an operator with the same attributes.
_readings: dict[Any, _Reading] = {}
_MOST_READINGS = 4096
#: Types whose values are equal if their string representations are equal.
_WRITTEN = frozenset({bool, float, int, str, type(None)})


def _reading_of(op: Operator, attributes: dict[str, Any]) -> _Reading:
    """Return the parsed attributes from the caller."""
    for value in attributes.values():
        if type(value) not in _WRITTEN and not (type(value) is tuple and _WRITTEN.issuperset(map(type, value))):
            return _read(op, attributes)
    if op.calls_python:  # the result may differ in each call
        return _read(op, attributes)
    key = op, op.initial, op._input_names, str(attributes)  # operators may be redefined
    reading = _readings.get(key)
    if reading is None:
        reading = _read(op, attributes)
        if len(_readings) >= _MOST_READINGS:
            _readings.clear()
        _readings[key] = reading
    return reading


def _read(op: Operator, attributes: dict[str, Any]) -> _Reading:
    params = op.parse(attributes)
    params.pop("num_args", None)
    texts = {k: op.attributes[k].format(v) for k, v in attributes.items() if k in op.attributes}
    own = initializers(op, params)
    return _Reading(params, texts, {name: own.get(name) for name in op.needed_inputs(params)})


def initializers(op: Operator, params: dict[str, Any]) -> dict[str, str]:
    """Return the default initializers of an operator's inputs by name, as the JSON strings that files contain."""
    own = op.initial(**params) if op.initial is not None else {}
    return {**{name: _AUX_INITIAL[name] for name in op.aux if name in _AUX_INITIAL}, **own}


def _input_entries(
    op: Operator, name: str, inputs: Sequence[Any], reading: _Reading, attrs: dict[str, str]
) -> list[Entry]:
    entries: list[Entry] = []
    variables = reading.variables
    present = [symbol for symbol in inputs if symbol is not None]
    if len(present) == len(variables) and any(
        symbol is not None and i.name not in variables for symbol, i in zip(inputs, op.inputs, strict=False)
    ):
        by_name = dict(
            zip(variables, present, strict=True)
        )  # the third of three symbols may be the operator's fourth input
        inputs = [by_name.get(i.name) for i in op.inputs]
    remaining = iter(inputs)
    for i in op.inputs:
        symbol = next(remaining, None)
        if symbol is not None:
            if len(symbol._entries) != 1:
                raise MXNetError(
                    f"Check failed: kv.second->outputs.size() == 1U ({len(symbol._entries)} vs. 1) : "
                    f"Keyword Argument {i.name} is a tuple, single value is required"
                )
            node = symbol._entries[0][0]
            if node.op is not None and i.name in op.aux:
                raise MXNetError("Check failed: e.node->is_variable(): Mutation target can only be Variable")
            _say_initializer(node, reading.variables.get(i.name))
            entries.append(symbol._entries[0])
        elif i.name in reading.variables:
            entries.append((_variable(name, i.name, reading, attrs), 0))
    return entries


def _own_entries(op: Operator, name: str, given: list[Entry], reading: _Reading, attrs: dict[str, str]) -> list[Entry]:
    """Return variables for the fixed inputs of a variadic operator that the caller did not pass."""
    if not reading.variables:
        return []
    count = len(given)
    if count > len(reading.variables):
        needed = f"requires {len(reading.variables)}, provided {count}"
        raise MXNetError(
            f"Check failed: arg_vec.size() <= n_req ({count} vs. {len(reading.variables)}) : "
            f"Incorrect number of arguments, {needed}"
        )
    for (node, _), initial in zip(given, reading.variables.values(), strict=False):
        _say_initializer(node, initial)
    return [(_variable(name, own, reading, attrs), 0) for own in list(reading.variables)[count:]]


def _say_initializer(node: Node, initial: str | None) -> None:
    """Set the initializer of a variable, unless the variable has one or the operator defines none."""
    if initial is not None and node.op is None and "__init__" not in node.attrs:
        node.attrs = {**node.attrs, "__init__": initial}  # a new dictionary, because copies share the old one


def _variable(name: str, own: str, reading: _Reading, attrs: dict[str, str]) -> Node:
    """Return the variable for a missing input, with the attributes of its operator."""
    initial = reading.variables.get(own)
    return Node(None, f"{name}_{own}", attrs=dict(attrs) if initial is None else {"__init__": initial, **attrs})


_AUX_INITIAL = {"moving_mean": '["zero", {}]', "moving_var": '["one", {}]'}
