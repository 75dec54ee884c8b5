"""Run the cells of one chapter as Jupyter does, with this package or with real MXNet under the name ``mxnet``.

``python start.py REQUEST``: a JSON file with the keys that `main` reads. One line of JSON is written for each cell.
"""

from __future__ import annotations

import contextlib
import io
import json
import os
import signal
import sys
import time
import types
import warnings
from typing import Any


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


def main() -> None:
    """Run the chapter that the request names."""
    with open(sys.argv[1], encoding="utf-8") as stream:
        request = json.load(stream)
    warnings.simplefilter("ignore")
    sys.path.insert(0, request["repository"])
    from tests.chapters.network import serve
    from tests.give_back import give_back

    if request["real"]:
        give_back()
    else:
        import d2lhybrid

        d2lhybrid.as_mxnet(habits=True)
    sys.path.remove(request["repository"])
    serve(request["web"])
    seed()
    sys.argv = ["chapter"]
    sys.path[0] = request["path"]
    sys.modules["__main__"] = types.ModuleType("__main__")
    run_cells(request["cells"], request["seconds"], request["results"], {"tab": Tab(request["tab"])})
    sys.stdout.flush()
    os._exit(0)  # threads of the chapter's may go on


if __name__ == "__main__":
    main()
