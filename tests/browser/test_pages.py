"""Pages opened from the disk: every picture is there, and moves, without a kernel and without another machine."""

from __future__ import annotations

import pytest

import d2lhybrid as mx
from d2lhybrid import compare, compare_over, compile_steps, error_lens, nd, print_trace
from d2lhybrid.gluon import nn
from d2lhybrid.internals.pictures.widgets.page import embedded

from .jupyter import Offline
from .layout import WIDTHS, contrasts_below, problems_of, unnamed_in
from .shots import shot


class Net(nn.HybridBlock):
    def __init__(self, **kwargs):
        super().__init__(**kwargs)
        self.hidden = nn.Dense(16)
        self.output = nn.Dense(2)

    def hybrid_forward(self, F, x):
        print("F is", F.__name__)
        return self.output(F.relu(self.hidden(x)))


class Halves(nn.HybridBlock):
    def hybrid_forward(self, F, x):
        return x // 2


def made(block):
    net = block()
    net.initialize()
    return net


def _lens():
    net = made(Halves)
    net.hybridize()
    with pytest.raises(TypeError) as caught:
        net(nd.ones((2, 3)))
    return error_lens(caught.value)


X = nd.ones((2, 8))
PICTURES = {
    "print_trace": lambda: print_trace(made(Net), X),
    "graph": lambda: made(Net).graph(X),
    "compile_steps": lambda: compile_steps(made(Net), X),
    "compare": lambda: compare(made(Net), X, rounds=6, seconds=0.05, progress=False),
    "compare_over": lambda: compare_over(made(Net), [1, 16, 64], X, rounds=5, seconds=0.02, progress=False),
    "error_lens": _lens,
}


#: Pictures that have tests of their layout elsewhere, and need no more here than the language that takes more bytes.
LAID_OUT_ELSEWHERE = ("print_trace", "graph", "compile_steps")


@pytest.mark.parametrize(
    ("name", "lang"),
    [(name, lang) for name in PICTURES for lang in ("en", "zh") if lang == "zh" or name not in LAID_OUT_ELSEWHERE],
)
def test_a_saved_page_shows_the_view_and_asks_nobody(browser, pictures, tmp_path, name, lang):
    with mx.config(lang=lang):
        picture = PICTURES[name]()
        assert len(embedded(picture).encode()) + len(picture.to_text().encode()) < 60_000
        file = picture.save(tmp_path / "page.html")
        for theme in ("light", "dark"):
            page = Offline(browser, file, color_scheme=theme)
            group = page.page.locator("section.d2l[role=group]")
            group.wait_for()
            assert page.page.title() and not page.page.locator("script[type=module]").count()
            for width in WIDTHS:
                page.page.set_viewport_size({"width": width + 32, "height": 900})
                if name not in LAID_OUT_ELSEWHERE:
                    assert not problems_of(group) and not contrasts_below(group) and not unnamed_in(group)
                shot(page.page, pictures / f"page-{name}-{lang}-{theme}-{width}.png", full_page=True)
            page.close()
