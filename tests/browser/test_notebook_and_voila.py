"""The widgets where no JupyterLab is around them: in Jupyter Notebook 7, and as a page of Voila."""

from __future__ import annotations

import json

import pytest

from .jupyter import NotebookApp, Watched, notebook_of, server
from .shots import shot

NET = """\
from d2lhybrid import compare, compile_steps, nd, print_trace
from d2lhybrid.gluon import nn

class HybridNet(nn.HybridBlock):
    def __init__(self, **kwargs):
        super().__init__(**kwargs)
        self.hidden = nn.Dense(4)
        self.output = nn.Dense(2)

    def hybrid_forward(self, F, x):
        print("F is", F.__name__)
        return self.output(F.relu(self.hidden(x)))

net = HybridNet()
net.initialize()
x = nd.ones((1, 3))"""
WIDGETS = [
    "print_trace(net, x)",
    "net.graph(x)",
    "compare(net, x, rounds=6, seconds=0.05)",
    "compile_steps(net, x)",
]
ERROR = """\
class Halves(nn.HybridBlock):
    def hybrid_forward(self, F, x):
        return x // 2

halves = Halves()
halves.hybridize()
halves(nd.ones((2, 3)))"""
CELLS = [NET, *WIDGETS, ERROR]
#: Notebook 7.6 says this of an empty notebook, too.
OF_NOTEBOOK = "page error: Cannot read properties of undefined (reading 'schema')"
#: Voila's own page asks for the icons that ipywidgets' buttons may have.
ICONS = "https://cdn.jsdelivr.net/npm/@fortawesome/"


def group(page, name):
    return page.get_by_role("group", name=name, exact=True)


def press(view, name):
    """Press a button and wait until Python has answered."""
    view.get_by_role("button", name=name, exact=True).click()
    view.page.wait_for_function("(e) => !e.hasAttribute('aria-busy')", arg=view.element_handle())


def use_every_widget(page):
    """Press a button of each widget, and assert that it does what it says."""
    trace = group(page, "PrintTrace")
    assert "so no line of hybrid_forward ran" in trace.inner_text()
    press(trace, "hybridize(False)")
    press(trace, "call again")
    assert trace.locator("output").inner_text() == "call 4 / 4"
    assert "F is d2lhybrid.ndarray" in trace.locator(".pt-console").first.inner_text()

    graph = group(page, "graph")
    assert graph.locator('g.gv-n[data-id="dense0_weight"]').count() == 0
    press(graph, "parameters")
    graph.locator('g.gv-n[data-id="dense0_weight"]').wait_for()

    times = group(page, "Before and after hybridize")
    before = times.locator("tbody").inner_text()
    press(times, "measure again")
    times.get_by_role("button", name="measure again", disabled=False).wait_for()
    assert times.locator("tbody tr").count() == 4 and times.locator("tbody").inner_text() != before

    steps = group(page, "CompileStepper")
    steps.locator("nav button", has_text="Code").click()
    assert "def forward(" in steps.inner_text()

    lens = group(page, "H09 A Python operator that Symbols do not support")
    assert "return F.floor(x / 2)" in lens.inner_text()
    lens.get_by_text("The whole page: H09").click()
    assert "F.floor" in lens.get_by_role("tabpanel").inner_text()


def test_jupyter_notebook(browser, pictures, tmp_path):
    pytest.importorskip("notebook", minversion="7", reason="Jupyter Notebook 7 is not installed")
    with server(tmp_path, "notebook") as address:
        app = NotebookApp(browser, address, tmp_path, pictures)
        notebook = app.open(CELLS)
        group(app.page, "H09 A Python operator that Symbols do not support").wait_for()
        use_every_widget(app.page)
        app.page.set_viewport_size({"width": 1280, "height": 3900})
        notebook.picture("notebook-7")
        assert [problem[:9] for problem in notebook.problems()] == ["TypeError"]
        assert set(app.errors) <= {OF_NOTEBOOK} and not app.foreign
        saved = notebook.save()
        assert "widgets" not in saved["metadata"]
        assert sum("text/html" in o.get("data", {}) for cell in saved["cells"] for o in cell["outputs"]) >= 5
        notebook.close()
        app.page.close()


class Visit(Watched):
    """A page of Voila: the notebook is run for this visit, and its code is not shown."""

    def __init__(self, cells, theme, *watched):
        super().__init__(*watched)
        (self.root / "page.ipynb").write_text(json.dumps(notebook_of(cells)))
        self.page.route(f"{ICONS}**", lambda route: route.fulfill(body="", content_type="text/css"))
        self.page.goto(f"{self.address}/voila/render/page.ipynb?theme={theme}", wait_until="load")
        self.page.locator("#rendered_cells").wait_for()

    def picture(self, name):
        self.page.set_viewport_size({"width": 1280, "height": 3900})
        shot(self.page, self.pictures / f"{name}.png")

    def check(self):
        assert not self.errors
        assert all(address.startswith(ICONS) for address in self.foreign)
        self.page.close()


def test_voila(browser, pictures, tmp_path):
    pytest.importorskip("voila", reason="Voila is not installed")
    with server(tmp_path, "voila") as address:
        visit = Visit(CELLS, "dark", browser, address, tmp_path, pictures)
        page = visit.page
        group(page, "H09 A Python operator that Symbols do not support").wait_for()
        assert "print_trace(net, x)" not in page.locator("body").inner_text()
        paper, ink = (
            group(page, "PrintTrace").evaluate(f"(e) => getComputedStyle(e).{name}.match(/[0-9]+/g).map(Number)")
            for name in ("backgroundColor", "color")
        )
        assert sum(paper[:3]) < 200 < sum(ink[:3])
        use_every_widget(page)
        visit.picture("voila-dark")
        visit.check()

        # In another kernel there is no anywidget: the static pictures are shown.
        visit = Visit(
            ["import sys\nsys.modules['anywidget'] = None", *CELLS], "light", browser, address, tmp_path, pictures
        )
        page = visit.page
        page.get_by_text("return F.floor(x / 2)").first.wait_for()
        text = page.locator("body").inner_text()
        for part in ("PrintTrace: HybridNet", "ompiling pays off", "Compiling HybridNet", "return F.floor(x / 2)"):
            assert part in text
        assert page.locator("img[alt^='HybridNet']").first.evaluate("(e) => e.complete && e.naturalWidth") > 100
        assert "pip install anywidget" in text and page.locator("section.d2l").count() == 0
        visit.picture("voila-without-anywidget")
        visit.check()
