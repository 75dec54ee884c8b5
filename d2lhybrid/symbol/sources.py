"""Which line of the user's makes a node, and in which calls of blocks: known while a block is traced."""

from __future__ import annotations

import functools
import sys
from types import FrameType
from typing import Any

from ..support.places import BlockCall, Place
from ..support.scopes import Scope, Switches
from ..util import is_user_file

__all__ = ["calling", "made_here", "new_source", "remember_lines", "user_place"]

#: Whether the lines are followed; the calls that are being traced now; of the innermost block, the names of its
#: children by id, and how often each of them was called (None outside a trace); and the frame in which the trace began.
_trace = Switches(lines=False, calls=(), block=None, root=None)

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


def remember_lines() -> Scope:
    """Return a scope in which every new node remembers the user's line."""
    return Scope(_trace, lines=True, root=sys._getframe(1))


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
