"""The view of a PrintTrace: columns of calls beside the source, and buttons that really call the net."""

from __future__ import annotations

from .base import Widget, action

__all__ = ["PrintTraceWidget", "view"]


class PrintTraceWidget(Widget):
    """Step through the calls of a net, and try what happens."""

    script = "print_trace"

    @action
    def again(self) -> None:
        """Call the net again."""
        self.picture.again()

    @action
    def new_shape(self, shape: str) -> None:
        """Call the net with inputs of another shape."""
        self.picture.new_shape(shape)

    @action
    def hybridize(self, active: bool) -> None:
        """Hybridize the net, or switch it off."""
        self.picture.hybridize(active)

    @action
    def set_attribute(self, path: str, value: str) -> None:
        """Change an attribute of the net."""
        self.picture.set_attribute(path, value)

    @action
    def look(self, what: str) -> None:
        """Show the memory plan, the times, or the first difference."""
        self.picture.look(what)


view = PrintTraceWidget
