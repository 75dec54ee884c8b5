"""Keeping OpenMP's workers away from the processor of the thread that wakes them.

Some systems run a sleeping thread where it was woken, beside the one that woke it: virtual machines do, for which a
processor that sleeps counts as taken. Then two threads take turns on one processor while another has nothing to do. So
the workers may run on all processors of the process but the one on which their caller is when it first needs them. The
caller itself is never bound, nor is any other thread.

``D2LHYBRID_BIND=off`` leaves the workers alone, and so does whoever binds them himself (``OMP_PROC_BIND`` and its
like).
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import threading
from typing import Any

__all__ = ["VARIABLE", "Binder"]

#: Set to ``off``, nothing is bound.
VARIABLE = "D2LHYBRID_BIND"
#: Who sets one of these has decided where threads run.
_DECIDED = ("OMP_PROC_BIND", "OMP_PLACES", "GOMP_CPU_AFFINITY", "KMP_AFFINITY")
_Work = ctypes.CFUNCTYPE(None, ctypes.c_void_p)


def _is_wanted() -> bool:
    if any(os.environ.get(name) for name in _DECIDED) or os.environ.get(VARIABLE, "").lower() == "off":
        return False
    return hasattr(os, "sched_setaffinity")


class Binder:
    """Tells the workers of one library's OpenMP where they may run.

    Parameters
    ----------
    loaded : ctypes.CDLL
        A library through which the functions of OpenMP are found.
    """

    def __init__(self, loaded: Any) -> None:
        self._run: Any = getattr(loaded, "GOMP_parallel", None)
        self._processor: Any = getattr(loaded, "sched_getcpu", None)
        self._works = self._run is not None and self._processor is not None and _is_wanted()
        if self._run is not None:
            self._run.argtypes, self._run.restype = [_Work, ctypes.c_void_p, ctypes.c_uint, ctypes.c_uint], None

    def bind(self, count: int) -> set[int]:
        """Bind the workers with which the calling thread runs ``count`` threads; return their numbers.

        They are started for that, if they do not run yet.
        """
        if not self._works or count < 2:
            return set()
        caller, bound = threading.get_ident(), set[int]()
        others = os.sched_getaffinity(0) - {self._processor()}
        if not others:
            return set()

        def work(_: Any) -> None:
            """Run once in each thread, of which the caller is one."""
            if threading.get_ident() != caller:
                with contextlib.suppress(OSError):  # a system may forbid it
                    os.sched_setaffinity(0, others)
                    bound.add(threading.get_native_id())

        self._run(_Work(work), None, count, 0)
        return bound
