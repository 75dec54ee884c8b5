"""Where an operator on symbols makes a node instead of a value."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from .. import attribute
from .. import name as naming
from ..core.node import Entry, Node
from ..core.operator import Operator
from ..errors import MXNetError
from ..support import events
from ..support.places import new_source

__all__ = ["compose"]


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
        Further attributes (``__lr_mult__`` ...).
    """
    # Even if the attributes are bad the number is used up.
    full_name: str = naming.switches.manager.get(name, hint)
    params = op.parse(attributes)
    params.pop("num_args", None)
    texts = {k: op.attributes[k].format(v) for k, v in attributes.items() if k in op.attributes}
    given = [s for s in inputs if s is not None]
    if op.variadic is not None:
        if _COUNTS.isdisjoint(op.attributes):
            texts["num_args"] = str(len(given))
        if "num_args" in op.attributes:
            params["num_args"] = len(given)
    extra = dict(attribute.AttrScope.switches.attributes)
    if attr:
        extra.update(attribute.hidden(attr))
    entries = _input_entries(op, full_name, inputs, params, texts, extra)
    node = Node(op, full_name, tuple(entries), {**extra, **texts}, params, source=new_source())
    if events.node_made:
        events.node_made.tell(node)
    visible = node.num_visible_outputs
    return cls([(node, i) for i in range(visible)])


#: Attributes by which some operators count their inputs, instead of ``num_args``.
_COUNTS = frozenset({"num_arrays", "num_outputs", "num_tensors", "num_weights"})


def _input_entries(
    op: Operator, name: str, inputs: Sequence[Any], params: dict[str, Any], texts: dict[str, str], extra: dict[str, str]
) -> list[Entry]:
    entries: list[Entry] = []
    if op.variadic is not None:
        for symbol in inputs:
            entries.extend(symbol._entries)
        return entries
    wanted = op.list_inputs(params)
    own = op.initial(**params) if op.initial is not None else {}
    slots = dict(zip([i.name for i in op.inputs], inputs, strict=False))
    for i in op.inputs:
        symbol = slots.get(i.name)
        if symbol is not None:
            if len(symbol._entries) != 1:
                raise MXNetError(
                    f"Check failed: kv.second->outputs.size() == 1U ({len(symbol._entries)} vs. 1) : "
                    f"Keyword Argument {i.name} is a tuple, single value is required"
                )
            entries.append(symbol._entries[0])
        elif i.name in wanted:
            attrs = {**extra, **texts}
            initial = _AUX_INITIAL.get(i.name) if i.name in op.aux else own.get(i.name)
            if initial is not None:
                attrs["__init__"] = initial
            entries.append((Node(None, f"{name}_{i.name}", attrs=attrs), 0))
    return entries


_AUX_INITIAL = {"moving_mean": '["zero", {}]', "moving_var": '["one", {}]'}
