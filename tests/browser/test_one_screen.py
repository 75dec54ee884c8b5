"""JupyterLab as it comes, on a laptop: after Shift+Enter a lesson's picture is in sight, whole, with its controls on top."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from .jupyter import PATIENCE, TOKEN, Lab, notebook_of

NOTEBOOKS = Path(__file__).resolve().parents[2] / "notebooks"
#: A laptop's screen. JupyterLab leaves 680 pixels of it to the notebook.
LAPTOP = {"width": 1280, "height": 800}
#: No picture is higher than this.
HIGHEST = 640
#: The first row of controls lies this near to the top of its picture, at most.
NEAR = 60
#: Notebook -> the cell with the picture, the name of the picture, and cells that it does not need, which take long.
PICTURES = [
    ("00_start_here", "mx.print_trace(", "PrintTrace", "benchmark"),
    ("01_imperative_and_symbolic", "mx.text_steps(", "section", "benchmark"),
    ("02_hybrid_sequential", "net.graph(x)", "section.gv", "mx.compare("),
    ("03_hybrid_block", "mx.print_trace(", "section.pt", ""),
    ("03_hybrid_block", "mx.live(", "section.lv", "mx.predict"),
    ("06_inside_the_compiler", "mx.compile_steps(", "section.cs", "benchmark"),
]
_CONTENT = "window.jupyterapp.shell.currentWidget.content"
#: Where a cell's picture lies in the part of the notebook that is seen; its controls; and what of it is cut.
_LOOK = f"""(index) => {{
    const {{ node, widgets }} = {_CONTENT}, cell = widgets[index].node;
    const seen = node.querySelector(".jp-WindowedPanel-outer").getBoundingClientRect();
    const view = cell.querySelector(".jp-OutputArea section.d2l");
    if (!view) return null;
    const {{ top, bottom, height }} = view.getBoundingClientRect();
    const controls = [...view.querySelectorAll("button, input, select")].filter((e) => e.checkVisibility());
    const cut = [...view.querySelectorAll("*")].filter((e) => !e.closest("svg, [data-pans]") && e.checkVisibility() &&
        e.scrollWidth > e.clientWidth + 1 && e.clientWidth > 8 && getComputedStyle(e).overflowX !== "visible");
    return {{
        above: Math.round(seen.top - top), below: Math.round(bottom - seen.bottom), height: Math.round(height),
        first: Math.round(Math.min(...controls.map((e) => e.getBoundingClientRect().bottom)) - top),
        cut: cut.map((e) => `${{e.className}}: ${{e.textContent.slice(0, 60)}}`),
    }};
}}"""
_IDLE = f"""(index) => {{
    const {{ model, node }} = {_CONTENT}.widgets[index];
    return model.executionCount && !node.querySelector(".jp-InputPrompt")?.textContent.includes("*");
}}"""


class Desk(Lab):
    """JupyterLab as it starts, with its list of files open."""

    def _start(self) -> None:
        self.page.set_viewport_size(LAPTOP)
        self.page.goto(f"{self.address}/lab?token={TOKEN}", wait_until="commit")
        self._restored()
        self.page.locator(".jp-FileBrowser").wait_for()


@pytest.fixture(scope="module")
def desk(browser, lab):
    desk = Desk(browser, lab.address, lab.root, lab.pictures)
    yield desk
    desk.page.close()


def lesson(name, cell, without):
    """Return a notebook up to some cells after the one with a picture, and the number of that cell."""
    notebook = json.loads((NOTEBOOKS / f"{name}.ipynb").read_text("utf-8"))
    cells = notebook["cells"]
    texts = ["".join(one["source"]) for one in cells]
    at = next(i for i, text in enumerate(texts) if cell in text and cells[i]["cell_type"] == "code")
    kept = [i for i in range(len(cells)) if i <= at + 3 and not (i < at and without and without in texts[i])]
    notebook["cells"] = [cells[i] for i in kept]
    return notebook, kept.index(at)


def run_with_the_keyboard(notebook, last):
    """Press Shift+Enter until a cell has run, as a student does who reads; wait for each."""
    page, cells = notebook.page, notebook.cells()
    page.evaluate(f"() => {{ {_CONTENT}.activeCellIndex = 0; {_CONTENT}.mode = 'command'; {_CONTENT}.activate(); }}")
    for index in range(last + 1):
        page.keyboard.press("Shift+Enter")
        if cells[index]["cell_type"] == "code":
            page.wait_for_function(_IDLE, arg=index, timeout=PATIENCE)


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
@pytest.mark.parametrize(("name", "cell", "picture", "without"), PICTURES)
def test_after_shift_enter_the_whole_picture_is_in_sight(desk, pictures, name, cell, picture, without, language):
    content, at = lesson(f"{language}{name}", cell, without)
    notebook = desk.open(content, run=False)
    try:
        run_with_the_keyboard(notebook, at)
        found = seen(notebook, at)
        desk.page.screenshot(path=str(pictures / f"screen-{language[:2]}{name[:2]}-{picture[-2:]}.png"))
        assert found["height"] <= HIGHEST, found
        assert found["above"] <= 0 and found["below"] <= 0, found
        assert found["first"] <= NEAR, found
        assert not found["cut"], found
        notebook.check()
    finally:
        notebook.close()


def test_who_has_gone_on_is_not_called_back(desk):
    slow = "import time\nimport d2lhybrid as mx\nfrom d2lhybrid import nd\nfrom d2lhybrid.gluon import nn\n"
    slow += "time.sleep(1.5)\nmx.print_trace(nn.HybridLambda('relu'), nd.ones((2,)))"
    notebook = desk.open(notebook_of([slow, *[f"{n}\n" * 30 for n in range(6)]]), run=False)
    try:
        page = notebook.page
        page.evaluate(f"() => {{ {_CONTENT}.activeCellIndex = 0; {_CONTENT}.mode = 'command'; {_CONTENT}.activate(); }}")
        for _ in range(5):
            page.keyboard.press("Shift+Enter")
        page.wait_for_function(_IDLE, arg=4, timeout=PATIENCE)
        page.wait_for_timeout(1500)
        active = f"() => {_CONTENT}.activeCell.node.getBoundingClientRect().top"
        assert 0 < page.evaluate(active) < LAPTOP["height"]
    finally:
        notebook.close()
