"""The functions that change the profiler's state and settings, and write its file and tables."""

from __future__ import annotations

import json
import os
import time
import warnings
from typing import Any

from ..error import MXNetError
from ..internals.reports.profile import timed_function
from ..internals.support import events
from ..internals.support.filesystem import write_text
from ..internals.support.suggestions import did_you_mean
from .record import Note, record
from .tables import as_json, as_text

__all__ = [
    "dump", "dump_profile", "dumps", "pause", "profiler_set_config", "profiler_set_state", "resume", "set_config",
    "set_kvstore_handle", "set_state",
]  # fmt: skip

_SWITCHES = (
    "profile_all", "profile_symbolic", "profile_imperative", "profile_memory", "profile_api", "continuous_dump",
    "aggregate_stats",
)  # fmt: skip
_TRUTH = {"1": True, "0": False, "true": True, "false": False}
_defaults: dict[str, Any] = {**dict.fromkeys(_SWITCHES, False), "filename": "profile.json"}
record.config = dict(_defaults)


def set_config(**kwargs: Any) -> None:
    """Set the output file of the profiler, and whether :func:`dumps` returns a table.

    Parameters
    ----------
    filename : str
        Path of the file; ``profile.json`` by default.
    profile_all, profile_symbolic, profile_imperative : bool
        Ignored; accepted because MXNet's function has these settings. Lines of programs and operators are always
        recorded.
    profile_memory, profile_api : bool
        Ignored; accepted because MXNet's function has these settings.
    aggregate_stats : bool
        Whether :func:`dumps` returns a table.
    continuous_dump, dump_period
        Ignored, because only :func:`dump` writes a file.

    Raises
    ------
    MXNetError
        If a keyword is unknown or a value is invalid. In this case, no setting is changed.
    """
    known = (*_SWITCHES, "filename", "dump_period", "profile_process")
    found = dict(_defaults)
    for key, value in kwargs.items():
        if key not in known:
            error = MXNetError(
                f"Cannot find argument '{key}', Possible Arguments:\n----------------\n" + "\n".join(known)
            )
            if hint := did_you_mean(key, known).strip():
                error.add_note(hint)
            raise error
        if key in _SWITCHES:
            if str(value).lower() not in _TRUTH:
                raise MXNetError(f"Invalid Parameter format for {key} expect boolean but value='{value}'")
            value = _TRUTH[str(value).lower()]
        elif key == "filename":
            value = os.fspath(value) if isinstance(value, os.PathLike) else str(value)
        found[key] = value
    record.config = found


def profiler_set_config(mode: str = "symbolic", filename: str = "profile.json") -> None:
    """Call :func:`set_config`, and warn that this name is deprecated.

    Parameters
    ----------
    mode : str
        An option of :func:`set_config` without the prefix ``profile_``, such as ``"symbolic"``. The option has no
        effect: operators and lines of programs are always recorded.
    filename : str
        Path of the file.
    """
    warnings.warn(
        "profiler.profiler_set_config() is deprecated. Please use profiler.set_config() instead", stacklevel=2
    )
    set_config(**{f"profile_{mode}": True, "filename": filename})


class _Calls:
    """A listener that records operators and programs while the profiler runs."""

    def __init__(self) -> None:
        self._open: list[tuple[Any, str, float, bool]] = []
        self._scope: Any = None

    def begin(self) -> None:
        if self._scope is None:
            self._open.clear()
            self._scope = events.listening(
                call_begins=self._begins,
                operator_ran=self._ended,
                gradient_ended=self._ended,
                program_called=self._program,
            )
            self._scope.__enter__()

    def end(self) -> None:
        if self._scope is not None:
            self._scope.__exit__(None, None, None)
            self._scope = None

    def _begins(self, op: Any, params: dict[str, Any], backward: bool) -> None:
        if op.calls_python and "callback" not in params:
            return  # a custom operator records its Python function
        name = params.get("callback", op.name)
        name = f"_backward_{name}" if backward else name
        self._open.append((op, name, time.perf_counter(), op.calls_python))

    def _ended(self, op: Any, params: dict[str, Any], results: Any = None) -> None:
        end = time.perf_counter()
        if op.calls_python and "callback" not in params:
            return
        while self._open:  # operators that raised an error have no end
            begun, name, start, python = self._open.pop()
            if begun is op:
                self._note(name, start, end, python)
                return

    def _note(self, name: str, start: float, end: float, python: bool) -> None:
        custom = next((n for _, n, _, inside in reversed(self._open) if inside), None)
        if python:
            record.span("Custom Operator", f"{name}::pure_python", start, end)
        elif custom is not None:
            record.span("Custom Operator", f"{custom.removeprefix('_backward_')}::{name}", start, end)
        else:
            record.span("operator", name, start, end)

    def _program(self, source: Any, run: Any) -> Any:
        texts = source.text.splitlines()

        def note(number: int, start: float, end: float) -> None:
            node = source.line_nodes.get(number)
            if node is not None and node.op is not None and not node.op.calls_python:
                line = texts[number - 1].strip()
                record.span("operator", node.op.name, start, end, line=line, program=source.filename, node=node.name)

        return timed_function(source, run, note)


_calls = _Calls()


def set_state(state: str = "stop", profile_process: str = "worker") -> None:
    """Start (``"run"``) or stop (``"stop"``) the recording of this thread.

    Parameters
    ----------
    state : {"run", "stop"}
        The new state.
    profile_process : str
        Ignored; accepted because MXNet's function has this parameter.

    Raises
    ------
    KeyError
        If ``state`` has another value.
    """
    for name, given, known in (
        ("state", state, ("stop", "run")),
        ("profile_process", profile_process, ("worker", "server")),
    ):
        if given not in known:
            error = KeyError(given)  # MXNet's own message
            error.add_note(f"Pass {name}={' or '.join(map(repr, known))}.")
            raise error
    if state == "run":
        record.running = True
        _calls.begin()
    else:
        record.running = False
        _calls.end()


def profiler_set_state(state: str = "stop") -> None:
    """Call :func:`set_state`, and warn that this name is deprecated.

    Parameters
    ----------
    state : {"run", "stop"}
        The new state.
    """
    warnings.warn("profiler.profiler_set_state() is deprecated. Please use profiler.set_state() instead", stacklevel=2)
    set_state(state)


def pause(profile_process: str = "worker") -> None:
    """Pause the recording.

    Parameters
    ----------
    profile_process : str
        Ignored; accepted because MXNet's function has this parameter.
    """
    _calls.end()
    record.running = False


def resume(profile_process: str = "worker") -> None:
    """Resume the recording.

    Parameters
    ----------
    profile_process : str
        Ignored; accepted because MXNet's function has this parameter.
    """
    set_state("run")


def dump(finished: bool = True, profile_process: str = "worker") -> None:
    """Write all records since the last finished dump to a file in Chrome's trace format.

    Parameters
    ----------
    finished : bool
        Whether to stop the profiler, so that the next file starts empty.
    profile_process : str
        Ignored; accepted because MXNet's function has this parameter.
    """
    write_text(record.config["filename"], json.dumps(_trace(record.for_file)))
    if finished:
        set_state("stop")
        record.for_file.clear()


def dump_profile() -> None:
    """Call :func:`dump`, and warn that this name is deprecated."""
    warnings.warn("profiler.dump_profile() is deprecated. Please use profiler.dump() instead", stacklevel=2)
    dump(True)


def _trace(notes: list[Note]) -> dict[str, Any]:
    """Return the content of a trace file, with a row of nested spans for each category."""
    rows = {category: number for number, category in enumerate(dict.fromkeys(n.category for n in notes))}
    found: list[dict[str, Any]] = [
        {"ph": "M", "name": "process_name", "pid": number, "args": {"name": category}}
        for category, number in rows.items()
    ]
    for note in notes:
        entry: dict[str, Any] = {
            "name": note.name, "cat": note.category, "ts": round((note.start + record.epoch) * 1e6, 3),
            "pid": rows[note.category], "tid": note.thread,
        }  # fmt: skip
        if note.kind == "span":
            entry |= {"ph": "X", "dur": round(note.value * 1e6, 3), "args": note.details}
        elif note.kind == "counter":
            entry |= {"ph": "C", "args": {note.name: note.value}}
        else:
            scope = {"global": "g", "thread": "t"}.get(note.details.get("scope", ""), "p")
            entry |= {"ph": "i", "s": scope, "args": {}}
        found.append(entry)
    return {"traceEvents": found, "displayTimeUnit": "ms"}


def dumps(reset: bool = False, format: str = "table", sort_by: str = "total", ascending: bool = False) -> str:
    """Return the number of calls and the times of all recorded operators, programs, and spans.

    Calls are counted only after ``set_config(aggregate_stats=True)``.

    Parameters
    ----------
    reset : bool
        Whether to reset the counts.
    format : {"table", "json"}
        Whether to return plain text or JSON.
    sort_by : {"total", "avg", "min", "max", "count"}
        The statistic that determines the order.
    ascending : bool
        Whether to sort in ascending order.

    Returns
    -------
    str
        The statistics in the requested format.

    Raises
    ------
    AssertionError
        If an argument has another value.
    """
    if format not in ("table", "json"):
        raise AssertionError(f"Invalid value provided for format: {format}. Support: 'table', 'json'")
    if sort_by not in ("total", "avg", "min", "max", "count"):
        raise AssertionError(
            f"Invalid value provided for sort_by: {sort_by}. Support: 'total', 'avg', 'min', 'max', 'count'"
        )
    if ascending not in (True, False) or reset not in (True, False):
        raise AssertionError(f"Invalid value provided for ascending: {ascending}. Support: False, True")
    made = (as_text if format == "table" else as_json)(record.for_table, sort_by, ascending)
    if reset:
        record.for_table.clear()
    return made


def set_kvstore_handle(handle: Any) -> None:
    """Do nothing, because there are no other processes to profile.

    Parameters
    ----------
    handle : object
        Ignored.
    """
