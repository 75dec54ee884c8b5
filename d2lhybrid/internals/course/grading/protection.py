"""The check whether this system can confine answers, and the remedies if not."""

from __future__ import annotations

import os
import shlex
import sys
from collections.abc import Sequence
from pathlib import Path

from ...support import package
from ..probing.confine import layers
from .arguments import UsageError

__all__ = ["check_protection", "container_command", "missing_layers"]

_NEEDED = ("Landlock", "seccomp")


def container_command(words: Sequence[str]) -> str:
    """Return a command line that marks in a container of Docker or Podman, which has nothing but this folder in it.

    Parameters
    ----------
    words : sequence of str
        What follows ``d2lhybrid``.
    """
    inside = "pip install -q numpy && python -P -m d2lhybrid " + shlex.join([*words, "--trust-submissions"])
    mount = shlex.quote(f"{package.FOLDER.parent}:/package:ro")
    return (
        f'docker run --rm -v "$PWD:/class" -v {mount} -w /class -e PYTHONPATH=/package '
        f"--pids-limit 512 --memory 8g python:3.12-slim sh -c {shlex.quote(inside)}"
    )


def missing_layers() -> list[str]:
    """Return the layers of file protection that this system lacks."""
    found = layers()
    return [name for name in _NEEDED if name not in found]


def check_protection(trusted: bool) -> str:
    """Refuse to go on where the system cannot keep answers from files, unless the teacher accepts that.

    Returns
    -------
    str
        A warning; empty if there is none.

    Raises
    ------
    UsageError
        Where a layer is missing, and the submissions are not trusted.
    """
    missing = missing_layers()
    if not missing:
        return ""
    if trusted:
        return (
            f"Careful: without {' and '.join(missing)}, a submission that sets out to can read the files of this "
            "account, the solutions among them, and start programs."
        )
    words = sys.argv[1:] if Path(sys.argv[0]).name in ("d2lhybrid", "__main__.py") else ["grade", "submissions"]
    why = "" if sys.platform == "linux" else f" ({os.uname().sysname} has neither)"
    raise UsageError(
        f"This system has no {' and no '.join(missing)}{why}: an answer that sets out to could read the files of this "
        "account, the solutions among them. There are two ways on.\n"
        f"In a container, which is a wall of its own (podman takes the same words):\n    {container_command(words)}\n"
        "Or with --trust-submissions, if you have read what was handed in, or can rely on who did."
    )
