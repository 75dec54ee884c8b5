"""Open a folder in JupyterLab, in this very process: a signal that ends it ends JupyterLab, and its kernels."""

from __future__ import annotations

import os
import runpy
import signal
import sys
from collections.abc import Sequence
from pathlib import Path
from types import FrameType

from ..course.course import FIRST_NOTEBOOK, is_course
from ..support import package
from ..support.telemetry import LAB_OPTIONS

__all__ = ["SETTINGS", "open_folder"]

#: Settings of JupyterLab that are others here as long as the user has set nothing.
SETTINGS = package.FOLDER / "data" / "lab"
#: Where Jupyter looks for such folders.
_CONFIG = "JUPYTER_CONFIG_PATH"


def _arguments(folder: Path, browser: bool) -> list[str]:
    """Return the arguments of JupyterLab."""
    arguments = [f"--ServerApp.root_dir={folder.resolve()}", *LAB_OPTIONS]
    arguments.append("--LabApp.expose_app_in_browser=True")  # pictures without a kernel offer to run the cells
    if is_course(folder):
        arguments.append(f"--LabApp.default_url=/lab/tree/{FIRST_NOTEBOOK}")
    if not browser:
        arguments.append("--no-browser")
    if hasattr(os, "geteuid") and os.geteuid() == 0:
        arguments.append("--allow-root")  # as in a container, which has no other users
    return arguments


def _as_a_request_to_end(number: int, frame: FrameType | None) -> None:
    """Pass the news that the terminal is gone on as the signal upon which Jupyter tidies up."""
    os.kill(os.getpid(), signal.SIGTERM)


def open_folder(folder: Path, browser: bool = True, options: Sequence[str] = ()) -> int:
    """Run JupyterLab until it is ended; return its exit status.

    Parameters
    ----------
    folder : Path
        What is shown; if it has the first notebook, that is opened.
    browser : bool
        Whether a browser opens by itself.
    options : sequence of str
        Further arguments of JupyterLab, such as ``--port 8890``, which override ours.
    """
    hangup = getattr(signal, "SIGHUP", None)
    if hangup is not None and signal.getsignal(hangup) == signal.SIG_DFL:  # under nohup it is ignored: so be it
        signal.signal(hangup, _as_a_request_to_end)
    print(f"Opening {folder.resolve()} in JupyterLab; Ctrl-C, twice, ends it ...", flush=True)
    # Whether JupyterLab may fetch its news is not asked in the middle of the first lesson; who wants them sets it.
    os.environ[_CONFIG] = os.pathsep.join(filter(None, [str(SETTINGS), os.environ.get(_CONFIG)]))
    before = sys.argv
    sys.argv = ["jupyter-lab", *_arguments(folder, browser), *options]
    try:
        runpy.run_module("jupyterlab", run_name="__main__", alter_sys=True)
    except SystemExit as end:
        return end.code if isinstance(end.code, int) else int(end.code is not None)
    except KeyboardInterrupt:
        return 130
    finally:
        sys.argv = before
    return 0
