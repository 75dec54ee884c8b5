"""Streams, events and graphs. Work runs at once, unless its stream is being captured."""

from __future__ import annotations

import itertools
import time
from typing import Any

from .machine import Capture, CUDARuntimeError, machine

_pointers = itertools.count(0x5000, 16)


class _BaseStream:
    def __init__(self, ptr: int, device_id: int) -> None:
        self.ptr = ptr
        self.device_id = device_id
        self._non_blocking = False

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _BaseStream) and self.ptr == other.ptr

    def __hash__(self) -> int:
        return self.ptr

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.ptr} (device {self.device_id})>"

    def __cuda_stream__(self) -> tuple[int, int]:
        return (0, self.ptr)

    def _check_device(self) -> int:
        current = machine().current
        if self.device_id not in (-1, current):
            raise RuntimeError(
                f"The device that the stream is created on ({self.device_id})"
                f" does not match with the current device ({current})"
            )
        return current

    def __enter__(self) -> _BaseStream:
        device = self._check_device()
        machine().streams().setdefault(device, [Stream.null]).append(self)
        self._entered = [*getattr(self, "_entered", []), device]
        return self

    def __exit__(self, *error: Any) -> None:
        machine().streams()[self._entered.pop()].pop()

    def use(self) -> _BaseStream:
        machine().streams().setdefault(self._check_device(), [Stream.null])[-1] = self
        return self

    @property
    def done(self) -> bool:
        machine().refuse_capture()
        return True

    @property
    def is_non_blocking(self) -> bool:
        return self._non_blocking

    @property
    def priority(self) -> int:
        return 0

    def synchronize(self) -> None:
        machine().refuse_capture()
        number = machine().current if self.device_id < 0 else self.device_id
        machine().devices[number].synchronizations += 1

    def add_callback(self, callback: Any, arg: Any) -> None:
        machine().refuse_capture()
        callback(self, 0, arg)

    def launch_host_func(self, callback: Any, arg: Any) -> None:
        machine().submit(lambda: callback(arg), self.ptr, launches=0)

    def record(self, event: Event | None = None) -> Event:
        event = event or Event()
        event.record(self)
        return event

    def wait_event(self, event: Event) -> None:
        """Nothing has to be waited for: what was recorded before has run."""

    # --- capture ---

    def begin_capture(self, mode: int | None = None) -> None:
        if self.ptr in (0, 1):
            raise RuntimeError("cannot capture on the default (legacy) stream")
        if self.ptr in machine().captures:
            raise CUDARuntimeError(1)
        machine().captures[self.ptr] = Capture(self._check_device())

    def end_capture(self) -> Graph:
        capture = machine().captures.pop(self.ptr, None)
        if capture is None:
            raise CUDARuntimeError(1)
        if capture.invalid:
            raise CUDARuntimeError(901)
        graph = object.__new__(Graph)
        graph._actions = capture.actions
        graph._device = capture.device
        return graph

    def is_capturing(self) -> bool:
        return self.ptr in machine().captures


class Stream(_BaseStream):
    """A stream of work."""

    null: Stream
    ptds: Stream

    def __init__(
        self, null: bool = False, non_blocking: bool = False, ptds: bool = False, priority: int | None = None
    ) -> None:
        if null or ptds:
            super().__init__(0 if null else 2, -1)
            return
        super().__init__(next(_pointers), machine().current)
        self._non_blocking = non_blocking


Stream.null = Stream(null=True)
Stream.ptds = Stream(ptds=True)


class ExternalStream(_BaseStream):
    """A stream that something else made."""

    def __init__(self, ptr: int, device_id: int = -1) -> None:
        super().__init__(ptr, device_id)


def get_current_stream(device_id: int = -1) -> _BaseStream:
    stack = machine().streams().get(machine().current if device_id == -1 else device_id)
    return stack[-1] if stack else Stream.null


class Event:
    """A mark in a stream."""

    def __init__(self, block: bool = False, disable_timing: bool = False, interprocess: bool = False) -> None:
        if interprocess and not disable_timing:
            raise ValueError("Timing must be disabled for interprocess events")
        self.ptr = next(_pointers)
        self._timing = not disable_timing
        self._time: float | None = None

    def record(self, stream: _BaseStream | None = None) -> None:
        pointer = machine().stream_pointer() if stream is None else stream.ptr
        machine().submit(self._note, pointer, launches=0)

    def _note(self) -> None:
        self._time = time.perf_counter()

    @property
    def done(self) -> bool:
        machine().refuse_capture()
        return True

    def synchronize(self) -> None:
        machine().refuse_capture()
        machine().device.synchronizations += 1


def get_elapsed_time(start_event: Event, end_event: Event) -> float:
    """Return milliseconds between two events."""
    if start_event._time is None or end_event._time is None or not (start_event._timing and end_event._timing):
        raise CUDARuntimeError(400)
    return 1e3 * (end_event._time - start_event._time)


class Graph:
    """A captured sequence of operations, with the addresses they had."""

    _actions: list[Any]
    _device: int

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        raise NotImplementedError(
            "currently this class cannot be initiated by the user and must be created via stream capture"
        )

    def _run(self) -> None:
        device = machine().devices[self._device]
        device.graph_nodes += len(self._actions)
        for action in self._actions:
            action()

    def launch(self, stream: _BaseStream | None = None) -> None:
        pointer = machine().stream_pointer() if stream is None else stream.ptr
        if machine().current != self._device:
            raise CUDARuntimeError(400, "Simulated GPU: a graph is launched on another device than it was captured on.")
        machine().submit(self._run, pointer)

    def upload(self, stream: _BaseStream | None = None) -> None:
        machine().refuse_capture()

    def debug_dot_str(self, flags: int = 0) -> str:
        nodes = "".join(f'"{i}";\n' for i in range(len(self._actions)))
        edges = "".join(f'"{i}" -> "{i + 1}";\n' for i in range(len(self._actions) - 1))
        return f"digraph dot {{\n{nodes}{edges}}}\n"
