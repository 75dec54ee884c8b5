"""Where an operator on symbols makes a node instead of a value."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from .. import attribute
from .. import name as naming
from ..core.node import Entry, Node
from ..core.operator import Operator
from ..errors import MXNetError
from ..support import events
from ..support.places import new_source

__all__ = ["compose", "compose_call"]


def compose(
    op: Operator,
    hint: str,
    inputs: Sequence[Any],
    attributes: dict[str, Any],
    cls: Any,
    name: str | None = None,
    attr: dict[str, str] | None = None,
) -> Any:
    """Make a node: an operator applied to symbols.

    Parameters
    ----------
    op : Operator
        What is applied.
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
        Further attributes (``__lr_mult__`` ...). One without underscores is a setting of an operator that has any.
    """
    # Even if the attributes are bad the number is used up.
    full_name: str = naming.switches.manager.get(name, hint)
    extra = attribute.AttrScope.switches.attributes
    if attr:
        extra = {**extra, **attribute.hidden(attr)}
    if extra and not op.takes_anything and not all(map(_is_free, extra)):
        attributes = {**attributes, **{k: v for k, v in extra.items() if not _is_free(k)}}
        extra = {k: v for k, v in extra.items() if _is_free(k)}
    reading = _reading_of(op, attributes)
    params, texts = reading.params.copy(), reading.texts
    if op.variadic is not None:
        count = sum(s is not None for s in inputs)
        if _COUNTS.isdisjoint(op.attributes):
            texts = {**texts, "num_args": str(count)}
        if "num_args" in op.attributes:
            params["num_args"] = count
    attrs = {**extra, **texts}
    if op.variadic is not None:
        entries = [entry for symbol in inputs for entry in symbol._entries]
    else:
        entries = _input_entries(op, full_name, inputs, reading, attrs)
    node = Node(op, full_name, tuple(entries), attrs, params, source=new_source())
    if events.node_made:
        events.node_made.tell(node)
    visible = node.num_visible_outputs
    return cls([(node, i) for i in range(visible)])


def _is_free(key: str) -> bool:
    """Tell whether an attribute is one of the node; an operator that has settings takes any other for a setting."""
    return key.startswith("__") and key.endswith("__")


def compose_call(
    op: Operator, function: str, inputs: Sequence[Any], given: dict[str, Any], cls: Any, name: Any, attr: Any
) -> Any:
    """Make the node of a function's call: what was given and is no attribute of the operator is one of the node."""
    if not given.keys() <= op.attributes.keys():
        attr = {**{k: str(given.pop(k)) for k in list(given) if k not in op.attributes}, **(attr or {})}
    return compose(op, function.lower(), inputs, given, cls, name, attr)


#: Attributes by which some operators count their inputs, instead of ``num_args``.
_COUNTS = frozenset({"num_arrays", "num_outputs", "num_tensors", "num_weights"})


class _Reading(NamedTuple):
    """What the attributes of a use of an operator say.

    Attributes
    ----------
    params : dict
        Their values.
    texts : dict
        What a file says of them.
    variables : dict
        The inputs that become variables where they are missing, each with how it is initialized, None where nothing
        is said.
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
    if op.calls_python:  # what it says may change
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
    variables: dict[str, str | None] = {}
    if op.variadic is None:
        own = op.initial(**params) if op.initial is not None else {}
        for name in op.list_inputs(params):
            variables[name] = _AUX_INITIAL.get(name) if name in op.aux else own.get(name)
    return _Reading(params, texts, variables)


def _input_entries(
    op: Operator, name: str, inputs: Sequence[Any], reading: _Reading, attrs: dict[str, str]
) -> list[Entry]:
    entries: list[Entry] = []
    given = iter(inputs)
    for i in op.inputs:
        symbol = next(given, None)
        if symbol is not None:
            if len(symbol._entries) != 1:
                raise MXNetError(
                    f"Check failed: kv.second->outputs.size() == 1U ({len(symbol._entries)} vs. 1) : "
                    f"Keyword Argument {i.name} is a tuple, single value is required"
                )
            entries.append(symbol._entries[0])
        elif i.name in reading.variables:
            initial = reading.variables[i.name]
            own = {**attrs} if initial is None else {**attrs, "__init__": initial}
            entries.append((Node(None, f"{name}_{i.name}", attrs=own), 0))
    return entries


_AUX_INITIAL = {"moving_mean": '["zero", {}]', "moving_var": '["one", {}]'}
