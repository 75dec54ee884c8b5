"""PrintTrace: three lanes, and what is printed in each; stepped through, tried, foretold."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest

import d2lhybrid
from d2lhybrid import nd, print_trace
from d2lhybrid.gluon import nn

from .alone import Alone
from .jupyter import as_static_page, run_without_browser, size_of, untrusted
from .layout import WIDTHS, by_turns, contrasts_below, moved_by, problems_of, unnamed_in, unreached_in, width_of
from .strange_nets import NETS, HybridNet, X, trace_of

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
        h = F.relu(self.hidden(x))
        if self.scale > 1:
            h = h * self.scale
        print("scale is", self.scale)
        return self.output(h)

net = HybridNet()
net.initialize()"""

CELLS = [NET, "trace = print_trace(net, nd.ones((1, 3)))\ntrace"]
LANES = ("array", "symbol", "program")
PICTURES = os.environ.get("D2LHYBRID_SCREENSHOTS")


class Student:
    """What a student does with the widget, and sees of it."""

    def __init__(self, page, view):
        self.page, self.root = page, view
        self.view = view if view.get_attribute("role") == "group" else view.get_by_role("group", name="PrintTrace")
        self.view.locator(".pt-head").wait_for()

    def press(self, name):
        """Press a button; open what it lies in first."""
        button = self.view.get_by_role("button", name=name, exact=True, include_hidden=True)
        for deck in ("Try it", "Look closer"):
            if not button.is_visible():
                self.open(deck)
        button.click()
        self.rests()

    def open(self, deck):
        """Open one of the rows below the controls."""
        opener = self.view.locator(f"[data-deck='{deck}']")
        if opener.get_attribute("aria-expanded") != "true":
            opener.click()

    def type(self, field, text):
        """Write into a field, and press Enter."""
        self.open("Try it")
        box = self.view.get_by_label(field, exact=True)
        box.fill(text)
        box.press("Enter")
        self.rests()

    def rests(self):
        self.view.and_(self.page.locator(":not([aria-busy])")).wait_for()

    def choose(self, number):
        self.view.locator(f"[data-key='c{number}']").click()

    def see_all(self):
        """Go to the last call; let the question be answered."""
        while self.view.get_by_role("button", name="next call").is_enabled():
            self.press("next call")
        if self.view.locator(".pt-skip").count():
            self.view.locator(".pt-skip").click()

    @property
    def reason(self):
        return " ".join(self.view.locator(".pt-reason:visible").inner_text().split())

    @property
    def position(self):
        return self.view.locator(".pt-where").inner_text()

    @property
    def consoles(self):
        return [" ".join(text.split("\n")) for text in self.view.locator(".pt-console").all_inner_texts()]

    def cell(self, text, lane):
        return self.view.locator(".pt-line").filter(has_text=text).first.locator(f".pt-lane-{lane}")

    def signs(self, text):
        return "".join(self.cell(text, lane).locator(".pt-sign").inner_text() or " " for lane in LANES)

    def lit(self, text, lane):
        cell = self.cell(text, lane)
        return cell.evaluate("(e) => getComputedStyle(e).backgroundColor") != "rgba(0, 0, 0, 0)"


@pytest.fixture
def alone(browser):
    opened = []

    def open_(name="the lesson's", **options):
        page = Alone(browser, trace_of(name), **options)
        opened.append(page)
        student = Student(page.page, page.view)
        student.alone, student.trace = page, page.widget.picture
        return student

    yield open_
    for page in opened:
        assert not page.errors
        page.close()


def in_lab(notebook):
    student = Student(notebook.page, notebook.view.get_by_role("group", name="PrintTrace"))
    student.notebook = notebook
    return student


# --- what is seen ---------------------------------------------------------------------------------------


def test_the_prints_vanish_and_the_student_sees_where(open_notebook):
    student = in_lab(open_notebook(CELLS))
    assert student.position == "call 1 / 3" and "line by line, on arrays" in student.reason
    assert student.consoles[0].startswith("2 lines printed")
    assert all("not called yet" in text for text in student.consoles[1:])
    assert student.lit("h = F.relu", "array") and not student.lit("h = F.relu", "symbol")

    student.press("next call")
    assert "ran once with Symbols" in student.reason and "after: net.hybridize()" in student.reason
    assert "F is d2lhybrid.symbol" in student.consoles[1] and student.lit("h = F.relu", "symbol")
    student.press("next call")
    assert student.position == "call 3 / 3" and "so no line" not in student.reason
    student.view.get_by_role("button", name="0", exact=True).click()
    assert "✓ Right: 0." in student.reason and "so no line of hybrid_forward ran" in student.reason
    first, second, third = student.consoles
    assert first.startswith("2 lines printed") and "F is d2lhybrid.ndarray" in first
    assert second.startswith("2 lines printed") and "F is d2lhybrid.symbol" in second
    assert third.startswith("0 lines printed") and "Nothing printed" in third
    assert student.signs("h = F.relu") == "▶●■" and student.signs("print(") == "▶○·"
    assert not student.lit("h = F.relu", "program")
    assert "❄ self.scale is frozen at 2" in student.cell("h = h * self.scale", "program").inner_text()
    student.notebook.picture("print-trace", student.view)
    student.notebook.check()


def test_the_badge_is_that_of_the_call_that_is_looked_at(alone):
    student = alone("twelve calls")
    badge = student.view.locator(".pt-badge:visible")
    assert badge.inner_text() == "call 1 · eager"
    student.see_all()
    for number, word in ((2, "traced"), (8, "eager"), (9, "traced"), (1, "eager")):
        student.choose(number)
        assert badge.inner_text() == f"call {number} · {word}"
        current = student.view.locator("[aria-current]")
        assert current.inner_text() == f"call {number}" and current.evaluate("(e) => document.activeElement === e")


def test_later_calls_stand_in_the_lane_that_they_belong_to(alone):
    student = alone("twelve calls")
    heads = student.view.locator(".pt-lane")
    assert heads.nth(0).locator("button").all_inner_texts() == ["call 1", "call 7", "call 8"]
    assert heads.nth(1).locator("button").all_inner_texts() == ["call 2", "call 9"]
    options = heads.nth(2).get_by_role("combobox").locator("option").all_inner_texts()
    assert [text.split(":")[0] for text in options] == [f"call {n}" for n in (3, 4, 5, 6, 10, 11, 12)]
    heads.nth(2).get_by_role("combobox").select_option("5")
    assert student.position == "call 5 / 12" and "the shape of data changed from (2, 3) to (3, 3)" in student.reason
    student.see_all()
    assert "self.scale is frozen at 2, although it is 5 now" in student.cell("if self.scale", "program").inner_text()


def test_a_line_has_a_value_in_each_lane(alone):
    student = alone()
    student.see_all()
    values = student.view.locator(".pt-inspect .pt-value")
    student.view.locator(".pt-line").filter(has_text="h = h * self.scale").hover()
    first, second, third = values.all_inner_texts()
    assert first.startswith("hNDArray 1×4 float32") and second.startswith("h<Symbol") and "multiply(" in third
    assert third.endswith("16 bytes"), "what the line became in the program, and its memory"
    student.view.get_by_role("group", name="listing").focus()
    student.page.keyboard.press("ArrowUp")
    assert values.all_inner_texts()[2] == "did not run"
    assert student.view.locator(".pt-at").inner_text().count("if self.scale > 1") == 3
    student.press("values")
    assert "NDArray 1×4" in student.cell("h = h * self.scale", "array").inner_text()


def test_what_would_answer_the_question_is_told_after_it(alone):
    student = alone()
    student.choose(2)
    told = student.view.get_by_text("prints while traced, never again").first
    assert not told.is_visible() and student.view.get_by_text("self.scale is frozen at 2").first.is_visible()
    student.choose(3)
    assert student.view.locator(".pt-options").is_visible() and not told.is_visible()
    student.view.locator(".pt-skip").click()
    assert told.is_visible()
    student.choose(2)
    assert told.is_visible()


class Prints(nn.HybridBlock):
    def __init__(self, **kwargs):
        super().__init__(**kwargs)
        self.hidden = nn.Dense(10)
        self.output = nn.Dense(2)

    def hybrid_forward(self, F, x):
        print("F is     ", F.__name__)
        print("x is     ", x)
        x = F.relu(self.hidden(x))
        print("hidden is", x)
        return self.output(x)


def test_much_that_is_printed_leaves_the_lines_in_sight(browser):
    net = Prints()
    net.initialize()
    page = Alone(browser, print_trace(net, nd.ones((1, 4))), width=850)
    student = Student(page.page, page.view)
    assert page.view.bounding_box()["height"] <= 640
    whole = "(all) => all.every((e) => e.getBoundingClientRect().bottom <= e.closest('.pt-body').getBoundingClientRect().bottom)"  # noqa: E501
    assert page.view.locator(".pt-line").evaluate_all(whole)
    student.choose(3)
    assert page.view.locator(".pt-console").nth(2).evaluate("(e) => e.scrollHeight <= e.clientHeight"), "the question"
    student.view.locator(".pt-skip").click()
    assert page.view.locator(".pt-console").nth(2).evaluate("(e) => e.scrollHeight <= e.clientHeight")
    assert page.view.locator(".pt-line").evaluate_all(whole)
    assert not page.errors
    page.close()


class Scale(nn.HybridBlock):
    factor = 10

    def hybrid_forward(self, F, x):
        print("this is line one, and x is", type(x).__name__)
        y = x * self.factor
        return F.relu(y)


def test_a_generated_line_and_its_memory_are_not_cut(browser):
    page = Alone(browser, print_trace(Scale(), nd.array([-1, 2])), width=850)
    student = Student(page.page, page.view)
    student.see_all()
    for line in ("y = x * self.factor", "return F.relu(y)"):
        page.view.locator(".pt-line").filter(has_text=line).hover()
        values = page.view.locator(".pt-value")
        assert "8 bytes" in values.nth(2).inner_text()
        assert values.evaluate_all("(all) => all.every((e) => e.scrollHeight <= e.clientHeight)"), line
    page.close()


def test_an_error_stands_at_its_line_and_in_its_lane(alone):
    student = alone("fails when traced")
    student.see_all()
    assert student.position == "call 2 / 2" and "'Symbol' object has no attribute 'shape'" in student.reason
    assert "AttributeError" in student.consoles[1] and student.consoles[1].startswith("1 line printed")
    assert "no call in this lane" in student.consoles[2]
    assert student.view.locator(".pt-failed").inner_text().strip().endswith("return y.reshape(y.shape)")


def test_of_a_block_the_own_lines_run_on(alone):
    student = alone("a Block")
    student.see_all()
    assert [text.split()[0] for text in student.consoles] == ["2", "2", "1"]
    assert student.signs('print("outside")') == "▶▶▶" and student.signs("return F.relu(x)") == "▶●■"


def test_what_a_later_trace_has_made_old_is_marked_as_old(alone):
    student = alone()
    student.see_all()
    student.type("value", "5")
    student.press("call again")
    student.press("hybridize()")
    student.press("call again")
    line = "h = h * self.scale"
    assert "❄ self.scale is frozen at 5" in student.cell(line, "symbol").inner_text()
    heads = student.view.locator(".pt-lane")
    assert "Old: call 5 traced the net again." in heads.nth(2).inner_text()
    assert student.cell(line, "program").locator(".pt-was").count() and not student.view.locator(".pt-stale").count()
    student.choose(4)
    assert "Old" not in student.view.locator(".pt-heads").inner_text()
    assert "is frozen at 2, although it is 5 now" in student.cell(line, "program").locator(".pt-stale").inner_text()
    assert "❄ self.scale is frozen at 2" in student.cell(line, "symbol").inner_text(), "the trace of before call 4"


# --- the performance ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("still", [False, True])
def test_it_plays_once_and_stops_at_the_question(alone, still):
    student = alone(still=still)
    student.press("▶ play")
    if not still:
        student.view.locator(".pt-now").first.wait_for()
        assert student.view.locator(".pt-not-yet").count() > 0
    student.view.locator(".pt-options").wait_for()
    assert student.position == "call 3 / 3" and student.view.locator(".pt-now").count() == 0
    assert [text[0] for text in student.consoles[:2]] == ["2", "2"]
    student.view.locator(".pt-skip").click()
    assert "Nothing printed" in student.consoles[2]


def test_a_performance_is_interrupted_by_whatever_is_done(alone):
    student = alone(still=False)
    student.press("▶ play")
    student.view.locator(".pt-now").first.wait_for()
    student.press("next call")
    assert student.position == "call 2 / 3" and student.view.locator(".pt-not-yet").count() == 0
    student.page.wait_for_timeout(600)
    assert student.position == "call 2 / 3"


# --- foretelling ----------------------------------------------------------------------------------------------


def test_a_wrong_answer_gets_the_sentence_that_explains(alone):
    student = alone()
    student.choose(3)
    assert student.view.locator(".pt-options button").all_inner_texts() == ["0", "1", "2", "4", "show me"]
    student.view.locator(".pt-options").get_by_role("button", name="2").click()
    assert "✗ Not 2, but 0." in student.reason and "no line of hybrid_forward ran" in student.reason
    student.choose(2)
    assert "✗" not in student.reason, "the answer was about call 3"
    student.choose(3)
    assert "✗ Not 2, but 0." in student.reason


@pytest.mark.parametrize(("name", "answer"), [("without a print", "0"), ("a Block", "1"), ("sixty lines", "0")])
def test_the_answer_is_computed(alone, name, answer):
    student = alone(name)
    student.choose(3)
    student.view.locator(".pt-options").get_by_role("button", name=answer, exact=True).click()
    assert f"✓ Right: {answer}." in student.reason
    assert student.view.evaluate("(view) => view.contains(document.activeElement)"), "Shift+Enter is still heard"


def test_what_comes_of_a_changed_attribute_is_asked_and_then_done(alone):
    student = alone()
    student.see_all()
    student.type("value", "5")
    assert student.trace.net.scale == 5 and len(student.trace.calls) == 3
    assert "net.scale = 5. What will the next call return?" in student.reason
    student.press("other numbers")
    assert "✗ Not other numbers, but the same numbers." in student.reason
    student.press("hybridize(False)")
    student.type("value", "7")
    assert "— call the net to see the effect" in student.reason
    student.press("call again")
    student.type("value", "1")
    student.press("other numbers")
    assert "✓ Right: other numbers." in student.reason and len(student.trace.calls) == 6


def test_nobody_is_asked_where_it_is_switched_off(browser):
    with d2lhybrid.config(ask=False):
        trace = trace_of("the lesson's")
        page = Alone(browser, trace)
        student = Student(page.page, page.view)
        student.choose(3)
        assert "Nothing printed" in student.consoles[2] and not student.view.locator(".pt-options").count()
        page.close()


# --- what can be tried ------------------------------------------------------------------------------------------


def test_everything_can_be_tried(alone):
    student = alone()
    student.see_all()
    student.press("new shape")
    assert student.position == "call 4 / 4" and "the shape of data changed from (1, 3) to (2, 3)" in student.reason
    student.press("hybridize()")
    assert "net.hybridize() — call the net to see the effect" in student.reason
    student.press("call again")
    assert "Traced again, because hybridize() was called" in student.reason
    student.press("hybridize(False)")
    pressed = student.view.locator(".pt-try [aria-pressed=true]")
    assert pressed.all_inner_texts() == ["hybridize(False)"]
    student.press("call again")
    assert "line by line" in student.reason
    student.type("shape of the input", "(2, 9)")
    assert "failed" in student.reason and len(student.trace.calls) == 7
    student.type("shape of the input", "two")
    alert = student.page.get_by_role("alert")
    wanted = "A shape must be a tuple of non-negative integers, such as (2, 3)"
    assert alert.inner_text() == f"ValueError: {wanted}, not 'two'"
    said, row, lanes = (
        part.bounding_box() for part in (alert, *(student.view.locator(p) for p in (".pt-try", ".pt-heads")))
    )
    assert row["y"] + row["height"] <= said["y"] < said["y"] + said["height"] <= lanes["y"], "below the field, in sight"
    limit = student.view.get_by_text("≤ 1,000,000")
    assert limit.is_visible() and limit.get_attribute("title") == "at most 1,000,000 numbers"
    student.type("shape of the input", "(1000, 1000, 1000)")
    assert "must have at most 1,000,000 elements, not 1,000,000,000" in alert.inner_text()
    assert len(student.trace.calls) == 7


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_a_closer_look(browser, lang):
    with d2lhybrid.config(lang=lang):
        page = Alone(browser, trace_of("the lesson's"))
        student = Student(page.page, page.view)
        panel = student.view.locator(".pt-panel")
        student.open("Look closer")
        buttons = student.view.locator(".pt-closer button")
        for number, rows in ((0, 2), (1, 4)):
            buttons.nth(number).click()
            panel.locator(".pt-table tr").nth(rows).wait_for()
            assert panel.locator(".pt-bar").count() >= rows
            case = "(e) => getComputedStyle(e).textTransform"
            assert panel.locator("h4").last.evaluate(case) == "none", "capital µs would be ms"
            beside = panel.locator(".pt-beside").evaluate_all(
                "(all) => all.map((e) => [...e.children].map((one) => one.getBoundingClientRect()))"
                ".every(([bar, text]) => bar.width > 40 && text.left >= bar.right && bar.top > text.top)"
            )
            assert beside, "a bar and its text are one line"
            _look_at(page)
        buttons.nth(2).click()
        panel.locator(".pt-found li").first.wait_for()
        panel.locator("summary").first.click()
        assert panel.locator("details[open] pre").count() == 2, "the page of the trap, with its two programs"
        _look_at(page)
        panel.get_by_role("button").click()
        panel.wait_for(state="hidden")
        assert not page.errors
    page.close()


def _look_at(page):
    for width in WIDTHS:
        with width_of(page.view, width):
            assert not problems_of(page.view) and not contrasts_below(page.view), width


def test_what_cannot_be_looked_at_is_said_in_its_place(alone):
    student = alone("a Block")
    student.press("memory plan")
    panel = student.view.locator(".pt-panel")
    panel.get_by_text("Only a HybridBlock has a program of its own").wait_for()
    assert not student.page.get_by_role("alert").is_visible()


# --- how it stands in a page --------------------------------------------------------------------------------------


def _judged(page, name):
    """Return what is wrong with the view as it is, in every width and theme; perhaps take pictures of it."""
    found = []
    for width in WIDTHS:
        with width_of(page.view, width):
            found += [(width, problem) for problem in problems_of(page.view)]
            for dark in (False, True) if width == 700 or PICTURES else ():
                page.theme(dark)
                found += [(width, dark, problem) for problem in contrasts_below(page.view)]
                if PICTURES:
                    page.picture(Path(PICTURES) / f"{name}-{width}-{'dark' if dark else 'light'}.png")
    return found


@pytest.mark.parametrize(("name", "lang"), by_turns(NETS))
def test_nothing_is_cut_too_pale_or_out_of_reach(browser, name, lang):
    with d2lhybrid.config(lang=lang):
        page = Alone(browser, trace_of(name))
    file = f"print-trace-{name.replace(' ', '-')}-{lang}"
    found = _judged(page, f"{file}-begin")
    next_call = page.view.locator(".pt-where + button")
    while next_call.is_enabled():
        next_call.click()
    if page.view.locator(".pt-options").count():
        found += _judged(page, f"{file}-asked")
        found += unreached_in(page.view)
        page.view.locator(".pt-options button").nth(1).click()
    found += [*_judged(page, f"{file}-end"), *unreached_in(page.view), *unnamed_in(page.view)]
    assert not found and not page.errors
    page.close()


class WithALongName(HybridNet):
    def __init__(self):
        super().__init__()
        setattr(self, "a_name_" * 11, 3)


def test_an_attribute_with_a_long_name_fits_a_narrow_cell(browser):
    net = WithALongName()
    net.initialize()
    page = Alone(browser, print_trace(net, X))
    Student(page.page, page.view).open("Try it")
    for width in WIDTHS:
        with width_of(page.view, width):
            edge = page.view.bounding_box()
            for control in page.view.locator(".pt-try :is(button, select, input)").all():
                box = control.bounding_box()
                assert box["x"] + box["width"] <= edge["x"] + edge["width"], (width, control.inner_text())
    assert not page.errors
    page.close()


@pytest.mark.parametrize("width", WIDTHS)
def test_no_control_moves_when_another_is_used(alone, width):
    student = alone(width=width)
    student.see_all()
    student.open("Try it")
    for name in (
        "call again", "new shape", "hybridize(False)", "call again", "hybridize()", "call again", "change",
        "call again", "previous call", "next call",
    ):  # fmt: skip
        assert not moved_by(student.alone.view, lambda name=name: student.press(name)), name
    # What is looked at closer takes the place of the lines.
    student.open("Look closer")
    for name in ("first difference", "close"):
        assert not moved_by(student.alone.view, lambda name=name: student.press(name), taller=True), name
    for number in (2, 1):
        assert not moved_by(student.alone.view, lambda number=number: student.choose(number))


def test_lanes_are_side_by_side_where_there_is_room_and_consoles_come_first_where_there_is_none(alone):
    student = alone()
    view = student.alone.view
    places = "(all) => all.map((e) => [e.getBoundingClientRect().left, e.getBoundingClientRect().top].map(Math.round))"
    for width, columns in ((1100, 3), (700, 3), (460, 1)):
        with width_of(view, width):
            consoles = view.locator(".pt-console").evaluate_all(places)
            ((_, listing),) = view.locator(".pt-body").evaluate_all(places)
            assert len({x for x, _ in consoles}) == columns
            assert all((y < listing) is (columns == 1) for _, y in consoles)


# --- notebooks and pages ---------------------------------------------------------------------------------------------


def test_chinese(open_notebook):
    cells = [NET, 'import d2lhybrid\nd2lhybrid.config(lang="zh")\nprint_trace(net, nd.ones((1, 3)))']
    student = in_lab(open_notebook(cells))
    assert "逐行运行 hybrid_forward" in student.reason
    student.choose(3)
    student.view.get_by_role("button", name="0", exact=True).click()
    assert "✓ 正确：0。" in student.reason and "什么也没有打印" in student.consoles[2]
    student.press("再调用一次")
    assert student.position == "调用 4 / 4"
    student.notebook.picture("print-trace-chinese", student.view)
    student.notebook.check()


def test_the_saved_notebook_is_small_and_readable(open_notebook):
    student = in_lab(open_notebook(CELLS))
    saved = student.notebook.save()
    assert size_of(saved) < 60_000
    other = open_notebook(untrusted(saved), run=False)
    output = other.view.locator(".jp-OutputArea-output").last
    output.get_by_text("PrintTrace: HybridNet").wait_for()
    text = output.inner_text()
    for part in (
        "array",
        "Symbol",
        "program",
        "■",
        "❄ self.scale is frozen at 2",
        "F is d2lhybrid.symbol",
        "Nothing printed",
    ):
        assert part in text
    shades = "(e) => [...e.querySelectorAll('pre span')].filter((s) => s.style.background).length"
    assert output.evaluate(shades) > 5
    other.picture("print-trace-untrusted")
    other.check()


def test_with_the_state_of_its_widget_a_notebook_is_small_too():
    pytest.importorskip("nbclient", reason="notebooks are run with nbclient")
    notebook = run_without_browser(CELLS, keep_widgets=True)
    assert size_of(notebook) < 60_000


def test_a_page_without_scripts():
    pytest.importorskip("nbconvert", reason="pages are made with nbconvert")
    page = as_static_page(run_without_browser(CELLS))
    for part in ("PrintTrace: HybridNet", "<summary", "decided: always taken", "so no line of hybrid_forward ran"):
        assert part in page
    assert re.search("Nothing printed", page)
