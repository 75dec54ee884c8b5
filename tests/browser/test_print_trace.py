"""PrintTrace in JupyterLab: a student steps through the calls, and tries what happens."""

from __future__ import annotations

import pytest

from .jupyter import as_static_page, run_without_browser, size_of, untrusted

NET = """\
from d2lhybrid import nd, print_trace
from d2lhybrid.gluon import nn

class HybridNet(nn.HybridBlock):
    def __init__(self, **kwargs):
        super().__init__(**kwargs)
        self.hidden = nn.Dense(4)
        self.output = nn.Dense(2)
        self.scale = 2

    def hybrid_forward(self, F, x):
        print("F is", F.__name__)
        print("x is", x)
        h = F.relu(self.hidden(x))
        if self.scale > 1:
            h = h * self.scale
        print("hidden is", h)
        return self.output(h)

net = HybridNet()
net.initialize()"""

CELLS = [NET, "trace = print_trace(net, nd.ones((1, 3)))\ntrace"]


class Student:
    """What a student does with the widget, and sees of it."""

    def __init__(self, notebook):
        self.notebook = notebook
        self.view = notebook.view.get_by_role("group", name="PrintTrace")
        self.view.locator(".pt-why").wait_for()

    def press(self, name):
        self.view.get_by_role("button", name=name, exact=True).click()
        self.view.and_(self.notebook.page.locator(":not([aria-busy])")).wait_for()

    def choose(self, number):
        self.view.locator(f"button[data-call='{number}']").click()

    @property
    def reason(self):
        return self.view.locator(".pt-why").inner_text()

    @property
    def printed(self):
        return self.view.locator(".pt-out pre").first.inner_text()

    @property
    def position(self):
        return self.view.locator(".pt-steps output").inner_text()

    def line(self, text):
        return self.view.locator("tr.pt-line").filter(has_text=text)

    def signs(self, text):
        return "".join(self.line(text).locator(".pt-sign").all_inner_texts())

    def notes(self, text):
        return self.line(text).locator(".pt-notes").inner_text()


@pytest.fixture
def student(open_notebook):
    return Student(open_notebook(CELLS))


def test_the_prints_vanish_and_the_student_sees_why(student):
    assert student.position == "call 3 / 3"
    assert "so no line of hybrid_forward ran" in student.reason and student.printed == "nothing"
    assert student.signs('print("hidden is"') == "▶○·" and student.signs("h = h * self.scale") == "▶●■"
    assert student.notes("if self.scale > 1") == "❄\nself.scale is 2 for good\n❄\ndecided: always taken"
    grey = student.line("return self.output").locator(".pt-code").evaluate("(e) => getComputedStyle(e).color")
    student.notebook.picture("print-trace-compiled", student.view)

    student.choose(1)
    assert "line by line, on arrays" in student.reason and "F is d2lhybrid.ndarray" in student.printed
    assert student.notes("h = h * self.scale").startswith("h\nNDArray 1×4 float32 [[")
    assert student.notes('print("F is"') == "printed\nF is d2lhybrid.ndarray"
    lit = student.line("return self.output").locator(".pt-code").evaluate("(e) => getComputedStyle(e).color")
    assert lit != grey
    student.notebook.picture("print-trace-eager", student.view)

    student.choose(2)
    assert "ran once with Symbols" in student.reason and "after net.hybridize()" in student.reason
    assert "x is <Symbol data>" in student.printed and "<Symbol" in student.notes("h = h * self.scale")
    student.notebook.picture("print-trace-traced", student.view)
    student.notebook.check()


def test_steps_by_button_slider_and_keyboard(student):
    student.press("previous call")
    assert student.position == "call 2 / 3"
    student.press("previous call")
    assert student.position == "call 1 / 3"
    assert student.view.get_by_role("button", name="previous call").is_disabled()
    student.press("next call")
    slider = student.view.get_by_role("slider", name="call")
    slider.focus()
    slider.press("ArrowRight")
    assert student.position == "call 3 / 3" and slider.evaluate("(e) => document.activeElement === e")
    slider.press("Home")
    assert student.position == "call 1 / 3"
    student.view.get_by_role("button", name="call 3: compiled").press("Enter")
    assert student.position == "call 3 / 3"
    current = student.view.locator("[aria-current]")
    assert current.inner_text() == "3" and current.evaluate("(e) => document.activeElement === e")
    unnamed = (
        "(e) => [...e.querySelectorAll('button, input, select')].filter((n) => !n.ariaLabel && !n.textContent).length"
    )
    assert student.view.evaluate(unnamed) == 0
    student.notebook.check()


def test_everything_can_be_tried(student):
    student.press("new shape")
    assert student.position == "call 4 / 4" and "the shape of data changed from (1, 3) to (2, 3)" in student.reason

    student.view.get_by_label("attribute").select_option("self.scale")
    student.view.get_by_label("value").fill("0")
    student.press("change")
    assert student.view.locator(".pt-pending").inner_text().startswith("net.scale = 0")
    assert student.notebook.ask("print(net.scale, len(trace.calls))") == "0 4\n"
    student.press("call again")
    assert "self.scale is 2 in the graph, though it is 0 by now" in student.notes("if self.scale > 1")

    student.press("hybridize()")
    student.press("call again")
    assert "Traced again, because hybridize() was called" in student.reason
    assert student.signs("h = h * self.scale") == "▶●■■■·"
    student.press("hybridize(False)")
    assert student.view.locator(".pt-status").inner_text() == "not hybridized"
    student.press("call again")
    assert "line by line" in student.reason and "x is \n[[1. 1. 1.]" in student.printed

    student.view.get_by_label("shape of the input").fill("(2, 9)")
    student.press("new shape")
    assert "failed" in student.reason and student.view.locator("pre.d2l-problem").is_visible()
    student.notebook.picture("print-trace-failed", student.view)
    student.view.get_by_label("shape of the input").fill("two")
    student.press("new shape")
    alert = student.notebook.view.get_by_role("alert")
    assert alert.inner_text() == "ValueError: A shape is written like (2, 3), not like 'two'"
    assert student.notebook.ask("print(net.scale, net._active, len(trace.calls))") == "0 False 8\n"
    student.notebook.check()


def test_a_closer_look(student):
    panel = student.view.locator(".pt-panel")
    for name, text in (
        ("memory plan", "bytes at once"),
        ("times", "hybrid_forward was traced, because"),
        ("first difference", "it computes the same"),
    ):
        student.press(name)
        panel.get_by_text(text).first.wait_for()
        student.notebook.picture(f"print-trace-{name.replace(' ', '-')}", student.view)
    student.press("close")
    assert not panel.is_visible()
    student.notebook.check()


def test_chinese(open_notebook):
    cells = [NET, 'import d2lhybrid\nd2lhybrid.config(lang="zh")\nprint_trace(net, nd.ones((1, 3)))']
    student = Student(open_notebook(cells))
    assert "hybrid_forward 一行也没有运行" in student.reason and student.printed == "无"
    student.press("再调用一次")
    assert student.position == "调用 4 / 4"
    student.notebook.picture("print-trace-chinese", student.view)
    student.notebook.check()


def test_the_saved_notebook_is_small_and_readable(student, open_notebook):
    saved = student.notebook.save()
    assert size_of(saved) < 30_000
    other = open_notebook(untrusted(saved), run=False)
    output = other.view.locator(".jp-OutputArea-output").last
    output.get_by_text("PrintTrace: HybridNet").wait_for()
    text = output.inner_text()
    for part in ("call 1: line by line", "call 3: compiled", "■", "❄ self.scale is 2 for good", "<Symbol data>"):
        assert part in text
    shades = "(e) => [...e.querySelectorAll('pre span')].filter((s) => s.style.background).length"
    assert output.evaluate(shades) > 5
    other.picture("print-trace-untrusted")
    other.check()


def test_with_the_state_of_its_widget_a_notebook_is_small_too():
    pytest.importorskip("nbclient", reason="notebooks are run with nbclient")
    notebook = run_without_browser(CELLS, keep_widgets=True)
    (state,) = (s["state"] for s in notebook.metadata.widgets.values())
    assert any("_esm" in model["state"] for model in state.values())
    assert size_of(notebook) < 60_000


def test_a_page_without_scripts():
    pytest.importorskip("nbconvert", reason="pages are made with nbconvert")
    page = as_static_page(run_without_browser(CELLS))
    for part in (
        "PrintTrace: HybridNet",
        "<summary",
        "decided: always taken",
        "so no line of hybrid_forward ran",
    ):
        assert part in page
