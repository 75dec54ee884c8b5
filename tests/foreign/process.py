"""A process of its own for each foreign program: without a network, for a limited time."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

__all__ = ["REPOSITORY", "environment", "last_line", "package", "run", "start"]

REPOSITORY = Path(__file__).resolve().parents[2]

_START = Path(__file__).with_name("inside") / "start.py"


def environment(home: Path, **variables: str) -> dict[str, str]:
    """Return the variables of a process that has one thread, draws no windows and finds no network.

    Parameters
    ----------
    home : Path
        Its home directory.
    **variables : str
        Further variables.
    """
    return {
        **os.environ, "HOME": str(home), "MPLBACKEND": "Agg", "PYTHONPATH": "",
        "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "MXNET_STORAGE_FALLBACK_LOG_VERBOSE": "0",
        # A program that fetches something fails.
        **dict.fromkeys(
            ("http_proxy", "https_proxy", "all_proxy", "HTTP_PROXY", "HTTPS_PROXY"), "http://127.0.0.1:9"
        ),
        "no_proxy": "", "NO_PROXY": "",
        **variables,
    }  # fmt: skip


def package(real: bool) -> str:
    """Return the folder of this package, or an empty text for real MXNet."""
    return "" if real else str(REPOSITORY)


def run(
    command: list[str], where: Path, variables: dict[str, str], log: Path, seconds: float, errors_alone: bool = False
) -> int | None:
    """Run a command, and end all that it has started.

    Parameters
    ----------
    command : list of str
        The command.
    where : Path
        The folder in which it runs.
    variables : dict
        Its environment.
    log : Path
        A file. The output of the command is added to it.
    seconds : float
        The limit.
    errors_alone : bool
        Whether the log gets only what is written to the error stream.

    Returns
    -------
    int or None
        The status, None if the limit was reached.
    """
    with log.open("a") as stream:
        process = subprocess.Popen(
            command, cwd=where, env=variables, stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL if errors_alone else stream, stderr=stream, start_new_session=True,
        )  # fmt: skip
        try:
            return process.wait(seconds)
        except subprocess.TimeoutExpired:
            return None
        finally:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)  # its workers, too
            process.wait()


def start(
    kind: str, request: dict[str, Any], folder: Path, where: Path, variables: dict[str, str], seconds: float,
    python: Path | None = None, real: bool = False,
) -> tuple[int | None, str]:  # fmt: skip
    """Run a module of :mod:`.inside` in a process.

    Parameters
    ----------
    kind : str
        The module.
    request : dict
        What it reads.
    folder : Path
        A folder for the request and the log.
    where, variables, seconds
        The same as for :func:`run`.
    python : Path, optional
        The interpreter: it has what the program imports, and the dependencies of this package or MXNet.
    real : bool
        Whether ``mxnet`` is real MXNet.

    Returns
    -------
    tuple
        The status, None if the limit was reached, and the output.
    """
    question, log = folder / "request.json", folder / "log"
    question.write_text(json.dumps({"kind": kind, "package": package(real), **request}), "utf-8")
    log.write_text("")
    command = [str(python or sys.executable), "-W", "ignore", str(_START), str(question)]
    status = run(command, where, variables, log, seconds)
    return status, log.read_text("utf-8", "replace")


def last_line(log: str) -> str:
    """Return the end of an output.

    Examples
    --------
    >>> last_line("first\\nlast\\n")
    'last'
    """
    return log.strip().rsplit("\n", 1)[-1][-200:]
