"""How a chapter is run: cell by cell, in a folder and a process of its own, with files in the place of the network."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("IPython")
from tests.foreign.chapters import Source, run
from tests.foreign.clone import Clone

SOURCE = Source("book", "HEAD", "helper/__init__.py", ("*.md",), "tabs", beside=("helper",))


def run_chapter(tmp_path, *cells, seconds=20.0):
    """Run a chapter of these cells out of a repository with a helper package, and return the result."""
    repository, place = tmp_path / "repository", tmp_path / "place"
    for folder in ("repository/helper", "repository/part", "place", "web/set", "home/.mxnet"):
        (tmp_path / folder).mkdir(parents=True)
    (repository / "helper/__init__.py").write_text("def words(path):\n    return open(path).read().split()\n")
    text = "".join(f"Text.\n```{{.python .input}}\n{cell}\n```\n" for cell in cells)
    (repository / "part/chapter.md").write_text(text)
    git = ["git", "-C", str(repository), "-c", "user.name=a", "-c", "user.email=a@b"]
    for arguments in (["init", "-q"], ["add", "."], ["commit", "-q", "-m", "all"]):
        subprocess.run([*git, *arguments], check=True)
    clone = Clone(repository)
    assert clone.has(SOURCE) and not clone.has(SOURCE._replace(mark="other.py"))
    clone.unpack("HEAD", ["helper/__init__.py"], tmp_path / "beside")
    (tmp_path / "web/set/words.txt").write_text("from the net")
    places = {"folder": place, "beside": tmp_path / "beside", "web": tmp_path / "web", "home": tmp_path / "home"}
    chapter = clone.content("HEAD", "part/chapter.md").decode()
    return run(SOURCE, "part/chapter.md", chapter, places, Path(sys.executable), False, (seconds, 60.0))


def test_a_chapter_runs_to_its_end_beside_its_helper_and_without_a_network(tmp_path):
    result = run_chapter(
        tmp_path,
        "from mxnet import gluon, nd\nimport helper",
        "address = 'https://example.org/set/words.txt'\n"
        "helper.words(gluon.utils.download(address, '../data/words.txt', sha1_hash='0' * 40))",
        "%matplotlib inline\ntab.selected('mxnet'), nd.ones(2).sum()",
    )
    assert result.outcome == "to its end", result.message
    assert "['from', 'the', 'net']" in result.cells[1]["text"] and "(True" in result.cells[2]["text"]
    assert (tmp_path / "place/data/words.txt").exists()


def test_a_chapter_that_fails_says_where(tmp_path):
    result = run_chapter(tmp_path, "x = 1", "import requests\nrequests.get('http://example.org/none.zip')", "x")
    assert result.outcome == "failed" and len(result.cells) == 2
    assert result.message.startswith("cell 2 of 3: ConnectionError: nothing is fetched")


def test_a_cell_that_goes_on_is_interrupted_and_the_next_one_runs(tmp_path):
    result = run_chapter(tmp_path, "import time\ntime.sleep(50)", "print('later')", seconds=1.0)
    assert result.outcome == "interrupted" and result.message == "cells [1] of 2 go on"
    assert result.cells[1]["text"].strip() == "later"
