"""The current folder, which the command does not import from.

``python -m d2lhybrid`` puts the current folder at the top of Python's search path, and an empty entry of ``PYTHONPATH``
does so for any program. Marking in a folder of submissions would then run a student's ``random.py``. This module
imports nothing that is not part of the interpreter, and is the first that the package imports.
"""

import os
import sys

__all__ = ["absolute_entries", "forget_current_folder"]

#: What the command is called where it is installed.
_SCRIPTS = ("d2lhybrid", "d2lhybrid.exe", "d2lhybrid-script.py")


def _runs_command() -> bool:
    """Return whether this process is the command, and not a program that imports the package."""
    words: list[str] = getattr(sys, "argv", [])
    if words[:1] != ["-m"]:  # what stands there until the package is loaded
        return bool(words) and os.path.basename(words[0]) in _SCRIPTS
    module = sys.orig_argv[len(sys.orig_argv) - len(words)]
    return module == "d2lhybrid" or (module.startswith("-") and module.endswith("md2lhybrid"))


def forget_current_folder() -> None:
    """Take the current folder off the search path if this process is the command.

    What stands behind Python's own library stays: such an entry comes from an installed package (a course that was
    installed with ``--editable``), and hides nothing.
    """
    if not _runs_command():
        return
    try:
        library = sys.path.index(os.path.dirname(os.__file__))
    except ValueError:
        library = len(sys.path)
    here = os.path.realpath(os.curdir)
    sys.path[:library] = [entry for entry in sys.path[:library] if os.path.realpath(entry) != here]


def absolute_entries(search_path: str) -> list[str]:
    """Return the entries of a ``PYTHONPATH`` that mean the same folder wherever a process is started.

    Parameters
    ----------
    search_path : str
        Folders, as the system separates them.

    Returns
    -------
    list of str
        Those that are absolute, without the current folder.

    Examples
    --------
    >>> absolute_entries(os.pathsep.join(["", "lib", os.getcwd()]))
    []
    """
    here = os.path.realpath(os.curdir)
    entries = search_path.split(os.pathsep)
    return [entry for entry in entries if os.path.isabs(entry) and os.path.realpath(entry) != here]
