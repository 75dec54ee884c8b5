"""JupyterLab as it comes, on a laptop: after Shift+Enter a picture is in sight, whole, with its controls on top."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from d2lhybrid import InFlight, call_times, compile_steps, config, live, nd, print_trace, side_by_side, text_steps
from d2lhybrid.gluon import nn
from d2lhybrid.internals.pictures.widgets.page import save

from .alone import Alone
from .jupyter import PATIENCE, TOKEN, Lab, notebook_of
from .layout import problems_of
from .shots import shot

NOTEBOOKS = Path(__file__).resolve().parents[2] / "notebooks"
#: A laptop's screen. JupyterLab leaves 680 pixels of it to the notebook.
LAPTOP = {"width": 1280, "height": 800}
#: No picture is higher than this.
HIGHEST = 640
#: The first row of controls lies this near to the top of its picture, at most.
NEAR = 60
#: Notebook -> the cells with pictures; and a pattern of cells that are left out, for they take long.
PICTURES = {
    "00_start_here": (["mx.print_trace("], "benchmark"),
    "01_imperative_and_symbolic": (["mx.text_steps("], "benchmark"),
    "02_hybrid_sequential": (["mx.compare(", "net.graph(x)"], r"mx\.compare_over\("),
    "03_hybrid_block": (["mx.print_trace(", "mx.live("], "benchmark"),
    "04_limits": (["both_ways(corner, x)"], "def double_rows"),
    "05_export_and_deploy": (["FilesRead(sorted("], "xor"),
    "06_inside_the_compiler": (
        ["mx.compile_steps(net", 'start="memory"'],
        r"compile_and_compare\((lambda|conv|dense|block|with)|_fused|\Aprint\(program\.source\)\Z|#.*Python runs",
    ),
    "07_train_faster": (["mx.call_times("], r"def train|losses|compare|profile|report|percent|stage"),
    "08_gpu": (["mx.InFlight("], r"benchmark|Trainer|explain|absent|examine|mx.gpu|there|contexts"),
    "09_and_the_others": (
        ['side_by_side("print")', 'side_by_side("block")', "side_by_side()", "quiz=True"],
        "live=True",
    ),
    "10_build_it_yourself": (["mx.predict("], "benchmark"),
}
_CONTENT = "window.jupyterapp.shell.currentWidget.content"
#: Where a cell's picture lies in the part of the notebook that is seen; its controls; and what of it is cut.
_LOOK = f"""(index) => {{
    const {{ node, widgets }} = {_CONTENT}, cell = widgets[index].node;
    const seen = node.querySelector(".jp-WindowedPanel-outer").getBoundingClientRect();
    const view = cell.querySelector(".jp-OutputArea section.d2l") ?? cell.querySelector(".jp-OutputArea .d2l-still");
    if (!view) return null;
    const {{ top, bottom, height }} = view.getBoundingClientRect();
    const controls = [...view.querySelectorAll("button, input, select")].filter((e) => e.checkVisibility());
    const cut = [...view.querySelectorAll("*")].filter((e) => !e.closest("svg, [data-pans]") && e.checkVisibility() &&
        e.scrollWidth > e.clientWidth + 1 && e.clientWidth > 8 && getComputedStyle(e).overflowX !== "visible");
    return {{
        kind: view.matches(".pr") ? "question" : "",
        above: Math.round(seen.top - top), below: Math.round(bottom - seen.bottom), height: Math.round(height),
        first: controls.length && Math.round(Math.min(...controls.map((e) => e.getBoundingClientRect().bottom)) - top),
        cut: cut.map((e) => `${{e.className}}: ${{e.textContent.slice(0, 60)}}`),
    }};
}}"""
_FIRST = f"() => {{ {_CONTENT}.activeCellIndex = 0; {_CONTENT}.mode = 'command'; {_CONTENT}.activate(); }}"
_IDLE = f"""(index) => {{
    const {{ model, node }} = {_CONTENT}.widgets[index];
    return model.executionCount && !node.querySelector(".jp-InputPrompt")?.textContent.includes("*");
}}"""


class Desk(Lab):
    """JupyterLab as it starts, with its list of files open."""

    def _start(self) -> None:
        self.page.set_viewport_size(LAPTOP)
        self.page.goto(f"{self.address}/lab/workspaces/desk?token={TOKEN}", wait_until="commit")
        self._restored()
        self.command("filebrowser:activate")
        self.page.locator(".jp-FileBrowser").wait_for()


@pytest.fixture(scope="module")
def desk(browser, lab):
    desk = Desk(browser, lab.address, lab.root, lab.pictures)
    yield desk
    desk.page.close()


def lesson(name, pictures, without):
    """Return a notebook up to some cells after its last picture, and the numbers of the cells with pictures."""
    notebook = json.loads((NOTEBOOKS / f"{name}.ipynb").read_text("utf-8"))
    cells = [cell for cell in notebook["cells"] if not re.search(without, "".join(cell["source"]), re.MULTILINE)]
    code = [(i, "".join(cell["source"])) for i, cell in enumerate(cells) if cell["cell_type"] == "code"]
    found = [next(i for i, text in code if picture in text) for picture in pictures]
    for i, text in code:  # of the images for training, few are left; and few calls are timed
        few = text.replace("few = images[:8]", "few = nd.array(train_images[:8])")
        cells[i]["source"] = few.replace("(make_lenet(), few)", "(make_lenet(), few, most=50)")
    notebook["cells"] = cells[: max(found) + 3]
    return notebook, found


def run_with_the_keyboard(notebook):
    """Press Shift+Enter in one cell after the other, as a student does who reads; give the number of each that ran."""
    page, cells = notebook.page, notebook.cells()
    page.evaluate(_FIRST)
    for index, cell in enumerate(cells):
        page.keyboard.press("Shift+Enter")
        if cell["cell_type"] == "code":
            page.wait_for_function(_IDLE, arg=index, timeout=PATIENCE)
            yield index


def seen(notebook, index):
    """Return where the picture of a cell lies, once nothing moves any more."""
    before = None
    for _ in range(40):
        notebook.page.wait_for_timeout(250)
        now = notebook.page.evaluate(_LOOK, index)
        if now is not None and now == before:
            return now
        before = now
    raise AssertionError(f"the picture does not come to rest: {before}")


@pytest.mark.parametrize("language", ["", "zh/"])
@pytest.mark.parametrize("name", PICTURES)
def test_after_shift_enter_the_whole_picture_is_in_sight(desk, pictures, name, language):
    content, at = lesson(f"{language}{name}", *PICTURES[name])
    notebook = desk.open(content, run=False)
    try:
        for index in run_with_the_keyboard(notebook):
            if index not in at:
                continue
            found = seen(notebook, index)
            shot(desk.page, pictures / f"screen-{language[:2]}{name[:2]}-{index}.png")
            assert found["height"] <= HIGHEST, found
            assert found["above"] <= 1 and found["below"] <= 1, found
            assert found["kind"] == "question" or found["first"] <= NEAR, found  # of a question, it comes first
            assert not found["cut"], found
            if index == max(at):
                break
        notebook.check()
    finally:
        notebook.close()


#: Whether the name of a notebook, up to its ending, is in sight.
_NAMED = """(e) => {
    const range = document.createRange(), text = document.createTreeWalker(e, NodeFilter.SHOW_TEXT).nextNode();
    range.setStart(text, 0);
    range.setEnd(text, text.data.length - ".ipynb".length);
    return range.getBoundingClientRect().right <= e.closest(".jp-DirListing").getBoundingClientRect().right - 8 &&
        range.getBoundingClientRect().right <= e.getBoundingClientRect().right;
}"""


def test_the_list_of_files_shows_the_names_of_the_lessons(desk):
    for name in PICTURES:
        (desk.root / f"{name}.ipynb").write_text(json.dumps(notebook_of([])))
    desk.command("filebrowser:refresh")
    try:
        for name in PICTURES:
            listed = desk.page.locator(".jp-DirListing-itemText", has_text=f"{name}.ipynb")
            listed.wait_for()
            assert listed.evaluate(_NAMED), name
    finally:
        for name in PICTURES:
            (desk.root / f"{name}.ipynb").unlink()


def test_who_has_gone_on_is_not_called_back(desk):
    slow = "import time\nimport d2lhybrid as mx\nfrom d2lhybrid import nd\nfrom d2lhybrid.gluon import nn\n"
    slow += "time.sleep(1.5)\nmx.print_trace(nn.HybridLambda('relu'), nd.ones((2,)))"
    notebook = desk.open(notebook_of([slow, *[f"{n}\n" * 30 for n in range(6)]]), run=False)
    try:
        page = notebook.page
        page.evaluate(_FIRST)
        for _ in range(5):
            page.keyboard.press("Shift+Enter")
        page.wait_for_function(_IDLE, arg=4, timeout=PATIENCE)
        page.wait_for_timeout(1500)
        active = f"() => {_CONTENT}.activeCell.node.getBoundingClientRect().top"
        assert 0 < page.evaluate(active) < LAPTOP["height"]
    finally:
        notebook.close()


# --- code ---------------------------------------------------------------------------------------------------------


class LongLines(nn.HybridBlock):
    def __init__(self, **kwargs):
        super().__init__(**kwargs)
        self.factor = 10

    def hybrid_forward(self, F, x):
        print("a sentence that is much longer than the lane in which it stands, and what it ends with is", type(x))
        a_name_that_is_hardly_ever_so_long_but_may_be = F.broadcast_add(F.exp(x) * self.factor, F.sin(x) / self.factor)
        return F.relu(a_name_that_is_hardly_ever_so_long_but_may_be) + F.sigmoid(
            a_name_that_is_hardly_ever_so_long_but_may_be
        )


def a_net():
    net = LongLines(prefix="a_net_whose_name_is_long_")
    net.initialize()
    return net


X = [[1, -2, 3]]
VIEWS = {
    "print_trace": lambda: print_trace(a_net(), nd.array(X)),
    "graph": lambda: a_net().graph(nd.array(X)),
    "compile_steps": lambda: compile_steps(a_net(), nd.array(X)),
    "live": lambda: live(a_net(), nd.array(X), seconds=60),
    "side_by_side": lambda: side_by_side("block"),
    "text_steps": lambda: text_steps("def f(a):\n    return a + 1\n\nprint(f(f(f(f(f(f(f(f(f(f(f(f(1)))))))))))))"),
}
#: Elements with lines of code, and what of each lies beyond the part of it that is seen; hidden ones have no boxes.
_BEYOND = """(root) => [...root.querySelectorAll("pre, code, [data-code], .lv-editor")]
    .filter((e) => e.checkVisibility())
    .filter((e) => e.scrollWidth > e.clientWidth + 1 && getComputedStyle(e).display !== "inline")
    .map((e) => `${e.className}: ${e.textContent.slice(0, 60)}`)"""
#: How much further in than its first line the rest of a line of code stands, in pixels; of those that are wrapped.
_HANGS = """(root) => [...root.querySelectorAll(".d2l-line")].filter((e) => e.checkVisibility()).map((e) => {
    const range = document.createRange();
    range.selectNodeContents(e);
    const rows = [];
    for (const { top, left, width } of [...range.getClientRects()].sort((a, b) => a.top - b.top)) {
        if (width <= 1) continue;
        if (rows.length && top - rows.at(-1)[0] < 8) rows.at(-1)[1] = Math.min(left, rows.at(-1)[1]);
        else rows.push([top, left]);
    }
    const [first, ...rest] = rows.map(([, left]) => left);
    return rest.map((left) => Math.round(left - first));
}).flat()"""


@pytest.mark.parametrize("name", VIEWS)
def test_code_is_wrapped_and_never_cut(browser, capsys, name):
    page = Alone(browser, VIEWS[name](), width=400)
    wrapped = 0
    for width in (400, 560, 850, 1280, 1920, 2400):
        page.page.set_viewport_size({"width": width + 60, "height": 1000})
        page.page.evaluate("(width) => { document.getElementById('place').style.width = `${width}px`; }", width)
        chapters = page.view.locator(".cs nav button").all()
        for step, chapter in enumerate(chapters or [None]):
            if chapter is not None:
                chapter.click()
            assert page.view.evaluate(_BEYOND) == [], (width, step)
            hangs = page.view.evaluate(_HANGS)
            wrapped += len(hangs)
            assert all(hang >= 10 for hang in hangs), (width, step, hangs)
    assert wrapped or name == "text_steps"
    assert not page.errors
    page.close()


class ANetWhoseNameIsLongerThanATitle(LongLines):
    pass


def test_the_stepper_gives_its_height_to_programs_and_graphs(browser, capsys):
    net = ANetWhoseNameIsLongerThanATitle(prefix="a_net_whose_name_is_so_long_that_it_does_not_fit_in_a_line_")
    net.initialize()
    page = Alone(browser, compile_steps(net, nd.array(X)), width=850)
    controls = page.view.locator(".controls > :is(button, input)").evaluate_all(
        "(all) => all.map((e) => e.getBoundingClientRect()).map(({ top, height }) => Math.round(top + height / 2))"
    )
    assert max(controls) - min(controls) <= 2, "one row, also beside a long title"
    heights = {}
    for name in ("Memory", "Run", "Before and after"):
        page.view.get_by_role("button", name=name, exact=True).click()
        said = page.view.locator(".say")
        assert said.evaluate("(e) => e.scrollHeight <= e.clientHeight"), f"{name}: no line of what is said is cut"
        heights[name] = page.view.locator(".panel:visible .cv").first.bounding_box()["height"]
        if name != "Before and after":  # the program lies below the code of the net
            assert page.view.locator(".Program .body").bounding_box()["height"] >= 120
            assert page.view.locator(".Source .body").bounding_box()["height"] >= 100
    assert heights["Memory"] == heights["Run"] >= 270 and heights["Before and after"] >= 330
    page.close()


def test_on_a_phone_the_stepper_cuts_nothing_of_what_it_says(browser, capsys):
    chain = nn.HybridLambda(lambda F, x: F.softmax(F.tanh(F.sin(x) * F.cos(x))), prefix="")
    page = Alone(browser, compile_steps(chain, nd.ones((2, 2))), width=384)  # and its margins
    for chapter in page.view.locator("nav button").all():
        chapter.click()
        for words in (page.view.locator(".say"), page.view.locator(".stage > p:visible")):
            assert words.evaluate_all("(all) => all.every((e) => e.scrollHeight <= e.clientHeight + 1)")
            assert words.evaluate_all("(all) => all.every((e) => e.scrollWidth <= e.clientWidth + 1)")
    page.close()


def test_on_a_phone_lanes_leave_out_what_belongs_to_other_lanes(browser, capsys):
    page = Alone(browser, VIEWS["print_trace"](), width=400)
    assert page.view.bounding_box()["height"] <= 1200
    shown = "(all) => all.filter((e) => e.checkVisibility({ visibilityProperty: true })).length"
    for number in (1, 2, 3):
        page.view.locator(".pt-chips button").nth(number - 1).click()
        assert page.view.locator(".pt-value").evaluate_all(shown) <= 1, number
        cut = "(all) => all.filter((e) => e.scrollHeight > e.clientHeight + 1).length"
        assert page.view.locator(".pt-value").evaluate_all(cut) == 0, f"call {number}: its generated lines are cut"
    page.close()


# --- pages of their own ---------------------------------------------------------------------------------------------


#: A phone, half a screen, a projector, a large screen.
WINDOWS = [(400, 850), (900, 700), (1920, 1080), (2560, 1440)]
#: Pictures as high as the window; the others have the height of what they show.
FULL = ("graph", "compile_steps", "live")
SAVED = VIEWS | {
    "call_times": lambda: call_times(a_net(), nd.array(X), most=12, progress=False),
    "InFlight": lambda: InFlight(nn.HybridLambda("relu"), nd.array(X)),
}


@pytest.fixture(scope="module")
def window(browser):
    page = browser.new_page()
    yield page
    page.close()


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("name", SAVED)
def test_a_saved_page_fits_every_window(window, tmp_path, capsys, name, language):
    with config(lang=language):
        file = save(SAVED[name](), tmp_path / "page.html")
    for width, height in WINDOWS:
        window.set_viewport_size({"width": width, "height": height})
        window.goto(file.as_uri())
        view = window.locator("section.d2l, main").first
        view.wait_for()
        box = view.bounding_box()
        assert box["width"] > width - 40 and window.evaluate("document.documentElement.scrollWidth") <= width
        assert view.evaluate(_BEYOND) == [] and problems_of(view) == [], width
        if name in FULL and width >= 900:
            assert height - 80 < box["y"] + box["height"] <= height, width
        elif width >= 900:
            assert box["y"] + box["height"] <= height, width


def test_a_picture_becomes_as_large_as_the_screen(browser, capsys):
    page = Alone(browser, VIEWS["compile_steps"](), width=850)
    page.page.set_viewport_size({"width": 1920, "height": 1080})
    before = page.view.locator(".text").bounding_box()["height"]
    page.view.get_by_role("button", name="full screen").click()
    page.page.wait_for_function("() => document.fullscreenElement")
    page.page.wait_for_timeout(300)
    box = page.view.locator("section.d2l").first.bounding_box()
    assert box["width"] > 1800 and 900 < box["height"] <= 1080
    large = page.view.locator(".text").bounding_box()["height"]
    assert large > 1.3 * before, "the letters are larger"
    page.view.get_by_role("button", name="full screen").click()
    page.page.wait_for_timeout(300)
    assert page.view.locator(".text").bounding_box()["height"] > 1.2 * large, "for a lecture they are larger still"
    assert not page.view.get_by_role("button", name="details").is_visible(), "and there are fewer controls"
    assert page.view.get_by_role("button", name="play", exact=True).is_visible()
    box = page.view.locator("section.d2l").first.bounding_box()
    assert box["width"] > 1800 and 900 < box["height"] <= 1080
    page.view.get_by_role("button", name="full screen").click()
    page.page.wait_for_function("() => !document.fullscreenElement && !document.querySelector('.d2l-lecture')")
    assert not page.errors
    page.close()
