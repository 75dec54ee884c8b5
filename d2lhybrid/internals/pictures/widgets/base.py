"""The base of all widgets: data to the browser, actions back, and nothing computed in between."""

from __future__ import annotations

import uuid
from pathlib import Path
from typing import Any, ClassVar

import anywidget
import traitlets

from ..picture import action
from . import page

__all__ = ["Widget", "action"]


class Widget(anywidget.AnyWidget):
    """A view of a picture.

    The output of a cell is a page with the picture's data (:mod:`d2lhybrid.internals.pictures.widgets.page`); the
    widget is what the page talks with while the kernel runs. Inside of other widgets it shows itself.

    The script, ``static/NAME.js``, and perhaps ``static/NAME.css``, has the name that the picture gives. A button may
    ask for the picture's methods that are marked with :func:`~d2lhybrid.internals.pictures.picture.action`, and for
    those of a subclass, for what is no matter of the picture. After each action the picture's data are sent again.

    Parameters
    ----------
    picture : Picture
        What to show.
    """

    #: Name of the files in ``static/``, or the path of a script; the picture's ``view_name`` by default.
    script: ClassVar[str | Path] = ""
    #: What is drawn. A page has the data that it began with: the browser is sent others when there are others.
    data = traitlets.Dict().tag(sync=True)
    #: How pages find this widget.
    key = traitlets.Unicode().tag(sync=True)

    _esm = page.model_script()

    def __init__(self, picture: Any) -> None:
        self.picture = picture
        key = uuid.uuid4().hex
        self._is_in_page = True
        super().__init__(data=page.data_of(picture), key=key, model_id=key)
        self.on_msg(self._receive)
        if picture._view is None:
            picture._view = self

    def act(self, name: str, **arguments: Any) -> None:
        """Run the action of a button.

        Raises
        ------
        AttributeError
            If there is no such action.
        """
        able = [one for one in self.actors() if getattr(getattr(type(one), name, None), "is_action", False)]
        if not able:
            raise AttributeError(f"{type(self).__name__} has no action {name!r}")
        try:
            getattr(able[0], name)(**arguments)
        finally:
            self.refresh()

    def actors(self) -> tuple[Any, ...]:
        """Return whose actions buttons may ask for: those of the view, before those of the picture."""
        return self, self.picture

    def refresh(self) -> None:
        """Send the data of the picture again, if it has changed."""
        data = page.data_of(self.picture)
        self._is_in_page = self._is_in_page and data == self.data
        self.data = data

    def get_state(self, key: Any = None, drop_defaults: bool = False) -> Any:
        """Return the state for a new view in the browser; without the data, if they are in its page."""
        state = super().get_state(key, drop_defaults)
        return state | {"data": {}} if key is None and self._is_in_page else state

    def save(self, path: str | Path, title: str = "") -> Path:
        """Write what is seen now as one page, as :meth:`d2lhybrid.internals.pictures.picture.Picture.save` does."""
        return page.save(self.picture, path, title, self.script)

    def to_page(self) -> str:
        """Return the view as part of a page, which draws without a kernel and uses this widget if there is one."""
        return page.embedded(self.picture, self.script, self.key, data=self.data)

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None, **kwargs: Any) -> Any:
        return self.picture._repr_mimebundle_(include, exclude)

    def as_model(self) -> dict[str, Any]:
        """Return the output of a cell where pages and kernels' models are kept apart, as in Colab and VS Code."""
        bundle = super()._repr_mimebundle_()
        found = bundle[0] if isinstance(bundle, tuple) else bundle
        return {kind: value for kind, value in (found or {}).items() if kind != "text/plain"}

    def _receive(self, widget: Any, content: Any, buffers: Any) -> None:
        """Answer the browser; an error is shown next to the button, as the kernel's log is invisible."""
        if content["action"] == "page":
            self.refresh()
            self.send({"page": page.packed(self.picture, self.script, self.key, data=self.data)})
            return
        problem = ""
        try:
            self.act(content["action"], **content.get("arguments", {}))
        except Exception as error:
            problem = "\n".join([f"{type(error).__name__}: {error}", *getattr(error, "__notes__", [])])
        self.send({"number": content.get("number"), "problem": problem})
