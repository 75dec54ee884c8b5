"""Small programs after public reports of wrong results, and at the edges of indexing, as MXNet 1.9.1 answered them."""

from __future__ import annotations

import functools
import gzip
import json
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

import d2lhybrid as mx

from .reports.differences import DIFFERENCES, REASONS, reason_of_index
from .reports.programs import after_reports, generated
from .reports.record import RECORDED
from .reports.running import run, same

PARTS = 8
ROOT = Path(__file__).parents[1]
PAGE = (ROOT / "docs" / "compatibility.md").read_text("utf-8")


@functools.cache
def answers() -> dict[str, Any]:
    """Return what MXNet answered, by the name of the program."""
    return json.loads(gzip.decompress(RECORDED.read_bytes()))


def is_error(shown: Any) -> bool:
    return shown[0] in ("raises", "ends with")


def different(name: str, program: str) -> dict[int, tuple[Any, Any]]:
    """Return the places at which a program shows something else here; an error that is MXNet's alone is no difference.

    What MXNet read from memory outside an array, and a program that ended its process, are not compared.
    """
    theirs = answers()[name]
    if theirs is None:
        return {}
    mine = run(mx, program)
    found = {}
    for place in range(max(len(mine), len(theirs))):
        one = mine[place] if place < len(mine) else ["nothing"]
        other = theirs[place] if place < len(theirs) else ["nothing"]
        if other is None or (is_error(other) and (is_error(one) or other[0] == "raises")):
            continue
        if is_error(other):
            break  # the program has ended there, and goes on here
        if not same(one, other):
            found[place] = (one, other)
    return found


@pytest.mark.parametrize("name", after_reports())
def test_a_report_ends_as_in_mxnet_or_better(name):
    explained = DIFFERENCES.get(name, {})
    found = different(name, after_reports()[name])
    assert {place: pair for place, pair in found.items() if place not in explained} == {}
    assert [place for place in explained if place not in found] == []


@pytest.mark.parametrize("part", range(PARTS))
def test_an_index_means_what_it_means_in_mxnet(part):
    programs = dict(list(generated().items())[part::PARTS])
    found = {name: list(different(name, program).values()) for name, program in programs.items()}
    assert {name: pairs for name, pairs in found.items() if pairs and not reason_of_index(name, pairs)} == {}


def test_the_page_on_compatibility_has_every_reason():
    reasons = {words for places in DIFFERENCES.values() for words in places.values()}
    reasons |= {words for _, words in REASONS}
    assert [words for words in reasons if words not in " ".join(PAGE.split())] == []


def test_a_program_that_ends_its_process_does_not_shift_the_answers():
    serve = "import d2lhybrid as mx; from tests.reports.running import serve; serve(mx)"
    later = "import os, threading; threading.Timer(0.1, os._exit, [1]).start(); put(3.)"
    programs = ["put(1.)", "import os; os._exit(0)", "raise SystemExit", "put(2.)", later, "put(4.)"]
    with subprocess.Popen(
        [sys.executable, "-c", serve], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=ROOT
    ) as server:
        assert server.stdin is not None and server.stdout is not None
        shown = []
        for program in programs:
            server.stdin.write(json.dumps(program) + "\n")
            server.stdin.flush()
            shown.append(json.loads(server.stdout.readline()))
            time.sleep(0.3 if program == later else 0)  # the process ends after its answer
        server.stdin.close()
    assert shown == [[["number", 1.0]], None, None, [["number", 2.0]], [["number", 3.0]], [["number", 4.0]]]
