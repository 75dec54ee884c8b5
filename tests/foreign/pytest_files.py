"""Pytest runs a file of foreign tests, in a new process wherever a test has ended the last one."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

from . import process
from .process import REPOSITORY

__all__ = ["Result", "Suite", "run_file", "run_to_the_end"]

#: After so many ends of the process the rest of a file is given up.
_MOST_STARTS = 25


class Suite(NamedTuple):
    """A library, and its tests.

    Attributes
    ----------
    title : str
        Its name.
    version : str
        Which of its versions.
    commit : str
        What that is called in its repository.
    mark : str
        A file by which a clone of it is known.
    paths : tuple of str
        What of it is put on Python's path.
    tests : tuple of str
        Patterns of the files of tests.
    compiled : tuple of str
        Modules in Cython, which are built.
    left_out : dict of str to str
        How the paths of files begin that are not run, and the reason.
    marks : dict of str to str
        With what its authors mark tests that are not run, and the reason.
    names : dict
        File -> pairs of a pattern of tests that are not run, and the reason.
    """

    title: str
    version: str
    commit: str
    mark: str
    paths: tuple[str, ...]
    tests: tuple[str, ...]
    compiled: tuple[str, ...]
    left_out: dict[str, str]
    marks: dict[str, str]
    names: dict[str, list[tuple[str, str]]] = {}  # noqa: RUF012 - a constant

    def files(self, source: Path) -> list[str]:
        """Return the files of tests.

        Parameters
        ----------
        source : Path
            Where the library was extracted to.
        """
        found = {path.relative_to(source).as_posix() for pattern in self.tests for path in source.glob(pattern)}
        return sorted(path for path in found if not path.startswith(tuple(self.left_out)))


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
        if status is not None and 0 <= status <= 5 and running is None:  # pytest came to its own end
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


def run_file(
    suite: Suite, file: str, source: Path, folder: Path, python: Path, real: bool, limits: tuple[float, float],
    **request: Any,
) -> dict[str, Result]:  # fmt: skip
    """Run a file of tests.

    A test that ends the process, or does not end itself, has failed; the others run in a new process.

    Parameters
    ----------
    suite : Suite
        Whose it is.
    file : str
        Its path in `source`.
    source : Path
        Where the suite was extracted to.
    folder : Path
        A folder for files: the output of pytest is its file ``log``.
    python : Path
        The interpreter: it has pytest, what the tests need, and the dependencies of this package or MXNet.
    real : bool
        Whether real MXNet is run.
    limits : tuple
        How many seconds one test, and the whole file, may take.
    **request
        What else the plugin reads.

    Returns
    -------
    dict
        Name of the test -> how it ended.
    """
    noted, log, asked = folder / "results", folder / "log", folder / "asked.json"
    of_mxnet = request.get("of_mxnet", False)
    # The tests of libraries draw other numbers in each run, and warn of what they use.
    silent = [] if of_mxnet else ["-W", "ignore"]
    options = ["-q", *silent, "-p", "inside.plugin", "-p", "no:cacheprovider", "-p", "no:timeout", "-c", os.devnull]
    command = [str(python), *silent, "-m", "pytest", *options, "--rootdir", str(source), file]
    search_path = [str(Path(__file__).parent)]
    if of_mxnet:
        search_path += filter(None, [str(REPOSITORY), os.environ.get("PEER_PATH", "")])
    variables = process.environment(
        folder, FOREIGN_TESTS=str(asked), PYTHONPATH=os.pathsep.join(search_path), MXNET_HOME=str(folder / "mxnet"),
        PYTHONDONTWRITEBYTECODE="1", PYTHONHASHSEED="0", MXNET_TEST_SEED="20221117",
    )  # fmt: skip
    whole = {
        "package": process.package(real), "results": str(noted), "seconds": limits[0], "of_mxnet": of_mxnet,
        "paths": [str(source / path) for path in suite.paths], "marks": list(suite.marks),
        "names": [pattern for pattern, _ in suite.names.get(file, [])], "seeded": not of_mxnet, **request,
    }  # fmt: skip

    def start(done: list[str], left: float) -> int | None:
        asked.write_text(json.dumps({**whole, "done": done}), "utf-8")
        return process.run(command, source, variables, log, max(left, 1))

    log.write_text("")
    return run_to_the_end(start, noted, log, limits[1])
