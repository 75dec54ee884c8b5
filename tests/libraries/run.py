"""One file of a library's tests is run in a process of its own, however it ends."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import signal
import subprocess
import time
from pathlib import Path
from typing import NamedTuple

from .libraries import Library

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
    seconds : float
        How long it took.
    """

    outcome: str
    message: str = ""
    seconds: float = 0.0


class Workshop(NamedTuple):
    """Where tests are run.

    Attributes
    ----------
    library : Library
        Whose they are.
    source : Path
        Where it was extracted to.
    folder : Path
        A folder for files.
    python : Path
        The interpreter: it has what the library needs, and this package's dependencies or MXNet.
    real : bool
        Whether real MXNet is run.
    seconds_per_test, seconds : int
        How long one test, and a whole file, may take.
    """

    library: Library
    source: Path
    folder: Path
    python: Path
    real: bool
    seconds_per_test: int
    seconds: int

    @property
    def log(self) -> Path:
        """Where what pytest prints is written."""
        return self.folder / "log"

    def run(self, file: str) -> dict[str, Result]:
        """Run a file of tests.

        A test that ends the process, or does not end itself, has failed; the others run in a new process.

        Parameters
        ----------
        file : str
            Its path in the library.

        Returns
        -------
        dict
            Name of the test -> how it ended.
        """
        end = time.monotonic() + self.seconds
        results: dict[str, Result] = {}
        noted = self.folder / "results"
        self.log.write_text("")
        for _ in range(_MOST_STARTS):
            noted.write_text("")
            status = self._start(file, noted, list(results), end - time.monotonic())
            running = _read(noted, results)
            if status is not None and 0 <= status <= 5:  # pytest came to its own end
                return results
            if running is None or time.monotonic() > end:
                break
            results[running] = Result("failed", f"the process ended with status {status}")
        results["(the file)"] = Result("failed", "the time for the file was over, or pytest did not start")
        return results

    def _start(self, file: str, noted: Path, done: list[str], left: float) -> int | None:
        """Run pytest once, and return the status with which it ended, None if the time was over."""
        asked = self.folder / "asked.json"
        asked.write_text(
            json.dumps(
                {
                    "package": "" if self.real else str(_REPOSITORY), "results": str(noted), "done": done,
                    "paths": [str(self.source / path) for path in self.library.paths],
                    "marks": list(self.library.marks), "seconds": self.seconds_per_test,
                }
            ),
            "utf-8",
        )  # fmt: skip
        environment = {
            **os.environ, "LIBRARY_TESTS": str(asked), "PYTHONPATH": str(Path(__file__).parent),
            "HOME": str(self.folder), "MXNET_HOME": str(self.folder / "mxnet"), "MPLBACKEND": "Agg",
            "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "PYTHONDONTWRITEBYTECODE": "1", "PYTHONHASHSEED": "0",
            "MXNET_STORAGE_FALLBACK_LOG_VERBOSE": "0", "MXNET_TEST_SEED": "20221117",
            # Nothing is fetched: a test that would fetch something fails.
            **dict.fromkeys(("http_proxy", "https_proxy", "HTTP_PROXY", "HTTPS_PROXY"), "http://127.0.0.1:9"),
        }  # fmt: skip
        options = ["-q", "-W", "ignore", "-p", "plugin", "-p", "no:cacheprovider", "-p", "no:timeout", "-c", os.devnull]
        command = [str(self.python), "-W", "ignore", "-m", "pytest", *options, "--rootdir", str(self.source), file]
        with self.log.open("a") as stream:
            process = subprocess.Popen(
                command, cwd=self.source, env=environment, stdin=subprocess.DEVNULL, stdout=stream, stderr=stream,
                start_new_session=True,
            )  # fmt: skip
            try:
                return process.wait(max(left, 1))
            except subprocess.TimeoutExpired:
                return None
            finally:
                with contextlib.suppress(ProcessLookupError):
                    os.killpg(process.pid, signal.SIGKILL)  # its workers, too
                process.wait()


def _read(noted: Path, results: dict[str, Result]) -> str | None:
    """Add what a process has noted, and return the test that was running when it ended."""
    running = None
    for line in noted.read_text("utf-8").splitlines():
        entry = json.loads(line)
        if "started" in entry:
            running = entry["started"]
            continue
        name, result = entry["test"], Result(entry["outcome"], entry["message"], round(entry["seconds"], 2))
        if name not in results or results[name].outcome != "failed":
            results[name] = result
        if name == running:
            running = None
    return running


def state() -> str:
    """Return what the results hang on: a digest of this package and of what runs the tests."""
    digest = hashlib.sha256()
    ours = [*_REPOSITORY.glob("d2lhybrid/**/*.py"), *Path(__file__).parent.glob("*.py")]
    for path in sorted(ours):
        digest.update(path.relative_to(_REPOSITORY).as_posix().encode() + path.read_bytes())
    return digest.hexdigest()[:16]
