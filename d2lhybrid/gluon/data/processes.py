"""Worker processes of a data loader, which run a user's Python function on several cores.

Workers are forked at the beginning of an epoch and end with the epoch. They inherit the data set in its state at that
time, so the data set is not pickled. All workers take tasks from one socket, and each worker sends batches to the
parent through its own socket (see :mod:`d2lhybrid.gluon.data.messages`). A worker uses a single thread, because the
other cores run other workers.

No process waits forever. When a worker dies, its socket is closed, and the parent reports the error. A waiting worker
checks every two seconds whether its parent is alive. A fork also copies the state of other code in this package. The
package's locks (:mod:`d2lhybrid.internals.support.locks`) and threads (:mod:`d2lhybrid.internals.compiler.threads`) are
reset in the new process. A worker also resets the settings of ``with`` statements around the loop over the loader.
"""

from __future__ import annotations

import atexit
import contextlib
import gc
import math
import multiprocessing
import os
import pickle
import select
import signal
import socket
import struct
import time
import traceback
import warnings
import weakref
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from multiprocessing.connection import wait
from typing import Any, Never

from ...context import cpu
from ...error import MXNetError
from ...internals.core import parallel
from ...internals.core.tape import state as tape_state
from ...internals.device import array_modules
from ...internals.support import events
from ...internals.support.imports_at_fork import wait_for_imports
from ...internals.support.machine import exit_refused
from ...internals.support.scopes import Scope
from ...util import is_np_array, is_np_shape, np_array, np_shape
from .messages import SMALL, Inbox, Outbox, Parcel, pack, receive_message, send_message, unpack
from .streams import Streams

__all__ = ["Processes"]

#: Kinds of parcels: a batch, an exception, and a worker's last parcel.
_BATCH, _ERROR, _END = range(3)
#: Seconds between a waiting worker's checks of whether its parent is alive.
_LOOK = 2
#: The grace period in seconds in which a worker may stop when its batch is no longer needed.
_GRACE = 1.0

#: Seconds between the parent's checks of whether workers sleep. The system measures time in hundredths of a second.
_PERIOD = 0.05
#: Fractions of that period. Another worker is started if the parent waited for more than the first fraction, and the
#: workers ran for less than the second.
_MOST, _LEAST = 0.7, 0.6

#: The upper limit for the duration of a short epoch in seconds, and the wait before the start of a second worker.
_SHORT, _SOON = 0.1, 0.015

_THREADS = "To use threads instead, pass thread_pool=True to the DataLoader."
_running: weakref.WeakSet[Processes] = weakref.WeakSet()


#: The largest number of workers that can be started, if known. Each failed start leaks four file descriptors.
_most_workers: float = math.inf


def _remember(most: int) -> None:
    global _most_workers
    _most_workers = most


class _Ended(SystemExit):
    """The exception that ends a worker whose batch is no longer needed."""


class Processes:
    """A group of worker processes, which make batches and return them in the order of the requests.

    Parameters
    ----------
    make : callable
        Function that a worker calls to make a batch: ``make(indices)``.
    count : int
        Maximum number of workers. Each worker is started when there is work for it. Workers beyond the number of
        cores are started only if the other workers sleep.
    timeout : float or None
        Seconds to wait for a batch.
    streams : Streams
        The random streams of the batches.
    at_once : bool
        Whether to start a worker for each request, up to the number of cores, without waiting for a late batch. If
        False, the second worker starts only if the first worker's batch is late: a fork takes milliseconds, in which a
        single worker may finish all the work.

    Raises
    ------
    OSError
        If no process can be started.
    """

    def __init__(
        self,
        make: Callable[[Any], Any],
        count: int,
        timeout: float | None,
        streams: Streams,
        at_once: bool = True,
    ) -> None:
        if not _most_workers:
            raise PermissionError("the system cannot start any worker process")
        self._make, self._timeout, self._streams = make, timeout, streams
        self._count: float = min(count, _most_workers)
        self._semantics = is_np_shape(), is_np_array()
        self._owner, self._at_once, self._began = os.getpid(), at_once, time.monotonic()
        self._asked = self._given = 0
        self._unsent: deque[bytes] = deque()
        self._arrived: dict[int, Parcel] = {}
        self._all_asked = self._closed = False
        self._workers: dict[int, _Worker] = {}
        self._dead: _Worker | None = None
        self._watched: tuple[float, float | None] = 0.0, None  # time of the last check, and the workers' busy seconds
        self._waited = 0.0  # seconds of waiting for workers since that check
        self._poll = select.poll()
        self._processors = parallel.threads.brake.limit  # computed before the fork, so that workers inherit it
        self._tasks, self._open_tasks = _socket_pair()
        try:
            self._start_worker()
        except BaseException as error:
            self.close()
            if isinstance(error, OSError):
                _remember(0)
            raise
        _running.add(self)

    def __len__(self) -> int:
        """Return the number of requested batches that were not returned yet."""
        return self._asked - self._given

    def ask(self, indices: Any) -> None:
        """Request a batch.

        Parameters
        ----------
        indices : list of int
            The indices of the items.
        """
        self._unsent.append(pickle.dumps((self._asked, indices), pickle.HIGHEST_PROTOCOL))
        self._asked += 1
        if self._at_once and len(self._workers) < min(self._count, self._asked, self._processors):
            self._start_another()
        self._send_tasks()

    def all_asked(self) -> None:
        """Announce the end of requests. Workers end when there are no more tasks."""
        self._all_asked = True
        self._send_tasks()

    def give(self) -> Any:
        """Wait for the next batch and return it.

        Returns
        -------
        object
            The batch.

        Raises
        ------
        TimeoutError
            If the batch takes too long.
        MXNetError
            If a worker has died.
        Exception
            If a worker raised an exception while it made the batch.
        """
        until = math.inf if self._timeout is None else time.monotonic() + self._timeout
        while self._given not in self._arrived:
            if self._dead is not None:
                raise self._dead.reason()
            left = until - time.monotonic()
            self._send_tasks()
            may_be_more = len(self._workers) < min(self._count, len(self))
            missing = may_be_more and len(self._workers) < self._processors
            seconds = min(max(left, 0), _SOON if missing else _PERIOD if may_be_more else math.inf)
            start = time.perf_counter()
            for descriptor, _ in self._poll.poll(None if seconds == math.inf else seconds * 1000):
                self._hear(self._workers[descriptor])
            if missing and time.perf_counter() - start >= _SOON:
                self._start_another()
            elif may_be_more:
                self._look_whether_they_work(start)
            if left <= 0 and self._given not in self._arrived:
                raise TimeoutError
        parcel = self._arrived.pop(self._given)
        self._given += 1
        if parcel.kind == _ERROR:
            raise _error_in(parcel)
        return unpack(parcel.parts)

    def is_short(self) -> bool:
        """Return whether the epoch has been so short that a single worker is enough."""
        return time.monotonic() - self._began < _SHORT

    def close(self) -> None:
        """End the workers. Idle workers end by themselves, and busy workers are stopped."""
        if self._closed:
            return
        self._closed = True
        idle = self._all_asked and not len(self)
        self._close_sockets()
        if os.getpid() != self._owner:
            return  # in a forked child, which does not own the workers
        _running.discard(self)
        workers = list(self._workers.values())
        try:
            if not (idle and _have_ended(workers)):
                for worker in workers:
                    worker.process.terminate()
                _have_ended(workers)
        finally:
            for worker in workers:
                worker.forget()

    # --- the parent ----------------------------------------------------------------------------

    def _start_worker(self) -> None:
        mine, its = _socket_pair()
        with its:
            worker = _Worker(mine, lambda: self._work(mine, its))
            try:
                worker.start()
            except BaseException:
                mine.close()
                raise
            self._workers[mine.fileno()] = worker
            self._poll.register(mine, select.POLLIN)

    def _start_another(self) -> None:
        try:
            self._start_worker()
        except OSError:  # continue with the existing workers
            self._count = len(self._workers)
            _remember(self._count)

    def _look_whether_they_work(self, start: float) -> None:
        """Start another worker if the existing workers sleep while the caller waits.

        There is a worker for each core. More workers only help if the existing workers wait, for example for a disk.

        Parameters
        ----------
        start : float
            The start of the current wait.
        """
        now = time.perf_counter()
        self._waited += now - start
        began, busy_then = self._watched
        if now - began < _PERIOD:
            return
        busy = _busy_seconds(self._workers.values())
        self._watched = now, busy
        waited, self._waited = self._waited, 0.0
        if busy is None:  # unknown
            self._start_another()
        elif busy_then is not None and waited > _MOST * (now - began):
            share = (busy - busy_then) / (now - began) / len(self._workers)
            # A worker that waits for a core for longer than the period has not been counted yet, but it is runnable.
            if share < _LEAST and _are_asleep(self._workers.values()):
                self._start_another()
                self._watched = now, None  # the numbers of the old group are invalid

    def _send_tasks(self) -> None:
        """Send as many tasks as the workers' queue can hold."""
        while self._unsent:
            try:
                _send(self._tasks, self._unsent[0])
            except BlockingIOError:
                return
            self._unsent.popleft()
        if self._all_asked:
            self._tasks.shutdown(socket.SHUT_WR)

    def _hear(self, worker: _Worker) -> None:
        """Receive and process a worker's message."""
        with contextlib.suppress(BlockingIOError):
            while True:
                parcel = worker.inbox.receive()
                if parcel is None or parcel.kind == _END:
                    self._poll.unregister(worker.descriptor)
                    self._dead = worker if parcel is None else self._dead
                    return
                self._arrived[parcel.number] = parcel

    def _close_sockets(self) -> None:
        self._tasks.close()
        self._open_tasks.close()
        for worker in self._workers.values():
            worker.inbox.close()

    # --- a worker ------------------------------------------------------------------------------

    def _work(self, parents: socket.socket, own: socket.socket) -> None:
        """Make batches until there are no more tasks. This is the main loop of a worker."""
        parent = self._owner
        tasks = self._open_tasks.dup()
        for others in {*_running, self}:
            others._close_sockets()
        parents.close()
        for connection in (tasks, own):
            for option in (socket.SO_RCVTIMEO, socket.SO_SNDTIMEO):
                connection.setsockopt(socket.SOL_SOCKET, option, struct.pack("ll", _LOOK, 0))

        def look() -> None:
            if os.getppid() != parent:
                raise _Ended

        outbox = Outbox(own, look)
        parallel.threads.brake.use_one()
        array_modules.refuse_devices(f"A worker process of a DataLoader cannot use its parent's GPU. {_THREADS}")
        events.forget_listeners()
        shape, array = self._semantics
        outside = Scope(tape_state, recording=False, training=False, moved=None)
        semantics = np_shape(shape), np_array(array)
        with tasks, own, outside, cpu(), semantics[0], semantics[1], contextlib.suppress(ConnectionError):
            while (task := _receive(tasks, look)) is not None:
                number, indices = pickle.loads(task)
                kind, parts = self._made(number, indices)
                if _Worker.is_to_end:
                    return
                try:
                    outbox.send(number, kind, parts)
                except ConnectionError:
                    raise
                except OSError as error:  # out of memory
                    outbox.send(number, *_packed_error(error))
                del parts
            outbox.send(-1, _END, [])

    def _made(self, number: int, indices: Any) -> tuple[int, list[Any]]:
        """Return the kind and the parts of a parcel with a batch, or with the exception that was raised."""
        try:
            self._streams.begin(number)
            batch = self._make(indices)
            try:
                return _BATCH, pack(batch)
            except Exception as error:
                error.add_note(f"The worker process cannot send the batch to the main process. {_THREADS}")
                raise
        except _Ended:
            raise
        except SystemExit as end:
            return _packed_error(exit_refused(end, "DataLoader"))
        except BaseException as error:
            return _packed_error(error)


class _Worker:
    """The parent's representation of a worker process.

    Attributes
    ----------
    process : multiprocessing.Process
        The process.
    inbox : Inbox
        The receiver of its batches.
    descriptor : int
        File descriptor of the inbox's socket.
    """

    #: Whether the batch is no longer needed (set in the worker).
    is_to_end = False

    def __init__(self, connection: socket.socket, work: Callable[[], None]) -> None:
        self.inbox, self.descriptor = Inbox(connection), connection.fileno()
        self._work: Callable[[], None] | None = work
        self.process = multiprocessing.get_context("fork").Process(target=self._run, name="DataLoader", daemon=True)

    def start(self) -> None:
        """Fork the process."""
        wait_for_imports()
        # Block signals until the worker has its own handlers, so that the parent's handlers cannot end it.
        self._mask = signal.pthread_sigmask(signal.SIG_BLOCK, _SIGNALS)
        try:
            with _without_warning(), parallel.threads.brake.one_for_children():
                self.process.start()
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, self._mask)
            self._work = None

    def _run(self) -> None:
        """Run the worker process."""
        gc.freeze()  # exclude the parent's objects from collection, which would copy their pages
        signal.set_wakeup_fd(-1)
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl+C reaches all processes; the parent ends its workers
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        signal.signal(signal.SIGTERM, _end)
        signal.pthread_sigmask(signal.SIG_SETMASK, self._mask)
        try:
            assert self._work is not None
            self._work()
        finally:
            signal.signal(signal.SIGTERM, signal.SIG_DFL)

    def reason(self) -> MXNetError:
        """Return an error that describes how the worker died."""
        pid = self.process.pid
        self.process.join(_GRACE)
        code = self.process.exitcode
        how = "ended"
        if code is not None:
            how = f"ended with code {code}" if code >= 0 else f"was ended by signal {-code} ({signal.strsignal(-code)})"
        error = MXNetError(f"A worker process of the DataLoader (pid {pid}) {how} before it finished its work")
        if code == -signal.SIGKILL:
            error.add_note(
                "The system sends this signal when memory runs out. In this case, use fewer workers or smaller batches."
            )
        error.add_note(f"To debug the worker, use num_workers=0, which makes batches in the main process. {_THREADS}")
        return error

    def has_ended(self, until: float) -> bool:
        """Return whether the worker has ended, after waiting until a time limit."""
        return bool(wait([self.process.sentinel], max(until - time.monotonic(), 0)))

    def forget(self) -> None:
        """End the worker if it is running, and release all its resources."""
        if not self.has_ended(0):
            self.process.kill()
        self.process.join()
        popen: Any = getattr(self.process, "_popen", None)
        if popen is not None and popen.returncode is None:
            popen.returncode = 0  # other code has reaped it, and multiprocessing would wait forever
            self.process.join()
        self.process.close()


_SIGNALS = {signal.SIGINT, signal.SIGTERM}


def _end(*_: Any) -> Never:
    """Interrupt a worker's task. The worker then releases its resources, such as locks shared with other processes."""
    _Worker.is_to_end = True
    raise _Ended


def _busy_seconds(workers: Iterable[_Worker]) -> float | None:
    """Return the total time in seconds in which workers ran or waited for a core, or None if it is unknown."""
    nanoseconds = 0
    for worker in workers:
        try:
            with open(f"/proc/{worker.process.pid}/schedstat", "rb") as file:
                nanoseconds += sum(map(int, file.read().split()[:2]))
        except (OSError, ValueError):
            return None
    return nanoseconds / 1e9


def _are_asleep(workers: Iterable[_Worker]) -> bool:
    """Return whether all workers are asleep, so that none runs or waits for a core."""
    for worker in workers:
        with contextlib.suppress(OSError), open(f"/proc/{worker.process.pid}/stat", "rb") as file:
            if file.read().rpartition(b")")[2].split()[0] == b"R":
                return False
    return True


def _have_ended(workers: list[_Worker]) -> bool:
    """Return whether all workers have ended, after a short wait."""
    until = time.monotonic() + _GRACE
    return all(worker.has_ended(until) for worker in workers)


@contextlib.contextmanager
def _without_warning() -> Iterator[None]:
    """Suppress Python's warning about forks of a process with several threads, which this module handles.

    ``warnings.catch_warnings`` would make Python repeat all other warnings of the program.
    """
    filters: Any = warnings.filters
    ours = ("ignore", None, DeprecationWarning, None, 0)
    filters.insert(0, ours)
    try:
        yield
    finally:
        with contextlib.suppress(ValueError):
            filters.remove(ours)


# --- messages ------------------------------------------------------------------------------------


def _socket_pair() -> tuple[socket.socket, socket.socket]:
    return socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)


def _send(connection: socket.socket, message: bytes) -> None:
    """Send a message of any length atomically."""
    if len(message) <= SMALL:
        send_message(connection, message, flags=socket.MSG_DONTWAIT)
        return
    descriptor = os.memfd_create("d2lhybrid")
    with open(descriptor, "wb") as file:
        file.write(message)
        file.flush()
        send_message(connection, b"in a file", descriptor, socket.MSG_DONTWAIT)


def _receive(connection: socket.socket, look: Callable[[], None]) -> bytes | None:
    """Return the next message, or None if there will be no more."""
    while True:
        try:
            message, descriptor = receive_message(connection)
        except BlockingIOError:
            look()
            continue
        if descriptor < 0:
            return message or None
        with open(descriptor, "rb") as file:
            file.seek(0)
            return file.read()


def _packed_error(error: BaseException) -> tuple[int, list[Any]]:
    """Return a parcel with an exception, or with the nearest built-in one that can be sent, and its traceback."""
    text = "".join(traceback.format_exception(error))
    try:
        parts = pack((error, text))
        unpack([bytes(part) for part in parts])  # raises if the exception cannot be unpickled
    except Exception:
        parts = pack((_nearest(error), text))
    return _ERROR, parts


def _nearest(error: BaseException) -> BaseException:
    """Return the nearest built-in exception that the handlers of an unpicklable exception would catch."""
    kind = next(kind for kind in type(error).__mro__ if kind.__module__ == "builtins")
    try:
        nearest = kind(str(error))
    except Exception:
        nearest = RuntimeError(str(error))
    for note in getattr(error, "__notes__", []):
        nearest.add_note(str(note))
    nearest.add_note(f"The original exception type, {type(error).__qualname__}, cannot be sent between processes.")
    return nearest


def _error_in(parcel: Parcel) -> BaseException:
    error, text = unpack(parcel.parts)
    error.add_note(f"The exception was raised in a worker process of the DataLoader:\n\n{text.rstrip()}")
    return error


@atexit.register
def _end_all() -> None:
    for processes in list(_running):
        processes.close()
