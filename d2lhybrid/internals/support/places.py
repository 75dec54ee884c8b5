"""A place in a program: the one type for it; and which line of the user's is running now.

While a block is traced, every node that is made remembers that line, and in which calls of blocks it stood.
"""

from __future__ import annotations

import functools
import importlib.util
import os
import sys
from types import FrameType
from typing import Any, NamedTuple

from . import package
from .scopes import Scope, Switches

__all__ = [
    "NUMPY", "BlockCall", "Place", "calling", "is_own_file", "is_user_file", "made_here", "new_source", "note_call",
    "remember_lines", "user_place",
]  # fmt: skip

_PACKAGE = str(package.FOLDER) + os.sep
#: Where NumPy lies: its functions call methods of what they are given.
#: Not imported for it: what installs the package runs before there is NumPy.
_numpy = importlib.util.find_spec("numpy")
NUMPY = os.path.join(os.path.dirname((_numpy and _numpy.origin) or "<no NumPy>"), "")


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


def is_user_file(filename: str) -> bool:
    """Return whether a program's file is the user's: neither this package's, nor written by it, nor NumPy's.

    Examples
    --------
    >>> is_user_file("net.py"), is_user_file(__file__), is_user_file("<d2lhybrid.ndarray.relu>")
    (True, False, False)
    """
    return not filename.startswith((_PACKAGE, NUMPY, "<d2lhybrid", "<frozen", "<__array_function__"))


def is_own_file(filename: str) -> bool:
    """Return whether the user wrote a program's file: it is neither this package's, nor Python's, nor installed.

    Examples
    --------
    >>> import json
    >>> is_own_file("net.py"), is_own_file(__file__), is_own_file(json.__file__)
    (True, False, False)
    """
    return is_user_file(filename) and not filename.startswith(_installed())


@functools.cache
def _installed() -> tuple[str, ...]:
    import sysconfig  # costs more than all of this module

    return tuple(os.path.join(path, "") for name, path in sysconfig.get_paths().items() if "lib" in name)


#: Whether the lines are followed; the calls that are being traced now; of the innermost block, the names of its
#: children by id, and how often each of them was called (None outside a trace); the frame in which the trace began; and
#: where it is noted which blocks were called with which symbols.
_trace = Switches(lines=False, calls=(), block=None, root=None, noted=None)

#: Asked of every frame between an operator and the user's line; the answer for a file stays the same.
_is_user_file = functools.lru_cache(1024)(is_user_file)


def calling(block: Any) -> Scope:
    """Return a scope in which new nodes remember that this block was called."""
    calls = _trace.calls
    if _trace.block is not None:
        keys, counts = _trace.block
        key = str(keys.get(id(block), block._name))
        counts[key] = counts.get(key, 0) + 1
        calls = (*calls, BlockCall(key, type(block).__name__, block._name, counts[key], block._made_at))
    return Scope(_trace, calls=calls, block=({id(child): key for key, child in block._children.items()}, {}))


def remember_lines(noted: list[Any]) -> Scope:
    """Return a scope in which every new node remembers the user's line, and calls of blocks are noted in a list."""
    return Scope(_trace, lines=True, root=sys._getframe(1), noted=noted)


def note_call(*call: Any) -> None:
    """Note that a block was called, with which symbols, and what it returned."""
    if _trace.noted is not None:
        _trace.noted.append(call)


def new_source() -> Place | None:
    """Return the line of the user's that is making a node, where the lines are followed."""
    return user_place(sys._getframe(1), _trace.calls) if _trace.lines else None


def made_here() -> Place | None:
    """Return the line of the user's that is making an object, in whose ``__init__`` this is asked."""
    return user_place(sys._getframe(2))


def user_place(frame: FrameType | None, calls: tuple[BlockCall, ...] = ()) -> Place | None:
    """Return the line of the innermost frame, from this one outwards, whose file is the user's."""
    root, inside = _trace.root, True
    while frame is not None:
        inside = inside and frame is not root
        if _is_user_file(frame.f_code.co_filename):
            return Place.of_frame(frame, calls, inside)
        frame = frame.f_back
    return None
