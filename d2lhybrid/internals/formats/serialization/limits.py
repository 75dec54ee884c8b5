"""Limits on the time and memory that reading a file may take.

A small file can describe a graph that takes hours to read, or an array that fills the memory. The limits are far above
the needs of real files, and users can raise the limits.
"""

from __future__ import annotations

import contextlib
import functools
import os
import time
from collections.abc import Callable, Iterator
from typing import Any, NoReturn

from d2lhybrid.error import MXNetError

from ...support.display import Shown
from ...support.locks import cached_property

__all__ = ["Deadline", "Limits", "format_bytes", "limits", "machine_memory"]

#: The number of values (entries of lists and objects) that a graph file may contain for each allowed node.
VALUES_PER_NODE = 32


class Limits(Shown):
    """The limits for reading a file, and for the first call of a net from a file.

    Call this object to change limits, permanently or within a ``with`` statement. Default values are in parentheses.

    Attributes
    ----------
    nodes : int
        The largest number of nodes of a graph, including those of its subgraphs (200,000).
    graph_bytes : int
        The largest size of a graph file in bytes (64 MiB).
    seconds : float
        The largest CPU time for reading a graph, or for inferring its shapes, in seconds (60). Time in which other
        processes use the CPU doesn't count.
    expansion : int
        The largest size in bytes to which a small compressed file, or a small file with sparse arrays, may expand (256
        MiB). A larger file may expand to ``expansion_ratio`` times its size.
    expansion_ratio : float
        The largest factor by which a larger file may expand (100); see ``expansion``.
    memory : float
        The largest peak memory of the values of a compiled graph, as a fraction of the memory that this process may use
        (1.0). A number of 1024 or more is a size in bytes.
    trusted_pickles : bool
        Whether optimizer states are read with `pickle`, which can run any code (False).

    Examples
    --------
    >>> with limits(nodes=1_000_000, seconds=600):
    ...     limits.nodes
    1000000
    >>> limits.nodes
    200000
    """

    nodes: int = 200_000
    graph_bytes: int = 64 * 2**20
    seconds: float = 60.0
    expansion: int = 256 * 2**20
    expansion_ratio: float = 100.0
    memory: float = 1.0
    trusted_pickles: bool = False

    def __call__(self, **changes: Any) -> contextlib.AbstractContextManager[None]:
        """Change limits permanently or, in a ``with`` statement, temporarily.

        Raises
        ------
        TypeError
            If a limit does not exist.
        ValueError
            If a value is not positive.
        """
        known = list(Limits.__annotations__)
        for name, value in changes.items():
            if name not in known:
                raise TypeError(f"limits() has no limit {name!r}. The limits are {', '.join(known)}.")
            if name != "trusted_pickles" and not value > 0:
                raise ValueError(f"limits(): {name} must be positive, not {value!r}")
        previous = {name: getattr(self, name) for name in changes}
        self._change(changes)
        return _restored(self, previous)

    def _change(self, values: dict[str, Any]) -> None:
        vars(self).update(values)
        vars(self).pop("allowed_memory", None)  # a cached value that depends on the limits

    def check_expansion(self, size: float, stored: int, what: str, ratio: float = 0.0) -> None:
        """Raise an error if a part of a file would expand to more bytes than the limits allow.

        Parameters
        ----------
        size : int
            The expanded size in bytes.
        stored : int
            The size in the file, in bytes.
        what : str
            The description of the expanded bytes for the error message, such as ``'the content of "train.gz"'``.
        ratio : float
            The largest expansion factor of files in this format, if it exceeds ``expansion_ratio``.

        Raises
        ------
        MXNetError
            If the size exceeds the limits.
        """
        allowed = max(self.expansion, max(self.expansion_ratio, ratio) * stored)
        if size > allowed:
            error = MXNetError(
                f"{what} needs {format_bytes(size)} or more, but the file stores only {format_bytes(stored)}"
            )
            error.add_note(
                f"The limit for a file of this size is {format_bytes(allowed)}. If you trust the file, raise the "
                f"limit: with d2lhybrid.limits(expansion={_next_power(size)}): ..."
            )
            raise error

    @cached_property
    def allowed_memory(self) -> float:
        """The largest peak memory of a graph's values, in bytes, that the limit ``memory`` allows."""
        return self.memory if self.memory >= 1024 else self.memory * machine_memory()

    def check_memory(self, size: float, what: str) -> None:
        """Raise an error if a computation needs more memory than allowed.

        Parameters
        ----------
        size : int
            Number of bytes.
        what : str
            The description of the computation, for the error message.

        Raises
        ------
        MXNetError
            If ``size`` exceeds the allowed memory.
        """
        allowed = self.allowed_memory
        if size > allowed:
            error = MXNetError(f"Failed to allocate CPU Memory: {what} needs about {format_bytes(size)}")
            error.add_note(
                f"The limit d2lhybrid.limits.memory allows {format_bytes(allowed)}. Use a smaller batch, or raise the "
                f"limit: with d2lhybrid.limits(memory={_next_power(size)}): ..."
            )
            raise error

    def deadline(self) -> Deadline:
        """Return the deadline for work that starts now, according to the time limit."""
        return Deadline(self.seconds)


@contextlib.contextmanager
def _restored(limits: Limits, previous: dict[str, Any]) -> Iterator[None]:
    try:
        yield
    finally:
        limits._change(previous)


#: The clock of deadlines. It excludes the time of other processes, so that a busy machine causes no error.
_clock: Callable[[], float] = getattr(time, "thread_time", time.monotonic)


class Deadline:
    """The end of the CPU time that the calling thread may spend on a task.

    Parameters
    ----------
    seconds : float
        The CPU time until the deadline, in seconds.
    """

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self._end = _clock() + seconds

    def check(self, what: str) -> None:
        """Raise an error if the deadline has passed.

        Parameters
        ----------
        what : str
            The description of the work, for the error message.

        Raises
        ------
        MXNetError
            If the deadline has passed.
        """
        if _clock() > self._end:
            unit = "second" if self.seconds == 1 else "seconds"
            too_much(f"{what} takes more than {self.seconds:g} {unit}", f"seconds={10 * self.seconds:g}")


def too_much(message: str, remedy: str, fail: Callable[[str, str], NoReturn] | None = None) -> NoReturn:
    """Raise an error about an exceeded limit, with a note that says how to raise the limit.

    Parameters
    ----------
    message : str
        The error message.
    remedy : str
        The argument of ``limits`` that raises the limit, such as ``seconds=50``.
    fail : callable, optional
        Function that raises the error: ``fail(message, note)``.

    Raises
    ------
    MXNetError
        Always, unless `fail` raises another error.
    """
    note = f"If you trust the file, raise the limit: with d2lhybrid.limits({remedy}): ..."
    if fail is not None:
        fail(message, note)
    error = MXNetError(message)
    error.add_note(note)
    raise error


def _next_power(size: float) -> str:
    return f"2**{max(int(min(size, 2**200)) - 1, 1).bit_length()}"


def format_bytes(size: float) -> str:
    """Return a number of bytes as text.

    Parameters
    ----------
    size : int
        Number of bytes.

    Returns
    -------
    str
        The number with a unit.

    Examples
    --------
    >>> format_bytes(132), format_bytes(3 * 2**30)
    ('132 bytes', '3 GiB')
    """
    for unit, power in (("EiB", 60), ("PiB", 50), ("TiB", 40), ("GiB", 30), ("MiB", 20), ("KiB", 10)):
        if size >= 2**power:
            return f"more than 1000 {unit}" if size >= 1000 * 2**power else f"{size / 2**power:.3g} {unit}"
    return f"{size:.0f} bytes"


@functools.cache
def machine_memory() -> int:
    """Return the amount of memory that the machine, its container, and the system let this process use, in bytes."""
    found = []
    with contextlib.suppress(AttributeError, ValueError, OSError):
        found.append(os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE"))
    for path in ("/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"):
        with contextlib.suppress(OSError, ValueError), open(path) as stream:
            found.append(int(stream.read(40)))
    with contextlib.suppress(ImportError, AttributeError, ValueError, OSError):  # the module is empty in JupyterLite
        import resource

        allowed, _ = resource.getrlimit(resource.RLIMIT_AS)
        if allowed != resource.RLIM_INFINITY:
            found.append(allowed)
    found = [size for size in found if size > 0]
    return min(found) if found else _windows_memory()


def _windows_memory() -> int:
    """Return the memory of a machine without ``sysconf`` in bytes: what Windows reports, or 8 GiB on other systems."""
    with contextlib.suppress(AttributeError, OSError, ImportError):
        import ctypes

        class Status(ctypes.Structure):
            _fields_ = [("length", ctypes.c_ulong), ("load", ctypes.c_ulong), ("total", ctypes.c_ulonglong)] + [
                (f"other{i}", ctypes.c_ulonglong) for i in range(6)
            ]

        status = Status(length=ctypes.sizeof(Status))
        if ctypes.windll.kernel32.GlobalMemoryStatusEx(ctypes.byref(status)):  # type: ignore[attr-defined]
            return int(status.total)
    return 8 * 2**30


#: The current limits.
limits: Limits = Limits()
