"""The composition of symbols: a call of an operator creates a node instead of a value."""

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
    """Make a node: an operator applied to symbols.

    Parameters
    ----------
    op : Operator
        The operator.
    hint : str
        The automatic name without its number.
    inputs : sequence of Symbol or None
        The inputs in order; missing ones become variables, ``<name>_<input>``.
    attributes : dict
        The operator's attributes as the caller gave them.
    cls : type
        Class of the result.
    name : str, optional
        The node's name.
    attr : dict, optional
        Further attributes (``__lr_mult__`` ...); values become text. One without underscores is a setting of an
        operator that has any.
    """
    # Even if the attributes are bad the number is used up.
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
        for k, symbol in enumerate(inputs):  # None is one that was counted, and not given
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
    """Return whether an attribute belongs to the node; an operator with attributes takes all others itself."""
    return key.startswith("__") and key.endswith("__")


def compose_call(
    op: Operator, function: str, inputs: Sequence[Any], given: dict[str, Any], cls: Any, name: Any, attr: Any
) -> Any:
    """Create the node of a function's call; arguments that aren't attributes of the operator become the node's."""
    if not given.keys() <= op.attributes.keys():
        attr = {**{k: given.pop(k) for k in list(given) if k not in op.attributes}, **(attr or {})}
    return compose(op, function.lower(), inputs, given, cls, name, attr)


class _Reading(NamedTuple):
    """The parsed attributes of a node.

    Attributes
    ----------
    params : dict
        Their values.
    texts : dict
        What a file says of them.
    variables : dict
        The inputs that become variables where they are missing, each with how a variable there is initialized, None
        where nothing is said.
    """

    params: dict[str, Any]
    texts: dict[str, str]
    variables: dict[str, str | None]


#: The readings so far: a net uses an operator many times in the same way.
_readings: dict[Any, _Reading] = {}
_MOST_READINGS = 4096
#: Types whose values are the same if they are written the same.
_WRITTEN = frozenset({bool, float, int, str, type(None)})


def _reading_of(op: Operator, attributes: dict[str, Any]) -> _Reading:
    """Return what attributes say, as the caller gave them."""
    for value in attributes.values():
        if type(value) not in _WRITTEN and not (type(value) is tuple and _WRITTEN.issuperset(map(type, value))):
            return _read(op, attributes)
    if op.calls_python:  # its result may change
        return _read(op, attributes)
    key = op, op.initial, op._input_names, str(attributes)  # with its rules: a cell that is run again gives it others
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
    """Return how variables at inputs of an operator are initialized if they do not say it, as files hold it."""
    own = op.initial(**params) if op.initial is not None else {}
    return {**{name: _AUX_INITIAL[name] for name in op.aux if name in _AUX_INITIAL}, **own}


def _input_entries(
    op: Operator, name: str, inputs: Sequence[Any], reading: _Reading, attrs: dict[str, str]
) -> list[Entry]:
    entries: list[Entry] = []
    wanted = reading.variables
    whole = [symbol for symbol in inputs if symbol is not None]
    if len(whole) == len(wanted) and any(
        symbol is not None and i.name not in wanted for symbol, i in zip(inputs, op.inputs, strict=False)
    ):
        places = dict(zip(wanted, whole, strict=True))  # the third of three may be the operator's fourth input
        inputs = [places.get(i.name) for i in op.inputs]
    given = iter(inputs)
    for i in op.inputs:
        symbol = next(given, None)
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
    """Write into a variable how it is initialized, unless that is said or nothing is to be said."""
    if initial is not None and node.op is None and "__init__" not in node.attrs:
        node.attrs = {**node.attrs, "__init__": initial}  # a separate dictionary, as copies share theirs


def _variable(name: str, own: str, reading: _Reading, attrs: dict[str, str]) -> Node:
    """Return the variable for a missing input, with the attributes of its operator."""
    initial = reading.variables.get(own)
    return Node(None, f"{name}_{own}", attrs=dict(attrs) if initial is None else {"__init__": initial, **attrs})


_AUX_INITIAL = {"moving_mean": '["zero", {}]', "moving_var": '["one", {}]'}
