"""Python's search for garbage waits while something large is built.

It walks over young objects whenever so many have come, and at times over all: in vain while a graph or a program is
built, for nothing of it is garbage yet. That took a seventh of the first call of a net with 800 layers.
"""

from __future__ import annotations

import gc
from collections.abc import Callable
from typing import ParamSpec, TypeVar

__all__ = ["collecting_later"]

_Arguments = ParamSpec("_Arguments")
_Result = TypeVar("_Result")


def collecting_later(
    work: Callable[_Arguments, _Result], *args: _Arguments.args, **kwargs: _Arguments.kwargs
) -> _Result:
    """Return what a function returns, during which Python looks for no garbage.

    Examples
    --------
    >>> gc.isenabled(), collecting_later(gc.isenabled), gc.isenabled()
    (True, False, True)
    """
    enabled = gc.isenabled()
    try:
        gc.disable()  # in here: Ctrl-C may come at once
        return work(*args, **kwargs)
    finally:
        if enabled:
            gc.enable()
