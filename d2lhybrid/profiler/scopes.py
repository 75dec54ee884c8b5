"""User-defined records: tasks, frames, events, counters, and markers."""

from __future__ import annotations

import time
from typing import Any

from ..error import MXNetError
from ..internals.support.display import Shown
from .record import record

__all__ = ["Counter", "Domain", "Event", "Frame", "Marker", "Task"]

_SCOPES = ("global", "process", "thread", "task", "marker")


class Domain(Shown):
    """A named group of user-defined records.

    Parameters
    ----------
    name : str
        Name of the group.
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
            Name of the task.

        Returns
        -------
        Task
            The task, which is not started.
        """
        return Task(self, name)

    def new_frame(self, name: str) -> Frame:
        """Return a frame of this group.

        Parameters
        ----------
        name : str
            Name of the frame.

        Returns
        -------
        Frame
            The frame, which is not started.
        """
        return Frame(self, name)

    def new_counter(self, name: str, value: int | None = None) -> Counter:
        """Return a counter of this group.

        Parameters
        ----------
        name : str
            Name of the counter.
        value : int, optional
            Initial value.

        Returns
        -------
        Counter
            The counter.
        """
        return Counter(self, name, value)

    def new_marker(self, name: str) -> Marker:
        """Return a marker of this group.

        Parameters
        ----------
        name : str
            Name of the marker.

        Returns
        -------
        Marker
            The marker.
        """
        return Marker(self, name)


class _Span(Shown):
    """A span with a start and an end, which is also a context manager."""

    name: str
    _category: str

    def __init__(self) -> None:
        self._start: float | None = None

    def start(self) -> None:
        """Start the span."""
        self._start = time.perf_counter()

    def stop(self) -> None:
        """End the span if it has started."""
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
    """A span of work in a group, which may be started and stopped repeatedly.

    Parameters
    ----------
    domain : Domain
        Group of the task.
    name : str
        Name of the task.
    """

    name: str

    def __init__(self, domain: Domain, name: str) -> None:
        super().__init__()
        self.name, self._category = name, domain.name


class Frame(_Span):
    """A span that covers one iteration of a repeated computation, such as a batch or an image.

    Parameters
    ----------
    domain : Domain
        Group of the frame.
    name : str
        Name of the frame.
    """

    name: str

    def __init__(self, domain: Domain, name: str) -> None:
        super().__init__()
        self.name, self._category = name, f"{domain.name},frame"


class Event(_Span):
    """A span of work without a group.

    Parameters
    ----------
    name : str
        Name of the event.
    """

    name: str

    def __init__(self, name: str) -> None:
        super().__init__()
        self.name, self._category = name, "event"


class Counter(Shown):
    """A named number whose values over time are recorded.

    Parameters
    ----------
    domain : Domain
        Group of the counter.
    name : str
        Name of the counter.
    value : int, optional
        Initial value.
    """

    name: str

    def __init__(self, domain: Domain, name: str, value: int | None = None) -> None:
        self.name, self._category, self._value = name, domain.name, 0
        if value is not None:
            self.set_value(value)

    def set_value(self, value: int) -> None:
        """Set the value.

        Parameters
        ----------
        value : int
            The new value.
        """
        self._value = value
        record.add("counter", self._category, self.name, time.perf_counter(), value)

    def increment(self, delta: int = 1) -> None:
        """Increase the value.

        Parameters
        ----------
        delta : int
            The amount to add.
        """
        self.set_value(self._value + delta)

    def decrement(self, delta: int = 1) -> None:
        """Decrease the value.

        Parameters
        ----------
        delta : int
            The amount to subtract.
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
    """A marker that records points in time.

    Parameters
    ----------
    domain : Domain
        Group of the marker.
    name : str
        Name of the marker.
    """

    name: str

    def __init__(self, domain: Domain, name: str) -> None:
        self.name, self._category = name, f"{domain.name},instant_marker"

    def mark(self, scope: str = "process") -> None:
        """Record the current time.

        Parameters
        ----------
        scope : {"global", "process", "thread", "task", "marker"}
            The scope that a viewer marks.

        Raises
        ------
        MXNetError
            If ``scope`` has another value.
        """
        if scope not in _SCOPES:
            raise MXNetError(f"Invalid Input: '{scope}', valid values are: {{{', '.join(map(repr, sorted(_SCOPES)))}}}")
        record.add("mark", self._category, self.name, time.perf_counter(), 0.0, scope=scope)
