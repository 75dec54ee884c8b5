"""A place in a program: the one type for it, whoever names one."""

from __future__ import annotations

from types import FrameType
from typing import Any, NamedTuple

__all__ = ["BlockCall", "Place"]


class BlockCall(NamedTuple):
    """One call of a child block while its parent was traced.

    Attributes
    ----------
    key : str
        Under which name the parent has the child: ``"hidden"``, ``"0"``.
    kind : str
        Its class.
    name : str
        Its own name: ``"dense0"``.
    number : int
        Which call of this child it was in this call of the parent, from 1.
    made : Place or None
        The line of the user's that made the child: ``net.add(nn.Dense(3))``.
    """

    key: str
    kind: str
    name: str
    number: int
    made: Place | None = None


class _Line(NamedTuple):
    file: str
    line: int


class Place(_Line):
    """A line of a file. It is a pair of the two, and equal to every other place on that line.

    Attributes
    ----------
    file : str
        Its name, or what Python has in its stead: ``"<ipython-input-3>"``.
    line : int
        The number, from 1.
    function : str
        The function in which it is, where that is known: ``"Net.hybrid_forward"``.
    calls : tuple of BlockCall
        The calls of blocks around it, where a block is traced: from its outermost child to the innermost.
    inside : bool
        Whether it is within what is traced. The line that calls a net of layers alone, as in ``net(x)``, is not.

    Examples
    --------
    >>> place = Place("net.py", 7, "Net.hybrid_forward", (BlockCall("hidden", "Dense", "dense0", 1),))
    >>> file, line = place
    >>> place, place.function, place == Place("net.py", 7)
    (Place(file='net.py', line=7), 'Net.hybrid_forward', True)
    """

    function: str = ""
    calls: tuple[BlockCall, ...] = ()
    inside: bool = True

    def __new__(
        cls, file: str, line: int, function: str = "", calls: tuple[BlockCall, ...] = (), inside: bool = True
    ) -> Place:
        """Make the pair."""
        place = super().__new__(cls, file, line)
        place.function, place.calls, place.inside = function, calls, inside
        return place

    @property
    def written(self) -> Place:
        """The line where the user wrote this down: of a net of layers alone, the line that made the layer."""
        if not self.inside:
            for call in reversed(self.calls):
                if call.made is not None:
                    return Place(*call.made, call.made.function, self.calls)
        return self

    @classmethod
    def of_frame(cls, frame: FrameType, calls: tuple[BlockCall, ...] = (), inside: bool = True) -> Place:
        """Return the line that a frame has come to."""
        code = frame.f_code
        return cls(code.co_filename, frame.f_lineno, code.co_qualname, calls, inside)

    def __reduce__(self) -> tuple[Any, ...]:
        return Place, (*self, self.function, self.calls, self.inside)
