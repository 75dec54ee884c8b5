"""NVIDIA's compiler for CUDA C, without CuPy and without a GPU: whether it takes a source.

It is looked for in the package ``nvidia-cuda-nvrtc`` and among the libraries of the system, or taken from the
environment variable ``D2LHYBRID_NVRTC``.
"""

from __future__ import annotations

import ctypes
import ctypes.util
import functools
import importlib.util
import os
from pathlib import Path
from typing import Any

#: What CuPy is asked for, and a device that every version of the compiler knows.
OPTIONS = (b"--std=c++17", b"--gpu-architecture=sm_80")


@functools.cache
def library() -> Any:
    """Return the library, None if there is none."""
    for name in _candidates():
        try:
            return ctypes.CDLL(name)
        except OSError:
            continue
    return None


def _candidates() -> list[str]:
    named = os.environ.get("D2LHYBRID_NVRTC")
    if named:
        return [named]
    spec = importlib.util.find_spec("nvidia")
    folders = list(spec.submodule_search_locations or []) if spec is not None else []
    found = [path for folder in folders for path in Path(folder).glob("*/lib/libnvrtc.so.*")]
    system = ctypes.util.find_library("nvrtc")
    return [str(path) for path in sorted(found)] + ([system] if system else [])


def complaints(source: str) -> str:
    """Return what the compiler says of a source, warnings included; nothing if it is content."""
    nvrtc = library()
    program = ctypes.c_void_p()
    nvrtc.nvrtcCreateProgram(ctypes.byref(program), source.encode(), b"kernel.cu", 0, None, None)
    try:
        status = nvrtc.nvrtcCompileProgram(program, len(OPTIONS), (ctypes.c_char_p * len(OPTIONS))(*OPTIONS))
        size = ctypes.c_size_t()
        nvrtc.nvrtcGetProgramLogSize(program, ctypes.byref(size))
        log = ctypes.create_string_buffer(max(size.value, 1))
        nvrtc.nvrtcGetProgramLog(program, log)
    finally:
        nvrtc.nvrtcDestroyProgram(ctypes.byref(program))
    said = log.value.decode().strip()
    return said or (f"status {status}" if status else "")
