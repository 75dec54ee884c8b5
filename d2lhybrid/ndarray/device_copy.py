"""The tape node of a copy between devices. The backward pass copies the gradient in the other direction."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..context import Context
from ..internals.core import tape
from ..internals.core.sparse_rows import Rows

__all__ = ["DeviceCopy"]


class DeviceCopy(tape.TapeNode):
    """The tape node of ``x.as_in_context(ctx)`` for a recorded array.

    Parameters
    ----------
    array : NDArray
        The array to copy.
    target : Context
        The device of the copy.
    """

    source: Any
    target: Context

    __slots__ = ("source", "target")

    def __init__(self, array: Any, target: Context) -> None:
        super().__init__([array._tape], 1)
        self.source, self.target = array._ctx, target

    def context(self) -> Context:
        """Return the device of the copy."""
        return self.target

    def vjp(self, F: Any, output_grads: list[Any], needs: tuple[bool, ...]) -> Sequence[Any]:
        """Return the gradient as a copy on the device of the array."""
        return [output_grads[0].copyto(self.source)]

    def rows_of(self, i: int, given: Sequence[Rows]) -> Rows:
        """Return the rows that a row-sparse gradient of the array stores: the rows of the copy's gradient."""
        return given[0]
