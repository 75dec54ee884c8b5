"""The stepper in JupyterLab: what each control does, and what a student sees."""

from __future__ import annotations

import pytest

from .jupyter import as_static_page, notebook_of, run_without_browser, size_of, untrusted

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
TEXT = """
import d2lhybrid as mx

def add_str():
    return '''
def add(a, b):
    return a + b
'''

def fancy_func_str():
    return '''
def fancy_func(a, b, c, d):
    e = add(a, b)
    f = add(c, d)
    g = add(e, f)
    return g
'''

def evoke_str():
    return add_str() + fancy_func_str() + '''
print(fancy_func(1, 2, 3, 4))
'''
"""
RECORDED = [NET, "mx.compile_steps(net, x, record=True)"]
SCRUB = """(at) => {
    const slider = document.querySelector('section.cs input[type=range]');
    slider.value = at;
    slider.dispatchEvent(new Event('input'));
}"""


class Stepper:
    """What a student does with the view."""

    def __init__(self, notebook):
        self.notebook, self.page = notebook, notebook.page
        self.view = notebook.view.locator("section.cs")
        self.view.wait_for()

    def text(self):
        return self.view.locator(".text").inner_text()

    def chapter(self, name, number=0):
        self.view.locator("nav button", has_text=name).nth(number).click()

    def count(self):
        return self.view.locator("output").inner_text()

    def at(self, number):
        self.page.evaluate(SCRUB, number)

    def lit(self, panel):
        return [t.split(maxsplit=1)[-1] for t in self.view.locator(f".{panel} .lit").all_inner_texts()]

    def picture(self, name):
        self.notebook.picture(name, self.view)


@pytest.fixture
def stepper(open_notebook):
    return Stepper(open_notebook(RECORDED))


def test_source_graph_program_and_buffer_light_up_together(stepper):
    stepper.chapter("Run")
    for _ in range(2):
        stepper.view.get_by_label("step forward").click()
    assert "relu0 is computed: float32[2,10], written over dense0_fwd" in stepper.text()
    assert stepper.lit("Source") == ["x = F.relu(self.hidden(x))"]
    assert "relu0 = maximum(dense0_fwd" in stepper.lit("Program")[0]
    assert stepper.view.locator(".node.focus .op").all_text_contents() == ["relu"]
    assert stepper.view.locator(".bar.active").get_attribute("title").endswith("relu0: 80 bytes")
    assert "smallest 0" in stepper.view.locator(".Program .foot").inner_text()
    assert "took" in stepper.view.locator(".Program .foot").inner_text()
    stepper.picture("stepper-run")
    stepper.notebook.check()


def test_the_trace_grows_line_by_line_and_shows_what_is_printed(stepper):
    assert stepper.text().startswith("The net is called for the first time")
    seen = []
    for _ in range(10):
        stepper.view.get_by_label("step forward").click()
        seen.append((stepper.lit("Source"), stepper.view.locator(".node:not(.not)").count(),
                     stepper.view.locator(".printed").inner_text()))  # fmt: skip
    assert (["print('x: ', x)"], 1, "x:  <Symbol data>\n") in seen
    assert [count for _, count, _ in seen][-1] == 6
    dead = [lines for lines, _, _ in seen if lines == ["unused = F.tanh(x)"]]
    assert dead
    stepper.picture("stepper-trace")
    stepper.notebook.check()


def test_every_control_does_what_it_says(stepper):
    view, page = stepper.view, stepper.page
    assert stepper.count().startswith("1 / ")
    view.get_by_label("step forward").click()
    assert stepper.count().startswith("2 / ")
    view.get_by_label("step back").click()
    assert stepper.count().startswith("1 / ")
    view.locator("section.cs").first.or_(view).focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    assert stepper.count().startswith("3 / ")
    page.keyboard.press("ArrowLeft")
    assert stepper.count().startswith("2 / ")
    page.keyboard.press("End")
    last = stepper.count()
    assert last.split(" / ")[0] == last.split(" / ")[1]
    page.keyboard.press("Home")
    assert stepper.count().startswith("1 / ")
    stepper.at(20)
    assert stepper.count().startswith("21 / ")
    view.get_by_label("position").focus()
    page.keyboard.press("ArrowRight")
    assert stepper.count().startswith("22 / ")
    for name in ("Infer", "differentiate", "simplify", "split", "Memory", "Code", "Run"):
        stepper.chapter(name)
        assert view.locator("nav [aria-current=true]").inner_text() == name
    view.get_by_role("button", name="backward").click()
    assert "Run" in view.locator("nav [aria-current=true]").inner_text()
    assert "backward" in view.locator(".Program").inner_text()
    view.get_by_role("button", name="forward", exact=True).click()
    assert view.locator("nav [aria-current=true]").inner_text() == "Run"
    stepper.notebook.check()


def test_it_plays_pauses_and_stops_at_the_end(stepper):
    view = stepper.view
    view.get_by_label("speed").select_option("4")
    view.get_by_label("play").click()
    view.locator("output", has_text="4 / ").wait_for()
    view.get_by_label("pause").click()
    stopped = stepper.count()
    stepper.page.wait_for_timeout(700)
    assert stepper.count() == stopped
    total = int(stopped.split(" / ")[1])
    stepper.at(total - 2)
    view.get_by_label("play").click()
    view.get_by_label("play").wait_for(timeout=5000)  # it stopped by itself
    assert stepper.count() == f"{total} / {total}"
    stepper.notebook.check()


def test_a_click_on_a_line_or_a_node_goes_to_its_step(stepper):
    view = stepper.view
    view.locator(".Source .line", has_text="F.tanh").click()
    assert stepper.text().startswith("tanh of hybridnet0_relu0")
    stepper.chapter("Infer")
    view.locator(".node", has_text="dense1_fwd").click()
    assert "dense1_fwd: 2×2" in stepper.text()
    stepper.chapter("Code")
    view.locator(".Program .line", has_text="dense1_fwd = dot").click()
    assert stepper.lit("Program")[0].startswith("dense1_fwd = dot")
    stepper.chapter("Memory")
    view.locator(".bar").first.click()
    assert view.locator(".bar.active").count() == 1
    stepper.notebook.check()


def test_a_step_takes_less_than_a_tenth_of_a_second(stepper):
    slowest = stepper.page.evaluate("""() => {
        const next = document.querySelector('section.cs .controls button:nth-of-type(3)');
        let slowest = 0;
        for (let i = 0; i < 100; i++) {
            const start = performance.now();
            next.click();
            document.querySelector('section.cs').getBoundingClientRect();
            slowest = Math.max(slowest, performance.now() - start);
        }
        return slowest;
    }""")
    print(f"slowest step: {slowest:.1f} ms")
    assert slowest < 100


def test_gradients_can_be_asked_for_later(open_notebook):
    stepper = Stepper(open_notebook([NET, "mx.CompileStepper(net, x)"]))
    assert stepper.view.locator("nav button", has_text="Run").count() == 1
    stepper.view.get_by_role("button", name="backward").click()
    stepper.view.locator("nav button", has_text="Run").nth(1).wait_for()
    stepper.chapter("Run", 1)
    assert "dense1_fwd_backward" in stepper.view.locator(".Program").inner_text()
    stepper.notebook.check()


def test_passes_mark_what_they_change(stepper):
    stepper.chapter("differentiate")
    stepper.view.get_by_label("step forward").click()
    assert stepper.text().startswith("The gradient of dense1_fwd (FullyConnected) is added")
    stepper.picture("stepper-differentiate")
    stepper.chapter("simplify")
    assert stepper.view.locator(".node.marked.dashed").count() == 1
    stepper.picture("stepper-simplify")
    stepper.chapter("split")
    stepper.picture("stepper-split")
    stepper.chapter("Memory", 1)
    stepper.view.get_by_label("step forward").click()
    stepper.picture("stepper-memory")
    stepper.notebook.check()


def test_the_lessons_program_text(open_notebook):
    stepper = Stepper(open_notebook([TEXT, "mx.text_steps(evoke_str())"]))
    chapters = stepper.view.locator("nav button").all_inner_texts()
    assert chapters == ["Define", "Compile", "Inline", "Fold", "Execute"]
    stepper.chapter("Fold")
    assert "print((1 + 2) + (3 + 4))" in stepper.view.locator(".Program").inner_text()
    stepper.picture("stepper-text-fold")
    stepper.chapter("Execute")
    assert "print(fancy_func(1, 2, 3, 4))" in stepper.view.locator(".Program").inner_text()
    stepper.picture("stepper-text-execute")
    stepper.page.keyboard.press("End")
    assert "print(10)" in stepper.view.locator(".Program").inner_text()
    assert stepper.view.locator(".printed").inner_text() == "10\n"
    stepper.picture("stepper-text-end")
    stepper.notebook.check()


def test_chinese(open_notebook):
    stepper = Stepper(open_notebook([NET, "mx.config(lang='zh')\nmx.compile_steps(net, x)"]))
    assert stepper.view.locator("nav button").first.inner_text() == "追踪"
    assert stepper.view.locator("h4").first.inner_text() == "源代码"
    stepper.picture("stepper-chinese")
    stepper.notebook.check()


# --- without scripts --------------------------------------------------------------------------------


SAVED = {
    "lesson": [LESSON, "mx.compile_steps(net, x)"],
    "recorded": RECORDED,
    "text": [TEXT, "mx.text_steps(evoke_str())"],
}


@pytest.mark.parametrize("cells", SAVED.values(), ids=SAVED)
def test_a_saved_notebook_is_small(open_notebook, cells):
    notebook = open_notebook(cells)
    Stepper(notebook)
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
        tab.screenshot(path=str(lab.pictures / "stepper-static.png"), full_page=True)
    finally:
        tab.close()


def test_somebody_elses_notebook_shows_the_chapters(open_notebook):
    other = open_notebook(untrusted(run_without_browser(RECORDED)), run=False)
    details = other.view.locator("details")
    details.first.wait_for()
    assert details.count() == 13
    assert other.view.locator("details[open] img").count() == 1
    other.check()
