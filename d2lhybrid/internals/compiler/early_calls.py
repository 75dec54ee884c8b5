"""The counter of a program's first calls, after which :mod:`.tiers` is imported and plans a promotion."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from ..core.promotion import Promotion
from ..support.machine import in_browser
from ..support.settings import settings

if TYPE_CHECKING:
    from ..core.cached_op import CachedOp
    from ..core.pipeline import Compilation, Program

__all__ = ["CALLS", "EarlyCalls", "promote_when_called_often"]

#: The call at which a promotion is planned, so that a net with fewer calls never starts a compiler.
CALLS = 4


class EarlyCalls(Promotion):
    """A counter of a program's first calls, after which the program's promotion is planned."""

    __slots__ = ("_plan", "program")

    def __init__(self, program: Program, plan: Callable[[Sequence[Any], bool], Promotion | None]) -> None:
        super().__init__(CALLS - 2)  # without the first call, which is over, and the call that plans
        self.program, self._plan = program, plan

    def advance(self, raws: Sequence[Any]) -> Program:
        """Plan the promotion if there is no plan yet, and return the program."""
        program = self.program
        if program.promotion is self:
            program.promotion = self._plan(raws, False)
        return program

    def forecast(self) -> str:
        """Return a sentence about the planned promotion; empty if none is planned."""
        from .tiers import forecast

        return forecast(self.program)


def promote_when_called_often(
    cached: CachedOp, key: Any, program: Program, compile_as: Callable[[str, bool], Compilation], raws: Sequence[Any]
) -> Promotion | None:
    """Return the object that counts a new program's calls and later plans its promotion.

    Parameters
    ----------
    cached : CachedOp
        The cached graph, which holds the program.
    key : tuple
        Signature of the call.
    program : Program
        The program.
    compile_as : callable
        ``compile_as(backend, static)`` begins to compile the call with another backend.
    raws : sequence of array
        Arguments of the first call.

    Returns
    -------
    Promotion or None
        The counter; None if the program is never replaced, or has been replaced at once.
    """
    if not settings.tiers or key[2].device_typeid == 2 or in_browser():
        return None

    def plan(arrays: Sequence[Any], at_once: bool) -> Promotion | None:
        from .tiers import planned

        return planned(cached, key, program, compile_as, arrays, at_once)

    return plan(raws, True) if settings.tiers == "first" else EarlyCalls(program, plan)
