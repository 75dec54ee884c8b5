"""One file of a library's tests is run in a process of its own, however it ends."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import signal
import subprocess
from pathlib import Path
from typing import NamedTuple

from .. import foreign_tests
from ..foreign_tests import REPOSITORY, Result, run_to_the_end
from .libraries import Library


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
        noted = self.folder / "results"
        self.log.write_text("")
        return run_to_the_end(lambda done, left: self._start(file, noted, done, left), noted, self.log, self.seconds)

    def _start(self, file: str, noted: Path, done: list[str], left: float) -> int | None:
        """Run pytest once, and return the status with which it ended, None if the time was over."""
        asked = self.folder / "asked.json"
        asked.write_text(
            json.dumps(
                {
                    "package": "" if self.real else str(REPOSITORY), "results": str(noted), "done": done,
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


def state() -> str:
    """Return what the results hang on: a digest of this package and of what runs the tests."""
    digest = hashlib.sha256()
    ours = [*REPOSITORY.glob("d2lhybrid/**/*.py"), *Path(__file__).parent.glob("*.py"), Path(foreign_tests.__file__)]
    ours += [Path(foreign_tests.__file__).with_name(name) for name in ("give_back.py", "nose_stand_in.py")]
    for path in sorted(ours):
        digest.update(path.relative_to(REPOSITORY).as_posix().encode() + path.read_bytes())
    return digest.hexdigest()[:16]
