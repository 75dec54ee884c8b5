"""Run one program as a user would, with this package or with real MXNet under the name ``mxnet``.

``python start.py FOLDER REAL PROGRAM ARGUMENTS...``: ``FOLDER`` is this package's, and empty for real MXNet.
"""

from __future__ import annotations

import importlib.util
import os
import runpy
import sys
import types
import warnings
from typing import Any


def give_back() -> None:
    """Give the programs what Python and its libraries have dropped, where real MXNet is run."""
    file = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "give_back.py")
    found = importlib.util.spec_from_file_location("give_back_of_tests", file)
    assert found is not None and found.loader is not None
    module = importlib.util.module_from_spec(found)
    found.loader.exec_module(module)
    module.give_back()


def run_notebook(path: str) -> None:
    """Run the cells of a notebook as Jupyter does, up to the first that fails.

    Parameters
    ----------
    path : str
        The notebook.
    """
    import json

    from IPython.core.interactiveshell import InteractiveShell  # pyright: ignore[reportMissingImports]

    class Shell(InteractiveShell):
        def enable_gui(self, gui: str | None = None) -> None:
            """Pictures are drawn, and shown nowhere."""

    shell: Any = Shell.instance()
    shell.display_formatter.active_types = ["text/plain"]
    with open(path, encoding="utf-8") as stream:
        cells = json.load(stream)["cells"]
    for cell in cells:
        if cell["cell_type"] == "code" and not shell.run_cell("".join(cell["source"]), store_history=True).success:
            sys.exit(1)


def main() -> None:
    """Run the program that the command line names."""
    package, program, *arguments = sys.argv[1:]
    warnings.simplefilter("ignore")
    if package:
        sys.path.insert(0, package)
        import d2lhybrid

        d2lhybrid.as_mxnet(habits=True)
        sys.path.remove(package)
    else:
        give_back()
    folder = os.path.dirname(os.path.abspath(program))
    sys.argv = [program, *arguments]
    sys.path[0] = folder
    module = types.ModuleType("__main__")
    sys.modules["__main__"] = module  # classes of the program can be pickled, and workers find them
    del module
    if program.endswith(".ipynb"):
        run_notebook(program)
    else:
        runpy.run_path(program, run_name="__main__")


if __name__ == "__main__":
    main()
