"""Marking on a Dask cluster, which distributes the work to other machines."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import CancelledError, Future
from typing import Any

from ..exercises import ex
from ..exercises.results import State
from .checker_process import MachineryError
from .marking import checked_seed, grade_submission
from .marks import Limits, Mark, Report
from .submission import Submission

__all__ = ["ClusterError", "grade_on_cluster"]


#: The maximum time, in seconds, without a reply from the scheduler or without responsive workers.
_PATIENCE = 20.0
_GIVEN_UP = "the Dask cluster canceled the work, because its scheduler has ended."
_NO_WORKERS = "the Dask cluster has no workers. Start workers with `dask worker ADDRESS`."
_STOPPED = "the Dask cluster has stopped: its scheduler does not reply, or none of its workers replies."


class ClusterError(RuntimeError):
    """An error about a cluster that cannot be reached or makes no progress."""


def grade_on_cluster(
    submissions: Sequence[Submission],
    numbers: Sequence[str],
    limits: Limits | None = None,
    seed: int | None = None,
    done: Callable[[Report], object] = lambda report: None,
    address: Any = None,
) -> list[Report]:
    """Mark submissions on a Dask cluster, whose workers need the same version of this package.

    Parameters
    ----------
    submissions, numbers, limits, seed, done
        Same as for :func:`~d2lhybrid.internals.course.grading.grade`.
    address : str or cluster, optional
        Address of the scheduler, or a cluster; by default, the address in Dask's configuration.

    Returns
    -------
    list of Report
        Reports in the order of the submissions. If a submission could not be marked, for example because its worker was
        lost three times, its report states the problem and awards no points.

    Raises
    ------
    ClusterError
        If the scheduler cannot be reached, if the cluster makes no progress, or if Dask fails.
    MachineryError
        If a worker judges known answers wrongly.
    ValueError
        If the seed is negative.
    """
    seed = checked_seed(seed)
    found: dict[int, Report] = {}
    with _connected(address) as client:
        with _told():
            futures = [client.submit(grade_submission, one, list(numbers), limits or Limits(), seed, pure=False)
                       for one in submissions]  # fmt: skip
        place = {future.key: i for i, future in enumerate(futures)}
        for future in _as_they_come(client, futures):
            i = place[future.key]
            with _told():
                error = future.exception(timeout=_PATIENCE)
                result = _lost(submissions[i], numbers, error, seed) if error else future.result(timeout=_PATIENCE)
            if isinstance(error, MachineryError):
                raise error
            found[i] = result
            done(result)
    return [found[i] for i in range(len(found))]


@contextlib.contextmanager
def _told() -> Iterator[None]:
    """Convert an error of the connection to the cluster into a :class:`ClusterError` with one sentence."""
    try:
        yield
    except ClusterError:
        raise
    except CancelledError:
        raise ClusterError(_GIVEN_UP) from None
    except (OSError, TimeoutError):  # the scheduler ended while a result was fetched, or a worker did not send it
        raise ClusterError(_STOPPED) from None
    except Exception as error:
        raise ClusterError(f"Dask has failed ({type(error).__name__}: {error}).") from error


def _bounded(function: Callable[[], Any]) -> Any:
    """Call a function in a thread, and return its result; abandon a function that never stops waiting.

    Raises
    ------
    TimeoutError
        If the function clearly exceeds its own timeout.
    """
    found: Future[Any] = Future()

    def work() -> None:
        try:
            found.set_result(function())
        except BaseException as error:
            found.set_exception(error)

    threading.Thread(target=work, daemon=True).start()
    return found.result(1.25 * _PATIENCE)


@contextlib.contextmanager
def _quiet() -> Iterator[None]:
    """Suppress Dask's tracebacks about closed connections, because this module reports them."""
    names = ("distributed", "distributed.client", "distributed.comm", "distributed.core", "tornado.application")
    before = {logger: logger.level for logger in map(logging.getLogger, names)}
    try:
        for logger in before:
            logger.setLevel(logging.CRITICAL)
        yield
    finally:
        for logger, level in before.items():
            logger.setLevel(level)


async def _knock(address: Any) -> None:
    """Connect to a scheduler whose address is known, and disconnect."""
    import dask.config  # pyright: ignore[reportMissingImports]
    from distributed import Security  # pyright: ignore[reportMissingImports]
    from distributed.comm.core import connect  # pyright: ignore[reportMissingImports]

    known = dask.config.get("scheduler-address", None) if address is None else address
    if isinstance(known, str):
        security = Security().get_connection_args("client")
        comm = await asyncio.wait_for(connect(known, timeout=_PATIENCE, **security), 1.1 * _PATIENCE)
        await comm.close()


@contextlib.contextmanager
def _connected(address: Any) -> Iterator[Any]:
    """Yield a client of a cluster with workers."""
    from distributed import Client  # pyright: ignore[reportMissingImports]

    where = "the address in Dask's configuration" if address is None else address
    with _quiet():
        try:
            # At exit, Python waits for a client that can't connect, so a separate connection is tried first.
            _bounded(lambda: asyncio.run(_knock(address)))
            client = _bounded(lambda: Client(address, set_as_default=False, timeout=_PATIENCE))
        except Exception as error:
            why = str(error) or "a program accepts the connection, but does not answer"
            raise ClusterError(f"no Dask scheduler answers at {where} ({why}).") from None
        try:
            try:
                _bounded(lambda: client.wait_for_workers(1, timeout=_PATIENCE))
            except (OSError, TimeoutError):
                raise ClusterError(_NO_WORKERS if client.status == "running" else _STOPPED) from None
            with client.as_current():
                yield client
        finally:
            with contextlib.suppress(Exception):  # disconnecting from a lost scheduler raises errors
                _bounded(lambda: client.close(timeout=5))


def _as_they_come(client: Any, futures: Sequence[Any]) -> Iterator[Any]:
    """Yield each future when it finishes; raise an error if the cluster makes no progress."""
    waiting = set(futures)
    last_sign = last_look = time.monotonic()
    last_seen: dict[str, Any] = {}
    while waiting:
        with _told():
            ready = {future for future in waiting if future.done()}
            if any(future.cancelled() for future in ready):
                raise ClusterError(_GIVEN_UP)
        waiting -= ready
        yield from ready
        if ready:
            continue
        time.sleep(0.1)
        if time.monotonic() - last_look > 1:
            seen = _workers_seen(client)
            last_look = time.monotonic()
            last_sign = last_look if any(last_seen.get(name) != when for name, when in seen.items()) else last_sign
            last_seen = seen
            if last_look - last_sign > _PATIENCE:
                raise ClusterError(_STOPPED)


def _workers_seen(client: Any) -> dict[str, Any]:
    """Return the workers and the times of their last messages, or an empty dict if the scheduler does not reply.

    For minutes, the scheduler also lists workers whose machine or network has failed.
    """
    if client.status != "running":
        return {}
    try:
        workers = client.sync(client.scheduler.identity, callback_timeout=_PATIENCE)["workers"]
        return {str(name): about["last_seen"] for name, about in workers.items()}
    except Exception:  # any failure of the connection
        return {}


def _lost(submission: Submission, numbers: Sequence[str], error: BaseException, seed: int) -> Report:
    message = "The cluster could not mark this submission."
    marks = [Mark(n, State.NEEDS_A_LOOK.value, 0, ex(n).points, message) for n in numbers]
    return Report(submission.name, marks, f"{type(error).__name__}: {error}"[:300], seed, lost=True)
