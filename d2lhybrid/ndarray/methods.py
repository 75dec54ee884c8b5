"""The methods of arrays that are operators: ``x.relu()`` is ``nd.relu(x)``."""

from __future__ import annotations

from ..faces.fluent import attach_fluent_methods

__all__ = ["FluentMethods"]


class FluentMethods:
    """What an array can do because there is an operator for it; what it is besides, is in :class:`NDArray`."""

    __slots__ = ()


attach_fluent_methods(FluentMethods, __name__.rpartition(".")[0])
