"""Build the package as an index would have it, and try it where there is nothing else: ``make release-check``.

The source archive is made from what git knows, the wheel from the source archive. Both are read, and the wheel is
installed into empty environments, with the lowest versions of what it needs and with the newest, and used there as a
student uses it. Nothing is sent anywhere.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import tomllib
import zipfile
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
DIST = ROOT / "dist"
#: In the order in which they are looked for; a name that is on the PATH may still not start.
PYTHONS = ("python3.11", "python3.12", "python3.13", "python3.14")


class Failed(Exception):
    """What was built is not fit to be published: a sentence."""


def _say(sentence: str) -> None:
    print(sentence, flush=True)


def _environment(**more: str) -> dict[str, str]:
    """Return an environment in which nothing leads to this folder, or to packages of the user's."""
    kept = {key: value for key, value in os.environ.items() if not key.startswith("PYTHON") and key != "VIRTUAL_ENV"}
    return {**kept, "PYTHONNOUSERSITE": "1", **more}


def run(*command: str | Path, cwd: Path = ROOT, **more: str) -> str:
    """Run a command and return what it printed.

    Raises
    ------
    Failed
        With all that was said, if it ends with another status than 0.
    """
    words = [str(word) for word in command]
    done = subprocess.run(words, cwd=cwd, env=_environment(**more), capture_output=True, text=True, check=False)
    if done.returncode:
        said = "\n".join([*done.stdout.splitlines()[-30:], *done.stderr.splitlines()[-30:]])
        raise Failed(f"{' '.join(words)} ended with status {done.returncode}:\n{said}")
    return done.stdout


# --- what is built ---


def tracked() -> list[str]:
    """Return the files that git knows, from the top of the repository."""
    return [name for name in run("git", "ls-files", "-z").split("\0") if name and (ROOT / name).is_file()]


def build(files: Iterable[str], work: Path) -> tuple[Path, Path]:
    """Build the source archive from these files alone, and the wheel from it; return both."""
    source, built = work / "source", work / "dist"
    for name in files:
        (source / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(ROOT / name, source / name)
    run(sys.executable, "-m", "build", "--outdir", built, source, cwd=work)
    (archive,), (wheel,) = built.glob("*.tar.gz"), built.glob("*.whl")
    return archive, wheel


def contents(path: Path) -> list[str]:
    """Return the names of the files in an archive; in a source archive without its one folder."""
    if path.suffix == ".whl":
        with zipfile.ZipFile(path) as wheel:
            return wheel.namelist()
    with tarfile.open(path) as archive:
        return [member.name.partition("/")[2] for member in archive.getmembers() if member.isfile()]


def expected_in_wheel(files: Iterable[str]) -> set[str]:
    """Return what a wheel has to hold of the repository: the package, and the course where copies are made from."""
    found = set()
    for name in files:
        if name.startswith("d2lhybrid/"):
            found.add(name)
        elif name.startswith("notebooks/") and name.endswith((".ipynb", "nbgrader_config.py")):
            found.add(f"d2lhybrid/data/course/{name.removeprefix('notebooks/')}")
    found |= {f"d2lhybrid/{room}/__init__.pyi" for room in ("ndarray", "numpy", "symbol")}  # the build writes stubs
    return found


def look_through(archive: Path, wheel: Path, files: Sequence[str]) -> str:
    """Compare what was built with the repository, and return how much it is.

    Raises
    ------
    Failed
        If a file is missing, or there is one that nobody asked for.
    """
    targets = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["hatch"]["build"]["targets"]
    left_out = tuple(one.removeprefix("/") for one in targets["sdist"]["exclude"])
    in_archive = {name for name in files if not name.startswith(left_out)}
    allowed = {"PKG-INFO", ".gitignore"}  # of the build tool's own
    for path, wanted, more in (
        (archive, in_archive, lambda name: name in allowed),
        (wheel, expected_in_wheel(files), lambda name: ".dist-info/" in name or name.endswith(".pyi")),
    ):
        there = set(contents(path))
        surplus = {name for name in there - wanted if not more(name)}
        if wanted - there or surplus:
            raise Failed(f"{path.name}: missing {sorted(wanted - there)[:5]}, too much {sorted(surplus)[:5]}.")
    sizes = [
        f"{path.name} {path.stat().st_size / 2**20:.1f} MB, {len(contents(path))} files" for path in (archive, wheel)
    ]
    return "; ".join(sizes)


# --- empty environments ---


def pythons() -> list[str]:
    """Return the Pythons that are here and that the package supports, from old to new."""
    asks = "import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 11))"
    found = [name for name in PYTHONS if shutil.which(name) and _starts(name, asks)]
    return found or [sys.executable]


def _starts(python: str, program: str) -> bool:
    return subprocess.run([python, "-c", program], capture_output=True, check=False).returncode == 0


def lowest(extra: str = "") -> list[str]:
    """Return the lowest version of each thing that the package, or one of its extras, needs."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    lines = project["dependencies"] + (project["optional-dependencies"][extra] if extra else [])
    return [line.replace(">=", "==") for line in lines]


def install(python: str, folder: Path, wheel: Path, extra: str = "", versions: Sequence[str] = ()) -> Path:
    """Install the wheel into an environment of its own and return its Python.

    Parameters
    ----------
    python : str
        What the environment is made with.
    folder : Path
        Where it goes.
    wheel : Path
        The package.
    extra : str
        Of its extras; by default none.
    versions : sequence of str
        Requirements that go beside it: the lowest versions, say.
    """
    run(python, "-m", "venv", folder, cwd=folder.parent)
    inside = folder / ("Scripts" if os.name == "nt" else "bin") / "python"
    wanted = f"{wheel}[{extra}]" if extra else str(wheel)
    run(inside, "-m", "pip", "install", "--quiet", "--only-binary", ":all:", wanted, *versions, cwd=folder.parent)
    return inside


def try_out(python: Path, work: Path, lessons: Sequence[str]) -> Iterator[str]:
    """Use the package as a student does, from a folder with nothing in it; give a line for each thing that was done.

    Parameters
    ----------
    python : Path
        Of an environment that holds the package.
    work : Path
        An empty folder.
    lessons : sequence of str
        Notebooks that are run and opened in JupyterLab; where there are none, that is left out.
    """
    command = python.with_name("d2lhybrid")
    more = {"D2LHYBRID_DATA": str(work / "progress"), "D2LHYBRID_CLONE": str(ROOT)}
    tried = Path(__file__).with_name("tried.py").read_text("utf-8")
    program = work / "tried.py"
    program.write_text(tried, "utf-8")
    yield run(
        python, "-c", "import sys, numpy; print('Python', sys.version.split()[0], 'NumPy', numpy.__version__)"
    ).strip()
    yield run(command, "doctor", cwd=work, **more).strip().splitlines()[-1]
    yield run(python, program, *(["lab"] if lessons else []), cwd=work, **more).strip()
    yield run(command, "course", "mine", cwd=work, **more).strip()
    if lessons:
        run(command, "lesson", *(f"mine/{name}" for name in lessons), cwd=work, **more)
        yield f"ran {', '.join(lessons)}"


# --- whether it can be published ---


def not_ready(version: str) -> list[str]:
    """Return what is missing before this version can be published; the recipe is docs/releasing.md."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    found = re.search(r'^__version__ = "(.*)"', (ROOT / "d2lhybrid" / "__init__.py").read_text("utf-8"), re.MULTILINE)
    changes = (ROOT / "docs" / "CHANGELOG.md").read_text("utf-8")
    citation = (ROOT / "docs" / "CITATION.cff").read_text("utf-8")
    missing = []
    if found is None or found[1] != version:
        missing.append(f"d2lhybrid/__init__.py says version {found[1] if found else '?'}, not {version}")
    if not re.search(rf"^## \[{re.escape(version)}\] - \d{{4}}-\d\d-\d\d$", changes, re.MULTILINE):
        missing.append(f"docs/CHANGELOG.md has no section `## [{version}] - YYYY-MM-DD`")
    if f"\nversion: {version}\n" not in citation or "\ndate-released:" not in citation:
        missing.append(f"docs/CITATION.cff has not `version: {version}`, or no `date-released:`")
    if not project.get("urls"):
        missing.append("pyproject.toml has no [project.urls]: where is the repository published?")
    if run("git", "status", "--porcelain"):
        missing.append("there are changes that are not committed")
    return missing


def main(arguments: Sequence[str] | None = None) -> int:
    """Run from the command line; the exit status."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("version", nargs="?", help="ask whether this version can be published, too")
    version = parser.parse_args(arguments).version
    try:
        with tempfile.TemporaryDirectory() as folder:
            _check(Path(folder))
    except Failed as problem:
        print(problem, file=sys.stderr)
        return 1
    if version is None:
        _say("The package is well. Whether a version can be published: make release-check RELEASE=VERSION")
        return 0
    missing = not_ready(version)
    for sentence in missing:
        _say(f"Not ready: {sentence}.")
    if not missing:
        _say(f"{version} can be published: what is in dist/ is what was tried (docs/releasing.md goes on).")
    return int(bool(missing))


def _check(work: Path) -> None:
    files = tracked()
    _say("Building the source archive, and the wheel from it ...")
    archive, wheel = build(files, work)
    _say(look_through(archive, wheel, files))
    run(sys.executable, "-m", "twine", "check", "--strict", archive, wheel)
    run(Path(sys.executable).with_name("cffconvert"), "--validate", "-i", "docs/CITATION.cff")
    _say("twine and cffconvert have no objection.")
    oldest, newest = pythons()[0], pythons()[-1]
    lessons = ["03_hybrid_block.ipynb", "zh/03_hybrid_block.ipynb"]
    for name, python, extra, versions in (
        ("alone, lowest", oldest, "", lowest()),
        ("alone, newest", newest, "", []),
        ("[lab], lowest", oldest, "lab", lowest("lab")),
        ("[lab], newest", newest, "lab", []),
    ):
        place = work / re.sub(r"\W+", "-", name)
        (place / "here").mkdir(parents=True)
        inside = install(python, place / "environment", wheel, extra, versions)
        for line in try_out(inside, place / "here", lessons if extra else []):
            _say(f"{name}: {line}")
    DIST.mkdir(exist_ok=True)
    for path in DIST.glob("d2lhybrid-*"):
        path.unlink()
    for path in (archive, wheel):
        shutil.copy2(path, DIST)


if __name__ == "__main__":
    sys.exit(main())
