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
from d2lhybrid.internals.support.requirements import required_python

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
        "conftest.py",
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
    """All but the one whose outputs are there to be looked at; tests/test_readme.py looks."""
    shown = ROOT / "docs" / "pictures" / "00_start_here.ipynb"
    for path in FILES:
        if path.suffix != ".ipynb" or path == shown:
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
        base = path.parent
        if base.name == "text" and base.is_relative_to(ROOT / "notebooks"):
            base = base.parent  # the links of a notebook
        for target in re.findall(r'(?:\]\(|\bsrc(?:set)?=")([^)#\s"]+)', text):
            if not re.match(r"[a-z]+:", target):
                assert (base / target).exists(), f"{path.relative_to(ROOT)}: {target}"


def test_the_index_of_docs_has_every_text():
    index = (ROOT / "docs" / "README.md").read_text("utf-8")
    linked = set(re.findall(r"\]\(([^)#\s]+)", index))
    texts = {path.name for path in (ROOT / "docs").glob("*.md")} - {"README.md"}
    assert texts <= linked, f"docs/README.md leaves out {sorted(texts - linked)}"
    assert {"errors/README.md", "decisions/README.md", "../CONTRIBUTING.md"} <= linked
    assert "(docs/README.md)" in (ROOT / "README.md").read_text("utf-8")


def test_decisions_are_all_listed():
    folder = ROOT / "docs" / "decisions"
    listed = re.findall(r"\((\d{4}-[\w-]+\.md)\)", (folder / "README.md").read_text("utf-8"))
    assert listed == sorted(path.name for path in folder.glob("[0-9]*.md"))


def test_the_core_needs_numpy_only():
    assert [Requirement(line).name for line in PYPROJECT["project"]["dependencies"]] == ["numpy"]


@needs_git
def test_the_oldest_python_is_the_same_everywhere():
    """In what pip, make, doctor and readers are told."""
    oldest = PYPROJECT["project"]["requires-python"].removeprefix(">=")
    assert re.fullmatch(r"3\.\d+", oldest), "every patch release of it"
    minor = oldest.partition(".")[2]
    assert f"Programming Language :: Python :: {oldest}" == next(
        line for line in PYPROJECT["project"]["classifiers"] if re.search(r":: 3\.\d+$", line)
    )
    assert PYPROJECT["tool"]["ruff"]["target-version"] == f"py3{minor}"
    assert PYPROJECT["tool"]["pyright"]["pythonVersion"] == oldest
    asked = required_python()
    assert asked.met_by(f"{oldest}.0") and not asked.met_by(f"3.{int(minor) - 1}.99")
    makefile = (ROOT / "Makefile").read_text("utf-8")
    assert set(re.findall(r"exit\(sys\.version_info < \((\d+, \d+)\)\)", makefile)) == {f"3, {minor}"}
    assert set(re.findall(r'"(\d\.\d+)" <= number', makefile)) == {oldest}
    said = re.compile(r"Python (\d+\.\d+) (?:or newer|或更新)")
    told = {str(path.relative_to(ROOT)): {*said.findall(_text(path) or "")} for path in FILES if path.suffix != ".py"}
    assert told["README.md"] | told["Makefile"] and {n for numbers in told.values() for n in numbers} == {oldest}


# --- make ---

needs_make = pytest.mark.skipif(
    os.name != "posix" or shutil.which("make") is None or not (ROOT / "Makefile").is_file(),
    reason="make is not installed",
)


def _script(path: Path, text: str) -> None:
    path.write_text(f"#!{shutil.which('sh')}\n{text}\n", "utf-8")
    path.chmod(0o755)


def _make(folder: Path, *arguments: str, pythons: dict[str, str], **environment: str) -> subprocess.CompletedProcess:
    """Run make on a copy of the Makefile, on a machine with these Pythons and no others."""
    shutil.copy(ROOT / "Makefile", folder)
    shutil.copy(ROOT / "pyproject.toml", folder)
    programs = folder / "bin"
    programs.mkdir()
    for name in (
        "sh",
        "make",
        "sed",
        "grep",
        "head",
        "tail",
        "sort",
        "cut",
        "test",
        "touch",
        "rm",
        "mkdir",
        "env",
        "cat",
    ):
        if program := shutil.which(name):
            (programs / name).symlink_to(program)
    for name, text in pythons.items():
        _script(programs / name, text)
    environment = {"PATH": str(programs), "HOME": str(folder), **environment}
    command = [str(programs / "make"), "--no-print-directory", "-C", str(folder), *arguments]
    return subprocess.run(command, env=environment, capture_output=True, text=True, check=False)


def _fake_python(version: tuple[int, int], ensurepip: bool = True) -> str:
    """Return a shell script that answers as such a Python answers the Makefile's questions."""
    number = f"{version[0]}.{version[1]}"
    return f"""
case "$2" in
    *'import pip'*) exit 0 ;;
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
    done = _make(tmp_path, "environment", pythons=pythons)
    assert done.stdout == "Making an environment in .venv with python3.11 ...\n" and done.returncode == 0


@needs_make
@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("python3", "PYTHON=python3 is Python 3.9, and d2lhybrid needs Python 3.11 or newer"),
        ("python3.14", "PYTHON=python3.14 is no Python that can be started here"),
        ("python3.12", "Python 3.12 is here without its venv module"),
    ],
)
@pytest.mark.parametrize("there", [True, False], ids=["with an environment", "without one"])
def test_make_takes_no_other_python_than_it_is_told(tmp_path, name, said, there):
    pythons = {
        "python3.12": _fake_python((3, 12), ensurepip=False),
        "python3.11": _fake_python((3, 11)),
        "python3": _fake_python((3, 9)),
    }
    if there:
        (tmp_path / ".venv" / "bin").mkdir(parents=True)
        _script(tmp_path / ".venv" / "bin" / "python", _fake_python((3, 11)))
    done = _make(tmp_path, "environment", f"PYTHON={name}", pythons=pythons)
    assert done.returncode != 0 and done.stderr.startswith(said) and not done.stdout


@needs_make
def test_make_makes_an_environment_anew_whose_python_has_gone(tmp_path):
    """With whatever was installed into it before; and leaves one alone that works."""
    python = tmp_path / ".venv" / "bin" / "python"
    python.parent.mkdir(parents=True)
    (tmp_path / ".venv" / ".d2lhybrid.json").touch()
    python.symlink_to(tmp_path / "gone")
    done = _make(tmp_path, "environment", pythons={"python3": _fake_python((3, 12))})
    assert done.stdout == "Making an environment in .venv with python3 ...\n"
    python.unlink()
    _script(python, _fake_python((3, 11)))
    shutil.rmtree(tmp_path / "bin")
    done = _make(tmp_path, "environment", pythons={"python3": _fake_python((3, 12))})
    assert (done.stdout, done.stderr, done.returncode) == ("", "", 0)
    shutil.rmtree(tmp_path / "bin")
    done = _make(tmp_path, "environment", "PYTHON=python3", pythons={"python3": _fake_python((3, 12))})
    assert done.stdout == "Making an environment in .venv with python3 ...\n"


@needs_make
def test_make_is_not_led_astray_by_settings_of_python(tmp_path):
    python = tmp_path / ".venv" / "bin" / "python"
    python.parent.mkdir(parents=True)
    _script(python, 'echo "path=$PYTHONPATH home=$PYTHONHOME safe=$PYTHONSAFEPATH $*"')
    done = _make(
        *(tmp_path, "-o", "lab-environment", "lab", "lesson"), pythons={},
        PYTHONPATH="/elsewhere", PYTHONHOME="/elsewhere", PYTHONSAFEPATH="1",
    )  # fmt: skip
    assert done.stdout.splitlines() == [
        f"path={tmp_path} home= safe= -m d2lhybrid lab notebooks",
        f"path={tmp_path} home= safe= -m d2lhybrid lesson",
    ]


@needs_make
@pytest.mark.parametrize(
    ("environment", "versions", "said"),
    [
        ("newest", {"python3": (3, 11, 9), "python3.12": (3, 12, 1), "python3.13": (3, 13, 0)}, "/python3.13 ..."),
        ("newest", {"python3": (3, 11, 9), "python3.11": (3, 11, 12)}, "/python3.11 ..."),
        ("oldest", {"python3": (3, 13, 0), "python3.12": (3, 12, 1), "python3.13": (3, 13, 0)}, "/python3.12 ..."),
        ("oldest", {"python3": (3, 11, 2), "python3.11": (3, 11, 9), "python3.12": (3, 12, 0)}, "/python3 ..."),
        ("oldest", {"python3": (3, 10, 4), "python3.13": (3, 13, 0)}, "There is no Python with its venv module here"),
        (
            "oldest",
            {},
            "There is no Python with its venv module here for .venv-oldest, so the tests on it are skipped.",
        ),
    ],
)
def test_make_chooses_the_oldest_and_the_newest_release(tmp_path, environment, versions, said):
    # The question is answered by a real Python, of which only the number is changed.
    real = sys.executable
    change = "import sys; sys.version_info = ({}, {}, {}, 'final', 0); exec(sys.argv.pop(1))"
    pythons = {
        name: f'test "$1" = -c && exec "{real}" -c "{change.format(*version)}" "$2" "$3" "$4"; exit 0'
        for name, version in versions.items()
    }
    done = _make(tmp_path, f".venv-{environment}/.installed", pythons=pythons)
    assert said in done.stdout


@needs_make
def test_make_says_why_there_is_no_real_mxnet(tmp_path):
    done = _make(tmp_path, "mxnet", pythons={"python3": _fake_python((3, 13))})
    assert done.returncode == 0
    assert "the tests against it are skipped: it needs a Python from 3.8 to 3.11" in done.stdout


@needs_make
def test_every_command_that_texts_name_is_there(tmp_path):
    files = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("*.md"))]
    texts = "\n".join(path.read_text("utf-8") for path in files)
    code = "\n".join(map("".join, re.findall(r"^```bash\n(.*?)^```|(`make [^`]+`)", texts, re.DOTALL | re.MULTILINE)))
    targets = set(re.findall(r"(?:^|`)make (?:[A-Z_]+=\S+ )?([a-z][a-z-]+)", code, flags=re.MULTILINE))
    assert {"lab", "test", "lesson", "interop", "bench", "clean", "format", "pictures"} <= targets
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
