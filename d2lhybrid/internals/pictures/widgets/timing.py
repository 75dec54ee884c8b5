"""The widget of a comparison or a sweep, with buttons that measure again, and a slider for the values of a sweep."""

from __future__ import annotations

import time
from collections.abc import Callable

from .base import Widget, action

__all__ = ["TimingWidget"]

#: The interval of progress bar updates, in seconds.
_EVERY = 0.1


class TimingWidget(Widget):
    """The widget of a :class:`~.timing.Comparison` or a :class:`~.timing.Sweep`."""

    def _progress(self) -> Callable[[float], None]:
        last = 0.0

        def tell(share: float) -> None:
            nonlocal last
            if time.monotonic() - last >= _EVERY:
                last = time.monotonic()
                self.send({"progress": round(share, 3)})

        return tell

    @action
    def measure(self) -> None:
        """Repeat all measurements of the picture."""
        if hasattr(self.picture, "values"):
            self.picture.measure_all(self._progress())
        else:
            self.picture.measure(self._progress())

    @action
    def look_at(self, value: int) -> None:
        """Select a value of the picture's sweep, and measure it first if it has not been measured."""
        self.picture.look_at(value, self._progress())


view = TimingWidget
