"""Lines of user code, such as the line that is running.

While a block is traced, every new node stores the line of user code that creates it, and the block calls around this
line.
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
#: The folder of NumPy, whose functions call methods of their arguments.
#: NumPy isn't imported to find the folder, because installers run before NumPy is installed.
_numpy = importlib.util.find_spec("numpy")
NUMPY = os.path.join(os.path.dirname((_numpy and _numpy.origin) or "<no NumPy>"), "")


class BlockCall(NamedTuple):
    """One call of a child block while its parent was traced.

    Attributes
    ----------
    key : str
        The parent's name for the child, such as ``"hidden"`` or ``"0"``.
    kind : str
        The class of the child.
    name : str
        The name of the child, such as ``"dense0"``.
    number : int
        The number of the call of this child within the call of the parent, starting at 1.
    made : Place or None
        The line of user code that created the child, such as ``net.add(nn.Dense(3))``.
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
    """A line of a file, as a pair of file name and line number. Places with equal pairs are equal.

    Attributes
    ----------
    file : str
        The name of the file, or Python's substitute for a file name, such as ``"<ipython-input-3>"``.
    line : int
        The line number, starting at 1.
    function : str
        The qualified name of the function that contains the line, such as ``"Net.hybrid_forward"``; empty if unknown.
    calls : tuple of BlockCall
        The block calls around the line during a trace, from the outermost child to the innermost.
    inside : bool
        Whether the line is inside the traced code; False for a line ``net(x)`` that calls a net of predefined layers.

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
        """Create the pair of file and line."""
        place = super().__new__(cls, file, line)
        place.function, place.calls, place.inside = function, calls, inside
        return place

    @property
    def written(self) -> Place:
        """The line of user code to show: in a net of predefined layers, the line that created the layer, if known."""
        if not self.inside:
            for call in reversed(self.calls):
                if call.made is not None:
                    return Place(*call.made, call.made.function, self.calls)
        return self

    @classmethod
    def of_frame(cls, frame: FrameType, calls: tuple[BlockCall, ...] = (), inside: bool = True) -> Place:
        """Return the line that a frame is running.

        Parameters
        ----------
        frame : frame
            The frame.
        calls : tuple of BlockCall
            The block calls around the line.
        inside : bool
            Whether the line is inside the traced code.

        Returns
        -------
        Place
            The line.
        """
        code = frame.f_code
        return cls(code.co_filename, frame.f_lineno, code.co_qualname, calls, inside)

    def __reduce__(self) -> tuple[Any, ...]:
        return Place, (*self, self.function, self.calls, self.inside)


def is_user_file(filename: str) -> bool:
    """Return whether a file is user code, and not generated code or part of this package or NumPy.

    Examples
    --------
    >>> is_user_file("net.py"), is_user_file(__file__), is_user_file("<d2lhybrid.ndarray.relu>")
    (True, False, False)
    """
    return not filename.startswith((_PACKAGE, NUMPY, "<d2lhybrid", "<frozen", "<__array_function__"))


def is_own_file(filename: str) -> bool:
    """Return whether a file is the user's own, and not part of this package, Python, or an installed package.

    Examples
    --------
    >>> import json
    >>> is_own_file("net.py"), is_own_file(__file__), is_own_file(json.__file__)
    (True, False, False)
    """
    return is_user_file(filename) and not filename.startswith(_installed())


@functools.cache
def _installed() -> tuple[str, ...]:
    import sysconfig  # imported here, because the import is slow

    return tuple(os.path.join(path, "") for name, path in sysconfig.get_paths().items() if "lib" in name)


#: The state of this thread's trace. ``lines``: whether lines are recorded. ``calls``: the current block calls.
#: ``block``: the names of the innermost block's children by id, and the number of calls of each child; None outside a
#: trace. ``root``: the frame in which the trace began. ``noted``: the list that records block calls with their symbols.
_trace = Switches(lines=False, calls=(), block=None, root=None, noted=None)

#: :func:`is_user_file` with a cache, because it is called for every frame between an operator and the user's line.
_is_user_file = functools.lru_cache(1024)(is_user_file)


def calling(block: Any) -> Scope:
    """Return a scope for a call of a block. Nodes that are created in the scope store the call."""
    calls = _trace.calls
    if _trace.block is not None:
        keys, counts = _trace.block
        key = str(keys.get(id(block), block._name))
        counts[key] = counts.get(key, 0) + 1
        calls = (*calls, BlockCall(key, type(block).__name__, block._name, counts[key], block._made_at))
    return Scope(_trace, calls=calls, block=({id(child): key for key, child in block._children.items()}, {}))


def remember_lines(noted: list[Any]) -> Scope:
    """Return a scope in which new nodes store their lines of user code, and the list `noted` receives block calls."""
    return Scope(_trace, lines=True, root=sys._getframe(1), noted=noted)


def note_call(*call: Any) -> None:
    """Record a call of a block, with its symbols and its result, if :func:`remember_lines` has begun a recording."""
    if _trace.noted is not None:
        _trace.noted.append(call)


def new_source() -> Place | None:
    """Return the line of user code that creates a node, or None if lines aren't recorded."""
    return user_place(sys._getframe(1), _trace.calls) if _trace.lines else None


def made_here() -> Place | None:
    """Return the line of user code that creates an object, or None. The object's ``__init__`` calls this function."""
    return user_place(sys._getframe(2))


def user_place(frame: FrameType | None, calls: tuple[BlockCall, ...] = ()) -> Place | None:
    """Return the line of the innermost frame of user code, starting at `frame`, or None if no frame is user code.

    Parameters
    ----------
    frame : frame or None
        The innermost frame to examine.
    calls : tuple of BlockCall
        The block calls around the line.

    Returns
    -------
    Place or None
        The line.
    """
    root, inside = _trace.root, True
    while frame is not None:
        inside = inside and frame is not root
        if _is_user_file(frame.f_code.co_filename):
            return Place.of_frame(frame, calls, inside)
        frame = frame.f_back
    return None
