"""What can be asserted of the layout of any view: nothing is cut, nothing jumps, every control is reached.

Each function takes a locator of one element, waits until its animations are over, and returns a list of what is wrong,
in words; so a test says ``assert not problems_of(view)``.

- Text of a program may scroll sideways, in ``pre``, ``code`` and ``[data-code]``. Nothing else may.
- A drawing that can be dragged is marked ``data-pans``: what lies outside of it is not lost.
- What lies over other things on purpose has ``role="tooltip"``, is a popover or a dialog, or is ``aria-hidden``.
"""

from __future__ import annotations

import contextlib
import functools
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest

__all__ = [
    "WIDTHS",
    "by_turns",
    "contrasts_below",
    "faults_by_axe",
    "moved_by",
    "problems_of",
    "unnamed_in",
    "unreached_in",
    "width_of",
]

#: Widths of a view: JupyterLab with two panels on a laptop, with one, and alone.
WIDTHS = (460, 700, 1100)
_SCRIPT = (Path(__file__).parent / "layout.js").read_text(encoding="utf-8")


def _measure(view: Any, name: str, *arguments: Any) -> Any:
    """Call a function of ``layout.js`` with the element and with what else it takes; a page is given the file once."""
    call = f"async (root, rest) => window.d2lLayout && {{ found: await window.d2lLayout.{name}(root, ...rest) }}"
    answer = view.evaluate(call, list(arguments))
    if answer is None:
        view.evaluate(f"() => {{ window.d2lLayout = (() => {{ {_SCRIPT}; return d2lLayout; }})(); }}")
        answer = view.evaluate(call, list(arguments))
    return answer.get("found")


def by_turns(cases: Iterable[Any]) -> list[tuple[Any, str]]:
    """Return each case with a language, by turns English and Chinese, and the first with both.

    The words of a view depend on the language, and what lies around them on the case: each is seen in several of the
    other.

    Examples
    --------
    >>> by_turns(["the lesson's", "long lines", "a Block"])
    [("the lesson's", 'zh'), ("the lesson's", 'en'), ('long lines', 'zh'), ('a Block', 'en')]
    """
    first, *rest = cases
    return [(first, "zh"), *((case, ("en", "zh")[i % 2]) for i, case in enumerate([first, *rest]))]


@contextlib.contextmanager
def width_of(view: Any, width: int) -> Iterator[None]:
    """Give a view a width in pixels for a while: that of the box around it, as a narrow window would."""
    was = view.evaluate(
        "(e, width) => { const box = e.parentElement; const was = box.getAttribute('style') ?? '';"
        " box.style.cssText += `;width: ${width}px; max-width: none; min-width: 0; flex: none; box-sizing: border-box`;"
        " return was; }",
        width,
    )
    try:
        yield
    finally:
        view.evaluate("(e, was) => e.parentElement.setAttribute('style', was)", was)


def problems_of(view: Any, smallest: float = 10) -> list[str]:
    """Return which text is cut off, squeezed, scrolls sideways, lies over another, or is smaller than so many px."""
    return _measure(view, "problems", smallest)


def contrasts_below(view: Any, ratio: float = 4.5) -> list[str]:
    """Return which text has less contrast with what lies under it; large text may have 3."""
    return _measure(view, "contrasts", ratio)


@functools.cache
def _axe() -> str:
    """Return the script of axe-core."""
    package = pytest.importorskip("axe_playwright_python", reason="axe-core is not installed")
    return (Path(package.__file__).parent / "axe.min.js").read_text(encoding="utf-8")


def faults_by_axe(view: Any) -> list[str]:
    """Return what breaks a rule of axe-core: contrast, names, roles, what the keyboard reaches, structure."""
    if not view.evaluate("() => 'axe' in window"):
        view.page.evaluate(_axe())
    return view.evaluate(
        "async (e) => (await axe.run(e)).violations.flatMap((v) =>"
        " v.nodes.map((n) => `${v.id}: ${n.html.slice(0, 160)} ${n.failureSummary}`))"
    )


def moved_by(view: Any, action: Callable[[], Any], taller: bool = False, resized: str = "") -> list[str]:
    """Do something, and return which controls of the view were moved by it or changed their size.

    Parameters
    ----------
    view : Locator
        The view.
    action : callable
        What a student does. It has to wait for its effect.
    taller : bool
        Whether the view may get another height, which moves the cells below it.
    resized : str
        The beginning of the names of regions that may get another height, and stay where they begin.
    """
    before = _measure(view, "places")
    action()
    after = _measure(view, "places")
    now = dict(after["controls"])
    found = [
        f"{name}: {place} became {now[name]}"
        for name, place in before["controls"]
        if name in now
        and any(abs(a - b) > 1 for a, b in [*zip(place, now[name], strict=True)][: _compared(name, resized)])
    ]
    size = zip(before["size"], after["size"], strict=True)
    if not taller and any(abs(a - b) > 1 for a, b in size):
        found.append(f"the view: {before['size']} became {after['size']}")
    return found


def _compared(name: str, resized: str) -> int:
    """Return how many of a control's numbers have to stay: left, top, width, and the height unless it may change."""
    return 3 if resized and name.startswith(resized) else 4


def unreached_in(view: Any) -> list[str]:
    """Return which controls the Tab key does not reach, one after the other from the first of them."""
    _measure(view, "number")
    page = view.page
    stops = view.locator("[data-d2l-stop]")
    expected = stops.evaluate_all("(all) => all.map((e) => [e.dataset.d2lStop, window.d2lLayout.name(e)])")
    if not expected:
        return []
    reached: set[str] = set()
    stops.first.focus()
    _measure(view, "follow")
    for _ in range(3):
        for _ in expected:
            page.keyboard.press("Tab")
        reached = {*_measure(view, "followed")}
        if reached >= {key for key, _ in expected}:
            break
    return [name for key, name in expected if key not in reached]


def unnamed_in(view: Any) -> list[str]:
    """Return which controls have no name that a screen reader could say."""
    return _measure(view, "unnamed")
