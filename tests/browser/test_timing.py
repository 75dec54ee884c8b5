"""The widget of compare() and compare_over(): what a student sees, and what the buttons do."""

from __future__ import annotations

import pytest

from .jupyter import as_static_page, run_without_browser, size_of, untrusted

PREPARE = """
from d2lhybrid import compare, compare_over, nd
from d2lhybrid.gluon import nn
net = nn.HybridSequential()
net.add(nn.Dense(64, activation="relu"), nn.Dense(32, activation="relu"), nn.Dense(2))
net.initialize()
x = nd.random.normal(shape=(1, 128))
"""
CELLS = [PREPARE, "comparison = compare(net, x, rounds=8, seconds=0.2)\ncomparison"]
SWEEP = [
    PREPARE,
    "sweep = compare_over(net, [1, 16, 256, 2048], x, rounds=6, seconds=0.1)\n"
    "del sweep.measured[256]\nsweep._drawn.clear()\nsweep",
]


def test_a_comparison_shows_its_numbers_and_measures_again(open_notebook):
    notebook = open_notebook(CELLS)
    group = notebook.view.get_by_role("group", name="Before and after hybridize")
    group.locator("svg[role=img]").wait_for()
    rows = group.locator("tbody tr")
    assert rows.count() == 4
    shown = rows.nth(1).inner_text().split("\t")
    assert shown == eval(notebook.ask("print(comparison.rows()[1])"))
    assert "compiling has paid after" in group.inner_text() or "hybridized" in group.inner_text()
    assert group.locator("svg").get_by_text("One call", exact=True).is_visible()
    assert not group.get_by_role("slider").is_visible()
    group.get_by_text("How it was measured").click()
    assert group.get_by_text("rounds. In each").is_visible()
    notebook.picture("compare", group)
    before = notebook.ask("print(id(comparison.times))")
    button = group.get_by_role("button", name="measure again")
    button.focus()
    notebook.page.keyboard.press("Enter")
    notebook.page.wait_for_function("(e) => !e.disabled", arg=button.element_handle())
    assert notebook.ask("print(id(comparison.times))") != before
    assert rows.nth(1).inner_text().split("\t") == eval(notebook.ask("print(comparison.rows()[1])"))
    assert not group.locator("progress").is_visible()
    notebook.check()


def test_the_slider_looks_at_values_and_measures_those_that_are_missing(open_notebook):
    notebook = open_notebook(SWEEP)
    group = notebook.view.get_by_role("group", name="Before and after hybridize")
    slider = group.get_by_role("slider")
    slider.wait_for()
    current = group.locator("tr[aria-current=true]")
    assert current.locator("td").first.inner_text() == "1"
    assert "not measured" in group.locator("tbody tr").nth(2).inner_text()
    slider.focus()
    notebook.page.keyboard.press("ArrowRight")
    current.get_by_text("16", exact=True).wait_for()
    assert notebook.ask("print(sorted(sweep.measured), sweep.current)") == "[1, 16, 2048] 16\n"
    slider.fill("2")
    current.get_by_text("256", exact=True).wait_for()
    assert notebook.ask("print(sorted(sweep.measured), sweep.current)") == "[1, 16, 256, 2048] 256\n"
    assert "not measured" not in group.inner_text()
    assert group.get_by_role("heading", name="batch size 256: float32 (256, 128)").is_visible()
    assert slider.get_attribute("aria-valuetext") == "256"
    group.get_by_role("button", name="measure again").click()
    group.get_by_role("button", name="measure again", disabled=False).wait_for()
    assert notebook.ask("print(sweep.sentence)").strip() in group.inner_text()
    notebook.picture("compare-over", group)
    notebook.check()


def test_a_net_that_fails_now_says_so_at_the_button(open_notebook):
    notebook = open_notebook(CELLS)
    group = notebook.view.get_by_role("group", name="Before and after hybridize")
    notebook.ask("net.add(nn.Dense(3, in_units=77)); net[-1].initialize()")
    group.get_by_role("button", name="measure again").click()
    problem = notebook.view.get_by_role("alert")
    problem.wait_for()
    assert "MXNetError" in problem.inner_text() and "as it was before" in problem.inner_text()
    assert group.locator("tbody tr").count() == 4
    notebook.check()


@pytest.mark.parametrize("cells", [CELLS, SWEEP], ids=["comparison", "sweep"])
def test_somebody_else_sees_the_static_picture(open_notebook, cells):
    saved = open_notebook(cells).save()
    assert size_of(saved) < 60_000 and "widgets" not in saved["metadata"]
    other = open_notebook(untrusted(saved), run=False)
    output = other.view.locator(".jp-OutputArea-output", has_text="Before and after")
    output.locator("img").wait_for()
    assert output.locator("img").evaluate("(e) => e.complete && e.naturalWidth") > 700
    assert "imperative" in output.inner_text()
    other.picture(f"compare-untrusted-{len(cells[1])}", output)
    other.check()


def test_a_page_without_scripts_shows_the_static_picture():
    pytest.importorskip("nbconvert", reason="pages are made with nbconvert")
    notebook = run_without_browser(CELLS)
    page = as_static_page(notebook)
    assert "Before and after hybridize" in page and "data:image/svg+xml," in page
    assert "<progress" not in page and size_of(notebook) < 60_000
