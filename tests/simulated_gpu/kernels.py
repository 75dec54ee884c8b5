"""``cupy.RawKernel`` and ``cupy.RawModule``: CUDA C, compiled by the system's C++ compiler behind ``cuda_shim.h``."""

from __future__ import annotations

import contextlib
import ctypes
import functools
import hashlib
import os
import re
import shutil
import subprocess
import tempfile
import threading
from pathlib import Path
from typing import Any

import numpy

from .arrays import ndarray
from .machine import CUDARuntimeError, SimulatedDevice, machine
from .memory import MemoryPointer

SHIM = Path(__file__).with_name("cuda_shim.h")

#: What makes threads wait for each other: a source that has none of it runs without fibers, which is faster.
_WAITING = re.compile(r"__syncthreads|__syncwarp|__shfl_|__ballot_sync|__any_sync|__all_sync")
_KERNEL = re.compile(
    r"__global__\s+(?:__launch_bounds__\s*\([^)]*\)\s*)?void\s+(?:__launch_bounds__\s*\([^)]*\)\s*)?(\w+)\s*\("
)
_DYNAMIC = re.compile(r"extern\s+__shared__\s+(?:__align__\s*\(\s*\d+\s*\)\s*)?((?:\w+\s+)*\w+)\s+(\w+)\s*\[\s*\]\s*;")
_INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*[<"]([^>"]+)[>"].*$', re.MULTILINE)
_KNOWN_HEADERS = {"cuda_fp16.h", "cuda_bf16.h", "math_constants.h", "cuda_runtime.h"}

# Kernels of tests run for a moment: to compile them takes longer, and -O1 twice as long.
_FLAGS = (
    *("-std=c++17", "-O0", "-fPIC", "-w", "-fno-strict-aliasing", "-ffp-contract=off", "-U_FORTIFY_SOURCE"),
    *("-fsanitize=kernel-address", "-fsanitize=bounds,alignment"),
    *("--param=asan-instrumentation-with-call-threshold=0", "--param=asan-stack=0", "--param=asan-globals=0"),
)


class CompileException(Exception):
    """The source does not compile."""

    def __init__(self, message: str, source: str, name: str, options: Any, backend: str = "nvrtc") -> None:
        self._message = message
        self.source, self.name, self.options, self.backend = source, name, options, backend
        super().__init__(message)

    def get_message(self) -> str:
        return self._message

    def __str__(self) -> str:
        return self._message

    def dump(self, f: Any) -> None:
        f.write(self.source)


class CUDADriverError(RuntimeError):
    """An error of the CUDA driver."""


def compiler() -> str | None:
    """Return the C++ compiler that plays NVRTC, None if there is none."""
    return next((found for name in ("g++", "c++") if (found := shutil.which(name))), None)


def _folder() -> Path:
    folder = Path(tempfile.gettempdir()) / f"d2lhybrid-simulated-gpu-{os.getuid()}"
    folder.mkdir(exist_ok=True, mode=0o700)
    return folder


def _run(command: list[str], source: str, name: str, flags: tuple[str, ...]) -> None:
    run = subprocess.run(command, capture_output=True, text=True, check=False)
    if run.returncode:
        raise CompileException(run.stderr, source, name, flags)


@functools.cache
def _prepared_shim(program: str, flags: tuple[str, ...]) -> Path:
    """Return a folder with the shim, read by the compiler beforehand: that takes longer than all the rest."""
    text = SHIM.read_text("utf-8")
    target = _folder() / f"shim-{_key(text, *flags)}"
    if not target.exists():
        with tempfile.TemporaryDirectory(dir=_folder()) as folder:
            copy = Path(folder, "shim", SHIM.name)
            copy.parent.mkdir()
            copy.write_text(text, "utf-8")
            _run([program, *flags, "-x", "c++-header", str(copy), "-o", f"{copy}.gch"], text, SHIM.name, flags)
            with contextlib.suppress(OSError):  # another process was faster
                copy.parent.rename(target)
    return target


def _key(*texts: str) -> str:
    return hashlib.sha256("\0".join(texts).encode()).hexdigest()[:32]


def compile_library(source: str, flags: tuple[str, ...], name: str = "kernel") -> Path:
    """Return a shared library made of C++, from the cache if it was made before."""
    target = _folder() / f"{_key(source, SHIM.read_text('utf-8'), *flags)}.so"
    if target.exists():
        return target
    program = compiler()
    if program is None:
        raise RuntimeError("The simulated GPU needs a C++ compiler (g++) for CUDA kernels, and there is none.")
    shim = _prepared_shim(program, flags)
    with tempfile.TemporaryDirectory(dir=_folder()) as folder:
        file = Path(folder, f"{name}.cpp")
        file.write_text(source, "utf-8")
        _run([program, *flags, f"-I{shim}", "-shared", str(file), "-o", f"{folder}/k.so"], source, name, flags)
        os.replace(f"{folder}/k.so", target)
    return target


def translated(code: str) -> tuple[str, list[str]]:
    """Return C++ for CUDA C, and the names of the kernels in it."""
    for header in _INCLUDE.findall(code):
        if header not in _KNOWN_HEADERS:
            raise CompileException(f"catastrophic error: cannot open source file {header!r}", code, "kernel", ())
    names = list(dict.fromkeys(_KERNEL.findall(_without_comments(code))))
    code = _INCLUDE.sub("", code)
    code = _DYNAMIC.sub(r"static \1* const \2 = reinterpret_cast<\1*>(simulated_dynamic_shared);", code)
    lines = [f'#include "{SHIM.name}"', '#line 1 "kernel.cu"', code]
    for name in names:
        lines.append(f'extern "C" int sim_launch_{name}(const sim::Launch* how, void** args) {{')
        lines.append(f"    return sim::start(how, &{name}, args);\n}}")
        lines.append(f'extern "C" const char* sim_types_{name}() {{')
        lines.append(f"    static std::string text = sim::describe(&{name});\n    return text.c_str();\n}}")
    lines.append('extern "C" const char* sim_error() { return sim::error; }\n')
    return "\n".join(lines), names


def _without_comments(code: str) -> str:
    return re.sub(r"/\*.*?\*/|//[^\n]*", " ", code, flags=re.DOTALL)


class _Launch(ctypes.Structure):
    _fields_ = (
        ("grid", ctypes.c_uint * 3),
        ("block", ctypes.c_uint * 3),
        ("shared", ctypes.c_uint),
        ("reverse", ctypes.c_uint),
        ("starts", ctypes.c_void_p),
        ("stops", ctypes.c_void_p),
        ("blocks", ctypes.c_size_t),
        ("arenas", ctypes.c_void_p),
        ("devices", ctypes.c_size_t),
    )


_running = threading.Lock()


@functools.cache
def _compiled(code: str, options: tuple[str, ...]) -> tuple[ctypes.CDLL, tuple[str, ...]]:
    source, names = translated(code)
    flags = [*_FLAGS, *(o for o in options if o.startswith(("-D", "-U")))]
    plain = _without_comments(code)
    if _WAITING.search(plain):
        flags.append("-DSIM_FIBERS")
    if "template" in plain:
        flags.append("-DSIM_TEMPLATES")
    library = ctypes.CDLL(str(compile_library(source, tuple(flags))))
    library.sim_error.restype = ctypes.c_char_p
    return library, tuple(names)


class Module:
    """A compiled source."""

    def __init__(self, code: str, options: tuple[str, ...]) -> None:
        self._library, self._names = _compiled(code, options)
        self._exported = code

    def get_function(self, name: str) -> Function:
        if name not in self._names or not hasattr(self._library, name):
            raise CUDADriverError("CUDA_ERROR_NOT_FOUND: named symbol not found")
        return Function(self, name)


class Function:
    """A kernel that can be started."""

    def __init__(self, module: Module, name: str) -> None:
        self.name = name
        self._library = module._library
        self._start = getattr(self._library, f"sim_launch_{name}")
        types = getattr(self._library, f"sim_types_{name}")
        types.restype = ctypes.c_char_p
        self.types: list[str] = types().decode().split()
        self.shared_limit = 49152

    def __call__(self, grid: Any, block: Any, args: Any, shared_mem: int = 0, stream: Any = None) -> None:
        for value in (grid, block):
            if not isinstance(value, tuple):
                raise TypeError(f"Expected tuple, got {type(value).__name__}")
        sizes = [tuple(max(1, int(n)) for n in (*value, 1, 1)[:3]) for value in (grid, block)]
        self._check_sizes(*sizes, shared_mem)
        if len(args) != len(self.types):
            raise TypeError(f"Simulated GPU: {self.name} has {len(self.types)} arguments, but {len(args)} were given.")
        packed = [
            _packed(a, t, f"argument {i} of {self.name}") for i, (a, t) in enumerate(zip(args, self.types, strict=True))
        ]
        pointers = (ctypes.c_void_p * max(len(packed), 1))(*(ctypes.addressof(p) for p in packed))
        device = machine().device
        how, keep = self._how(*sizes, shared_mem, device)

        def run() -> None:
            with _running:
                failed = self._start(ctypes.byref(how), pointers)
                message = self._library.sim_error().decode() if failed else ""
            if failed:
                raise CUDARuntimeError(700, f"Simulated GPU: kernel {self.name} {message}.")
            assert packed is not None and keep is not None

        machine().submit(run, None if stream is None else stream.ptr)

    def linear_launch(
        self, size: int, args: Any, shared_mem: int = 0, block_max_size: int = 128, stream: Any = None
    ) -> None:
        self(((size + block_max_size - 1) // block_max_size,), (min(block_max_size, size),), args, shared_mem, stream)

    def _check_sizes(self, grid: tuple[int, ...], block: tuple[int, ...], shared: int) -> None:
        threads = block[0] * block[1] * block[2]
        if threads > 1024 or block[2] > 64 or grid[0] >= 1 << 31 or max(grid[1:]) > 65535:
            raise CUDADriverError("CUDA_ERROR_INVALID_VALUE: invalid argument")
        if shared > self.shared_limit:
            raise CUDADriverError("CUDA_ERROR_INVALID_VALUE: invalid argument")

    def _how(
        self, grid: tuple[int, ...], block: tuple[int, ...], shared: int, device: SimulatedDevice
    ) -> tuple[_Launch, Any]:
        with device.undisturbed():
            held = numpy.array(sorted(device.blocks.items()), numpy.uint64).reshape(-1, 2)
        starts = numpy.ascontiguousarray(held[:, 0])
        stops = starts + held[:, 1]
        how = _Launch(grid, block, shared, machine().reverse)
        how.starts, how.stops, how.blocks = starts.ctypes.data, stops.ctypes.data, len(held)
        arenas = numpy.array([d.extent for d in machine().devices], numpy.uint64)
        how.arenas, how.devices = arenas.ctypes.data, len(arenas)
        return how, (starts, stops, arenas)


# --- arguments ------------------------------------------------------------------------------------


def _packed(value: Any, kind: str, what: str) -> Any:
    """Return an argument in memory as the kernel reads it; raise if it would read something else."""
    if isinstance(value, ndarray):
        if kind[0] != "p":
            raise TypeError(f"Simulated GPU: {what} is an array, but the kernel wants a number ({kind}).")
        if value._number != machine().current:
            raise CUDARuntimeError(700, f"Simulated GPU: {what} is on another device.")
        _check_elements(value.dtype, kind[1:], what)
        return ctypes.c_uint64(value.data.ptr if value.size else 0)
    if isinstance(value, MemoryPointer):
        value = int(value)
    if isinstance(value, numpy.ndarray):
        return _by_value(value, kind, what)
    if isinstance(value, bool | int | float):
        value = numpy.float64(value) if isinstance(value, float) else _integer(value, kind)
    if not isinstance(value, numpy.generic):
        raise TypeError(f"Unsupported type {type(value)}")
    if kind[0] == "p":
        return ctypes.c_uint64(_address(value, what))
    if kind[0] == "s":
        raise TypeError(f"Simulated GPU: {what} is a structure.")
    if value.dtype.itemsize != int(kind[1:]) or (value.dtype.kind == "f") != (kind[0] == "f"):
        raise TypeError(
            f"Simulated GPU: {what} is a {value.dtype}, but the kernel reads {kind}, which would be other bytes."
        )
    return ctypes.create_string_buffer(value.tobytes(), value.dtype.itemsize)


def _by_value(value: numpy.ndarray, kind: str, what: str) -> Any:
    """Return a copy of a NumPy array of one element, whose bytes are a structure or a number."""
    if value.size != 1:
        raise TypeError(
            f"You are trying to pass a numpy.ndarray of shape {value.shape} as a kernel parameter. Only numpy.ndarrays "
            "of size one can be passed by value. If you meant to pass a pointer to device memory, you need to pass a "
            "cupy.ndarray instead."
        )
    if kind[0] == "p" or value.itemsize != int(kind[1:]):
        raise TypeError(f"Simulated GPU: {what} has {value.itemsize} bytes, but the kernel reads {kind}.")
    return ctypes.create_string_buffer(value.tobytes(), value.itemsize)


def _integer(value: int, kind: str) -> Any:
    """Return a Python integer as the kernel reads it: CuPy passes 64 bits, a smaller type reads the lower ones."""
    if kind[0] not in "iub":
        return numpy.int64(value)
    dtype = numpy.dtype(bool if kind == "b1" else kind)
    return numpy.array(value, dtype)[()]


def _address(value: Any, what: str) -> int:
    if value.dtype.kind not in "iu" or value.dtype.itemsize != 8:
        raise TypeError(f"Simulated GPU: {what} is a {value.dtype}, but the kernel wants an address.")
    address = int(value)
    if address:
        owner = machine().owner(address)
        if owner is None or not owner.is_held(address):
            raise CUDARuntimeError(700, f"Simulated GPU: {what} is no memory of the device that anybody holds.")
    return address


def _check_elements(dtype: numpy.dtype, kind: str, what: str) -> None:
    if kind[0] in "vps" or kind in ("i1", "u1") or kind[1:] == "0":
        return
    if dtype.itemsize != int(kind[1:]) or (dtype.kind == "f") != (kind[0] == "f"):
        raise TypeError(f"Simulated GPU: {what} holds {dtype}, but the kernel wants {kind}.")


# --- CuPy's classes -------------------------------------------------------------------------------


class RawKernel:
    """A kernel that the user wrote."""

    def __init__(
        self,
        code: str,
        name: str,
        options: tuple[str, ...] = (),
        backend: str = "nvrtc",
        *,
        translate_cucomplex: bool = False,
        enable_cooperative_groups: bool = False,
        jitify: bool = False,
    ) -> None:
        _check_options(code, options)
        self.code, self.name, self.options, self.backend = code, name, options, backend
        self.__name__ = name
        self._functions: dict[int, Function] = {}

    @property
    def kernel(self) -> Function:
        number = machine().current
        if number not in self._functions:
            self._functions[number] = Module(self.code, self.options).get_function(self.name)
        return self._functions[number]

    def __call__(self, grid: Any, block: Any, args: Any, **kwargs: Any) -> None:
        self.kernel(grid, block, args, **kwargs)

    def compile(self, log_stream: Any = None) -> None:
        self._functions.clear()
        assert self.kernel

    @property
    def max_dynamic_shared_size_bytes(self) -> int:
        return self.kernel.shared_limit

    @max_dynamic_shared_size_bytes.setter
    def max_dynamic_shared_size_bytes(self, size: int) -> None:
        if size > 232448:
            raise CUDADriverError("CUDA_ERROR_INVALID_VALUE: invalid argument")
        self.kernel.shared_limit = max(size, 49152)

    @property
    def max_threads_per_block(self) -> int:
        return 1024

    @property
    def num_regs(self) -> int:
        return 32

    @property
    def local_size_bytes(self) -> int:
        return 0

    @property
    def shared_size_bytes(self) -> int:
        return 0


def _check_options(code: Any, options: Any) -> None:
    if not isinstance(code, str):
        raise TypeError(f"Expected str, got {type(code).__name__}")
    if not isinstance(options, tuple):
        raise TypeError(f"Expected tuple, got {type(options).__name__}")


class RawModule:
    """Several kernels in one source."""

    def __init__(
        self,
        *,
        code: str | None = None,
        path: str | None = None,
        options: tuple[str, ...] = (),
        backend: str = "nvrtc",
        translate_cucomplex: bool = False,
        enable_cooperative_groups: bool = False,
        name_expressions: Any = None,
        jitify: bool = False,
    ) -> None:
        if (code is None) == (path is None):
            raise TypeError("Exactly one of `code` and `path` keyword arguments must be given.")
        if code is None or name_expressions is not None:
            raise NotImplementedError("The stand-in models sources without name expressions only.")
        _check_options(code, options)
        self.code, self.options, self.backend = code, options, backend

    @property
    def module(self) -> Module:
        return Module(self.code, self.options)

    def compile(self, log_stream: Any = None) -> None:
        assert self.module

    def get_function(self, name: str) -> RawKernel:
        self.module.get_function(name)
        return RawKernel(self.code, name, self.options, self.backend)
