"""Photograph the widgets for README: ``make pictures``.

Every picture is a real widget of a net that really ran (``shown.py``), in Debian's Chromium, on a light page and on a
dark one. The one that moves is the widget's own performance, with a clock that stands still while a picture is taken.
What can be read in each is written into ``seen.json``: a test looks whether the widgets still say so.
"""

from __future__ import annotations

import argparse
import base64
import contextlib
import functools
import io
import json
import re
import sys
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
sys.path.insert(0, str(Path(__file__).resolve().parent))

import nbformat
from PIL import Image
from playwright.sync_api import sync_playwright
from shown import SHOWN, timing

from tests.browser.jupyter import FLAGS, find_chromium

__all__ = ["SHOTS", "Shot", "main", "opened", "seen", "to_the_end"]

FOLDER = Path(__file__).resolve().parent
THEMES = ("light", "dark")
#: Pixels for each of CSS: pictures are sharp on a good screen, and when they are enlarged.
_SCALE = 2
_STYLE = """
html, body { background: transparent !important; }
body { margin: 0 !important; padding: 0 !important; max-width: none !important; }
section.d2l { margin: 0 !important; font-variant-ligatures: none; }
.d2l { --d2l-sans: Inter, system-ui, sans-serif !important; --d2l-mono: 'JetBrains Mono', monospace !important; }
"""
#: Of the performance, in milliseconds: between two looks; how long its beginning, its question and its end stay.
_TICK, _BEGIN, _QUESTION, _END = 420, 1200, 2800, 4500


@dataclass(frozen=True)
class Shot:
    """One picture: a widget, how wide it is, what of it is left out, and what is pressed.

    Attributes
    ----------
    shows : str
        Name in ``shown.SHOWN``.
    width : int
        Of the widget, in pixels of CSS.
    without : str
        CSS selectors of parts that are not in the picture.
    press : callable
        Brings the page to the state that is shown.
    measured : bool
        Whether what it says depends on the machine, and on what else it does.
    moves : bool
        Whether the widget's performance is recorded; its end is kept as a picture, too.
    style : str
        More CSS.
    """

    shows: str
    width: int
    without: str = ""
    press: Callable[[Any], None] = field(default=lambda page: None)
    measured: bool = False
    moves: bool = False
    style: str = ""


def to_the_end(page: Any) -> None:
    """Go to the last call, and let the question be answered; the buttons may be out of sight."""
    for button in ("[aria-label='next call']", "[aria-label='next call']", ".pt-skip"):
        page.locator(button).evaluate("(button) => button.click()")


def _with_signs(page: Any) -> None:
    to_the_end(page)
    page.get_by_role("button", name="Signs", exact=True).click()


def _run(page: Any) -> None:
    page.get_by_role("button", name="Run", exact=True).click()


def _at(part: str, pixels: int) -> str:
    return f"{part} {{ height: {pixels}px !important; box-sizing: border-box; }} "


def _as_high_as(pixels: int) -> str:
    """Return the style of a picture that stands beside another one."""
    return _at("section.d2l", pixels) + ".pt-why { min-height: 0 !important; } "


_UNDER_THE_CONSOLES = ".pt-inspect, .pt-foot"
#: Without the controls, the reason is the first thing in the picture, and needs no line above it.
_REASON_FIRST = ".pt-why { border-top: 0 !important; padding-top: 0 !important; }"
#: Name of a picture -> how it is taken.
SHOTS = {
    "vanishing": Shot("trace", 830, f"{_UNDER_THE_CONSOLES}, .pt-controls", moves=True, style=_REASON_FIRST),
    "vanishing-phone": Shot(
        "trace", 360, f"{_UNDER_THE_CONSOLES}, .pt-controls, .pt-body", moves=True, style=_REASON_FIRST
    ),
    "trace": Shot("trace", 410, ".pt-head, .pt-lane, .pt-console", _with_signs, style=_as_high_as(584)),
    "timing": Shot("timing", 410, ".d2l-times-said, details, .d2l-whole", measured=True, style=_as_high_as(584)),
    "graph": Shot("graph", 410, ".gv-bar > :not(h3), .gv-side", style=_as_high_as(700) + _at(".gv-canvas", 460)),
    "steps": Shot("steps", 410, ".tabs, .d2l-whole", _run, style=_as_high_as(700) + _at(".stage", 380)),
}


def opened(browser: Any, shot: Shot, page_file: Path, theme: str = "light") -> Any:
    """Return a page with the widget of a shot, in its state."""
    page = browser.new_page(
        viewport={"width": shot.width, "height": 1200}, color_scheme=theme, device_scale_factor=_SCALE,
        reduced_motion="no-preference" if shot.moves else "reduce",
    )  # fmt: skip
    if shot.moves:
        page.clock.install()
    page.goto(page_file.as_uri())
    page.locator("section.d2l").first.wait_for()
    shot.press(page)
    hidden = f"{shot.without} {{ display: none !important; }}" if shot.without else ""
    page.add_style_tag(content=_STYLE + shot.style + hidden)
    page.evaluate("document.fonts.ready")
    page.wait_for_timeout(500)
    return page


def seen(page: Any) -> str:
    """Return what can be read in a picture, with every number of a measurement as #."""
    text = page.locator("section.d2l").first.inner_text()
    text = "\n".join(" ".join(line.split()) for line in text.split("\n") if line.strip())
    return re.sub(r"\d+(\.\d+)?(?=×(?!\d)| ?%| ?(ms|µs|ns|s)\b)", "#", text)


def _photograph(page: Any) -> Image.Image:
    data = page.locator("section.d2l").first.screenshot(omit_background=True, animations="disabled")
    return Image.open(io.BytesIO(data)).convert("RGBA")


def _performance(page: Any) -> Iterator[tuple[Image.Image, int]]:
    """Play, and give what is seen and for how long; what the widget asks is answered after a while."""
    page.clock.pause_at(page.evaluate("Date.now()") + 1000)
    play, skip = page.locator(".pt-play"), page.locator(".pt-skip")
    yield _photograph(page), _BEGIN
    play.evaluate("(button) => button.click()")
    while "❚❚" in play.text_content():
        yield _photograph(page), _TICK
        page.clock.run_for(_TICK)
        page.wait_for_timeout(20)
    if skip.count():
        yield _photograph(page), _QUESTION
        skip.click()
    yield _photograph(page), _END


def _write_moving(frames: list[tuple[Image.Image, int]], name: str) -> None:
    kept: list[tuple[Image.Image, int]] = []
    for image, duration in frames:
        if kept and kept[-1][0].tobytes() == image.tobytes():
            kept[-1] = (image, kept[-1][1] + duration)
        else:
            kept.append((image, duration))
    images = [image for image, _ in kept]
    images[0].save(
        FOLDER / f"{name}.webp", save_all=True, append_images=images[1:], duration=[d for _, d in kept], loop=0,
        lossless=True, quality=75, method=4, minimize_size=True,
    )  # fmt: skip


def _write(image: Image.Image, name: str) -> None:
    image.save(FOLDER / f"{name}.webp", lossless=True, quality=75, method=4)


# --- a notebook as it looks when it has run ---

#: The notebook, and where it goes: what shows notebooks without running them shows this one with its pictures.
NOTEBOOK, PREVIEW = "notebooks/00_start_here.ipynb", "docs/pictures/00_start_here.ipynb"
_NOTE = (
    "> This is [the first notebook]({file}) with its outputs, for pages that show notebooks without running them. "
    "To use the buttons of its pictures, open the notebook in JupyterLab with `make lab`."
)


def preview_of(notebook: Any) -> Any:
    """Return a notebook with links that lead somewhere from where the preview is, and a note below its title."""
    up = "../../notebooks/"
    for cell in notebook.cells:
        if cell.cell_type == "markdown":
            cell.source = re.sub(r"\]\((?![a-z]+:|#)", f"]({up}", cell.source)
    title, _, rest = notebook.cells[0].source.partition("\n")
    notebook.cells[0].source = f"{title}\n\n{_NOTE.format(file=f'../../{NOTEBOOK}')}\n{rest}"
    return notebook


def _png(browser: Any, widget: str, page_file: Path) -> str:
    """Return a photograph of a widget in a notebook, when all has been seen, as the notebook keeps it."""
    page_file.write_text(f"<!DOCTYPE html><meta charset=utf-8>{widget}", "utf-8")
    page = opened(browser, Shot("trace", 830, ".pt-controls", to_the_end), page_file)
    picture = io.BytesIO()
    _photograph(page).convert("RGB").quantize(256).save(picture, "PNG", optimize=True)
    page.close()
    return base64.b64encode(picture.getvalue()).decode()


def _ran(folder: Path) -> Any:
    """Return the notebook after all its cells have run."""
    sys.path.insert(0, str(FOLDER.parent / "site"))
    from lessons import executed, package_hash

    return executed(NOTEBOOK, folder, package_hash())


def _take_preview(browser: Any, notebook: Any, folder: Path) -> None:
    """Put photographs in the place of a notebook's widgets, and write it down."""
    for cell in notebook.cells:
        cell.metadata.pop("execution", None)
        if "doctor" in cell.source and cell.cell_type == "code":  # what it says is of this machine alone
            cell.outputs, cell.execution_count = [], None
        for output in cell.get("outputs", []):
            page = output.get("data", {}).pop("text/html", "")
            if "currentScript" in page:
                output["data"]["image/png"] = _png(browser, page, folder / "cell.html")
    text = nbformat.writes(preview_of(notebook)).rstrip("\n") + "\n"
    (FOLDER.parents[1] / PREVIEW).write_text(text, "utf-8")
    print(f"{PREVIEW}: {len(text) / 1000:.0f} kB")


def main() -> int:
    """Run from the command line; the exit status."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"of {', '.join(SHOTS)}, notebook; by default all")
    wanted = parser.parse_args().names or [*SHOTS, "notebook"]
    names = [name for name in wanted if name != "notebook"]
    chromium = find_chromium()
    if chromium is None:
        print("There is no browser: sudo apt install chromium, or name one in D2LHYBRID_CHROMIUM.", file=sys.stderr)
        return 1
    record = FOLDER / "seen.json"
    texts = json.loads(record.read_text("utf-8")) if record.exists() else {}
    with tempfile.TemporaryDirectory() as folder, contextlib.ExitStack() as stack:
        notebook = _ran(Path(folder)) if "notebook" in wanted else None
        driver = stack.enter_context(sync_playwright())  # whose event loop a notebook would not run in
        makes = SHOWN | {"timing": functools.partial(timing, tries=5)}
        pages = {
            shows: makes[shows]().save(f"{folder}/{shows}.html") for shows in {SHOTS[name].shows for name in names}
        }
        browser = driver.chromium.launch(executable_path=chromium, headless=True, args=FLAGS)
        for name in names:
            shot = SHOTS[name]
            for theme in THEMES:
                page = opened(browser, shot, pages[shot.shows], theme)
                if shot.moves:
                    frames = list(_performance(page))
                    _write_moving(frames, f"{name}-{theme}")
                    _write(frames[-1][0], f"{name}-still-{theme}")
                else:
                    _write(_photograph(page), f"{name}-{theme}")
                texts[name] = seen(page)
                page.close()
                for path in sorted([*FOLDER.glob(f"{name}-{theme}.webp"), *FOLDER.glob(f"{name}-still-{theme}.webp")]):
                    with Image.open(path) as image:
                        print(f"{path.name}: {image.size[0]}×{image.size[1]}, {path.stat().st_size / 1000:.0f} kB")
        if notebook is not None:
            _take_preview(browser, notebook, Path(folder))
        browser.close()
    record.write_text(
        json.dumps({name: texts[name] for name in SHOTS if name in texts}, indent=1, ensure_ascii=False) + "\n", "utf-8"
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
