"""Marking on an existing Dask cluster: the same work, handed to other machines."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Sequence
from typing import Any

from ..exercises import ex
from ..exercises.results import State
from .marking import Limits, Mark, Report, grade_submission
from .submission import Submission

__all__ = ["grade_on_cluster"]


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
        As for :func:`~d2lhybrid.grading.grade`.
    address : str or cluster, optional
        Of the scheduler; by default, what Dask's configuration names.

    Returns
    -------
    list of Report
        In the order of the submissions. A submission whose worker was lost three times has a problem and no points.
    """
    from distributed import Client, as_completed  # pyright: ignore[reportMissingImports]

    seed = secrets.randbits(63) if seed is None else seed
    found: dict[int, Report] = {}
    with Client(address, set_as_default=False) as client, client.as_current():
        futures = [
            client.submit(grade_submission, s, list(numbers), limits or Limits(), seed, pure=False) for s in submissions
        ]
        place = {future.key: i for i, future in enumerate(futures)}
        for future in as_completed(futures):
            i = place[future.key]
            error = future.exception()
            found[i] = future.result() if error is None else _lost(submissions[i], numbers, error, seed)
            done(found[i])
    return [found[i] for i in range(len(found))]


def _lost(submission: Submission, numbers: Sequence[str], error: BaseException, seed: int) -> Report:
    marks = [
        Mark(n, State.ERROR.value, 0, ex(n).points, "The cluster could not mark this submission.") for n in numbers
    ]
    return Report(submission.name, marks, f"{type(error).__name__}: {error}"[:300], seed)
