"""Tests that are not ours are run by an interpreter that is named: what it cannot run is told, and nothing is noted."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from .foreign.peer import MXNET
from .foreign.pytest_files import Suite, run_file, run_to_the_end


@pytest.fixture
def bare_python(tmp_path: Path) -> Path:
    """Return an interpreter without pytest."""
    python = tmp_path / "python"
    python.write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} -S "$@"\n')
    python.chmod(0o755)
    return python


def _of_mxnet(python: Path, folder: Path) -> object:
    return run_file(MXNET, "test_one.py", folder, folder, python, True, (60, 60), of_mxnet=True)


def _of_a_library(python: Path, folder: Path) -> object:
    library = Suite("Some", "1.0", "v1.0", "some.py", ("",), ("test_*.py",), (), {}, {})
    return run_file(library, "test_one.py", folder, folder, python, True, (60, 60))


@pytest.mark.skipif(sys.platform == "win32", reason="an interpreter is named by a script of the shell")
@pytest.mark.parametrize("ask", [_of_mxnet, _of_a_library])
def test_an_interpreter_without_pytest_is_refused(
    bare_python: Path, tmp_path: Path, ask: Callable[[Path, Path], object]
) -> None:
    (tmp_path / "test_one.py").write_text("def test_one():\n    pass\n")
    with pytest.raises(SystemExit, match=r"nothing is noted.*No module named pytest"):
        ask(bare_python, tmp_path)


@pytest.mark.parametrize("status", [0, 5, None])
def test_a_file_in_which_no_test_is_run_is_no_error(tmp_path: Path, status: int | None) -> None:
    noted, said = tmp_path / "noted", tmp_path / "said"

    def start(done: list[str], left: float) -> int | None:
        noted.write_text('{"began": "a"}\n')
        return status

    results = run_to_the_end(start, noted, said, 60)
    assert list(results) == ([] if status is not None else ["(the file)"])
