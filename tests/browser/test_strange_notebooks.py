"""A notebook with strange nets, two pictures of one among them: saved, restarted, as a page, from the disk."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from . import more_nets
from .jupyter import Offline, run_without_browser, size_of

TEXT = Path(more_nets.__file__).read_text("utf-8")
#: The classes of two of the nets: a name of 66 letters, and a line that prints three times.
CLASSES = "\n\n".join(
    ast.get_source_segment(TEXT, node) or ""
    for node in ast.parse(TEXT).body
    if isinstance(node, ast.ClassDef) and (node.name.startswith("AClassifier") or node.name == "PrintsInLoops")
)
CELLS = [
    f"import d2lhybrid as mx\nfrom d2lhybrid import nd\nfrom d2lhybrid.gluon import nn\n\n{CLASSES}",
    "net = PrintsInLoops(prefix='loops_')\nnet.initialize()\nx = nd.ones((2, 2))\n"
    "long = AClassifierWithAnUncommonlyLongNameAsTheyAreFoundInLargeProjects(prefix='long_')\nlong.initialize()",
    "first = mx.print_trace(net, x)\nfirst",
    "second = mx.print_trace(net, x)\nsecond",
    "graph = long.graph(nd.ones((2, 5)))\ngraph",
    "steps = mx.compile_steps(long, nd.ones((2, 5)))\nsteps",
]


def used_alone(page):
    """Use each of the pictures where no kernel is, and see what a student would see."""
    traces = page.get_by_role("group", name="PrintTrace", exact=True)
    for i in (0, 1):
        trace = traces.nth(i)
        trace.get_by_role("button", name="call 3").click()
        trace.locator(".pt-options").get_by_role("button", name="0", exact=True).click()
        counts = trace.locator(".pt-count b").all_inner_texts()
        assert counts == ["6", "6", "0"], "three times each line that prints, and then never again"
        consoles = trace.locator(".pt-console pre").all_inner_texts()
        assert consoles[0] == consoles[1] and consoles[0].split("\n")[2] == "turn 2 <b>&amp;</b>"
    graph = page.get_by_role("group", name="graph", exact=True)
    graph.locator("g.cv-operator, g.cv-group").first.click()
    assert "projection_of_the_normalized" in graph.locator(".gv-details").inner_text()
    stepper = page.get_by_role("group", name="CompileStepper")
    stepper.get_by_role("button", name="Before and after").click()
    assert stepper.locator(".saved").get_by_text("printed lines").is_visible()


def shown(notebook):
    """Have all cells drawn: JupyterLab leaves those out that are not in sight."""
    for i in range(len(CELLS)):
        notebook.page.evaluate(
            "(i) => { const { content } = window.jupyterapp.shell.currentWidget; return content.scrollToItem(i); }", i
        )
        notebook.page.wait_for_timeout(150)


def test_in_a_notebook_two_pictures_of_a_net_are_two(open_notebook, browser, tmp_path):
    notebook = open_notebook(CELLS)
    shown(notebook)
    traces = notebook.view.get_by_role("group", name="PrintTrace", exact=True)
    traces.nth(0).get_by_role("button", name="call again").click()
    traces.nth(0).locator(".pt-where", has_text="call 4 / 4").wait_for()
    assert traces.nth(1).locator(".pt-where").inner_text() == "call 1 / 3"
    assert notebook.ask("print(len(first.calls), len(second.calls))") == "4 3\n"
    for name in ("first", "graph", "steps"):
        file = tmp_path / f"{name}.html"
        assert notebook.ask(f"_ = {name}.save({str(file)!r})") == ""
        page = Offline(browser, file)
        page.page.locator("section.d2l[role=group]").first.wait_for()
        page.close()
    notebook.check()
    notebook.ask("first.calls.pop()")
    notebook.close()


def test_saved_and_reopened_and_after_a_restart(open_notebook):
    first = open_notebook(CELLS)
    saved = first.save()
    assert size_of(saved) < 4 * 60_000 and "widgets" not in saved["metadata"]
    shown(first)
    first.restart()
    first.view.get_by_role("status").get_by_text("There is no kernel for this picture").first.wait_for()
    used_alone(first.view)
    first.close()
    again = open_notebook(saved, run=False)
    shown(again)
    used_alone(again.view)
    again.check()


def test_the_page_of_nbconvert_works_offline(browser, tmp_path):
    pytest.importorskip("nbconvert", reason="pages are made with nbconvert")
    from nbconvert import HTMLExporter

    notebook = run_without_browser(CELLS)
    (tmp_path / "page.html").write_text(HTMLExporter().from_notebook_node(notebook)[0])
    offline = Offline(browser, tmp_path / "page.html", may_ask=True)
    offline.page.get_by_role("group", name="CompileStepper").wait_for()
    used_alone(offline.page)
    assert not [error for error in offline.errors if error.startswith("page error")], offline.errors
    offline.close()
