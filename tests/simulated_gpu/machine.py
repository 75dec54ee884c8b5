"""The hardware that is pretended: devices with memory of their own, counters, streams that run or record.

Memory is ordinary memory of the process, so that compiled kernels can be given its addresses. What a program
must not rely on is made visible: memory that nobody has written holds NaN (every byte 0xFF), memory that was
given back is overwritten with the same, and every allocation has guard bytes around it.
"""

from __future__ import annotations

import bisect
import contextlib
import gc
import threading
from collections.abc import Callable, Iterator
from typing import Any

import numpy

UNIT = 512
"""Allocations begin at multiples of this, as those of ``cudaMalloc`` do."""

GUARD = 0xA5
POISON = 0xFF

_ERRORS = {
    1: ("cudaErrorInvalidValue", "invalid argument"),
    2: ("cudaErrorMemoryAllocation", "out of memory"),
    101: ("cudaErrorInvalidDevice", "invalid device ordinal"),
    400: ("cudaErrorInvalidResourceHandle", "invalid resource handle"),
    700: ("cudaErrorIllegalAddress", "an illegal memory access was encountered"),
    719: ("cudaErrorLaunchFailure", "unspecified launch failure"),
    9: ("cudaErrorInvalidConfiguration", "invalid configuration argument"),
    900: ("cudaErrorStreamCaptureUnsupported", "operation not permitted when stream is capturing"),
    901: ("cudaErrorStreamCaptureInvalidated", "operation failed due to a previous error during capture"),
    903: ("cudaErrorStreamCaptureUnmatched", "the capture was not initiated in this stream"),
    906: (
        "cudaErrorStreamCaptureImplicit",
        "operation would make the legacy stream depend on a capturing blocking stream",
    ),
}


class CUDARuntimeError(RuntimeError):
    """An error of the CUDA runtime, with CuPy's wording."""

    def __init__(self, status: int, hint: str = "") -> None:
        self.status = status
        name, text = _ERRORS[status]
        super().__init__(f"{name}: {text}")
        if hint:
            self.add_note(hint)


class SimulatedDevice:
    """One pretended GPU.

    Attributes
    ----------
    launches : int
        Kernels and library calls started, a replayed graph counts as one.
    graph_nodes : int
        Operations that replayed graphs have run.
    transfers_to_host, transfers_to_device : int
        Copies between the host and the device.
    synchronizations : int
        How often the host waited for the device.
    """

    def __init__(self, number: int, memory: int) -> None:
        self.number = number
        self.total = memory
        # Twice the size: guards and gaps take room. The system gives pages when they are touched.
        self._room = 2 * memory + (1 << 20)
        self._arena = numpy.empty(self._room + UNIT, numpy.uint8)
        start = self._arena.__array_interface__["data"][0]
        self.start = start + (-start) % UNIT
        self._arena = self._arena[self.start - start :][: self._room]
        self.used = 0
        self._allocations: list[tuple[int, int]] = []  # (address, size with guards), in order
        self._guards: dict[int, int] = {}  # from where to where nobody may write, around allocations
        self._block_guards: dict[int, int] = {}  # and behind blocks
        self.blocks: dict[int, int] = {}  # address and size of what programs hold
        self.lock = threading.RLock()
        self.reset_counters()

    @contextlib.contextmanager
    def undisturbed(self) -> Iterator[None]:
        """Keep others away from the lists: other threads, and the garbage collector, which gives memory back."""
        with self.lock:
            was_on = gc.isenabled()
            gc.disable()
            try:
                yield
            finally:
                if was_on:
                    gc.enable()

    def reset_counters(self) -> None:
        """Count from zero again."""
        self.launches = self.graph_nodes = 0
        self.transfers_to_host = self.transfers_to_device = self.synchronizations = 0

    def __repr__(self) -> str:
        return f"<SimulatedDevice {self.number}>"

    @property
    def free(self) -> int:
        """Bytes that are not taken."""
        return self.total - self.used

    @property
    def extent(self) -> tuple[int, int]:
        """Where the memory begins and ends."""
        return self.start, self.start + self._room

    def contains(self, address: int) -> bool:
        """Return whether an address lies in the memory of this device."""
        return self.start <= address < self.start + self._room

    def view(self, address: int, shape: Any, dtype: Any, strides: Any = None) -> numpy.ndarray:
        """Return the memory at an address as an array of NumPy."""
        return numpy.ndarray(shape, dtype, buffer=self._arena, offset=address - self.start, strides=strides)

    def bytes_at(self, address: int, size: int) -> numpy.ndarray:
        """Return raw memory."""
        offset = address - self.start
        return self._arena[offset : offset + size]

    def malloc(self, size: int) -> int:
        """Return the address of new memory: ``cudaMalloc``."""
        rounded = size + (-size) % UNIT
        with self.undisturbed():
            if self.used + rounded > self.total:
                raise CUDARuntimeError(2)
            needed = rounded + 2 * UNIT
            at = self.start
            for address, taken in [*self._allocations, (self.start + self._room, 0)]:
                if address - at >= needed:
                    break
                at = address + taken
            else:
                raise CUDARuntimeError(2)
            bisect.insort(self._allocations, (at, needed))
            self.used += rounded
            self.bytes_at(at, needed)[:] = GUARD
            self.bytes_at(at + UNIT, rounded)[:] = POISON
            self._guards[at] = at + UNIT
            self._guards[at + UNIT + rounded] = at + needed
            return at + UNIT

    def give_back(self, address: int) -> None:
        """Take memory back: ``cudaFree``."""
        with self.undisturbed():
            place = bisect.bisect_left(self._allocations, (address - UNIT, 0))
            if place == len(self._allocations) or self._allocations[place][0] != address - UNIT:
                raise CUDARuntimeError(1)
            at, taken = self._allocations.pop(place)
            self.used -= taken - 2 * UNIT
            self._guards.pop(at)
            self._guards.pop(at + taken - UNIT)
            self.bytes_at(at, taken)[:] = POISON

    def hold(self, address: int, size: int, room: int) -> None:
        """Note that a program holds a block: what is behind its ``size`` bytes, up to ``room``, becomes a guard."""
        with self.undisturbed():
            self.blocks[address] = size
            self.bytes_at(address + size, room - size)[:] = GUARD
            self._block_guards[address + size] = address + room

    def release(self, address: int, room: int) -> None:
        """Note that a program gave a block back, and spoil what it holds."""
        with self.undisturbed():
            size = self.blocks.pop(address)
            self._block_guards.pop(address + size)
            self.bytes_at(address, room)[:] = POISON

    def is_held(self, address: int) -> bool:
        """Return whether an address lies in a block that a program holds."""
        with self.undisturbed():
            return any(start <= address < start + size for start, size in self.blocks.items())

    def check_guards(self, what: str) -> None:
        """Raise if something was written beside the blocks."""
        with self.undisturbed():
            for start, stop in [*self._guards.items(), *self._block_guards.items()]:
                found = self.bytes_at(start, stop - start)
                if (found != GUARD).any():
                    first = int(numpy.flatnonzero(found != GUARD)[0]) + start
                    found[:] = GUARD
                    before = max((a for a in self.blocks if a <= first), default=self.start)
                    raise CUDARuntimeError(
                        700,
                        f"Simulated GPU: {what} wrote at {first:#x}, {first - before} bytes behind the beginning of a"
                        f" block of {self.blocks.get(before, 0)} bytes.",
                    )


class Capture:
    """What a stream records instead of running it."""

    def __init__(self, device: int) -> None:
        self.device = device
        self.thread = threading.get_ident()
        self.actions: list[Callable[[], Any]] = []
        self.invalid = False


class Machine:
    """All devices, and which of them each thread uses."""

    def __init__(self, devices: int, memory: int, reverse: bool = False) -> None:
        self.devices = [SimulatedDevice(i, memory) for i in range(devices)]
        self.reverse = reverse
        self.cublas: Any = None
        self._local = threading.local()
        self.captures: dict[int, Capture] = {}  # by stream

    @property
    def current(self) -> int:
        """The number of this thread's current device."""
        return getattr(self._local, "device", 0)

    @current.setter
    def current(self, number: int) -> None:
        if not 0 <= number < len(self.devices):
            raise CUDARuntimeError(101)
        self._local.device = number

    @property
    def device(self) -> SimulatedDevice:
        """This thread's current device."""
        return self.devices[self.current]

    def streams(self) -> dict[int, list[Any]]:
        """This thread's streams, a stack for each device."""
        if not hasattr(self._local, "streams"):
            self._local.streams = {}
        return self._local.streams

    def stream_pointer(self, device: int | None = None) -> int:
        """Return the pointer of a device's current stream."""
        stack = self.streams().get(self.current if device is None else device)
        return stack[-1].ptr if stack else 0

    def owner(self, address: int) -> SimulatedDevice | None:
        """Return the device that an address belongs to, None for the host."""
        return next((d for d in self.devices if d.contains(address)), None)

    # --- running and recording ---

    def capture_here(self) -> Capture | None:
        """Return the capture that this thread is in on its current device, whatever its current stream."""
        if not self.captures:
            return None
        here, thread = self.current, threading.get_ident()
        return next((c for c in self.captures.values() if c.device == here and c.thread == thread), None)

    def submit(self, action: Callable[[], Any], stream: int | None = None, launches: int = 1) -> None:
        """Run an operation, or record it if its stream is being captured."""
        pointer = self.stream_pointer() if stream is None else stream
        capture = self.captures.get(pointer)
        if capture is not None:
            if capture.invalid:
                raise CUDARuntimeError(901)
            capture.actions.append(action)
            return
        other = self.capture_here()
        if other is not None:
            other.invalid = True
            raise CUDARuntimeError(906, "Simulated GPU: work was sent to a stream while another one is being captured.")
        self.device.launches += launches
        with numpy.errstate(all="ignore"):
            action()

    def refuse_capture(self) -> None:
        """Raise if this thread is capturing: for everything that needs the device to have finished."""
        capture = self.capture_here()
        if capture is not None:
            capture.invalid = True
            raise CUDARuntimeError(900)

    def refuse_library(self, name: str) -> None:
        """Raise as CuPy does where it would call a library whose calls it does not capture."""
        if self.captures and self.stream_pointer() in self.captures:
            raise NotImplementedError(f"calling {name} API during stream capture is currently unsupported")

    def to_host(self, device: SimulatedDevice) -> None:
        """Count a copy to the host, for which the host waits."""
        self.refuse_capture()
        device.transfers_to_host += 1
        device.synchronizations += 1

    def to_device(self, device: SimulatedDevice) -> None:
        """Count a copy to the device."""
        self.refuse_capture()
        device.transfers_to_device += 1


_machine: Machine | None = None


def machine() -> Machine:
    """Return the machine that is pretended now."""
    if _machine is None:
        raise RuntimeError("The simulated GPU is not switched on.")
    return _machine


@contextlib.contextmanager
def switched_on(new: Machine) -> Iterator[Machine]:
    """Make a machine the one that is pretended."""
    global _machine
    before, _machine = _machine, new
    try:
        yield new
    finally:
        _machine = before
