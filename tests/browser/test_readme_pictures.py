"""The pictures of README show what the widgets show: `make pictures` takes them again."""

from __future__ import annotations

import difflib
import json
import sys

import pytest

from .jupyter import ROOT

sys.path.insert(0, str(ROOT / "docs" / "pictures"))

from make import SHOTS, opened, seen, to_the_end
from shown import SHOWN

RECORD = json.loads((ROOT / "docs" / "pictures" / "seen.json").read_text("utf-8"))


@pytest.fixture(scope="module")
def pages(tmp_path_factory):
    folder = tmp_path_factory.mktemp("pictures")
    return {name: make().save(folder / f"{name}.html") for name, make in SHOWN.items()}


@pytest.mark.parametrize("name", SHOTS)
def test_a_picture_says_what_its_widget_says(browser, pages, name):
    page = opened(browser, SHOTS[name], pages[SHOTS[name].shows])
    if SHOTS[name].moves:
        to_the_end(page)
    now = seen(page)
    page.close()
    then = RECORD[name]
    if SHOTS[name].measured:  # its title, its headings and its names, whatever a busy machine has it say besides
        named = [line for line in then.partition("WHERE")[0].split("\n") if line and "#" not in line]
        assert len(named) > 5 and set(named) <= set(now.split("\n")), "make pictures"
        return
    changed = difflib.unified_diff(then.split("\n"), now.split("\n"), "picture", "widget", lineterm="", n=1)
    assert then == now, "\n".join(["make pictures", *changed])
