"""Result types of calls of blocks and loaders, for type checkers only.

It follows from what ``forward`` or ``hybrid_forward`` returns, as far as a checker finds that out. A block whose code
says nothing of it gives, in all likelihood, what it is given; nobody is told off for taking it for something else.
"""

from __future__ import annotations

from typing import Any, Protocol, TypeVar

from ..typing import Tensor

__all__ = ["A", "Forward", "HybridForward", "Items", "R", "Unsaid"]

#: An array or a symbol, of either dialect: arguments and results of blocks.
A = TypeVar("A", bound=Tensor)
R = TypeVar("R")
R_co = TypeVar("R_co", covariant=True)


class Unsaid:
    """A placeholder that no block returns: only a result of unknown type is compatible with it."""

    _unsaid: int


class Forward(Protocol[R_co]):
    """A block by what its ``forward`` returns."""

    def forward(self, *args: Any, **kwargs: Any) -> R_co:
        """Compute the output."""
        ...


class HybridForward(Protocol[R_co]):
    """A hybrid block by what its ``hybrid_forward`` returns."""

    def hybrid_forward(self, F: Any, /, *args: Any, **kwargs: Any) -> R_co:
        """Compute the output."""
        ...


class Items(Protocol[R_co]):
    """The source of a loader's items."""

    def __getitem__(self, idx: Any, /) -> R_co:
        """Return an item."""
        ...
