"""What failed beside others passes the run only where it passes alone."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from again import MOST, main

TESTS = """
import os, pytest

def test_good(): pass

@pytest.mark.xdist_group("few")
@pytest.mark.parametrize("number", range(20))
def test_first(number): assert number >= int(os.environ["FAILING"])
"""


def run(folder: Path, monkeypatch: pytest.MonkeyPatch, failing: str, then: str) -> int:
    """Run the tests of a folder with some that fail, and try them again with others that do."""
    (folder / "test_it.py").write_text(TESTS)
    monkeypatch.setenv("FAILING", failing)
    command = [sys.executable, "-m", "pytest", "-q", "-n", "1", "--dist", "loadgroup"]
    subprocess.run(command, cwd=folder, check=False, capture_output=True)
    monkeypatch.setenv("FAILING", then)
    return main(folder)


def test_what_passes_alone_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    assert run(tmp_path, monkeypatch, failing="1", then="0") == 0
    said = capfd.readouterr().out
    assert "1 passed" in said and said.endswith("passed alone: test_it.py::test_first[0]\n")


def test_what_fails_alone_fails(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    assert run(tmp_path, monkeypatch, failing="2", then="1") == 1
    assert "1 failed, 1 passed" in capfd.readouterr().out


def test_many_are_no_accident(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    assert run(tmp_path, monkeypatch, failing=str(MOST + 1), then="0") == 1
    assert capfd.readouterr().out == "4 tests failed: too many to be an accident.\n"


def test_a_run_that_failed_without_a_test_stays_failed(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert main(tmp_path) == 1
    assert "nothing to repeat" in capfd.readouterr().out
