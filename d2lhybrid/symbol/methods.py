"""The methods of symbols that are operators: ``x.relu()`` is ``sym.relu(x)``."""

from __future__ import annotations

import importlib
from typing import Any, Self

from ..internals.frontends.fluent import attach_fluent_methods

__all__ = ["FluentMethods"]


def _of(name: str) -> Any:
    return getattr(importlib.import_module(__name__.rpartition(".")[0]), name)


class FluentMethods:
    """The methods of a symbol that call operators; all others are in :class:`Symbol`."""

    __slots__ = ()

    # MXNet takes ``inplace``, as arrays do, and a symbol has no memory that it could say something about.

    def expand_dims(self, axis: int, inplace: bool = False, **kwargs: Any) -> Self:
        """Call ``sym.expand_dims`` with this as its first argument; ``inplace`` is without effect."""
        return _of("expand_dims")(self, axis=axis, **kwargs)

    def squeeze(self, axis: Any = None, inplace: bool = False, **kwargs: Any) -> Self:
        """Call ``sym.squeeze`` with this as its first argument; ``inplace`` is without effect."""
        return _of("squeeze")(self, axis=axis, **kwargs)

    def flatten(self, inplace: bool = False, **kwargs: Any) -> Self:
        """Call ``sym.flatten`` with this as its first argument; ``inplace`` is without effect."""
        return _of("flatten")(self, **kwargs)

    def diag(self, k: int = 0, **kwargs: Any) -> Self:
        """Call ``sym.diag`` with this as its first argument."""
        return _of("diag")(self, k, **kwargs)


attach_fluent_methods(FluentMethods, __name__.rpartition(".")[0], ("reshape",))
