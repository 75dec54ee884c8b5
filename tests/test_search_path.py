"""Commands that read what strangers have handed in import nothing from the folder in which it lies."""

import functools
import os
import subprocess
import sys
from pathlib import Path

import pytest

if os.name != "posix":
    pytest.skip("marking needs the process limits of Linux or macOS", allow_module_level=True)

import d2lhybrid
from d2lhybrid.internals.course.course import original
from d2lhybrid.internals.course.grading.protection import container_command
from d2lhybrid.internals.support.search_path import absolute_entries

PACKAGE = Path(d2lhybrid.__file__).resolve().parents[1]
#: Packages that are asked for if they happen to be there.
OPTIONAL = {"numpy", "cupy", "IPython", "distributed", "dask", "numexpr", "tqdm", "cffi", "psutil", "PIL", "yaml"}


@pytest.fixture
def handed_in(tmp_path):
    """Return a folder of submissions, among them a file for each module that Python could look for."""
    folder = tmp_path / "class"
    folder.mkdir()
    for name in (sys.stdlib_module_names | OPTIONAL) - set(sys.builtin_module_names):
        program = f"import os\nos.close(os.open({str(tmp_path / 'ran')!r} + '-' + __name__, os.O_CREAT))\n"
        (folder / f"{name}.py").write_text(program + "raise ImportError('a stranger ran')\n")
    notebook = original() / "exercises" / "01_imperative_and_symbolic.ipynb"
    (folder / "ada.ipynb").write_bytes(notebook.read_bytes())
    (folder / "old.csv").write_text("submission,points,out of,01.1\nada,1,1,1\n")
    return folder


@functools.cache
def loaded_before():
    """Return what Python has loaded when the first line of the package runs, with -m or from an installed command."""
    program = "import re, runpy, sys; print(*(name.partition('.')[0] for name in sys.modules))"
    found = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout.split()
    return {*found, "sitecustomize", "usercustomize"}


def take_away_what_python_loads_itself(folder):
    for name in loaded_before():  # no program can keep these from being found in the current folder
        (folder / f"{name}.py").unlink(missing_ok=True)


def strangers_that_ran(folder):
    return sorted(path.name.removeprefix("ran-") for path in folder.parent.glob("ran-*"))


def run(folder, arguments, search_path):
    environment = {**os.environ, "PYTHONPATH": search_path, "PYTHONDONTWRITEBYTECODE": "1"}
    return subprocess.run([sys.executable, *arguments], cwd=folder, env=environment, capture_output=True, text=True,
                          timeout=300)  # fmt: skip


COMMANDS = {
    "grade": ["grade", ".", "-e", "01.1"],
    "check": ["check", "ada.ipynb", "-e", "01.1"],
    "gather": ["gather", "old.csv"],
    "version": ["version"],
}


@pytest.mark.parametrize("command", COMMANDS)
def test_with_m_nothing_of_the_current_folder_is_imported(handed_in, command):
    """The current folder is on the search path three times: by ``-m``, as an empty entry, and by its name."""
    take_away_what_python_loads_itself(handed_in)
    done = run(handed_in, ["-m", "d2lhybrid", *COMMANDS[command]], f"{os.pathsep}.{os.pathsep}{PACKAGE}")
    assert strangers_that_ran(handed_in) == [], done.stderr
    assert done.returncode == (command == "check"), done.stderr  # which finds nothing that is right


@pytest.mark.parametrize("command", COMMANDS)
def test_the_form_that_the_documentation_shows_imports_nothing_at_all(handed_in, command):
    done = run(handed_in, ["-P", "-m", "d2lhybrid", *COMMANDS[command]], str(PACKAGE))
    assert strangers_that_ran(handed_in) == [], done.stderr
    assert done.returncode == (command == "check"), done.stderr


def test_the_installed_command_forgets_an_empty_entry(handed_in, tmp_path):
    take_away_what_python_loads_itself(handed_in)
    script = tmp_path / "bin" / "d2lhybrid"
    script.parent.mkdir()
    script.write_text("import re\nimport sys\nfrom d2lhybrid.internals.commands.cli import main\nsys.exit(main())\n")
    done = run(handed_in, [str(script), *COMMANDS["grade"]], f"{os.pathsep}{PACKAGE}")
    assert strangers_that_ran(handed_in) == [] and done.returncode == 0, done.stderr


def test_programs_keep_their_search_path(tmp_path):
    (tmp_path / "mine.py").write_text("import sys, d2lhybrid\nprint(sys.path)\n")
    for arguments in (["mine.py"], ["-m", "mine"], ["-c", "import sys, d2lhybrid; print([*sys.path, '', sys.argv])"]):
        done = run(tmp_path, arguments, f"{os.pathsep}{PACKAGE}")
        assert repr(os.path.realpath(tmp_path)) in done.stdout, done.stderr


def test_an_entry_counts_where_it_means_the_same_in_every_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert absolute_entries(os.pathsep.join(["/a", "", "b", ".", str(tmp_path), "/c"])) == ["/a", "/c"]
    assert absolute_entries("") == []


def test_in_a_container_the_folder_of_the_class_is_not_imported_from():
    assert "python -P -m d2lhybrid grade" in container_command(["grade", "."])
