"""A check of whether this system can confine answers, with alternatives if it cannot."""

from __future__ import annotations

import os
import shlex
import sys
from collections.abc import Sequence
from pathlib import Path

from ...support import package
from ..probing.confine import layers
from .arguments import UsageError

__all__ = ["check_protection", "container_command", "lack_of", "missing_layers"]

_NEEDED = ("Landlock", "seccomp")


def container_command(words: Sequence[str]) -> str:
    """Return a command that marks submissions in a Docker or Podman container with access to only the current folder.

    Parameters
    ----------
    words : sequence of str
        Arguments of ``d2lhybrid``.
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


def lack_of(missing: Sequence[str]) -> str:
    """Return the object of *has* in a message about one or two missing layers.

    Examples
    --------
    >>> lack_of(["seccomp"]), lack_of(["Landlock", "seccomp"])
    ('no seccomp', 'neither Landlock nor seccomp')
    """
    return f"no {missing[0]}" if len(missing) == 1 else f"neither {' nor '.join(missing)}"


def check_protection(trusted: bool) -> str:
    """Raise an error if the system cannot protect files from answers, unless the teacher trusts the submissions.

    Returns
    -------
    str
        A warning if a layer is missing and the submissions are trusted; otherwise, an empty string.

    Raises
    ------
    UsageError
        If a layer is missing, and the submissions are not trusted.
    """
    missing = missing_layers()
    if not missing:
        return ""
    if trusted:
        return (
            f"Careful: without {' and '.join(missing)}, a malicious submission can read the files of this "
            "account, including the solutions, and start programs."
        )
    words = sys.argv[1:] if Path(sys.argv[0]).name in ("d2lhybrid", "__main__.py") else ["grade", "submissions"]
    system = {"linux": "", "darwin": "macOS"}.get(sys.platform, os.uname().sysname)
    why = f" ({system} has neither)" if system and len(missing) > 1 else ""
    raise UsageError(
        f"This system has {lack_of(missing)}{why}, so a malicious answer could read the files of this account, "
        "including the solutions. You have two options.\n"
        "Mark the submissions in a container, which protects your files (podman accepts the same flags):\n    "
        f"{container_command(words)}\n"
        "Or use --trust-submissions if you have read the submissions or trust all of their authors."
    )
