"""The time that pages of pictures take to open and to step, in milliseconds, appended to RESULTS.md.

A page opens when its first box or line is drawn. A step is the time from a click on the button until the new layout is
ready, without the animation that follows. The pages run in Chromium, without a kernel.
"""

from __future__ import annotations

import importlib.util
import os
import shutil
import statistics
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import picture_sizes

RESULTS = picture_sizes.RESULTS
#: The number of times that each page is opened.
ROUNDS = 7
#: Picture -> what is there when the page is open, and the label of the button for the next step.
PICTURES: dict[str, tuple[str, str]] = {
    "print_trace": (".pt-lane", "next call"),
    "compile_steps": (".cs .line", "step forward"),
    "graph": ("g.cv-n", ""),
}
_STEPS = """(label) => {
  const found = [], button = document.querySelector(`button[aria-label="${label}"]`);
  for (let k = 0; k < 12 && !button.disabled; k++) {
    const began = performance.now();
    button.click();
    document.body.getBoundingClientRect();  // a layout, now
    found.push(performance.now() - began);
  }
  return found;
}"""


def find_chromium() -> str | None:
    """Return the path of Chromium, or None."""
    names = ("chromium", "chromium-browser", "google-chrome")
    return os.environ.get("D2LHYBRID_CHROMIUM") or next(filter(None, map(shutil.which, names)), None)


def times_of(page: Any, file: Path, there: str, button: str) -> tuple[list[float], list[float]]:
    """Return the times of opening a page, and of all its steps, in milliseconds."""
    opened, steps = [], []
    for _ in range(ROUNDS):
        page.goto("about:blank")
        page.goto(file.as_uri())
        page.locator(there).first.wait_for(state="attached")
        opened.append(page.evaluate("performance.now()"))
        steps += page.evaluate(_STEPS, button) if button else []
    return opened, steps


def rows(names: list[str]) -> list[str]:
    """Return the rows of the table."""
    from playwright.sync_api import sync_playwright

    found = []
    with sync_playwright() as driver, tempfile.TemporaryDirectory() as folder:
        browser = driver.chromium.launch(executable_path=find_chromium(), args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": 1280, "height": 800})
        for name in names:
            makes: dict[str, Callable[[], Any]] = picture_sizes.pictures_of(name)
            for title, (there, button) in PICTURES.items():
                file = makes[title]().save(Path(folder) / "page.html")
                opened, steps = times_of(page, Path(file), there, button)
                cells = [f"{statistics.median(opened):.0f}"]
                cells += [f"{statistics.median(steps):.1f}", f"{max(steps):.1f}"] if steps else ["", ""]
                found.append(f"| {name} | `{title}` | {' | '.join(cells)} |")
                print(found[-1], flush=True)
        browser.close()
    return found


def main() -> None:
    if importlib.util.find_spec("playwright") is None or find_chromium() is None:
        print("picture_speed.py needs Chromium, and Playwright: make dev-environment")
        return
    lines = ["", "## How quickly pictures respond", "",
             "| net | picture | opens, ms | a step, ms | the slowest step, ms |", "|---|---|--:|--:|--:|"]  # fmt: skip
    print("\n".join(lines[-2:]))
    lines += rows(sys.argv[1:] or [*picture_sizes.NETS])
    if len(sys.argv) == 1:
        before, _, after = RESULTS.read_text().partition("\n## How quickly pictures respond")
        rest = after.partition("\n## ")[2]
        more = f"\n## {rest}".rstrip("\n") if rest else ""
        RESULTS.write_text("\n".join([before.rstrip("\n") + more, *lines]) + "\n")


if __name__ == "__main__":
    main()
