"""A class of thirty, a folder each: ``python -m tests.class_of_thirty FOLDER`` makes it for all chapters."""

from __future__ import annotations

import copy
import io
import json
import sys
import zipfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from d2lhybrid.exercises import chapters, exercises
from d2lhybrid.school.course import original
from d2lhybrid.school.exercises.notebooks import answer_id, file_name, plain_notebook

__all__ = ["Expected", "make_class"]

Notebook = dict[str, Any]
#: Number of an exercise -> the answer that stands there; the starter where there is none.
Answers = dict[str, str]
#: A student's files: path in the folder -> content.
Files = dict[str, bytes]
#: Points, and how many exercises need a look.
Expected = tuple[float, int]


class _Course:
    """The chapters that count."""

    def __init__(self, numbers: Sequence[str]) -> None:
        self.chapters = [chapter for chapter in chapters(installed=False) if chapter.number in numbers]
        self.exercises = [exercise for chapter in self.chapters for exercise in exercises(chapter)]

    def solutions(self, count: int | None = None, chapter: str = "") -> Answers:
        """Return the solutions of all exercises, of the first ones in each chapter, or of one chapter."""
        return {
            exercise.number: exercise.solution_code.strip()
            for one in self.chapters
            for exercise in exercises(one)[:count]
            if one.number.startswith(chapter)
        }

    def points(self, answers: Answers) -> float:
        return sum(exercise.points for exercise in self.exercises if exercise.number in answers)

    def notebooks(self, answers: Answers, lang: str = "en") -> dict[str, Notebook]:
        """Return name of a file -> a notebook with these answers."""
        found = {}
        labels = {answer_id(exercise.number): exercise for exercise in self.exercises}
        for chapter in self.chapters:
            notebook = copy.deepcopy(plain_notebook(chapter, lang))
            for cell in notebook["cells"]:
                exercise = labels.get(cell["metadata"].get("nbgrader", {}).get("grade_id", ""))
                if exercise is not None:
                    cell["source"] = answers.get(exercise.number, cell["source"])
            found[f"{file_name(chapter)}.ipynb"] = notebook
        return found


def _saved(notebooks: dict[str, Notebook], change: Callable[[Notebook], object] = lambda notebook: None) -> Files:
    for notebook in notebooks.values():
        change(notebook)
    return {name: json.dumps(notebook, ensure_ascii=False, indent=1).encode() for name, notebook in notebooks.items()}


def _vs_code(notebook: Notebook) -> None:
    """As VS Code saves it: no ids, lines, a kernel of its own, what was printed."""
    for cell in notebook["cells"]:
        cell.pop("id")
        cell["source"] = cell["source"].splitlines(True)
        if cell["cell_type"] == "code":
            cell["execution_count"] = 3
            cell["outputs"] = [{"output_type": "stream", "name": "stdout", "text": ["[1, 2]\n"]}]
    notebook["metadata"] = {"kernelspec": {"display_name": ".venv", "language": "python", "name": "python3"},
                            "language_info": {"name": "python", "version": "3.12.3"}}  # fmt: skip
    notebook["nbformat_minor"] = 2


def _colab(notebook: Notebook) -> None:
    """As Colab saves it: ids in the metadata, nbgrader's gone, a cell that installs and one that mounts a drive."""
    for i, cell in enumerate(notebook["cells"]):
        cell.pop("id")
        cell["source"] = cell["source"].splitlines(True)
        cell["metadata"] = {"id": f"aBc{i}", "outputId": "6f", "colab": {"base_uri": "https://localhost:8080/"}}
    mount = ["!pip install d2lhybrid\n", "from google.colab import drive\n", "drive.mount('/content/drive')"]
    notebook["cells"].insert(0, {"cell_type": "code", "metadata": {"id": "x"}, "source": mount, "outputs": [],
                                 "execution_count": None})  # fmt: skip
    notebook["metadata"] = {"colab": {"provenance": []}, "kernelspec": {"name": "python3"}}
    notebook["nbformat_minor"] = 0


def _script(notebook: Notebook) -> bytes:
    """As VS Code exports it to Python."""
    texts = []
    for cell in notebook["cells"]:
        lines = cell["source"].split("\n")
        texts.append("# %%\n" + "\n".join(lines) if cell["cell_type"] == "code" else
                     "# %% [markdown]\n" + "\n".join(f"# {line}" for line in lines))  # fmt: skip
    return "\n\n".join(texts).encode()


def _zip(files: Files) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return stream.getvalue()


def _course_copy(files: Files, lang: str = "en") -> Files:
    """Return what is in a whole copy of the course: lessons, exercises in both languages, and these among them."""
    everything = {path.relative_to(original()).as_posix(): path.read_bytes() for path in original().rglob("*.ipynb")
                  if ".ipynb_checkpoints" not in path.parts}  # fmt: skip
    folder = {"en": "exercises", "zh": "zh/exercises"}[lang]
    return everything | {f"{folder}/{name}": content for name, content in files.items()}


def _students(course: _Course) -> dict[str, tuple[Files, Expected]]:
    nothing: Answers = {}
    all_, half, first = course.solutions(), course.solutions(2), course.solutions(chapter=course.chapters[0].number)
    emptied = {exercise.number: "" for exercise in course.exercises}
    remarks = {exercise.number: "# I do not know" for exercise in course.exercises}
    undotted = {exercise.number: exercise.starter.replace("...", "").strip() for exercise in course.exercises}
    hard_coded = {exercise.number: exercise.solution_code.strip() for exercise in course.exercises[:-1]}
    last = course.exercises[-1]
    hard_coded[last.number] = "raise ValueError('does not work')"

    def made(answers: Answers, change: Callable[[Notebook], object] = lambda notebook: None, lang: str = "en") -> Files:
        return _saved(course.notebooks(answers, lang), change)

    def renamed(files: Files, pattern: str) -> Files:
        return {pattern.format(name): content for name, content in files.items()}

    def without_answers(notebook: Notebook) -> None:
        notebook["cells"] = [
            c for c in notebook["cells"] if c["metadata"].get("nbgrader", {}).get("solution") is not True
        ]

    whole, part = course.points(all_), course.points(half)
    one = course.points(first)
    scripts = {name.replace(".ipynb", ".py"): _script(notebook) for name, notebook in course.notebooks(half).items()}
    first_file, *_ = course.notebooks(nothing)
    cut_off = made(all_) | {first_file: made(all_)[first_file][:900]}
    twice = made(half) | {first_file.replace(".ipynb", " (1).ipynb"): made(nothing)[first_file]}
    blank = (0, 0)
    return {
        "ann": (made(all_), (whole, 0)),
        "bob": (made(nothing), blank),
        "chen 晨": (made(nothing, lang="zh"), blank),
        "dora": (made(half), (part, 0)),
        "emre": (made(half, lang="zh"), (part, 0)),
        "fatima": (made(all_, _vs_code), (whole, 0)),
        "george": (made(nothing, _vs_code), blank),
        "hana": (made(half, _vs_code), (part, 0)),
        "ivan": (renamed(made(all_, _colab), "Copy of {}"), (whole, 0)),
        "jun": (renamed(made(nothing, _colab), "Copy of {}"), blank),
        "kofi": (made(half, _colab, lang="zh"), (part, 0)),
        "lea": (_course_copy(made(all_)), (whole, 0)),
        "mia": (_course_copy(made(half, lang="zh"), "zh"), (part, 0)),
        "noor": (_course_copy(made(nothing)), blank),
        "olga": ({first_file: made(first)[first_file]}, (one, 0)),
        "pedro": ({first_file: made(nothing)[first_file]}, blank),
        "quinn": (scripts, (part, 0)),
        "rosa": ({"answers.zip": _zip(made(all_))}, (whole, 0)),
        "søren": ({"course.zip": _zip(_course_copy(made(half)))}, (part, 0)),
        "tomás": (made(emptied), blank),
        "uma": (made(remarks), blank),
        "vera": (made(undotted), blank),
        "wei": (made(nothing, without_answers), blank),
        "xin": (made(half, lambda notebook: notebook.update(nbformat_minor=4)), (part, 0)),
        "yusuf": (twice, (part, 0)),
        "zoe": (renamed(made(half), "week/{}"), (part, 0)),
        "Åsa Öberg": (made(all_, _vs_code, lang="zh"), (whole, 0)),
        "Jane Doe": (made(hard_coded), (whole - last.points, 0)),
        "O'Brien": (renamed(made(first), "my {}"), (one, 0)),
        "late": (cut_off, (whole - one, len(exercises(course.chapters[0])))),
    }


def make_class(folder: Path, numbers: Sequence[str]) -> dict[str, Expected]:
    """Write a class of thirty.

    Parameters
    ----------
    folder : Path
        Where to: a folder for each student.
    numbers : sequence of str
        The chapters that they were given.

    Returns
    -------
    dict
        Student -> points, and how many exercises need a look.
    """
    expected = {}
    for name, (files, mark) in _students(_Course(numbers)).items():
        expected[name] = mark
        for path, content in files.items():
            target = folder / name / path
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(content)
    return expected


if __name__ == "__main__":
    for student, mark in make_class(
        Path(sys.argv[1]), [chapter.number for chapter in chapters(installed=False)]
    ).items():
        print(student, *mark, sep="\t")
