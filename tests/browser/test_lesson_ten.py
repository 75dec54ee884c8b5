"""Notebook 10 as a student has it: nothing written, then an answer typed, checked, and taken into the library."""

from __future__ import annotations

import json
from pathlib import Path

from d2lhybrid.exercises import ex

NOTEBOOK = Path(__file__).resolve().parents[2] / "notebooks" / "10_build_it_yourself.ipynb"


def test_an_answer_is_typed_checked_and_taken_into_the_library(open_notebook, monkeypatch, tmp_path):
    monkeypatch.setenv("D2LHYBRID_DATA", str(tmp_path))
    notebook = open_notebook(json.loads(NOTEBOOK.read_text("utf-8")))
    notebook.check()
    page, view = notebook.page, notebook.view

    def cell_with(text):
        found = view.locator(".jp-CodeCell").filter(has_text=text).first
        found.scroll_into_view_if_needed()
        return found

    def run(cell):
        cell.locator(".cm-content").click()
        page.keyboard.press("Control+Enter")

    check = cell_with('ex("10.4").check(fuse)')
    check.get_by_text("10.4 not attempted").wait_for()
    taken = cell_with("mini.fuse = ex(")
    taken.get_by_text("10.4: continuing with our fuse.").wait_for()

    answer = cell_with("def fuse(graph):")
    answer.locator(".cm-content").click()
    page.keyboard.press("Control+A")
    page.keyboard.insert_text(ex("10.4").solution_code.replace("used_by[0] in elementwise", "True"))
    page.keyboard.press("Control+Enter")
    run(check)
    check.get_by_text("10.4 wrong").wait_for()
    check.get_by_text("has moved into a matrix product, which needs whole arrays").wait_for()

    answer.locator(".cm-content").click()
    page.keyboard.press("Control+A")
    page.keyboard.insert_text(ex("10.4").solution_code)
    page.keyboard.press("Control+Enter")
    run(check)
    check.get_by_text("✓ 10.4 right").wait_for()
    run(taken)
    taken.get_by_text("10.4: continuing").wait_for(state="detached")
    notebook.picture("lesson-ten", taken)

    question = cell_with("How many lines do these four calls print?")
    question.get_by_role("button", name="1", exact=True).click()
    question.locator(".pr-result").filter(has_text="Not 1, but 2. mlp runs when a program is made").wait_for()
    notebook.check()
