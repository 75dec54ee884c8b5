"""The built site, opened from the disk: `make site` first, or these tests skip."""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

import pytest

from .jupyter import ROOT, Offline
from .shots import shot

SITE = ROOT / "build" / "site"
pytestmark = pytest.mark.skipif(not (SITE / "index.html").is_file(), reason="the site is not built here: make site")

PHONE = {"width": 390, "height": 844}
DESKTOP = {"width": 1400, "height": 900}
#: One page of each kind.
PAGES = [
    "index.html", "others.html",
    "notebooks/02_hybrid_sequential.html", "notebooks/03_hybrid_block.html", "notebooks/08_gpu.html",
    "notebooks/06_inside_the_compiler.html", "notebooks/exercises/03_hybrid_block.html", "docs/onnx.html",
    "docs/compatibility.html", "docs/errors/H03-shape-of-a-symbol.html", "docs/decisions/README.html",
    "reference/operators/conv.html", "reference/nd.html", "reference/np.html", "reference/gluon-nn.html",
    "source/d2lhybrid/internals/core/node.py.html", "genindex.html",
    "zh/index.html", "zh/others.html", "zh/notebooks/03_hybrid_block.html",
    "zh/docs/errors/H03-shape-of-a-symbol.html",
]  # fmt: skip


def settled(page) -> None:
    """Wait until every picture of the page has its view."""
    page.wait_for_load_state("load")
    page.wait_for_function(
        "!document.querySelector('section.d2l:not([role=group])') || document.readyState === 'complete'"
    )
    page.wait_for_timeout(300)


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("name", PAGES)
def test_a_page_is_whole_on_a_desk_and_on_a_phone(browser, pictures, name, theme):
    opened = Offline(browser, SITE / name, color_scheme=theme, viewport=DESKTOP)
    page = opened.page
    settled(page)
    assert page.locator("h1").first.inner_text().strip()
    assert page.evaluate("document.documentElement.getAttribute('theme')") == theme
    background = page.evaluate("getComputedStyle(document.body).backgroundColor.match(/\\d+/g).slice(0, 3).map(Number)")
    assert (sum(background) < 380) == (theme == "dark")
    stem = f"site-{Path(name).with_suffix('').as_posix().replace('/', '-')}-{theme}"
    shot(page, pictures / f"{stem}-desk.png")
    page.set_viewport_size(PHONE)
    page.wait_for_timeout(200)
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"], "the page scrolls sideways"
    shot(page, pictures / f"{stem}-phone.png")
    opened.close()


# --- every page ----------------------------------------------------------------------------------------

ALL_PAGES = sorted(
    path.relative_to(SITE).as_posix() for path in SITE.rglob("*.html") if not path.is_relative_to(SITE / "lite")
)
#: What a page would load, and where its links lead, as the browser understands them.
_LEADS = """() => [...document.querySelectorAll("a[href], link[href], img[src], script[src], source[src], iframe[src]")]
    .map((e) => [e.localName, e.href || e.src])"""
#: What stands further to the right than the page is wide, to be named when it does.
_TOO_WIDE = """() => document.documentElement.scrollWidth <= window.innerWidth ? [] :
    [...document.querySelectorAll("body *")].filter((e) => e.getBoundingClientRect().right > window.innerWidth + 1)
    .slice(0, 3).map((e) => e.outerHTML.slice(0, 80))"""


@functools.cache
def target_of(address: str) -> tuple[Path, str, bool]:
    """Return the file that a link leads to, the place in it, and whether there is such a file."""
    parts = urlsplit(address)
    file = Path(unquote(parts.path))
    return file, unquote(parts.fragment), file.is_file()


def looked_at(opened: Offline, name: str) -> Iterator[str]:
    """Yield what is wrong with the page that is open, in both themes, on a desk and on a phone."""
    page, width = opened.page, 0
    for theme, size in (("light", DESKTOP), ("dark", DESKTOP), ("dark", PHONE), ("light", PHONE)):
        page.emulate_media(color_scheme=theme)
        if size["width"] != width:
            page.set_viewport_size(size)
            width = size["width"]
            yield from (f"{name}: wider than {width}: {what}" for what in page.evaluate(_TOO_WIDE))
        paper = page.evaluate("getComputedStyle(document.body).backgroundColor.match(/\\d+/g).slice(0, 3).map(Number)")
        if (sum(paper) < 380) != (theme == "dark"):
            yield f"{name}: its paper is {paper} in the {theme} theme"
    yield from (f"{name} says: {error}" for error in opened.errors)
    yield from (f"{name} asks {address}" for address in opened.asked)


@functools.cache
def places_in(file: Path) -> set[str]:
    """Return where a link may lead within a page."""
    return set(re.findall(r'\b(?:id|name)="([^"]+)"', file.read_text("utf-8")))


@pytest.mark.slow
@pytest.mark.parametrize("folder", sorted({name.rpartition("/")[0] for name in ALL_PAGES}))
def test_every_page_is_whole_and_every_link_leads_somewhere(browser, folder):
    names = [name for name in ALL_PAGES if name.rpartition("/")[0] == folder]
    opened = Offline(browser, SITE / names[0], viewport=DESKTOP)
    wrong: list[str] = []
    for name in names:
        opened.errors.clear()
        opened.asked.clear()
        opened.page.goto((SITE / name).as_uri(), wait_until="load")
        if not opened.page.locator("h1").count():
            wrong.append(f"{name} has no title")
        wrong += looked_at(opened, name)
        leads = opened.page.evaluate(_LEADS)
        assert len(leads) > 10, "links are found"
        for tag, address in leads:
            if not address.startswith("file:"):
                if tag != "a" and not address.startswith("data:"):
                    wrong.append(f"{name} loads {address}")
                continue
            target, place, there = target_of(address)
            if not there:
                wrong.append(f"{name} leads to {target}, which is not there")
            elif place and target.suffix == ".html" and target.is_relative_to(SITE) and place not in places_in(target):
                wrong.append(f"{name} leads to {address}, where there is no such place")
    opened.errors.clear()
    opened.asked.clear()
    opened.close()
    assert not wrong, "\n".join(wrong[:40])


#: What of a view is looked at: all but the times that pass by themselves.
_SHOWN = "(e) => e.innerHTML.replace(/\\d+(\\.\\d+)? ?(ms|µs|s)\\b/g, '')"


def moves(view: Any) -> bool:
    """Press what can be pressed in a view, one after another; return whether anything changed."""
    controls = view.locator("button:enabled, [role=tab], [role=slider], input[type=range], summary, select")
    for i in range(controls.count()):
        control = controls.nth(i)
        if not control.is_visible():
            continue
        before = view.evaluate(_SHOWN)
        if control.evaluate("(e) => e.localName === 'input' || e.getAttribute('role') === 'slider'"):
            control.focus()
            control.press("ArrowRight")
        else:
            control.click(force=True)
        view.page.wait_for_timeout(300)
        if view.evaluate(_SHOWN) != before:
            return True
    return False


@pytest.mark.slow
@pytest.mark.parametrize("size", [DESKTOP, PHONE], ids=["desk", "phone"])
@pytest.mark.parametrize("language", ["en", "zh"])
def test_every_picture_moves(browser, language, size):
    """Of every lesson, by something that can be pressed in it, without a kernel."""
    seen, still = 0, []
    for name in [name for name in ALL_PAGES if re.fullmatch(r"(zh/)?notebooks/\d\d_\w+\.html", name)]:
        if name.startswith("zh/") != (language == "zh"):
            continue
        opened = Offline(browser, SITE / name, viewport=size, reduced_motion="reduce")
        settled(opened.page)
        views = opened.page.locator("section.d2l[role=group]")
        for i in reversed(range(views.count())):  # what a view shows within it may be hidden when that has been used
            seen += 1
            view = views.nth(i)
            view.scroll_into_view_if_needed()
            if not moves(view):
                still.append(f"{name}: {view.inner_text()[:60]!r}")
        opened.close()
    assert seen >= 10 and not still


#: Lesson, what a student presses in one of its pictures, and what is shown only then, if that can be said.
STEPS = [
    ("01_imperative_and_symbolic", "^(step forward|下一步)", r"\b2 / 10"),
    ("02_hybrid_sequential", "^32", r"(?i)32: float32"),
    ("02_hybrid_sequential", "^(compiled|编译后)$", ""),
    ("03_hybrid_block", "^(next call|下一次调用)", "2 / 3"),
    ("06_inside_the_compiler", "^(Infer|推断)$", "2 of 8|shape|第 2 个，共 8 个"),
]


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize(("lesson", "button", "then"), STEPS)
def test_a_picture_moves_without_a_kernel(browser, lesson, button, then, language):
    file = SITE / ("zh" if language == "zh" else "") / "notebooks" / f"{lesson}.html"
    if not file.exists():
        pytest.skip("this lesson is not there in Chinese")
    opened = Offline(browser, file, viewport=DESKTOP, reduced_motion="reduce")
    views = opened.page.locator("section.d2l[role=group]")
    views.first.wait_for()
    settled(opened.page)
    assert not opened.page.locator(".d2l-alone:visible").count(), "nobody is told to run a cell"
    pressed = views.get_by_role("button", name=re.compile(button)).locator("visible=true")
    moved = False
    for i in range(pressed.count()):
        view = pressed.nth(i).locator("xpath=ancestor::section[contains(@class, 'd2l')][1]")
        before = view.inner_text()
        pressed.nth(i).click()
        opened.page.wait_for_timeout(400)
        after = view.inner_text()
        moved |= after != before and bool(re.search(then, after)) and not (then and re.search(then, before))
        if moved:
            break
    assert moved
    opened.close()


@pytest.mark.parametrize("top", ["", "zh"])
def test_the_first_page_begins_with_a_picture_that_moves(browser, top):
    opened = Offline(browser, SITE / top / "index.html", viewport=DESKTOP, reduced_motion="reduce")
    views = opened.page.locator("section.d2l[role=group]")
    views.first.wait_for()
    assert views.first.bounding_box()["y"] < DESKTOP["height"] / 2, "it is on the first screen"
    assert views.count() == 2 and all(moves(views.nth(i)) for i in (0, 1))
    links = opened.page.locator("article a").evaluate_all("(all) => all.map((a) => a.getAttribute('href'))")
    for number in range(11):
        assert any(re.match(rf"notebooks/{number:02}_", link) for link in links)
    opened.close()


@pytest.mark.parametrize(
    ("top", "word", "wanted"),
    [
        ("", "Convolution", "conv"),
        ("", "FullyConnected", "nn"),
        ("", "asnumpy", "reference/nd.html#nd.NDArray.asnumpy"),
        ("zh", "数值", "H01"),
        ("zh", "陷阱", "errors"),
    ],
)
def test_search_finds_pages(browser, top, word, wanted):
    opened = Offline(browser, SITE / top / "index.html", viewport=DESKTOP)
    page = opened.page
    page.locator(".sidebar-search").fill(word)
    page.locator(".sidebar-search").press("Enter")
    page.locator("#search-results li a").first.wait_for()
    found = page.locator("#search-results li a").evaluate_all("(all) => all.map((a) => a.getAttribute('href'))")
    assert any(wanted in address for address in found), found[:10]
    opened.close()


def test_the_index_is_one_column_on_a_phone(browser):
    opened = Offline(browser, SITE / "genindex.html", viewport=PHONE)
    right = "(all) => Math.max(...all.map((e) => e.getBoundingClientRect().right))"
    cells = opened.page.locator("table.indextable td")
    assert cells.evaluate_all(right) <= PHONE["width"]
    assert cells.first.bounding_box()["width"] > 300
    opened.close()


def test_one_gets_from_a_page_to_its_translation_and_back(browser):
    opened = Offline(browser, SITE / "notebooks" / "03_hybrid_block.html", viewport=DESKTOP)
    page = opened.page
    page.locator(".languages a").click()
    page.wait_for_url("**/zh/notebooks/03_hybrid_block.html")
    assert page.locator("html").get_attribute("lang") == "zh-CN"
    page.locator(".languages a").click()
    page.wait_for_url("**/site/notebooks/03_hybrid_block.html")
    opened.close()


def test_the_theme_is_changed_for_pictures_too(browser):
    opened = Offline(browser, SITE / "notebooks" / "03_hybrid_block.html", viewport=DESKTOP, color_scheme="light")
    page = opened.page
    view = page.locator("section.d2l[role=group]").first
    view.wait_for()
    ink = "(e) => getComputedStyle(e).getPropertyValue('--d2l-accent')"
    light = view.evaluate(ink)
    for _ in range(3):
        page.locator(".theme-toggle-content button").click()
        if page.evaluate("document.body.dataset.theme") == "dark":
            break
    assert view.evaluate(ink) != light
    opened.close()
