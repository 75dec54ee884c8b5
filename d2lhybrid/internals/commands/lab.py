"""A function that runs JupyterLab in this process, so that a signal to the process ends JupyterLab and its kernels."""

from __future__ import annotations

import os
import runpy
import signal
import sys
from collections.abc import Sequence
from pathlib import Path
from types import FrameType

from ..course import course
from ..support import package
from ..support.telemetry import LAB_OPTIONS

__all__ = ["SETTINGS", "open_folder"]

#: Settings of JupyterLab that replace its defaults, but not the user's settings.
SETTINGS = package.FOLDER / "data" / "lab"
#: The environment variable with the folders from which Jupyter reads settings.
_CONFIG = "JUPYTER_CONFIG_PATH"
#: Jupyter's own patterns of files that its file browser does not list, and the folder with the notebooks as text, which
#: is for diffs, and which a copy of the course does not have.
_HIDDEN = ("__pycache__", "*.pyc", "*.pyo", ".DS_Store", "*~", "text")


def _arguments(folder: Path, browser: bool) -> list[str]:
    """Return the arguments for JupyterLab."""
    arguments = [f"--ServerApp.root_dir={folder.resolve()}", *LAB_OPTIONS]
    arguments.append("--LabApp.expose_app_in_browser=True")  # pictures without a kernel offer to run the cells
    if course.is_course(folder):
        arguments.append(f"--LabApp.default_url=/lab/tree/{course.FIRST_NOTEBOOK}")
    if folder.resolve() == course.original().resolve():
        arguments += [f"--ContentsManager.hide_globs={pattern}" for pattern in _HIDDEN]
    if not browser:
        arguments.append("--no-browser")
    if hasattr(os, "geteuid") and os.geteuid() == 0:
        arguments.append("--allow-root")  # root is the usual user of a container
    return arguments


def _as_a_request_to_end(number: int, frame: FrameType | None) -> None:
    """Turn a hangup of the terminal into the signal that makes Jupyter clean up."""
    os.kill(os.getpid(), signal.SIGTERM)


def open_folder(folder: Path, browser: bool = True, options: Sequence[str] = ()) -> int:
    """Open a folder in JupyterLab, and wait until JupyterLab ends.

    Parameters
    ----------
    folder : Path
        Folder to open. If it contains the first notebook of the course, JupyterLab opens this notebook.
    browser : bool
        Whether to open a browser.
    options : sequence of str
        Additional arguments of JupyterLab, such as ``--port 8890``, which override the arguments of this function.

    Returns
    -------
    int
        Exit status of JupyterLab.
    """
    hangup = getattr(signal, "SIGHUP", None)
    # Under nohup, this signal is ignored, and must stay ignored.
    if hangup is not None and signal.getsignal(hangup) == signal.SIG_DFL:
        signal.signal(hangup, _as_a_request_to_end)
    print(f"Opening {folder.resolve()} in JupyterLab. To stop it, press Ctrl-C twice ...", flush=True)
    # These settings turn off the question about news from Jupyter, which would interrupt the first lesson.
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
