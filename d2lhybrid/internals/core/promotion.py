"""Programs that are called often: who counts their calls, and replaces them by faster ones.

The machine itself replaces nothing. :mod:`d2lhybrid.internals.compiler.tiers` installs itself here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .cached_op import CachedOp
    from .pipeline import Compilation, Program

__all__ = ["Promotion", "install_promoter", "promoter"]


class Promotion:
    """Counts the calls of one program, and says what is called once they are enough.

    Attributes
    ----------
    ticks : iterator
        Has one item for each call for which nothing changes. To take one is a call of ``next``: the way of the
        commonest call bears no more.
    """

    __slots__ = ("ticks",)

    def __init__(self, calls: int) -> None:
        self.ticks: Iterator[Any] = iter([None] * calls)

    def advance(self, raws: Sequence[Any]) -> Program:
        """Return the program for the call for which there was no item: the same one, or the one that replaces it.

        Parameters
        ----------
        raws : sequence of array
            What the call is given.
        """
        raise NotImplementedError

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: {self.forecast() or 'nothing is planned'}>"

    def forecast(self) -> str:
        """Say which program will be called from which call on; empty if it is the same for good."""
        return ""


def _nobody(
    cached: CachedOp, key: Any, program: Program, compile_as: Callable[[str, bool], Compilation], raws: Sequence[Any]
) -> Promotion | None:
    """Count nothing: the program that there is stays."""
    return None


#: Is asked once for every program that nobody has chosen a backend for, with the arrays of its first call.
#: ``compile_as(backend, static)`` begins to compile the same call with another backend.
promoter: Callable[..., Promotion | None] = _nobody


def install_promoter(function: Callable[..., Promotion | None]) -> None:
    """Have a function decide which programs are promoted."""
    global promoter
    promoter = function
