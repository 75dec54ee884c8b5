"""The stepper in JupyterLab: what each control does, and what a student sees."""

from __future__ import annotations

import contextlib
import functools
import io

import pytest

import d2lhybrid as mx
from d2lhybrid import nd
from d2lhybrid.gluon import nn

from .alone import Alone
from .jupyter import as_static_page, notebook_of, run_without_browser, size_of, untrusted
from .layout import WIDTHS, contrasts_below, moved_by, problems_of, unnamed_in, unreached_in, width_of
from .shots import shot
from .work import work_of

NET = """
import d2lhybrid as mx
from d2lhybrid import nd
from d2lhybrid.gluon import nn

class HybridNet(nn.HybridBlock):
    def __init__(self, **kwargs):
        super().__init__(**kwargs)
        self.hidden = nn.Dense(10)
        self.output = nn.Dense(2)

    def hybrid_forward(self, F, x):
        print('F: ', F)
        print('x: ', x)
        x = F.relu(self.hidden(x))
        unused = F.tanh(x)
        print('hidden: ', x)
        return self.output(x) * 1

mx.random.seed(1)
net = HybridNet()
net.initialize()
x = nd.random.normal(shape=(2, 4))
"""
LESSON = """
from d2lhybrid import nd
from d2lhybrid.gluon import nn
import d2lhybrid as mx

def get_net():
    net = nn.HybridSequential()
    net.add(nn.Dense(256, activation='relu'), nn.Dense(128, activation='relu'), nn.Dense(2))
    net.initialize()
    return net

net = get_net()
x = nd.random.normal(shape=(1, 512))
"""
RECORDED = [NET, "mx.compile_steps(net, x, record=True)"]
CHAPTERS = ["Trace", "Infer", "differentiate", "simplify", "split", "Code", "Memory", "Run"]
CHAPTERS += ["Code ∂", "Memory ∂", "Run ∂", "Before and after"]


class HybridNet(nn.HybridBlock):
    def __init__(self, **kwargs):
        super().__init__(**kwargs)
        with self.name_scope():
            self.hidden = nn.Dense(10)
            self.output = nn.Dense(2)

    def hybrid_forward(self, F, x):
        print("x: ", x)
        x = F.relu(self.hidden(x))
        unused = F.tanh(x)
        print("hidden: ", unused)
        return self.output(x) * 1


class Branches(nn.HybridBlock):
    def __init__(self, **kwargs):
        super().__init__(**kwargs)
        self.left, self.right = nn.Dense(8, activation="relu"), nn.Dense(8, activation="tanh")

    def hybrid_forward(self, F, x):
        a, b = self.left(x), self.right(x)
        return F.concat(a, b, a + b, dim=1), F.softmax(a)


class Loop(nn.HybridBlock):
    def hybrid_forward(self, F, x):
        out, states = F.contrib.foreach(lambda data, state: (F.tanh(data + state), data + state), x, F.zeros((3,)))
        return out, states


def sequence(prefix, *layers):
    net = nn.HybridSequential(prefix=prefix)
    with net.name_scope():
        net.add(*(make() for make in layers))
    return net


def made(name):
    """Return the steps of a net."""
    net, shape = {
        "lesson": (sequence("net_", *(lambda n=n: nn.Dense(n, activation="relu") for n in (256, 128)),
                            lambda: nn.Dense(2)), (1, 512)),
        "recorded": (HybridNet(prefix="net_"), (2, 4)),
        "one operator": (nn.HybridLambda("relu"), (2, 3)),
        "branches": (Branches(), (4, 6)),
        "loop": (Loop(), (5, 3)),
        "long names": (sequence("a_net_with_a_name_of_very_many_letters_",
                                lambda: nn.Dense(8, prefix="the_first_of_the_hidden_layers_of_this_net_")), (2, 8)),
        "many layers": (sequence("deep_", *[lambda: nn.Dense(4, activation="relu")] * 300), (2, 4)),
    }[name]  # fmt: skip
    net.initialize()
    with contextlib.redirect_stdout(io.StringIO()):
        return mx.compile_steps(net, nd.ones(shape), record=name == "recorded")


@functools.cache
def unchanged(name):
    """Return the steps of a net for pages without a kernel, which cannot change them."""
    return made(name)


NAMES = ("lesson", "recorded", "one operator", "branches", "loop", "long names", "many layers")


class Stepper:
    """What a student does with the view."""

    def __init__(self, view):
        self.page = view.page
        self.view = view.locator("section.cs")
        self.view.wait_for()

    def press(self, name):
        self.view.get_by_role("button", name=name, exact=True).click()

    def text(self):
        return self.view.locator(".text").inner_text()

    def count(self):
        return self.view.locator("output").inner_text()

    def lit(self, panel):
        return [t.split(maxsplit=1)[-1] for t in self.view.locator(f".{panel} .lit").all_inner_texts()]

    def titles(self, canvas=".Graph"):
        return self.view.locator(f"{canvas} .cv-n:not(.not) .cv-t").all_text_contents()


@pytest.fixture
def alone(browser):
    """Return what opens steps on a page of their own."""
    opened = []

    def open_(name, **options):
        page = Alone(browser, made(name) if options.get("kernel", True) else unchanged(name), **options)
        opened.append(page)
        return Stepper(page.view), page

    yield open_
    for page in opened:
        assert not page.errors
        page.close()


# --- how it looks -----------------------------------------------------------------------------------


@pytest.mark.parametrize(("name", "language"), [*((n, "en") for n in NAMES), ("lesson", "zh"), ("branches", "zh")])
def test_nothing_is_cut_covered_small_or_pale(alone, pictures, name, language):
    with mx.config(lang=language):
        stepper, page = alone(name)
    chapters = stepper.view.locator("nav button").all()
    shown = chapters if name in ("lesson", "recorded") else [chapters[0], chapters[-2], chapters[-1]]
    for width in WIDTHS:
        with width_of(page.view, width):
            for i, chapter in enumerate(shown):
                chapter.click()
                for dark in (False, True) if i in (0, len(shown) - 1) else (False,):
                    page.theme(dark)
                    # Layout does not depend on the theme, nor colours on the width: one net shows that, at all of them.
                    assert (dark and name != "lesson") or problems_of(page.view) == [], (width, i)
                    assert (width != WIDTHS[0] and name != "lesson") or contrasts_below(page.view) == [], (width, i)
                    look = f"{language}-{width}-{i}-{'dark' if dark else 'light'}"
                    page.picture(pictures / f"stepper-{name}-{look}.png")


@pytest.mark.parametrize("width", WIDTHS)
def test_no_control_moves_from_step_to_step(alone, width):
    stepper, page = alone("recorded", width=width)
    for _ in CHAPTERS:
        # Beside a program, the code of the net has less room.
        assert moved_by(page.view, lambda: stepper.press("step forward"), resized="<div body>") == []


def test_the_tab_key_reaches_every_control_and_each_has_a_name(alone):
    _, page = alone("recorded")
    assert unnamed_in(page.view) == []
    assert unreached_in(page.view) == []


# --- what a student sees ----------------------------------------------------------------------------


def test_it_opens_with_the_students_lines_and_the_graph_that_they_made(alone):
    stepper, _ = alone("lesson")
    assert stepper.text().startswith("Your code runs once")
    assert stepper.titles() == ["FullyConnected (weight, bias)", "Activation"] * 2 + ["FullyConnected (weight, bias)"]
    assert any("nn.Dense(n, activation" in line for line in stepper.lit("Source"))
    assert "operators(F)" not in stepper.view.locator(".Source").text_content()
    stepper.press("lines of the library")
    assert "operators(F)" in stepper.view.locator(".Source").text_content()


def test_a_recorded_net_has_a_dozen_milestones(alone):
    stepper, _ = alone("recorded", kernel=False)
    assert stepper.view.locator("nav button").all_inner_texts() == CHAPTERS
    for name in CHAPTERS:
        stepper.press(name)
        assert stepper.view.locator("nav [aria-current=true]").inner_text() == name


def test_details_come_on_demand_and_lie_between_the_milestones(alone):
    stepper, _ = alone("recorded", kernel=False)
    assert stepper.count() == "stage 1 of 12"
    stepper.press("details")
    assert stepper.text().startswith("The net is called for the first time") and stepper.titles() == []
    seen, last = [], int(stepper.count().split()[-1])
    for _ in range(last - 1):
        stepper.press("step forward")
        printed = stepper.view.locator(".printed").first.text_content()
        seen.append((stepper.lit("Source")[-1:], len(stepper.titles()), printed))
    assert (['print("x: ", x)'], 0, "x:  <Symbol data>\n") in seen
    assert [count for _, count, _ in seen] == sorted(count for _, count, _ in seen) and seen[-1][1] == 5
    assert any(lines == ["unused = F.tanh(x)"] for lines, _, _ in seen)
    stepper.press("step forward")
    assert stepper.view.locator("nav [aria-current=true]").inner_text() == "Infer"
    stepper.press("step back")
    assert stepper.count() == f"step {last} of {last}"
    stepper.press("details")
    assert stepper.count() == "stage 1 of 12" and stepper.text().startswith("Your code runs once")


def test_program_graph_and_memory_light_up_together(alone):
    stepper, _ = alone("recorded", kernel=False)
    stepper.press("Run")
    stepper.press("details")
    for _ in range(2):
        stepper.press("step forward")
    assert "relu0 is computed: float32[2,10], written over" in stepper.text()
    assert "relu0 = maximum(" in stepper.lit("Program")[0]
    assert stepper.view.locator(".cv-n.focus .cv-t").all_text_contents() == ["relu"]
    assert stepper.view.locator(".bar.active").get_attribute("title").endswith("relu0: 80 bytes")
    assert "smallest 0" in stepper.view.locator(".Program .foot").inner_text()


def test_what_belongs_together_is_lit_by_the_pointer_and_by_the_keyboard(alone):
    stepper, page = alone("recorded", width=1200, kernel=False)
    view, thread = stepper.view, stepper.view.locator(".stage > p")
    titles = lambda: view.locator(".Graph .cv-n.link .cv-t").all_text_contents()  # noqa: E731
    told = thread.inner_text()
    view.locator(".Source .line", has_text="self.output(x) * 1").hover()
    assert titles() == ["FullyConnected (weight, bias)", "× 1"]
    line = view.locator(".Source .line", has_text="self.output(x) * 1").locator("i").inner_text()
    for part in (f", {line} ↔", "↔ Program ", " µs, ", " bytes) ↔ Program ∂ ", "× 1 → 2×2"):
        assert part in thread.inner_text()
    view.locator(".text").hover()
    assert not titles() and thread.inner_text() == told
    stepper.press("Run")
    made = view.locator(".Program .line", has_text="maximum(")
    made.hover()
    lit = lambda panel: view.locator(f".{panel} .line.link code").all_text_contents()  # noqa: E731
    assert titles() == ["relu"] and view.locator(".bar.link").count() == 1
    assert lit("Source") == ["x = F.relu(self.hidden(x))"], "on a wide screen both programs are seen"
    view.locator(".bar").first.hover()
    assert len(titles()) == 1 and view.locator(".bar.link").count() == 1
    view.locator(".Program .body").focus()
    for _ in range(2):
        page.page.keyboard.press("ArrowDown")
    assert "dense0_fwd" in lit("Program")[0] and titles() == ["FullyConnected (weight, bias)"]
    view.locator(".Graph .cv").focus()
    page.page.keyboard.press("Enter")
    page.page.keyboard.press("ArrowDown")
    assert lit("Program") and lit("Source"), "boxes light lines by the keyboard, too"


def test_what_was_clicked_stays_lit_at_all_stages_until_escape(alone):
    stepper, page = alone("recorded", kernel=False)
    view = stepper.view
    titles = lambda: view.locator(".Graph .cv-n.link .cv-t").all_text_contents()  # noqa: E731
    view.locator(".Source .line", has_text="self.output(x) * 1").click()
    view.locator(".text").hover()
    assert titles() == ["FullyConnected (weight, bias)", "× 1"] and stepper.count() == "stage 1 of 12", (
        "a click only pins"
    )
    stepper.press("Code")
    view.locator(".text").hover()
    assert "FullyConnected (weight, bias)" in titles()
    box, around = view.locator(".Graph .cv-n.link").first.bounding_box(), view.locator(".Graph .cv").bounding_box()
    assert around["y"] <= box["y"] and box["y"] + box["height"] <= around["y"] + around["height"] + 1, "it is in sight"
    assert any("dense1_fwd = dot" in line for line in view.locator(".Program .line.link code").all_text_contents())
    view.locator(".Program .body").focus()
    page.page.keyboard.press("Escape")
    view.locator(".text").hover()
    assert not titles()


def test_a_double_click_on_a_node_or_a_line_shows_its_details(alone):
    stepper, _ = alone("recorded", kernel=False)
    view = stepper.view
    view.locator(".Source .line", has_text="F.tanh").dblclick()
    assert stepper.text().startswith("tanh of net_relu0")
    stepper.press("Infer")
    view.locator(".Graph .cv-n", has_text="net_dense1_fwd").dblclick()
    assert "net_dense1_fwd: 2×2" in stepper.text()
    stepper.press("Code")
    view.locator(".Program .line", has_text="dense1_fwd = dot").dblclick()
    assert stepper.lit("Program")[0].startswith("dense1_fwd = dot")
    stepper.press("Memory")
    view.locator(".bar").first.dblclick()
    assert view.locator(".bar.active").count() == 1


def test_the_last_frame_shows_before_and_after_and_what_was_saved(alone):
    stepper, page = alone("recorded", kernel=False)
    page.page.keyboard.press("Tab")
    stepper.view.focus()
    page.page.keyboard.press("End")
    assert "× 1" in stepper.titles(".Old") and "× 1" not in stepper.titles(".New")
    table = stepper.view.get_by_role("table", name="What was saved").inner_text()
    names, before, after = (row.split("\t") for row in table.split("\n"))
    printed = names.index("printed lines")
    assert (before[printed], after[printed]) == ("2", "0") and "memory for intermediate values" in names


# --- a net that fails -------------------------------------------------------------------------------


class Halves(nn.HybridBlock):
    def hybrid_forward(self, F, x):
        y = F.relu(x)
        half = y // 2
        return half + 1


class Row(nn.HybridBlock):
    def hybrid_forward(self, F, x):
        y = F.relu(x)
        return y + F.ones((1, 3))


@pytest.mark.parametrize("lang", ["en", "zh"])
@pytest.mark.parametrize(("net", "came", "line"), [(Halves, 2, "half = y // 2"), (Row, 3, "return y + F.ones((1, 3))")])
def test_a_net_that_fails_opens_on_its_line_with_the_error_in_place(browser, net, came, line, lang):
    with mx.config(lang=lang):
        page = Alone(browser, mx.compile_steps(net(), nd.ones((2, 3))))
    stepper = Stepper(page.view)
    view = stepper.view
    assert view.locator("nav button").count() == came
    assert view.locator("nav [aria-current=true]").inner_text() == {"en": "Fails", "zh": "出错"}[lang]
    for width in WIDTHS:
        with width_of(page.view, width):
            bad, wrong = view.locator(".line.bad"), view.locator(".wrong")
            assert bad.inner_text().strip().endswith(line) and wrong.is_visible()
            under = wrong.bounding_box()["y"] - (bad.bounding_box()["y"] + bad.bounding_box()["height"])
            assert abs(under) < 2, "the error stands below its line"
            assert not problems_of(page.view) and not contrasts_below(page.view)
    assert not unnamed_in(page.view) and not unreached_in(page.view)
    assert "F.floor(y / 2)" in wrong.inner_text() or "F.broadcast_add(y, F.ones((1, 3)))" in wrong.inner_text()
    assert "relu" in stepper.titles()
    assert view.locator(".Graph .marked .cv-t").all_text_contents() == ([] if net is Halves else ["+"])
    view.locator("nav button").first.click()
    assert not view.locator(".wrong").count() and "relu" in stepper.titles()
    view.locator("nav button").last.click()
    assert view.locator(".wrong").count() == 1 and not page.errors
    page.close()


# --- motion -----------------------------------------------------------------------------------------


def test_what_a_pass_changes_is_marked_and_then_moves(alone):
    stepper, page = alone("recorded", kernel=False, still=False)
    stepper.press("simplify")
    stepper.view.locator(".cv-n.marked.dashed", has_text="× 1").first.wait_for()
    page.page.wait_for_function("() => !document.querySelector('.Graph').textContent.includes('× 1')")
    stepper.press("step back")
    page.page.wait_for_function("() => document.querySelector('.Graph').textContent.includes('× 1')")


def test_whoever_wants_no_motion_sees_the_end_at_once(alone):
    stepper, _ = alone("recorded", kernel=False, still=True)
    stepper.press("simplify")
    assert "× 1" not in stepper.titles()


def test_it_plays_pauses_and_stops_at_the_end(alone):
    stepper, page = alone("recorded", kernel=False)
    view = stepper.view
    stepper.press("play")
    view.locator("output", has_text="2 of").wait_for()
    stepper.press("pause")
    stopped = stepper.count()
    page.page.wait_for_timeout(1500)
    assert stepper.count() == stopped
    stepper.press("Run ∂")
    stepper.press("play")
    view.get_by_role("button", name="play", exact=True).wait_for()  # it stopped by itself
    assert stepper.count() == "stage 12 of 12"


def test_the_graph_is_dragged_and_zoomed(alone):
    stepper, page = alone("recorded", kernel=False)
    world = lambda: stepper.view.locator(".Graph .cv > svg > g").first.get_attribute("transform")  # noqa: E731
    before, place = world(), stepper.view.locator(".Graph .cv").bounding_box()
    page.page.mouse.move(place["x"] + 20, place["y"] + 20)
    page.page.mouse.down()
    page.page.mouse.move(place["x"] + 80, place["y"] + 60, steps=4)
    page.page.mouse.up()
    assert world() != before
    before = world()
    page.page.keyboard.press("Tab")
    stepper.view.locator(".Graph .cv").focus()
    page.page.keyboard.press("+")
    assert world() != before


@pytest.mark.parametrize("name", ["recorded", "many layers"])
def test_a_step_lays_the_page_out_a_few_times(alone, name):
    stepper, page = alone(name, kernel=False)
    found = []
    for details in (False, True):
        if details:
            stepper.press("details")
            page.page.keyboard.press("Home")
        for _ in range(15):
            with work_of(page.page, settle=20) as work:
                stepper.view.get_by_label("step forward").evaluate("(button) => button.click()")
            found.append((work.seconds, work.layouts, stepper.count()))
    print(f"most work for a step: {max(found)[0] * 1000:.0f} ms, {max(found, key=lambda one: one[1])[1]} layouts")
    assert max(layouts for _, layouts, _ in found) <= 6, found


def test_the_keyboard_steps(alone):
    stepper, page = alone("recorded", kernel=False)
    keys = page.page.keyboard
    stepper.view.focus()
    keys.press("ArrowRight")
    keys.press("ArrowRight")
    assert stepper.count() == "stage 3 of 12"
    keys.press("ArrowLeft")
    assert stepper.count() == "stage 2 of 12"
    keys.press("End")
    assert stepper.count() == "stage 12 of 12"
    keys.press("Home")
    assert stepper.count() == "stage 1 of 12"
    stepper.view.get_by_label("position").focus()
    keys.press("ArrowRight")
    assert stepper.count() == "stage 2 of 12"


# --- in JupyterLab ----------------------------------------------------------------------------------


def test_gradients_can_be_asked_for_later(open_notebook):
    notebook = open_notebook([NET, "mx.CompileStepper(net, x)"])
    stepper = Stepper(notebook.view)
    assert stepper.view.locator("nav button", has_text="Run").count() == 1
    stepper.press("Code")
    line = stepper.view.locator(".Source .line", has_text="F.relu(")
    line.click()
    button = stepper.view.get_by_role("button", name="with gradients")
    assert button.get_attribute("aria-pressed") == "false"
    stepper.press("with gradients")
    stepper.view.locator("nav button", has_text="Run ∂").wait_for()
    assert button.get_attribute("aria-pressed") == "true"
    assert stepper.view.locator("nav [aria-current=true]").inner_text() == "Code", "the same stage as before"
    stepper.view.locator(".text").hover()
    assert "link" in line.get_attribute("class"), "the line that was clicked"
    stepper.press("Code ∂")
    stepper.view.locator(".text").hover()
    assert "backward" in stepper.view.locator(".Program .line.link").first.inner_text(), "and its lines of the gradient"
    assert "computes the gradients" in stepper.view.locator(".text").inner_text()
    assert stepper.view.get_by_role("heading", name="Program ∂").is_visible()
    stepper.press("Run ∂")
    assert "dense1_fwd_backward" in stepper.view.locator(".Program").inner_text()
    notebook.picture("stepper-lab", stepper.view)
    notebook.check()


# --- without scripts --------------------------------------------------------------------------------


SAVED = {
    "lesson": [LESSON, "mx.compile_steps(net, x)"],
    "recorded": RECORDED,
}


@pytest.mark.parametrize("cells", SAVED.values(), ids=SAVED)
def test_a_saved_notebook_is_small(open_notebook, cells):
    notebook = open_notebook(cells)
    Stepper(notebook.view)
    saved = size_of(notebook.save())
    bare = size_of(notebook_of(cells))
    print(f"{saved - bare} bytes")
    assert saved - bare < 60_000
    notebook.check()


def test_the_page_of_nbconvert_has_every_chapter(lab):
    page = as_static_page(run_without_browser(RECORDED))
    tab = lab.page.context.browser.new_page()
    try:
        tab.set_content(page)
        tab.locator("details").first.wait_for()
        assert tab.locator("details").count() == 13
        for summary in tab.locator("summary").all()[1:]:
            summary.click()
        broken = "[...document.images].filter((i) => !i.complete || !i.naturalWidth).length"
        assert tab.evaluate(broken) == 0 and tab.locator("details img").count() >= 4
        shot(tab, lab.pictures / "stepper-static.png", full_page=True)
    finally:
        tab.close()


def test_somebody_elses_notebook_shows_the_chapters(open_notebook):
    other = open_notebook(untrusted(run_without_browser(RECORDED)), run=False)
    details = other.view.locator("details")
    details.first.wait_for()
    assert details.count() == 13
    assert other.view.locator("details[open] img").count() == 1
    other.check()
