"""One program under ``d2lhybrid run``, and why it stopped if it did."""

from __future__ import annotations

import os
import re
import shutil
import sys
import tempfile
from pathlib import Path

from tests.foreign import process

__all__ = ["CAUSES", "cause_of", "run"]

#: Cause -> a pattern on what a program has written last. The first that fits counts.
CAUSES: dict[str, str] = {
    "is for Python 2": r"This code is written for Python 2|inconsistent use of tabs",
    "no Python": r"\b(SyntaxError|IndentationError|is not encoded in UTF-8|is not a Python program)",
    "package": r"No module named",
    "gpu": r"GPU is not enabled|no GPU",
    "download": r"does not download"
    r"|URLError|ConnectionError|gaierror|HTTPError|ProxyError|Connection refused|Failed downloading|urlopen"
    r"|MaxRetryError|RemoteDisconnected|no network|has to be downloaded|is not there to be downloaded",
    "absent": r"MXNet has it, but d2lhybrid does not|module 'd2lhybrid|module 'mxnet|has no attribute .*mxnet",
    "arguments": r"^usage:|the following arguments are required|sys\.argv\[",
    "file": r"No such file|FileNotFoundError|does not exist|NotADirectoryError|cannot open|not found:|Cannot find",
}

_ENDED, _RUNNING = "to its end", "still running"


def cause_of(text: str) -> str:
    """Return why a program stopped, from what it wrote to its error stream.

    Examples
    --------
    >>> cause_of("ModuleNotFoundError: No module named 'foo'")
    'package'
    >>> cause_of("ValueError: 3")
    'another error'
    """
    last = "\n".join(text.strip().splitlines()[-25:])
    return next((cause for cause, pattern in CAUSES.items() if re.search(pattern, last, re.M)), "another error")


def run(folder: Path, program: Path, seconds: float) -> tuple[str, str]:
    """Run a program in a copy of its folder, without a network and without a GPU.

    Parameters
    ----------
    folder : Path
        The repository.
    program : Path
        A file in it.
    seconds : float
        After which it counts as running.

    Returns
    -------
    tuple of str
        ``"to its end"``, ``"still running"`` or the cause, and the last line that it wrote.
    """
    with tempfile.TemporaryDirectory() as place:
        copy = Path(place, "copy")
        shutil.copytree(folder, copy, symlinks=True)
        there = copy / program.relative_to(folder)
        variables = process.environment(Path(place), PYTHONPATH=os.environ.get("PYTHONPATH", ""))
        command = [sys.executable, "-m", "d2lhybrid", "run", there.name]
        status = process.run(command, there.parent, variables, Path(place, "log"), seconds, errors_alone=True)
        if status is None:
            return _RUNNING, ""
        text = Path(place, "log").read_text("utf-8", "replace")
    errors = re.findall(r"^ *(\w*(?:Error|Exception|Exit|Interrupt)\b.*)$", text, re.M)
    return (_ENDED if status == 0 else cause_of(text)), (errors[-1] if errors else "")
