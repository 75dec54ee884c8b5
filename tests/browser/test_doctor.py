"""The report of ``doctor`` in a notebook: no word is divided, however narrow the cell's output is."""

from __future__ import annotations

import pytest

from d2lhybrid import doctor
from d2lhybrid.internals.commands.doctor import Check

from .layout import problems_of

CHECKS = [
    Check("Python", True, "3.13.1 (Linux, x86_64), /data/student/course/.venv/bin/python", needed=True),
    Check("Graphviz program", False, "no `dot`", "sudo apt install graphviz", "viz.plot_network returns nothing."),
    Check("onnxruntime", False, "not installed", "pip install onnxruntime", 'net.hybridize(backend="onnxruntime")'),
]
#: JupyterLab's rules for the output of a cell.
JUPYTER = "body { margin: 0; font: 13px sans-serif; } #output { overflow-y: auto; }"
#: Words on more than one line that would fit on one.
DIVIDED = r"""(root) => {
    const found = [], walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    for (let text = walker.nextNode(); text; text = walker.nextNode()) {
        for (const { 0: word, index } of text.data.matchAll(/\S+/g)) {
            const range = document.createRange();
            range.setStart(text, index);
            range.setEnd(text, index + word.length);
            const lines = new Set([...range.getClientRects()].map((box) => Math.round(box.top)));
            if (lines.size > 1) found.push(word);
        }
    }
    return found;
}"""


@pytest.fixture
def output(browser):
    page = browser.new_page()
    page.set_content(f"<style>{JUPYTER}</style><div id=output>{doctor.report(CHECKS)._repr_html_()}</div>")
    yield page.locator("#output")
    page.close()


@pytest.mark.parametrize("width", [360, 460, 700, 850, 1100, 2400])
def test_no_word_is_divided(output, width):
    output.page.set_viewport_size({"width": width, "height": 600})
    assert output.evaluate(DIVIDED) == []
    assert problems_of(output) == []


def test_a_word_is_divided_only_if_no_line_has_room(output):
    output.page.set_viewport_size({"width": 200, "height": 600})
    assert set(output.evaluate(DIVIDED)) <= {
        "/data/student/course/.venv/bin/python",
        'net.hybridize(backend="onnxruntime")',
    }
    assert problems_of(output) == []
