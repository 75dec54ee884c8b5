"""The removal of the current folder from Python's search path if the command ``d2lhybrid`` runs.

``python -m d2lhybrid`` puts the current folder at the beginning of Python's search path. For any program, an empty
entry of ``PYTHONPATH`` has the same effect. Grading in a folder of submissions would then import a student's
``random.py``. This module imports only modules of the interpreter, and it is the first module that the package imports.
"""

import os
import sys

__all__ = ["absolute_entries", "forget_current_folder"]

#: The names of the installed command.
_SCRIPTS = ("d2lhybrid", "d2lhybrid.exe", "d2lhybrid-script.py")


def _runs_command() -> bool:
    """Return whether this process runs the command, and not a program that imports the package."""
    words: list[str] = getattr(sys, "argv", [])
    if words[:1] != ["-m"]:  # Python's placeholder until the package is loaded
        return bool(words) and os.path.basename(words[0]) in _SCRIPTS
    module = sys.orig_argv[len(sys.orig_argv) - len(words)]
    return module == "d2lhybrid" or (module.startswith("-") and module.endswith("md2lhybrid"))


def forget_current_folder() -> None:
    """Remove the current folder from the search path if this process runs the command ``d2lhybrid``.

    Entries after Python's library remain. They belong to an installed package, such as a course that was installed with
    ``--editable``, and hide no module of Python.
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
    """Return the entries of a ``PYTHONPATH`` that don't depend on the folder in which a process starts.

    Parameters
    ----------
    search_path : str
        The folders, separated by the system's separator.

    Returns
    -------
    list of str
        The absolute entries, without the current folder.

    Examples
    --------
    >>> absolute_entries(os.pathsep.join(["", "lib", os.getcwd()]))
    []
    """
    here = os.path.realpath(os.curdir)
    entries = search_path.split(os.pathsep)
    return [entry for entry in entries if os.path.isabs(entry) and os.path.realpath(entry) != here]
