"""Threads in C that share the work of a function and start within a microsecond.

A large region takes a tenth of a millisecond. A Python thread would take at least thirty microseconds to wake up for
its half of the work. Therefore, these threads are pthreads, created in C, and the caller doesn't wait for them at the
start. The work is divided into more pieces than there are threads. Each thread, including the caller, takes the next
piece when it has finished a piece. At the end, the caller waits only for pieces that were begun. If a helper is late
because another process uses its core, the other threads compute its pieces.

A helper spins for a while before it sleeps, if spinning has paid off recently. Spinning pays off if one region follows
another. Spinning doesn't pay off if other threads compute in between, because the helper would occupy a core that the
other threads need.

If several Python threads call at the same time, the helpers work for one of them, and the other threads compute alone.
"""

from __future__ import annotations

import ctypes
import functools
import os
from typing import Any, NamedTuple

from d2lhybrid.error import MXNetError

from .. import threads
from ..threads.placement import Apart, started_by
from .c_compiler import build

__all__ = ["Part", "ask_for_help", "divide_among_cores", "part_of_arrays"]

#: The number of pieces of work per thread. With several pieces, late or slow threads can take fewer of them.
PIECES = 4

#: The longest time that a helper spins before it sleeps, in nanoseconds.
PATIENCE = 150_000

_SOURCE = r"""#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <time.h>

typedef void (*part_of_work)(long, long, void*);

/* The current work. The ticket contains the number of the work (upper half) and of its next piece (lower half). A
   thread reads the ticket, then the work, and takes a piece by incrementing the ticket. If the ticket has not changed
   since it was read, neither has the work, because a ticket without pieces is written before any new work. */
static _Atomic unsigned long long ticket = 0xFFFFFFFF;
static _Atomic(part_of_work) part;
static _Atomic(void*) place;
static atomic_long length, step, pieces, done;

static void take_pieces(void)
{
    unsigned long long mine = atomic_load(&ticket);
    for (;;) {
        part_of_work run = atomic_load(&part);
        void* where = atomic_load(&place);
        long to = atomic_load(&length), by = atomic_load(&step), piece = (long)(mine & 0xFFFFFFFF);
        if (piece >= atomic_load(&pieces))
            return;
        if (!atomic_compare_exchange_strong(&ticket, &mine, mine + 1))
            continue;
        run(piece * by, piece * by + by < to ? piece * by + by : to, where);
        atomic_fetch_add(&done, 1);
        mine = atomic_load(&ticket);
    }
}

static inline void pause_shortly(void)
{
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ volatile("yield");
#endif
}

static long long now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * 1000000000LL + time.tv_nsec;
}

/* A helper thread, which is called by incrementing a number. */
struct helper {
    _Alignas(128) atomic_uint calls;
    atomic_int asleep;
    pthread_mutex_t lock;
    pthread_cond_t called;
};

static struct helper* helpers;
static int count = 0;
static atomic_flag taken = ATOMIC_FLAG_INIT;

static void* help(void* given)
{
    struct helper* me = given;
    unsigned heard = 0;
    long long patience = PATIENCE;
    for (;;) {
        long long since = now();
        while (atomic_load(&me->calls) == heard && now() - since < patience)
            for (int i = 0; i < 16 && atomic_load(&me->calls) == heard; ++i)
                pause_shortly();
        if (atomic_load(&me->calls) == heard) {
            pthread_mutex_lock(&me->lock);
            atomic_store(&me->asleep, 1);
            while (atomic_load(&me->calls) == heard)
                pthread_cond_wait(&me->called, &me->lock);
            atomic_store(&me->asleep, 0);
            pthread_mutex_unlock(&me->lock);
        }
        patience = now() - since < PATIENCE ? PATIENCE : patience / 2;
        heard = atomic_load(&me->calls);
        take_pieces();
    }
    return NULL;
}

static void call(struct helper* helper)
{
    atomic_fetch_add(&helper->calls, 1);
    if (atomic_load(&helper->asleep)) {
        pthread_mutex_lock(&helper->lock);
        pthread_cond_signal(&helper->called);
        pthread_mutex_unlock(&helper->lock);
    }
}

/* A forked child has none of its parent's threads. */
static void forget(void)
{
    count = 0;
    atomic_store(&ticket, 0xFFFFFFFF);
    atomic_flag_clear(&taken);
}

/* Start the given number of helpers, and return the number that exists. */
int crew_start(int wanted)
{
    static int watched = 0;
    if (count > 0)
        return count;
    if (!watched) {
        watched = 1;
        pthread_atfork(NULL, NULL, forget);
    }
    helpers = aligned_alloc(128, sizeof(struct helper) * (wanted > 0 ? wanted : 1));
    if (!helpers)
        return 0;
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);  /* only Python's threads handle signals */
    for (; count < wanted; ++count) {
        struct helper* helper = &helpers[count];
        pthread_t thread;
        atomic_init(&helper->calls, 0);
        atomic_init(&helper->asleep, 0);
        pthread_mutex_init(&helper->lock, NULL);
        pthread_cond_init(&helper->called, NULL);
        if (pthread_create(&thread, NULL, help, helper))
            break;
        pthread_detach(thread);
    }
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return count;
}

/* Run a function from 0 to its length in the given number of threads, including the caller. */
void crew_share(part_of_work run, void* where, long to, int workers)
{
    int wanted = workers - 1 < count ? workers - 1 : count;
    if (wanted < 1 || atomic_flag_test_and_set(&taken)) {
        run(0, to, where);
        return;
    }
    long most = (wanted + 1L) * PIECES, by = (to + most - 1) / most, all = (to + by - 1) / by, rounds = 0;
    unsigned long long number = (atomic_load(&ticket) >> 32) + 1;
    atomic_store(&ticket, number << 32 | 0xFFFFFFFF);
    atomic_store(&part, run);
    atomic_store(&place, where);
    atomic_store(&length, to);
    atomic_store(&step, by);
    atomic_store(&pieces, all);
    atomic_store(&done, 0);
    atomic_store(&ticket, number << 32);
    for (int i = 0; i < wanted; ++i)
        call(&helpers[i]);
    take_pieces();
    while (atomic_load(&done) != all) {  /* a helper is computing a piece; if it has no core, it may use this one */
        if (++rounds < 2000)
            pause_shortly();
        else
            sched_yield();
    }
    atomic_flag_clear(&taken);
}
"""


class Part(NamedTuple):
    """A C function that computes a part of some work, with the parameters start, stop, and one address."""

    function: Any
    address: int

    @classmethod
    def of(cls, function: Any) -> Part:
        """Set the argument types of a :mod:`ctypes` function, and return the function with its address.

        Parameters
        ----------
        function : ctypes function
            The function.

        Returns
        -------
        Part
            The function and its address.
        """
        function.restype, function.argtypes = None, [ctypes.c_long] * 2 + [ctypes.c_void_p]
        return cls(function, ctypes.cast(function, ctypes.c_void_p).value or 0)


def part_of_arrays(count: int) -> str:
    """Return the C code of a function that calls the function NAME with array addresses from a list.

    Parameters
    ----------
    count : int
        The number of arrays that NAME takes.

    Returns
    -------
    str
        The C code.

    Examples
    --------
    >>> print(part_of_arrays(2))
    void NAME_part(long start, long stop, void** a) {
        NAME(start, stop, a[0], a[1]);
    }
    <BLANKLINE>
    """
    places = "".join(f", a[{i}]" for i in range(count))
    return f"void NAME_part(long start, long stop, void** a) {{\n    NAME(start, stop{places});\n}}\n"


def divide_among_cores(part: Part, length: int, place: int) -> None:
    """Run the whole outermost loop of a function, divided among the cores that are available now.

    Parameters
    ----------
    part : Part
        The function.
    length : int
        The number of iterations of the function's outermost loop, at least 1.
    place : int
        The address that is passed to the function.
    """
    share, workers = ask_for_help(length)
    if workers > 1:
        share(part.address, place, length, workers)
    else:
        part.function(0, length, place)


def ask_for_help(length: int) -> tuple[Any, int]:
    """Return the C function ``crew_share`` and the number of threads for an outermost loop.

    If one thread should compute the whole loop, the result is ``(None, 1)``.

    Parameters
    ----------
    length : int
        The number of iterations of the loop.

    Returns
    -------
    tuple of (function or None, int)
        The C function, and the number of threads.
    """
    workers = min(threads.available(), length)
    crew = _crew(os.getpid()) if workers > 1 else None
    if crew is None:
        return None, 1
    crew.apart.follow()
    return crew.share, workers


class _Crew(NamedTuple):
    """The helper threads of a process, and the cores on which they may run."""

    share: Any
    apart: Apart


@functools.cache
def _crew(process: int) -> _Crew | None:
    """Return the helpers of a process; None if they can't be started. A forked child needs new helpers."""
    text = f"#define PIECES {PIECES}\n#define PATIENCE {PATIENCE}\n{_SOURCE}"
    try:
        library = build(text)
    except MXNetError:  # the library can't be written, or the system has no pthreads
        return None
    wanted = max(threads.brake.limit - 1, 1)
    found, helpers = started_by(lambda: library.crew_start(wanted), "d2lhybrid")
    library.crew_share.restype = None
    library.crew_share.argtypes = [ctypes.c_void_p] * 2 + [ctypes.c_long, ctypes.c_int]
    return _Crew(library.crew_share, Apart(helpers)) if found else None
