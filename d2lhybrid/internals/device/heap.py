"""The memory of the system: what arrays have given back stays with this process, for the next call to take.

A step of training takes tens of megabytes and gives them back. GNU's allocator returns them to the system as soon as
about twice the largest array lies free, and at the next step gets them anew, page by page and filled with zeros: two
microseconds for every four kilobytes, longer than most operators need to fill them. So it is told to keep more. It
never keeps more than this process has used at the same time, and ``mx.cpu().empty_cache()`` returns it.

If one of the allocator's own variables is set, it decides, and ``D2LHYBRID_HEAP=off`` leaves it alone, too. Other
allocators (macOS, Windows, musl, a browser) are not told anything.
"""

from __future__ import annotations

import functools
import os
import sys
from typing import Any

__all__ = ["VARIABLE", "keep_freed_memory", "return_freed_memory"]

#: Set to ``off``, the allocator is left as it is.
VARIABLE = "D2LHYBRID_HEAP"
#: Who sets one of these has decided what is kept.
_DECIDED = ("MALLOC_TRIM_THRESHOLD_", "MALLOC_MMAP_THRESHOLD_", "MALLOC_MMAP_MAX_", "MALLOC_TOP_PAD_")

#: Larger arrays are always the system's, each on its own: no allocator of GNU's takes a larger number.
LARGEST = 32 << 20
#: As much of the memory that this process may use can lie free.
SHARE = 1 / 8
#: ``M_TRIM_THRESHOLD`` and ``M_MMAP_THRESHOLD``, which are given as a C ``int``.
_TRIM, _MMAP, _MOST = -1, -3, 2**31 - 1


def keep_freed_memory() -> bool:
    """Have the allocator keep what is freed; return whether it could be told."""
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
    """Give everything that lies free back to the system; return whether there was anything, as far as is known."""
    allocator = _allocator()
    return allocator is not None and bool(allocator.malloc_trim(0))


@functools.cache
def _allocator() -> Any:
    """Return the C library whose allocator can be told what to keep, None if there is another one."""
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
