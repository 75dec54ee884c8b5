"""``make quick`` finds what was changed, and the tests that find mistakes there."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest
from changed import ALL, COMPILER, FOUND_BY, LAYERS, OPERATORS, RECURRENT, changed, found_by

ROOT = Path(__file__).resolve().parent.parent
needs_git = pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed")


@pytest.fixture
def repository(tmp_path):
    """A folder with a branch ``work``, which came off ``main``."""

    def git(*arguments):
        author = ("-c", "user.name=A", "-c", "user.email=a@example.org")
        subprocess.run(["git", *author, *arguments], cwd=tmp_path, check=True, capture_output=True)

    git("init", "-q", "-b", "main")
    for name in ("kept.py", "edited.py", "deleted.py", "committed.py"):
        (tmp_path / name).write_text("before", "utf-8")
    git("add", ".")
    git("commit", "-q", "-m", "before")
    git("checkout", "-q", "-b", "work")
    return tmp_path, git


@needs_git
def test_what_was_committed_edited_added_and_deleted_since_main_is_changed(repository):
    folder, git = repository
    assert changed(folder) == []
    (folder / "committed.py").write_text("after", "utf-8")
    git("commit", "-q", "-a", "-m", "after")
    (folder / "edited.py").write_text("after", "utf-8")
    (folder / "deleted.py").unlink()
    (folder / "added.py").touch()
    assert sorted(changed(folder)) == ["added.py", "committed.py", "deleted.py", "edited.py"]


def test_where_git_does_not_tell_all_tests_are_run(tmp_path, monkeypatch):
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path.parent))
    assert changed(tmp_path) == [] and found_by([]) == list(ALL)
    monkeypatch.setenv("PATH", str(tmp_path))
    assert changed(tmp_path) == []


@pytest.mark.parametrize(
    ("path", "tests"),
    [
        ("d2lhybrid/internals/ops/neural/activations.py", OPERATORS),
        ("d2lhybrid/gluon/nn/basic_layers.py", LAYERS),
        ("d2lhybrid/internals/compiler/backends/c.py", COMPILER),
        ("d2lhybrid/internals/core/cached_op.py", ALL),
        ("d2lhybrid/a_new_part/file.py", ALL),
        ("tests/operator_samples.py", OPERATORS),
        ("d2lhybrid/internals/pictures/peek.py", ()),
        ("docs/operators.md", ()),
    ],
)
def test_a_change_is_found_by_the_tests_of_its_part(path, tests):
    assert found_by([path]) == list(tests)


def test_what_the_table_names_is_there():
    assert all((ROOT / path.removeprefix("--ignore=")).exists() for path in (*FOUND_BY, *ALL))


def test_the_tests_of_recurrent_programs_are_left_out_unless_those_were_changed():
    assert RECURRENT in found_by(["d2lhybrid/internals/compiler/memory.py"])
    assert found_by(["d2lhybrid/internals/compiler/backends/c_recurrent.py"]) == ["tests/compiler"]


def test_contributing_names_tests_that_make_quick_runs():
    """Whoever adds an operator, a layer or a pass reads there what finds a mistake in it."""
    rows = re.findall(r"^\| an? (\w+) \|.*\| ([^|]*) \|$", (ROOT / "CONTRIBUTING.md").read_text("utf-8"), re.MULTILINE)
    named = {kind: re.findall(r"`(tests/[\w./]+)`", tests)[0] for kind, tests in rows if "tests/" in tests}
    parts = {
        "operator": "d2lhybrid/internals/ops/",
        "layer": "d2lhybrid/gluon/nn/",
        "pass": "d2lhybrid/internals/compiler/passes/",
    }
    for kind, folder in parts.items():
        assert named[kind].startswith(tuple(found_by([folder]))), kind
