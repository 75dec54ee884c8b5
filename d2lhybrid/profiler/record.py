"""The profiler's record of time spans, counter values, and markers."""

from __future__ import annotations

import threading
import time
from typing import Any, NamedTuple

__all__ = ["Note", "Record", "record"]


class Note(NamedTuple):
    """An entry of the record.

    Attributes
    ----------
    kind : str
        ``"span"``, ``"counter"``, or ``"mark"``.
    category, name : str
        Name of the entry's group in the tables, and name of the entry.
    start : float
        Start in seconds, as returned by ``time.perf_counter``.
    value : float
        Duration of a span in seconds, or the value of a counter.
    thread : int
        Identifier of the thread.
    details : dict
        Additional data for a viewer, such as the line of a program.
    """

    kind: str
    category: str
    name: str
    start: float
    value: float
    thread: int
    details: dict[str, Any]


class Record:
    """The profiler's entries for the next file, and the entries for the tables since the last reset."""

    def __init__(self) -> None:
        self.running = False
        self.for_file: list[Note] = []
        self.for_table: list[Note] = []
        self.config: dict[str, Any] = {}
        #: Offset from ``perf_counter`` to the time of day, which files contain.
        self.epoch: float = time.time() - time.perf_counter()

    def add(self, kind: str, category: str, name: str, start: float, value: float, **details: Any) -> None:
        """Add an entry if the profiler is running.

        Parameters
        ----------
        kind, category, name, start, value
            Attributes of :class:`Note`.
        **details : object
            Additional data for a viewer.
        """
        if not self.running:
            return
        note = Note(kind, category, name, start, value, threading.get_ident(), details)
        self.for_file.append(note)
        if self.config.get("aggregate_stats"):
            self.for_table.append(note)

    def span(self, category: str, name: str, start: float, end: float, **details: Any) -> None:
        """Add a time span.

        Parameters
        ----------
        category, name : str
            Name of the span's group in the tables, and name of the span.
        start, end : float
            Start and end in seconds, as returned by ``time.perf_counter``.
        **details : object
            Additional data for a viewer.
        """
        self.add("span", category, name, start, end - start, **details)


record: Record = Record()
