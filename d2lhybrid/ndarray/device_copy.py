"""A copy of an array on another device, on the tape: the gradient takes the same way back."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from .. import autograd
from ..context import Context
from ..device import backend

__all__ = ["DeviceCopy"]


class DeviceCopy(autograd.TapeNode):
    """``x.as_in_context(ctx)`` for a recorded array.

    Parameters
    ----------
    array : NDArray
        What was copied.
    target : Context
        Where to.
    """

    __slots__ = ("source", "target")

    def __init__(self, array: Any, target: Context) -> None:
        super().__init__([array._tape], 1)
        self.source, self.target = array._ctx, target

    def vjp(self, output_grads: list[Any], needs: tuple[bool, ...]) -> Sequence[Any]:
        """Copy the gradient to where the array came from."""
        return [backend.to_context(output_grads[0], self.source)]

    def recorded_vjp(self, space: Any, output_grads: list[Any], needs: tuple[bool, ...]) -> Sequence[Any]:
        """Do the same with a recorded copy."""
        return [output_grads[0].copyto(self.source)]
