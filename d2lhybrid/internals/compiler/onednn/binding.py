"""The binding of OpenMP's workers to cores other than the core of the thread that wakes them."""

from __future__ import annotations

import ctypes
import os
import threading
from typing import Any

from ..threads.placement import Apart, find_processor, is_wanted

__all__ = ["Binder"]

_Work = ctypes.CFUNCTYPE(None, ctypes.c_void_p)


class Binder:
    """An object that binds the OpenMP workers of one library to cores.

    Parameters
    ----------
    loaded : ctypes.CDLL
        A library whose symbols include OpenMP's functions.
    """

    def __init__(self, loaded: Any) -> None:
        self._run: Any = getattr(loaded, "GOMP_parallel", None)
        self._works = self._run is not None and find_processor() is not None and is_wanted()
        if self._run is not None:
            self._run.argtypes, self._run.restype = [_Work, ctypes.c_void_p, ctypes.c_uint, ctypes.c_uint], None
        #: The workers of each Python thread.
        self._local = threading.local()

    def bind(self, count: int) -> set[int]:
        """Bind the workers of the calling thread to cores, and return the workers' IDs.

        Workers that don't exist yet are started first.

        Parameters
        ----------
        count : int
            Number of OpenMP threads that the calling thread uses.

        Returns
        -------
        set of int
            IDs of the workers; empty if they can't or needn't be bound.
        """
        possible = self._works and count > 1 and len(os.sched_getaffinity(0)) > 1
        workers = self._workers(count) if possible else set[int]()
        self._local.apart = Apart(workers)
        self.follow()
        return workers

    def follow(self) -> None:
        """Bind the workers of the calling thread again, if the thread has moved to another core."""
        self._local.apart.follow()

    def _workers(self, count: int) -> set[int]:
        caller, found = threading.get_ident(), set[int]()

        def work(_: Any) -> None:
            """Record the ID of the thread; each thread, including the caller, calls this function once."""
            if threading.get_ident() != caller:
                found.add(threading.get_native_id())

        self._run(_Work(work), None, count, 0)
        return found
