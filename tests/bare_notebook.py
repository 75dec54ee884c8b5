"""Run notebooks in a Python as a browser has it: ``python tests/bare_notebook.py notebook.ipynb ...``.

Every cell is run by IPython, as in Jupyter; what a cell shows is made as HTML, too, and thrown away. With
``--solutions``, the notebooks are those of exercises, and each answer cell holds the solution. The last line is a JSON
object: how many cells have run, which have raised, and what has been printed.
"""

from __future__ import annotations

import sys

from bare_python import take_away

if __name__ == "__main__":
    take_away()  # and not where something else imports this file, to look for examples in it

import contextlib
import io
import json
import os
from pathlib import Path


def _solution(cell: str) -> str:
    from d2lhybrid.exercises import ex

    return ex(cell.removeprefix("answer-").replace("-", ".")).solution_code


def main(arguments: list[str]) -> int:
    """Run the notebooks one after another, each in a namespace of its own."""
    from IPython.core.interactiveshell import InteractiveShell
    from traitlets.config import Config

    solutions = "--solutions" in arguments
    shell = InteractiveShell.instance(config=Config({"HistoryManager": {"enabled": False}}))
    shell.display_formatter.active_types = shell.display_formatter.format_types
    folder, outcomes = os.getcwd(), {}
    for file in [argument for argument in arguments if argument != "--solutions"]:
        os.chdir(folder)
        shell.reset(new_session=True)
        cells, raised, printed = [], [], io.StringIO()
        for cell in json.loads(Path(file).read_text("utf-8"))["cells"]:
            if cell["cell_type"] != "code":
                continue
            source = "".join(cell["source"])
            if solutions and cell["id"].startswith("answer-"):
                source = _solution(cell["id"])
            with contextlib.redirect_stdout(printed), contextlib.redirect_stderr(printed):
                result = shell.run_cell(source, store_history=True)
            cells.append(source)
            if not result.success:
                raised.append([len(cells) - 1, repr(result.error_before_exec or result.error_in_exec)])
        outcomes[Path(file).name] = {"cells": len(cells), "raised": raised, "printed": printed.getvalue()}
    print(json.dumps(outcomes))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
