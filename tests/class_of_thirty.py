"""A class of thirty, a folder each, and what each of them deserves.

python -m tests.class_of_thirty            # made for all chapters and marked; what is not as it should be is printed
python -m tests.class_of_thirty FOLDER     # only made
"""

from __future__ import annotations

import copy
import csv
import io
import json
import sys
import tempfile
import time
import zipfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

sys.path.insert(0, str(Path(__file__).resolve().parent))

from judged import mistakes
from own_operators import own_operators

from d2lhybrid.exercises import Exercise, State, chapters, exercises
from d2lhybrid.internals.commands.cli import main
from d2lhybrid.internals.course.course import original
from d2lhybrid.internals.course.exercises.notebooks import answer_id, file_name, plain_notebook
from d2lhybrid.internals.course.grading.marks import Mark
from d2lhybrid.internals.course.grading.weights import Weights
from d2lhybrid.internals.course.making import judge

__all__ = ["Expected", "make_class", "misread"]

Notebook = dict[str, Any]
#: Number of an exercise -> the answer that stands there; the starter where there is none.
Answers = dict[str, str]
#: A student's files: path in the folder -> content.
Files = dict[str, bytes]


class Expected(NamedTuple):
    """What a student deserves: the points, and of how many exercises something is to be said that is not "right"."""

    points: float
    needs_a_look: int = 0
    failed: int = 0


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

    def mistakes(self) -> tuple[Answers, float]:
        """Return a wrong answer to each exercise, and what all of them are worth: some are right in part."""
        answers, points = {}, 0.0
        for exercise in self.exercises:
            code, worth = _wrong_in_part(exercise)
            answers[exercise.number], points = code.strip(), points + worth
        return answers, points

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


def _wrong_in_part(exercise: Exercise) -> tuple[str, float]:
    """Return the mistake that is worth most, of those that a check judges to the end, and what it is worth."""
    found = []
    for mistake in mistakes(exercise):
        try:
            with own_operators():
                result = judge(exercise, mistake.code, seed=1)
        except Exception:  # a cell that does not run at all is tried by another student
            continue
        if result.state is State.WRONG:
            mark = Mark(exercise.number, result.state.value, 0, exercise.points, result.message, parts=[*result.parts])
            found.append((Weights().weighed(mark).points, mistake.code))
    points, code = max(found, key=lambda one: one[0])
    return code, points


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


def _added(source: str, place: int, kind: str = "code") -> dict[str, Any]:
    """Return a cell that somebody has added."""
    cell: dict[str, Any] = {"cell_type": kind, "metadata": {}, "id": f"added-{place}", "source": source}
    return cell | ({"outputs": [], "execution_count": 1} if kind == "code" else {})


def _with_trials(notebook: Notebook) -> None:
    """With cells between: what did not work, what shows a result, and remarks."""
    cells = []
    for i, cell in enumerate(notebook["cells"]):
        if cell["metadata"].get("nbgrader", {}).get("solution"):
            cells += [_added("x = nd.ones((2, 3))\nx.no_such_method()", 3 * i), cell]
            cells += [_added("print(mx.__version__)", 3 * i + 1), _added("Why does it work?", 3 * i + 2, "markdown")]
        else:
            cells.append(cell)
    notebook["cells"] = cells


def _below(starters: dict[str, str]) -> Callable[[Notebook], None]:
    """With the answers in cells of their own, below those that were there for them and that are as they were."""

    def change(notebook: Notebook) -> None:
        cells = []
        for i, cell in enumerate(notebook["cells"]):
            starter = starters.get(cell["metadata"].get("nbgrader", {}).get("grade_id", ""), cell["source"])
            cells.append({**cell, "source": starter})
            if cell["source"] != starter:
                cells.append(_added(cell["source"], i))
        notebook["cells"] = cells

    return change


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
    blank = Expected(0)
    wrong, worth = course.mistakes()
    empty = course.notebooks(nothing)
    starters = {
        cell["metadata"]["nbgrader"]["grade_id"]: cell["source"]
        for notebook in empty.values()
        for cell in notebook["cells"]
        if cell["metadata"].get("nbgrader", {}).get("solution")
    }
    return {
        "ann": (made(all_), Expected(whole)),
        "bob": (made(nothing), blank),
        "chen 晨": (made(nothing, lang="zh"), blank),
        "dora": (made(half, _below(starters)), Expected(part)),
        "emre": (made(half, lang="zh"), Expected(part)),
        "fatima": (made(all_, _vs_code), Expected(whole)),
        "george": (made(nothing, _vs_code), blank),
        "hana": (made(half, lambda notebook: (_with_trials(notebook), _vs_code(notebook))), Expected(part)),
        "ivan": (renamed(made(all_, _colab), "Copy of {}"), Expected(whole)),
        "jun": (renamed(made(nothing, _colab), "Copy of {}"), blank),
        "kofi": (made(half, _colab, lang="zh"), Expected(part)),
        "lea": (_course_copy(made(all_)), Expected(whole)),
        "mia": (_course_copy(made(half, lang="zh"), "zh"), Expected(part)),
        "noor": (_course_copy(made(nothing)), blank),
        "olga": ({first_file: made(first)[first_file]}, Expected(one)),
        "pedro": (made(wrong), Expected(worth, failed=len(course.exercises))),
        "quinn": (scripts, Expected(part)),
        "rosa": ({"answers.zip": _zip(made(all_))}, Expected(whole)),
        "søren": ({"course.zip": _zip(_course_copy(made(half)))}, Expected(part)),
        "tomás": (made(emptied), blank),
        "uma": (made(remarks), blank),
        "vera": (made(undotted), blank),
        "wei": (made(nothing, without_answers), blank),
        "xin": (made(half, lambda notebook: notebook.update(nbformat_minor=4)), Expected(part)),
        "yusuf": (twice, Expected(part)),
        "zoe": (renamed(made(half), "week/{}"), Expected(part)),
        "Åsa Öberg": (made(all_, _vs_code, lang="zh"), Expected(whole)),
        "Jane Doe": (made(hard_coded), Expected(whole - last.points, failed=1)),
        "O'Brien": (renamed(made(first), "my {}"), Expected(one)),
        "late": (cut_off, Expected(whole - one, len(exercises(course.chapters[0])))),
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


def misread(expected: dict[str, Expected], rows: list[dict[str, str]]) -> list[str]:
    """Return what a table of marks says of a class that is not so, a line each.

    Parameters
    ----------
    expected : dict
        What :func:`make_class` has returned.
    rows : list of dict
        The lines of the table.
    """
    said = {}
    for row in rows:
        failed = int(row["wrong"]) + int(row["error"])
        said[row["submission"]] = Expected(float(row["points"]), int(row["needs a look"]), failed)
    found = [f"{name}: {said.get(name)}, and not {mark}" for name, mark in expected.items() if said.get(name) != mark]
    found += [f"{row['submission']}: {row['problem']}" for row in rows if row["problem"] and row["needs a look"] == "0"]
    return found + [f"{name}: who is that?" for name in said if name not in expected]


def _mark_all() -> int:
    numbers = [chapter.number for chapter in chapters(installed=False)]
    with tempfile.TemporaryDirectory() as folder:
        begin = time.monotonic()
        expected = make_class(Path(folder, "class"), numbers)
        made = time.monotonic()
        table = Path(folder, "marks.csv")
        if main(["grade", str(Path(folder, "class")), "-o", str(table), "--seed", "1"]):
            return 1
        found = misread(expected, [*csv.DictReader(table.read_text("utf-8").splitlines())])
        seconds = f"made in {made - begin:.0f} s, marked in {time.monotonic() - made:.0f} s"
    print(*found, f"{len(expected)} students, {len(found)} of them misread; {seconds}", sep="\n")
    return int(bool(found))


if __name__ == "__main__":
    if not sys.argv[1:]:
        sys.exit(_mark_all())
    for student, mark in make_class(Path(sys.argv[1]), [c.number for c in chapters(installed=False)]).items():
        print(student, *mark, sep="\t")
