"""Every reader reads a hostile file or refuses it with an MXNetError, in little time and memory."""

import sys

import pytest

pytest.importorskip("resource")  # Windows has no limits for a process

from .__main__ import try_files
from .readers import KINDS


@pytest.mark.skipif(sys.platform == "darwin", reason="macOS does not keep the limit for the memory of a process")
@pytest.mark.parametrize("kind", KINDS)
def test_hostile_files_are_read_or_refused(kind):
    results = try_files(kind, 0, 60)
    assert [r for r in results if r["outcome"] == "wrong"] == []
    assert len(results) == 60 and sum(r["outcome"] == "refused" for r in results) > 10


@pytest.mark.parametrize("kind", KINDS)
def test_honest_files_are_read(kind, tmp_path):
    for content in KINDS[kind].honest():
        KINDS[kind].read(content, tmp_path)
