"""Types from which type checkers infer the result types of blocks and the types of data loaders' batches.

The result type of a call is the result type of ``forward`` or ``hybrid_forward``, if a type checker can infer that
type. Without annotations, a block is assumed to return the type of its argument, and other uses of the result are not
reported as errors.
"""

from __future__ import annotations

from typing import Any, Protocol, TypeVar

from ..typing import Tensor

__all__ = ["A", "Forward", "HybridForward", "Items", "R", "Unsaid"]

#: The type of blocks' arguments and results: an array or a symbol of either dialect.
A = TypeVar("A", bound=Tensor)
R = TypeVar("R")
R_co = TypeVar("R_co", covariant=True)


class Unsaid:
    """A placeholder type that no block returns. Only results of unknown type are compatible with this type."""

    _unsaid: int


class Forward(Protocol[R_co]):
    """The type of a block whose calls return the same type as its ``forward``."""

    def forward(self, *args: Any, **kwargs: Any) -> R_co:
        """Compute the output.

        Parameters
        ----------
        *args, **kwargs : object
            The arguments of the call.
        """
        ...


class HybridForward(Protocol[R_co]):
    """The type of a hybrid block whose calls have the result type of its ``hybrid_forward``."""

    def hybrid_forward(self, F: Any, /, *args: Any, **kwargs: Any) -> R_co:
        """Compute the output.

        Parameters
        ----------
        F : module
            ``mx.nd`` or ``mx.sym``.
        *args, **kwargs : object
            The arguments of the call, and the parameters by name.
        """
        ...


class Items(Protocol[R_co]):
    """The type of an object from which a data loader gets items by index."""

    def __getitem__(self, idx: Any, /) -> R_co:
        """Return an item."""
        ...
