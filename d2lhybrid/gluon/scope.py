"""Name scopes of blocks: which prefix a new block and its parameters get."""

from __future__ import annotations

import threading
from typing import Any

from .. import name as naming
from .parameter import ParameterDict

__all__ = ["BlockScope"]


class _Current(threading.local):
    scope: BlockScope | None = None


_current = _Current()


class BlockScope:
    """The scope that ``with self.name_scope():`` opens.

    Blocks made inside are named after the enclosing block and counted there; operators applied to
    symbols inside get the block's prefix.
    """

    def __init__(self, block: Any) -> None:
        self._block = block
        self._counter: dict[str, int] = {}
        self._outer: list[tuple[BlockScope | None, naming.Prefix]] = []

    @staticmethod
    def create(prefix: str | None, params: ParameterDict | None, hint: str) -> tuple[str, ParameterDict]:
        """Return the full prefix and the parameter dictionary of a new block."""
        scope = _current.scope
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

    def __enter__(self) -> BlockScope:
        if self._block._empty_prefix:
            return self
        manager = naming.Prefix(self._block.prefix)
        self._outer.append((_current.scope, manager))
        _current.scope = self
        manager.__enter__()
        return self

    def __exit__(self, *exception: object) -> None:
        if self._block._empty_prefix:
            return
        outer, manager = self._outer.pop()
        manager.__exit__(*exception)
        _current.scope = outer
