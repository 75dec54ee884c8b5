"""What judges the layout of views sees what is wrong, and is silent where nothing is."""

from __future__ import annotations

import pytest

from d2lhybrid import nd, print_trace
from d2lhybrid.gluon import nn

from .alone import Alone
from .layout import contrasts_below, moved_by, problems_of, unnamed_in, unreached_in, width_of


@pytest.fixture(scope="module")
def page(browser):
    page = browser.new_page(viewport={"width": 1200, "height": 800})
    yield page
    page.close()


def _view(page, inside, style=""):
    page.set_content(
        f'<div style="width: 400px"><div id="view" style="font: 14px sans-serif; {style}">{inside}</div></div>'
    )
    return page.locator("#view")


def test_the_tests_of_the_browser_share_a_process(request):
    """Where tests run side by side; otherwise each process starts a browser and a server of its own."""
    if request.config.getoption("loadgroup", False):
        assert request.node.nodeid.endswith("@browser"), "pytest-xdist and pytest do not fit together"


LONG = "a sentence that is longer than its place " * 3
BROKEN = {
    "cut off sideways": f'<p style="overflow: hidden; white-space: nowrap; text-overflow: ellipsis">{LONG}</p>',
    "cut off below or above": f'<div style="overflow: hidden; height: 20px">{LONG}</div>',
    "scrolls sideways": f'<div style="overflow-x: auto; white-space: nowrap">{LONG}</div>',
    "beyond the edge": f'<p style="white-space: nowrap">{LONG}</p>',
    "too small": '<p style="font-size: 8px">small</p>',
    "too small (8": '<svg width="50" height="50" viewBox="0 0 100 100"><text y="50" font-size="16">small</text></svg>',
    "squeezed": '<div style="display: flex"><b style="flex: none; width: 392px">name</b>'
    '<p style="overflow-wrap: anywhere">values</p></div>',
    "one over the other": '<p>one sentence</p><p style="margin-top: -2.2em">another</p>',
    "cut off in its field": '<input value="a long value in a field" style="width: 60px">',
    "cut off in its field: <select": '<select style="width: 60px"><option>a long value in a field</option></select>',
}
SOUND = {
    "code may scroll": f"<pre style='overflow-x: auto'>{LONG}</pre>",
    "what is below may be scrolled to": f"<div style='overflow-y: auto; height: 30px'>{LONG}</div>",
    "sentences wrap": f"<p>{LONG}</p>",
    "what is hidden is not seen": f"<p hidden style='overflow: hidden; white-space: nowrap'>{LONG}</p>",
    "words for a screen reader": "<b style='position: absolute; width: 1px; height: 1px; overflow: hidden'>words</b>",
    "a tooltip lies over": "<p>one sentence</p><p role='tooltip' style='margin-top: -2.2em'>another</p>",
    "a drawing can be dragged": f"<div data-pans style='overflow: hidden; white-space: nowrap'>{LONG}</div>",
}


@pytest.mark.parametrize("kind", BROKEN)
def test_what_is_wrong_is_seen(page, kind):
    problems = problems_of(_view(page, BROKEN[kind]))
    assert any(kind in problem for problem in problems), problems


@pytest.mark.parametrize("kind", SOUND)
def test_what_is_right_is_not_blamed(page, kind):
    assert problems_of(_view(page, SOUND[kind])) == []


def test_a_view_is_looked_at_in_several_widths(page):
    view = _view(page, "<p style='white-space: nowrap'>this takes about three hundred pixels, no more</p>")
    assert problems_of(view) == []
    with width_of(view, 200):
        assert any("beyond the edge" in problem for problem in problems_of(view))
    assert problems_of(view) == []


@pytest.mark.parametrize(
    ("style", "is_seen"),
    [
        ("color: #000", True),
        ("color: #777", False),  # 4.48
        ("color: #767676", True),  # 4.54
        ("color: color-mix(in srgb, #000 30%, white)", False),
        ("color: #000; opacity: .3", False),
        ("color: #fff", False),
        ("color: #fff; background: #005", True),
        ("color: #888; font-size: 24px", True),
    ],
)
def test_contrast(page, style, is_seen):
    found = contrasts_below(_view(page, f"<p style='{style}'>text</p>", "background: #fff"))
    assert (found == []) is is_seen, found


def test_contrast_in_a_drawing_is_that_with_the_shape_below(page):
    drawing = "<svg width='200' height='40'><rect width='100' height='40' fill='#003'/>{}</svg>"
    words = "<text x='{}' y='25' fill='{}'>text</text>"
    assert contrasts_below(_view(page, drawing.format(words.format(10, "#fff")))) == []
    assert contrasts_below(_view(page, drawing.format(words.format(10, "#000"))))
    assert contrasts_below(_view(page, drawing.format(words.format(150, "#000")))) == []


def test_what_a_click_moves(page):
    inside = (
        "<p id='note'></p><button onclick=\"note.textContent = 'a sentence'\">tell</button>"
        "<button onclick=\"this.style.color = 'red'\">colour</button>"
    )
    view = _view(page, inside)
    assert moved_by(view, view.get_by_role("button", name="colour").click) == []
    moved = moved_by(view, view.get_by_role("button", name="tell").click)
    assert len(moved) == 3 and "“tell”" in moved[0] and moved[-1].startswith("the view")


def test_the_keyboard_reaches_controls(page):
    sound = "<button>one</button><input type=radio name=r aria-label=a checked><input type=radio name=r aria-label=b>"
    assert unreached_in(_view(page, f"{sound}<select aria-label=s><option>1</option></select>")) == []
    trap = "<button>one</button><button onkeydown='event.preventDefault()'>trap</button><button>three</button>"
    assert unreached_in(_view(page, trap)) == ["<button> “three”"]
    assert unnamed_in(_view(page, "<button></button><label>value <input></label><input>")) == [
        "<button> “”",
        "<input> “”",
    ]


def test_a_widget_alone_on_a_page_is_answered_by_its_python(browser):
    net = nn.HybridLambda(lambda F, x: F.relu(x))
    trace = print_trace(net, nd.ones((1, 2)))
    alone = Alone(browser, trace)
    alone.view.get_by_role("button", name="call again").click()
    alone.view.locator("section:not([aria-busy])").wait_for()
    assert len(trace.calls) == 4 and not alone.errors
    alone.close()
    page = Alone(browser, trace, kernel=False, dark=True)
    assert page.view.get_by_role("button", name="call again").is_visible() and not page.errors
    page.close()
