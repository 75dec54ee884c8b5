"""``cupy.cuda.Device`` and the functions of ``cupy.cuda.runtime``."""

from __future__ import annotations

import types
from typing import Any

from . import memory, streams
from .machine import CUDARuntimeError, machine


class Device:
    """A device of CUDA."""

    def __init__(self, device: int | Device | None = None) -> None:
        self.id = machine().current if device is None else int(device)
        self._before: list[int] = []

    def __int__(self) -> int:
        return self.id

    def __enter__(self) -> Device:
        self._before.append(machine().current)
        machine().current = self.id
        return self

    def __exit__(self, *error: Any) -> None:
        machine().current = self._before.pop()

    def __repr__(self) -> str:
        return f"<CUDA Device {self.id}>"

    def __hash__(self) -> int:
        return self.id

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Device) and other.id == self.id

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __lt__(self, other: Device) -> bool:
        return self.id < other.id

    def use(self) -> Device:
        machine().current = self.id
        return self

    def synchronize(self) -> None:
        machine().refuse_capture()
        machine().devices[self.id].synchronizations += 1

    @property
    def compute_capability(self) -> str:
        return "90"

    @property
    def attributes(self) -> dict[str, Any]:
        return dict(ATTRIBUTES)

    @property
    def mem_info(self) -> tuple[int, int]:
        with self:
            return mem_get_info()

    @property
    def pci_bus_id(self) -> str:
        return f"0000:{self.id:02X}:00.0"


ATTRIBUTES = {
    "MaxThreadsPerBlock": 1024,
    "MaxBlockDimX": 1024,
    "MaxBlockDimY": 1024,
    "MaxBlockDimZ": 64,
    "MaxGridDimX": 2147483647,
    "MaxGridDimY": 65535,
    "MaxGridDimZ": 65535,
    "MaxSharedMemoryPerBlock": 49152,
    "MaxSharedMemoryPerBlockOptin": 232448,
    "MaxSharedMemoryPerMultiprocessor": 233472,
    "MaxThreadsPerMultiProcessor": 2048,
    "MaxRegistersPerBlock": 65536,
    "MultiProcessorCount": 132,
    "L2CacheSize": 52428800,
    "WarpSize": 32,
    "CooperativeLaunch": 1,
    "MemoryPoolsSupported": 0,
    "ComputeCapabilityMajor": 9,
    "ComputeCapabilityMinor": 0,
}


def mem_get_info() -> tuple[int, int]:
    device = machine().device
    return device.free, device.total


def device_properties(device: int) -> dict[str, Any]:
    found = machine().devices[device] if 0 <= device < len(machine().devices) else None
    if found is None:
        raise CUDARuntimeError(101)
    return {
        "name": b"Simulated GPU",
        "totalGlobalMem": found.total,
        "sharedMemPerBlock": 49152,
        "sharedMemPerBlockOptin": 232448,
        "sharedMemPerMultiprocessor": 233472,
        "warpSize": 32,
        "maxThreadsPerBlock": 1024,
        "maxThreadsPerMultiProcessor": 2048,
        "multiProcessorCount": 132,
        "regsPerBlock": 65536,
        "l2CacheSize": 52428800,
        "memoryClockRate": 2619000,
        "memoryBusWidth": 5120,
        "clockRate": 1980000,
        "major": 9,
        "minor": 0,
        "asyncEngineCount": 3,
        "pciBusID": device,
    }


def _device_synchronize() -> None:
    machine().refuse_capture()
    machine().device.synchronizations += 1


def _set_device(device: int) -> None:
    machine().current = device


def _malloc(size: int) -> int:
    address = machine().device.malloc(size)
    machine().device.blocks[address] = size
    return address


def _free(ptr: int) -> None:
    device = machine().owner(ptr)
    if device is not None:
        device.blocks.pop(ptr, None)
        device.give_back(ptr)


def _device_get_attribute(attribute: int, device: int) -> int:
    from .cupy_api import API

    names = {v["value"]: n for n, v in API["modules"]["cupy.cuda.runtime"].items() if n.startswith("cudaDevAttr")}
    return ATTRIBUTES[names[attribute].removeprefix("cudaDevAttr")]


def _stream(ptr: int) -> streams._BaseStream:
    return streams.ExternalStream(ptr)


def _memset(ptr: int, value: int, size: int) -> None:
    memory.memset_async(ptr, value, size, 0)


def _memcpy_peer_async(dst: int, dst_device: int, src: int, src_device: int, size: int, stream: int) -> None:
    memory.memcpy_async(dst, src, size, 3, stream)


class PointerAttributes:
    """What is known of an address."""

    def __init__(self, ptr: int) -> None:
        owner = machine().owner(ptr)
        self.device = -1 if owner is None else owner.number
        self.devicePointer = ptr
        self.hostPointer = 0
        self.type = 0 if owner is None else 2


RUNTIME = {
    "CUDARuntimeError": CUDARuntimeError,
    "PointerAttributes": PointerAttributes,
    "pointerGetAttributes": PointerAttributes,
    "getDeviceCount": lambda: len(machine().devices),
    "getDevice": lambda: machine().current,
    "setDevice": _set_device,
    "getDeviceProperties": device_properties,
    "deviceSynchronize": _device_synchronize,
    "deviceCanAccessPeer": lambda device, peer: 0,
    "deviceGetAttribute": _device_get_attribute,
    "memGetInfo": mem_get_info,
    "driverGetVersion": lambda: 13000,
    "runtimeGetVersion": lambda: 13000,
    "malloc": _malloc,
    "free": _free,
    "memcpy": memory.memcpy,
    "memcpyAsync": memory.memcpy_async,
    "memcpyPeerAsync": _memcpy_peer_async,
    "memset": _memset,
    "memsetAsync": memory.memset_async,
    "streamSynchronize": lambda ptr: _stream(ptr).synchronize(),
    "streamIsCapturing": lambda ptr: ptr in machine().captures,
    "profilerStart": lambda: None,
    "profilerStop": lambda: None,
    "is_hip": False,
}


def runtime_module(api: dict[str, Any]) -> types.ModuleType:
    """Return what stands for ``cupy.cuda.runtime``."""
    module = types.ModuleType("cupy.cuda.runtime")
    for name, entry in api.items():
        if entry["kind"] == "constant":
            setattr(module, name, entry["value"])
    for name, value in RUNTIME.items():
        assert name in api, name
        setattr(module, name, value)
    return module
