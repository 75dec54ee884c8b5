"""Run one program as a user would, with this package or with real MXNet under the name ``mxnet``.

``python start.py FOLDER REAL PROGRAM ARGUMENTS...``: ``FOLDER`` is this package's, and empty for real MXNet.
"""

from __future__ import annotations

import collections.abc
import os
import runpy
import sys
import types
import warnings
from typing import Any


def old_names() -> None:
    """Give NumPy and Python the names that old programs use, and newer versions have dropped."""
    import time

    import numpy

    names = {
        "bool": bool, "int": int, "float": float, "object": object, "str": str, "complex": complex,
        "float_": numpy.float64, "NaN": numpy.nan, "Inf": numpy.inf, "product": numpy.prod,
        "asscalar": lambda array: array.item(),
    }  # fmt: skip
    for name, value in names.items():
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            if not hasattr(numpy, name):
                setattr(numpy, name, value)
    if not hasattr(time, "clock"):
        time.clock = time.perf_counter  # type: ignore[attr-defined]
    for name in ("Mapping", "MutableMapping", "Sequence", "Iterable", "Callable"):
        if not hasattr(collections, name):
            setattr(collections, name, getattr(collections.abc, name))


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
    old_names()
    if package:
        sys.path.insert(0, package)
        import d2lhybrid

        d2lhybrid.as_mxnet()
        sys.path.remove(package)
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
