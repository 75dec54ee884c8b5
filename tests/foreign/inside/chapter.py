"""Run the cells of one chapter as Jupyter does, and write one line of JSON for each cell."""

from __future__ import annotations

import contextlib
import io
import json
import os
import signal
import sys
import time
from typing import Any

from .network import serve
from .side import become_main


class Tab:
    """What the book's own tool asks of the edition: ``tab.selected("mxnet")``."""

    def __init__(self, name: str) -> None:
        self._name = name

    def selected(self, *names: str) -> bool:
        """Return whether one of the libraries is that of this edition."""
        return self._name in names


def make_shell() -> Any:
    """Return a shell of IPython that draws pictures, and shows them nowhere."""
    from IPython.core.interactiveshell import InteractiveShell  # pyright: ignore[reportMissingImports]

    class Shell(InteractiveShell):
        def enable_gui(self, gui: str | None = None) -> None:
            """Pictures are drawn, and shown nowhere."""

    shell: Any = Shell.instance()
    shell.display_formatter.active_types = ["text/plain"]
    shell.run_line_magic("colors", "NoColor")
    return shell


def _interrupt(number: int, frame: Any) -> None:
    raise KeyboardInterrupt


def run_cells(cells: list[str], seconds: float, results: str, names: dict[str, Any]) -> None:
    """Run cells up to the first that fails; one that takes too long is interrupted, as a reader would.

    Parameters
    ----------
    cells : list of str
        Their text.
    seconds : float
        How long one may take.
    results : str
        A file, to which a line is added for each.
    names : dict
        What is there already.
    """
    shell = make_shell()
    shell.push(names)
    signal.signal(signal.SIGALRM, _interrupt)
    for cell in cells:
        written, began, error = io.StringIO(), time.monotonic(), None
        with contextlib.redirect_stdout(written):
            signal.setitimer(signal.ITIMER_REAL, seconds)
            try:
                result = shell.run_cell(cell, store_history=True)
                error = result.error_before_exec or result.error_in_exec
            except KeyboardInterrupt as late:
                error = late
            finally:
                signal.setitimer(signal.ITIMER_REAL, 0)
        outcome = "interrupted" if isinstance(error, KeyboardInterrupt) else "failed" if error else "done"
        message = f"{type(error).__name__}: {error}".strip() if error else ""
        line = {"outcome": outcome, "message": message, "text": written.getvalue(), "cell": cell}
        with open(results, "a", encoding="utf-8") as stream:
            stream.write(json.dumps({**line, "seconds": round(time.monotonic() - began, 2)}) + "\n")
        if outcome == "failed":
            break


def seed() -> None:
    """Begin all random numbers anew, so that a run can be repeated: chapters assert what rounding decides."""
    import random

    import mxnet  # pyright: ignore[reportMissingImports]
    import numpy

    random.seed(1)
    numpy.random.seed(1)
    mxnet.random.seed(1)


def main(request: dict[str, Any]) -> None:
    """Run the chapter that the request names."""
    serve(request["web"])
    seed()
    become_main(request["path"], "chapter")
    run_cells(request["cells"], request["seconds"], request["results"], {"tab": Tab(request["tab"])})
    sys.stdout.flush()
    os._exit(0)  # threads of the chapter may still run
