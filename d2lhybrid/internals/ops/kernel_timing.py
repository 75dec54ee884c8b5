"""Kernels with a stopwatch: how long the operators' own work takes inside a program that runs as ever."""

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
    """The measurements so far.

    Attributes
    ----------
    seconds : float
        Time inside of kernels.
    calls : int
        How many kernels were called; those that a kernel calls itself are part of it.
    """

    seconds: float = 0.0
    calls: int = 0


@contextlib.contextmanager
def timed_kernels(clock: Callable[[], float], wait: Callable[[], None] | None = None) -> Iterator[KernelTimes]:
    """Time every kernel that is called inside the scope, by the imperative program or by the tape.

    Compiled programs hold kernels of their own and are not seen here; what is compiled inside the scope would keep
    the stopwatch, so nothing may be.

    Parameters
    ----------
    clock : callable
        Returns seconds.
    wait : callable, optional
        Waits for the device, after each kernel.

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
        # With a subscriber, every call goes through its kernel; otherwise arithmetic with numbers calls NumPy directly.
        with events.listening(operator_ran=lambda *what: None):
            yield times
    finally:
        for op, kernel in zip(operators, kernels, strict=True):
            op.kernel = kernel
        known = {id(space): before for space, before in bound}
        for space in _spaces.values():  # one that is new has bound kernels with a stopwatch
            before = known.get(id(space), {"_xp": vars(space)["_xp"]})
            vars(space).clear()
            vars(space).update(before)
