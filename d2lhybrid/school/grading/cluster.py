"""Marking on an existing Dask cluster: the same work, handed to other machines."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import CancelledError
from typing import Any

from ..exercises import ex
from ..exercises.results import State
from .checker_process import MachineryError
from .marking import checked_seed, grade_submission
from .marks import Limits, Mark, Report
from .submission import Submission

__all__ = ["ClusterError", "grade_on_cluster"]


#: Seconds that a scheduler may take to answer, and that a cluster may be without workers.
_PATIENCE = 20.0
_GIVEN_UP = "the Dask cluster has given up the work: its scheduler has ended."


class ClusterError(RuntimeError):
    """The cluster cannot be reached, or does nothing any more."""


def grade_on_cluster(
    submissions: Sequence[Submission],
    numbers: Sequence[str],
    limits: Limits | None = None,
    seed: int | None = None,
    done: Callable[[Report], object] = lambda report: None,
    address: Any = None,
) -> list[Report]:
    """Mark submissions on a Dask cluster. Its workers need this package, in the same version.

    Parameters
    ----------
    submissions, numbers, limits, seed, done
        As for :func:`~d2lhybrid.school.grading.grade`.
    address : str or cluster, optional
        Of the scheduler; by default, what Dask's configuration names.

    Returns
    -------
    list of Report
        In the order of the submissions. A submission whose worker was lost three times has a problem and no points.

    Raises
    ------
    ClusterError
        If the scheduler cannot be reached, or there are no workers for a while.
    """
    seed = checked_seed(seed)
    found: dict[int, Report] = {}
    with _connected(address) as client:
        futures = [
            client.submit(grade_submission, s, list(numbers), limits or Limits(), seed, pure=False) for s in submissions
        ]
        place = {future.key: i for i, future in enumerate(futures)}
        for future in _as_they_come(client, futures):
            i = place[future.key]
            try:
                error = future.exception()
                result = future.result() if error is None else _lost(submissions[i], numbers, error, seed)
            except CancelledError:  # the scheduler ended while an earlier one was handed on
                raise ClusterError(_GIVEN_UP) from None
            if isinstance(error, MachineryError):
                raise error
            found[i] = result
            done(result)
    return [found[i] for i in range(len(found))]


@contextlib.contextmanager
def _connected(address: Any) -> Iterator[Any]:
    """Give a client of a cluster that has workers."""
    from distributed import Client  # pyright: ignore[reportMissingImports]

    try:
        client = Client(address, set_as_default=False, timeout=_PATIENCE)
    except (OSError, TimeoutError, ValueError) as error:
        where = "the address in Dask's configuration" if address is None else address
        raise ClusterError(f"no Dask scheduler answers at {where} ({error}).") from None
    try:
        try:
            client.wait_for_workers(1, timeout=_PATIENCE)
        except TimeoutError:
            raise ClusterError("the Dask cluster has no workers: start some with `dask worker ADDRESS`.") from None
        with client.as_current():
            yield client
    finally:
        with contextlib.suppress(Exception):  # a scheduler that is gone cannot be taken leave of
            client.close(timeout=5)


def _as_they_come(client: Any, futures: Sequence[Any]) -> Iterator[Any]:
    """Give futures that are done, until all are; a cluster that does nothing any more is not waited for."""
    waiting = set(futures)
    last_sign = last_look = time.monotonic()
    while waiting:
        ready = {future for future in waiting if future.done()}
        if any(future.cancelled() for future in ready):
            raise ClusterError(_GIVEN_UP)
        waiting -= ready
        yield from ready
        if ready:
            continue
        time.sleep(0.1)
        if time.monotonic() - last_look > 1:
            alive = _is_alive(client)
            last_look = time.monotonic()
            last_sign = last_look if alive else last_sign
            if last_look - last_sign > _PATIENCE:
                raise ClusterError("the Dask cluster has stopped: its scheduler does not answer, or has no workers.")


def _is_alive(client: Any) -> bool:
    if client.status != "running":
        return False
    try:
        return bool(client.sync(client.scheduler.ncores, workers=None, callback_timeout=_PATIENCE))
    except Exception:  # whatever there is to say of a connection
        return False


def _lost(submission: Submission, numbers: Sequence[str], error: BaseException, seed: int) -> Report:
    message = "The cluster could not mark this submission."
    marks = [Mark(n, State.NEEDS_A_LOOK.value, 0, ex(n).points, message) for n in numbers]
    return Report(submission.name, marks, f"{type(error).__name__}: {error}"[:300], seed, lost=True)
