"""The base class of all widgets, which only send data to the browser and receive actions."""

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
    """An interactive view of a picture in a notebook.

    The output of a cell is a page with the picture's data (:mod:`d2lhybrid.internals.pictures.widgets.page`). The page
    communicates with the widget while the kernel runs. Inside other widgets, the widget displays itself.

    The picture's ``view_name`` is the name of the script ``static/NAME.js`` and of the optional style sheet
    ``static/NAME.css``. Buttons can call the picture's methods that are marked with
    :func:`~d2lhybrid.internals.pictures.picture.action`, and methods of a subclass that only affect the view. After
    each action, the widget sends the picture's data again.

    Parameters
    ----------
    picture : Picture
        Picture to show.
    """

    #: Name of the script in ``static/``, or path of a script; by default the picture's ``view_name``.
    script: ClassVar[str | Path] = ""
    #: The data to draw. A page contains its initial data; the browser receives new data when it changes.
    data = traitlets.Dict().tag(sync=True)
    #: The key by which pages find this widget.
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
        """Run the action of a button, and refresh the view.

        Parameters
        ----------
        name : str
            Name of the method.
        **arguments : object
            Arguments of the method.

        Raises
        ------
        AttributeError
            If no action has this name.
        """
        able = [one for one in self.actors() if getattr(getattr(type(one), name, None), "is_action", False)]
        if not able:
            raise AttributeError(f"{type(self).__name__} has no action {name!r}")
        try:
            getattr(able[0], name)(**arguments)
        finally:
            self.refresh()

    def actors(self) -> tuple[Any, ...]:
        """Return the objects whose actions buttons can call: the view, then the picture."""
        return self, self.picture

    def refresh(self) -> None:
        """Send the picture's data if the data has changed."""
        data = page.data_of(self.picture)
        self._is_in_page = self._is_in_page and data == self.data
        self.data = data

    def get_state(self, key: Any = None, drop_defaults: bool = False) -> Any:
        """Return the state for a new view in the browser, without the data if the view's page already has the data."""
        state = super().get_state(key, drop_defaults)
        return state | {"data": {}} if key is None and self._is_in_page else state

    def save(self, path: str | Path, title: str = "") -> Path:
        """Write the current state as a page, and return the path.

        See :meth:`d2lhybrid.internals.pictures.picture.Picture.save`.
        """
        return page.save(self.picture, path, title, self.script)

    def to_page(self) -> str:
        """Return the view as part of a page. The view works without a kernel, and uses this widget if it exists."""
        return page.embedded(self.picture, self.script, self.key, data=self.data)

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None, **kwargs: Any) -> Any:
        return self.picture._repr_mimebundle_(include, exclude)

    def as_model(self) -> dict[str, Any]:
        """Return the widget as a cell output for Colab and VS Code, which isolate HTML outputs from the kernel."""
        bundle = super()._repr_mimebundle_()
        found = bundle[0] if isinstance(bundle, tuple) else bundle
        return {kind: value for kind, value in (found or {}).items() if kind != "text/plain"}

    def _receive(self, widget: Any, content: Any, buffers: Any) -> None:
        """Handle a message from the browser; show errors next to the button, because the kernel's log is invisible."""
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
