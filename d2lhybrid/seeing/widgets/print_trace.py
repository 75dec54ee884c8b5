"""The view of a PrintTrace: columns of calls beside the source, and buttons that really call the net."""

from __future__ import annotations

from typing import Any

from .base import Widget, action

__all__ = ["PrintTraceWidget", "view"]


class PrintTraceWidget(Widget):
    """Step through the calls of a net, and try what happens."""

    script = "print_trace"

    @property
    def trace(self) -> Any:
        """The trace that is shown."""
        return self.picture

    @action
    def again(self) -> None:
        """Call the net again."""
        self.trace.again()

    @action
    def new_shape(self, shape: str) -> None:
        """Call the net with inputs of another shape."""
        self.trace.new_shape(shape)

    @action
    def hybridize(self, active: bool) -> None:
        """Hybridize the net, or switch it off."""
        self.trace.hybridize(active)

    @action
    def set_attribute(self, path: str, value: str) -> None:
        """Change an attribute of the net."""
        self.trace.set_attribute(path, value)

    @action
    def look(self, what: str) -> None:
        """Show the memory plan, the times, or the first difference."""
        self.trace.look(what)


view = PrintTraceWidget
