"""Array methods that call operators: ``x.relu()`` is ``nd.relu(x)``."""

from __future__ import annotations

import importlib
from typing import Any, Self

from ..internals.frontends.fluent import attach_fluent_methods

__all__ = ["FluentMethods"]


def _of(name: str) -> Any:
    return getattr(importlib.import_module(__name__.rpartition(".")[0]), name)


class FluentMethods:
    """The array methods that call operators. :class:`NDArray` defines all other methods."""

    __slots__ = ()

    def broadcast_like(self, other: Any, **kwargs: Any) -> Self:
        """Broadcast the array to the shape of another array, which may have more axes, as in MXNet.

        To select axes, call ``nd.broadcast_like``. That function and the symbols' method require equal numbers of axes.
        """
        if kwargs:
            return _of("broadcast_like")(self, other, **kwargs)
        array: Any = self
        return array.broadcast_to(other.shape)

    def diag(self, k: int = 0, **kwargs: Any) -> Self:
        """Call ``nd.diag`` with this array as its first argument."""
        return _of("diag")(self, k, **kwargs)


attach_fluent_methods(FluentMethods, __name__.rpartition(".")[0])
