"""One of MXNet's files is run in a process of its own, however it ends."""

from __future__ import annotations

import json
import os
import subprocess
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

_REPOSITORY = Path(__file__).resolve().parents[2]

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
    """

    outcome: str
    message: str = ""


def run(tests: Path, file: str, python: Path, real: bool, seconds_per_test: int, seconds: int) -> dict[str, Result]:
    """Run a file of tests.

    A test that ends the process, or does not end itself, has failed; the others run in a new process.

    Parameters
    ----------
    tests : Path
        The folder of the tests.
    file : str
        The file's name.
    python : Path
        The interpreter. It has pytest, SciPy and either this package's dependencies, or MXNet.
    real : bool
        Whether real MXNet is run.
    seconds_per_test, seconds : int
        How long one test, and the whole file, may take.

    Returns
    -------
    dict
        Name of the test -> how it ended.
    """
    end = time.monotonic() + seconds
    results: dict[str, Result] = {}
    with tempfile.TemporaryDirectory() as folder:
        log = Path(folder) / "results"
        for _ in range(_MOST_STARTS):
            log.write_text("")
            left = end - time.monotonic()
            status = _start(tests, file, python, real, log, list(results), seconds_per_test, left)
            running = _read(log, results)
            if status is not None and 0 <= status <= 5:  # pytest came to its own end
                return results
            if running is None or time.monotonic() > end:
                break
            results[running] = Result("failed", f"the process ended with status {status}")
    results["(the file)"] = Result("failed", "the time for the file was over, or pytest did not start")
    return results


def _start(
    tests: Path, file: str, python: Path, real: bool, log: Path, done: list[str], seconds_per_test: int, left: float
) -> int | None:
    """Run pytest once, and return the status with which it ended, None if the time was over."""
    environment = {
        **os.environ,
        "PEER_RESULTS": str(log),
        "PEER_DONE": "|".join(done),
        "PEER_SECONDS": str(seconds_per_test),
        "PYTHONPATH": os.pathsep.join(filter(None, [str(_REPOSITORY), os.environ.get("PEER_PATH", "")])),
        "PYTHONDONTWRITEBYTECODE": "1",
        "MXNET_STORAGE_FALLBACK_LOG_VERBOSE": "0",
        "MXNET_TEST_SEED": "20221117",
        "OMP_NUM_THREADS": "1",
    }
    if real:
        environment["PEER_REAL"] = "1"
    command = [str(python), "-m", "pytest", "-q", "-p", "tests.peer.plugin", "-p", "no:cacheprovider", "-c", os.devnull]
    try:
        done_process = subprocess.run(
            [*command, "--rootdir", str(tests), file], cwd=tests, env=environment, capture_output=True, timeout=left
        )
    except subprocess.TimeoutExpired:
        return None
    return done_process.returncode


def _read(log: Path, results: dict[str, Result]) -> str | None:
    """Add what a process has noted, and return the test that was running when it ended."""
    running = None
    for line in log.read_text("utf-8").splitlines():
        entry = json.loads(line)
        if "started" in entry:
            running = entry["started"]
            continue
        name, result = entry["test"], Result(entry["outcome"], entry["message"])
        if name not in results or results[name].outcome != "failed":
            results[name] = result
        if name == running:
            running = None
    return running
