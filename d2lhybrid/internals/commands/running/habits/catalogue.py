"""The list of removed names that habits restore: ``python -m ....catalogue matplotlib pandas``.

This module imports and changes each library, so ``d2lhybrid port`` runs the module in a separate process.
"""

from __future__ import annotations

import contextlib
import importlib
import importlib.util
import json
import sys
import warnings
from collections.abc import Iterable

from .libraries import changes, give_back, gone
from .restoring import RESTORED, Restored

__all__ = ["catalogue"]


def catalogue(libraries: Iterable[str]) -> list[Restored]:
    """Restore removed names in this process, and return those of Python and the given libraries.

    Parameters
    ----------
    libraries : iterable of str
        Names under which programs import the libraries. Libraries that are not installed are left out.

    Returns
    -------
    list of Restored
        The names.
    """
    wanted = {*sys.stdlib_module_names, *libraries}
    modules = [name for name in changes() if name.partition(".")[0] in wanted]
    lost = [name for name in gone() if name.partition(".")[0] in wanted and not _is_there(name)]
    give_back()
    for name in modules:
        with contextlib.suppress(ImportError):
            importlib.import_module(name)
    return [*RESTORED, *(Restored("module", "", name, _home(name)) for name in lost)]


def _is_there(name: str) -> bool:
    try:
        return importlib.util.find_spec(name) is not None
    except (ImportError, ValueError, AttributeError):
        return False


def _home(name: str) -> str:
    home = gone()[name]
    if isinstance(home, str):
        return f"import {home}"
    try:
        return home()[1]
    except ImportError:
        return ""


if __name__ == "__main__":
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        print(json.dumps(catalogue(sys.argv[1:])))
