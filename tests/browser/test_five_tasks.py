"""What a new student wants to find out, on a laptop's screen: each is done by its clicks, and the answer is seen."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

NOTEBOOKS = Path(__file__).resolve().parents[2] / "notebooks"
#: A laptop's screen.
LAPTOP = {"width": 1280, "height": 800}
#: What is seen of an element: its middle, and what lies there.
SEEN = """(e) => {
    const { left, top, width, height } = e.getBoundingClientRect(), x = left + width / 2, y = top + height / 2;
    const there = document.elementFromPoint(x, y);
    return !!there && (e.contains(there) || there.contains(e));
}"""
#: Whether the whole of an element lies within what is seen of the notebook.
WHOLE = """(e) => {
    const { top, bottom } = e.getBoundingClientRect();
    const seen = e.closest(".jp-WindowedPanel-outer").getBoundingClientRect();
    return top >= seen.top - 1 && bottom <= seen.bottom + 1 && e.scrollHeight <= e.clientHeight + 1;
}"""
BROKEN = [
    "from d2lhybrid import nd\nfrom d2lhybrid.gluon import nn",
    """\
class Turned(nn.HybridBlock):
    def hybrid_forward(self, F, x):
        turned = x.T
        return turned + 1


net = Turned()
print(net(nd.array([[4, 7]])))""",
    "net = Turned()\nnet.hybridize()\nprint(net(nd.array([[4, 7]])))",
]


@pytest.fixture
def laptop(lab):
    before = lab.page.viewport_size
    lab.page.set_viewport_size(LAPTOP)
    yield
    lab.page.set_viewport_size(before)


@pytest.fixture
def lesson(open_notebook, laptop):
    """Return what opens a lesson up to a cell, runs it, and brings the picture of that cell to the top."""

    def open_(name, until, picture, without="compare"):
        notebook = json.loads((NOTEBOOKS / f"{name}.ipynb").read_text("utf-8"))
        texts = ["".join(cell["source"]) for cell in notebook["cells"]]
        last = next(i for i, text in enumerate(texts) if until in text)
        notebook["cells"] = [
            cell for cell, text in zip(notebook["cells"][: last + 1], texts, strict=False) if without not in text
        ]
        opened = open_notebook(notebook)
        to_the_end(opened)
        view = opened.view.get_by_role("group", name=picture, exact=True).last
        view.wait_for()
        view.evaluate("(e) => e.scrollIntoView({ block: 'start' })")
        return opened, view

    return open_


def to_the_end(notebook):
    """Scroll to the last cell: JupyterLab draws the cells only that are in sight."""
    notebook.page.evaluate("() => { const { content } = window.jupyterapp.shell.currentWidget;"
                           " return content.scrollToItem(content.widgets.length - 1, 'end'); }")  # fmt: skip


def is_seen(locator):
    """Return whether it comes into sight, perhaps gliding there, and stays."""
    locator.wait_for()
    for _ in range(10):
        locator.page.wait_for_timeout(300)
        if locator.evaluate(SEEN):
            return True
    return False


def test_see_the_prints_vanish_and_say_why(lesson):
    notebook, view = lesson("00_start_here", "mx.print_trace(", "PrintTrace")
    assert is_seen(view.get_by_role("button", name="▶ play"))
    view.get_by_role("button", name="▶ play").click()
    question = view.locator(".pt-console").get_by_text("How many lines will call 3 print?")
    assert is_seen(question)
    view.locator(".pt-options").get_by_role("button", name="1", exact=True).click()
    assert is_seen(view.get_by_text("Nothing printed"))
    why = view.locator(".pt-reason:visible")
    assert is_seen(why) and "Not 1, but 0." in why.inner_text() and "no line of hybrid_forward ran" in why.inner_text()
    notebook.check()


def test_find_which_line_is_frozen_at_which_value(lesson):
    notebook, view = lesson("00_start_here", "mx.print_trace(", "PrintTrace")
    view.get_by_role("button", name="call 3").click()
    view.locator(".pt-skip").click()
    line = view.locator(".pt-line", has_text="y = x * self.factor").locator(".pt-lane-program")
    assert is_seen(line) and "❄ self.factor is frozen at 10" in line.inner_text()
    view.evaluate("(e) => e.scrollIntoView({ block: 'end' })")  # where Shift+Enter brings it
    view.get_by_role("button", name="Try it").click()
    values = view.locator(".pt-controls, .pt-console, .pt-value")
    assert all(box.evaluate(WHOLE) for box in values.all()), "no row is pushed out of sight"
    view.get_by_label("value", exact=True).fill("3")
    view.get_by_role("button", name="change").click()
    view.get_by_role("button", name="other numbers").click()
    verdict = view.locator(".pt-verdict:visible")
    assert is_seen(verdict) and "Not other numbers, but the same numbers." in verdict.inner_text()
    assert is_seen(line) and "self.factor is frozen at 10, although it is 3 now" in line.inner_text()
    assert all(box.evaluate(WHOLE) for box in values.all())
    view.get_by_role("button", name="hybridize()", exact=True).click()
    view.get_by_text("call the net to see the effect").wait_for()
    view.locator(".pt-next").click()
    assert is_seen(view.locator(".pt-reason:visible", has_text="Traced again, because hybridize() was called"))
    assert not view.locator(".pt-next").count(), "nothing is left to be clicked"
    notebook.check()


def test_find_the_node_that_a_line_became(lesson):
    notebook, view = lesson("02_hybrid_sequential", "net.graph(x)", "graph")
    line = view.locator(".gv-known", has_text="net.add(nn.Dense(256")
    line.scroll_into_view_if_needed()
    line.click()
    node = view.locator("g.cv-selected .cv-c")
    assert is_seen(node) and is_seen(line)
    details = view.locator(".gv-details")
    assert details.evaluate(WHOLE), "all that is known of the layer is in sight"
    assert "weight dense3_weight  float32 256×512" in " ".join(details.inner_text().split("\n"))
    assert "Dense" in view.locator("g.cv-selected").text_content()
    assert view.locator("g.cv-operator.cv-found").count() == 3, "all that the line made is marked"
    compiled = view.locator(".gv-known", has_text="maximum(").first
    compiled.click()
    assert is_seen(node) and is_seen(compiled)
    assert "256 units, relu" in view.locator("g.cv-selected").text_content(), "the layer that the line was made for"
    view.locator("g.cv-operator", has_text="2 units").last.click()
    lit = view.locator(".gv-made .gv-on")
    assert is_seen(lit.first) and "dot(" in lit.first.inner_text() and lit.count() >= 2, "a box lights its lines, too"
    assert line.get_attribute("class").count("gv-on") == 1
    view.get_by_role("button", name="compiled").click()
    assert is_seen(view.locator("g.cv-selected .cv-c")), "the chosen box stays in sight"
    notebook.check()


def test_find_where_the_time_went(lesson):
    notebook, view = lesson("03_hybrid_block", "trace = mx.print_trace(net, x)", "PrintTrace")
    view.get_by_role("button", name="Look closer").click()
    view.get_by_role("button", name="times").click()
    rows = view.locator(".pt-table tr")
    rows.nth(2).wait_for()
    shares = [
        int(text.partition("%")[0]) for text in view.locator(".pt-table .d2l-muted", has_text="%").all_inner_texts()
    ]
    source = notebook.ask("print(net.programs[0].source)")
    own, generated = (table.locator("code").all_inner_texts() for table in view.locator(".pt-table").all())
    assert len(own) + len(generated) == len(shares) and len(generated) > 2
    assert all(line.strip() in source for line in generated)
    mine = view.locator(".pt-body").text_content()
    assert own and all(line.strip() in mine for line in own), "the question is about the lines that one has written"
    assert all(80 <= sum(part) <= 105 for part in (shares[: len(own)], shares[len(own) :]))
    assert is_seen(view.get_by_text("One call spends")) and is_seen(rows.nth(1)) and is_seen(rows.last)
    notebook.check()


@pytest.mark.parametrize("between", [False, True])
def test_repair_a_net_that_fails_when_it_is_hybridized(open_notebook, laptop, between):
    first, definition, last = BROKEN
    cells = [first, *(definition.split("\n\n\n") if between else [definition]), last.replace("net = Turned()\n", "")]
    notebook = open_notebook(cells)
    view, page = notebook.view, notebook.page
    to_the_end(notebook)
    lens = view.get_by_role("group", name=re.compile("^H10"))
    lens.wait_for()
    lens.evaluate("(e) => e.scrollIntoView({ block: 'start' })")
    assert is_seen(lens.locator("[aria-current=true]")) and is_seen(lens.locator("ins"))
    fix = lens.get_by_role("button", name="fix the line")
    before = fix.bounding_box()
    fix.click()
    again = lens.get_by_role("button", name="run cells [2] to this one" if between else "run cell [2], then this one")
    assert is_seen(again), "the line is in another cell"
    assert "turned = F.transpose(x)" in notebook.cells()[1]["source"]
    assert "✓ the line in the cell is fixed" in lens.inner_text()
    after = again.bounding_box()
    mouse = before["x"] + before["width"] / 2
    assert after["y"] == before["y"] and after["x"] < mouse < after["x"] + after["width"], "no other button is there"
    assert again.evaluate("(e) => e === document.activeElement")
    page.keyboard.press("Enter")
    view.locator(".jp-CodeCell").last.get_by_text("[8.]").wait_for()
    assert [cell["execution_count"] for cell in notebook.cells()][1:] == list(range(len(cells) + 1, 2 * len(cells)))
    assert not view.get_by_role("group", name=re.compile("^H10")).count()
