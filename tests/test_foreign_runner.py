"""One runner runs foreign programs of all kinds: its clones, its processes, its reports and its pages."""

from __future__ import annotations

import contextlib
import json
import re
import subprocess
import sys
import time
from pathlib import Path

import pytest

from .foreign import process, programs, tests_of_others
from .foreign.clone import Clone
from .foreign.libraries import LibraryTests
from .foreign.page import page
from .foreign.peer import PeerTests
from .foreign.programs import Examples, Program
from .foreign.pytest_files import Suite
from .foreign.runner import Kept, main
from .foreign.tests_of_others import Row

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="foreign programs run on Linux and macOS")


def make_clone(folder: Path, tag: str, files: dict[str, str]) -> Path:
    """Make a repository with these files and this tag."""
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    author = ["-c", "user.name=a", "-c", "user.email=a@b"]
    for words in (["init", "-q"], ["add", "."], [*author, "commit", "-q", "-m", "all"], ["tag", tag]):
        subprocess.run(["git", *words], cwd=folder, check=True)
    return folder


def test_a_clone_without_any_of_the_versions_is_refused(tmp_path):
    clone = Clone(make_clone(tmp_path / "clone", "v1", {"ä/b.py": "1", "c.py": "2"}))
    suite = Suite("Some", "1", "v1", "c.py", (), (), (), {}, {})
    assert clone.held([suite._replace(commit="v2"), suite]) == [suite]
    with pytest.raises(SystemExit, match=r"none of these versions: Some \(v2\), Some \(v1\)"):
        clone.held([suite._replace(commit="v2"), suite._replace(mark="d.py")])
    assert clone.files("v1") == clone.files("v1", at_hand=True) == ["c.py", "ä/b.py"]
    clone.unpack("v1", ["ä/b.py"], tmp_path / "out")
    assert [path.name for path in (tmp_path / "out").rglob("*.py")] == ["b.py"]


def test_a_process_ends_with_all_that_it_has_started(tmp_path):
    import fcntl

    worker = (
        "import fcntl, time\nf = open('held', 'w')\nfcntl.flock(f, fcntl.LOCK_EX)\nprint(1, flush=True)\ntime.sleep(99)"
    )
    code = f"""
import subprocess, sys
worker = subprocess.Popen([sys.executable, "-c", {worker!r}], stdout=subprocess.PIPE)
print(worker.stdout.readline())
"""
    log, variables = tmp_path / "log", process.environment(tmp_path)
    assert process.run([sys.executable, "-W", "ignore", "-c", code], tmp_path, variables, log, 60) == 0
    assert log.read_text() == "b'1\\n'\n"
    assert process.run(["sleep", "99"], tmp_path, variables, log, 0.1) is None
    with (tmp_path / "held").open() as held:
        for _ in range(100):  # a process that ends gives its locks back
            with contextlib.suppress(BlockingIOError):
                return fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
            time.sleep(0.1)
    raise AssertionError("the worker still runs")


def test_results_of_another_state_are_not_read_and_a_broken_line_does_no_harm(tmp_path):
    path = tmp_path / "results.jsonl"
    Kept(path, "a").add({"state": "a", "n": 1})
    path.write_text(path.read_text() + '{"state": "a", "n": ')  # the command was broken off here
    Kept(path, "b").add({"state": "b", "n": 2})
    assert [result["n"] for result in Kept(path, "a").results] == [1]
    assert [result["n"] for result in Kept(path, "b").results] == [2]
    assert [result["n"] for result in Kept(path, None).results] == [1, 2]


@pytest.fixture
def examples(tmp_path, monkeypatch):
    """Return the arguments for three programs, of which one has modules with the names of the runner's."""
    own = (
        "import os, side, inside, program, mxnet, numpy, sys\nprint(os.environ['HOME'], numpy.int(3), *sys.argv[1:])\n"
    )
    own += "assert mxnet.__version__ == '1.9.1' and 'data' in side.__file__ + program.__file__ + inside.__file__\n"
    files = {f"example/data/{name}.py": "" for name in ("side", "inside", "program")}
    files |= {"example/data/main.py": own, "example/data/bad.py": "print(1)\nraise ValueError('no')"}
    files |= {"example/data/other.py": "import requests", "tests/python/unittest/a.py": ""}
    clone = make_clone(tmp_path / "clone", "1.9.1", files)
    page = tmp_path / "example_programs.md"
    page.write_text(
        "## Failures and their reasons\n\n| program | why |\n| --- | --- |\n| `data/bad.py` | an error of its own |\n"
    )
    monkeypatch.setattr(programs, "page", lambda name: tmp_path / name)
    listed = Program("data/main.py", "--one two"), Program("data/bad.py"), Program("data/bad.py", "again")
    monkeypatch.setattr(programs, "PROGRAMS", listed)
    return ["programs", str(clone)]


def test_a_program_that_fails_with_a_reason_on_the_page_is_no_error(examples, capsys):
    assert main(Examples, examples) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [(line[:12].strip(), line[22:]) for line in lines] == [
        ("to its end", "data/main.py --one two"),
        ("failed", "data/bad.py  ValueError: no"),
        ("failed", "data/bad.py again  ValueError: no"),
    ]


def test_a_program_that_fails_without_a_reason_is_told_with_what_it_wrote(examples, capsys, tmp_path):
    (tmp_path / "example_programs.md").write_text(
        "## Failures and their reasons\n\n| `data/bad.py again` | an error |\n"
    )
    assert main(Examples, [*examples, "data/bad"]) == 1
    said = capsys.readouterr().out
    assert said.startswith("1\nTraceback") and said.endswith("\nWithout a reason: data/bad.py\n")


TESTS = """
import os
import pytest


def test_good():
    import mxnet
    assert mxnet.nd.ones(2).sum().asscalar() == 2


def test_ends_the_process():
    os._exit(3)


@pytest.mark.parametrize("n", [1, 2])
def test_told(n):
    raise ValueError(n)


@pytest.mark.remote
def test_left_out():
    raise ValueError


def test_counts_no_more():  # it fails on real MXNet, too
    raise ValueError
"""

PAGE = """Text.
<!-- written by `make library-tests`: begin Some -->
old
<!-- written by `make library-tests`: end Some -->

| `test_a.py` | `test_told[*` | an error of its own |
"""


class SomeTests(LibraryTests):
    """The tests of a library of one file."""

    suites = [  # noqa: RUF012 - a constant
        Suite("Some", "1.0", "v1", "some.py", ("",), ("test_*.py",), (), {}, {"remote": "needs a network"})
    ]
    keeps = True


def test_tests_are_counted_on_the_page_and_kept(tmp_path, monkeypatch, capsys):
    clone = make_clone(tmp_path / "clone", "v1", {"some.py": "", "test_a.py": TESTS, "test_b.py": "broken ="})
    page = tmp_path / "library_tests.md"
    page.write_text(PAGE)
    record = tmp_path / "record.json"
    names = ["test_good", "test_ends_the_process", "test_told[1]", "test_told[2]"]
    text = {"Some": {"test_a.py": {"passed": names, "failed": ["test_counts_no_more"]}}}
    record.write_text(str(text).replace("'", '"'))
    monkeypatch.setattr(SomeTests, "record", record)
    monkeypatch.setattr(tests_of_others, "page", lambda name: tmp_path / name)
    monkeypatch.setattr(tests_of_others, "REPOSITORY", tmp_path)
    assert main(SomeTests, ["libraries", str(clone)]) == 1
    first, *lines = capsys.readouterr().out.splitlines()
    assert first.startswith("1 of 4") and first.endswith("s  test_a.py")
    assert lines == [
        "    test_ends_the_process: the process ended with status 3",
        "",
        "1 of 4 tests of Some 1.0 that pass on real MXNet 1.9.1 pass here, 25.0%.",
        "Without a reason: test_a.py::test_ends_the_process",
    ]
    figures = page.read_text().partition("begin Some -->\n")[2].partition("<!--")[0].splitlines()
    assert figures[0].startswith("**1 of 4** tests of Some 1.0") and figures[4] == "| `test_a.py` | 4 | 1 | 2 |"
    assert figures[-1] == "Left out: tests marked `remote` (needs a network)."
    # Once more: nothing runs. What passes now and has a reason is told, too, and a part of the tests writes no page.
    page.write_text(PAGE + "| `test_a.py` | `test_good` | nobody knows |\n")
    assert main(SomeTests, ["libraries", str(clone), "a.py"]) == 1
    said = capsys.readouterr().out
    assert "earlier" in said and "test_good passes, and library_tests.md says it does not" in said
    assert "\nold\n" in page.read_text()


@pytest.mark.parametrize(
    ("kind", "suite"), [(kind, suite) for kind in (PeerTests, LibraryTests) for suite in kind.suites],
    ids=lambda value: getattr(value, "title", ""),
)  # fmt: skip
def test_figures_are_written_as_they_are_on_the_page(kind, suite):
    text = page(kind.page_name).read_text("utf-8")
    job = kind.__new__(kind)
    job.suite = suite
    files = json.loads(kind.record.read_text("utf-8"))[suite.title]
    found = re.findall(r"^\| `(.+)` \| (\d+) \| (\d+) \| (\d*) \|$", text, re.MULTILINE)
    rows = [Row(file, int(real), int(passed), int(told or 0)) for file, real, passed, told in found if file in files]
    assert rows and job.with_figures(text, rows) == text
    assert all(row.real == len(files[row.file]["passed"]) for row in rows)
