"""Scopes: ``with`` statements that set switches of a thread, and always restore them.

Ctrl-C may come between any two lines of Python. If the end of a scope were a Python method, an interrupt before its
first line would skip it, and a program would keep recording. So the end of a scope is a C function, and its beginning
sets everything in its last step.
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
    """Thread-local values, read as attributes.

    Parameters
    ----------
    **values
        The defaults.

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
        # Each step updates the values with those from before the innermost scope.
        put_back = map(own.update, map(own.__getitem__, itertools.repeat("outer")))
        #: Ends the innermost scope; takes the arguments of ``__exit__``.
        self.leave: Callable[..., None] = Ending(put_back.__next__).__exit__


class Ending(io.IOBase):
    """A ``with`` statement that calls a function at its end; IOBase is in C, so no line of Python comes first."""

    @property
    def closed(self) -> bool:
        """True, so that finalizing the object closes nothing."""
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
    """A ``with`` statement that sets some switches of this thread and restores all of them at its end.

    Parameters
    ----------
    switches : Switches
        The switches.
    **values
        The values inside.
    """

    switches: Switches
    _inside: Mapping[str, Any] = {}

    def __init__(self, switches: Switches, **values: Any) -> None:
        self.switches, self._inside = switches, values

    def _shown(self) -> Iterator[Property]:
        return (Property(name, value) for name, value in self._inside.items())

    def inside(self) -> Mapping[str, Any]:
        """Return the values of the switches inside."""
        return self._inside

    def __enter__(self) -> Any:
        own = vars(self.switches)
        inside = {**self.inside(), "outer": own.copy()}
        # An operator: Ctrl-C can't come between it and the block.
        own |= inside; return self  # noqa: E702  # fmt: skip

    if TYPE_CHECKING:

        def __exit__(self, *exception: object) -> None: ...

    else:
        __exit__ = _Exit()


def collecting_later(
    work: Callable[_Arguments, _Result], *args: _Arguments.args, **kwargs: _Arguments.kwargs
) -> _Result:
    """Call a function that builds something large, with garbage collection deferred; return its result.

    The collector scans young objects after every few allocations, and sometimes all objects: in vain, as no part of a
    graph
    or a program is garbage while it is built. That took a seventh of the first call of a net with 800 layers.

    Examples
    --------
    >>> gc.isenabled(), collecting_later(gc.isenabled), gc.isenabled()
    (True, False, True)
    """
    enabled = gc.isenabled()
    try:
        gc.disable()  # inside try, as Ctrl-C may come at once
        return work(*args, **kwargs)
    finally:
        if enabled:
            gc.enable()
