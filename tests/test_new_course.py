"""``d2lhybrid new-course``: what it makes works as it is, is marked like ours, and is never put over anything."""

import csv
import importlib.metadata
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

import d2lhybrid
from d2lhybrid.error import MXNetError
from d2lhybrid.exercises import ex, exercises
from d2lhybrid.internals.commands import binder, cli
from d2lhybrid.internals.course import new_course
from d2lhybrid.internals.course.exercises import catalogue
from d2lhybrid.internals.course.making import Chapter, misjudged

ROOT = Path(__file__).resolve().parent.parent
#: Where the exercise of a new course and the answers to it are.
EXERCISE, ANSWERS = "my_course/first/squash", "tests/answers/first/squash"


def files_below(folder):
    return {path.relative_to(folder).as_posix(): path for path in folder.rglob("*") if path.is_file()}


# --- the folder ---


def test_a_course_has_its_own_names(tmp_path, capsys):
    assert cli.main(["new-course", str(tmp_path / "Deep Learning-2"), "--chapter", "72"]) == 0
    folder = tmp_path / "Deep Learning-2"
    made = files_below(folder)
    assert "deep_learning_2/first/squash/task.py" in made and "notebooks/72_first.ipynb" in made
    for name, path in made.items():
        text = path.read_text("utf-8")
        assert "my_course" not in text + name and "my-course" not in text and "51" not in text, name
    assert made["README.md"].read_text("utf-8").startswith("# Deep Learning-2\n")
    assert os.access(made["binder/postBuild"], os.X_OK) or os.name == "nt"
    said = capsys.readouterr().out
    assert f"Created a course of {len(made)} files in {folder}" in said and "pip install --editable" in said
    assert [path.name for path in tmp_path.iterdir()] == ["Deep Learning-2"]


def test_both_languages_have_the_same_files(tmp_path):
    english, chinese = (set(new_course.make_course(tmp_path / lang, lang)) for lang in new_course.LANGUAGES)
    assert {name.replace("en/", "zh/", 1) for name in english} == chinese
    assert {name for name in english if name.startswith((".github", "binder", "tests")) and ANSWERS not in name} == {
        *(".github/workflows/test.yml", "binder/postBuild", "binder/requirements.txt", "binder/runtime.txt"),
        "tests/test_exercises.py",
    }


def test_an_empty_folder_is_filled(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    made = new_course.make_course(Path("."))
    assert files_below(tmp_path).keys() == set(made)


@pytest.mark.parametrize("there", ["a file in it", "a hidden file in it", "a file", "a link to nothing"])
def test_nothing_is_written_over(tmp_path, capsys, there):
    folder = tmp_path / "mine"
    if there == "a file":
        folder.write_text("mine")
    elif there == "a link to nothing":
        folder.symlink_to(tmp_path / "nowhere")
    else:
        folder.mkdir()
        (folder / (".hidden" if "hidden" in there else "README.md")).write_text("mine")
    before = sorted(tmp_path.rglob("*"))
    assert cli.main(["new-course", str(folder)]) == 1
    assert "existing files are never overwritten" in capsys.readouterr().err
    assert sorted(tmp_path.rglob("*")) == before
    assert all(path.read_text() == "mine" for path in before if path.is_file())


@pytest.mark.parametrize("number", ["03", "5", "510", "a1"])
def test_chapters_of_ours_are_not_given_away(tmp_path, number):
    with pytest.raises(MXNetError, match="between 50 and 99"):
        new_course.make_course(tmp_path / "mine", chapter=number)
    assert not (tmp_path / "mine").exists()


def test_a_disk_that_is_full_leaves_nothing(tmp_path, monkeypatch, capsys):
    written = []

    def full(self, *args, **kwargs):
        written.append(self)
        if len(written) > 1:
            raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "write_text", full)
    assert cli.main(["new-course", str(tmp_path / "mine")]) == 1
    assert "No space left on device" in capsys.readouterr().err and not list(tmp_path.iterdir())


def test_the_package_is_asked_for_where_it_is(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(binder, "repository_address", lambda folder: "git@github.com:ada/d2lhybrid.git")
    assert cli.main(["new-course", str(tmp_path / "known")]) == 0
    assert "asks pip" not in capsys.readouterr().out
    wanted = "d2lhybrid[lab] @ git+https://github.com/ada/d2lhybrid.git"
    assert f'dependencies = ["{wanted}"]\n' in (tmp_path / "known" / "pyproject.toml").read_text("utf-8")
    assert (tmp_path / "known" / "binder" / "requirements.txt").read_text("utf-8") == f"{wanted}\n"
    monkeypatch.setattr(binder, "repository_address", lambda folder: "/srv/course.git")
    assert binder.own_requirement() == f"d2lhybrid[lab]>={d2lhybrid.__version__}"


def test_binder_reads_it(tmp_path):
    program = Path(sys.executable).parent / "jupyter-repo2docker"
    if not program.exists():
        pytest.skip("jupyter-repo2docker is not installed: make test installs it")
    new_course.make_course(tmp_path / "mine")
    command = [str(program), "--no-build", "--debug", str(tmp_path / "mine")]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=300)
    said = done.stdout + done.stderr
    assert done.returncode == 0, said[-3000:]
    assert "binder/requirements.txt" in said and "RUN ./binder/postBuild" in said and "3.12" in said


# --- installed ---


class Course:
    """A course that was made and installed into a folder of its own, beside all that is installed here."""

    def __init__(self, folder, lang):
        self.lang = lang
        self.folder, self.site = folder / "my course", folder / "site"
        new_course.make_course(self.folder, lang, "60")
        pip = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--no-index", "--no-build-isolation"]
        subprocess.run([*pip, "--target", str(self.site), str(self.folder)], check=True, capture_output=True)

    def run(self, *arguments, cwd=None):
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT), str(self.site)]),
                       "D2LHYBRID_DATA": str(self.site / "progress")}  # fmt: skip
        return subprocess.run(
            [sys.executable, *arguments], cwd=cwd or self.folder, env=environment, capture_output=True, text=True,
            check=False, timeout=300,
        )  # fmt: skip

    def notebook(self, path, code):
        notebook = json.loads((self.folder / "notebooks" / "60_first.ipynb").read_text("utf-8"))
        (cell,) = [cell for cell in notebook["cells"] if cell["id"] == "answer-60-1"]
        cell["source"] = code
        path.write_text(json.dumps(notebook), "utf-8")

    def answer(self, name):
        inside = ANSWERS if "/" in name else EXERCISE
        return (self.folder / inside / f"{name}.py").read_text("utf-8").partition("# %%\n")[2]


@pytest.fixture(scope="module", params=new_course.LANGUAGES)
def course(request, tmp_path_factory):
    """A course in each language."""
    pytest.importorskip("hatchling", reason="hatchling is not installed: make test installs it")
    return Course(tmp_path_factory.mktemp(request.param), request.param)


@pytest.mark.slow
def test_its_own_tests_pass(course):
    done = course.run("-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "no:xdist")
    assert done.returncode == 0 and "3 passed" in done.stdout, done.stdout + done.stderr


@pytest.mark.slow
def test_its_own_tests_fail_where_an_answer_is_misjudged(course):
    """And so does the test of the notebook, where the task has changed."""
    squash, after_all = course.folder / EXERCISE, course.folder / ANSWERS / "wrong" / "right_after_all.py"
    after_all.write_text((squash / "solution.py").read_text("utf-8"), "utf-8")
    text = (squash / "text.md").read_text("utf-8")
    (squash / "text.md").write_text(text.replace("Squash", "Squeeze", 1), "utf-8")
    try:
        done = course.run("-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "no:xdist", "--tb=short")
        assert "wrong/right_after_all.py is judged right" in done.stdout and "2 failed" in done.stdout
    finally:
        after_all.unlink()
        (squash / "text.md").write_text(text, "utf-8")


@pytest.mark.slow
def test_its_notebook_runs(course):
    pytest.importorskip("nbclient", reason="nbclient is not installed")
    notebook = course.site / "answered.ipynb"
    course.notebook(notebook, course.answer("solution"))
    done = course.run("-m", "d2lhybrid", "lesson", str(notebook))
    said = {"en": "60.1 right.", "zh": "60.1 正确。"}[course.lang]
    assert done.returncode == 0 and said in done.stdout, done.stdout + done.stderr


@pytest.mark.slow
@pytest.mark.skipif(os.name != "posix", reason="marking needs the process limits of Linux or macOS")
def test_submissions_are_marked(course, tmp_path):
    """A right one, one right in one of two parts, a wrong one, an empty one, and one that reads the solution."""
    solution = course.site / EXERCISE / "solution.py"
    thief = f"space = {{}}\nexec(open({str(solution)!r}).read(), space)\nSquash = space['Squash']"
    answers = {
        "right": course.answer("right/softsign"),
        "half": course.answer("mistakes/asks_what_it_gets"),
        "wrong": course.answer("wrong/tanh"),
        "empty": course.answer("starter"),
        "thief": thief,
    }
    for name, code in answers.items():
        course.notebook(tmp_path / f"{name}.ipynb", code)
    done = course.run("-m", "d2lhybrid", "grade", *(f"{name}.ipynb" for name in answers), "-e", "60", cwd=tmp_path)
    assert done.returncode == 0 and "1 exercise, at most 2 points" in done.stdout, done.stdout + done.stderr
    table = (tmp_path / "marks.csv").read_text("utf-8").splitlines()
    rows = {row["submission"]: row for row in csv.DictReader(table)}
    points = {name: row["60.1"] for name, row in rows.items() if name in answers}
    assert points == {"right": "2", "half": "1", "wrong": "0", "empty": "0", "thief": "0"}
    assert "PermissionError" in (tmp_path / "marks-reports" / "thief.html").read_text("utf-8")


# --- found ---


@pytest.fixture
def installed(monkeypatch):
    """Make packages that name their chapters, out of functions that load them."""

    def install(**courses):
        class Point:
            def __init__(self, name, load):
                self.name, self.load = name, load

        points = [Point(name, load) for name, load in courses.items()]
        monkeypatch.setattr(importlib.metadata, "entry_points", lambda group: points if "d2lhybrid" in group else ())

    catalogue._installed_chapters.cache_clear()
    yield install
    catalogue._installed_chapters.cache_clear()


def test_a_course_that_cannot_be_loaded_keeps_nobody_from_the_rest(installed):
    def broken():
        raise ImportError("no module named what_it_needs")

    installed(broken=broken)
    assert ex("03.1").number == "03.1"  # nothing of others is loaded for it
    with pytest.warns(UserWarning, match="'broken' cannot be loaded: ImportError: no module named what_it_needs"):
        assert len(exercises()) == len([e for c in catalogue.chapters(installed=False) for e in exercises(c)])


@pytest.mark.parametrize(
    ("chapters", "says"),
    [
        (lambda: [Chapter("03", "Mine", "first", package="elsewhere")], "another chapter already has the number 03"),
        (lambda: [Chapter("500", "Mine", "first", package="elsewhere")], "must have two digits"),
        (lambda: ["51"], "each chapter must be an instance of Chapter, not of str"),
        (
            lambda: [Chapter("51", "Mine", "limits")],
            r"exercises of chapter 51 must have different numbers such as 51\.1\. Invalid or repeated numbers: .*04\.1",
        ),
        (lambda: [Chapter("51", "Mine", "nowhere", package="json")], "No module named 'json.nowhere'"),
        (lambda: None, "TypeError"),
    ],
)
def test_chapters_that_cannot_be_are_named(installed, chapters, says):
    installed(mine=chapters)
    with pytest.warns(UserWarning, match=says):
        assert catalogue.chapters() == catalogue.chapters(installed=False)


def test_what_is_misjudged_is_named(monkeypatch):
    exercise = ex("01.1")
    monkeypatch.setattr(type(exercise), "starter", "def describe_sum(numbers):\n    return 'print(0)'")
    monkeypatch.setattr(type(exercise), "solution_code", "def describe_sum(numbers):\n    return 'print(0)'")
    found = "\n".join(misjudged(exercise, seeds=1))
    assert "starter.py must be judged as not attempted" in found and "solution.py is not judged right" in found
