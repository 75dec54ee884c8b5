"""What has to hold of every statement, with habits and without."""

from __future__ import annotations

import importlib.util
import json
import subprocess
import sys
from pathlib import Path

from .run import MODULES

#: Given back for the whole library when it is imported: that a program relies on it cannot be seen.
_UNSEEN = ("assert df.dtypes[df.dtypes!='object'].index.tolist()==['a']",)

_ROOT = Path(__file__).resolve().parents[2]


def installed() -> list[str]:
    """Return the libraries that are here."""
    return [name for name, module in MODULES.items() if importlib.util.find_spec(module) is not None]


def _run(library: str, how: str) -> list[tuple[str, str, int]]:
    done = subprocess.run(
        [sys.executable, "-m", "tests.habits.run", library, how], cwd=_ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout.splitlines()[-1])


def check(library: str) -> tuple[int, int, list[str]]:
    """Run the statements of one library.

    Parameters
    ----------
    library : str
        Its name in ``statements.txt``.

    Returns
    -------
    tuple of int, int and list of str
        How many statements there are, how many today's library refuses, and what is wrong: statements that fail with
        habits, and those that are refused without and relied on nothing with them.
    """
    without, given_back = _run(library, "without"), _run(library, "with")
    wrong = []
    for (statement, refused, _), (_, error, relied) in zip(without, given_back, strict=True):
        if error:
            wrong.append(f"{statement}: {error}")
        elif refused and not relied and statement not in _UNSEEN:
            wrong.append(f"{statement}: nothing is noted")
    return len(without), sum(bool(refused) for _, refused, _ in without), wrong
