"""The notebooks as a browser gets them: copies with the kernel that is there, and two kinds of cells changed.

The kernel ends "Run All" at every error, also where a cell has the tag ``raises-exception``; and no cell can start
another program.
"""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

__all__ = ["link", "prepared", "write_contents"]

_NO_PROGRAM = 'print("A browser starts no other program: this cell runs on a computer.")\n'


def prepared(notebook: dict[str, Any]) -> dict[str, Any]:
    r"""Return a notebook for the kernel of a browser.

    Parameters
    ----------
    notebook : dict
        The notebook, as its file says.

    Raises
    ------
    ValueError
        If a cell that raises on purpose does not do so in its last line.

    Examples
    --------
    >>> cell = {"cell_type": "code", "metadata": {"tags": ["raises-exception"]}, "source": ["x = 0\n", "1 / x"]}
    >>> print("".join(prepared({"cells": [cell], "metadata": {}})["cells"][0]["source"]))
    x = 0
    try:
        1 / x
    except Exception as error:  # here an error would end the run of all cells
        display(mx.error_lens(error))
        print(f"{type(error).__name__}: {error}")
    """
    kernel = {"display_name": "Python (Pyodide)", "language": "python", "name": "python"}
    return {
        **notebook,
        "cells": [_prepared_cell(cell) for cell in notebook["cells"]],
        "metadata": {**notebook["metadata"], "kernelspec": kernel},
    }


def _prepared_cell(cell: dict[str, Any]) -> dict[str, Any]:
    source = "".join(cell["source"])
    if cell["cell_type"] == "code" and "raises-exception" in cell["metadata"].get("tags", []):
        source = _caught(source)
    elif cell["cell_type"] == "code" and "subprocess.run(" in source:
        source = _NO_PROGRAM + "".join(f"# {line}".rstrip() + "\n" for line in source.splitlines()).rstrip("\n")
    return {**cell, "source": source.splitlines(keepends=True)}


def _caught(source: str) -> str:
    """Return a cell that shows its error instead of ending with it."""
    before, _, last = source.rpartition("\n")
    if not last or last[0].isspace():
        raise ValueError(f"the last line of a cell that raises has to be a statement of its own: {last!r}")
    return f"""{before}
try:
    {last}
except Exception as error:  # here an error would end the run of all cells
    display(mx.error_lens(error))
    print(f"{{type(error).__name__}}: {{error}}")"""


def link(notebook: str, page: str) -> str:
    """Return the way from a page of the site to a notebook, where the built course lies in ``lite`` beside the site.

    Examples
    --------
    >>> link("notebooks/zh/04_limits.ipynb", "zh/notebooks/04_limits")
    '../../lite/lab/index.html?path=zh/04_limits.ipynb'
    """
    return f"{'../' * page.count('/')}lite/lab/index.html?path={notebook.removeprefix('notebooks/')}"


def write_contents(notebooks: Path, folder: Path) -> list[str]:
    """Write copies of all notebooks of the course into a folder; return their names there."""
    shutil.rmtree(folder, ignore_errors=True)
    names = []
    for path in sorted(notebooks.rglob("[0-9]*.ipynb")):
        name = path.relative_to(notebooks).as_posix()
        if any(part.startswith(".") for part in path.relative_to(notebooks).parts):
            continue
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        text = json.dumps(prepared(json.loads(path.read_text("utf-8"))), ensure_ascii=False, indent=1)
        (folder / name).write_text(text + "\n", "utf-8")
        names.append(name)
    return names
