"""Detection of notebook cells that redefine the displayed net or its classes."""

from __future__ import annotations

import sys
import weakref
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from . import Live

__all__ = ["Follow"]


class Follow:
    """A callback that checks after each cell of a notebook whether a net or its classes have been redefined."""

    def __init__(self, live: Live) -> None:
        self._live = weakref.ref(live)
        self._net_names = _names_of(live.net, None if live.where is None else live.where.names)
        self._known = {} if live.where is None else dict(live.where.classes)
        self._events: Any = None
        shell = sys.modules.get("IPython")
        running = None if shell is None else shell.get_ipython()
        if running is not None and live.where is not None:
            self._events = running.events
            self._events.register("post_run_cell", self.look)

    def look(self, *result: Any) -> None:
        """Check for changes after a cell has run."""
        live = self._live()
        if live is None or live.where is None:
            if self._events is not None:
                self._events.unregister("post_run_cell", self.look)
            return
        names = live.where.names
        net = next((names[n] for n in self._net_names if _is_newer(names.get(n), live)), None)
        newer = {}
        for name, known in list(self._known.items()):
            now = names.get(name)
            if isinstance(now, type) and now is not known and now.__qualname__ == known.__qualname__:
                self._known[name] = newer[name] = now
        if net is not None or newer:
            live.changed_outside(newer, net)


def _names_of(net: Any, names: dict[str, Any] | None) -> list[str]:
    return [name for name, value in (names or {}).items() if value is net and not name.startswith("_")]


def _is_newer(value: Any, live: Live) -> bool:
    return value is not live.net and type(value).__name__ == type(live.net).__name__ and hasattr(value, "_children")
