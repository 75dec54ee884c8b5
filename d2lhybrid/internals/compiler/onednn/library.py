"""The search for oneDNN, and the limit of its threads to the number of available cores.

A separate wheel (``onednn-cpu-gomp``) installs the library into the ``lib`` folder of the environment, or the system
provides it. Version 3 of the library's API is required.

The library runs in OpenMP threads. Each Python thread that calls the library has its own number of OpenMP threads. The
number is set before a call if the number of available cores has changed (see
:mod:`d2lhybrid.internals.compiler.threads`). Each number of threads needs its own compiled code (see
:mod:`.primitive`). A forked child has none of its parent's threads, and GNU's OpenMP would wait forever for these
threads, so they are ended before a fork and started again when needed. :mod:`.binding` binds the threads to cores.
"""

from __future__ import annotations

import contextlib
import ctypes
import ctypes.util
import functools
import os
import site
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from .. import threads
from .binding import Binder

__all__ = ["Library", "Unsupported", "describe", "find_library", "is_available", "is_disabled", "library"]

#: The environment variable with the path of the library, if it isn't found automatically; ``off`` disables oneDNN.
VARIABLE = "D2LHYBRID_ONEDNN"
#: The supported version of the API.
MAJOR = 3
_FILES = ("libdnnl.so.3", "libdnnl.3.dylib")
#: The value ``omp_pause_hard``, which ends the threads instead of keeping them for later.
_PAUSE_HARD = 2
_STATUS = {1: "out of memory", 2: "invalid arguments", 3: "not supported", 4: "no further implementation", 5: "failed"}


class Unsupported(Exception):
    """The error for a missing oneDNN library, or for a computation that oneDNN doesn't support."""


class Version(ctypes.Structure):
    """The first fields of the C structure ``dnnl_version_t``."""

    _fields_ = [("major", ctypes.c_int), ("minor", ctypes.c_int), ("patch", ctypes.c_int)]


class Library:
    """The loaded oneDNN library.

    Parameters
    ----------
    path : str
        The path of the library's file.

    Attributes
    ----------
    version : tuple of int
        The major, minor, and patch version.
    engine : ctypes.c_void_p
        The library's engine object, which represents the CPU.
    execute : callable
        The function that runs a primitive, without the GIL.
    set_handle : callable
        The function that sets the data address of a memory object. A call is short and keeps the GIL.

    Raises
    ------
    OSError
        If the file can't be loaded.
    Unsupported
        If the library has another major version than :data:`MAJOR`.
    """

    def __init__(self, path: str) -> None:
        self.path = path
        with _threads_that_sleep():
            self._library = ctypes.CDLL(path)
        quick = ctypes.PyDLL(path)
        self._library.dnnl_version.restype = ctypes.POINTER(Version)
        version = self._library.dnnl_version().contents
        self.version: tuple[Any, Any, Any] = (version.major, version.minor, version.patch)
        if version.major != MAJOR:
            raise Unsupported(f"{path} is oneDNN {version.major}, but version {MAJOR} is required")
        self.engine = ctypes.c_void_p()
        self.call("dnnl_engine_create", ctypes.byref(self.engine), 1, ctypes.c_size_t(0))
        self.execute: Any = self._library.dnnl_primitive_execute
        self.execute.argtypes = [ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int, ctypes.c_void_p]
        self.set_handle: Any = quick.dnnl_memory_set_data_handle
        self.set_handle.argtypes = [ctypes.c_void_p, ctypes.c_void_p]
        self._library.dnnl_primitive_desc_query_md.restype = ctypes.c_void_p
        self._library.dnnl_memory_desc_get_size.restype = ctypes.c_size_t
        self._set_threads = _openmp(self._library, "omp_set_num_threads", ctypes.c_int)
        self._get_threads = _openmp(self._library, "omp_get_max_threads")
        self._end_threads = _openmp(self._library, "omp_pause_resource_all", ctypes.c_int)
        self._binder = Binder(self._library)
        #: The number of times that the threads were ended before a fork.
        self._ended = 0
        self._local = threading.local()
        if hasattr(os, "register_at_fork"):
            os.register_at_fork(before=self._before_fork)

    def call(self, name: str, *arguments: Any) -> None:
        """Call a function of oneDNN that returns a status, and check the status.

        Parameters
        ----------
        name : str
            Name of the function, such as ``dnnl_post_ops_create``.
        *arguments : object
            The arguments.

        Raises
        ------
        Unsupported
            If the status is an error.
        """
        status = getattr(self._library, name)(*arguments)
        if status:
            raise Unsupported(f"{name}: {_STATUS.get(status, f'status {status}')}")

    def value(self, name: str, *arguments: Any) -> Any:
        """Call a function of oneDNN, and return its result.

        Parameters
        ----------
        name : str
            Name of the function, such as ``dnnl_version``.
        *arguments : object
            The arguments.

        Returns
        -------
        object
            The result.
        """
        return getattr(self._library, name)(*arguments)

    def stream(self) -> ctypes.c_void_p:
        """Return this Python thread's stream, the object in which oneDNN runs computations in order."""
        try:
            return self._local.stream
        except AttributeError:
            stream = ctypes.c_void_p()
            self.call("dnnl_stream_create", ctypes.byref(stream), self.engine, 1)
            self._local.stream = stream
            return stream

    # --- threads ---

    def use_threads(self) -> int:
        """Set the number of OpenMP threads for this Python thread's next call to the number of available cores.

        If the limit is off, the number remains unchanged.

        Returns
        -------
        int
            The number of threads; 0 if the limit is off.
        """
        count = threads.share()
        if not count or self._set_threads is None:
            return count
        try:
            state = self._local.state
        except AttributeError:
            state = self._local.state = [0, 0, 0]
        if state[0] != count or state[1] != self._ended:
            self._set_threads(count)
            state[:] = count, self._ended, 0
            self._binder.bind(count)
        elif state[2] < PATIENCE:
            state[2] += 1
        else:
            state[2] = 0
            self._binder.follow()
        return count

    @property
    def num_threads(self) -> int:
        """The number of OpenMP threads for this Python thread's next call; 1 without OpenMP."""
        return self._get_threads() if self._get_threads is not None else 1

    def _before_fork(self) -> None:
        """End the OpenMP threads of the thread that is about to fork."""
        if self._end_threads is not None:
            self._end_threads(_PAUSE_HARD)
            self._ended += 1


@contextlib.contextmanager
def _threads_that_sleep() -> Iterator[None]:
    """Return a context manager in which OpenMP is loaded such that idle threads sleep.

    Otherwise, idle threads would spin for milliseconds on a core that NumPy's next product needs. Nothing changes if
    the user has set one of the environment variables that determine this.
    """
    names = ("GOMP_SPINCOUNT", "OMP_WAIT_POLICY")
    if any(os.environ.get(name) for name in names):
        yield
        return
    os.environ[names[0]] = str(SPIN)
    try:
        yield
    finally:
        os.environ.pop(names[0], None)


#: The number of computations between two checks of the caller's core. A check takes a tenth of a small computation's
#: time.
PATIENCE = 16

#: The number of spins of an OpenMP thread before it sleeps, which take some ten microseconds.
SPIN = 10_000


def _openmp(loaded: Any, name: str, *parameters: Any) -> Any:
    """Return an OpenMP function, found through a library that uses OpenMP; None if it doesn't exist."""
    function = getattr(loaded, name, None)
    if function is not None:
        function.argtypes, function.restype = list(parameters), ctypes.c_int
    return function


def is_disabled() -> bool:
    """Return whether the environment variable ``D2LHYBRID_ONEDNN`` disables oneDNN."""
    return os.environ.get(VARIABLE, "").lower() == "off"


@functools.cache
def find_library() -> str | None:
    """Return the path of the oneDNN library.

    Returns
    -------
    str or None
        The path; None if the library is missing or disabled.
    """
    if wish := os.environ.get(VARIABLE, ""):
        return None if is_disabled() else wish
    folders = [Path(sys.prefix) / "lib", Path(site.getuserbase()) / "lib"]
    for folder in folders:
        for name in _FILES:
            if (folder / name).exists():
                return str(folder / name)
    return ctypes.util.find_library("dnnl")


@functools.cache
def library() -> Library:
    """Return the oneDNN library, which the first call loads.

    Returns
    -------
    Library
        The library.

    Raises
    ------
    Unsupported
        If the library is missing, has another version, or can't be loaded. The message states the reason.
    """
    path = find_library()
    if path is None:
        raise Unsupported(f"oneDNN is disabled by {VARIABLE}=off" if is_disabled() else "oneDNN is not installed")
    try:
        return Library(path)
    except (OSError, AttributeError) as error:
        raise Unsupported(f"{path} cannot be loaded: {error}") from error


def is_available() -> bool:
    """Return whether oneDNN can be loaded."""
    try:
        library()
    except Unsupported:
        return False
    return True


def describe() -> str:
    """Return the version and the folder of oneDNN, or the reason why oneDNN is unavailable.

    Examples
    --------
    >>> describe()  # doctest: +SKIP
    'oneDNN 3.2.0 in /usr/lib'
    """
    try:
        found = library()
    except Unsupported as error:
        return str(error)
    return f"oneDNN {'.'.join(map(str, found.version))} in {Path(found.path).parent}"
