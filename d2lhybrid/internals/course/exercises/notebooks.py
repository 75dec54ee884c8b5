"""The notebooks with the exercises, which ``make exercises`` generates.

Each chapter has a notebook in each language, in two files with the same cells. An exercise is three cells: the task,
the answer, and the check. The answer and the check are the same in every language. The metadata of the
cells is for nbgrader; ``d2lhybrid grade`` also finds the cells by this metadata.
"""

from __future__ import annotations

import argparse
import itertools
import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from d2lhybrid.util import config

from ...support.filesystem import write_text
from ...support.words import translate
from .catalogue import Chapter, chapters, exercises
from .exercise import PRELUDE, Exercise

__all__ = [
    "LANGUAGES",
    "answer_id",
    "check_id",
    "notebook_of",
    "notebook_text",
    "plain_notebook",
    "write_all",
    "write_notebooks",
]

_ENGLISH = """\
# Exercises {number}: {title}

Read the task, and replace the `...` in the answer cell. Run the answer cell, and then the check in the cell below
it. The check calls your answer with new random inputs, and names the requirement that your answer doesn't meet. If
you are stuck, run `ex("{first}").hint()` in a new cell. Each call shows one more hint. `ex("{first}").solution()`
shows one possible solution.

The answer cells are independent: except for the imports below, each answer cell must define everything that it uses.
Your results are stored on this computer, and aren't sent anywhere. `progress()` shows your results."""
_CHINESE = """\
# 练习 {number}：{title}

先读题目，把 `...` 换成你的答案，运行这个单元格，再运行它下面的检查。检查用新的随机输入测试答案，
并指出哪一条要求没有满足。做不下去的时候，在新的单元格里运行 `ex("{first}").hint()`，
每运行一次多给一条提示；`ex("{first}").solution()` 显示参考解法。

每个答案单元格都是独立的：除了下面导入的内容，答案用到的一切都要在同一个单元格里定义。
你的结果只保存在这台计算机上，不会发到任何地方；`progress()` 显示进度。"""

#: Language of our chapters' notebooks -> folder of the exercises, relative to the folder of the course.
LANGUAGES = {"en": "exercises", "zh": "zh/exercises"}

#: Language -> introduction of a notebook, and text about an exercise's points.
_INTRODUCTIONS = {"en": _ENGLISH, "zh": _CHINESE}
_POINTS = {"en": ("1 point", "{} points"), "zh": ("1 分", "{} 分")}
#: The code that sets the language of hints and checks.
_CONFIG = 'import d2lhybrid as mx\n\nmx.config(lang="{}")'


def answer_id(number: str) -> str:
    """Return nbgrader's identifier of an answer cell.

    Examples
    --------
    >>> answer_id("03.1")
    'answer-03-1'
    """
    return f"answer-{number.replace('.', '-')}"


def check_id(number: str) -> str:
    """Return nbgrader's identifier of a check's cell.

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


def _cells_of(exercise: Exercise, lang: str) -> list[tuple[str, str, str, dict[str, Any]]]:
    """Return the type, the id, the source, and the metadata of each cell of an exercise."""
    points = _POINTS[lang][exercise.points != 1].format(exercise.points)
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


def plain_notebook(chapter: Chapter, lang: str | None = None) -> dict[str, Any]:
    """Return a chapter's notebook as a JSON-compatible dictionary.

    Parameters
    ----------
    chapter : Chapter
        The chapter whose exercises the notebook contains.
    lang : str, optional
        Language of the notebook; by default, the language of the chapter.

    Returns
    -------
    dict
        The notebook without outputs, with stable cell ids.
    """
    lang = lang or chapter.lang
    with config(lang=lang):
        cells = _cells(chapter, lang)
    cells.append(("code", "progress", "progress()", {}))
    without_outputs: dict[str, dict[str, Any]] = {"markdown": {}, "code": {"execution_count": None, "outputs": []}}
    kernel = {"display_name": "Python 3 (ipykernel)", "language": "python", "name": "python3"}
    return {
        "cells": [
            {"cell_type": kind, "id": name, "metadata": metadata, "source": source, **without_outputs[kind]}
            for kind, name, source, metadata in cells
        ],
        "metadata": {"kernelspec": kernel},
        "nbformat": 4,
        "nbformat_minor": 5,
    }


def _cells(chapter: Chapter, lang: str) -> list[tuple[str, str, str, dict[str, Any]]]:
    found = exercises(chapter)
    title = translate(chapter.title)
    introduction = _INTRODUCTIONS[lang].format(number=chapter.number, title=title, first=found[0].number)
    imports = PRELUDE.replace(last := "from d2lhybrid.gluon", f"from d2lhybrid.exercises import ex, progress\n{last}")
    cells = [("markdown", "introduction", introduction, {})]
    if lang != "en":
        cells.append(("code", "language", _CONFIG.format(lang), {}))
    cells.append(("code", "imports", imports.strip(), {}))
    return cells + [cell for exercise in found for cell in _cells_of(exercise, lang)]


def notebook_text(chapter: Chapter) -> str:
    """Return the JSON text of a chapter's notebook file."""
    notebook = plain_notebook(chapter)
    for cell in notebook["cells"]:
        cell["source"] = cell["source"].splitlines(keepends=True)
    return json.dumps(notebook, ensure_ascii=False, indent=1, sort_keys=True) + "\n"


def write_notebooks(chapters: Iterable[Chapter], folder: Path) -> list[Path]:
    """Write the notebooks of chapters to a folder, where they replace earlier files, and return their paths.

    Parameters
    ----------
    chapters : iterable of Chapter
        The chapters whose notebooks to write.
    folder : Path
        Target folder, created if necessary.
    """
    folder.mkdir(parents=True, exist_ok=True)
    written = []
    for chapter in chapters:
        written.append(folder / f"{file_name(chapter)}.ipynb")
        write_text(written[-1], notebook_text(chapter))
    return written


def notebook_of(chapter: Chapter, lang: str = "en") -> Any:
    """Return a chapter's notebook in a language, with the metadata by which Jupytext pairs the notebook's two forms."""
    import nbformat

    notebook = nbformat.from_dict(plain_notebook(chapter, lang))
    notebook.metadata["jupytext"] = nbformat.from_dict(
        {
            "formats": "ipynb,text//md:myst",
            "notebook_metadata_filter": "-jupytext.text_representation.jupytext_version",
        }
    )
    return notebook


def file_name(chapter: Chapter) -> str:
    """Return the name of a chapter's notebook without its suffix."""
    return f"{chapter.number}_{chapter.folder}"


def forms_of(chapter: Chapter) -> tuple[str, str]:
    """Return the paths of a chapter's notebook and its text form, relative to the folder of the exercises."""
    return f"{file_name(chapter)}.ipynb", f"text/{file_name(chapter)}.md"


def write_all(folder: Path) -> list[Path]:
    """Write the notebooks of all chapters of this package, in every language, as ``.ipynb`` and as text.

    Parameters
    ----------
    folder : Path
        Folder of the course. :data:`LANGUAGES` names the subfolder of each language.

    Returns
    -------
    list of Path
        Paths of the written files.
    """
    import jupytext

    written = []
    for lang, chapter in itertools.product(LANGUAGES, chapters(installed=False)):
        notebook = notebook_of(chapter, lang)
        for name, form in zip(forms_of(chapter), ("ipynb", "md:myst"), strict=True):
            path = folder / LANGUAGES[lang] / name
            path.parent.mkdir(parents=True, exist_ok=True)
            text = jupytext.writes(notebook, fmt=form)
            write_text(path, text if text.endswith("\n") else text + "\n")
            written.append(path)
    return written


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument(
        "folder", nargs="?", type=Path, default=Path("notebooks"), help="folder of the course (default: notebooks)"
    )
    write_all(parser.parse_args().folder)
