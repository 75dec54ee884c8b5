"""Events of the core and the compiler, and their subscribers.

Every event is a variable of this module. One statement publishes an event::

    if events.node_made:
        events.node_made.tell(node)

Without subscribers, this statement only tests an empty list. A scope subscribes a function::

    with events.listening(node_made=nodes.append):
        net(x)

A listener receives the events of its own thread until the scope ends, except for events that the listener causes. All
listeners of an event are called, and those of outer scopes are called first. Exceptions of a listener propagate to the
code that publishes the event.
"""

from __future__ import annotations

import functools
import threading
from collections import deque
from collections.abc import Callable
from typing import Any

from .scopes import Ending

__all__ = [
    "Event", "block_called", "call_begins", "forget_listeners", "function_entered", "gradient_ended", "listening",
    "node_made", "operator_ran", "pass_done", "program_called", "program_compiled", "shape_found",
]  # fmt: skip


class _Listener:
    """A subscription to an event."""

    __slots__ = ("busy", "call", "thread")

    def __init__(self, call: Callable[..., Any]) -> None:
        self.call, self.thread, self.busy = call, threading.current_thread(), False


class Event(list[_Listener]):
    """An event, as the list of its listeners in all threads."""

    def tell(self, *what: Any) -> list[Any]:
        """Call the listeners of this thread that aren't already running, and return the results that aren't None."""
        here, answers = threading.current_thread(), []
        for listener in [*self]:
            if listener.thread is not here or listener.busy or listener not in self:  # removed meanwhile
                continue
            try:
                listener.busy = True
                answer = listener.call(*what)
            finally:
                listener.busy = False
            if answer is not None:
                answers.append(answer)
        return answers

    def first(self, usual: Any, *what: Any) -> Any:
        """Call the listeners of this thread, and return the first result that isn't None, or `usual`.

        Parameters
        ----------
        usual : object
            The result if all listeners return None, or if there is no listener.
        *what : object
            Arguments of the listeners.

        Returns
        -------
        object
            The result.
        """
        return next(iter(self.tell(*what)), usual) if self else usual


#: An operator was called on arrays: ``(op, params, results)``.
operator_ran: Event = Event()
#: An operator was called on symbols: ``(node)``.
node_made: Event = Event()
#: A block was called with symbols: ``(block, arguments, result)``.
block_called: Event = Event()
#: The rule of a node inferred a partial shape, or a dtype: ``(node, entry, found)``.
shape_found: Event = Event()
#: A stage of the compiler returned its graph: ``(stage)``.
pass_done: Event = Event()
#: The compiler made a program: ``(program)``.
program_compiled: Event = Event()
#: A Python function begins: ``(frame)``. A function that a listener returns traces its lines. See
#: :mod:`d2lhybrid.internals.pictures.lines`.
function_entered: Event = Event()
#: A call of an operator on arrays, or of its gradient, begins: ``(op, params, is_gradient)``. For an operator, a
#: function that a listener returns is called in place of the kernel.
call_begins: Event = Event()
#: The gradient of an operator was computed: ``(op, params)``.
gradient_ended: Event = Event()
#: A call of a generated function begins: ``(source, function)``. A function that a listener returns is called in its
#: place.
program_called: Event = Event()

_EVENTS = {name: event for name, event in vars().items() if isinstance(event, Event)}


def forget_listeners() -> None:
    """Remove all listeners in a forked child, because they belong to its parent."""
    for event in _EVENTS.values():
        event.clear()


class listening(Ending):  # noqa: N801  used like a function
    """A scope that subscribes functions to events, by the names of the events.

    Scopes may end in any order and in any thread, because each scope removes only its own listeners.

    Parameters
    ----------
    **listeners : callable
        The function for each event, by the event's name.

    Raises
    ------
    TypeError
        If an event does not exist.

    Examples
    --------
    >>> from d2lhybrid import nd
    >>> with listening(operator_ran=lambda op, params, results: print(op.name, results[0].shape)):
    ...     y = nd.ones((2, 3)) + 1
    _ones (2, 3)
    _plus_scalar (2, 3)
    """

    def __init__(self, **listeners: Callable[..., Any]) -> None:
        unknown = listeners.keys() - _EVENTS.keys()
        if unknown:
            raise TypeError(f"unknown event {min(unknown)!r}. The events are {', '.join(_EVENTS)}")
        self._events = [_EVENTS[name] for name in listeners]
        self._calls, self._own = list(listeners.values()), list[_Listener]()

    def __enter__(self) -> Any:
        """Subscribe the functions in this thread."""
        if any(map(list.__contains__, self._events, self._own)):
            raise RuntimeError(
                "a scope of listening() cannot be entered again before it ends: call listening() for another scope"
            )
        self._own = [_Listener(call) for call in self._calls]
        super().__init__(functools.partial(deque, map(list.remove, self._events, self._own), 0))
        begun = deque[None](maxlen=0)
        # Ctrl-C can't interrupt the program between this operation, which runs in C, and the block.
        begun += map(list.append, self._events, self._own); return self  # noqa: E702  # fmt: skip
