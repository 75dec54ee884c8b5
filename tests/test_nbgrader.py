"""The exercises in real nbgrader: released, handed in, marked, and the marks read back."""

import json
import os
import shutil
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest
from judged import mistakes

from d2lhybrid.exercises import chapters, exercises
from d2lhybrid.internals.course.exercises.notebooks import file_name

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / "notebooks" / "exercises"
PYTHON = os.environ.get("D2LHYBRID_NBGRADER_PYTHON") or (sys.executable if find_spec("nbgrader") else "")
needs_nbgrader = pytest.mark.skipif(not PYTHON, reason="nbgrader is not installed: make nbgrader")

#: In one process, which sets the scene once.
pytestmark = pytest.mark.xdist_group("nbgrader")

MARKS = """
import json, sys
from nbgrader.api import Gradebook
with Gradebook("sqlite:///gradebook.db") as book:
    found = {
        student: {
            grade.name: [grade.score, grade.max_score]
            for notebook in book.find_submission("exercises", student).notebooks for grade in notebook.grades
        }
        for student in sys.argv[1:]
    }
print(json.dumps(found))
"""


@pytest.fixture(scope="module")
def course(tmp_path_factory):
    """Release two chapters, hand in three times, mark."""
    folder = tmp_path_factory.mktemp("course")
    source = folder / "source" / "exercises"
    source.mkdir(parents=True)
    shutil.copy(FOLDER / "nbgrader_config.py", folder)
    for chapter in CHAPTERS:
        shutil.copy(FOLDER / f"{file_name(chapter)}.ipynb", source)
    nbgrader(folder, "generate_assignment", "exercises")
    for student in STUDENTS:
        handed_in = folder / "submitted" / student / "exercises"
        shutil.copytree(folder / "release" / "exercises", handed_in)
        for path in handed_in.glob("*.ipynb"):
            path.write_text(json.dumps(fill_in(json.loads(path.read_text("utf-8")), student)))
    nbgrader(folder, "autograde", "exercises")
    return folder


CHAPTERS = [chapter for chapter in chapters() if chapter.number in ("01", "03")]
EXERCISES = [exercise for chapter in CHAPTERS for exercise in exercises(chapter)]
STUDENTS = ["ada", "bob", "mallory"]


def nbgrader(folder, *arguments):
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "D2LHYBRID_DATA": str(folder / "data"), "HOME": str(folder)}
    environment["PATH"] = os.pathsep.join([str(Path(PYTHON).parent), os.environ["PATH"]])  # it calls alembic by name
    command = [PYTHON, "-m", "nbgrader", *arguments, "--config", "nbgrader_config.py"]
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-3000:]


def answer_of(exercise, student):
    """Ada is right, bob makes every first mistake, mallory changes the checks."""
    return {"ada": exercise.solution_code, "bob": mistakes(exercise)[0].code, "mallory": exercise.starter}[student]


def fill_in(notebook, student):
    answers = {f"answer-{e.number.replace('.', '-')}": answer_of(e, student) for e in EXERCISES}
    for cell in notebook["cells"]:
        grade_id = cell["metadata"].get("nbgrader", {}).get("grade_id", "")
        if grade_id in answers:
            cell["source"] = answers[grade_id]
        elif grade_id.startswith("check-") and student == "mallory":
            cell["source"] = "print('right')"
    return notebook


@needs_nbgrader
def test_the_released_notebooks_hold_the_starters(course):
    for chapter in CHAPTERS:
        notebook = json.loads((course / "release" / "exercises" / f"{file_name(chapter)}.ipynb").read_text("utf-8"))
        sources = {
            c["metadata"]["nbgrader"]["grade_id"]: "".join(c["source"])
            for c in notebook["cells"] if "nbgrader" in c["metadata"]
        }  # fmt: skip
        for exercise in exercises(chapter):
            assert sources[f"answer-{exercise.number.replace('.', '-')}"] == exercise.starter.strip()


@needs_nbgrader
def test_the_marks(course):
    done = subprocess.run([PYTHON, "-c", MARKS, *STUDENTS], cwd=course, capture_output=True, text=True, check=True)
    marks = json.loads(done.stdout)
    full = {f"check-{e.number.replace('.', '-')}": e.points for e in EXERCISES}
    assert marks["ada"] == {name: [points, points] for name, points in full.items()}
    for student in ("bob", "mallory"):  # nbgrader puts changed checks back
        assert marks[student] == {name: [0, points] for name, points in full.items()}


@needs_nbgrader
def test_students_read_why(course):
    path = course / "autograded" / "bob" / "exercises" / f"{file_name(CHAPTERS[0])}.ipynb"
    text = json.dumps(json.loads(path.read_text("utf-8")))
    assert "01.1 wrong. For [" in text and "the function computes the sum instead of describing it" in text
