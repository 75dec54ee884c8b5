"""ErrorLens in a notebook: above the traceback, with the student's line put right."""

from __future__ import annotations

import json
import re

import pytest

from .jupyter import as_static_page, notebook_of, size_of, untrusted
from .layout import WIDTHS, contrasts_below, problems_of, unnamed_in, width_of

CELLS = [
    "from d2lhybrid import nd\nfrom d2lhybrid.gluon import nn",
    """
class Net(nn.HybridBlock):
    def hybrid_forward(self, F, x):
        x = F.relu(x)
        half = x // 2
        return half + 1

net = Net()
net.hybridize()
net(nd.ones((2, 3)))
""",
]
PASTED = "() => navigator.clipboard.readText()"


@pytest.fixture
def failed(open_notebook, lab):
    lab.page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    return open_notebook(CELLS)


def outputs_of(notebook):
    return notebook.cells()[1]["outputs"]


def test_the_lens_stands_above_the_folded_traceback(failed):
    group = failed.view.get_by_role("group", name="H09 A Python operator that Symbols do not support")
    group.wait_for()
    lens, error = outputs_of(failed)
    assert [o["output_type"] for o in (lens, error)] == ["display_data", "error"]
    shown = re.sub(r"\x1b\[[0-9;]*m", "", "\n".join(error["traceback"]))
    assert error["ename"] == "TypeError" and "half = x // 2" in shown and "unsupported operand" in shown
    assert "frames inside d2lhybrid" in shown and "hybrid_block.py" not in shown and shown.count("\n") < 40
    assert (
        group.bounding_box()["y"]
        < failed.view.locator(".jp-RenderedText", has_text="frames inside").bounding_box()["y"]
    )
    text = group.inner_text()
    assert "Cell In[2], line 4, Net.hybrid_forward" in text
    assert "Values of F and x" in text, "names keep their letters"
    assert "d2lhybrid.symbol: the block is being traced" in text and "Symbol net0_relu0, no values yet" in text
    assert "".join(group.locator(".d2l-lens-spot").all_inner_texts()) == "x // 2"
    assert group.locator("[aria-current=true]").inner_text().startswith("→   4")
    assert group.locator("del").inner_text() == "− half = x // 2"
    assert group.locator("ins").inner_text() == "+ half = F.floor(x / 2)"
    group.get_by_text("The whole traceback").click()
    assert "hybrid_block.py" in group.locator(".d2l-lens-traceback").inner_text()
    group.get_by_text("The whole traceback").click()
    for width in WIDTHS:
        with width_of(group, width):
            assert not problems_of(group) and not contrasts_below(group) and not unnamed_in(group)
            failed.picture(f"error-lens-{width}", group)
    failed.lab.errors.clear()
    assert not failed.lab.foreign


def test_every_button_works(failed, lab):
    group = failed.view.get_by_role("group", name="H09")
    group.get_by_role("button", name="copy: Your line, fixed").click()
    group.get_by_text("copied").wait_for()
    assert lab.page.evaluate(PASTED) == "half = F.floor(x / 2)"
    group.get_by_text("The whole page: H09").click()
    panel = group.get_by_role("tabpanel")
    assert "F.floor(x / 2)" in panel.inner_text()
    group.get_by_role("tab", name="falls into the trap").click()
    assert "x // 2" in panel.inner_text()
    assert group.get_by_role("tab", name="falls into the trap").get_attribute("aria-selected") == "true"
    group.get_by_role("tab", name="works").focus()
    lab.page.keyboard.press("Enter")
    group.get_by_role("button", name="copy: works").click()
    panel.get_by_text("copied").wait_for()
    assert lab.page.evaluate(PASTED).startswith("from d2lhybrid import nd")
    failed.picture("error-lens-page", group)
    assert not lab.errors and not lab.foreign


def test_what_was_copied_works(failed, lab):
    group = failed.view.get_by_role("group", name="H09")
    group.get_by_role("button", name="copy: Your line, fixed").click()
    group.get_by_text("copied").wait_for()
    right = CELLS[1].replace("half = x // 2", lab.page.evaluate(PASTED))
    assert "[1. 1. 1.]" in failed.ask(right.replace("net(nd", "print(net(nd").rstrip() + ")")


def test_somebody_else_reads_it_too(failed, open_notebook):
    saved = failed.save()
    assert size_of(saved) < 60_000 and "widgets" not in saved["metadata"]
    other = open_notebook(untrusted(saved), run=False)
    output = other.view.locator(".jp-OutputArea-output", has_text="Your line, fixed")
    output.wait_for()
    assert "half = F.floor(x / 2)" in output.inner_text() and "→    4" in output.inner_text()
    other.picture("error-lens-untrusted", output)
    assert not other.lab.errors


def test_a_page_without_scripts_shows_it():
    pytest.importorskip("nbconvert", reason="pages are made with nbconvert")
    from nbclient import NotebookClient

    notebook = notebook_of(CELLS)
    NotebookClient(notebook, timeout=120, kernel_name="python3", store_widget_state=False, allow_errors=True).execute()
    page = as_static_page(notebook)
    assert "half = F.floor(x / 2)" in page and "H09 A Python operator" in page
    assert "x // 2" in json.dumps(notebook) and size_of(notebook) < 60_000
