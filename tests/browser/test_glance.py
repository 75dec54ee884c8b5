"""Nets and large arrays in a notebook: the text as before, and below it what can be opened."""

from __future__ import annotations

import pytest

from .jupyter import untrusted
from .layout import WIDTHS, contrasts_below, problems_of, unnamed_in, width_of

CELLS = [
    "import d2lhybrid as mx\nfrom d2lhybrid import nd\nfrom d2lhybrid.gluon import nn\n"
    "net = nn.HybridSequential()\nnet.add(nn.Conv2D(8, 3), nn.BatchNorm(), nn.Activation('relu'), nn.Dense(10))\n"
    "net.initialize()\nnet.hybridize()\nx = net(nd.ones((2, 3, 8, 8)))",
    "print(net)",
    "net",
    "x",
    "nd.random.normal(shape=(100, 100))",
    "mx.config(lang='zh')\nnet",
    "long = nn.HybridSequential()\nlong.projection_of_the_normalized_and_flattened_input_features = nn.Dense(3)\n"
    "long.initialize()\n_ = long(nd.ones((2, 4)))\nlong",
]
STYLE = (
    "(e) => { const s = getComputedStyle(e); return [s.fontFamily, s.fontSize, s.lineHeight, s.color, s.whiteSpace]; }"
)


@pytest.fixture
def shown(open_notebook):
    return open_notebook(CELLS)


def test_the_text_looks_as_printed_text_does(shown):
    texts = shown.view.locator(".jp-OutputArea-output pre")
    printed, net, small, large, chinese = (texts.nth(i) for i in range(5))
    assert printed.inner_text().strip() == net.inner_text().strip() == chinese.inner_text().strip()
    assert small.inner_text().strip().endswith("<NDArray 2x10 @cpu(0)>")
    for dark in (False, True):
        shown.lab.theme(dark)
        assert [net.evaluate(STYLE), large.evaluate(STYLE)] == [printed.evaluate(STYLE)] * 2
    shown.lab.theme(False)
    shown.check()


def test_what_stands_below_can_be_read_and_opened(shown):
    outputs = shown.view.locator(".jp-RenderedHTMLCommon.jp-OutputArea-output")
    assert outputs.count() == 4
    net, large, chinese, long = (outputs.nth(i) for i in range(4))
    assert "100×100 float32 @cpu(0) · 40 kB · mean" in large.inner_text()
    net.get_by_text("layers: 4 · parameters:").click()
    assert net.get_by_role("cell", name="weight 8×3×3×3, bias 8").is_visible()
    chinese.get_by_text("层数：4 · 参数：").click()
    long.get_by_text("层数：1").click()
    for name, output in (("net", net), ("array", large), ("net-zh", chinese), ("long-zh", long)):
        for width in WIDTHS:
            with width_of(output, width):
                assert not contrasts_below(output) and not unnamed_in(output)
                assert not [p for p in problems_of(output) if "NDArray" not in p]
                shown.picture(f"glance-{name}-{width}", output)
    shown.check()


def test_it_is_there_for_somebody_else(shown, open_notebook):
    other = open_notebook(untrusted(shown.save()), run=False)
    output = other.view.locator(".jp-OutputArea-output", has_text="layers: 4")
    output.get_by_text("layers: 4").click()
    assert output.get_by_role("cell", name="weight 8×3×3×3, bias 8").is_visible()
    assert not other.lab.errors
