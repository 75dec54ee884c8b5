"""The environments for conda and Binder: what they install, and what Binder would make of the repository."""

import importlib.metadata
import os
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
import yaml
from packaging.markers import default_environment
from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet
from packaging.utils import canonicalize_name
from packaging.version import Version

from d2lhybrid.internals.commands import binder, cli

ROOT = Path(__file__).resolve().parent.parent
PYPROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
EXTRAS = PYPROJECT["optional-dependencies"]
FOR_CPU, FOR_GPU = "environment.yml", "environment-gpu.yml"

each_environment = pytest.mark.parametrize("name", [FOR_CPU, FOR_GPU])

#: Conda's names where they are not PyPI's; None for what pip does not install.
CONDA_NAMES = {
    "cupy": "cupy-cuda12x",
    "matplotlib-base": "matplotlib",
    "python-graphviz": "graphviz",
    "graphviz": None,
    "pip": None,
    "python": None,
}


def conda_lines(name: str) -> list[str]:
    """Return the requirements of an environment, which lists nothing for pip."""
    environment = yaml.safe_load((ROOT / name).read_text("utf-8"))
    assert set(environment) == {"name", "channels", "dependencies"}
    assert environment["channels"] == ["conda-forge", "nodefaults"]
    for line in environment["dependencies"]:
        assert isinstance(line, str), "a pip entry keeps Binder from caching; it belongs into postBuild"
    return environment["dependencies"]


def conda_requirements(name: str) -> dict[str, str]:
    """Return conda name -> version."""
    result = {}
    for line in conda_lines(name):
        match = re.fullmatch(r"([a-z0-9-]+)([<>=].*)?", line)
        assert match, line
        assert match[1] not in result, f"{match[1]} is listed twice"
        result[match[1]] = match[2] or ""
    return result


@each_environment
def test_environments_agree_with_pyproject(name):
    """The notebooks' extras, `lab` and `onnx`, and CuPy for a GPU: the same packages, the same versions."""
    extras = ["lab", "onnx", *(["cuda12"] if name == FOR_GPU else [])]
    lines = PYPROJECT["dependencies"] + [line for extra in extras for line in EXTRAS[extra]]
    conda = conda_requirements(name)
    mapped = {CONDA_NAMES.get(key, key): version for key, version in conda.items()}
    mapped.pop(None)
    assert mapped == {requirement.name: str(requirement.specifier) for requirement in map(Requirement, lines)}


@each_environment
def test_environments_have_a_python_that_will_do(name):
    python = conda_requirements(name)["python"].removeprefix("=")
    assert python in SpecifierSet(PYPROJECT["requires-python"])
    assert re.fullmatch(r"3\.\d+", python), "Binder takes major.minor only"


@each_environment
def test_conda_understands_the_environments(name):
    """Conda's own rules for requirements, which are not pip's."""
    rattler = pytest.importorskip("rattler", reason="py-rattler is not installed: make test installs it")
    for line in conda_lines(name):
        spec = rattler.MatchSpec(line)
        package, version = re.fullmatch(r"([a-z0-9-]+)[<>=]*(.*)", line).groups()
        assert spec.name.normalized == package
        if not version:
            assert spec.version is None
        else:
            inside, older = rattler.Version(version), rattler.Version("0.0.1")
            assert rattler.VersionSpec(str(spec.version)).matches(inside)
            assert not rattler.VersionSpec(str(spec.version)).matches(older)


def test_the_environments_differ_by_what_a_gpu_needs():
    assert [line for line in conda_lines(FOR_GPU) if not line.startswith("cupy")] == conda_lines(FOR_CPU)


# --- Binder's versions ---

#: Where Binder runs, for markers.
BINDER = {
    **default_environment(),
    "python_version": "3.12", "python_full_version": "3.12.0", "sys_platform": "linux", "platform_system": "Linux",
    "platform_machine": "x86_64", "os_name": "posix", "implementation_name": "cpython",
    "platform_python_implementation": "CPython", "extra": "",
}  # fmt: skip


def locked() -> dict[str, Version]:
    """Return name -> version of all that Binder installs."""
    lines = (ROOT / "binder" / "requirements.txt").read_text("utf-8").splitlines()
    found = {}
    for line in lines:
        if not line.startswith("#"):
            # A name and a version, and nothing else: no address, no path, no option of pip.
            match = re.fullmatch(r"([a-z0-9][a-z0-9.-]*)==([0-9][\w.+!]*)", line)
            assert match, line
            assert canonicalize_name(match[1]) not in found, f"{match[1]} is listed twice"
            found[canonicalize_name(match[1])] = Version(match[2])
    return found


def test_binder_installs_what_the_declaration_asks_for():
    """`make lock` writes the versions anew when `pyproject.toml` asks for others."""
    versions = locked()
    for line in [*PYPROJECT["dependencies"], *EXTRAS["lab"], *EXTRAS["onnx"], *EXTRAS["fast"]]:
        wanted = Requirement(line)
        assert canonicalize_name(wanted.name) in versions, f"{wanted.name} is not locked: make lock"
        assert versions[canonicalize_name(wanted.name)] in wanted.specifier, f"{line}: make lock"


def test_what_binder_installs_needs_nothing_else():
    """As far as these packages are installed here, in whatever version: what each asks for is locked, too, and fits."""
    versions = locked()
    asked = 0
    for name, version in versions.items():
        try:
            found = importlib.metadata.distribution(name)
        except importlib.metadata.PackageNotFoundError:
            continue
        if Version(found.version) != version:
            continue
        for wanted in map(Requirement, found.requires or []):
            if wanted.marker is None or wanted.marker.evaluate(BINDER):
                asked += 1
                assert canonicalize_name(wanted.name) in versions, f"{name} needs {wanted}, which is not locked"
                assert versions[canonicalize_name(wanted.name)] in wanted.specifier, f"{name} needs {wanted}"
    if not asked:
        pytest.skip("nothing that Binder installs is installed here")


def test_binder_has_a_python_that_will_do():
    text = (ROOT / "binder" / "runtime.txt").read_text("utf-8")
    assert re.fullmatch(r"python-3\.\d+\n", text) and text[7:].strip() in SpecifierSet(PYPROJECT["requires-python"])
    assert BINDER["python_version"] == text[7:].strip() == conda_requirements(FOR_CPU)["python"].removeprefix("=")


def test_binder_installs_the_package_alone():
    script = ROOT / "binder" / "postBuild"
    assert os.access(script, os.X_OK)
    assert "python -m pip install --no-deps --editable .\n" in script.read_text("utf-8"), "edits are to have an effect"


# --- what Binder does with it ---


def _repo2docker() -> str | None:
    beside = Path(sys.executable).parent / "jupyter-repo2docker"
    return str(beside) if beside.exists() else shutil.which("jupyter-repo2docker")


@pytest.fixture(scope="module")
def dockerfile(tmp_path_factory):
    """What repo2docker writes for this repository; it needs neither docker nor a connection."""
    program = _repo2docker()
    if program is None:
        pytest.skip("jupyter-repo2docker is not installed: make test installs it")
    copy = tmp_path_factory.mktemp("binder") / "course"  # of what Binder would clone, not of what lies about here
    copy.mkdir()
    for name in ("binder", "environment.yml", "pyproject.toml", "README.md", "d2lhybrid/__init__.py"):
        source = ROOT / name
        (copy / name).parent.mkdir(exist_ok=True)
        (shutil.copytree if source.is_dir() else shutil.copy2)(source, copy / name)
    done = subprocess.run(
        [program, "--no-build", "--debug", str(copy)], capture_output=True, text=True, check=False, timeout=300
    )
    text = done.stdout + done.stderr
    assert done.returncode == 0, text[-3000:]
    return text


def test_binder_picks_its_own_environment(dockerfile):
    assert "Building conda environment for python=3.12" in dockerfile
    assert '-r "binder/requirements.txt"' in dockerfile and "env update" not in dockerfile
    assert "apt-get install --yes --no-install-recommends graphviz " in dockerfile


def test_binder_installs_the_environment_before_it_copies_the_repository(dockerfile):
    """So that a change to a notebook does not make Binder install everything again."""
    update, copy = (dockerfile.index(text) for text in ('-r "binder/requirements.txt"', "COPY --chown=0:0 src/ "))
    post_build = dockerfile.index("RUN ./binder/postBuild")
    assert update < copy < post_build


# --- the link ---

NOTEBOOK = "?urlpath=lab/tree/notebooks/00_start_here.ipynb"


@pytest.mark.parametrize(
    ("address", "place"),
    [
        ("https://github.com/ada/course", "gh/ada/course"),
        ("https://github.com/ada/course.git", "gh/ada/course"),
        ("https://github.com/ada/course/", "gh/ada/course"),
        ("https://token@github.com/ada/course.git", "gh/ada/course"),
        ("git@github.com:ada/course.git", "gh/ada/course"),
        ("ssh://git@github.com/ada/my.course.git", "gh/ada/my.course"),
        ("https://gitlab.com/school/ada/course.git", "gl/school%2Fada%2Fcourse"),
        ("ssh://git@git.school.edu:2222/ada/course.git", "git/https%3A%2F%2Fgit.school.edu%2Fada%2Fcourse.git"),
    ],
)
def test_the_link_of_an_address(address, place):
    assert binder.launch_link(address) == f"https://mybinder.org/v2/{place}/HEAD{NOTEBOOK}"


def test_the_link_of_a_branch():
    assert binder.launch_link("git@github.com:ada/course.git", "term/1").endswith(f"course/term%2F1{NOTEBOOK}")


@pytest.mark.parametrize("address", ["/srv/course.git", "../course", "file:///srv/course.git", "course", ""])
def test_no_link_to_where_binder_cannot_go(address):
    with pytest.raises(ValueError, match="needs the public URL of a repository"):
        binder.launch_link(address)


def _git(folder, *arguments):
    subprocess.run(["git", "-C", str(folder), *arguments], check=True, capture_output=True)


def test_no_badge_leads_to_nobody():
    text = (ROOT / "README.md").read_text("utf-8")
    assert "OWNER" not in text
    for link in re.findall(r"mybinder\.org/v2/\S+", text):
        assert re.match(r"mybinder\.org/v2/g[hl]/[\w.-]+/", link)


@pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed")
def test_in_a_course_of_ones_own_the_link_opens_a_notebook_that_is_there(tmp_path, monkeypatch, capsys):
    course = tmp_path / "course"
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path.parent))
    assert cli.main(["new-course", str(course)]) == 0
    _git(course, "init")
    _git(course, "remote", "add", "origin", "git@github.com:ada/course.git")
    for folder in (course, course / "notebooks"):
        monkeypatch.chdir(folder)
        for arguments in ([], ["https://github.com/ada/course"]):
            capsys.readouterr()
            assert cli.main(["binder", *arguments]) == 0
            link = capsys.readouterr().out.splitlines()[0]
            path = link.partition("?urlpath=lab/tree/")[2]
            assert link.startswith("https://mybinder.org/v2/gh/ada/course/HEAD?") and (course / path).is_file(), link
    (course / "notebooks" / "51_first.ipynb").unlink()
    assert cli.main(["binder"]) == 0
    said = capsys.readouterr()
    assert said.out.splitlines()[0].endswith("?urlpath=lab") and "repository has no notebook" in said.err
    assert cli.main(["binder", "https://github.com/grace/other"]) == 0
    assert capsys.readouterr().out.splitlines()[0].endswith(NOTEBOOK)


@pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed")
def test_the_command_puts_the_link_into_the_readme(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path.parent))
    assert cli.main(["binder"]) == 1
    assert "no git repository with a remote" in capsys.readouterr().err
    _git(tmp_path, "init")
    _git(tmp_path, "remote", "add", "origin", "git@github.com:ada/course.git")
    (tmp_path / "notebooks").mkdir()
    (tmp_path / "notebooks" / "00_start_here.ipynb").touch()
    readme = tmp_path / "README.md"
    text = (ROOT / "README.md").read_text("utf-8")
    readme.write_text(text, "utf-8")
    assert cli.main(["binder", "--write", "README.md"]) == 0
    link = capsys.readouterr().out.splitlines()[0]
    assert link == f"https://mybinder.org/v2/gh/ada/course/HEAD{NOTEBOOK}"
    comment, shown = "<!-- Binder badge -->", binder.badge(link)
    assert text.count(comment) == 1 and readme.read_text("utf-8") == text.replace(comment, shown)
    _git(tmp_path, "remote", "set-url", "origin", "git@github.com:grace/course.git")
    assert cli.main(["binder", "--write", "README.md"]) == 0
    moved = binder.badge(f"https://mybinder.org/v2/gh/grace/course/HEAD{NOTEBOOK}")
    assert readme.read_text("utf-8") == text.replace(comment, moved) and "ada" not in moved
    capsys.readouterr()
    readme.write_text("nothing", "utf-8")
    assert cli.main(["binder", "--write", "README.md"]) == 1
    assert "no Binder badge" in capsys.readouterr().err and readme.read_text("utf-8") == "nothing"
