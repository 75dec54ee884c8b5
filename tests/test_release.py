"""What an index, a citation and a list of changes are told: one version, true classifiers, no made-up address."""

import datetime
import importlib.util
import os
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
import yaml
from packaging.specifiers import SpecifierSet
from packaging.version import Version

import d2lhybrid

ROOT = Path(__file__).resolve().parent.parent
PYPROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
PROJECT = PYPROJECT["project"]
CITATION = yaml.safe_load((ROOT / "docs" / "CITATION.cff").read_text("utf-8"))
CHANGES = (ROOT / "docs" / "CHANGELOG.md").read_text("utf-8")


def test_the_version_stands_in_one_place():
    assert "version" not in PROJECT and PROJECT["dynamic"] == ["version"]
    source = (ROOT / PYPROJECT["tool"]["hatch"]["version"]["path"]).read_text("utf-8")
    assert re.findall(r'^__version__ = "(.*)"', source, re.MULTILINE) == [d2lhybrid.__version__]
    assert str(Version(d2lhybrid.__version__)) == d2lhybrid.__version__, "as an index writes it"
    assert CITATION["version"] == d2lhybrid.__version__


def test_classifiers_are_those_of_the_index():
    known = pytest.importorskip("trove_classifiers", reason="trove-classifiers is not installed")
    found = PROJECT["classifiers"]
    assert found == sorted(set(found)) and not set(found) - known.classifiers
    assert not set(found) & known.deprecated_classifiers.keys()
    pythons = [
        match[1] for line in found if (match := re.fullmatch(r"Programming Language :: Python :: (3\.\d+)", line))
    ]
    assert pythons and all(f"{version}.0" in SpecifierSet(PROJECT["requires-python"]) for version in pythons)


def test_the_description_leads_nowhere_that_an_index_has_not():
    """It is shown far from this repository: no link into it, no make."""
    text = (ROOT / PROJECT["readme"]).read_text("utf-8")
    assert all(re.match("https://", target) for target in re.findall(r"\]\(([^)]+)\)|src=.([^'\"]+)", text))
    assert not re.search(r"\bmake ", text)
    extras = set(re.findall(r"d2lhybrid\[(\w+)\]", text))
    assert extras <= set(PROJECT["optional-dependencies"])
    assert extras >= {"lab", "cuda12", "cuda13", "onnx", "fast", "grading"}


def test_the_program_of_the_description_runs(tmp_path):
    (program,) = re.findall(r"```python\n(.*?)```", (ROOT / PROJECT["readme"]).read_text("utf-8"), flags=re.DOTALL)
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-W", "error", "-c", program]
    done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "<NDArray 1x10 @cpu(0)>" in done.stdout and (tmp_path / "net.svg").is_file()


def test_addresses_come_with_the_repository():
    """None is made up; where one is written down, it is one on the internet, and the citation has it, too."""
    urls = PROJECT.get("urls", {})
    assert all(re.match(r"https://[\w.-]+\.\w+/", address) for address in urls.values())
    assert bool(urls) == ("repository-code" in CITATION)


def test_the_citation_has_what_the_format_asks_for():
    """``make release-check`` reads it with cffconvert, which knows the whole format."""
    assert CITATION["cff-version"] == "1.2.0" and {"message", "title", "authors"} <= CITATION.keys()
    assert CITATION["license"] == PROJECT["license"] and CITATION["keywords"] == PROJECT["keywords"]
    assert [author["name"] for author in CITATION["authors"]] == [author["name"] for author in PROJECT["authors"]]


def test_the_list_of_changes_has_its_form():
    """That of Keep a Changelog: versions from new to old with their dates, and under each its kinds of changes."""
    first, *released = re.findall(r"^## (.*)$", CHANGES, flags=re.MULTILINE)
    assert first == "[Unreleased]"
    found = [re.fullmatch(r"\[(\S+)\] - (\d{4}-\d\d-\d\d)", heading) for heading in released]
    versions = [Version(match[1]) for match in found if match]
    dates = [datetime.date.fromisoformat(match[2]) for match in found if match]
    assert len(versions) == len(released)
    assert versions == sorted(set(versions), reverse=True) and dates == sorted(dates, reverse=True)
    kinds = ["Added", "Changed", "Deprecated", "Removed", "Fixed", "Security"]
    for section in re.split(r"^## ", CHANGES, flags=re.MULTILINE)[1:]:
        under = re.findall(r"^### (.*)$", section, flags=re.MULTILINE)
        assert under == sorted(set(under), key=kinds.index), "one heading of each kind, in this order"
        for part in re.split(r"^### .*\n", section, flags=re.MULTILINE)[1:]:
            assert re.search(r"^- ", part, flags=re.MULTILINE), "an empty kind is left out"
    newest = max(versions, default=Version("0"))
    assert Version(d2lhybrid.__version__) >= newest


# --- what is built ---


@pytest.fixture
def check():
    """The program behind ``make release-check``."""
    spec = importlib.util.spec_from_file_location("release_check", ROOT / "docs" / "release" / "check.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_lowest_versions_are_those_of_the_declaration(check):
    assert check.lowest() == ["numpy==2"]
    found = check.lowest("lab")
    assert "jupyterlab==4.3.3" in found and not [line for line in found if "==" not in line or ">" in line]


def test_what_is_missing_before_a_version_can_be_published(check):
    missing = check.not_ready("99.0")
    assert any("d2lhybrid/__init__.py says version" in line for line in missing)
    assert any("`## [99.0] - YYYY-MM-DD`" in line for line in missing)
    assert bool(PROJECT.get("urls")) != any("[project.urls]" in line for line in missing)


@pytest.mark.slow
def test_an_archive_that_lacks_a_file_is_refused(check, tmp_path):
    """And what is built from this folder lacks none."""
    pytest.importorskip("hatchling", reason="hatchling is not installed: make test installs it")
    if not shutil.which("git") or not (ROOT / ".git").exists():
        pytest.skip("this folder is no git repository")
    files = check.tracked()
    source = tmp_path / "source"
    for name in files:
        (source / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(ROOT / name, source / name)
    build = [sys.executable, "-m", "hatchling", "build", "-d", str(tmp_path)]
    subprocess.run(build, cwd=source, check=True, capture_output=True)
    (archive,), (wheel,) = tmp_path.glob("*.tar.gz"), tmp_path.glob("*.whl")
    assert wheel.name in check.look_through(archive, wheel, files)
    for more in ("d2lhybrid/forgotten.py", "docs/forgotten.md", "notebooks/forgotten.ipynb"):
        with pytest.raises(check.Failed, match="forgotten"):
            check.look_through(archive, wheel, [*files, more])
    for name in ("d2lhybrid/py.typed", "docs/reading.md"):
        with pytest.raises(check.Failed, match="too much"):
            check.look_through(archive, wheel, [one for one in files if one != name])
