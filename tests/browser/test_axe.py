"""Every view by the rules of axe-core: contrast, names, roles, what the keyboard reaches; in both themes."""

from __future__ import annotations

import contextlib
import io

import pytest

import d2lhybrid as mx
from d2lhybrid import text_steps

from .alone import Alone
from .layout import WIDTHS, faults_by_axe, width_of
from .more_nets import NETS, dialect, made
from .test_strange_nets import ALONE, SHORT, VIEWS, _states
from .test_text_steps import LESSON

#: Views by turns with the lesson's net and with strange ones, so that each net is seen in some.
CASES = [(view, name) for i, view in enumerate(VIEWS) for k, name in enumerate(NETS) if k == 0 or (i + k) % 4 == 0]


def judged(browser, picture, view):
    """Use a picture as a student would; return what is wrong, in the light theme and in the dark one."""
    page = Alone(browser, picture)
    found = []
    for i, _ in enumerate(_states(view, page)):
        if view in SHORT and i % 5:  # they differ little
            continue
        with width_of(page.view, WIDTHS[i % 3]):
            for dark in (False, True):
                page.theme(dark)
                found += [(i, dark, fault) for fault in faults_by_axe(page.view)]
    page.close()
    return found


@pytest.mark.parametrize(("view", "name"), CASES)
def test_a_view_breaks_no_rule(browser, view, name):
    with dialect(name), contextlib.redirect_stdout(io.StringIO()):
        net, inputs = made(name)
        assert not judged(browser, VIEWS[view](net, *inputs), view)


@pytest.mark.parametrize("name", [*ALONE, "text steps"])
def test_what_shows_no_net_breaks_no_rule(browser, name):
    with mx.config(lang="zh" if "names" in name else "en"):
        picture = ALONE[name]() if name in ALONE else text_steps(LESSON)
        assert not judged(browser, picture, name)


@pytest.mark.parametrize(
    ("bad", "rule"),
    [
        ("<p style='color: #999; background: #fff'>pale</p>", "color-contrast"),
        ("<button></button>", "button-name"),
        ("<div role='checkbox' tabindex='0'>without a state</div>", "aria-required-attr"),
    ],
)
def test_the_rules_find_what_is_bad(browser, bad, rule):
    page = browser.new_page()
    page.set_content(f"<main><div id='view'>{bad}</div></main>")
    faults = faults_by_axe(page.locator("#view"))
    page.close()
    assert any(fault.startswith(rule) for fault in faults), faults
