"""Run one program as a user would."""

from __future__ import annotations

import json
import os
import runpy
import sys
from typing import Any

from .chapter import make_shell
from .side import become_main


def run_notebook(path: str) -> None:
    """Run the cells of a notebook as Jupyter does, up to the first that fails.

    Parameters
    ----------
    path : str
        The notebook.
    """
    shell = make_shell()
    with open(path, encoding="utf-8") as stream:
        cells = json.load(stream)["cells"]
    for cell in cells:
        if cell["cell_type"] == "code" and not shell.run_cell("".join(cell["source"]), store_history=True).success:
            sys.exit(1)


def main(request: dict[str, Any]) -> None:
    """Run the program that the request names."""
    program = request["program"]
    become_main(os.path.dirname(os.path.abspath(program)), program, *request["arguments"])
    if program.endswith(".ipynb"):
        run_notebook(program)
    else:
        runpy.run_path(program, run_name="__main__")
