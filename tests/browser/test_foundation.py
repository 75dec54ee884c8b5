"""What all widgets rest on: data go to the browser, actions come back, and the rest of the page is left alone."""

from __future__ import annotations

import base64

import pytest

from .jupyter import Offline, as_static_page, run_without_browser, size_of, untrusted

SCRIPT = """
export default {
  render({ model, el }) {
    const root = frame(el, "counter");
    const count = html("output", {}, String(model.get("data").count));
    model.on("change:data", () => { count.textContent = model.get("data").count; });
    const button = (name) => html("button", { onclick: () => ask(model, root, name, { step: 2 }) }, name);
    const half = html("button", { onclick: () => { count.textContent = model.get("data").count / 2; } }, "half");
    const marked = html("button", { "data-asks": true, onclick: () => ask(model, root, "add", { step: 1 }) }, "asks");
    const row = html("div", { class: "d2l-row" }, button("add"), button("fail"), half, marked);
    root.append(html("h3", {}, "A counter"), count, row);
  },
};
"""

CELLS = [
    f"""
import base64, pathlib, sys, tempfile, types
from d2lhybrid.internals.pictures.html import element, escape, heading, table
from d2lhybrid.internals.pictures.picture import Picture
from d2lhybrid.internals.pictures.svg import Svg
from d2lhybrid.internals.pictures.widgets.base import Widget, action
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

name = "d2lhybrid.internals.pictures.widgets.counter"
module = sys.modules[name] = types.ModuleType(name)
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


def test_keys_that_a_widget_does_not_use_are_those_of_jupyterlab(open_notebook):
    notebook = open_notebook([*CELLS, "print('after', 'it')"])
    count = len(notebook.cells())
    notebook.view.get_by_role("button", name="half").click()
    notebook.page.keyboard.press("Enter")  # presses the button again, and edits no cell
    notebook.page.keyboard.press("ArrowDown")
    notebook.page.keyboard.press("b")
    cells = notebook.view.locator(".jp-Cell")
    cells.nth(count).wait_for()
    assert [cell["source"] for cell in notebook.cells()[count - 2 :]] == [*CELLS[-1:], "", "print('after', 'it')"][-3:]
    assert notebook.view.get_by_role("group", name="counter").locator("output").inner_text() == "0.5"


def test_shift_enter_in_a_widget_goes_to_the_next_cell(open_notebook):
    notebook = open_notebook([*CELLS, "print('after', counter.count)"])
    notebook.view.get_by_role("button", name="add", exact=True).click()
    notebook.view.locator("output", has_text="3").wait_for()
    notebook.page.keyboard.press("Shift+Enter")
    notebook.view.locator(".jp-Cell").nth(3).and_(notebook.view.locator(".jp-mod-selected")).wait_for()
    assert notebook.view.locator("output").inner_text() == "3", "the picture is as it was"
    notebook.page.keyboard.press("Shift+Enter")
    notebook.view.get_by_text("after 3").wait_for()


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
    assert "A counter" in page and "a &lt; b" in page and "data:image/svg+xml," in page


def uses_it_alone(page):
    """Use the counter where no kernel is: what needs none works, what needs one says so."""
    group = page.get_by_role("group", name="counter")
    group.get_by_role("button", name="half").click()
    assert group.locator("output").inner_text() == "0.5"
    group.get_by_role("button", name="add").click()
    page.get_by_role("alert").get_by_text("there is no kernel here").wait_for()
    assert group.locator("output").inner_text() == "0.5" and group.get_attribute("aria-busy") is None


def test_a_saved_notebook_works_without_the_kernel_and_finds_it_again(open_notebook, lab):
    first = open_notebook(CELLS)
    saved = first.save()
    first.close()
    notebook = open_notebook(saved, run=False)
    group = notebook.view.get_by_role("group", name="counter")
    note = notebook.view.get_by_role("status").get_by_text("There is no kernel for this picture")
    note.wait_for()
    uses_it_alone(notebook.view)
    notebook.picture("foundation-reopened")
    notebook.view.get_by_role("button", name="run the cells up to this one").click()
    note.wait_for(state="detached")
    group.get_by_role("button", name="add").click()
    group.locator("output", has_text="3").wait_for()
    assert notebook.ask("print(counter.count)") == "3\n"
    notebook.check()


@pytest.mark.parametrize("how", ["restart", "shut down"])
def test_after_a_restart_the_buttons_say_that_the_kernel_is_gone(open_notebook, how):
    notebook = open_notebook(CELLS)
    group = notebook.view.get_by_role("group", name="counter")
    group.get_by_role("button", name="add").click()
    group.locator("output", has_text="3").wait_for()
    if how == "restart":
        notebook.restart()
    else:
        notebook.shut_down()
        group.get_by_role("button", name="add").click()
    notebook.view.get_by_role("status").get_by_text("There is no kernel for this picture").wait_for()
    group.get_by_role("button", name="half").click()
    assert group.locator("output").inner_text() == "1.5"  # what was seen last
    group.get_by_role("button", name="add").click()
    notebook.view.get_by_role("alert").wait_for()
    if how == "shut down":
        return
    notebook.view.get_by_role("button", name="run the cells up to this one").click()
    group.locator("output").get_by_text("1", exact=True).wait_for()
    notebook.view.locator("[data-kernel=live]").wait_for()
    group.get_by_role("button", name="add").click()
    group.locator("output", has_text="3").wait_for()
    notebook.check()


def test_a_page_that_is_loaded_again_finds_the_kernel_that_still_runs(open_notebook, lab):
    notebook = open_notebook(CELLS)
    group = notebook.view.get_by_role("group", name="counter")
    group.get_by_role("button", name="add").click()
    group.locator("output", has_text="3").wait_for()
    notebook.save()
    notebook.load_again()
    group.locator("output", has_text="3").wait_for()  # the kernel's value, not the one of the file
    group.get_by_role("button", name="add").click()
    group.locator("output", has_text="5").wait_for()
    assert not notebook.view.get_by_text("There is no kernel").is_visible()
    notebook.check()


def test_the_kernel_may_be_busy(open_notebook):
    notebook = open_notebook(CELLS)
    group = notebook.view.get_by_role("group", name="counter")
    group.get_by_role("button", name="add").wait_for()
    notebook.start("import time; time.sleep(9)")
    group.get_by_role("button", name="add").click()
    notebook.view.get_by_role("alert").get_by_text("The kernel is still busy").wait_for()
    group.locator("output", has_text="3").wait_for()
    notebook.view.get_by_role("alert").wait_for(state="hidden")
    notebook.check()


def test_inside_another_widget_it_shows_itself(open_notebook):
    notebook = open_notebook([*CELLS[:2], "import ipywidgets\nipywidgets.VBox([counter.widget()])"])
    group = notebook.view.get_by_role("group", name="counter")
    group.get_by_role("button", name="add").click()
    group.locator("output", has_text="3").wait_for()
    notebook.check()


@pytest.mark.parametrize("keep_widgets", [False, True], ids=["html alone", "with the widgets' state"])
def test_a_page_of_nbconvert_works_offline(browser, tmp_path, keep_widgets):
    pytest.importorskip("nbconvert", reason="pages are made with nbconvert")
    from nbconvert import HTMLExporter

    notebook = run_without_browser(CELLS, keep_widgets)
    (tmp_path / "page.html").write_text(HTMLExporter().from_notebook_node(notebook)[0])
    offline = Offline(browser, tmp_path / "page.html", may_ask=True)
    offline.page.get_by_role("group", name="counter").wait_for()
    uses_it_alone(offline.page)
    offline.close()


def test_a_saved_page_asks_nobody(browser, open_notebook, tmp_path):
    first = open_notebook(CELLS)
    file = tmp_path / "page.html"
    assert first.ask(f"_ = counter.widget().save({str(file)!r}, 'A <title>')") == ""
    for theme, colour in (("light", "rgb(255, 255, 255)"), ("dark", "rgb(20, 24, 28)")):
        offline = Offline(browser, file, color_scheme=theme)
        offline.page.get_by_role("group", name="counter").wait_for()
        assert offline.page.title() == "A <title>"
        uses_it_alone(offline.page)
        group = offline.page.get_by_role("group", name="counter")
        assert group.evaluate("(e) => getComputedStyle(e).backgroundColor") == colour
        assert not group.get_by_role("button", name="asks").is_visible()
        offline.close()
