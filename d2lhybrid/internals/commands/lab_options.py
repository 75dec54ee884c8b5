"""The options of ``d2lhybrid lab`` that d2lhybrid does not define and passes to JupyterLab, with their values."""

from __future__ import annotations

import functools
from collections.abc import Sequence

__all__ = ["split"]

#: Options of ``d2lhybrid lab`` itself.
_OURS = ("-h", "--help", "--no-browser", "--version")


def split(typed: Sequence[str]) -> tuple[list[str], list[str]]:
    """Split a command line into the arguments of d2lhybrid and the arguments of JupyterLab.

    Parameters
    ----------
    typed : sequence of str
        Arguments of the command line, starting with ``lab``.

    Returns
    -------
    tuple of (list of str, list of str)
        The arguments of d2lhybrid, and the arguments of JupyterLab.

    Examples
    --------
    >>> split(["lab", "--port", "8890", "lessons", "--no-browser", "--ServerApp.token=a", "--debug"])
    (['lab', 'lessons', '--no-browser'], ['--port', '8890', '--ServerApp.token=a', '--debug'])
    """
    ours, others = [], []
    words = list(typed)
    while words:
        word = words.pop(0)
        if word == "--":  # all arguments after it are positional
            ours += [word, *words]
            break
        if not word.startswith("-") or word == "-" or word in _OURS:
            ours.append(word)
            continue
        others.append(word)
        takes_value = "=" not in word and word.lstrip("-") not in _flags()
        if takes_value and words and not words[0].startswith("-"):
            others.append(words.pop(0))
    return ours, others


@functools.cache
def _flags() -> frozenset[str]:
    """Return the options of JupyterLab that have no value."""
    try:
        from jupyterlab.labapp import LabApp
    except Exception:  # JupyterLab is missing or broken, which is reported on start
        return frozenset({"debug", "y", "allow-root", "autoreload", "dev-mode", "core-mode", "show-config"})
    return frozenset({*LabApp.flags, "help-all", "version", "generate-config", "show-config", "show-config-json", "y"})
