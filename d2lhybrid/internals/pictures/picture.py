"""The base class of all pictures: data, and representations of the data that need no scripts."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, ClassVar, TypeVar

from ..support.printing import printed
from ..support.words import translate
from .html import escape

__all__ = ["Picture", "action"]

_Method = TypeVar("_Method", bound=Callable[..., Any])

_HINT = "The buttons need anywidget: pip install anywidget"
#: VS Code sets at least one of these for its kernels. If its window is on another machine than the kernel
#: (WSL, a container, SSH), there is no VSCODE_PID. VS Code removes all of them from programs in its terminal.
_OF_VS_CODE = (
    "VSCODE_PID", "VSCODE_CWD", "VSCODE_IPC_HOOK_EXTHOST", "VSCODE_HANDLES_UNCAUGHT_ERRORS", "VSCODE_ESM_ENTRYPOINT",
    "VSCODE_AMD_ENTRYPOINT",
)  # fmt: skip


def action(method: _Method) -> _Method:
    """Mark a method as an action that a button in the browser may call by name, and return the method.

    Examples
    --------
    >>> class Answer(Picture):
    ...     @action
    ...     def ask_again(self):
    ...         ...
    >>> Answer.ask_again.is_action
    True
    """
    method.is_action = True  # type: ignore[attr-defined]
    return method


class Picture:
    """A picture: plain data, its text, its static page, and its widget in a notebook.

    A subclass computes its data on creation, and implements the representations. The interactive view is a script with
    the name :attr:`view_name`. The script draws the result of :meth:`to_dict` and computes nothing. Buttons of the view
    call methods of the picture that are marked with :func:`action`.

    Attributes
    ----------
    view_name : str
        Name of the script in ``d2lhybrid/internals/pictures/widgets/static``; empty if there is no interactive view.

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
        """Return the displayed data as dictionaries, lists, strings, and numbers.

        Raises
        ------
        NotImplementedError
            If the subclass does not override this method.
        """
        raise NotImplementedError

    def to_text(self) -> str:
        """Return the picture as plain text.

        Raises
        ------
        NotImplementedError
            If the subclass does not override this method.
        """
        raise NotImplementedError

    def to_html(self) -> str:
        """Return HTML that also works in untrusted notebooks, without scripts, style sheets, or inline SVG.

        Raises
        ------
        NotImplementedError
            If the subclass does not override this method.
        """
        raise NotImplementedError

    def to_html_within(self, room: int) -> str:
        """Return HTML like :meth:`to_html`, with at most about ``room`` bytes.

        A note replaces each omitted part. This implementation omits nothing, because most pictures are small.
        """
        return self.to_html()

    def widget(self) -> Any:
        """Return the interactive view. Each call returns the same object.

        Raises
        ------
        ImportError
            If anywidget is not installed.
        TypeError
            If the picture has no interactive view.
        """
        if self._view is None:
            if not self.view_name:
                raise TypeError(f"There is no interactive view of {type(self).__name__}")
            from .widgets import view_of

            self._view = view_of(self)
        return self._view

    def save(self, path: str | Path, title: str = "") -> Path:
        """Write the current state as a single page, for a slide, a blog, or a course's site.

        The page needs no kernel, no other files, and no other machine. The page is interactive except for features that
        require Python.

        Parameters
        ----------
        path : str or Path
            Path of the file, with the suffix ``.html`` or ``.htm``.
        title : str
            Title of the page; by default, the first line of the picture as text.

        Returns
        -------
        Path
            Path of the file.

        Raises
        ------
        ValueError
            If ``path`` has another suffix.

        Examples
        --------
        >>> from tempfile import TemporaryDirectory
        >>> from d2lhybrid import nd, print_trace
        >>> from d2lhybrid.gluon import nn
        >>> net = nn.Dense(2)
        >>> net.initialize()
        >>> with TemporaryDirectory() as folder:
        ...     page = print_trace(net, nd.ones((1, 3))).save(f"{folder}/page.html")
        ...     print(page.name, page.read_text()[:15])
        page.html <!DOCTYPE html>
        """
        from .widgets.page import save

        return save(self, path, title)

    @printed
    def __repr__(self) -> str:
        return self.to_text()

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> Any:
        data: dict[str, Any] = {"text/plain": self.to_text()}
        if self.view_name and _in_kernel():
            data |= self._for_a_notebook()
        elif _in_kernel():
            from .widgets.page import in_sight

            data["text/html"] = in_sight(self.to_html())
        else:
            data["text/html"] = self.to_html()
        return {k: v for k, v in data.items() if (not include or k in include) and k not in (exclude or ())}, {}

    def _for_a_notebook(self) -> dict[str, Any]:
        """Return the output of a cell: a self-contained page, which connects to the kernel if there is one."""
        from .widgets.page import embedded

        is_new = self._view is None
        try:
            view = self.widget()
        except ModuleNotFoundError:
            raise  # the view's own error, not a missing package
        except ImportError:
            hint = f'<p style="font-size: 12px; opacity: 0.7">{escape(translate(_HINT))}</p>'
            return {"text/html": embedded(self) + hint}
        if not is_new:  # existing views are updated, too
            view.refresh()
        return {"text/html": view.to_page(), **(view.as_model() if _outputs_are_apart() else {})}


def _shell() -> Any:
    """Return the current IPython shell, or None if there is none."""
    ipython = sys.modules.get("IPython")
    return None if ipython is None else ipython.get_ipython()


def _in_kernel() -> bool:
    """Return whether this process is a notebook's kernel; terminals show no widgets."""
    return getattr(_shell(), "kernel", None) is not None


def _outputs_are_apart() -> bool:
    """Return whether each output is a separate document that cannot access the kernel's models."""
    if "google.colab" in sys.modules or any(name in os.environ for name in _OF_VS_CODE):
        return True
    # VS Code passes the name of the open notebook to a kernel. A Jupyter server passes the name of the session, which
    # VS Code generates.
    namespace = getattr(_shell(), "user_ns", {})
    return "__vsc_ipynb_file__" in namespace or "-jvsc-" in os.environ.get("JPY_SESSION_NAME", "")


def to_json(data: Any) -> str:
    """Return data as compact JSON, which keeps notebooks small.

    Examples
    --------
    >>> to_json({"a": [1, 2]})
    '{"a":[1,2]}'
    """
    return json.dumps(data, ensure_ascii=False, separators=(",", ":"))
