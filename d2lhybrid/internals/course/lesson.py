"""A runner of notebooks that needs no browser and prints the output of each cell.

Each notebook runs from top to bottom in a new kernel and in a temporary folder. Thus, exported files do not remain, and
the notebook itself does not change.
"""

from __future__ import annotations

import os
import re
import sys
import tempfile
import time
from collections.abc import Iterable
from pathlib import Path
from typing import Any, TextIO

import nbformat
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError, CellTimeoutError, DeadKernelError

from ..support import package
from ..support.plural import counted

__all__ = ["output_text", "run", "run_all"]

_TERMINAL_COLOURS = re.compile(r"\x1b\[[0-9;]*m")


def output_text(output: Any) -> str:
    r"""Return the text form of one output of a cell.

    Parameters
    ----------
    output : dict
        Output of a cell in the notebook format.

    Returns
    -------
    str
        Text of the output, or the output's type in brackets if the output has no text, such as a picture.

    Examples
    --------
    >>> output_text({"output_type": "stream", "name": "stdout", "text": "Done in 0.1 sec\n"})
    'Done in 0.1 sec'
    >>> output_text({"output_type": "display_data", "data": {"image/png": "iVBORw0KGgo="}})
    '[image/png]'
    """
    kind = output["output_type"]
    if kind == "stream":
        return output["text"].rstrip("\n")
    if kind == "error":
        return _TERMINAL_COLOURS.sub("", "\n".join(output["traceback"]))
    if kind in ("display_data", "execute_result"):
        data = output["data"]
        return data["text/plain"] if "text/plain" in data else f"[{', '.join(sorted(data)) or 'nothing'}]"
    return ""


def _first_line(source: str) -> str:
    """Return the first line of a cell that is not empty or a comment."""
    lines = [line for line in source.splitlines() if line.strip()]
    return lines[0] if lines else ""


def _joined(outputs: Iterable[Any]) -> list[Any]:
    """Return outputs in which consecutive parts of printed text are merged."""
    joined: list[Any] = []
    for output in outputs:
        before = joined[-1] if joined else {}
        if output["output_type"] == before.get("output_type") == "stream" and output["name"] == before["name"]:
            joined[-1] = {**before, "text": before["text"] + output["text"]}
        else:
            joined.append(output)
    return joined


class _Printer:
    """A callback that prints a cell after it has run."""

    def __init__(self, file: TextIO) -> None:
        self.file = file
        self.number = 0

    def __call__(self, cell: Any, cell_index: int, execute_reply: Any = None) -> None:
        self.number += 1
        print(f"\n[{self.number}] {_first_line(cell.source)}", file=self.file)
        for text in map(output_text, _joined(cell.outputs)):
            for line in text.splitlines():
                print(f"    {line}".rstrip(), file=self.file)
        self.file.flush()


def run(path: Path, timeout: int = 600, file: TextIO | None = None) -> str | None:
    """Run a notebook in a new kernel, and print each cell with its outputs.

    Parameters
    ----------
    path : Path
        Path of the notebook.
    timeout : int
        Time limit for each cell in seconds.
    file : file, optional
        Destination of the text; by default, ``sys.stdout``.

    Returns
    -------
    str or None
        None if every cell ran; otherwise the reason for the failure in one line.
    """
    try:
        notebook = nbformat.read(path, as_version=4)
    except FileNotFoundError:
        return "there is no such file"
    except (OSError, ValueError, nbformat.ValidationError) as error:
        return f"this is not a notebook ({error})"
    with tempfile.TemporaryDirectory(prefix="d2lhybrid-") as folder:
        client = NotebookClient(
            notebook,
            timeout=timeout,
            kernel_name="python3",
            extra_arguments=["--log-level=ERROR"],  # hides messages of the kernel, not of cells
            store_widget_state=False,
            resources={"metadata": {"path": folder}},
            on_cell_executed=_Printer(file or sys.stdout),
        )
        try:
            client.execute(env=_environment())
        except CellExecutionError as error:
            return f"a cell failed: {error.ename}: {error.evalue}"
        except CellTimeoutError:
            return f"a cell took more than {counted(timeout or 0, 'second')}"
        except DeadKernelError:
            return "the kernel died"
    return None


def _environment() -> dict[str, str]:
    """Return environment variables with which a kernel can import this package, even if it isn't installed."""
    folder = str(package.FOLDER.parent)
    paths = [folder, *filter(None, [os.environ.get("PYTHONPATH")])]
    return {**os.environ, "PYTHONPATH": os.pathsep.join(paths)}


def _as_seen_from_here(path: Path) -> Path:
    path = path.resolve()
    return path.relative_to(Path.cwd()) if path.is_relative_to(Path.cwd()) else path


def run_all(paths: Iterable[Path], timeout: int = 600) -> int:
    """Run notebooks one after the other, and print a summary line for each.

    Returns
    -------
    int
        Exit status: 0 if every cell of every notebook ran, otherwise 1.
    """
    lines, failed = [], 0
    for path in map(_as_seen_from_here, paths):
        print(f"\n===== {path} =====")
        start = time.perf_counter()
        problem = run(path, timeout)
        failed += problem is not None
        lines.append(f"{problem or 'ran'}  {path}  ({time.perf_counter() - start:.1f} s)")
    print("\n" + "\n".join(lines))
    return int(failed > 0)
