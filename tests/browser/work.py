"""What a page works while something is done: processor time and counts, which do not depend on who else is at work."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

__all__ = ["Work", "work_of"]


@dataclass
class Work:
    """What a page has done.

    Attributes
    ----------
    seconds : float
        Processor time of the thread that runs scripts, lays out and paints.
    layouts, styles : int
        How often the page was laid out, and how often its styles were computed. A script that reads a place or a size
        after it has changed something forces either.
    """

    seconds: float = 0.0
    layouts: int = 0
    styles: int = 0


@contextlib.contextmanager
def work_of(page: Any, settle: int = 300) -> Iterator[Work]:
    """Measure what a page works, up to so many milliseconds after the block: what it left to do is done by then."""
    session = page.context.new_cdp_session(page)
    session.send("Performance.enable", {"timeDomain": "threadTicks"})

    def now() -> dict[str, float]:
        return {m["name"]: m["value"] for m in session.send("Performance.getMetrics")["metrics"]}

    before, found = now(), Work()
    yield found
    page.wait_for_timeout(settle)
    after = now()
    found.seconds = after["TaskDuration"] - before["TaskDuration"]
    found.layouts = int(after["LayoutCount"] - before["LayoutCount"])
    found.styles = int(after["RecalcStyleCount"] - before["RecalcStyleCount"])
    session.detach()
