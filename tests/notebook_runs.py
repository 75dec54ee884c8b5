"""Each notebook of the course is run once for all tests that look at what it shows.

Such tests are in one group of pytest-xdist, :data:`together`: one process runs the notebooks.
"""

import io
import os
import shutil
import tempfile
from functools import cache
from pathlib import Path
from typing import ClassVar, NamedTuple
from unittest import mock

import nbformat
import pytest

from d2lhybrid.internals.course import lesson

__all__ = ["NotebookRun", "run", "together"]

together = pytest.mark.xdist_group("notebooks")

_READ_MEMORY = """
try:
    with open("/proc/self/status") as file:
        print(*[line for line in file if line.startswith("VmHWM")])
except OSError:
    print("no such measure here")
"""


class NotebookRun(NamedTuple):
    """What a run of a notebook has shown.

    Attributes
    ----------
    problem : str or None
        What went wrong.
    text : str
        What the cells printed, and at the end, how much memory the kernel took.
    left : tuple of str
        The files that the notebook left beside itself.
    """

    problem: str | None
    text: str
    left: tuple[str, ...]


@cache
def run(path: Path) -> NotebookRun:
    """Run a notebook once, with a cell at the end that tells how much memory was used."""
    notebook = nbformat.read(path, as_version=4)
    notebook.cells.append(nbformat.v4.new_code_cell(_READ_MEMORY))
    output = io.StringIO()
    place = tempfile.mkdtemp()
    try:
        copy = Path(place) / path.name
        nbformat.write(notebook, copy)
        with mock.patch.object(lesson.tempfile, "TemporaryDirectory", _WatchedFolder):
            problem = lesson.run(copy, timeout=300, file=output)
    finally:
        shutil.rmtree(place)
    return NotebookRun(problem, output.getvalue(), tuple(_WatchedFolder.left))


class _WatchedFolder(tempfile.TemporaryDirectory):
    """A folder that a notebook runs in, and what was left in it."""

    left: ClassVar[list[str]] = []

    def cleanup(self) -> None:
        _WatchedFolder.left[:] = os.listdir(self.name)
        super().cleanup()
