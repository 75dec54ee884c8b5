"""The library that multiplies NumPy's matrices, such as OpenBLAS, and its number of threads.

NumPy has no function that sets the number of threads, but the library has such a function. The library's functions are
found through NumPy's extension module, which is already loaded, without a search on the disk. The names of these
functions differ between builds.
"""

from __future__ import annotations

import contextlib
import functools
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy

__all__ = ["Library", "find_library"]

#: Library name -> for each build, the names of the function that returns the number of threads and of the function that
#: sets it.
_FUNCTIONS = [
    *(
        ("OpenBLAS", f"{prefix}openblas_get_num_threads{suffix}", f"{prefix}openblas_set_num_threads{suffix}")
        for prefix in ("scipy_", "")
        for suffix in ("64_", "", "_64")
    ),
    ("MKL", "MKL_Get_Max_Threads", "MKL_Set_Num_Threads"),
]

#: The result of ``openblas_get_parallel`` for a library with OpenMP threads.
_OPENMP = 2

#: The names of the libraries on Windows, in the folders of NumPy and Conda.
_WINDOWS_FILES = ("libscipy_openblas*.dll", "libopenblas*.dll", "openblas*.dll", "mkl_rt*.dll")


class Library(NamedTuple):
    """A linear algebra library that uses several threads.

    Attributes
    ----------
    name : str
        ``"OpenBLAS"`` or ``"MKL"``.
    get_threads : callable
        The function that returns the current number of threads.
    set_threads : callable
        The function that sets the number of threads for the whole process.
    number : ctypes.c_int or None
        The variable in which OpenBLAS keeps the number of threads; None for MKL, or if the variable is inaccessible.
    """

    name: str
    get_threads: Any
    set_threads: Any
    number: Any = None

    def use_one_thread(self) -> None:
        """Set the number of threads to one in a forked process.

        The parent's threads don't exist in the child. A call that sets the number, even to 1, would make OpenBLAS start
        new threads, which would then spin for a tenth of a second.
        """
        if self.number is not None:
            self.number.value = 1
        elif self.get_threads() != 1:
            self.set_threads(1)


@functools.cache
def find_library() -> Library | None:
    """Return the linear algebra library of this NumPy; None if its number of threads can't or needn't be set.

    There are several such cases. Apple's Accelerate chooses its own number of threads. NumPy's loops and the reference
    BLAS have one thread. Without ctypes, as in a browser, Python can't access the library. If the number changes, an
    OpenBLAS with OpenMP threads frees memory that another thread may be using, and FlexiBLAS may hide such an OpenBLAS.
    """
    try:
        import ctypes
    except ImportError:
        return None
    for loaded in _loaded():
        for name, get_name, set_name in _FUNCTIONS:
            get_threads, set_threads = getattr(loaded, get_name, None), getattr(loaded, set_name, None)
            if get_threads is not None and set_threads is not None and not _is_openmp(loaded, get_name):
                get_threads.argtypes, get_threads.restype = [], ctypes.c_int
                set_threads.argtypes, set_threads.restype = [ctypes.c_int], None
                return Library(name, get_threads, set_threads, _number(loaded))
    return None


def _number(loaded: Any) -> Any:
    """Return the variable in which OpenBLAS keeps its number of threads; None if it is inaccessible."""
    import ctypes

    try:
        return ctypes.c_int.in_dll(loaded, "blas_cpu_number")
    except (ValueError, AttributeError):
        return None


def _is_openmp(loaded: Any, get_name: str) -> bool:
    """Return whether an OpenBLAS uses OpenMP threads, instead of no threads (0) or the system's threads (1)."""
    parallel = getattr(loaded, get_name.replace("get_num_threads", "get_parallel"), None)
    return "openblas" in get_name and parallel is not None and parallel() == _OPENMP


def _loaded() -> Iterator[Any]:
    """Yield the libraries that may have the functions; their calls, which are short, keep the GIL."""
    import ctypes

    if sys.platform == "win32":
        yield from _loaded_on_windows()
        return
    path = getattr(getattr(getattr(numpy, "_core", None), "_multiarray_umath", None), "__file__", None)
    if path:
        with contextlib.suppress(OSError):
            yield ctypes.PyDLL(path)  # finds symbols in the module's dependencies, too


def _loaded_on_windows() -> Iterator[Any]:
    """Yield the loaded libraries, whose functions aren't visible through NumPy's module."""
    import ctypes

    handle_of = ctypes.WinDLL("kernel32").GetModuleHandleW  # pyright: ignore[reportAttributeAccessIssue]
    handle_of.argtypes, handle_of.restype = [ctypes.c_wchar_p], ctypes.c_void_p
    root = Path(numpy.__file__).parent
    for folder in (root.with_name("numpy.libs"), root / ".libs", Path(sys.prefix) / "Library" / "bin"):
        for pattern in _WINDOWS_FILES:
            for file in sorted(folder.glob(pattern)):
                handle = handle_of(str(file))
                if handle:
                    yield ctypes.PyDLL(str(file), handle=handle)
