"""Scopes: ``with`` statements that set switches of a thread, and put them back whatever happens.

Ctrl-C may come between any two lines of Python. A scope that ends in a method of Python would now and then be left
before the first line of that method, and a program would go on recording. So the end of a scope is a function in C,
and its beginning sets everything in its last step.
"""

from __future__ import annotations

import gc
import io
import itertools
import threading
from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, ParamSpec, TypeVar

from .display import Property, Shown

__all__ = ["Ending", "Scope", "Switches", "collecting_later"]

_Arguments = ParamSpec("_Arguments")
_Result = TypeVar("_Result")


class Switches(threading.local):
    """Values that each thread has for itself, read as attributes.

    Parameters
    ----------
    **values
        What they are where nobody has set them.

    Examples
    --------
    >>> lamp = Switches(on=False)
    >>> with Scope(lamp, on=True):
    ...     print(lamp.on)
    True
    >>> lamp.on
    False
    """

    def __init__(self, **values: Any) -> None:
        own = vars(self)  # those of this thread
        own.update(values, outer={})
        # Each step updates the values with what the innermost scope has found.
        put_back = map(own.update, map(own.__getitem__, itertools.repeat("outer")))
        #: Ends the innermost scope; takes what ``__exit__`` takes.
        self.leave: Callable[..., None] = Ending(put_back.__next__).__exit__


class Ending(io.IOBase):
    """Calls a function at the end of a ``with`` statement; IOBase is in C, so no line of Python comes before it."""

    @property
    def closed(self) -> bool:
        """True, for the end of the object itself: there is nothing to close."""
        return True

    def __init__(self, function: Callable[[], Any]) -> None:
        self.close = function


class _Exit:
    """``__exit__``: of a scope the function in C; of the class, where ExitStack looks, one that takes the scope."""

    def __get__(self, scope: Scope | None, owner: type) -> Callable[..., None]:
        if scope is None:
            return lambda scope, *exception: scope.switches.leave(*exception)
        return scope.switches.leave


class Scope(Shown):
    """A ``with`` statement that sets some switches of this thread; all of them are afterwards as they were before.

    Parameters
    ----------
    switches : Switches
        The switches.
    **values
        What they are inside.
    """

    switches: Switches
    _inside: Mapping[str, Any] = {}

    def __init__(self, switches: Switches, **values: Any) -> None:
        self.switches, self._inside = switches, values

    def _shown(self) -> Iterator[Property]:
        return (Property(name, value) for name, value in self._inside.items())

    def inside(self) -> Mapping[str, Any]:
        """Return what the switches are inside."""
        return self._inside

    def __enter__(self) -> Any:
        own = vars(self.switches)
        inside = {**self.inside(), "outer": own.copy()}
        # An operator: there is no moment for Ctrl-C between it and the block, and no line either.
        own |= inside; return self  # noqa: E702  # fmt: skip

    if TYPE_CHECKING:

        def __exit__(self, *exception: object) -> None: ...

    else:
        __exit__ = _Exit()


def collecting_later(
    work: Callable[_Arguments, _Result], *args: _Arguments.args, **kwargs: _Arguments.kwargs
) -> _Result:
    """Return what a function returns that builds something large; Python looks for garbage afterwards.

    It walks over young objects whenever so many have come, and at times over all: in vain, for nothing of a graph or
    a program is garbage while it is built. That took a seventh of the first call of a net with 800 layers.

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
