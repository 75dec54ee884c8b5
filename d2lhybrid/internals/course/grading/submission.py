"""A submission: the answer cells of a student's notebook."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from d2lhybrid.error import MXNetError

from ...support.filesystem import open_file
from ..exercises import exercises
from .cells import Cell, TooLarge
from .finding import find
from .forms import NoNotebook, notebooks_in
from .names import names_of, stem_of, visible

__all__ = ["Submission", "held_in", "merged", "numbers_to_mark", "read_all", "read_submission"]

#: Bytes of a file, and of what is in it besides outputs.
MAX_FILE, MAX_BYTES = 200_000_000, 20_000_000
MAX_CELL = 100_000


@dataclass(frozen=True)
class Submission:
    """The answers in a notebook.

    Attributes
    ----------
    name : str
        Whose it is: the file's name without its ending, and folders that tell.
    answers : dict
        Number of an exercise -> its code cells, each with whether it is the answer cell itself.
    problem : str
        Why there are no answers, if the file cannot be read.
    unclear : dict
        Number of an exercise -> why a person has to look, unless its answer is right.
    guessed : list of str
        Exercises for which nothing speaks but the name of a definition.
    written : list of str
        Exercises in whose place there is something else than what students were given.
    """

    name: str
    answers: dict[str, list[tuple[str, bool]]] = field(default_factory=dict)
    problem: str = ""
    unclear: dict[str, str] = field(default_factory=dict)
    guessed: list[str] = field(default_factory=list)
    written: list[str] = field(default_factory=list)

    def code(self) -> dict[str, str]:
        """Return number of an exercise -> all of its code, as it was handed in."""
        return {number: "\n\n".join(source for source, _ in cells) for number, cells in self.answers.items()}


def read_submission(path: Path, name: str | None = None) -> Submission:
    """Read a submission.

    Parameters
    ----------
    path : Path
        The file: a notebook, a Python file of cells, or a zip of notebooks.
    name : str, optional
        Whose it is.

    Returns
    -------
    Submission
        With a problem and no answers if the file is no notebook.
    """
    name = stem_of(path) if name is None else name
    try:
        with open_file(path) as (stream, size):  # no pipe, which would never end
            if size > MAX_FILE:
                return Submission(name, problem=f"the file is larger than {MAX_FILE // 10**6} MB")
            return _submission(name, stream.read(size))
    except OSError as error:
        return Submission(name, problem=f"the file cannot be read ({error.strerror or error})")
    except MXNetError as error:
        return Submission(name, problem=f"the file cannot be read ({str(error).rpartition(': ')[2]})")
    except TooLarge:
        return Submission(name, problem=f"without outputs, the notebook is still larger than {MAX_BYTES // 10**6} MB")
    except NoNotebook as error:
        return Submission(name, problem=str(error))
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError, MemoryError):
        return Submission(name, problem="this is not a notebook")


def read_all(paths: Sequence[Path]) -> list[Submission]:
    """Read notebooks; folders distinguish those with the same file name."""
    return [read_submission(path, name) for path, name in zip(paths, names_of(paths), strict=True)]


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
    return [n for n in known if sum(n in s.answers and n not in s.guessed for s in readable) * 2 > len(readable)]


def held_in(submissions: Sequence[Submission], touched: bool = False) -> dict[str, int]:
    """Return each chapter, with the number of submissions that contain answers to it.

    Parameters
    ----------
    submissions : sequence of Submission
        What was handed in.
    touched : bool
        Whether only chapters count in which a student has written something.
    """
    held: Counter[str] = Counter()
    for submission in submissions:
        numbers = (n for n in submission.answers if n not in submission.guessed)
        held.update({n.partition(".")[0] for n in numbers if not touched or n in submission.written})
    return dict(sorted(held.items()))


def merged(name: str, parts: Sequence[tuple[str, Submission]]) -> Submission:
    """Return several files of one student as one submission; if one exercise has two answers, a person decides.

    Parameters
    ----------
    name : str
        Whose they are.
    parts : sequence of (str, Submission)
        The name of each file, and what is in it.
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
                unclear[number] = f"what may hold it cannot be read ({'; '.join(problems)})"
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
    """Return what is in a file."""
    parts = [(file, _of_notebook(name, cells, damaged)) for file, cells, damaged in notebooks_in(data, MAX_BYTES)]
    return parts[0][1] if len(parts) == 1 else merged(name, parts)


def _of_notebook(name: str, cells: Sequence[Cell], damaged: int) -> Submission:
    """Return what is in a notebook."""
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
            answers[number], unclear[number] = [], f"its cells have more than {MAX_CELL} characters"
        if found.guessed:
            guessed.append(number)
        if found.written or found.unclear:
            written.append(number)
    if damaged:
        for number in (e.number for e in exercises()):
            if number not in everything or not everything[number].written:
                unclear.setdefault(number, f"{damaged} damaged cells of the notebook cannot be read")
    return Submission(name, answers, unclear=unclear, guessed=guessed, written=written)
