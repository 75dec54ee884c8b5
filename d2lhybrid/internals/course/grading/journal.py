"""The journal of marks, which grows during a run, so that a stopped run can resume."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from d2lhybrid import __version__
from d2lhybrid.error import MXNetError

from ...support.filesystem import open_file
from ..exercises.results import Part
from .growing_file import GrowingFile
from .marks import Limits, Mark, Report
from .submission import Submission

__all__ = ["Journal", "Plan", "journal_path", "read_plan"]


class Plan:
    """The settings of a marking run. Two runs with the same plan use the same limits and the same inputs.

    Parameters
    ----------
    numbers : sequence of str
        Numbers of the exercises to mark.
    limits : Limits
        Limits for each answer.
    seed : int
        Seed of the random inputs.
    """

    numbers: list[str]
    limits: Limits
    seed: int

    def __init__(self, numbers: Sequence[str], limits: Limits, seed: int) -> None:
        self.numbers, self.limits, self.seed = list(numbers), limits, seed

    def to_data(self) -> dict[str, Any]:
        """Return the plan as a JSON-compatible dictionary."""
        return {
            "version": __version__,
            "exercises": self.numbers,
            "seconds": self.limits.seconds,
            "memory": self.limits.memory,
            "checking": self.limits.checking,
            "seed": self.seed,
        }

    def differences(self, data: dict[str, Any]) -> list[str]:
        """Return a clause for each setting that differs from the :meth:`to_data` of an earlier plan."""
        return [f"the value of {name} was {data.get(name)} and is now {value}"
                for name, value in self.to_data().items() if data.get(name) != value]  # fmt: skip


def journal_path(table: Path) -> Path:
    """Return the path of the journal that belongs to a table of marks.

    Examples
    --------
    >>> str(journal_path(Path("marks.csv")))
    'marks-journal.jsonl'
    """
    return table.with_name(f"{table.stem}-journal.jsonl")


def read_plan(path: Path) -> dict[str, Any]:
    """Return the plan in a journal as a dictionary.

    Raises
    ------
    MXNetError
        If the file cannot be read or is not a journal.
    """
    with open_file(path) as (stream, _):
        first = stream.readline(1 << 20)
    try:
        data = json.loads(first)["plan"]
        return {**data, "exercises": list(data["exercises"]), "seed": int(data["seed"])}
    except (ValueError, KeyError, TypeError, RecursionError):
        raise MXNetError(f'"{path}" is not a marking journal') from None


def _key(submission: Submission) -> str:
    """Return a key that identifies a submission, from its name and its content."""
    return hashlib.sha256(json.dumps(asdict(submission), sort_keys=True).encode()).hexdigest()


def _mark(data: dict[str, Any]) -> Mark:
    """Return a mark from plain data."""
    return Mark(**{**data, "parts": [Part(**part) for part in data.get("parts", ())]})


class Journal:
    """The reports of a run, in a file with one line for each report.

    Parameters
    ----------
    path : Path
        Path of the file.
    plan : Plan
        Settings of the run.
    resume : bool
        Whether to continue an existing file. If not, an existing file is renamed; its new name ends with ``~``.

    Raises
    ------
    MXNetError
        If the file cannot be written or belongs to another run.
    """

    path: Path
    plan: Plan

    def __init__(self, path: Path, plan: Plan, *, resume: bool = False) -> None:
        self.path, self.plan = path, plan
        self._found: dict[str, Report] = {}
        self._file = GrowingFile(path)
        try:
            if self._file.lines() and not resume:
                self._set_aside()
            self._begin()
        except BaseException:
            self._file.close()
            raise

    def _set_aside(self) -> None:
        older = self.path.with_name(f"{self.path.name}~")
        try:
            os.replace(self.path, older)
        except OSError as error:
            raise MXNetError(
                f"The earlier journal {self.path} cannot be renamed to {older.name}: {error.strerror}"
            ) from None
        self._file.close()
        self._file = GrowingFile(self.path)

    def _begin(self) -> None:
        first, *others = self._file.lines() or [b""]
        if not first:
            self._file.add(json.dumps({"plan": self.plan.to_data()}).encode())
            return
        differences = self.plan.differences(read_plan(self.path))
        if differences:
            raise MXNetError(
                f"the journal {self.path} was written with different settings: {'; '.join(differences)}. Pass the "
                "earlier settings, or run the command without --resume"
            )
        for line in others:
            with contextlib.suppress(ValueError, KeyError, TypeError):  # submissions in damaged lines are marked again
                data = json.loads(line)
                marks = [_mark(mark) for mark in data["report"].pop("marks")]
                self._found[data["key"]] = Report(marks=marks, **data["report"])

    def find(self, submission: Submission) -> Report | None:
        """Return the report of an identical submission that was marked before, or None if there is none."""
        return self._found.get(_key(submission))

    def add(self, submission: Submission, report: Report) -> None:
        """Append a report to the file and flush it to the disk, unless the machine that marked the submission failed.

        Raises
        ------
        MXNetError
            If the journal cannot be written.
        """
        if report.lost:
            return
        key = _key(submission)
        self._found[key] = report
        self._file.add(json.dumps({"key": key, "report": asdict(report)}).encode())

    def close(self) -> None:
        """Close the journal's file."""
        self._file.close()

    def __enter__(self) -> Journal:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
