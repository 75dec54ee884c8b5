"""Tests that are not ours: a file of them is run by pytest in processes that may end, and counted on a page."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

__all__ = ["REPOSITORY", "Result", "Row", "run_to_the_end", "table"]

REPOSITORY = Path(__file__).resolve().parents[1]

#: After so many ends of the process the rest of a file is given up.
_MOST_STARTS = 25


class Result(NamedTuple):
    """How a test ended.

    Attributes
    ----------
    outcome : str
        ``"passed"``, ``"failed"`` or ``"skipped"``.
    message : str
        What went wrong.
    seconds : float
        How long it took.
    """

    outcome: str
    message: str = ""
    seconds: float = 0.0


def run_to_the_end(
    start: Callable[[list[str], float], int | None], noted: Path, said: Path, seconds: float
) -> dict[str, Result]:
    """Run a file of tests.

    A test that ends the process, or does not end itself, has failed; the others run in a new process. Where pytest
    itself does not begin, nothing can be said of any test, and the whole program ends.

    Parameters
    ----------
    start : callable
        Runs pytest once: from the tests that are done and the seconds that are left to the status with which it ended,
        None if the time was over.
    noted : Path
        Where the process notes, line by line, that it has begun, which test it begins and how that ended.
    said : Path
        Where what it prints is written.
    seconds : float
        How long the whole file may take.

    Returns
    -------
    dict
        Name of the test -> how it ended.

    Raises
    ------
    SystemExit
        If pytest did not begin: the interpreter lacks it, or something else that each file needs.
    """
    end = time.monotonic() + seconds
    results: dict[str, Result] = {}
    for _ in range(_MOST_STARTS):
        noted.write_text("")
        status = start(list(results), end - time.monotonic())
        if status is not None and not noted.read_text("utf-8"):
            words = said.read_text("utf-8", "replace").strip()[-2000:]
            raise SystemExit(f"pytest did not begin, no test was run, and nothing is noted (status {status}): {words}")
        running = _read(noted, results)
        if status is not None and 0 <= status <= 5:  # pytest came to its own end
            return results
        if running is None or time.monotonic() > end:
            break
        results[running] = Result("failed", f"the process ended with status {status}")
    results["(the file)"] = Result("failed", "the time for the file was over, or pytest did not start")
    return results


def _read(noted: Path, results: dict[str, Result]) -> str | None:
    """Add what a process has noted, and return the test that was running when it ended."""
    running = None
    for line in noted.read_text("utf-8").splitlines():
        entry = json.loads(line)
        if "began" in entry:
            continue
        if "started" in entry:
            running = entry["started"]
            continue
        name, result = entry["test"], Result(entry["outcome"], entry["message"], round(entry["seconds"], 2))
        if name not in results or results[name].outcome != "failed":
            results[name] = result
        if name == running:
            running = None
    return running


class Row(NamedTuple):
    """The figures of a file.

    Attributes
    ----------
    file : str
        Its path.
    real, passed : int
        How many tests pass on real MXNet, and how many of these here.
    explained : int
        How many of the others have a reason on the page.
    """

    file: str
    real: int
    passed: int
    explained: int


def table(rows: Sequence[Row], tests: str = "tests") -> list[str]:
    """Return the lines of the figures: how many pass in all, and a row for each file.

    Parameters
    ----------
    rows : sequence of Row
        The files.
    tests : str
        What is counted.

    Examples
    --------
    >>> table([Row("test_a.py", 4, 3, 1)])[0]
    '**3 of 4** tests that pass on real MXNet 1.9.1 pass here, 75.0%.'
    """
    real, passed = sum(row.real for row in rows), sum(row.passed for row in rows)
    return [
        f"**{passed} of {real}** {tests} that pass on real MXNet 1.9.1 pass here, {passed / max(real, 1):.1%}.",
        "",
        "| file | real MXNet | here | with a reason below |",
        "| --- | --: | --: | --: |",
        *(f"| `{row.file}` | {row.real} | {row.passed} | {row.explained or ''} |" for row in rows),
    ]
