"""The base of all widgets: data to the browser, actions back, and nothing computed in between."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, ClassVar, TypeVar

import anywidget
import traitlets

from ..theme import style_sheet

__all__ = ["Widget", "action"]

_STATIC = Path(__file__).parent / "static"
_Method = TypeVar("_Method", bound=Callable[..., Any])


def action(method: _Method) -> _Method:
    """Make a method something that the browser may ask for, by its name."""
    method.is_action = True  # type: ignore[attr-defined]
    return method


class Widget(anywidget.AnyWidget):
    """A view of a picture.

    A subclass names its script, ``static/NAME.js`` and perhaps ``static/NAME.css``, and has a method marked
    with :func:`action` for everything that a button does. After each action the picture's data are sent again.

    Parameters
    ----------
    picture : Picture
        What to show.
    """

    #: Name of the files in ``static/``, or the path of a script.
    script: ClassVar[str | Path] = ""
    data = traitlets.Dict().tag(sync=True)

    def __init_subclass__(cls, **kwargs: Any) -> None:
        if "script" not in vars(cls):  # such as the class that ipywidgets makes for each instance
            return super().__init_subclass__(**kwargs)
        cls._esm = _read("shared.js") + _read(f"{cls.script}.js" if isinstance(cls.script, str) else cls.script)
        cls._css = style_sheet() + _read("shared.css") + _read(f"{cls.script}.css")
        super().__init_subclass__(**kwargs)

    def __init__(self, picture: Any) -> None:
        self.picture = picture
        super().__init__(data=picture.to_dict())
        self.on_msg(self._receive)

    def act(self, name: str, **arguments: Any) -> None:
        """Do what a button does.

        Raises
        ------
        AttributeError
            If there is no such action.
        """
        method = getattr(type(self), name, None)
        if not getattr(method, "is_action", False):
            raise AttributeError(f"{type(self).__name__} has no action {name!r}")
        assert method is not None
        try:
            method(self, **arguments)
        finally:
            self.data = self.picture.to_dict()

    def _receive(self, widget: Any, content: Any, buffers: Any) -> None:
        """Answer the browser; an error is shown where the button is, for nobody sees the kernel's log."""
        problem = ""
        try:
            self.act(content["action"], **content.get("arguments", {}))
        except Exception as error:
            problem = "\n".join([f"{type(error).__name__}: {error}", *getattr(error, "__notes__", [])])
        self.send({"number": content.get("number"), "problem": problem})


def _read(name: str | Path) -> str:
    """Return a file without indentation and lines of comment: it is stored with every widget that is saved."""
    path = _STATIC / name
    lines = path.read_text(encoding="utf-8").split("\n") if path.is_file() else []
    stripped = [line.strip() for line in lines]
    return "".join(f"{line}\n" for line in stripped if line and not line.startswith("//"))
