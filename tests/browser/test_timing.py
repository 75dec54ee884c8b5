"""The widget of compare() and compare_over(): what a student sees, and what the buttons do."""

from __future__ import annotations

import pytest

from .jupyter import ROOT, Offline, as_static_page, run_without_browser, size_of, untrusted
from .layout import WIDTHS, contrasts_below, problems_of, unreached_in, width_of

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


#: What was recorded on a quiet machine and on a busy one stands in tests/test_timing.py.
RECORDED = """
import sys; sys.path.insert(0, {tests!r})
from test_timing import BUSY, QUIET, recorded, swept
from d2lhybrid.internals.pictures.timing import Where
"""
QUIET = """\
parts = [Where("imperative", 160e-6, 8, 96e-6), Where("hybridized", 142e-6, 5, 37.9e-6)]
quiet = recorded(QUIET, parts)
quiet"""


def recorded(cell):
    return [RECORDED.format(tests=str(ROOT / "tests")), cell]


def test_a_comparison_shows_its_numbers_and_measures_again(open_notebook):
    notebook = open_notebook(CELLS)
    group = notebook.view.get_by_role("group", name="Before and after hybridize")
    lines = group.locator(".d2l-times-part").first.locator(".d2l-times-line")
    lines.first.wait_for()
    assert lines.count() == 4
    times = eval(notebook.ask("print([row[1] for row in comparison.rows()])"))
    assert lines.locator("b").all_inner_texts() == times
    group.get_by_text("All numbers").click()
    cells = eval(notebook.ask("print([row[3] for row in comparison.rows()])"))
    assert group.locator("tr", has_text="speed-up").locator("td").all_inner_texts() == cells
    group.get_by_text("How it was measured").click()
    assert group.get_by_text("rounds. In each").is_visible()
    before = notebook.ask("print(id(comparison.times))")
    button = group.get_by_role("button", name="measure again")
    button.focus()
    notebook.page.keyboard.press("Enter")
    notebook.page.wait_for_function("(e) => !e.disabled", arg=button.element_handle())
    assert notebook.ask("print(id(comparison.times))") != before
    assert lines.locator("b").all_inner_texts() == eval(notebook.ask("print([row[1] for row in comparison.rows()])"))
    assert not group.locator("progress").is_visible()
    notebook.check()


def test_large_type_is_for_what_was_measured(open_notebook):
    notebook = open_notebook([*recorded(QUIET), "recorded(BUSY)"])
    groups = notebook.view.get_by_role("group", name="Before and after hybridize")
    groups.nth(1).wait_for()
    quiet, busy = groups.all()
    size = "(e) => parseFloat(getComputedStyle(e).fontSize)"
    large, small = (view.locator(".d2l-times-big") for view in (quiet, busy))
    assert large.inner_text() == "1.42× faster" and large.evaluate(size) >= 30
    assert small.inner_text() == "Your machine is busy" and small.evaluate(size) < 18
    assert quiet.get_by_text("Where the time goes").is_visible() and not busy.get_by_text("Where the time").is_visible()
    assert "The kernels shrink, too" in quiet.inner_text()
    for name, view in (("quiet", quiet), ("busy", busy)):
        for width in WIDTHS:
            with width_of(view, width):
                assert not problems_of(view) and not contrasts_below(view)
                notebook.picture(f"compare-{name}-{width}", view)
    notebook.check()


def test_a_row_looks_at_its_value_and_one_button_measures_all(open_notebook):
    notebook = open_notebook(SWEEP)
    group = notebook.view.get_by_role("group", name="Before and after hybridize")
    current = group.locator(".d2l-times-point[aria-current=true]")
    current.wait_for()
    assert current.locator(".d2l-times-name").inner_text() == "1"
    rows = group.locator(".d2l-times-point")
    assert "not measured" in rows.nth(2).inner_text()
    rows.nth(1).focus()
    notebook.page.keyboard.press("Enter")
    group.get_by_role("heading", name="batch size 16: float32 (16, 128)").wait_for()
    notebook.page.wait_for_function("(e) => !e.hasAttribute('aria-busy')", arg=group.element_handle())
    assert notebook.ask("print(sorted(sweep.measured), sweep.current)") == "[1, 16, 2048] 16\n"
    rows.nth(2).click()
    group.get_by_role("heading", name="batch size 256: float32 (256, 128)").wait_for()
    assert notebook.ask("print(sorted(sweep.measured), sweep.current)") == "[1, 16, 256, 2048] 256\n"
    assert "not measured" not in group.inner_text()
    notebook.ask("before = list(sweep.measured.values())")
    group.get_by_role("button", name="measure all again").click()
    group.get_by_role("button", name="measure all again", disabled=False).wait_for()
    assert notebook.ask("print([old is new for old in before for new in sweep.measured.values()].count(True))") == "0\n"
    assert notebook.ask("print(sweep.current)") == "256\n"
    assert notebook.ask("print(sweep.sentence)").strip() in group.inner_text()
    notebook.check()


def test_a_busy_sweep_marks_what_it_does_not_know(open_notebook):
    notebook = open_notebook(recorded("swept('faster', 'unclear', 'equal')"))
    group = notebook.view.get_by_role("group", name="Before and after hybridize")
    group.locator(".d2l-times-dot").nth(1).wait_for()
    assert group.locator(".d2l-times-dot").count() == 2
    assert "Your machine is busy: at batch size 2" in group.locator(".d2l-times-sentence").inner_text()
    for width in WIDTHS:
        with width_of(group, width):
            assert not problems_of(group) and not contrasts_below(group) and not unreached_in(group)
            notebook.picture(f"compare-over-{width}", group)
    notebook.check()


def test_without_a_kernel_every_row_can_still_be_looked_at(browser, open_notebook, tmp_path):
    notebook = open_notebook(recorded("sweep = swept('faster', 'unclear', 'equal')"))
    notebook.ask(f"_ = sweep.save({str(tmp_path / 'page.html')!r})")
    offline = Offline(browser, tmp_path / "page.html")
    group = offline.page.get_by_role("group", name="Before and after hybridize")
    group.locator(".d2l-times-point").nth(1).click()
    assert group.locator(".d2l-times-big").inner_text() == "Your machine is busy"
    group.locator(".d2l-times-point").nth(0).click()
    assert group.locator(".d2l-times-big").inner_text() == "1.42× faster"
    assert not group.get_by_role("button", name="measure all again").is_visible()
    offline.close()


def test_a_net_that_fails_now_says_so_at_the_button(open_notebook):
    notebook = open_notebook(CELLS)
    group = notebook.view.get_by_role("group", name="Before and after hybridize")
    notebook.ask("net.add(nn.Dense(3, in_units=77)); net[-1].initialize()")
    group.get_by_role("button", name="measure again").click()
    problem = notebook.view.get_by_role("alert")
    problem.wait_for()
    assert "MXNetError" in problem.inner_text() and "has been restored" in problem.inner_text()
    assert group.locator(".d2l-times-part").first.locator(".d2l-times-line").count() == 4
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
