"""The vector instructions of the CPU, which decide which library multiplies matrices fastest."""

from __future__ import annotations

import functools
import platform

import numpy

__all__ = ["lacks_avx512"]

#: NumPy's names for AVX-512: before version 2.4, and since.
_AVX512 = ("AVX512_SKX", "X86_V4")


@functools.cache
def lacks_avx512() -> bool:
    """Return whether the CPU is an x86 processor without AVX-512.

    NumPy reports the instruction sets of the CPU. The answer does not change while Python runs.
    """
    if platform.machine().lower() not in ("x86_64", "amd64"):
        return False
    config = numpy.show_config(mode="dicts")
    found = (config or {}).get("SIMD Extensions", {})
    return not {*found.get("baseline", ()), *found.get("found", ())}.intersection(_AVX512)
