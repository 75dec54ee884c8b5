"""ErrorLens in a notebook: below the traceback, with a remedy that can be copied."""

from __future__ import annotations

import json

import pytest

from .jupyter import as_static_page, notebook_of, size_of, untrusted

CELLS = [
    "%load_ext d2lhybrid\nfrom d2lhybrid import nd\nfrom d2lhybrid.gluon import nn",
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


def test_the_lens_stands_below_the_plain_traceback(failed):
    group = failed.view.get_by_role("group", name="H09 An operator of Python that Symbols have not")
    group.wait_for()
    kinds = [o["output_type"] for o in outputs_of(failed)]
    assert kinds == ["error", "display_data"]
    assert outputs_of(failed)[0]["ename"] == "TypeError"
    text = group.inner_text()
    assert "Cell In[2], line 4, Net.hybrid_forward" in text
    assert "d2lhybrid.symbol: the block is being traced" in text and "Symbol net0_relu0, no values yet" in text
    assert (
        group.locator(".d2l-lens-spot").all_inner_texts() == ["x // ", "2"]
        or "".join(group.locator(".d2l-lens-spot").all_inner_texts()) == "x // 2"
    )
    assert group.locator("[aria-current=true]").inner_text().startswith("→   4")
    failed.picture("error-lens", group)
    failed.lab.errors.clear()
    assert not failed.lab.foreign


def test_every_button_works(failed, lab):
    group = failed.view.get_by_role("group", name="H09")
    group.get_by_role("button", name="copy: Your line, put right").click()
    group.get_by_text("copied").wait_for()
    assert lab.page.evaluate(PASTED) == "half = F.floor(x / 2)"
    group.get_by_text("An example", exact=True).click()
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
    failed.picture("error-lens-example", group)
    assert not lab.errors and not lab.foreign


def test_what_was_copied_works(failed, lab):
    group = failed.view.get_by_role("group", name="H09")
    group.get_by_role("button", name="copy: Your line, put right").click()
    group.get_by_text("copied").wait_for()
    right = CELLS[1].replace("half = x // 2", lab.page.evaluate(PASTED))
    assert "[1. 1. 1.]" in failed.ask(right.replace("net(nd", "print(net(nd").rstrip() + ")")


def test_somebody_else_reads_it_too(failed, open_notebook):
    saved = failed.save()
    assert size_of(saved) < 60_000 and "widgets" not in saved["metadata"]
    other = open_notebook(untrusted(saved), run=False)
    output = other.view.locator(".jp-OutputArea-output", has_text="Your line, put right")
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
    assert "half = F.floor(x / 2)" in page and "H09 An operator of Python" in page
    assert "x // 2" in json.dumps(notebook) and size_of(notebook) < 60_000
