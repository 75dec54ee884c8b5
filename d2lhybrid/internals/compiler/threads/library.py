"""The library that multiplies NumPy's matrices, and how it is told how many threads to use.

NumPy has no function for that, the library has. Its functions are found through NumPy's own extension module, which is
loaded already: nothing is searched for on the disk. Names differ from build to build.
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

#: Name -> (the function that returns the number of threads, the one that sets it), as often as builds differ.
_FUNCTIONS = [
    *(
        ("OpenBLAS", f"{prefix}openblas_get_num_threads{suffix}", f"{prefix}openblas_set_num_threads{suffix}")
        for prefix in ("scipy_", "")
        for suffix in ("64_", "", "_64")
    ),
    ("MKL", "MKL_Get_Max_Threads", "MKL_Set_Num_Threads"),
]

#: What ``openblas_get_parallel`` returns for a library with the threads of OpenMP.
_OPENMP = 2

#: How the files are called that Windows has loaded, in NumPy's own folder or in Conda's.
_WINDOWS_FILES = ("libscipy_openblas*.dll", "libopenblas*.dll", "openblas*.dll", "mkl_rt*.dll")


class Library(NamedTuple):
    """A library that works in several threads.

    Attributes
    ----------
    name : str
        ``"OpenBLAS"`` or ``"MKL"``.
    get_threads : callable
        Returns the number of threads that it uses now.
    set_threads : callable
        Sets it, for the whole process.
    number : ctypes.c_int or None
        Where OpenBLAS keeps it; None for another library, and where that is not seen from outside.
    """

    name: str
    get_threads: Any
    set_threads: Any
    number: Any = None

    def use_one_thread(self) -> None:
        """Use the thread of the caller alone, in a process that was forked.

        Its parent's threads are not there. Asked for a number, even for one, OpenBLAS would first start as many again,
        which then keep processors busy for a tenth of a second.
        """
        if self.number is not None:
            self.number.value = 1
        elif self.get_threads() != 1:
            self.set_threads(1)


@functools.cache
def find_library() -> Library | None:
    """Return the library that this NumPy uses.

    None where it cannot be told anything, or need not be: Apple's Accelerate decides on its own, NumPy's own loops and
    the reference BLAS have one thread; a Python without ctypes, as for a browser, can tell nobody. An OpenBLAS with the
    threads of OpenMP frees memory when the number changes, which another thread may be using just then: it is left
    alone, and so is FlexiBLAS, which may hide one.
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
    """Return where OpenBLAS keeps the number of its threads; None where that is not seen from outside."""
    import ctypes

    try:
        return ctypes.c_int.in_dll(loaded, "blas_cpu_number")
    except (ValueError, AttributeError):
        return None


def _is_openmp(loaded: Any, get_name: str) -> bool:
    """Return whether an OpenBLAS uses OpenMP: 0 is no threads, 1 the system's, 2 OpenMP's."""
    parallel = getattr(loaded, get_name.replace("get_num_threads", "get_parallel"), None)
    return "openblas" in get_name and parallel is not None and parallel() == _OPENMP


def _loaded() -> Iterator[Any]:
    """Yield what may hold the functions. They are short, so that the interpreter's lock is kept while they run."""
    import ctypes

    if sys.platform == "win32":
        yield from _loaded_on_windows()
        return
    path = getattr(getattr(getattr(numpy, "_core", None), "_multiarray_umath", None), "__file__", None)
    if path:
        with contextlib.suppress(OSError):
            yield ctypes.PyDLL(path)  # a symbol is looked for in all that the module depends on, too


def _loaded_on_windows() -> Iterator[Any]:
    """Yield the libraries that are there and in use: their functions are not seen through NumPy's module."""
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
