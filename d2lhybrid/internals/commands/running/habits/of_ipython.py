"""Names that IPython has removed since 2019."""

from __future__ import annotations

import importlib
from typing import Any

from .restoring import names

__all__ = ["CHANGES", "GONE"]


def _display(module: Any) -> None:
    inline = "matplotlib_inline.backend_inline"
    rows = {
        name: (lambda name=name: getattr(importlib.import_module(inline), name), f"{inline}.{name}")
        for name in ("set_matplotlib_formats", "set_matplotlib_close")
    }
    names(module, {name: row for name, row in rows.items() if not hasattr(module, name)})


#: The former content of ``IPython.core.display``.
_SHOWN = [
    "Audio",
    "Code",
    "FileLink",
    "FileLinks",
    "GeoJSON",
    "HTML",
    "IFrame",
    "Image",
    "JSON",
    "Javascript",
    "Latex",
    "Markdown",
    "Math",
    "Pretty",
    "ProgressBar",
    "SVG",
    "Video",
    "YouTubeVideo",
    "clear_output",
    "display",
    "display_html",
    "display_markdown",
    "display_png",
    "update_display",
]


def _core_display(module: Any) -> None:
    rows = {
        name: (lambda name=name: getattr(importlib.import_module("IPython.display"), name), "IPython.display." + name)
        for name in _SHOWN
        if not hasattr(module, name)
    }
    names(module, rows)


#: Module -> the function that restores names when it is imported.
CHANGES = {"IPython.core.display": _core_display, "IPython.display": _display}

#: Removed modules.
GONE: dict[str, Any] = {
    "IPython.html": "ipywidgets",
    "IPython.html.widgets": "ipywidgets",
    "IPython.utils.traitlets": "traitlets",
}
