"""Tests keep what they write: whoever runs them finds nothing new in the home."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
PRINT_PLACES = """
import os
from pathlib import Path
from d2lhybrid.internals.compiler.backends import library_cache
from d2lhybrid.gluon.model_zoo.vision.common import DEFAULT_ROOT
from d2lhybrid.internals.course.exercises import records
from d2lhybrid.internals.support.data_folder import data_dir
print(Path.home(), records.folder(), data_dir(), DEFAULT_ROOT, library_cache.cache_folder(), sep="\\n")
"""
WRITES_EVERYWHERE = """
import d2lhybrid as mx
from d2lhybrid.exercises import ex
from d2lhybrid.gluon import nn
from d2lhybrid.internals.course.exercises import records

def test_a_home_is_written_to():
    net = nn.Dense(2)
    net.initialize()
    net.hybridize(backend="c")
    net(mx.nd.ones((1, 2)))
    ex("01.1").check(lambda numbers: "print(1)")
    assert (records.folder() / "01.1.json").exists()
"""


def test_a_program_that_a_test_starts_keeps_its_things_with_those_of_the_tests():
    done = subprocess.run([sys.executable, "-c", PRINT_PLACES], capture_output=True, text=True, check=True)
    *at_home, cache = map(Path, done.stdout.splitlines())
    home = Path(os.environ["HOME"])
    assert home == Path.home() and home.parent == Path(tempfile.gettempdir()) and len(at_home) == 4
    assert all(path.is_relative_to(home) for path in at_home)
    assert cache.is_relative_to(home) or cache.is_relative_to(ROOT / ".pytest_cache")


@pytest.mark.skipif(os.name != "posix", reason="signals are those of POSIX systems")
def test_a_session_in_the_background_of_a_shell_can_interrupt_its_programs(tmp_path):
    (tmp_path / "conftest.py").write_text((ROOT / "conftest.py").read_text("utf-8"), "utf-8")
    ask = "import signal; print(signal.getsignal(signal.SIGINT) is signal.SIG_IGN)"
    call = f"subprocess.check_output([sys.executable, '-c', {ask!r}])"
    test = f"import subprocess, sys\ndef test_it():\n    assert b'False' in {call}"
    (tmp_path / "test_it.py").write_text(test, "utf-8")
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")}
    command = f"trap '' INT; {sys.executable} -m pytest -q -p no:cacheprovider --rootdir . ."
    done = subprocess.run(
        ["sh", "-c", command], cwd=tmp_path, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.slow
def test_a_session_leaves_nothing_in_the_home_of_whoever_starts_it(tmp_path):
    """Also where variables name places: those of whoever starts it are as good as the home."""
    (tmp_path / "home" / "data").mkdir(parents=True)
    suite = tmp_path / "suite"
    suite.mkdir()
    (suite / "conftest.py").write_text((ROOT / "conftest.py").read_text("utf-8"), "utf-8")
    (suite / "test_it.py").write_text(WRITES_EVERYWHERE, "utf-8")
    (tmp_path / "temporary").mkdir()
    named = {
        "HOME": "home",
        "D2LHYBRID_DATA": "home/data",
        "XDG_DATA_HOME": "home/data",
        "XDG_CACHE_HOME": "home/cache",
    }
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")}
    environment |= {name: str(tmp_path / folder) for name, folder in (named | {"TMPDIR": "temporary"}).items()}
    environment["PYTHONPATH"] = str(ROOT)
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--rootdir", str(suite), str(suite)]
    done = subprocess.run(command, cwd=suite, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert [path for path in (tmp_path / "home").rglob("*") if path.is_file()] == []
    assert not [path for path in (tmp_path / "temporary").iterdir() if "d2lhybrid-tests" in path.name]
