"""Every view of nets that none was made for: long names, deep nesting, several inputs, loops, ``np``, prints in loops.

Each view shows each net at every width, in both themes, and is used as a student would; by turns in English and in
Chinese, so that each net and each view is seen in both. Layout does not depend on the theme, nor colours on the width:
they are judged once.
"""

from __future__ import annotations

import contextlib
import io
import itertools
import os
from pathlib import Path

import pytest

import d2lhybrid as mx
from d2lhybrid import compare, compile_steps, error_lens, live, nd, predict, print_trace
from d2lhybrid.gluon import nn

from .alone import Alone
from .layout import WIDTHS, contrasts_below, problems_of, unnamed_in, unreached_in, width_of
from .more_nets import NETS, dialect, made

SCREENSHOTS = os.environ.get("D2LHYBRID_SCREENSHOTS")


class ALensThatIsLongerThanMostOfTheLinesThatItExplains(nn.HybridBlock):
    def hybrid_forward(self, F, an_input_that_is_called_by_what_it_means_in_the_domain):
        half_of_what_was_given = an_input_that_is_called_by_what_it_means_in_the_domain // 2
        return half_of_what_was_given


class InALoop(nn.HybridBlock):
    def hybrid_forward(self, F, x):
        out, _ = F.contrib.foreach(lambda data, states: (data // states[0], [states[0] + data]), x, [F.ones((3,))])
        return out


#: Which box is the first that lies within its drawing: a large drawing begins with its beginning.
_FIRST_IN_SIGHT = """(all) => all.findIndex((e) => {
    const box = e.getBoundingClientRect(), drawing = e.closest(".cv").getBoundingClientRect();
    const { top, right, bottom, left } = drawing;
    return box.top >= top && box.bottom <= bottom && box.left >= left && box.right <= right;
})"""


def _lens(net, x):
    net.initialize()
    net.hybridize()
    with pytest.raises(TypeError) as caught:
        net(x)
    return error_lens(caught.value)


def _question():
    long = "FullyConnected_of_a_very_long_name_with_many_letters_and_underscores"
    why = "Because " + "it is needed, " * 20
    return predict(f"Which survives of `self.projection_{'of_' * 20}features(x)`?", lambda: long, [long, "none"], why)


VIEWS = {
    "trace": print_trace,
    "graph": lambda net, *inputs: net.graph(*inputs, backward=True),
    "steps": compile_steps,
    "live": lambda net, *inputs: live(net, *inputs, seconds=60),
    "compare": lambda net, *inputs: compare(net, *inputs, rounds=5, seconds=0.01, progress=False),
}
#: Views with many states that differ little.
SHORT = ("steps", "live")
STRANGE = [name for name in NETS if name != "lesson"]
PAIRS = itertools.product(enumerate(VIEWS), enumerate(STRANGE))
CASES = [(view, name, ("en", "zh")[(i + k) % 2]) for (i, view), (k, name) in PAIRS]
ALONE = {
    "lens, long names": lambda: _lens(ALensThatIsLongerThanMostOfTheLinesThatItExplains(), nd.ones((2, 3))),
    "lens, in a loop": lambda: _lens(InALoop(), nd.ones((4, 3))),
    "question": _question,
}


def _states(view, page):
    """Use a view as a student would, and stop wherever there is something new to be seen."""
    yield
    shown, keys = page.view, page.page.keyboard
    if view == "trace":
        while shown.locator(".pt-where + button").is_enabled():
            shown.locator(".pt-where + button").click()
        for answer in shown.locator(".pt-options button").all()[1:2]:
            answer.click()
        yield
    elif view == "graph":
        for slider in shown.get_by_role("slider").all():
            if slider.is_visible():
                slider.press("End")
        boxes = shown.locator("g.cv-operator, g.cv-group")
        boxes.nth(boxes.evaluate_all(_FIRST_IN_SIGHT)).click()
        yield
    elif view == "steps":
        slider = shown.get_by_role("slider")
        slider.focus()
        for _ in range(int(slider.get_attribute("max"))):
            keys.press("ArrowRight")
            yield
    elif view == "live":
        for tab in shown.get_by_role("tab").all()[1:]:
            tab.click()
            yield
    else:  # what can be unfolded, and a wrong answer
        for summary in shown.locator("summary").all():
            summary.click()
        if view == "question":
            shown.get_by_role("button", name="none").click()
        yield


def _looked_at(browser, picture, view, file):
    page = Alone(browser, picture)
    found = []
    for i, _ in enumerate(_states(view, page)):
        whole = not i or view not in SHORT
        # In between, something else is seen in one place of the view: one width after the other is enough.
        for width in WIDTHS if whole or SCREENSHOTS else WIDTHS[i % 3 :][:1]:
            with width_of(page.view, width):
                found += [(i, width, problem) for problem in problems_of(page.view)]
                for dark in (False, True) if (whole and width == 460) or SCREENSHOTS else ():
                    page.theme(dark)
                    found += [(i, width, dark, problem) for problem in contrasts_below(page.view)]
                    if SCREENSHOTS:
                        name = f"strange-{file.replace(' ', '-')}-{i:02}-{width}-{'dark' if dark else 'light'}.png"
                        page.picture(Path(SCREENSHOTS) / name)
                page.theme(dark=False)
    found += [*unreached_in(page.view), *unnamed_in(page.view), *page.errors]
    page.close()
    return found


@pytest.mark.parametrize(("view", "name", "lang"), CASES)
def test_a_view_is_whole_for_a_strange_net(browser, view, name, lang):
    with mx.config(lang=lang), dialect(name), contextlib.redirect_stdout(io.StringIO()):
        net, inputs = made(name)
        picture = VIEWS[view](net, *inputs)
        assert not _looked_at(browser, picture, view, f"{view}-{name}-{lang}")


@pytest.mark.parametrize("lang", ["en", "zh"])
@pytest.mark.parametrize("name", ALONE)
def test_what_shows_no_net_is_whole(browser, name, lang):
    with mx.config(lang=lang):
        assert not _looked_at(browser, ALONE[name](), name, f"{name}-{lang}")
