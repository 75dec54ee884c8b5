"""``cupy.cuda.nccl``: sums and copies between the simulated devices of one process."""

from __future__ import annotations

import ctypes
import itertools
import types
from collections.abc import Callable
from typing import Any

import numpy

from .machine import CUDARuntimeError, machine

CONSTANTS = {
    **{"NCCL_SUM": 0, "NCCL_PROD": 1, "NCCL_MAX": 2, "NCCL_MIN": 3},
    **{"NCCL_CHAR": 0, "NCCL_INT8": 0, "NCCL_UINT8": 1, "NCCL_INT": 2, "NCCL_INT32": 2, "NCCL_UINT32": 3},
    **{"NCCL_INT64": 4, "NCCL_UINT64": 5, "NCCL_HALF": 6, "NCCL_FLOAT16": 6, "NCCL_FLOAT": 7, "NCCL_FLOAT32": 7},
    **{"NCCL_DOUBLE": 8, "NCCL_FLOAT64": 8, "NCCL_UNIQUE_ID_BYTES": 128},
}
_DTYPES = ("int8", "uint8", "int32", "uint32", "int64", "uint64", "float16", "float32", "float64")
_OPERATIONS = (numpy.add, numpy.multiply, numpy.maximum, numpy.minimum)


class NcclError(RuntimeError):
    """An error of NCCL."""

    def __init__(self, status: int) -> None:
        self.status = status
        names = {4: "NCCL_ERROR_INVALID_ARGUMENT: invalid argument", 5: "NCCL_ERROR_INVALID_USAGE: invalid usage"}
        super().__init__(names[status])


class _World:
    """The communicators that work together, and what each of them has been asked to do."""

    def __init__(self, size: int) -> None:
        self.size = size
        self.waiting: dict[int, list[tuple[Any, ...]]] = {rank: [] for rank in range(size)}


_worlds: dict[tuple[int, ...], _World] = {}
_identities = itertools.count(1)
_depth = 0
_pending: list[_World] = []


def get_unique_id() -> tuple[int, ...]:
    number = next(_identities)
    return (number % 128, number // 128, *(0,) * 126)


def get_version() -> int:
    return 22809


get_build_version = get_version


def groupStart() -> None:
    global _depth
    _depth += 1


def groupEnd() -> None:
    global _depth
    if _depth == 0:
        raise NcclError(5)
    _depth -= 1
    if _depth == 0:
        worlds, _pending[:] = list(_pending), []
        for world in worlds:
            _run(world)


def _run(world: _World) -> None:
    """Run the calls that all members have made."""
    while all(world.waiting.values()):
        calls = [world.waiting[rank].pop(0) for rank in range(world.size)]
        if len({c[0] for c in calls}) > 1:
            raise NcclError(5)
        calls[0][1](calls)
    if any(world.waiting.values()) and _depth == 0:
        for queue in world.waiting.values():
            queue.clear()
        raise NcclError(5)


class NcclCommunicator:
    """One member of a group of devices."""

    _world: _World
    _rank: int
    _number: int

    def __init__(self, ndev: int, commId: tuple[int, ...], rank: int) -> None:
        assert len(commId) == 128
        self._join(_worlds.setdefault(commId, _World(ndev)), rank, machine().current)

    def _join(self, world: _World, rank: int, number: int) -> None:
        if not 0 <= rank < world.size:
            raise NcclError(4)
        self._world, self._rank, self._number = world, rank, number

    @staticmethod
    def initAll(devices: int | list[int]) -> list[NcclCommunicator]:
        if isinstance(devices, int):
            devices = list(range(devices))
        elif not isinstance(devices, list):
            raise ValueError('"devices" should be an int or a list of int.')
        if len(set(devices)) < len(devices):
            raise NcclError(5)
        world, found = _World(len(devices)), []
        for rank, number in enumerate(devices):
            if not 0 <= number < len(machine().devices):
                raise CUDARuntimeError(101)
            member = object.__new__(NcclCommunicator)
            member._join(world, rank, number)
            found.append(member)
        return found

    @property
    def comm(self) -> int:
        return id(self)

    def destroy(self) -> None:
        """Nothing is held."""

    abort = destroy

    def check_async_error(self) -> None:
        """There is none."""

    def device_id(self) -> int:
        return self._number

    def rank_id(self) -> int:
        return self._rank

    def size(self) -> int:
        return self._world.size

    def _ask(self, name: str, action: Callable[[list[Any]], None], *what: Any) -> None:
        self._world.waiting[self._rank].append((name, action, *what))
        if _depth:
            if self._world not in _pending:
                _pending.append(self._world)
        elif self._world.size > 1 and len([q for q in self._world.waiting.values() if q]) < self._world.size:
            return  # the others will come, from other threads or later in this one
        else:
            _run(self._world)

    def _memory(self, address: int, count: int, datatype: int) -> numpy.ndarray:
        device = machine().devices[self._number]
        if not device.contains(address) or not device.is_held(address):
            raise NcclError(4)
        return device.view(address, (count,), _DTYPES[datatype])

    def _launch(self, stream: int, action: Callable[[], Any]) -> None:
        before = machine().current
        machine().current = self._number
        try:
            machine().submit(action, stream)
        finally:
            machine().current = before

    def allReduce(self, sendbuf: int, recvbuf: int, count: int, datatype: int, op: int, stream: int) -> None:
        _check_integers(sendbuf, recvbuf, count, datatype, op, stream)
        source, target = self._memory(sendbuf, count, datatype), self._memory(recvbuf, count, datatype)

        def together(calls: list[Any]) -> None:
            self._reduce(calls, range(len(calls)), op)

        self._ask("allReduce", together, self, source, target, stream)

    def reduce(self, sendbuf: int, recvbuf: int, count: int, datatype: int, op: int, root: int, stream: int) -> None:
        _check_integers(sendbuf, recvbuf, count, datatype, op, root, stream)
        source, target = self._memory(sendbuf, count, datatype), self._memory(recvbuf, count, datatype)
        self._ask("reduce", lambda calls: self._reduce(calls, [root], op), self, source, target, stream)

    def _reduce(self, calls: list[Any], receivers: Any, op: int) -> None:
        total: numpy.ndarray | None = None

        def compute() -> None:
            nonlocal total
            with numpy.errstate(all="ignore"):
                total = calls[0][3].copy()
                for c in calls[1:]:
                    total = _OPERATIONS[op](total, c[3])

        def write(target: numpy.ndarray) -> None:
            numpy.copyto(target, total)  # pyright: ignore[reportArgumentType]

        calls[0][2]._launch(calls[0][5], compute)
        for rank in receivers:
            _, _, member, _, target, stream = calls[rank]
            member._launch(stream, lambda target=target: write(target))

    def broadcast(self, sendbuff: int, recvbuff: int, count: int, datatype: int, root: int, stream: int) -> None:
        _check_integers(sendbuff, recvbuff, count, datatype, root, stream)
        source = self._memory(sendbuff, count, datatype) if self._rank == root else None
        target = self._memory(recvbuff, count, datatype)

        def together(calls: list[Any]) -> None:
            for _, _, member, _, target, stream in calls:
                member._launch(stream, lambda target=target: numpy.copyto(target, calls[root][3]))

        self._ask("broadcast", together, self, source, target, stream)

    def bcast(self, buff: int, count: int, datatype: int, root: int, stream: int) -> None:
        self.broadcast(buff, buff, count, datatype, root, stream)

    def allGather(self, sendbuf: int, recvbuf: int, count: int, datatype: int, stream: int) -> None:
        _check_integers(sendbuf, recvbuf, count, datatype, stream)
        source = self._memory(sendbuf, count, datatype)
        target = self._memory(recvbuf, count * self.size(), datatype)

        def together(calls: list[Any]) -> None:
            for _, _, member, _, target, stream in calls:
                member._launch(
                    stream, lambda target=target: numpy.copyto(target, numpy.concatenate([c[3] for c in calls]))
                )

        self._ask("allGather", together, self, source, target, stream)


def _check_integers(*values: Any) -> None:
    for value in values:
        if not isinstance(value, int | numpy.integer | ctypes.c_void_p):
            raise TypeError(f"an integer is required, not {type(value).__name__}")


def nccl_module() -> types.ModuleType:
    """Return what stands for ``cupy.cuda.nccl``."""
    module = types.ModuleType("cupy.cuda.nccl")
    for name, value in CONSTANTS.items():
        setattr(module, name, value)
    for value in (NcclCommunicator, NcclError, get_unique_id, get_version, groupStart, groupEnd):
        setattr(module, value.__name__, value)
    module.get_build_version = get_build_version  # pyright: ignore[reportAttributeAccessIssue]
    module.available = True  # pyright: ignore[reportAttributeAccessIssue]
    return module
