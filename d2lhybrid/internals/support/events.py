"""What happens in the machine, and who listens to it.

Every event is an object of this module, and one line of the program makes it known::

    if events.node_made:
        events.node_made.tell(node)

Where nobody listens, that is the test of an empty list. To listen is a scope::

    with events.listening(node_made=nodes.append):
        net(x)

A listener hears what its own thread does, until the scope ends, and nothing of what it does itself. All listeners of an
event are told, those of outer scopes first. What a listener raises comes out of the act that it was told of.
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
    """One subscription to one event."""

    __slots__ = ("busy", "call", "thread")

    def __init__(self, call: Callable[..., Any]) -> None:
        self.call, self.thread, self.busy = call, threading.current_thread(), False


class Event(list[_Listener]):
    """Something that happens again and again: the list of those who listen, in whatever thread."""

    def tell(self, *what: Any) -> list[Any]:
        """Tell the listeners of this thread, and return what they answer, where that is something."""
        here, answers = threading.current_thread(), []
        for listener in [*self]:
            if listener.thread is not here or listener.busy or listener not in self:  # gone since the event began
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
        """Tell the listeners of this thread, and return their first answer, or what is usual without one."""
        return next(iter(self.tell(*what)), usual) if self else usual


#: An operator was called on arrays: ``(op, params, results)``.
operator_ran: Event = Event()
#: An operator was called on symbols: ``(node)``.
node_made: Event = Event()
#: A block was called with symbols: ``(block, arguments, what it returned)``.
block_called: Event = Event()
#: The rule of a node found a partial shape, or a dtype: ``(node, entry, found)``.
shape_found: Event = Event()
#: The compiler made a graph out of a graph: ``(stage)``.
pass_done: Event = Event()
#: The compiler made a program: ``(program)``.
program_compiled: Event = Event()
#: A function of Python's begins: ``(frame)``; the answer hears of its lines. See
#: :mod:`d2lhybrid.internals.pictures.lines`.
function_entered: Event = Event()
#: A call of an operator on arrays, or of its gradient, begins: ``(op, params, is it the gradient)``; an answer to the
#: former is called in place of the operator's kernel.
call_begins: Event = Event()
#: The gradient of an operator was computed: ``(op, params)``.
gradient_ended: Event = Event()
#: A generated function is about to be called: ``(source, function)``; an answer is called in its place.
program_called: Event = Event()

_EVENTS = {name: event for name, event in vars().items() if isinstance(event, Event)}


def forget_listeners() -> None:
    """Tell nobody any more: in a child of a fork, where those who listen see nothing of what they draw."""
    for event in _EVENTS.values():
        event.clear()


class listening(Ending):  # noqa: N801  used like a function
    """Return a scope in which functions are told of events, by the names of the events.

    Scopes may end in any order, and in any thread: each takes away its own listeners.

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
            raise TypeError(f"There is no event {min(unknown)!r}; there are {', '.join(_EVENTS)}")
        self._events = [_EVENTS[name] for name in listeners]
        self._calls, self._own = list(listeners.values()), list[_Listener]()

    def __enter__(self) -> Any:
        """Begin to listen, in this thread."""
        if any(map(list.__contains__, self._events, self._own)):
            raise RuntimeError("This scope is open already: make another one")
        self._own = [_Listener(call) for call in self._calls]
        super().__init__(functools.partial(deque, map(list.remove, self._events, self._own), 0))
        begun = deque[None](maxlen=0)
        # An operator, in C: there is no moment for Ctrl-C between it and the block, and no line either.
        begun += map(list.append, self._events, self._own); return self  # noqa: E702  # fmt: skip
