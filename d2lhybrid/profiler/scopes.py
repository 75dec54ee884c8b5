"""User-defined records: tasks, frames, events, counters and markers."""

from __future__ import annotations

import time
from typing import Any

from ..error import MXNetError
from ..internals.support.display import Shown
from .record import record

__all__ = ["Counter", "Domain", "Event", "Frame", "Marker", "Task"]

_SCOPES = ("global", "process", "thread", "task", "marker")


class Domain(Shown):
    """A named group of things to record.

    Parameters
    ----------
    name : str
        The name of the group.
    """

    def __init__(self, name: str) -> None:
        self.name = name

    def __str__(self) -> str:
        return self.name

    def new_task(self, name: str) -> Task:
        """Return a task of this group.

        Parameters
        ----------
        name : str
            Its name.
        """
        return Task(self, name)

    def new_frame(self, name: str) -> Frame:
        """Return a frame of this group.

        Parameters
        ----------
        name : str
            Its name.
        """
        return Frame(self, name)

    def new_counter(self, name: str, value: int | None = None) -> Counter:
        """Return a counter of this group.

        Parameters
        ----------
        name : str
            Its name.
        value : int, optional
            What it begins with.
        """
        return Counter(self, name, value)

    def new_marker(self, name: str) -> Marker:
        """Return a marker of this group.

        Parameters
        ----------
        name : str
            Its name.
        """
        return Marker(self, name)


class _Span(Shown):
    """Something with a begin and an end; also a scope of a ``with`` statement."""

    name: str
    _category: str

    def __init__(self) -> None:
        self._start: float | None = None

    def start(self) -> None:
        """Begin."""
        self._start = time.perf_counter()

    def stop(self) -> None:
        """End; what has not begun does not."""
        if self._start is not None:
            record.span(self._category, self.name, self._start, time.perf_counter())
            self._start = None

    def __enter__(self) -> Any:
        self.start()
        return self

    def __exit__(self, *exception: object) -> None:
        self.stop()

    def __str__(self) -> str:
        return self.name


class Task(_Span):
    """A piece of work of a group, which may be done in pieces.

    Parameters
    ----------
    domain : Domain
        The group.
    name : str
        Its name.
    """

    name: str

    def __init__(self, domain: Domain, name: str) -> None:
        super().__init__()
        self.name, self._category = name, domain.name


class Frame(_Span):
    """One round of something that comes again and again: a batch, an image.

    Parameters
    ----------
    domain : Domain
        The group.
    name : str
        Its name.
    """

    name: str

    def __init__(self, domain: Domain, name: str) -> None:
        super().__init__()
        self.name, self._category = name, f"{domain.name},frame"


class Event(_Span):
    """A piece of work of no group.

    Parameters
    ----------
    name : str
        Its name.
    """

    name: str

    def __init__(self, name: str) -> None:
        super().__init__()
        self.name, self._category = name, "event"


class Counter(Shown):
    """A number that changes.

    Parameters
    ----------
    domain : Domain
        The group.
    name : str
        Its name.
    value : int, optional
        Its first value.
    """

    name: str

    def __init__(self, domain: Domain, name: str, value: int | None = None) -> None:
        self.name, self._category, self._value = name, domain.name, 0
        if value is not None:
            self.set_value(value)

    def set_value(self, value: int) -> None:
        """Set the number.

        Parameters
        ----------
        value : int
            The number.
        """
        self._value = value
        record.add("counter", self._category, self.name, time.perf_counter(), value)

    def increment(self, delta: int = 1) -> None:
        """Add to the number.

        Parameters
        ----------
        delta : int
            How much is added.
        """
        self.set_value(self._value + delta)

    def decrement(self, delta: int = 1) -> None:
        """Subtract from the number.

        Parameters
        ----------
        delta : int
            How much is subtracted.
        """
        self.set_value(self._value - delta)

    def __iadd__(self, delta: int) -> Counter:
        self.increment(delta)
        return self

    def __isub__(self, delta: int) -> Counter:
        self.decrement(delta)
        return self

    def __str__(self) -> str:
        return self.name


class Marker(Shown):
    """A moment.

    Parameters
    ----------
    domain : Domain
        The group.
    name : str
        Its name.
    """

    name: str

    def __init__(self, domain: Domain, name: str) -> None:
        self.name, self._category = name, f"{domain.name},instant_marker"

    def mark(self, scope: str = "process") -> None:
        """Note this moment down.

        Parameters
        ----------
        scope : {"global", "process", "thread", "task", "marker"}
            For whom it means something.

        Raises
        ------
        MXNetError
            For another scope.
        """
        if scope not in _SCOPES:
            raise MXNetError(f"Invalid Input: '{scope}', valid values are: {{{', '.join(map(repr, sorted(_SCOPES)))}}}")
        record.add("mark", self._category, self.name, time.perf_counter(), 0.0, scope=scope)
