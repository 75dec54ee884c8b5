"""A net that is written in while its pictures are looked at."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

import d2lhybrid as mx
from d2lhybrid.internals.pictures.picture import Picture

from .alone import Alone
from .jupyter import notebook_of, size_of
from .layout import WIDTHS, contrasts_below, moved_by, problems_of, unnamed_in, unreached_in, width_of
from .strange_nets import NETS, X

PICTURES = os.environ.get("D2LHYBRID_SCREENSHOTS")
NET = """\
import d2lhybrid as mx
from d2lhybrid import nd
from d2lhybrid.gluon import nn

class HybridNet(nn.HybridBlock):
    def __init__(self, **kwargs):
        super().__init__(**kwargs)
        self.hidden = nn.Dense(4)
        self.output = nn.Dense(2)

    def hybrid_forward(self, F, x):
        print("x is", type(x).__name__)
        h = F.relu(self.hidden(x))
        return self.output(h)
"""
MAKE = "net = HybridNet()\nnet.initialize()"
SHOW = "mx.live(net, nd.ones((1, 3)))"


class Writer:
    """What a student does with the view, and sees of it."""

    def __init__(self, view):
        self.view = view
        self.text = view.get_by_label("code of your net")
        self.state = view.locator(".lv-state")

    def write(self, old, new):
        text = self.text.input_value()
        assert old in text
        self.text.fill(text.replace(old, new))

    def is_new(self):
        self.view.locator(".lv-state", has_text="up to date").wait_for()

    def is_old(self):
        self.view.locator(".lv-state", has_text="the last code that ran").wait_for()
        self.view.locator(".lv-wrong").wait_for()

    @property
    def about(self):
        return self.view.locator(".lv-about").inner_text()

    @property
    def consoles(self):
        return [" ".join(text.split("\n")) for text in self.view.locator(".pt-console").all_inner_texts()]


def live_of(net):
    """Return the picture of a net, or of the one with a name."""
    made = NETS[net]() if isinstance(net, str) else net
    made.initialize()
    return mx.live(made, X, seconds=60)


@pytest.fixture
def alone(browser):
    opened = []

    def open_(shown, **options):
        opened.append(Alone(browser, shown if isinstance(shown, Picture) else live_of(shown), **options))
        return opened[-1]

    yield open_
    for page in opened:
        assert not page.errors
        page.close()


def test_what_is_written_is_seen_in_calls_graph_and_findings(alone):
    page = alone("the lesson's")
    writer = Writer(page.view)
    assert [text[:1] for text in writer.consoles] == ["2", "2", "0"]
    writer.write('        print("F is", F.__name__)\n', "")
    writer.is_new()
    page.view.locator(".pt-console", has_text="1 line printed").first.wait_for()
    assert [text[:1] for text in writer.consoles] == ["1", "1", "0"]
    writer.write("F.relu(self.hidden(x))", "F.sigmoid(F.relu(self.hidden(x)))")
    writer.is_new()
    page.view.get_by_role("tab", name="graph and program").click()
    assert page.view.locator("[data-id]", has_text="sigmoid").first.is_visible()
    assert "sigmoid" in page.view.locator(".gv-texts").inner_text()
    writer.write("F.sigmoid", "F.tanh")
    writer.is_new()
    page.view.locator("[data-id]", has_text="tanh").first.wait_for()
    page.view.get_by_role("tab", name="findings").click()
    assert "self.scale is frozen at 2" in page.view.locator(".lv-findings").inner_text()
    page.view.locator(".lv-at").first.click()
    chosen = "(e) => e.value.slice(e.selectionStart, e.selectionEnd).trim()"
    assert writer.text.evaluate(chosen) == page.view.locator(".lv-findings li > code").first.inner_text()


def test_a_wrong_text_is_explained_and_put_right(alone):
    page = alone("the lesson's", width=1100)
    writer = Writer(page.view)
    before = writer.consoles
    writer.write("self.output(h)", "self.output(h).T")
    writer.is_old()
    assert "'T'" in writer.about and "It works eagerly." in writer.about
    bad = page.view.locator(".lv-bad")
    assert bad.inner_text().startswith("→") and "self.output(h).T" in bad.locator(".lv-letters").text_content()
    at, beside = bad.bounding_box(), page.view.locator(".lv-about").bounding_box()
    assert at["y"] + at["height"] <= beside["y"] < at["y"] + 500, "it stands below the text, and both are in sight"
    assert writer.consoles == before
    page.view.get_by_role("button", name="fix the line").click()
    writer.is_new()
    assert "return F.transpose(self.output(h))" in writer.text.input_value()
    page.view.get_by_role("button", name="reset code").click()
    page.view.locator(".lv-state", has_text="up to date").wait_for()
    page.page.wait_for_function("!document.querySelector('textarea').value.includes('transpose')")


def test_keys_of_an_editor(alone):
    page = alone("without a print")
    writer = Writer(page.view)
    writer.text.press("Control+Home")
    writer.text.press("End")
    page.page.keyboard.press("Enter")
    page.page.keyboard.type("factor = 2")
    page.page.keyboard.press("Enter")
    page.page.keyboard.type("limit = 3")
    assert writer.text.input_value().split("\n")[1:3] == ["    factor = 2", "    limit = 3"]
    writer.text.press("Control+Enter")
    writer.is_new()
    page.page.keyboard.press("Tab")
    assert page.page.evaluate("document.activeElement.tagName") == "BUTTON"
    writer.text.focus()
    page.page.keyboard.press("Escape")
    assert page.page.evaluate("document.activeElement.getAttribute('role')") == "group", (
        "the keys are JupyterLab's again"
    )
    tab = page.view.get_by_role("tab", name="calls")
    tab.focus()
    tab.press("ArrowRight")
    assert page.view.get_by_role("tab", name="graph and program").get_attribute("aria-selected") == "true"


def test_the_text_that_is_kept_becomes_the_nets(alone):
    net = NETS["without a print"]()
    page = alone(net)
    writer = Writer(page.view)
    keep = page.view.get_by_role("button", name="apply to my net")
    assert keep.is_disabled()
    writer.write("x * 2", "x * 5")
    writer.is_new()
    assert net(X).asnumpy().max() == 4
    keep.click()
    page.view.locator(".lv-about", has_text="This is your net now").wait_for()
    assert net(X).asnumpy().max() == 10 and keep.is_disabled()


def test_the_letters_of_the_field_lie_over_those_that_are_marked(alone):
    page = alone("long lines")
    for width in WIDTHS:
        with width_of(page.view, width):
            field, lines = (page.view.locator(one).bounding_box() for one in ("textarea", ".lv-lines"))
            inner = page.view.locator("textarea").evaluate("(e) => [e.scrollHeight, e.clientHeight]")
            assert abs(field["height"] - lines["height"]) <= 1 and inner[0] <= inner[1] + 1


TEXTS = {
    "as it is": ("", ""),
    "no program": ("return", "return ("),
    "fails when traced": ("return ", "x.asnumpy()\n        return "),
}


#: The lesson's net with each text in both languages, and other nets by turns; Chinese is on a dark page.
CASES = [("the lesson's", text, lang) for text in TEXTS for lang in ("en", "zh")] + [
    ("long lines", "as it is", "zh"),
    ("a Block", "no program", "en"),
    ("layers alone", "as it is", "zh"),
]


@pytest.mark.parametrize(("name", "text", "lang"), CASES)
def test_nothing_is_cut_moves_or_is_out_of_reach(alone, name, text, lang):
    old, new = TEXTS[text]
    with mx.config(lang=lang):
        live = live_of(name)
        if old:
            live.rewrite(live.text.replace(old, new))
        page = alone(live, dark=lang == "zh")
    view = page.view
    for width in WIDTHS:
        with width_of(view, width):
            for tab in range(3):
                view.get_by_role("tab").nth(tab).click()
                page.page.wait_for_timeout(60)
                assert not problems_of(view) and not contrasts_below(view), (width, tab)
                if PICTURES:
                    page.picture(Path(PICTURES) / f"live {name} {text} {lang} {width} {tab}.png")
    view.get_by_role("tab").first.click()
    assert not unnamed_in(view) and not unreached_in(view)
    if live.where is not None and not live.problem:
        assert not moved_by(view, lambda: view.locator("[data-key=c2]").click())


def test_without_a_kernel_the_last_state_is_shown(browser):
    page = Alone(browser, live_of("the lesson's"), kernel=False)
    writer = Writer(page.view)
    assert page.view.locator(".d2l-alone").is_visible()
    writer.write("F.relu", "F.tanh")
    page.view.locator(".lv-state", has_text="no kernel").wait_for()
    assert len(writer.consoles) == 3
    page.view.get_by_role("tab", name="graph and program").click()
    assert page.view.locator("[data-id]", has_text="relu").first.is_visible()
    assert not problems_of(page.view) and not page.errors
    page.close()


def test_as_a_page_of_its_own(browser, tmp_path):
    file = live_of("the lesson's").save(tmp_path / "page.html")
    page = browser.new_page()
    page.goto(f"file://{file}")
    view = page.get_by_role("group", name="Your net, live")
    view.get_by_role("tab", name="findings").click()
    assert (
        view.locator(".lv-findings li").count() == 6
        and not view.get_by_role("button", name="apply to my net").is_visible()
    )
    page.close()


def test_in_a_notebook_cells_are_followed_and_it_is_small(open_notebook):
    cells = [NET, MAKE, SHOW]
    notebook = open_notebook(cells)
    writer = Writer(notebook.view)
    writer.write("F.relu", "F.tanh")
    writer.is_new()
    writer.write("F.tanh(", "F.tanh((")
    writer.is_old()
    writer.write("F.tanh((", "F.tanh(")
    writer.is_new()
    assert size_of(notebook.save()) - size_of(notebook_of(cells)) < 60_000
    notebook.check()
