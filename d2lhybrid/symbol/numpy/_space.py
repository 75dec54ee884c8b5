"""The function space of ``np`` symbols, in which calls create nodes."""

from __future__ import annotations

import numbers
from collections.abc import Callable
from typing import Any

from ...internals.core.operator import Operator
from ...internals.frontends.frontend import NameSpace, make_function
from ...internals.frontends.numpy_dialect import Space
from ...internals.frontends.numpy_dialect.space import hint_of
from ...name import current_manager
from .._functions import _extra
from ..compose import compose, compose_call
from ..symbol import Symbol
from ._symbol import _Symbol

__all__ = ["SymbolSpace", "operators", "space"]


def _separate(symbol: Any) -> Any:
    """Return the outputs of a node, as a symbol or a list of symbols."""
    return symbol if len(symbol._entries) == 1 else symbol._separate()


class SymbolSpace(Space):
    """A function space that creates nodes of the dialect's operators."""

    array_class = _Symbol
    base_class = Symbol
    eager = False
    argument_text = "must be Symbol instances"
    arguments_text = "Positional arguments must be Symbol instances"

    def run(
        self, op: Operator, name: str, inputs: tuple[Any, ...], attributes: dict[str, Any], out: Any, ctx: Any
    ) -> Any:
        """Create a node. Symbols don't support ``out``."""
        if ctx is not None and "ctx" in op.attributes:
            attributes["ctx"] = str(ctx)
        return _separate(compose(op, hint_of(name).lower(), inputs, attributes, _Symbol))

    def skip_name(self, name: str) -> None:
        """Use up an automatic name."""
        current_manager().get(None, hint_of(name).lower())

    def shape_of(self, a: Any) -> tuple[int, ...] | None:
        """Return None, because symbols have no shape."""
        return None

    def number(self, value: Any, reflected: bool) -> dict[str, Any]:
        """Return the number in the form that MXNet writes into a graph. A number on the left becomes a float."""
        return {"scalar": float(value), "is_int": not reflected and isinstance(value, numbers.Integral)}


space = SymbolSpace()
_Symbol._space = space


def _call(
    op: Operator, function: str, arrays: list[Any], params: dict[str, Any], name: Any, attr: Any, out: Any
) -> Any:
    """Create the node of a generated function."""
    return _separate(compose_call(op, function, arrays, params, _Symbol, name, attr))


def operators(place: str, module: str, globals_: dict[str, Any]) -> NameSpace:
    """Return the namespace that generates the functions of ``F.np`` or ``F.npx`` from the registry."""

    def make(op: Operator, name: str) -> Callable[..., Any]:
        return make_function(
            op, name, call=_call, check=space.check_named, check_all=space.check_all, extra=_extra,
            array_class=_Symbol, tail=("name", "attr", "out"), module=module, parse=False,
        )  # fmt: skip

    return NameSpace(place, module, make, globals_)
