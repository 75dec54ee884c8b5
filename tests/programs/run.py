"""One program is run in a folder and a process of its own, for as long as it may."""

from __future__ import annotations

import contextlib
import os
import shlex
import shutil
import signal
import subprocess
from pathlib import Path
from typing import NamedTuple

from .data import RECIPES
from .programs import PROGRAMS, Program

_REPOSITORY = Path(__file__).resolve().parents[2]
_START = Path(__file__).with_name("start.py")


class Result(NamedTuple):
    """How a program ended.

    Attributes
    ----------
    outcome : str
        ``"to its end"``, ``"stopped"`` when its time was over and nothing had gone wrong, or ``"failed"``.
    message : str
        The last line of what it wrote.
    log : str
        All of it.
    """

    outcome: str
    message: str
    log: str


def run(examples: Path, folder: Path, program: Program, python: Path, real: bool, seconds: int) -> Result:
    """Run a program.

    Parameters
    ----------
    examples : Path
        MXNet's folder ``example``.
    folder : Path
        An empty folder, where its directory is copied to.
    program : Program
        Which.
    python : Path
        The interpreter, which has what the program imports, and this package's dependencies or MXNet.
    real : bool
        Whether real MXNet is run.
    seconds : int
        After how long it is stopped.

    Returns
    -------
    Result
        How it ended.
    """
    before = [other for other in PROGRAMS if other.path == program.after][:1]
    top = program.path.split("/")[0]
    shutil.copytree(examples / top, folder / top, dirs_exist_ok=True)
    result = Result("failed", "it did not run", "")
    for step in (*before, program):
        result = _start(folder, step, python, real, seconds)
        if result.outcome == "failed":
            break
    return result


def _start(folder: Path, program: Program, python: Path, real: bool, seconds: int) -> Result:
    file = folder / program.path
    where = (file.parent / program.where).resolve()
    for recipe in program.data:
        RECIPES[recipe](where)
    environment = {
        **os.environ,
        "HOME": str(where),
        "MPLBACKEND": "Agg",
        "OMP_NUM_THREADS": "1",
        "OPENBLAS_NUM_THREADS": "1",
        "PYTHONPATH": os.environ.get("PROGRAMS_PATH", ""),
        "MXNET_STORAGE_FALLBACK_LOG_VERBOSE": "0",
        # Nothing is fetched: what a program would fetch is made, or it fails.
        **dict.fromkeys(("http_proxy", "https_proxy", "HTTP_PROXY", "HTTPS_PROXY"), "http://127.0.0.1:9"),
    }
    package = "" if real else str(_REPOSITORY)
    command = [str(python), "-W", "ignore", str(_START), package, str(file), *shlex.split(program.arguments)]
    log = folder / "log"
    with log.open("w") as stream:
        process = subprocess.Popen(
            command, cwd=where, env=environment, stdin=subprocess.DEVNULL, stdout=stream, stderr=stream,
            start_new_session=True,
        )  # fmt: skip
        try:
            status = process.wait(seconds)
        except subprocess.TimeoutExpired:
            status = None
        finally:
            _end(process)
    written = log.read_text("utf-8", "replace")
    last = written.strip().rsplit("\n", 1)[-1][-200:]
    outcome = "stopped" if status is None else "failed" if status else "to its end"
    return Result(outcome, last, written)


def _end(process: subprocess.Popen[bytes]) -> None:
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)  # its workers, too
    process.wait()
