"""What a student has handed in: the answer cells of a notebook, whatever else is in it."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ..exercises import exercises

__all__ = ["Submission", "numbers_to_mark", "read_all", "read_submission"]

MAX_BYTES = 20_000_000
MAX_CELL = 100_000
_CHECK = re.compile(r"""ex\(\s*["'](\d\d\.\d+)["']\s*\)\s*\.\s*check\(""")


@dataclass(frozen=True)
class Submission:
    """The answers in a notebook.

    Attributes
    ----------
    name : str
        Whose it is: the file's name without its ending.
    answers : dict
        Number of an exercise -> its code cells, each with whether it is the answer cell itself.
    problem : str
        Why there are no answers, if the file cannot be read.
    """

    name: str
    answers: dict[str, list[tuple[str, bool]]] = field(default_factory=dict)
    problem: str = ""


def read_submission(path: Path, name: str | None = None) -> Submission:
    """Read a notebook.

    Parameters
    ----------
    path : Path
        The file.
    name : str, optional
        Whose it is.

    Returns
    -------
    Submission
        With a problem and no answers if the file is no notebook.
    """
    name = path.stem if name is None else name
    try:
        if path.stat().st_size > MAX_BYTES:
            return Submission(name, problem=f"the file is larger than {MAX_BYTES // 10**6} MB")
        notebook = json.loads(path.read_text("utf-8"))
        cells = [_cell(cell) for cell in notebook["cells"]]
    except OSError as error:
        return Submission(name, problem=f"the file cannot be read ({error.strerror or error})")
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return Submission(name, problem="this is not a notebook")
    return Submission(name, _answers(cells))


def read_all(paths: Sequence[Path]) -> list[Submission]:
    """Read notebooks; those of the same file name are told apart by their folders."""
    stems = Counter(path.stem for path in paths)
    return [
        read_submission(path, path.stem if stems[path.stem] == 1 else str(path.with_suffix("")).lstrip("./"))
        for path in paths
    ]


def numbers_to_mark(submissions: Sequence[Submission], asked: Sequence[str] = ()) -> list[str]:
    """Return which exercises count.

    Parameters
    ----------
    submissions : sequence of Submission
        What was handed in.
    asked : sequence of str
        Numbers of exercises or of chapters. By default, whatever more than half of the readable notebooks hold: so a
        single student neither adds an exercise for all nor takes one away.

    Raises
    ------
    ValueError
        If there is no such exercise.
    """
    known = [e.number for e in exercises()]
    if asked:
        wrong = [a for a in asked if not any(n == a or n.partition(".")[0] == a for n in known)]
        if wrong:
            raise ValueError(f"there is no exercise or chapter {', '.join(wrong)}")
        return [n for n in known if n in asked or n.partition(".")[0] in asked]
    readable = [s for s in submissions if not s.problem]
    return [n for n in known if sum(n in s.answers for s in readable) * 2 > len(readable)]


def _cell(cell: dict[str, Any]) -> tuple[str, str, str]:
    """Return (type, source, grade id) of a cell."""
    source = cell["source"]
    source = source if isinstance(source, str) else "".join(source)
    metadata = cell.get("metadata", {}).get("nbgrader", {})
    return str(cell["cell_type"]), source[:MAX_CELL], str(metadata.get("grade_id", ""))


def _answers(cells: list[tuple[str, str, str]]) -> dict[str, list[tuple[str, bool]]]:
    """Return the answers: the cells between the text of an exercise and its check.

    nbgrader's metadata says which cell is which. Programs that drop it leave the order, and the text of the checks.
    """
    known = {e.number for e in exercises()}
    answers: dict[str, list[tuple[str, bool]]] = {}
    waiting: list[tuple[str, bool]] = []
    for kind, source, grade_id in cells:
        if kind != "code":
            if source.lstrip().startswith("## "):
                waiting = []
            continue
        checked = _checked(source, grade_id)
        if checked is None:
            waiting.append((source, grade_id.startswith("answer-")))
            continue
        if checked in known:
            if waiting and not any(is_answer for _, is_answer in waiting):
                waiting = [(text, i == len(waiting) - 1) for i, (text, _) in enumerate(waiting)]
            answers.setdefault(checked, waiting)
        waiting = []
    return answers


def _checked(source: str, grade_id: str) -> str | None:
    """Return the number of the exercise that a cell checks, None if it is no check."""
    if grade_id.startswith("check-"):
        return grade_id.removeprefix("check-").replace("-", ".")
    if grade_id:
        return None
    lines = [line for line in source.splitlines() if line.strip()]
    found = _CHECK.match(lines[0].strip()) if len(lines) == 1 else None
    return found[1] if found else None
