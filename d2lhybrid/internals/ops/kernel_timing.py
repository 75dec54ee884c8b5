"""A timer for kernels, which measures the time that a running program spends in operators."""

from __future__ import annotations

import contextlib
import functools
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from ..core.kernel_space import _spaces
from ..core.operator import Operator, all_operators
from ..support import events

__all__ = ["KernelTimes", "timed_kernels"]


@dataclass
class KernelTimes:
    """The number of kernel calls, and their total time.

    Attributes
    ----------
    seconds : float
        The time inside kernels, in seconds.
    calls : int
        The number of kernel calls, without calls by other kernels.
    """

    seconds: float = 0.0
    calls: int = 0


@contextlib.contextmanager
def timed_kernels(clock: Callable[[], float], wait: Callable[[], None] | None = None) -> Iterator[KernelTimes]:
    """Return a context manager that measures every kernel that eager code or the tape calls.

    The kernels of compiled programs aren't measured. No program may be compiled inside the context, because the
    program would keep the timer.

    Parameters
    ----------
    clock : callable
        A function that returns the time in seconds.
    wait : callable, optional
        A function that waits for the device, called after each kernel.

    Examples
    --------
    >>> import time
    >>> from d2lhybrid import nd
    >>> x = nd.ones((2, 3))
    >>> with timed_kernels(time.perf_counter) as times:
    ...     y = nd.relu(x) + 1
    >>> times.calls
    2
    """
    times = KernelTimes()
    inside = False

    def timed(kernel: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(kernel)
        def run(*args: Any, **attributes: Any) -> Any:
            nonlocal inside
            if inside:
                return kernel(*args, **attributes)
            inside = True
            try:
                start = clock()
                result = kernel(*args, **attributes)
                if wait is not None:
                    wait()
                times.seconds += clock() - start
                times.calls += 1
                return result
            finally:
                inside = False

        return run

    operators: list[Operator] = all_operators()
    kernels = [op.kernel for op in operators]
    bound = [(space, dict(vars(space))) for space in _spaces.values()]
    try:
        for op in operators:
            op.kernel = timed(op.kernel)
        for space, before in bound:
            vars(space).clear()
            vars(space)["_xp"] = before["_xp"]
        # With a subscriber, every call runs its kernel; without, arithmetic with numbers calls NumPy directly.
        with events.listening(operator_ran=lambda *what: None):
            yield times
    finally:
        for op, kernel in zip(operators, kernels, strict=True):
            op.kernel = kernel
        known = {id(space): before for space, before in bound}
        for space in _spaces.values():  # including new spaces, whose functions have kernels with a timer
            before = known.get(id(space), {"_xp": vars(space)["_xp"]})
            vars(space).clear()
            vars(space).update(before)
