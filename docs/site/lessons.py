"""The lessons as they run: each notebook once, and again only when it or the package has changed."""

from __future__ import annotations

import hashlib
import os
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import nbformat
from nbclient import NotebookClient
from sources import ROOT

from d2lhybrid.internals.pictures.widgets.page import without_kernel

__all__ = ["executed", "package_hash"]


def package_hash() -> str:
    """Return a number that changes with the package: what a lesson prints hangs on all of it."""
    made = hashlib.sha256(sys.version.encode())
    for path in sorted((ROOT / "d2lhybrid").rglob("*")):
        if path.is_file() and path.suffix in (".py", ".js", ".css", ".toml", ".npz", ".md"):
            made.update(str(path.relative_to(ROOT)).encode() + path.read_bytes())
    return made.hexdigest()


def executed(file: str, cache: Path, package: str, run: bool = True) -> Any:
    """Return a notebook with what its cells print and draw, for readers who have no kernel.

    Parameters
    ----------
    file : str
        The notebook, in the repository.
    cache : Path
        Where notebooks that have run are kept.
    package : str
        :func:`package_hash`.
    run : bool
        Whether it is run at all: an exercise is not, before somebody has written an answer.
    """
    notebook = nbformat.read(ROOT / file, as_version=4)
    if not run:
        return notebook
    source = "\0".join(f"{cell.cell_type}:{cell.source}" for cell in notebook.cells if cell.cell_type == "code")
    kept = cache / f"{hashlib.sha256(f'{file}{package}{source}'.encode()).hexdigest()[:32]}.ipynb"
    if kept.exists():
        outputs = iter(cell for cell in nbformat.read(kept, as_version=4).cells if cell.cell_type == "code")
        for cell in notebook.cells:
            if cell.cell_type == "code":
                done = next(outputs)
                cell.outputs, cell.execution_count = done.outputs, done.execution_count
    else:
        _run(notebook, file)
        cache.mkdir(parents=True, exist_ok=True)
        nbformat.write(notebook, kept)
    for cell in notebook.cells:
        for output in cell.get("outputs", []):
            data = output.get("data", {})
            if "text/html" in data:
                data["text/html"] = without_kernel(data["text/html"])
    return notebook


def _run(notebook: Any, file: str) -> None:
    start = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="d2lhybrid-site-") as folder:
        environment = os.environ | {"PYTHONPATH": str(ROOT), "XDG_DATA_HOME": f"{folder}/.data"}
        client = NotebookClient(
            notebook, timeout=600, kernel_name="python3", extra_arguments=["--log-level=ERROR"],
            resources={"metadata": {"path": folder}},
        )  # fmt: skip
        client.execute(env=environment)
    print(f"  {file}: {time.monotonic() - start:.0f} s", flush=True)
