"""Name scopes of blocks: which prefix a new block and its parameters get."""

from __future__ import annotations

from typing import Any

from .. import name as naming
from ..support.scopes import Scope, Switches
from .parameter_dict import ParameterDict

__all__ = ["BlockScope"]


class BlockScope(Scope):
    """The scope that ``with self.name_scope():`` opens.

    Blocks made inside are named after the enclosing block and counted there; operators applied to
    symbols inside get the block's prefix.
    """

    switches: Switches = naming.switches

    def __init__(self, block: Any) -> None:
        self._block = block
        self._counter: dict[str, int] = {}

    @staticmethod
    def create(prefix: str | None, params: ParameterDict | None, hint: str) -> tuple[str, ParameterDict]:
        """Return the full prefix and the parameter dictionary of a new block."""
        scope = naming.switches.scope
        if scope is None:
            if prefix is None:
                prefix = naming.current_manager().get(None, hint) + "_"
            shared = ParameterDict(prefix) if params is None else ParameterDict(params.prefix, params)
            return prefix, shared
        if prefix is None:
            count = scope._counter.get(hint, 0)
            scope._counter[hint] = count + 1
            prefix = f"{hint}{count}_"
        if params is None:
            parent = scope._block.params
            params = ParameterDict(parent.prefix + prefix, parent._shared)
        else:
            params = ParameterDict(params.prefix, params)
        return scope._block.prefix + prefix, params

    def inside(self) -> dict[str, Any]:
        """Return what a ``with`` statement sets: nothing for a block that was made with an empty prefix."""
        return {} if self._block._empty_prefix else {"scope": self, "manager": naming.Prefix(self._block.prefix)}
