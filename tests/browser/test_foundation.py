"""What all widgets rest on: data go to the browser, actions come back, and the rest of the page is left alone."""

from __future__ import annotations

import base64

import pytest

from .jupyter import as_static_page, run_without_browser, size_of, untrusted

SCRIPT = """
export default {
  render({ model, el }) {
    const root = frame(el, "counter");
    const count = html("output", {}, String(model.get("data").count));
    model.on("change:data", () => { count.textContent = model.get("data").count; });
    const button = (name) => html("button", { onclick: () => ask(model, root, name, { step: 2 }) }, name);
    root.append(html("h3", {}, "A counter"), count, html("div", { class: "d2l-row" }, button("add"), button("fail")));
  },
};
"""

CELLS = [
    f"""
import base64, pathlib, sys, tempfile, types
from d2lhybrid.seeing.html import element, escape, heading, table
from d2lhybrid.seeing.picture import Picture
from d2lhybrid.seeing.svg import Svg
from d2lhybrid.seeing.widgets.base import Widget, action
script = pathlib.Path(tempfile.mkdtemp(), "counter.js")
_ = script.write_bytes(base64.b64decode("{base64.b64encode(SCRIPT.encode()).decode()}"))
""",
    """
class Counter(Picture):
    view_name = "counter"
    def __init__(self): self.count = 1
    def to_dict(self): return {"count": self.count}
    def to_text(self): return f"count {self.count}"
    def to_html(self):
        drawing = Svg(80, 30, "the count")
        drawing.text(10, 20, self.to_text())
        return heading("A counter") + drawing.to_img() + table([[escape("a < b"), self.to_text()]], shades=["eager"])

class CounterWidget(Widget):
    script = script
    @action
    def add(self, step): self.picture.count += step
    @action
    def fail(self, step): raise ValueError("there is nothing to <count>")

module = sys.modules["d2lhybrid.seeing.widgets.counter"] = types.ModuleType("d2lhybrid.seeing.widgets.counter")
module.view = CounterWidget
counter = Counter()
""",
    "counter",
]


def test_a_widget_shows_its_data_and_acts(open_notebook):
    notebook = open_notebook(CELLS)
    group = notebook.view.get_by_role("group", name="counter")
    group.get_by_role("button", name="add").click()
    group.locator("output", has_text="3").wait_for()
    assert notebook.ask("print(counter.count)") == "3\n"
    group.get_by_role("button", name="fail").click()
    problem = notebook.view.get_by_role("alert")
    problem.wait_for()
    assert problem.inner_text() == "ValueError: there is nothing to <count>"
    group.get_by_role("button", name="add").click()
    group.locator("output", has_text="5").wait_for()
    assert not problem.is_visible()
    notebook.picture("foundation")
    notebook.check()


def test_colours_follow_the_theme(open_notebook, lab):
    notebook = open_notebook(CELLS)
    title = notebook.view.get_by_role("heading", name="A counter")
    colour = "(e) => getComputedStyle(e).color"
    light = title.evaluate(colour)
    lab.theme(dark=True)
    dark = title.evaluate(colour)
    lab.theme(dark=False)
    assert light != dark and title.evaluate(colour) == light


def test_somebody_else_sees_the_static_picture(open_notebook):
    first = open_notebook(CELLS)
    saved = first.save()
    assert size_of(saved) < 20_000 and "widgets" not in saved["metadata"]
    other = open_notebook(untrusted(saved), run=False)
    output = other.view.locator(".jp-OutputArea-output")
    output.locator("img[alt='the count']").wait_for()
    assert "A counter" in output.inner_text() and "a < b" in output.inner_text()
    assert output.locator("img").evaluate("(e) => e.complete && e.naturalWidth") == 80
    shade = output.locator("td").first.evaluate("(e) => getComputedStyle(e).backgroundColor")
    assert shade not in ("rgba(0, 0, 0, 0)", "rgb(255, 255, 255)"), "the tint of the row was taken away"
    other.picture("foundation-untrusted")
    other.check()


def test_a_page_without_scripts_shows_the_static_picture():
    pytest.importorskip("nbconvert", reason="pages are made with nbconvert")
    notebook = run_without_browser(CELLS)
    page = as_static_page(notebook)
    assert "A counter" in page and "a &lt; b" in page and "data:image/svg+xml;base64," in page
