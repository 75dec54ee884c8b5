"""Memory as CuPy hands it out: pointers, pools that reuse blocks, pinned memory."""

from __future__ import annotations

import contextlib
import gc
import threading
import weakref
from collections.abc import Callable, Iterator
from typing import Any

import numpy

from .machine import UNIT, CUDARuntimeError, machine

__all__ = ["MemoryPointer", "MemoryPool", "OutOfMemoryError", "UnownedMemory", "alloc", "using_allocator"]


class OutOfMemoryError(MemoryError):
    """CuPy's error for a full device."""

    def __init__(self, size: int, total: int, limit: int = 0) -> None:
        self._size, self._total, self._limit = size, total, limit
        if limit == 0:
            text = f"Out of memory allocating {size:,} bytes"
            if total != -1:
                text += f" (allocated so far: {total:,} bytes)."
        else:
            text = (
                f"Out of memory allocating {size:,} bytes (allocated so far: {total:,} bytes,"
                f" limit set to: {limit:,} bytes)."
            )
        super().__init__(text)


class BaseMemory:
    """A piece of memory of a device."""

    ptr: int
    size: int
    device_id: int

    def __int__(self) -> int:
        return self.ptr

    @property
    def device(self) -> Any:
        from .devices import Device

        return Device(self.device_id)


class Memory(BaseMemory):
    """Memory straight from the device."""

    def __init__(self, size: int) -> None:
        self.size = size
        self.device_id = machine().current
        self.ptr = 0
        self._device = machine().device
        if size > 0:
            with self._device.undisturbed():
                self.ptr = self._device.malloc(size)
                self._device.blocks[self.ptr] = size

    def __del__(self) -> None:
        if getattr(self, "ptr", 0):
            with self._device.undisturbed():
                self._device.blocks.pop(self.ptr, None)
                self._device.give_back(self.ptr)
            self.ptr = 0


class UnownedMemory(BaseMemory):
    """Memory that something else owns."""

    def __init__(self, ptr: int, size: int, owner: Any, device_id: int = -1) -> None:
        if device_id < 0:
            if ptr == 0:
                raise RuntimeError("UnownedMemory requires explicit device ID for a null pointer.")
            found = machine().owner(ptr)
            if found is None:
                raise CUDARuntimeError(1)
            device_id = found.number
        self.ptr, self.size, self.device_id, self._owner = ptr, size, device_id, owner


class MemoryPointer:
    """A place in a piece of memory."""

    def __init__(self, mem: BaseMemory, offset: int) -> None:
        assert mem.ptr != 0 or offset == 0
        self.mem = mem
        self.ptr = mem.ptr + offset
        self.device_id = mem.device_id

    def __int__(self) -> int:
        return self.ptr

    @property
    def device(self) -> Any:
        return self.mem.device

    def __add__(self, offset: int) -> MemoryPointer:
        return MemoryPointer(self.mem, self.ptr - self.mem.ptr + offset)

    __radd__ = __add__

    def __sub__(self, offset: int) -> MemoryPointer:
        return self + -offset

    def __iadd__(self, offset: int) -> MemoryPointer:
        self.ptr += offset
        return self

    def __isub__(self, offset: int) -> MemoryPointer:
        self.ptr -= offset
        return self

    def _bytes(self, size: int) -> numpy.ndarray:
        return machine().devices[self.device_id].bytes_at(self.ptr, size)

    def copy_from_device(self, src: MemoryPointer, size: int) -> None:
        machine().refuse_capture()
        self.copy_from_device_async(src, size)

    def copy_from_device_async(self, src: MemoryPointer, size: int, stream: Any = None) -> None:
        if size > 0:
            here, there = self._bytes(size), src._bytes(size)
            machine().submit(lambda: numpy.copyto(here, there), None if stream is None else stream.ptr)

    def copy_from_host(self, mem: Any, size: int) -> None:
        if size > 0:
            memcpy(self.ptr, _address(mem), size, 1)

    def copy_from_host_async(self, mem: Any, size: int, stream: Any = None) -> None:
        if size > 0:
            memcpy_async(self.ptr, _address(mem), size, 1, None if stream is None else stream.ptr)

    def copy_from(self, mem: Any, size: int) -> None:
        if isinstance(mem, MemoryPointer):
            self.copy_from_device(mem, size)
        else:
            self.copy_from_host(mem, size)

    def copy_from_async(self, mem: Any, size: int, stream: Any = None) -> None:
        if isinstance(mem, MemoryPointer):
            self.copy_from_device_async(mem, size, stream)
        else:
            self.copy_from_host_async(mem, size, stream)

    def copy_to_host(self, mem: Any, size: int) -> None:
        if size > 0:
            memcpy(_address(mem), self.ptr, size, 2)

    def copy_to_host_async(self, mem: Any, size: int, stream: Any = None) -> None:
        if size > 0:
            memcpy_async(_address(mem), self.ptr, size, 2, None if stream is None else stream.ptr)

    def memset(self, value: int, size: int) -> None:
        self.memset_async(value, size)

    def memset_async(self, value: int, size: int, stream: Any = None) -> None:
        if size > 0:
            memset_async(self.ptr, value, size, None if stream is None else stream.ptr)


# --- copies by address ----------------------------------------------------------------------------


def _address(mem: Any) -> int:
    return mem if isinstance(mem, int) else mem.value if hasattr(mem, "value") else mem.ptr


def _bytes_anywhere(address: int, size: int) -> numpy.ndarray:
    import ctypes

    device = machine().owner(address)
    if device is not None:
        if not device.is_held(address):
            raise CUDARuntimeError(700, f"Simulated GPU: {address:#x} is no memory that anybody holds.")
        return device.bytes_at(address, size)
    return numpy.ctypeslib.as_array(ctypes.cast(address, ctypes.POINTER(ctypes.c_uint8)), (size,))


def memcpy(dst: int, src: int, size: int, kind: int) -> None:
    """Copy and wait: ``cudaMemcpy``."""
    machine().refuse_capture()
    memcpy_async(dst, src, size, kind, 0)
    machine().device.synchronizations += 1


def memcpy_async(dst: int, src: int, size: int, kind: int, stream: int | None = None) -> None:
    """Copy in a stream: ``cudaMemcpyAsync``. Kinds 1 to 4 are to the device, to the host, on devices, found out."""
    if size == 0:
        return
    there, here = machine().owner(dst), machine().owner(src)
    if (kind in (1, 3)) > (there is not None) or (kind in (2, 3)) > (here is not None):
        raise CUDARuntimeError(1)
    target, source = _bytes_anywhere(dst, size), _bytes_anywhere(src, size)
    if there is None and here is not None:
        here.transfers_to_host += 1
    if here is None and there is not None:
        there.transfers_to_device += 1
    machine().submit(lambda: numpy.copyto(target, source), stream)


def memset_async(ptr: int, value: int, size: int, stream: int | None = None) -> None:
    """Fill bytes: ``cudaMemsetAsync``."""
    target = _bytes_anywhere(ptr, size)
    machine().submit(lambda: target.fill(value & 0xFF), stream)


# --- pools ----------------------------------------------------------------------------------------


class _Chunk:
    """A part of an allocation; ``room`` is with the guard behind it."""

    def __init__(self, memory: BaseMemory, offset: int, room: int, stream: int) -> None:
        self.memory, self.offset, self.room, self.stream = memory, offset, room, stream
        self.previous: _Chunk | None = None
        self.next: _Chunk | None = None

    @property
    def ptr(self) -> int:
        return self.memory.ptr + self.offset

    @property
    def size(self) -> int:
        return self.room - UNIT


class PooledMemory(BaseMemory):
    """A block of a pool, given back when nothing refers to it any more."""

    def __init__(self, chunk: _Chunk, pool: SingleDeviceMemoryPool) -> None:
        self.ptr, self.size, self.device_id = chunk.ptr, chunk.size, pool._number
        self._chunk = chunk
        self.pool = weakref.ref(pool)

    def free(self) -> None:
        if self.ptr:
            chunk, self.ptr = self._chunk, 0
            pool = self.pool()
            # The collector finalizes the objects of a garbage cycle in any order, since Python 3.15 before it clears
            # weak references. The memory of the chunk may therefore be back already.
            if pool is not None and chunk.memory.ptr:
                pool._free_chunk(chunk)

    def __del__(self) -> None:
        if getattr(self, "ptr", 0):
            self.free()


class SingleDeviceMemoryPool:
    """The pool of one device: one list of free blocks for every stream."""

    def __init__(self, allocator: Callable[[int], MemoryPointer]) -> None:
        self._allocator = allocator
        self._number = machine().current
        self._device = machine().device
        self._used: set[_Chunk] = set()
        self._free: dict[int, list[_Chunk]] = {}
        self._total = 0
        self._limit = 0
        self._lock = threading.RLock()
        self._busy = False
        self._late: list[_Chunk] = []  # freed by the garbage collector while the lists are being changed

    def malloc(self, size: int) -> MemoryPointer:
        if size == 0:
            return MemoryPointer(Memory(0), 0)
        rounded = size + (-size) % UNIT
        stream = machine().stream_pointer(self._number)
        with self._undisturbed():
            chunk = self._reuse(rounded + UNIT, stream) or self._new(rounded, stream)
            self._used.add(chunk)
            self._device.hold(chunk.ptr, size, chunk.room)
        return MemoryPointer(PooledMemory(chunk, self), 0)

    @contextlib.contextmanager
    def _undisturbed(self) -> Iterator[None]:
        with self._lock:
            before, self._busy = self._busy, True
            try:
                yield
            finally:
                self._busy = before
                while self._late and not self._busy:
                    self._free_chunk(self._late.pop())

    def _reuse(self, room: int, stream: int) -> _Chunk | None:
        free = self._free.get(stream, [])
        fitting = [c for c in free if c.room >= room]
        if not fitting:
            return None
        chunk = min(fitting, key=lambda c: c.room)
        free.remove(chunk)
        if chunk.room - room >= 2 * UNIT:
            rest = _Chunk(chunk.memory, chunk.offset + room, chunk.room - room, stream)
            chunk.room = room
            rest.previous, rest.next = chunk, chunk.next
            if chunk.next is not None:
                chunk.next.previous = rest
            chunk.next = rest
            free.append(rest)
        return chunk

    def _new(self, rounded: int, stream: int) -> _Chunk:
        if self._limit and self._total + rounded > self._limit:
            raise OutOfMemoryError(rounded, self._total, self._limit)
        memory, before = None, self._total
        for attempt in range(3):
            with contextlib.suppress(CUDARuntimeError):
                memory = self._allocator(rounded).mem
                break
            if attempt:
                self._busy = False
                gc.collect()
                self._busy = True
            self.free_all_blocks()
        if memory is None:
            raise OutOfMemoryError(rounded, before, self._limit)
        self._device.blocks.pop(memory.ptr, None)
        self._total += rounded
        # The guard that the device put behind the allocation is the guard of its last block.
        return _Chunk(memory, 0, rounded + UNIT, stream)

    def _free_chunk(self, chunk: _Chunk) -> None:
        if self._busy:
            self._late.append(chunk)
            return
        with self._undisturbed():
            self._used.discard(chunk)
            self._device.release(chunk.ptr, chunk.room - (chunk.next is None) * UNIT)
            free = self._free.setdefault(chunk.stream, [])
            after = chunk.next
            if after is not None and after in free:
                free.remove(after)
                chunk.room += after.room
                chunk.next = after.next
                if after.next is not None:
                    after.next.previous = chunk
            before = chunk.previous
            if before is not None and before in free:
                before.room += chunk.room
                before.next = chunk.next
                if chunk.next is not None:
                    chunk.next.previous = before
            else:
                free.append(chunk)

    def free_all_blocks(self, stream: Any = None) -> None:
        with self._undisturbed():
            for pointer in [stream.ptr] if stream is not None else list(self._free):
                kept = []
                for chunk in self._free.get(pointer, []):
                    if chunk.previous is not None or chunk.next is not None:
                        kept.append(chunk)
                    else:
                        self._total -= chunk.size
                self._free[pointer] = kept

    def used_bytes(self) -> int:
        return sum(c.size for c in self._used)

    def free_bytes(self) -> int:
        return sum(c.size for chunks in self._free.values() for c in chunks)

    def n_free_blocks(self) -> int:
        return sum(len(chunks) for chunks in self._free.values())


class MemoryPool:
    """Pools of all devices."""

    def __init__(self, allocator: Callable[[int], MemoryPointer] | None = None) -> None:
        self._allocator = allocator or _malloc
        self._pools: dict[int, SingleDeviceMemoryPool] = {}

    def _pool(self) -> SingleDeviceMemoryPool:
        number = machine().current
        if number not in self._pools:
            self._pools[number] = SingleDeviceMemoryPool(self._allocator)
        return self._pools[number]

    def malloc(self, size: int) -> MemoryPointer:
        return self._pool().malloc(size)

    def free_all_blocks(self, stream: Any = None) -> None:
        self._pool().free_all_blocks(stream)

    def n_free_blocks(self) -> int:
        return self._pool().n_free_blocks()

    def used_bytes(self) -> int:
        return self._pool().used_bytes()

    def free_bytes(self) -> int:
        return self._pool().free_bytes()

    def total_bytes(self) -> int:
        return self._pool()._total

    def set_limit(self, size: int | None = None, fraction: float | None = None) -> None:
        if size is not None and fraction is not None:
            raise ValueError("size and fraction cannot be specified at one time")
        if size is None:
            if fraction is not None and not 0 <= fraction <= 1:
                raise ValueError(f"memory limit fraction out of range: {fraction}")
            size = int((fraction or 0) * machine().device.total)
        if size < 0:
            raise ValueError(f"memory limit size out of range: {size}")
        self._pool()._limit = size

    def get_limit(self) -> int:
        return self._pool()._limit


def _malloc(size: int) -> MemoryPointer:
    return MemoryPointer(Memory(size), 0)


_local = threading.local()
_state: dict[str, Any] = {}


def start() -> None:
    """Begin with new, empty pools."""
    _state["pool"] = MemoryPool()
    _state["pinned"] = PinnedMemoryPool()
    _state["allocator"] = _state["pool"].malloc
    _local.allocator = None


def stop() -> None:
    """Let go of all memory."""
    _state.clear()
    _local.allocator = None


def alloc(size: int) -> MemoryPointer:
    return get_allocator()(size)


def get_allocator() -> Callable[[int], MemoryPointer]:
    return getattr(_local, "allocator", None) or _state["allocator"]


def set_allocator(allocator: Callable[[int], MemoryPointer] | None = None) -> None:
    if getattr(_local, "allocator", None) is not None:
        raise ValueError("Can't change the global allocator inside `using_allocator` context manager")
    _state["allocator"] = allocator or _malloc


@contextlib.contextmanager
def using_allocator(allocator: Callable[[int], MemoryPointer] | None = None) -> Iterator[None]:
    before = getattr(_local, "allocator", None)
    _local.allocator = allocator or _malloc
    try:
        yield
    finally:
        _local.allocator = before


def get_default_memory_pool() -> MemoryPool:
    return _state["pool"]


# --- pinned memory --------------------------------------------------------------------------------


class PinnedMemoryPointer(bytearray):
    """Page-locked memory of the host; a buffer for NumPy."""

    @property
    def mem(self) -> numpy.ndarray:
        return numpy.frombuffer(self, numpy.uint8)

    @property
    def ptr(self) -> int:
        return self.mem.__array_interface__["data"][0]

    def size(self) -> int:
        return len(self)


class PinnedMemoryPool:
    """The pool of page-locked memory."""

    def malloc(self, size: int) -> PinnedMemoryPointer:
        machine().refuse_capture()
        return PinnedMemoryPointer(b"\xff" * max(size, 1))

    def free_all_blocks(self) -> None:
        """Nothing is kept."""

    def n_free_blocks(self) -> int:
        return 0


def get_default_pinned_memory_pool() -> PinnedMemoryPool:
    return _state["pinned"]


def alloc_pinned_memory(size: int) -> PinnedMemoryPointer:
    return _state["pinned"].malloc(size)


def empty_pinned(shape: Any, dtype: Any = float, order: str = "C") -> numpy.ndarray:
    """Return an array of NumPy in page-locked memory."""
    shape = (shape,) if isinstance(shape, int) else tuple(shape)
    size = int(numpy.prod(shape)) * numpy.dtype(dtype).itemsize
    return numpy.ndarray(shape, dtype, buffer=alloc_pinned_memory(size), order=order)  # pyright: ignore
