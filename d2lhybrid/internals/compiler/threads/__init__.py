"""A limit for the number of threads of matrix products on a busy machine.

NumPy's products run in one thread per core, and the threads wait for each other at barriers. On an idle machine, this
is fastest. If another process is busy, one of the threads has no core, and all other threads wait for that thread. A
product that takes twenty microseconds can wait for four milliseconds.

Therefore, while other processes need cores, this package's products use only as many threads as there are free cores,
often one. The caller of a product calls :func:`crowded`, which checks the system four times a second. If this function
returns True, the product runs in :func:`limited`, which sets the library's number of threads during the product, so
that other uses of NumPy are unaffected. Several Python threads that multiply at the same time share the cores.

After a product, the library's threads spin while they wait for the next product. OpenBLAS's threads spin for a tenth of
a second. Threads of another library, such as oneDNN, then wait for a core. Therefore, a program that leaves little work
to NumPy limits NumPy to one thread (:func:`alone`). For eager calls, the other library reports its calls
(:func:`claim`), and products of NumPy that follow within the tenth of a second run in one thread unless they are large.

``D2LHYBRID_THREADS=off`` disables the limit. There is also no limit if the user has set a number of threads (with
``OMP_NUM_THREADS`` or a similar variable), if there is only one core, or if the library chooses its own number of
threads. Under a quota (a container that may use two of sixty-four cores), the library's number of threads is set once.
"""

from __future__ import annotations

import contextlib
import math
import os
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from ...core import parallel
from ...support.locks import new_lock
from ...support.machine import affinity
from .library import Library, find_library
from .processors import Quota, Usage, find_quota, usage

__all__ = [
    "SMALLEST",
    "SMALLEST_ARRAY",
    "Brake",
    "alone",
    "available",
    "brake",
    "claim",
    "crowded",
    "describe",
    "limited",
    "plug_in",
    "run",
    "share",
    "worth_dividing",
]

#: The smallest number of multiplications for which the library uses several threads (measured).
SMALLEST = 1 << 18
#: The smallest number of elements for which decompositions and sums of squares use several threads.
SMALLEST_ARRAY = 1 << 12

#: The largest product of the sizes of two arrays for which a product in one thread takes less time than the calls of
#: another library lose by NumPy's spinning threads (some ten milliseconds).
LARGEST = 1 << 37
#: The time in seconds for which NumPy's products give way to another library after its last call.
CLAIM = 0.1

#: The environment variable that disables the limit with ``off``.
OFF = "D2LHYBRID_THREADS=off"
#: The interval of the checks, in seconds. The system measures times in hundredths of a second.
INTERVAL = 0.25

#: The shorter interval before the first measurement after the start or a pause, because the load is unknown until then.
FIRST_INTERVAL = 0.06
#: The interval at which runnable threads are counted until that measurement, while other processes have such threads.
EARLY_INTERVAL = 0.01

#: The largest share of time for checks. Slow checks are less frequent.
SHARE = 1 / 500
#: The larger share of time for checks after the start or a pause.
FIRST_SHARE = 1 / 50

#: The largest share of a core that other processes may use so that the core counts as free.
TOLERANCE = 0.25

#: The environment variables in which users set the number of threads.
VARIABLES = (
    "OPENBLAS_NUM_THREADS", "OPENBLAS_DEFAULT_NUM_THREADS", "GOTO_NUM_THREADS", "MKL_NUM_THREADS", "OMP_NUM_THREADS",
)  # fmt: skip

#: The mark of functions that run alone, in place of a thread-local mark.
_ALONE = "alone"

_clock, _get_ident = time.perf_counter, threading.get_ident
#: The clock that measures the cost of checks. It measures CPU time, which excludes other processes on a busy machine.
_worked = getattr(time, "thread_time", time.perf_counter)


class Brake:
    """A monitor of the machine's load that limits the threads of NumPy's linear algebra library.

    Attributes
    ----------
    library : Library or None
        The library to limit; None if that is impossible or unnecessary.
    chosen : str
        The environment variable in which the user set the number of threads, with its value; empty if there is none.
    wanted : int
        The number of threads to use now.
    free : float or None
        The number of cores that other processes left free at the last check.
    """

    wanted: int

    def __init__(self) -> None:
        self.library: Library | None = None
        self.quota: Quota | None = None
        self.chosen = ""
        self._limit = self.wanted = 1
        self.free: float | None = None
        self._holds_back = self._started = False
        self._due = float("-inf")
        #: The time until which another library's threads have precedence.
        self._claimed = float("-inf")
        self._before: Usage | None = None
        #: The time of the first check after the start or a pause that can rely on measured times.
        self._second = float("-inf")
        self._lock = new_lock()
        #: The Python threads that have called since the last check.
        self._caller = 0
        self._callers: set[int] = set()
        self._sharing = 1
        #: The running limits (by thread and local mark), each with its number of threads, and the library's number
        #: before.
        self._inside: dict[tuple[int, object], int] = {}
        self._full = 1

    def start(self) -> None:
        """Read everything that doesn't change: the library, the number of cores, and the user's settings."""
        if self._started:
            return
        self._started = True
        self.chosen: str = _chosen()
        self.library, self.quota = find_library(), find_quota()
        self._limit = affinity()
        if self.quota is not None:
            self._limit: int = min(self._limit, max(int(self.quota.processors + TOLERANCE), 1))
        self.wanted = self._most()
        if self.library is not None and not self.chosen and self.library.get_threads() > self.limit:
            self.library.set_threads(self.limit)  # as many threads as this process may use

    @property
    def limit(self) -> int:
        """The number of cores of this process."""
        self.start()  # until then, the number is only assumed
        return self._limit

    @limit.setter
    def limit(self, count: int) -> None:
        self.start()  # otherwise, a later start would replace the number
        self._limit = count

    @property
    def works(self) -> bool:
        """Whether the number of threads is limited on a busy machine."""
        return self.limit > 1 and not self.chosen

    @property
    def is_off(self) -> bool:
        """Whether ``D2LHYBRID_THREADS=off`` was set."""
        return self.chosen == OFF

    def crowded(self, arrays: Sequence[Any] = ()) -> bool:
        """Return whether other work uses the cores now, so that products should run in fewer threads.

        Parameters
        ----------
        arrays : sequence of numpy.ndarray or None
            The inputs of an eager call, which is also limited if another library needs the cores; see :meth:`claim`.
        """
        me = _get_ident()
        if me != self._caller:
            self._caller = me
            self._callers.add(me)
        now = _clock()
        if now >= self._due:
            self.look()
        if arrays and now < self._claimed:
            return self._holds_back or math.prod(_two_largest(arrays)) <= LARGEST
        return self._holds_back

    def claim(self) -> None:
        """Give another library's threads precedence over NumPy's in eager calls for a tenth of a second."""
        if not self.is_off:
            self._claimed = _clock() + CLAIM

    def available(self) -> int:
        """Return the number of cores to use now, for code that divides work among its own threads.

        The number is at most the user's ``OMP_NUM_THREADS``.
        """
        if _clock() >= self._due:
            self.look()
        return self.wanted

    def share(self) -> int:
        """Return the number of threads for a library with its own threads; 0 if the limit is off.

        This is the number of available cores, at most ``OMP_NUM_THREADS``, divided among the Python threads that called
        this method recently.
        """
        self.crowded()
        return 0 if self.is_off else max(self.wanted // self._sharing, 1)

    def look(self) -> None:
        """Measure the number of cores that other processes leave free, unless another thread is measuring."""
        if not self._lock.acquire(blocking=False):
            return
        try:
            self.start()
            if not self.works:
                self._due = float("inf")
                return
            began = _worked()
            before, now = self._before, usage(self.quota)
            if before is None or now.is_after_pause(before, 2 * INTERVAL):
                # The measured times are missing or cover the pause, so they don't show the current load.
                free = self._count_free(now)
                if free is None and before is not None:
                    free = now.free_since(before, self.quota)
                is_short = free is not None and free < self.limit
                self._second = now.wall + FIRST_INTERVAL
                interval, share = EARLY_INTERVAL if is_short else FIRST_INTERVAL, FIRST_SHARE
            elif now.wall < self._second:
                # The last count may have found processes that ran for a moment only.
                free = self._count_free(now)
                early = now.wall + max(EARLY_INTERVAL, (_worked() - began) / FIRST_SHARE)
                self._due = self._second if free == self.limit else early
                self._judge(free, self._sharing > 1)
                return
            else:
                free = now.free_since(before, self.quota)
                interval, share = INTERVAL, SHARE
            self._before = now
            self._due = now.wall + max(interval, (_worked() - began) / share)
            self._sharing = max(len(self._callers), 1)
            self._callers, self._caller = set(), 0
            self._judge(free, self._sharing > 1)
        finally:
            self._lock.release()

    def _count_free(self, now: Usage) -> float | None:
        """Return the number of cores without a runnable thread of another process; None if the system reports none.

        The threads are counted twice, because a process that runs for a moment is no load.
        """
        others = now.others() and usage(self.quota).others()
        return None if others is None else max(float(self.limit - others), 0.0)

    def _judge(self, free: float | None, several: bool = False) -> None:
        if free is not None:
            self.free = free
            self.wanted = min(max(int(free + TOLERANCE), 1), self.limit)
        self._holds_back = self.library is not None and (several or self.wanted < self.limit)
        if not self._holds_back and self._inside:
            # The load has ended, so all running limits end, including limits that were never released.
            self._inside = {me: most for me, most in self._inside.items() if me[1] == _ALONE}
            self._share()

    def run(self, run: Callable[..., Any], *arguments: Any, **keywords: Any) -> Any:
        """Run a function, with fewer threads for NumPy's products during the call if the machine is crowded.

        Parameters
        ----------
        run : callable
            The function.
        *arguments, **keywords : object
            The function's arguments.

        Returns
        -------
        object
            The function's result.
        """
        if self.crowded():
            return self.limited(run, *arguments, **keywords)
        return run(*arguments, **keywords)

    def limited(self, run: Callable[..., Any], *arguments: Any, **keywords: Any) -> Any:
        """Run a function while NumPy's products in all limited functions together use a limited number of threads.

        Parameters
        ----------
        run : callable
            The function.
        *arguments, **keywords : object
            The function's arguments.

        Returns
        -------
        object
            The function's result.
        """
        me = (_get_ident(), object())
        try:
            self._enter(me, 1 if _clock() < self._claimed else sys.maxsize)
            return run(*arguments, **keywords)
        finally:
            self._leave(me)

    def alone(self, run: Callable[..., Any]) -> Callable[..., Any]:
        """Return a wrapper that runs a function while NumPy's linear algebra library uses one thread.

        The library uses one thread even if the user set a number of threads. The function calls another library, which
        uses the user's number of threads, and the threads of NumPy's library would spin on the same cores.

        The wrapper has no effect if the limit is off or impossible. Its attribute ``plain`` is the original function.

        Parameters
        ----------
        run : callable
            The function.

        Returns
        -------
        callable
            The wrapper.
        """

        def run_alone(*arguments: Any) -> Any:
            self.start()
            if self.is_off or self.library is None:
                return run(*arguments)
            me = (_get_ident(), _ALONE)  # one key per thread, so that the next call releases an unreleased limit
            try:
                self._enter(me, 1)
                return run(*arguments)
            finally:
                self._leave(me)

        run_alone.plain = run  # type: ignore[attr-defined]
        return run_alone

    def _enter(self, me: tuple[int, object], most: int = sys.maxsize) -> None:
        with self._lock:
            if not self._inside:
                self._full = self.library.get_threads() if self.library is not None else 1
            self._inside[me] = most  # before the number changes, in case of an interrupt
            self._share()

    def _leave(self, me: tuple[int, object]) -> None:
        with self._lock:
            if self._inside.pop(me, None) is not None:
                self._share()

    def _share(self) -> None:
        """Divide the wanted threads among the running limits; if there is no limit, restore the library's number."""
        callers = len({caller for caller, _ in self._inside})
        share = max(self.wanted // callers, 1) if callers else self._full
        self._set(min(self._full, share, *self._inside.values()))

    def _set(self, count: int) -> None:
        if self.library is not None and self.library.get_threads() != count:
            self.library.set_threads(count)

    def _most(self) -> int:
        """Return the largest number of threads for our code while no other process needs the cores."""
        return min(self.limit, _asked_for())

    def use_one(self) -> None:
        """Use one thread from now on, regardless of settings, in a forked child that runs in parallel with others."""
        self.start()
        self.chosen = ""
        self.limit = self.wanted = self._full = 1
        self._holds_back, self._due = False, float("inf")
        if self.library is not None:
            self.library.use_one_thread()

    @contextlib.contextmanager
    def one_for_children(self) -> Iterator[None]:
        """Return a context manager in which NumPy's library uses one thread.

        Children that call :meth:`use_one` are forked inside its block. The context manager changes nothing if
        :meth:`Library.use_one_thread` can set the number of threads without a call to the library.
        """
        count = 0 if self.library is None or self.library.number is not None else self.library.get_threads()
        if self.library is None or count < 2:
            yield
            return
        try:
            self.library.set_threads(1)
            yield
        finally:
            self.library.set_threads(count)

    def begin_anew(self) -> None:
        """Reset the measurements in a forked child, whose CPU time starts from zero."""
        if self._inside:
            self._inside.clear()
            self._set(self._full)
        self._before, self.free = None, None
        self.wanted, self._holds_back = self._most(), False
        self._callers, self._sharing = set(), 1
        if not self._started or self.works:
            self._due = float("-inf")


def _chosen() -> str:
    """Return the variable in which the user set the number of threads, as ``NAME=value``; empty if none."""
    if os.environ.get("D2LHYBRID_THREADS", "").lower() == "off":
        return OFF
    found = [f"{name}={os.environ[name]}" for name in VARIABLES if os.environ.get(name)]
    return found[0] if found else ""


def _asked_for() -> int:
    """Return the value of the variable that limits all libraries' threads; a large number if it is not set."""
    first = os.environ.get("OMP_NUM_THREADS", "").partition(",")[0].strip()  # further values are for nested parallelism
    return max(int(first), 1) if first.isdecimal() else sys.maxsize


#: The limiter of this process. A process has one library.
brake: Brake = Brake()
alone, available, crowded, limited = brake.alone, brake.available, brake.crowded, brake.limited
claim = brake.claim
run, share = brake.run, brake.share
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=brake.begin_anew)


def describe() -> str:
    """Return a sentence for ``d2lhybrid doctor`` that says how many threads products use, and why.

    Examples
    --------
    >>> describe()  # doctest: +SKIP
    'OpenBLAS in 2 threads (2 processors), fewer while other processes need them'
    """
    brake.start()
    processors = f"{brake.limit} processor{'' if brake.limit == 1 else 's'}"
    if brake.quota is not None:
        processors += f" by a quota of {brake.quota.processors:g}"
    if brake.library is None:
        return f"{processors}; the library behind NumPy decides by itself how many threads it uses"
    count = brake.library.get_threads()
    threads = f"{brake.library.name} in {count} thread{'' if count == 1 else 's'}"
    if brake.chosen:
        return f"{threads}, as {brake.chosen} asks for" if brake.chosen[-3:] != "off" else f"{threads} ({brake.chosen})"
    return f"{threads} ({processors}){', fewer while other processes need them' if brake.works else ''}"


def worth_dividing(raws: Sequence[Any]) -> bool:
    """Return whether linear algebra on some arrays is large enough for several threads.

    Parameters
    ----------
    raws : sequence of (array or None)
        The arrays.

    Returns
    -------
    bool
        Whether several threads are faster.
    """
    sizes = _two_largest(raws)
    return math.prod(sizes) >= SMALLEST or sizes[-1] >= SMALLEST_ARRAY


def _two_largest(raws: Sequence[Any]) -> list[int]:
    """Return the two largest sizes in ascending order; items may be None."""
    return sorted([raw.size for raw in raws if raw is not None])[-2:]


def plug_in() -> None:
    """Install this module as the core's thread policy."""
    parallel.install_threads(sys.modules[__name__])
