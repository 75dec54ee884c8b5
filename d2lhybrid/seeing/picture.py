"""The base of everything that can be looked at: data, and three forms of it that need no script."""

from __future__ import annotations

import json
import sys
from typing import Any, ClassVar

from ..support.printing import printed
from ..support.words import translate
from .html import escape

__all__ = ["Picture"]

_HINT = "The interactive view needs anywidget: pip install anywidget"


class Picture:
    """Something to look at: plain data, its text, its static page, and in a notebook its widget.

    A subclass computes its data when it is made, and says how to write it down. The widget, in the
    module of ``d2lhybrid.seeing.widgets`` that :attr:`view_name` names, shows :meth:`to_dict` and computes nothing.

    Attributes
    ----------
    view_name : str
        Module in ``d2lhybrid.seeing.widgets`` with the interactive view; empty if there is none.

    Examples
    --------
    >>> class Answer(Picture):
    ...     def to_dict(self):
    ...         return {"answer": 42}
    ...     def to_text(self):
    ...         return "The answer is 42."
    ...     def to_html(self):
    ...         return "<p>The answer is <b>42</b>.</p>"
    >>> Answer()
    The answer is 42.
    """

    view_name: ClassVar[str] = ""
    _view: Any = None

    def to_dict(self) -> dict[str, Any]:
        """Return everything that is shown, as dictionaries, lists, texts and numbers."""
        raise NotImplementedError

    def to_text(self) -> str:
        """Return it as plain text."""
        raise NotImplementedError

    def to_html(self) -> str:
        """Return it as HTML that an untrusted notebook shows too: no script, no style sheet, no inline SVG."""
        raise NotImplementedError

    def widget(self) -> Any:
        """Return the interactive view; the same one each time.

        Raises
        ------
        ImportError
            If anywidget is not installed.
        TypeError
            If there is no interactive view of this.
        """
        if self._view is None:
            if not self.view_name:
                raise TypeError(f"There is no interactive view of {type(self).__name__}")
            from .widgets import view_of

            self._view = view_of(self)
        return self._view

    @printed
    def __repr__(self) -> str:
        return self.to_text()

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> Any:
        data: dict[str, Any] = {"text/plain": self.to_text(), "text/html": self.to_html()}
        metadata: dict[str, Any] = {}
        if self.view_name and _in_kernel():
            try:
                view = self.widget()
            except ModuleNotFoundError:
                raise  # of the view itself: a fault, not a missing package
            except ImportError:
                data["text/html"] += f'<p style="font-size: 12px; opacity: 0.7">{escape(translate(_HINT))}</p>'
            else:
                bundle = view._repr_mimebundle_()
                more, metadata = bundle if isinstance(bundle, tuple) else (bundle, {})
                data |= {kind: value for kind, value in more.items() if kind != "text/plain"}
        data = {k: v for k, v in data.items() if (not include or k in include) and k not in (exclude or ())}
        return data, metadata


def _in_kernel() -> bool:
    """Return whether this runs in a notebook's kernel: a terminal shows no widgets."""
    shell = sys.modules.get("IPython")
    running = None if shell is None else shell.get_ipython()
    return getattr(running, "kernel", None) is not None


def to_json(data: Any) -> str:
    """Return data as compact JSON, as it travels to a widget; its length is what a notebook pays.

    Examples
    --------
    >>> to_json({"a": [1, 2]})
    '{"a":[1,2]}'
    """
    return json.dumps(data, ensure_ascii=False, separators=(",", ":"))
