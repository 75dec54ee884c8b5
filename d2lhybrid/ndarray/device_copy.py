"""A copy of an array on another device, on the tape: the gradient takes the same way back."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..context import Context
from ..internals.core import tape
from ..internals.core.sparse_rows import Rows

__all__ = ["DeviceCopy"]


class DeviceCopy(tape.TapeNode):
    """``x.as_in_context(ctx)`` for a recorded array.

    Parameters
    ----------
    array : NDArray
        What was copied.
    target : Context
        Where to.
    """

    source: Any
    target: Context

    __slots__ = ("source", "target")

    def __init__(self, array: Any, target: Context) -> None:
        super().__init__([array._tape], 1)
        self.source, self.target = array._ctx, target

    def context(self) -> Context:
        """Return where the copy is."""
        return self.target

    def vjp(self, F: Any, output_grads: list[Any], needs: tuple[bool, ...]) -> Sequence[Any]:
        """Copy the gradient back to the device of the array."""
        return [output_grads[0].copyto(self.source)]

    def rows_of(self, i: int, given: Sequence[Rows]) -> Rows:
        """Return the rows of the copy's gradient."""
        return given[0]
