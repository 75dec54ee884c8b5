"""The notebooks of the exercises, written from their definitions: ``python -m d2lhybrid.school.exercises.notebooks``.

One notebook a chapter, in two files with the same cells. Each exercise is three cells: the task, the answer and the
check. The last two carry the metadata that nbgrader wants, and by which ``d2lhybrid grade`` finds them.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from ...support.filesystem import write_text
from .catalogue import Chapter, chapters, exercises
from .exercise import PRELUDE, Exercise

__all__ = ["answer_id", "check_id", "notebook_of", "write_all"]

_INTRODUCTION = """\
# Exercises {chapter.number}: {chapter.title}

Read the task, replace the `...`, run the cell with your answer, then the check below it. A check tries your answer on
fresh random inputs and says which property it lacks. Where you are stuck, put `ex("{first}").hint()` into a cell of its
own; every call gives one hint more. `ex("{first}").solution()` shows one way to do it.

Each answer cell stands on its own: beyond the imports below, what an answer needs is defined in its own cell. What you
have solved is kept on this computer and sent nowhere; `progress()` shows it."""


def answer_id(number: str) -> str:
    """Return the name under which nbgrader knows an answer cell.

    Examples
    --------
    >>> answer_id("03.1")
    'answer-03-1'
    """
    return f"answer-{number.replace('.', '-')}"


def check_id(number: str) -> str:
    """Return the name under which nbgrader knows a check.

    Examples
    --------
    >>> check_id("03.1")
    'check-03-1'
    """
    return f"check-{number.replace('.', '-')}"


def _nbgrader(grade_id: str, *, solution: bool, points: int | None = None) -> dict[str, Any]:
    metadata: dict[str, Any] = {
        "grade": points is not None,
        "grade_id": grade_id,
        "locked": not solution,
        "schema_version": 3,
        "solution": solution,
        "task": False,
    }
    if points is not None:
        metadata["points"] = points
    return {"nbgrader": metadata}


def _cells_of(exercise: Exercise) -> list[tuple[str, str, str, dict[str, Any]]]:
    """Return (type, id, source, metadata) of the cells of an exercise."""
    points = "1 point" if exercise.points == 1 else f"{exercise.points} points"
    task = f"## {exercise.number} {exercise.title}\n\n{exercise.task.strip()}\n\n*{points}*"
    name = exercise.number.replace(".", "-")
    check = f'ex("{exercise.number}").check({exercise.answer})'
    return [
        ("markdown", f"task-{name}", task, {}),
        ("code", f"answer-{name}", exercise.starter.strip(), _nbgrader(answer_id(exercise.number), solution=True)),
        (
            "code",
            f"check-{name}",
            check,
            _nbgrader(check_id(exercise.number), solution=False, points=exercise.points),
        ),
    ]


def notebook_of(chapter: Chapter) -> Any:
    """Return the notebook of a chapter, in the notebook format.

    Parameters
    ----------
    chapter : Chapter
        The chapter.

    Returns
    -------
    NotebookNode
        Without outputs, and with cell ids that stay the same.
    """
    import nbformat

    found = exercises(chapter)
    introduction = _INTRODUCTION.format(chapter=chapter, first=found[0].number)
    imports = PRELUDE.replace(last := "from d2lhybrid.gluon", f"from d2lhybrid.exercises import ex, progress\n{last}")
    cells = [("markdown", "introduction", introduction, {}), ("code", "imports", imports.strip(), {})]
    for exercise in found:
        cells += _cells_of(exercise)
    cells.append(("code", "progress", "progress()", {}))
    make = {"markdown": nbformat.v4.new_markdown_cell, "code": nbformat.v4.new_code_cell}
    notebook = nbformat.v4.new_notebook(
        cells=[make[kind](source, id=name, metadata=metadata) for kind, name, source, metadata in cells]
    )
    notebook.metadata = nbformat.from_dict(
        {
            "jupytext": {
                "formats": "ipynb,text//md:myst",
                "notebook_metadata_filter": "-jupytext.text_representation.jupytext_version",
            },
            "kernelspec": {"display_name": "Python 3 (ipykernel)", "language": "python", "name": "python3"},
        }
    )
    return notebook


def file_name(chapter: Chapter) -> str:
    """Return the name of a chapter's notebook, without its ending."""
    return f"{chapter.number}_{chapter.folder}"


def forms_of(chapter: Chapter) -> tuple[str, str]:
    """Return where a chapter's notebook and its text form lie in the folder of the exercises."""
    return f"{file_name(chapter)}.ipynb", f"text/{file_name(chapter)}.md"


def write_all(folder: Path) -> list[Path]:
    """Write the notebooks of all chapters, each in both forms.

    Parameters
    ----------
    folder : Path
        Where to.

    Returns
    -------
    list of Path
        The files.
    """
    import jupytext

    written = []
    for chapter in chapters():
        notebook = notebook_of(chapter)
        for name, form in zip(forms_of(chapter), ("ipynb", "md:myst"), strict=True):
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            text = jupytext.writes(notebook, fmt=form)
            write_text(path, text if text.endswith("\n") else text + "\n")
            written.append(path)
    return written


if __name__ == "__main__":
    write_all(Path(sys.argv[1] if len(sys.argv) > 1 else "notebooks/exercises"))
