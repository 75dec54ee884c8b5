"""Threads that do not hurt: a brake for products of matrices on a busy machine.

NumPy's products run in as many threads as there are processors, and wait for each other at barriers. Alone on a machine
that is fastest. Beside another busy process one of the threads has no processor, and all others wait until it is given
one: four milliseconds perhaps, for a product that takes twenty microseconds.

So, while others need processors, what this package multiplies uses as many threads as there are processors left, often
one. Who runs products asks :func:`crowded`, which looks at the system four times a second, and if so runs them by
:func:`limited`, which tells the library before and after: NumPy on its own is left as it was. Several threads of Python
that multiply at the same time share the processors in the same way.

Threads that had a part in a product wait for the next one, and keep processors busy meanwhile: OpenBLAS's for a tenth
of a second. Who brings threads of his own, and leaves little to NumPy, has that done by one thread (:func:`alone`).

``D2LHYBRID_THREADS=off`` switches the brake off. It is off, too, where a number of threads was asked for
(``OMP_NUM_THREADS`` and its like), where there is only one processor, and for libraries that decide for themselves.
Where there is a quota (a container that may use two of sixty-four processors), the library is told once, for good.
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
    "crowded",
    "describe",
    "limited",
    "plug_in",
    "run",
    "share",
    "worth_dividing",
]

#: Products of fewer multiplications run in one thread anyway, in every library that was measured.
SMALLEST = 1 << 18
#: Decompositions and sums of squares are divided sooner: from this many elements on.
SMALLEST_ARRAY = 1 << 12

#: What the user has chosen who wants nothing of this.
OFF = "D2LHYBRID_THREADS=off"
#: How often the system is asked, in seconds: it counts time in hundredths.
INTERVAL = 0.25

#: The second look comes sooner, at first and after a pause: until then nothing is known.
FIRST_INTERVAL = 0.06

#: Where asking takes long, it is done less often: this part of the time may go into it.
SHARE = 1 / 500
#: At first and after a pause that is done once, and more may go into it.
FIRST_SHARE = 1 / 50

#: A processor of which others use no more than this is taken for free.
TOLERANCE = 0.25

#: Who sets one of these has decided how many threads there are.
VARIABLES = (
    "OPENBLAS_NUM_THREADS", "OPENBLAS_DEFAULT_NUM_THREADS", "GOTO_NUM_THREADS", "MKL_NUM_THREADS", "OMP_NUM_THREADS",
)  # fmt: skip

#: What is its own for who runs alone.
_ALONE = "alone"

_clock, _get_ident = time.perf_counter, threading.get_ident
#: What asking takes is counted in time of a processor: in a crowd, another process may have that meanwhile.
_worked = getattr(time, "thread_time", time.perf_counter)


class Brake:
    """Knows how crowded the machine is, and holds the library back meanwhile.

    Attributes
    ----------
    library : Library or None
        What is told how many threads to use; None where nothing can be told, or need be.
    chosen : str
        The environment variable by which the user has decided, with its value.
    wanted : int
        How many of them are to be used now.
    free : float or None
        How many processors nobody else was using when the system was last asked.
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
        self._before: Usage | None = None
        self._lock = new_lock()
        #: The threads of Python that asked since the system was.
        self._caller = 0
        self._callers: set[int] = set()
        self._sharing = 1
        #: Who runs limited (its thread, and what is its own) to how many threads, and how many the library had before.
        self._inside: dict[tuple[int, object], int] = {}
        self._full = 1

    def start(self) -> None:
        """Look at what does not change: the library, the processors, the user's wishes."""
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
            self.library.set_threads(self.limit)  # more than there can ever be, for anybody

    @property
    def limit(self) -> int:
        """How many processors there are for this process."""
        self.start()  # the first caller must not get the assumed number
        return self._limit

    @limit.setter
    def limit(self, count: int) -> None:
        self.start()  # which would replace the number later
        self._limit = count

    @property
    def works(self) -> bool:
        """Whether there is anything to look at."""
        return self.limit > 1 and not self.chosen

    @property
    def is_off(self) -> bool:
        """Whether ``D2LHYBRID_THREADS=off`` was set: nobody is told anything."""
        return self.chosen == OFF

    def crowded(self) -> bool:
        """Return whether products are to run limited now: others use processors, or several threads of ours do."""
        me = _get_ident()
        if me != self._caller:
            self._caller = me
            self._callers.add(me)
        if _clock() >= self._due:
            self.look()
        return self._holds_back

    def available(self) -> int:
        """Return how many processors are to be used now, by who divides work among threads himself.

        The user's ``OMP_NUM_THREADS`` is a limit for him, too.
        """
        if _clock() >= self._due:
            self.look()
        return self.wanted

    def share(self) -> int:
        """Return how many threads a caller may use that brings its own; 0 where the brake is switched off.

        They are the processors to be used now, at most as many as ``OMP_NUM_THREADS`` says, divided among the threads
        of Python that asked lately.
        """
        self.crowded()
        return 0 if self.is_off else max(self.wanted // self._sharing, 1)

    def look(self) -> None:
        """Find out how many processors others leave, unless another thread is about to."""
        if not self._lock.acquire(blocking=False):
            return
        try:
            self.start()
            if not self.works:
                self._due = float("inf")
                return
            began = _worked()
            before, now = self._before, usage(self.quota)
            self._before = now
            paused = before is not None and now.is_after_pause(before, 2 * INTERVAL)
            first = before is None or paused
            interval, share = (FIRST_INTERVAL, FIRST_SHARE) if first else (INTERVAL, SHARE)
            self._due = now.wall + max(interval, (_worked() - began) / share)
            self._sharing = max(len(self._callers), 1)
            self._callers, self._caller = set(), 0
            free = None if before is None else now.free_since(before, self.quota)
            if paused and (now.is_only_one() or usage(self.quota).is_only_one()):
                free = float(self.limit)  # what others did meanwhile says nothing of now, nor does who runs only once
            self._judge(free, self._sharing > 1)
        finally:
            self._lock.release()

    def _judge(self, free: float | None, several: bool = False) -> None:
        if free is not None:
            self.free = free
            self.wanted = min(max(int(free + TOLERANCE), 1), self.limit)
        self._holds_back = self.library is not None and (several or self.wanted < self.limit)
        if not self._holds_back and self._inside:
            # The crowd has gone, for all who are inside; and should somebody not have got out, it ends here.
            self._inside = {me: most for me, most in self._inside.items() if me[1] == _ALONE}
            self._share()

    def run(self, run: Callable[..., Any], *arguments: Any, **keywords: Any) -> Any:
        """Run a function, limited while the machine is crowded."""
        if self.crowded():
            return self.limited(run, *arguments, **keywords)
        return run(*arguments, **keywords)

    def limited(self, run: Callable[..., Any], *arguments: Any, **keywords: Any) -> Any:
        """Run a function while the library uses no more threads than are wanted, shared by all who run limited."""
        me = (_get_ident(), object())
        try:
            self._enter(me)
            return run(*arguments, **keywords)
        finally:
            self._leave(me)

    def alone(self, run: Callable[..., Any]) -> Callable[..., Any]:
        """Return a function that runs another one while the library uses one thread; ``plain`` is that other one.

        Also where a number of threads was asked for: the other one's threads are as many, and NumPy's would spin where
        these are to run.
        """

        def run_alone(*arguments: Any) -> Any:
            self.start()
            if self.is_off or self.library is None:
                return run(*arguments)
            me = (_get_ident(), _ALONE)  # the same for all of a thread: should one not get out, the next one does
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
            self._inside[me] = most  # before the number changes: an interruption cannot come in between
            self._share()

    def _leave(self, me: tuple[int, object]) -> None:
        with self._lock:
            if self._inside.pop(me, None) is not None:
                self._share()

    def _share(self) -> None:
        """Divide what is wanted among the threads of Python inside; when none is, give back what there was."""
        callers = len({caller for caller, _ in self._inside})
        share = max(self.wanted // callers, 1) if callers else self._full
        self._set(min(self._full, share, *self._inside.values()))

    def _set(self, count: int) -> None:
        if self.library is not None and self.library.get_threads() != count:
            self.library.set_threads(count)

    def _most(self) -> int:
        """Return how many threads of our own there may be while nobody else needs processors."""
        return min(self.limit, _asked_for())

    def use_one(self) -> None:
        """Use one thread from now on, whatever was asked for: in a child of a fork that works beside other ones."""
        self.start()
        self.chosen = ""
        self.limit = self.wanted = self._full = 1
        self._holds_back, self._due = False, float("inf")
        if self.library is not None:
            self.library.use_one_thread()

    @contextlib.contextmanager
    def one_for_children(self) -> Iterator[None]:
        """Fork inside, where a child is going to :meth:`use_one`: then it finds its library with one thread.

        Where the number can be written, that is not needed: see :meth:`Library.use_one_thread`.
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
        """Forget what was measured: in the child of a fork, where time counts from zero and nobody is inside."""
        if self._inside:
            self._inside.clear()
            self._set(self._full)
        self._before, self.free = None, None
        self.wanted, self._holds_back = self._most(), False
        self._callers, self._sharing = set(), 1
        if not self._started or self.works:
            self._due = float("-inf")


def _chosen() -> str:
    """Return by which variable the user has decided, as ``NAME=value``; empty if by none."""
    if os.environ.get("D2LHYBRID_THREADS", "").lower() == "off":
        return OFF
    found = [f"{name}={os.environ[name]}" for name in VARIABLES if os.environ.get(name)]
    return found[0] if found else ""


def _asked_for() -> int:
    """Return how many threads the user wants of everybody, by the variable that is for all: many, if it is not set."""
    first = os.environ.get("OMP_NUM_THREADS", "").partition(",")[0].strip()  # the rest is for threads inside threads
    return max(int(first), 1) if first.isdecimal() else sys.maxsize


#: There is one library in a process, and so one brake.
brake: Brake = Brake()
alone, available, crowded, limited = brake.alone, brake.available, brake.crowded, brake.limited
run, share = brake.run, brake.share
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=brake.begin_anew)


def describe() -> str:
    """Return in a sentence how many threads products use here, and why: for ``d2lhybrid doctor``.

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
    """Return whether linear algebra on some arrays, of which one may be None, may be divided among threads."""
    sizes = sorted([raw.size for raw in raws if raw is not None])[-2:]
    return math.prod(sizes) >= SMALLEST or sizes[-1] >= SMALLEST_ARRAY


def plug_in() -> None:
    """Have the core ask this module how many threads a product gets."""
    parallel.install_threads(sys.modules[__name__])
