"""The record: spans of time, values of counters, and marks."""

from __future__ import annotations

import threading
import time
from typing import Any, NamedTuple

__all__ = ["Note", "Record", "record"]


class Note(NamedTuple):
    """Something that happened.

    Attributes
    ----------
    kind : str
        ``"span"``, ``"counter"`` or ``"mark"``.
    category, name : str
        The group that it belongs to in tables, and its name.
    start : float
        When, in seconds of ``time.perf_counter``.
    value : float
        Seconds that a span took; the value of a counter.
    thread : int
        Who did it.
    details : dict
        What a viewer shows besides: the line of a program.
    """

    kind: str
    category: str
    name: str
    start: float
    value: float
    thread: int
    details: dict[str, Any]


class Record:
    """Everything since the last ``dump`` (for the file) and since the last reset (for the table)."""

    def __init__(self) -> None:
        self.running = False
        self.for_file: list[Note] = []
        self.for_table: list[Note] = []
        self.config: dict[str, Any] = {}
        #: What ``perf_counter`` is added to, so that a file holds the time of day.
        self.epoch: float = time.time() - time.perf_counter()

    def add(self, kind: str, category: str, name: str, start: float, value: float, **details: Any) -> None:
        """Note something down, if the profiler runs."""
        if not self.running:
            return
        note = Note(kind, category, name, start, value, threading.get_ident(), details)
        self.for_file.append(note)
        if self.config.get("aggregate_stats"):
            self.for_table.append(note)

    def span(self, category: str, name: str, start: float, end: float, **details: Any) -> None:
        """Note a span of time down."""
        self.add("span", category, name, start, end - start, **details)


record: Record = Record()
