"""README is a first screen: short, with pictures of the real widgets, and everything that it names is there."""

from __future__ import annotations

import functools
import json
import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from d2lhybrid.internals.commands import cli
from d2lhybrid.internals.compiler.backends import library_cache
from d2lhybrid.internals.course.exercises import records
from d2lhybrid.internals.course.exercises.catalogue import exercises

ROOT = Path(__file__).resolve().parent.parent
PICTURES = ROOT / "docs" / "pictures"
README = (ROOT / "README.md").read_text("utf-8")
#: What a visitor is shown, and what it leads to: whatever one of these texts names has to be there.
GUIDES = ["README.md", "CONTRIBUTING.md", *(f"docs/{path.name}" for path in sorted((ROOT / "docs").glob("*.md")))]


def read(name: str) -> str:
    return (ROOT / name).read_text("utf-8")


def shown(text: str) -> str:
    """Return a text in Markdown as it is read: without tags, and without where links lead."""
    return re.sub(r"\]\([^)]*\)", "]", re.sub(r"<!--.*?-->|<[^>]+>", "", text, flags=re.DOTALL))


# --- length, and what it tells ---


def test_it_is_read_in_a_minute_or_two():
    assert 300 < len(shown(README).split()) <= 700


def test_the_first_screen_has_one_sentence_a_picture_and_two_commands():
    head, _, rest = README.partition("## Two commands")
    sentence = shown(head).partition("\n\n")[2].strip().split("\n\n")[0]
    assert sentence.count(". ") == 0 and sentence.endswith(".")
    assert head.count("<picture>") == 1 and "vanishing-light.webp" in head
    assert re.findall(r"^make (\w+)", rest.partition("## ")[0], re.MULTILINE) == ["lab", "test"]


def test_figures_are_those_of_the_pages_that_have_them():
    ran = r"We ran ([\d,]+) MXNet unit tests that MXNet 1\.9\.1 itself passes\. This package passes"
    passing = re.search(ran + r"\s+\[([\d,]+) of them\]\(docs/peer_tests\.md\)", README)
    assert passing is not None
    assert f"**{passing[2]} of {passing[1]}** tests that pass on real MXNet 1.9.1" in read("docs/peer_tests.md")
    count = re.search(r"(\d+) notebooks and (\d+) exercises", README)
    assert count and int(count[1]) == len(list((ROOT / "notebooks").glob("*.ipynb")))
    assert int(count[2]) == len(exercises())


def test_the_oldest_python_is_named_with_the_way_to_it():
    oldest = tomllib.loads(read("pyproject.toml"))["project"]["requires-python"].removeprefix(">=")
    for name in ("README.md", "docs/install.md"):
        assert f"Python {oldest} or newer" in read(name) and "sudo apt install python3-venv make" in read(name)
    ways = read("docs/install.md").partition("### A newer Python")[2].partition("\n## ")[0]
    assert {"macOS", "Ubuntu 22.04"} <= set(re.findall(r"\*\*(macOS|Ubuntu 22\.04)", ways))


def test_what_is_kept_in_the_home_is_named(monkeypatch, tmp_path):
    for name in ("D2LHYBRID_DATA", "XDG_DATA_HOME", "XDG_CACHE_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setattr(Path, "home", lambda: tmp_path)
    promise = read("docs/install.md").partition("## Nothing leaves your machine")[2]
    kept = library_cache.cache_folder()
    assert kept is not None
    for folder in (records.folder(), kept.parent):
        assert f"`~/{folder.relative_to(tmp_path).as_posix()}`" in promise
    assert "docs/install.md#nothing-leaves-your-machine" in README


# --- links ---


def test_the_page_on_an_index_leads_nowhere_that_is_not_there():
    """An index shows the package's text without the repository: no link and no picture may be relative."""
    text = read(tomllib.loads(read("pyproject.toml"))["project"]["readme"])
    for target in re.findall(r'(?:\]\(|\b(?:src(?:set)?|href)=")([^)\s"]+)', text):
        assert target.startswith("https://"), target


@functools.cache
def places(path: Path) -> set[str]:
    """Return the anchors that GitHub gives to the headings of a text."""
    text = re.sub(r"^```.*?^```", "", path.read_text("utf-8"), flags=re.DOTALL | re.MULTILINE)
    found: dict[str, int] = {}
    for heading in re.findall(r"^#+ (.+)$", text, re.MULTILINE):
        name = re.sub(r"[^\w\- ]", "", shown(heading).lower()).replace(" ", "-")
        found[name] = found.get(name, -1) + 1
        if found[name]:
            found[f"{name}-{found[name]}"] = 0
    return set(found)


@pytest.mark.parametrize("name", GUIDES)
def test_links_to_a_section_lead_to_a_section(name):
    text = re.sub(r"^```.*?^```", "", read(name), flags=re.DOTALL | re.MULTILINE)
    for target, place in re.findall(r"\]\(([^)#\s]*)#([^)\s]+)\)", text):
        if not re.match(r"[a-z]+:", target):
            path = (ROOT / name).parent / target if target else ROOT / name
            assert place in places(path), f"{name}: {target}#{place}"


# --- commands and programs ---


def test_every_command_that_is_named_is_there_and_all_are_listed():
    known = {command.name for command in cli.COMMANDS}
    for name in GUIDES:
        assert set(re.findall(r"(?:^|`|/)d2lhybrid ([a-z][a-z-]*)\b", read(name), re.MULTILINE)) <= known, name
    assert set(re.findall(r"`d2lhybrid ([a-z][a-z-]*)", read("docs/commands.md"))) == known


@pytest.mark.parametrize("name", ["README.md", "docs/use.md", "docs/old-programs.md"])
def test_the_programs_run(name, tmp_path):
    blocks = re.findall(r"```python\n(.*?)```", read(name), flags=re.DOTALL)
    assert blocks
    (tmp_path / "train.py").write_text("import mxnet as mx\nprint('trained with', mx.__version__)\n")
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-W", "error", "-c", "\n".join(blocks)]
    done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    expected = {"README.md": "<NDArray 2x10 @cpu(0)>", "docs/use.md": "<NDArray 1x10 @cpu(0)>"}
    assert expected.get(name, "trained with 1.9.1") in done.stdout


# --- pictures ---


def pictures_of(text: str) -> list[list[str]]:
    """Return for each picture of a text the files that a browser chooses from."""
    return [
        re.findall(r'(?:srcset|src)="([^"]+)"', part) for part in re.findall(r"<picture>.*?</picture>", text, re.DOTALL)
    ]


def test_each_picture_is_there_for_light_and_dark_pages():
    chosen = pictures_of(README)
    assert len(chosen) == 5
    for files in chosen:
        for dark in [name for name in files if name.endswith("-dark.webp")]:
            assert dark.replace("-dark.", "-light.") in files
        assert files[-1].endswith("-light.webp") and len(files) % 2 == 0
    used = {name for files in chosen for name in files}
    assert used == {path.relative_to(ROOT).as_posix() for path in PICTURES.glob("*.webp")}
    assert all(re.search(r'alt="[^"]{40,}"', tag) for tag in re.findall(r"<img [^>]*>", README))


@pytest.mark.parametrize("name", sorted(path.name for path in PICTURES.glob("*.webp")))
def test_a_picture_is_small_and_has_the_paper_of_its_page(name):
    image = pytest.importorskip("PIL.Image", reason="Pillow is not installed")
    assert (PICTURES / name).stat().st_size < 300_000
    with image.open(PICTURES / name) as picture:
        grey = picture.convert("L").resize((1, 1)).getpixel((0, 0))
        assert (grey < 90) if "-dark" in name else (grey > 200)
        moves = "vanishing" in name and "still" not in name
        assert picture.n_frames >= 4 if moves else picture.n_frames == 1


def test_the_prints_vanish_in_the_picture():
    text = json.loads((PICTURES / "seen.json").read_text("utf-8"))
    for name in ("vanishing", "vanishing-phone"):
        order = [text[name].index(part) for part in ("<NDArray", "x is <Symbol data>", "Nothing printed")]
        assert order == sorted(order)


# --- a notebook that has run ---


def test_the_notebook_that_has_run_is_the_first_notebook_with_its_pictures():
    """Where notebooks are shown without being run, as on GitHub, this one has what its cells show."""
    ran = json.loads((PICTURES / "00_start_here.ipynb").read_text("utf-8"))["cells"]
    first = json.loads(read("notebooks/00_start_here.ipynb"))["cells"]
    code = [["".join(cell["source"]) for cell in cells if cell["cell_type"] == "code"] for cells in (ran, first)]
    assert code[0] == code[1], "make pictures PICTURES=notebook"
    for cell, original in zip(ran[1:], first[1:], strict=True):
        assert "".join(cell["source"]).replace("](../../notebooks/", "](") == "".join(original["source"])
    outputs = {"".join(cell["source"]): cell["outputs"] for cell in ran if cell["cell_type"] == "code"}
    shown_by = [text for text, found in outputs.items() for output in found if "image/png" in output.get("data", {})]
    assert len(shown_by) == 1 and "mx.print_trace(net" in shown_by[0]
    assert all(found for text, found in outputs.items() if "doctor" not in text)
    text = "\n".join("".join(cell["source"]) for cell in ran if cell["cell_type"] == "markdown")
    for target in re.findall(r"\]\(([^)#\s]+)", text):
        assert (PICTURES / target).exists(), target
    assert "(docs/pictures/00_start_here.ipynb)" in README
