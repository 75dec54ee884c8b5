"""Submissions: the answer cells of students' notebooks."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from d2lhybrid.error import MXNetError

from ...support.filesystem import open_file
from ...support.plural import counted
from ..exercises import exercises
from .cells import Cell, TooLarge
from .finding import find
from .forms import NoNotebook, notebooks_in
from .names import names_of, stem_of, visible

__all__ = ["Submission", "held_in", "merged", "numbers_to_mark", "read_all", "read_submission"]

#: The maximum sizes of a file, and of its content without outputs, in bytes.
MAX_FILE, MAX_BYTES = 200_000_000, 20_000_000
MAX_CELL = 100_000


@dataclass(frozen=True)
class Submission:
    """The answers in a notebook.

    Attributes
    ----------
    name : str
        Name of the submission: the file's name without its suffix, and folders that identify the student.
    answers : dict
        The code cells of each exercise, by exercise number, each with a bool, which is True for the answer cell.
    problem : str
        Reason why the file cannot be read; empty if it was read.
    unclear : dict
        The reason why a person must decide on a mark if the check doesn't accept the answer, by exercise number.
    guessed : list of str
        Exercises whose answers are identified only by the name of a definition.
    written : list of str
        Exercises whose code differs from the code of the course.
    """

    name: str
    answers: dict[str, list[tuple[str, bool]]] = field(default_factory=dict)
    problem: str = ""
    unclear: dict[str, str] = field(default_factory=dict)
    guessed: list[str] = field(default_factory=list)
    written: list[str] = field(default_factory=list)

    def code(self) -> dict[str, str]:
        """Return the complete code of each exercise in the submission, by exercise number."""
        return {number: "\n\n".join(source for source, _ in cells) for number, cells in self.answers.items()}


def read_submission(path: Path, name: str | None = None) -> Submission:
    """Read the answers in a submitted file.

    Parameters
    ----------
    path : Path
        Path of a notebook, a Python file of cells, or a zip archive of notebooks.
    name : str, optional
        Name of the submission; by default, the file's name without its suffix.

    Returns
    -------
    Submission
        The submission, which has a problem and no answers if the file is unreadable, too large, or not a notebook.
    """
    name = stem_of(path) if name is None else name
    try:
        with open_file(path) as (stream, size):  # rejects pipes, which would never end
            if size > MAX_FILE:
                return Submission(name, problem=f"the file is larger than {MAX_FILE // 10**6} MB")
            return _submission(name, stream.read(size))
    except OSError as error:
        return Submission(name, problem=f"the file cannot be read ({error.strerror or error})")
    except MXNetError as error:
        return Submission(name, problem=f"the file cannot be read ({str(error).rpartition(': ')[2]})")
    except TooLarge:
        return Submission(name, problem=f"the submission is larger than {MAX_BYTES // 10**6} MB, even without outputs")
    except NoNotebook as error:
        return Submission(name, problem=str(error))
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError, MemoryError):
        return Submission(name, problem="this is not a notebook")


def read_all(paths: Sequence[Path]) -> list[Submission]:
    """Return the submissions in files; if several files have the same name, their names include the folders."""
    return [read_submission(path, name) for path, name in zip(paths, names_of(paths), strict=True)]


def numbers_to_mark(submissions: Sequence[Submission], asked: Sequence[str] = ()) -> list[str]:
    """Return the numbers of the exercises to mark.

    Parameters
    ----------
    submissions : sequence of Submission
        Submissions to mark.
    asked : sequence of str
        Numbers of exercises or chapters; by default, the exercises in more than half of the readable notebooks. Thus, a
        single student can neither add nor remove an exercise for all students.

    Raises
    ------
    ValueError
        If an exercise or chapter does not exist.
    """
    known = [e.number for e in exercises()]
    if asked:
        wrong = [a for a in asked if not any(n == a or n.partition(".")[0] == a for n in known)]
        if wrong:
            raise ValueError(f"there is no exercise or chapter {' or '.join(wrong)}")
        return [n for n in known if n in asked or n.partition(".")[0] in asked]
    readable = [s for s in submissions if not s.problem]
    return [n for n in known if sum(n in s.answers and n not in s.guessed for s in readable) * 2 > len(readable)]


def held_in(submissions: Sequence[Submission], touched: bool = False) -> dict[str, int]:
    """Return, by chapter, the number of submissions that contain answers to the chapter's exercises.

    Parameters
    ----------
    submissions : sequence of Submission
        Submissions to count.
    touched : bool
        Whether to count only chapters in which the student has written code.
    """
    held: Counter[str] = Counter()
    for submission in submissions:
        numbers = (n for n in submission.answers if n not in submission.guessed)
        held.update({n.partition(".")[0] for n in numbers if not touched or n in submission.written})
    return dict(sorted(held.items()))


def merged(name: str, parts: Sequence[tuple[str, Submission]]) -> Submission:
    """Return several files of a student as one submission; a person must decide between two answers to an exercise.

    Parameters
    ----------
    name : str
        Name of the submission.
    parts : sequence of (str, Submission)
        Name and content of each file.
    """
    problems = [f"{visible(file)}: {part.problem}" for file, part in parts if part.problem]
    if len(problems) == len(parts):
        return Submission(name, problem="; ".join(problems))
    answers: dict[str, list[tuple[str, bool]]] = {}
    unclear: dict[str, str] = {}
    guessed: list[str] = []
    written: list[str] = []
    for number in (e.number for e in exercises()):
        holders = [(file, part) for file, part in parts if number in part.answers or number in part.unclear]
        said = [holder for holder in holders if number not in holder[1].guessed]
        done = [holder for holder in said if number in holder[1].written]
        if not holders:
            if problems:
                unclear[number] = f"the file with the answer may be unreadable ({'; '.join(problems)})"
            continue
        _, chosen = (done or said or holders)[-1]
        if number in chosen.answers:
            answers[number] = chosen.answers[number]
        if number in chosen.unclear:
            unclear[number] = chosen.unclear[number]
        if len({str(part.answers.get(number)) for _, part in done}) > 1:
            files = ", ".join(visible(file) for file, _ in done)
            unclear.setdefault(number, f"there are different answers in {files}")
        guessed += [number] if not said else []
        written += [number] if done else []
    return Submission(name, answers, unclear=unclear, guessed=guessed, written=written)


def _submission(name: str, data: bytes) -> Submission:
    """Return the submission in a file."""
    parts = [(file, _of_notebook(name, cells, damaged)) for file, cells, damaged in notebooks_in(data, MAX_BYTES)]
    return parts[0][1] if len(parts) == 1 else merged(name, parts)


def _of_notebook(name: str, cells: Sequence[Cell], damaged: int) -> Submission:
    """Return the submission in a notebook."""
    answers: dict[str, list[tuple[str, bool]]] = {}
    unclear: dict[str, str] = {}
    guessed, written = [], []
    everything = find(cells)
    for number, found in everything.items():
        if found.cells is not None:
            answers[number] = found.cells
        if found.unclear:
            unclear[number] = found.unclear
        if sum(len(source) for source, _ in found.cells or ()) > MAX_CELL:
            answers[number], unclear[number] = [], f"the cells of the answer have more than {MAX_CELL} characters"
        if found.guessed:
            guessed.append(number)
        if found.written or found.unclear:
            written.append(number)
    if damaged:
        for number in (e.number for e in exercises()):
            if number not in everything or not everything[number].written:
                unclear.setdefault(number, f"{counted(damaged, 'damaged cell')} of the notebook cannot be read")
    return Submission(name, answers, unclear=unclear, guessed=guessed, written=written)
