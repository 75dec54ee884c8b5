"""One of MXNet's files is run in a process of its own, however it ends."""

from __future__ import annotations

import os
import subprocess
import tempfile
from pathlib import Path

from ..foreign_tests import REPOSITORY, Result, run_to_the_end


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
    with tempfile.TemporaryDirectory() as folder:
        noted, said = Path(folder) / "results", Path(folder) / "said"

        def start(done: list[str], left: float) -> int | None:
            return _start(tests, file, python, real, noted, said, done, seconds_per_test, left)

        return run_to_the_end(start, noted, said, seconds)


def _start(
    tests: Path, file: str, python: Path, real: bool, noted: Path, said: Path, done: list[str], limit: int, left: float
) -> int | None:
    """Run pytest once, and return the status with which it ended, None if the time was over."""
    environment = {
        **os.environ,
        "PEER_RESULTS": str(noted),
        "PEER_DONE": "|".join(done),
        "PEER_SECONDS": str(limit),
        "PYTHONPATH": os.pathsep.join(filter(None, [str(REPOSITORY), os.environ.get("PEER_PATH", "")])),
        "PYTHONDONTWRITEBYTECODE": "1",
        "MXNET_STORAGE_FALLBACK_LOG_VERBOSE": "0",
        "MXNET_TEST_SEED": "20221117",
        "OMP_NUM_THREADS": "1",
    }
    if real:
        environment["PEER_REAL"] = "1"
    command = [str(python), "-m", "pytest", "-q", "-p", "tests.peer.plugin", "-p", "no:cacheprovider", "-c", os.devnull]
    with said.open("w", encoding="utf-8") as stream:
        try:
            done_process = subprocess.run(
                [*command, "--rootdir", str(tests), file], cwd=tests, env=environment, timeout=left,
                stdout=stream, stderr=stream,
            )  # fmt: skip
        except subprocess.TimeoutExpired:
            return None
    return done_process.returncode
