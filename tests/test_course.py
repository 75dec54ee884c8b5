"""The course in a folder of one's own: copied from the repository or a wheel, and never over somebody's work."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from d2lhybrid.error import MXNetError
from d2lhybrid.internals.commands import cli, lab
from d2lhybrid.internals.course import course, lesson

ROOT = Path(__file__).resolve().parent.parent


def tree(folder):
    """Return what lies in a folder, without the record of a copy."""
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file() and path.name != course._RECORD
    }


@pytest.fixture
def original(tmp_path, monkeypatch):
    """A course of two notebooks that can be edited."""
    folder = tmp_path / "original"
    (folder / "zh").mkdir(parents=True)
    (folder / "00_start_here.ipynb").write_bytes(b"first")
    (folder / "zh" / "00_start_here.ipynb").write_bytes("第一".encode())
    monkeypatch.setattr(course, "original", lambda: folder)
    return folder


# --- the copy ---


def test_a_copy_of_the_course_of_the_repository(tmp_path):
    copied = course.copy_course(tmp_path / "mine")
    there = tree(tmp_path / "mine")
    assert (
        copied.new == sorted(there)
        and str(copied) == f"The course was copied to {tmp_path / 'mine'}: {len(there)} files."
    )
    for path in (ROOT / "notebooks").rglob("*.ipynb"):
        if ".ipynb_checkpoints" not in path.parts:
            assert there[path.relative_to(ROOT / "notebooks").as_posix()] == path.read_bytes()
    assert "exercises/nbgrader_config.py" in there and not [name for name in there if name.endswith(".md")]
    assert str(course.copy_course(tmp_path / "mine")) == ""


def test_a_newer_version_leaves_what_somebody_changed(tmp_path, original):
    mine = tmp_path / "mine"
    course.copy_course(mine)
    (mine / "00_start_here.ipynb").write_bytes(b"my answer")
    assert str(course.copy_course(mine)) == ""
    (original / "00_start_here.ipynb").write_bytes(b"second")
    (original / "zh" / "00_start_here.ipynb").write_bytes("第二".encode())
    (original / "01.ipynb").write_bytes(b"added")
    copied = course.copy_course(mine)
    assert tree(mine) == {
        "00_start_here.ipynb": b"my answer",
        "00_start_here.new.ipynb": b"second",
        "01.ipynb": b"added",
        "zh/00_start_here.ipynb": "第二".encode(),
    }
    assert (copied.new, copied.updated, copied.kept) == (
        ["01.ipynb"],
        ["zh/00_start_here.ipynb"],
        ["00_start_here.ipynb"],
    )
    assert "Files that you had changed were kept" in str(copied) and "00_start_here.new.ipynb" in str(copied)
    assert str(course.copy_course(mine)) == ""


def test_what_came_beside_may_have_been_worked_on(tmp_path, original):
    mine = tmp_path / "mine"
    course.copy_course(mine)
    (mine / "00_start_here.ipynb").write_bytes(b"my answer")
    for version in (b"second", b"third"):
        (original / "00_start_here.ipynb").write_bytes(version)
        course.copy_course(mine)
        if version == b"second":
            (mine / "00_start_here.new.ipynb").write_bytes(b"my other answer")
    there = tree(mine)
    assert there["00_start_here.ipynb"] == b"my answer" and there["00_start_here.new.ipynb"] == b"my other answer"
    assert there["00_start_here.new2.ipynb"] == b"third"


def test_files_that_were_there_before_any_copy_are_kept(tmp_path, original):
    mine = tmp_path / "mine"
    mine.mkdir()
    (mine / "00_start_here.ipynb").write_bytes(b"something else")
    (mine / "notes.txt").write_bytes(b"mine")
    course.copy_course(mine)
    there = tree(mine)
    assert there["00_start_here.ipynb"] == b"something else" and there["notes.txt"] == b"mine"
    assert there["00_start_here.new.ipynb"] == b"first"


def test_a_damaged_record_loses_nothing(tmp_path, original):
    mine = tmp_path / "mine"
    course.copy_course(mine)
    (mine / "00_start_here.ipynb").write_bytes(b"my answer")
    for text in ("{", "[]", json.dumps({"00_start_here.ipynb": 7})):
        (mine / course._RECORD).write_text(text)
        course.copy_course(mine)
        assert (mine / "00_start_here.ipynb").read_bytes() == b"my answer"


def test_what_was_deleted_comes_again(tmp_path, original):
    course.copy_course(tmp_path / "mine")
    (tmp_path / "mine" / "00_start_here.ipynb").unlink()
    assert course.copy_course(tmp_path / "mine").new == ["00_start_here.ipynb"]


def test_a_copy_that_fails_leaves_no_folder(tmp_path, original, monkeypatch, capsys):
    written = []

    def full(path, content):
        written.append(path)
        if len(written) > 1:
            raise OSError(28, "No space left on device")
        Path(path).write_bytes(content)

    monkeypatch.setattr(course, "write_bytes", full)
    assert cli.main(["course", str(tmp_path / "mine")]) == 1
    assert capsys.readouterr().err == (
        f"The course cannot be copied to {tmp_path / 'mine'}: No space left on device. Pass another folder.\n"
    )
    assert [path.name for path in tmp_path.iterdir()] == ["original"]


def test_a_file_in_the_place_of_the_folder(tmp_path, original):
    (tmp_path / "mine").write_text("a file")
    with pytest.raises(MXNetError, match="cannot be copied to"), course.explained(tmp_path / "mine"):
        course.copy_course(tmp_path / "mine")
    assert (tmp_path / "mine").read_text() == "a file"


# --- the commands ---


@pytest.mark.parametrize(
    ("typed", "folder", "options"),
    [
        ([], None, []),
        (["--port", "8890"], None, ["--port", "8890"]),
        (["--port=8890", "--ip", "0.0.0.0", "here"], "here", ["--port=8890", "--ip", "0.0.0.0"]),
        (["here", "--debug", "--ServerApp.token=x"], "here", ["--debug", "--ServerApp.token=x"]),
        (["--no-browser", "--debug", "here"], "here", ["--debug"]),
        (["--LabApp.log_level", "DEBUG", "-y"], None, ["--LabApp.log_level", "DEBUG", "-y"]),
    ],
)
def test_options_that_are_not_ours_are_jupyterlabs(typed, folder, options, tmp_path, monkeypatch):
    pytest.importorskip("jupyterlab", reason="its own options are asked for")
    monkeypatch.chdir(tmp_path)
    (tmp_path / "here").mkdir()
    told = []
    monkeypatch.setattr(lab.runpy, "run_module", lambda *ignored, **more: told.append(sys.argv[1:]))
    monkeypatch.setattr(lab.signal, "signal", lambda *ignored: None)
    monkeypatch.setenv(lab._CONFIG, "")
    assert cli.main(["lab", *typed]) == 0
    (arguments,) = told
    assert arguments[len(arguments) - len(options) :] == options
    assert ("--no-browser" in arguments) is ("--no-browser" in typed)
    opened = tmp_path / folder if folder else course.course_folder()
    assert f"--ServerApp.root_dir={opened}" in arguments


@pytest.mark.parametrize(("ours", "listed"), [(True, ["00_start_here.ipynb", "zh"]), (False, ["text", "zh"])])
def test_lab_lists_no_text_form_of_our_notebooks(ours, listed, original, tmp_path):
    manager = pytest.importorskip("jupyter_server.services.contents.filemanager").FileContentsManager
    config = pytest.importorskip("traitlets.config")
    folder = original if ours else tmp_path / "other"
    for name in ("text/00_start_here.md", "zh/text/00_start_here.md"):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).touch()
    options = [option for option in lab._arguments(folder, browser=False) if "ContentsManager" in option]
    application = config.Application()
    application.classes = [manager]
    application.parse_command_line(options)
    contents = manager(root_dir=str(folder), config=application.config)
    assert sorted(entry["name"] for entry in contents.get("")["content"]) == listed
    assert [entry["name"] for entry in contents.get("zh")["content"]] == (["00_start_here.ipynb"] if ours else ["text"])
    assert not contents.should_list("__pycache__")


def test_an_unknown_option_of_another_command_is_a_mistake(capsys):
    with pytest.raises(SystemExit):
        cli.main(["course", "--port", "8890"])
    assert "unrecognized arguments" in capsys.readouterr().err


@pytest.fixture
def opened(tmp_path, monkeypatch):
    """The folders that were opened, from an empty folder in which the package was installed by pip."""
    folders = []
    here = tmp_path / "here"
    here.mkdir()
    monkeypatch.chdir(here)
    monkeypatch.setattr(course, "repository", lambda: None)
    monkeypatch.setattr(lab, "open_folder", lambda folder, browser, options: folders.append(folder.resolve()) or 0)
    return folders


def test_lab_copies_the_course_where_there_is_none(tmp_path, original, opened, capsys):
    assert cli.main(["lab"]) == 0
    mine = tmp_path / "here" / "d2lhybrid-course"
    assert opened == [mine] and capsys.readouterr().out == f"The course was copied to {mine}: 2 files.\n"
    (mine / "00_start_here.ipynb").write_bytes(b"my answer")
    assert cli.main(["lab"]) == 0
    os.chdir(mine)
    assert cli.main(["lab"]) == 0
    assert opened == [mine] * 3 and capsys.readouterr().out == ""
    assert (mine / "00_start_here.ipynb").read_bytes() == b"my answer"


def test_lab_copies_the_course_to_a_folder_of_ones_choice(tmp_path, original, opened):
    chosen = tmp_path / "here" / "我的 course" / "week 1"
    assert cli.main(["lab", str(chosen)]) == 0
    assert opened == [chosen] and set(tree(chosen)) == {"00_start_here.ipynb", "zh/00_start_here.ipynb"}


def test_lab_opens_a_folder_of_other_things_as_it_is(tmp_path, original, opened):
    (tmp_path / "here" / "work").mkdir()
    (tmp_path / "here" / "notebooks").mkdir()
    assert cli.main(["lab", "work"]) == 0
    assert opened == [tmp_path / "here" / "work"] and not tree(tmp_path / "here")
    assert cli.main(["course", "work"]) == 0
    assert set(tree(tmp_path / "here" / "work")) == {"00_start_here.ipynb", "zh/00_start_here.ipynb"}


def test_the_course_of_the_current_folder_comes_first(tmp_path, original, opened):
    course.copy_course(tmp_path / "here" / "notebooks")
    assert cli.main(["lab"]) == 0
    assert opened == [tmp_path / "here" / "notebooks"]


def test_lesson_runs_what_came_with_the_package(tmp_path, original, opened, monkeypatch):
    ran = []
    monkeypatch.setattr(lesson, "run_all", lambda paths, timeout: ran.extend(paths) or 0)
    assert cli.main(["lesson"]) == 0
    assert ran == [original / "00_start_here.ipynb"] and not tree(tmp_path / "here")


# --- the wheel ---


@pytest.fixture(scope="module")
def installed(tmp_path_factory):
    """A fresh environment with the wheel of this folder, which borrows all other packages; returns its Python."""
    pytest.importorskip("hatchling", reason="hatchling is not installed: make test installs it")
    folder = tmp_path_factory.mktemp("wheel")
    source = folder / "source"  # a copy: building leaves nothing in the folder that is tried
    shutil.copytree(
        ROOT,
        source,
        symlinks=True,
        ignore=shutil.ignore_patterns(".git", ".venv*", "__pycache__", "build", "tests", ".*cache"),
    )
    pip = [sys.executable, "-m", "pip"]
    quiet = ["--quiet", "--no-deps", "--no-index", "--disable-pip-version-check"]
    build = [*pip, "wheel", *quiet, "--no-build-isolation", "--wheel-dir", str(folder), str(source)]
    subprocess.run(build, check=True, capture_output=True, text=True)
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(folder / "venv")], check=True)
    python = folder / "venv" / ("Scripts" if os.name == "nt" else "bin") / "python"
    (wheel,) = folder.glob("*.whl")
    subprocess.run([*pip, "--python", str(python), "install", *quiet, str(wheel)], check=True, capture_output=True)
    where = "import sysconfig; print(sysconfig.get_path('purelib'))"
    site = subprocess.run([str(python), "-c", where], check=True, capture_output=True, text=True).stdout.strip()
    others = [path for path in sys.path if path.endswith("-packages")]
    (Path(site) / "others.pth").write_text("\n".join(others) + "\n", "utf-8")
    return python


def run_installed(python, folder, *arguments, **environment):
    kept = {key: value for key, value in os.environ.items() if not key.startswith("PYTHON")}
    command = [str(python.with_name("d2lhybrid")), *arguments]
    return subprocess.run(
        command, cwd=folder, env={**kept, **environment}, capture_output=True, text=True, check=False, timeout=300
    )


@pytest.mark.slow
def test_a_wheel_brings_the_course(installed, tmp_path):
    """``d2lhybrid lab`` in an empty folder: the notebooks of the repository, and JupyterLab opens them."""
    (tmp_path / "fake" / "jupyterlab").mkdir(parents=True)
    (tmp_path / "fake" / "jupyterlab" / "__init__.py").touch()
    (tmp_path / "fake" / "jupyterlab" / "__main__.py").write_text("import sys; print(*sys.argv, sep='\\n')")
    here = tmp_path / "my 课程"
    here.mkdir()
    done = run_installed(installed, here, "lab", PYTHONPATH=str(tmp_path / "fake"), PYTHONIOENCODING="utf-8")
    assert (done.returncode, done.stderr) == (0, "")
    mine = here / "d2lhybrid-course"
    assert f"The course was copied to {mine}" in done.stdout and f"--ServerApp.root_dir={mine}\n" in done.stdout
    expected = {name: content for name, content in tree(ROOT / "notebooks").items() if name.endswith((".ipynb", ".py"))}
    assert tree(mine) == {name: content for name, content in expected.items() if "/." not in f"/{name}"}


@pytest.mark.slow
def test_an_installed_wheel_runs_lessons_and_marks_exercises(installed, tmp_path):
    assert run_installed(installed, tmp_path, "course", "mine").returncode == 0
    exercise = tmp_path / "mine" / "exercises" / "01_imperative_and_symbolic.ipynb"
    done = run_installed(installed, tmp_path, "lesson", str(exercise))
    assert "[1] " in done.stdout and "ModuleNotFoundError" not in done.stdout, done.stderr
    if os.name == "posix":
        done = run_installed(installed, tmp_path, "grade", str(exercise))
        assert done.returncode == 0 and done.stdout.startswith("1 submission, "), done.stderr
        assert (tmp_path / "marks.csv").is_file()
    where = "import d2lhybrid; print(d2lhybrid.__file__)"
    place = subprocess.run([str(installed), "-c", where], cwd=tmp_path, capture_output=True, text=True, check=True,
                           env={key: value for key, value in os.environ.items() if key != "PYTHONPATH"})  # fmt: skip
    assert str(installed.parent.parent) in place.stdout


#: Prints everything that lies in the folders of exercises and traps.
SAID = """
import json
from d2lhybrid.exercises import exercises
from d2lhybrid.internals.pictures.traps import TRAPS

said = {e.number: [e.title, e.task, e.hints, e.insight, e.starter, e.solution_code]
        for e in exercises()}
said |= {t.number: [t.title, t.trap, t.reason, t.remedy, t.wrong, t.right] for t in TRAPS.values()}
print(json.dumps(said, sort_keys=True))
"""


@pytest.mark.slow
def test_a_wheel_says_what_the_repository_says(installed, tmp_path):
    kept = {key: value for key, value in os.environ.items() if not key.startswith("PYTHON")}
    ours, theirs = (
        subprocess.run([str(python), "-c", SAID], cwd=folder, env=kept, capture_output=True, text=True, check=True)
        for python, folder in ((sys.executable, ROOT), (installed, tmp_path))
    )
    assert len(json.loads(ours.stdout)) > 80
    assert theirs.stdout == ours.stdout
