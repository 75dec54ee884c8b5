"""A progress bar for measurements, in a notebook or a terminal."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from ..html import escape

__all__ = ["progress_bar"]

_WIDTH = 30
#: The maximum number of updates per second; each update takes time between measurements.
_EVERY = 0.1


@contextmanager
def progress_bar(label: str, show: bool = True) -> Iterator[Callable[[float], None]]:
    """Show a progress bar, which disappears at the end.

    Parameters
    ----------
    label : str
        Description of the measurement.
    show : bool
        Whether to show the progress bar.

    Yields
    ------
    callable
        A function that displays the progress, a number from 0 to 1.

    Examples
    --------
    >>> with progress_bar("Measuring") as progress:
    ...     progress(0.5)
    """
    shell = sys.modules.get("IPython")
    running = None if shell is None else shell.get_ipython()
    draw: Callable[[float | None], None] = lambda share: None  # noqa: E731  the case of nobody looking
    if show and getattr(running, "kernel", None) is not None:
        draw = _in_notebook(label)
    elif show and sys.stderr.isatty():
        draw = _in_terminal(label)
    last = -_EVERY

    def progress(share: float) -> None:
        nonlocal last
        now = time.monotonic()
        if now - last >= _EVERY:
            last = now
            draw(share)

    try:
        yield progress
    finally:
        draw(None)


def _in_notebook(label: str) -> Callable[[float | None], None]:
    from IPython.display import display

    def content(share: float) -> dict[str, str]:
        bar = f'<progress value="{share:.3f}" max="1" aria-label="{escape(label)}"></progress>'
        return {"text/plain": f"{label}: {share:.0%}", "text/html": f"{bar} {escape(label)} {share:.0%}"}

    handle: Any = None

    def draw(share: float | None) -> None:
        nonlocal handle
        if share is None:
            if handle is not None:
                handle.update({"text/plain": "", "text/html": ""}, raw=True)
        elif handle is None:
            handle = display(content(share), raw=True, display_id=True)
        else:
            handle.update(content(share), raw=True)

    return draw


def _in_terminal(label: str) -> Callable[[float | None], None]:
    def draw(share: float | None) -> None:
        line = "" if share is None else f"{label} [{'#' * round(_WIDTH * share):{_WIDTH}}] {share:4.0%}"
        print(f"\r\033[K{line}", end="", file=sys.stderr, flush=True)

    return draw
