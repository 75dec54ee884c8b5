"""Symbol methods that call operators: ``x.relu()`` is ``sym.relu(x)``."""

from __future__ import annotations

import importlib
from typing import Any, Self

from ..internals.frontends.fluent import attach_fluent_methods

__all__ = ["FluentMethods"]


def _of(name: str) -> Any:
    return getattr(importlib.import_module(__name__.rpartition(".")[0]), name)


class FluentMethods:
    """The symbol methods that call operators. :class:`Symbol` defines all other methods."""

    __slots__ = ()

    # MXNet accepts ``inplace`` for symbols, too, although a symbol has no memory.

    def expand_dims(self, axis: int, inplace: bool = False, **kwargs: Any) -> Self:
        """Call ``sym.expand_dims`` with this symbol as its first argument.

        Parameters
        ----------
        axis : int
            Position of the new axis.
        inplace : bool
            Ignored, because a symbol has no memory.
        **kwargs
            Other arguments of ``sym.expand_dims``.
        """
        return _of("expand_dims")(self, axis=axis, **kwargs)

    def squeeze(self, axis: Any = None, inplace: bool = False, **kwargs: Any) -> Self:
        """Call ``sym.squeeze`` with this symbol as its first argument.

        Parameters
        ----------
        axis : int or tuple of int, optional
            The axes to remove; by default, all axes of size 1.
        inplace : bool
            Ignored, because a symbol has no memory.
        **kwargs
            Other arguments of ``sym.squeeze``.
        """
        return _of("squeeze")(self, axis=axis, **kwargs)

    def flatten(self, inplace: bool = False, **kwargs: Any) -> Self:
        """Call ``sym.flatten`` with this symbol as its first argument.

        Parameters
        ----------
        inplace : bool
            Ignored, because a symbol has no memory.
        **kwargs
            Other arguments of ``sym.flatten``.
        """
        return _of("flatten")(self, **kwargs)

    def diag(self, k: int = 0, **kwargs: Any) -> Self:
        """Call ``sym.diag`` with this symbol as its first argument.

        Parameters
        ----------
        k : int
            Index of the diagonal. Positive indices are above the main diagonal.
        **kwargs
            Other arguments of ``sym.diag``.
        """
        return _of("diag")(self, k, **kwargs)


attach_fluent_methods(FluentMethods, __name__.rpartition(".")[0], ("reshape",))
