"""Promises about the repository itself: its files, its commands."""

import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement

import d2lhybrid

ROOT = Path(__file__).resolve().parent.parent
PYPROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))


def _tracked_files() -> list[Path]:
    """Return the files that git knows, or would take up."""
    command = ["git", "-C", str(ROOT), "ls-files", "--cached", "--others", "--exclude-standard", "-z"]
    try:
        done = subprocess.run(command, capture_output=True, check=True)
    except (OSError, subprocess.CalledProcessError):
        return []
    names = done.stdout.decode().split("\0")
    return [ROOT / name for name in names if name and (ROOT / name).is_file()]


FILES = _tracked_files()
needs_git = pytest.mark.skipif(not FILES, reason="this folder is not a git repository")


def _text(path: Path) -> str | None:
    data = path.read_bytes()
    if b"\0" in data:
        return None
    return data.decode("utf-8")


# --- files ---


@needs_git
def test_top_level():
    allowed = {
        *(".ci", ".gitignore", ".pre-commit-config.yaml", "CONTRIBUTING.md", "LICENSE", "Makefile"),
        *("README.md", "benchmarks", "binder", "d2lhybrid", "docs", "environment.yml"),
        *("environment-gpu.yml", "notebooks", "pyproject.toml", "tests"),
    }
    assert {path.relative_to(ROOT).parts[0] for path in FILES} <= allowed


@needs_git
def test_no_marks_of_a_merge():
    pattern = re.compile(r"^(<<<<<<<|>>>>>>>) ", re.MULTILINE)
    assert not [str(path) for path in FILES if pattern.search(_text(path) or "")]


@needs_git
def test_no_large_file():
    large = [str(path) for path in FILES if path.stat().st_size > 2**20]
    assert not large, "over 1 MB"


@needs_git
def test_no_path_of_a_particular_machine():
    pattern = re.compile(r"(?<![\w./~:-])/(?:home|root|tmp|work|Users)\b")
    found = [
        f"{path.relative_to(ROOT)}:{number}: {line.strip()[:100]}"
        for path in FILES
        for number, line in enumerate((_text(path) or "").splitlines(), 1)
        if path != Path(__file__).resolve() and pattern.search(line)
    ]
    assert not found


@needs_git
def test_notebooks_are_stripped():
    for path in FILES:
        if path.suffix != ".ipynb":
            continue
        notebook = json.loads(path.read_text("utf-8"))
        assert "widgets" not in notebook["metadata"], path
        for cell in notebook["cells"]:
            if cell["cell_type"] == "code":
                assert not cell["outputs"] and cell["execution_count"] is None, f"{path}: run nbstripout on it"


@needs_git
def test_links_in_texts_lead_somewhere():
    for path in FILES:
        if path.suffix != ".md":
            continue
        text = re.sub(r"^```.*?^```", "", path.read_text("utf-8"), flags=re.DOTALL | re.MULTILINE)
        for target in re.findall(r"\]\(([^)#\s]+)", text):
            if not re.match(r"[a-z]+:", target):
                assert (path.parent / target).exists(), f"{path.relative_to(ROOT)}: {target}"


def test_version_is_the_same_everywhere():
    assert PYPROJECT["project"]["version"] == d2lhybrid.__version__


def test_decisions_are_all_listed():
    folder = ROOT / "docs" / "decisions"
    listed = re.findall(r"\((\d{4}-[\w-]+\.md)\)", (folder / "README.md").read_text("utf-8"))
    assert listed == sorted(path.name for path in folder.glob("[0-9]*.md"))


def test_the_core_needs_numpy_only():
    assert [Requirement(line).name for line in PYPROJECT["project"]["dependencies"]] == ["numpy"]


# --- make ---

needs_make = pytest.mark.skipif(
    os.name != "posix" or shutil.which("make") is None or not (ROOT / "Makefile").is_file(),
    reason="make is not installed",
)


def _script(path: Path, text: str) -> None:
    path.write_text(f"#!{shutil.which('sh')}\n{text}\n", "utf-8")
    path.chmod(0o755)


def _make(folder: Path, *arguments: str, pythons: dict[str, str]) -> subprocess.CompletedProcess:
    """Run make on a copy of the Makefile, on a machine with these Pythons and no others."""
    shutil.copy(ROOT / "Makefile", folder)
    shutil.copy(ROOT / "pyproject.toml", folder)
    programs = folder / "bin"
    programs.mkdir()
    for name in ("sh", "make", "sed", "grep", "tail", "test", "touch", "rm", "mkdir", "env", "cat"):
        if program := shutil.which(name):
            (programs / name).symlink_to(program)
    for name, text in pythons.items():
        _script(programs / name, text)
    environment = {"PATH": str(programs), "HOME": str(folder)}
    command = [str(programs / "make"), "--no-print-directory", "-C", str(folder), *arguments]
    return subprocess.run(command, env=environment, capture_output=True, text=True, check=False)


def _fake_python(version: tuple[int, int], ensurepip: bool = True) -> str:
    """Return a shell script that answers as such a Python answers the Makefile's questions."""
    number = f"{version[0]}.{version[1]}"
    return f"""
case "$2" in
    *print*) echo {number} ;;
    *'version_info < (3, 11)'*) exit {int(version < (3, 11))} ;;
    *'(3, 8) <='*) exit {int(not (3, 8) <= version < (3, 12))} ;;
    *ensurepip*) exit {int(not ensurepip)} ;;
    *) case "$1 $2" in "-m venv") exit 0 ;; *) exit 1 ;; esac ;;
esac"""


@needs_make
def test_make_on_a_python_that_is_too_old(tmp_path):
    done = _make(tmp_path, "test", pythons={"python3": _fake_python((3, 9)), "python": _fake_python((2, 7))})
    assert done.returncode != 0
    first, *rest = done.stderr.splitlines()
    assert first.startswith("d2lhybrid needs Python 3.11 or newer, but here is only Python 3.9 2.7: install")
    assert all(line.startswith("make") for line in rest) and not done.stdout


@needs_make
def test_make_without_any_python(tmp_path):
    done = _make(tmp_path, "lab", pythons={})
    assert done.returncode != 0
    assert done.stderr.startswith("d2lhybrid needs Python 3.11 or newer, but there is no Python on the PATH")


@needs_make
def test_make_without_the_venv_module(tmp_path):
    pythons = {"python3": _fake_python((3, 12), ensurepip=False), "python": _fake_python((2, 7))}
    done = _make(tmp_path, "lab", pythons=pythons)
    assert done.returncode != 0
    assert done.stderr.startswith("Python 3.12 is here without its venv module: install it")
    assert "sudo apt install python3.12-venv" in done.stderr


@needs_make
def test_make_takes_a_python_that_will_do(tmp_path):
    """A newer one without venv, and a broken one, do not get in the way."""
    pythons = {
        "python3.13": "exit 127",
        "python3.12": _fake_python((3, 12), ensurepip=False),
        "python3.11": _fake_python((3, 11)),
        "python3": _fake_python((3, 9)),
    }
    done = _make(tmp_path, ".venv/bin/python", pythons=pythons)
    assert done.stdout == "python3.11 -m venv .venv\n" and done.returncode == 0
    (tmp_path / "second").mkdir()
    done = _make(tmp_path / "second", ".venv/bin/python", "PYTHON=python3.14", pythons=pythons)
    assert done.stdout == "python3.11 -m venv .venv\n"


@needs_make
def test_make_says_why_there_is_no_real_mxnet(tmp_path):
    done = _make(tmp_path, "mxnet", pythons={"python3": _fake_python((3, 13))})
    assert done.returncode == 0
    assert "the tests against it are skipped: it needs a Python from 3.8 to 3.11" in done.stdout


@needs_make
def test_every_command_of_the_readme_is_there(tmp_path):
    texts = (ROOT / "README.md").read_text("utf-8") + (ROOT / "CONTRIBUTING.md").read_text("utf-8")
    targets = set(re.findall(r"(?:^|`)make (?:PYTHON=\S+ )?([a-z]+)", texts, flags=re.MULTILINE))
    assert {"lab", "test", "lesson", "interop", "bench", "clean", "format"} <= targets
    done = _make(tmp_path, "--dry-run", *sorted(targets), pythons={})
    assert done.returncode == 0, done.stderr


# --- the command, and real MXNet ---


def test_the_command_line():
    done = subprocess.run([sys.executable, "-m", "d2lhybrid", "version"], capture_output=True, text=True, check=True)
    assert done.stdout == f"d2lhybrid {d2lhybrid.__version__}\n"


@pytest.mark.interop
def test_real_mxnet_is_the_release_that_we_compare_with():
    python = os.environ.get("D2LHYBRID_MXNET_PYTHON")
    if not python:
        pytest.skip("real MXNet is not installed: make interop")
    code = "import mxnet; print(mxnet.__version__)"
    done = subprocess.run([python, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "1.9.1"


# --- the programs in README.md and CONTRIBUTING.md ---


def test_the_programs_of_the_readme_run(tmp_path):
    blocks = re.findall(r"```python\n(.*?)```", (ROOT / "README.md").read_text("utf-8"), flags=re.DOTALL)
    assert len(blocks) == 3
    program = "\n".join(blocks) + "\nimport mxnet as mx\nassert mx.nd is nd\n"
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-W", "error", "-c", program]
    done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "<NDArray 1x10 @cpu(0)>" in done.stdout


CHECK_THE_EXAMPLE = """
from __future__ import annotations
import sys
import numpy
from d2lhybrid.ops import rules
from d2lhybrid.ops.kernel_space import kernel_space
from d2lhybrid.ops.registry import Array, get_operator, operator

exec(sys.stdin.read())
swish = get_operator("swish")
x = numpy.linspace(-3, 3, 7)
y = swish.kernel(numpy, x, beta=1.5)
assert abs(y - x / (1 + numpy.exp(-1.5 * x))).max() < 1e-12
assert swish.shape_rule((2, None), beta=1.5)[1] == [(2, None)]
(gradient,) = swish.gradient_rule(kernel_space(numpy), numpy.ones(7), y, x, beta=1.5)
step = 1e-6
numeric = (swish.kernel(numpy, x + step, beta=1.5) - swish.kernel(numpy, x - step, beta=1.5)) / (2 * step)
assert abs(gradient - numeric).max() < 1e-8
"""


def test_the_operator_of_contributing_is_right():
    text = (ROOT / "CONTRIBUTING.md").read_text("utf-8")
    block = re.search(r"## An operator.*?```python\n(.*?)```", text, flags=re.DOTALL)
    assert block
    # In a process of its own, so that the registry of the other tests stays as it is.
    command = [sys.executable, "-W", "error", "-c", CHECK_THE_EXAMPLE]
    done = subprocess.run(command, input=block[1], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
