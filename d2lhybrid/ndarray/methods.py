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

        The function ``nd.broadcast_like`` and the symbols' method require equal numbers of axes.

        Parameters
        ----------
        other : NDArray
            The array whose shape is the new shape.
        **kwargs
            Arguments of ``nd.broadcast_like``, such as ``lhs_axes``. With them, this method calls the function.
        """
        if kwargs:
            return _of("broadcast_like")(self, other, **kwargs)
        array: Any = self
        return array.broadcast_to(other.shape)

    def diag(self, k: int = 0, **kwargs: Any) -> Self:
        """Call ``nd.diag`` with this array as its first argument.

        Parameters
        ----------
        k : int
            Index of the diagonal. Positive indices are above the main diagonal.
        **kwargs
            Other arguments of ``nd.diag``.
        """
        return _of("diag")(self, k, **kwargs)


attach_fluent_methods(FluentMethods, __name__.rpartition(".")[0])
