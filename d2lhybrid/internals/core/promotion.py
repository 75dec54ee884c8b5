"""Promotion replaces each frequently called program with a faster program.

The core promotes no program. :mod:`d2lhybrid.internals.compiler.tiers` installs its promoter here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .cached_op import CachedOp
    from .pipeline import Compilation, Program

__all__ = ["Promotion", "install_promoter", "promoter"]


class Promotion:
    """A counter of a program's calls, which chooses the program's replacement after enough calls.

    Attributes
    ----------
    ticks : iterator
        An iterator with one item for each call before the decision. The fast path counts calls with ``next``, which is
        faster than adding to a counter.
    """

    __slots__ = ("ticks",)

    def __init__(self, calls: int) -> None:
        self.ticks: Iterator[Any] = iter([None] * calls)

    def advance(self, raws: Sequence[Any]) -> Program:
        """Return the program for the call at which `ticks` is exhausted: this program or its replacement.

        Parameters
        ----------
        raws : sequence of array
            The arguments of the call.

        Returns
        -------
        Program
            The program that the call must run.

        Raises
        ------
        NotImplementedError
            If the subclass does not override this method.
        """
        raise NotImplementedError

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: {self.forecast() or 'nothing is planned'}>"

    def forecast(self) -> str:
        """Return a sentence that says which program will replace this program, and when.

        Returns
        -------
        str
            The sentence; empty if there is no replacement.
        """
        return ""


def _nobody(
    cached: CachedOp, key: Any, program: Program, compile_as: Callable[[str, bool], Compilation], raws: Sequence[Any]
) -> Promotion | None:
    """Return None, so that the program is never replaced."""
    return None


#: The function that returns the promotion of a program. It is called once for every program of the default backend,
#: with the arrays of its first call. Its argument ``compile_as(backend, static)`` begins to compile the same call with
#: another backend.
promoter: Callable[..., Promotion | None] = _nobody


def install_promoter(function: Callable[..., Promotion | None]) -> None:
    """Install the function that decides which programs are promoted.

    Parameters
    ----------
    function : callable
        The new :data:`promoter`.
    """
    global promoter
    promoter = function
