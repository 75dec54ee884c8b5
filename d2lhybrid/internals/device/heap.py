"""The configuration of the heap: freed memory remains in this process for the next call.

A training step allocates and frees tens of megabytes. By default, glibc's malloc returns memory to the system if about
twice the size of the largest array is free. At the next step, the system provides the memory again, page by page and
zeroed. A page of four kilobytes takes two microseconds, longer than most operators take to write as much data.
Therefore, the allocator is configured to keep more memory, but never more than the peak use of this process, and
``mx.cpu().empty_cache()`` returns the free memory to the system.

The allocator's configuration remains unchanged if one of its environment variables is set, if ``D2LHYBRID_HEAP`` is
``off``, or if the system has another allocator (macOS, Windows, musl, a browser).
"""

from __future__ import annotations

import functools
import os
import sys
from typing import Any

__all__ = ["VARIABLE", "keep_freed_memory", "return_freed_memory"]

#: The environment variable that leaves the allocator unchanged with ``off``.
VARIABLE = "D2LHYBRID_HEAP"
#: The environment variables in which users configure the allocator.
_DECIDED = ("MALLOC_TRIM_THRESHOLD_", "MALLOC_MMAP_THRESHOLD_", "MALLOC_MMAP_MAX_", "MALLOC_TOP_PAD_")

#: The largest threshold, in bytes, that glibc's malloc accepts; larger arrays are always mapped separately.
LARGEST = 32 << 20
#: The share of this process's available memory that may remain free in the heap.
SHARE = 1 / 8
#: The options ``M_TRIM_THRESHOLD`` and ``M_MMAP_THRESHOLD``, whose values are C integers.
_TRIM, _MMAP, _MOST = -1, -3, 2**31 - 1


def keep_freed_memory() -> bool:
    """Configure the allocator to keep freed memory, and return whether the allocator accepted the settings."""
    decided = any(os.environ.get(name) for name in _DECIDED) or "glibc.malloc" in os.environ.get("GLIBC_TUNABLES", "")
    if decided or os.environ.get(VARIABLE, "").lower() == "off":
        return False
    allocator = _allocator()
    if allocator is None:
        return False
    from ..formats.serialization.limits import machine_memory

    kept = min(int(machine_memory() * SHARE), _MOST)
    return bool(allocator.mallopt(_MMAP, LARGEST) and allocator.mallopt(_TRIM, kept))


def return_freed_memory() -> bool:
    """Release all free memory of the heap to the system, and return whether the allocator released any memory."""
    allocator = _allocator()
    return allocator is not None and bool(allocator.malloc_trim(0))


@functools.cache
def _allocator() -> Any:
    """Return the C library if its allocator is configurable, or None for other allocators."""
    if sys.platform != "linux":
        return None
    try:
        import ctypes

        loaded = ctypes.CDLL(None)
        _ = loaded.gnu_get_libc_version
        loaded.mallopt.argtypes, loaded.mallopt.restype = [ctypes.c_int, ctypes.c_int], ctypes.c_int
        loaded.malloc_trim.argtypes, loaded.malloc_trim.restype = [ctypes.c_size_t], ctypes.c_int
    except (ImportError, OSError, AttributeError):
        return None
    return loaded
