"""NVIDIA's compiler of CUDA C, which needs no GPU: ``nvidia-cuda-nvrtc``, called through ctypes."""

from __future__ import annotations

import ctypes
import functools
import importlib.util
from pathlib import Path
from typing import Any

__all__ = ["errors_of", "find_nvrtc"]

#: The GPU that the course was measured on, and the oldest that CUDA 13 knows.
ARCHITECTURES = ("sm_90", "sm_75")


@functools.cache
def find_nvrtc() -> Any:
    """Return the library, None if it is not installed."""
    spec = importlib.util.find_spec("nvidia")
    folders = [] if spec is None else list(spec.submodule_search_locations or [])
    files = sorted(file for folder in folders for file in Path(folder).rglob("libnvrtc.so.*"))
    return ctypes.CDLL(str(files[-1])) if files else None


def errors_of(source: str, architecture: str = ARCHITECTURES[0]) -> str:
    """Compile a text for a GPU; return what the compiler has against it, empty if nothing."""
    library, program = find_nvrtc(), ctypes.c_void_p()
    options = (ctypes.c_char_p * 2)(b"--std=c++17", f"--gpu-architecture={architecture}".encode())
    status = library.nvrtcCreateProgram(ctypes.byref(program), source.encode(), b"program.cu", 0, None, None)
    assert status == 0, status
    try:
        status = library.nvrtcCompileProgram(program, len(options), options)
        size = ctypes.c_size_t()
        library.nvrtcGetProgramLogSize(program, ctypes.byref(size))
        log = ctypes.create_string_buffer(size.value)
        library.nvrtcGetProgramLog(program, log)
        return log.value.decode() or ("" if status == 0 else f"status {status}")
    finally:
        library.nvrtcDestroyProgram(ctypes.byref(program))
