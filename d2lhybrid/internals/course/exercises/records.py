"""Records of the user's progress, one small file for each exercise.

The files are in the system's folder for application data, or in the folder that the environment variable
``D2LHYBRID_DATA`` names. Answers are not stored, and nothing is sent anywhere.
"""

from __future__ import annotations

import dataclasses
import json
import os
import sys
import warnings
from dataclasses import dataclass
from pathlib import Path

from d2lhybrid.error import MXNetError

from ...support.display import Shown
from ...support.filesystem import write_text
from .results import State

__all__ = ["Record", "folder", "note_check", "note_hint", "note_solution", "read"]

_ORDER = [State.NOT_ATTEMPTED, State.ERROR, State.WRONG, State.RIGHT]


@dataclass(frozen=True, repr=False)
class Record(Shown):
    """The record of one exercise.

    Attributes
    ----------
    best : State
        The best state so far.
    checks : int
        Number of checks.
    hints : int
        Number of hints that were displayed.
    solution : bool
        Whether the solution was displayed before the exercise was solved.
    """

    best: State = State.NOT_ATTEMPTED
    checks: int = 0
    hints: int = 0
    solution: bool = False


def folder() -> Path:
    """Return the path of the records' folder, which may not exist yet."""
    if named := os.environ.get("D2LHYBRID_DATA"):
        return Path(named) / "exercises"
    if sys.platform == "win32":
        base = Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local")
    elif sys.platform == "darwin":
        base = Path.home() / "Library" / "Application Support"
    else:
        base = Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share")
    return base / "d2lhybrid" / "exercises"


def read(number: str) -> Record:
    """Return the record of an exercise, or an empty record if the file is missing or, with a warning, unreadable."""
    try:
        data = json.loads((folder() / f"{number}.json").read_text("utf-8"))
        return Record(State(data["best"]), int(data["checks"]), int(data["hints"]), bool(data["solution"]))
    except (FileNotFoundError, NotADirectoryError):
        return Record()
    except (OSError, ValueError, KeyError, TypeError):
        warnings.warn(f"The record of exercise {number} in {folder()} cannot be read, so it is reset.", stacklevel=3)
        return Record()


def _write(number: str, record: Record) -> None:
    data = {**dataclasses.asdict(record), "best": record.best.value}
    try:
        folder().mkdir(parents=True, exist_ok=True)
        write_text(folder() / f"{number}.json", json.dumps(data))
    except (OSError, MXNetError) as error:  # exercises also work without a writable folder
        warnings.warn(f"The progress of exercise {number} cannot be stored: {error}", stacklevel=3)


def note_check(number: str, state: State) -> None:
    """Record the state of a checked answer, unless the exercise was not attempted."""
    record = read(number)
    if state is State.NOT_ATTEMPTED:
        return
    best = max(record.best, state, key=_ORDER.index)
    _write(number, dataclasses.replace(record, best=best, checks=record.checks + 1))


def note_hint(number: str, available: int) -> int:
    """Record that one more hint is displayed, and return the number of displayed hints, at most `available`."""
    record = read(number)
    shown = min(record.hints + 1, available)
    _write(number, dataclasses.replace(record, hints=shown))
    return shown


def note_solution(number: str) -> None:
    """Record that the solution was displayed, unless the exercise has been solved."""
    record = read(number)
    if record.best is not State.RIGHT:
        _write(number, dataclasses.replace(record, solution=True))
