"""The interactive views of :mod:`d2lhybrid.viz`: the only place that imports ipywidgets and anywidget.

Nothing here is imported before a picture is shown in a notebook.
"""

from __future__ import annotations

import importlib
from pathlib import Path
from typing import Any

__all__ = ["view_of"]


def view_of(picture: Any) -> Any:
    """Return a new widget that shows a picture.

    Parameters
    ----------
    picture : Picture
        What to show; its ``view_name`` names the script. Where a module here has that name, too, its ``view`` is the
        class of the widget.

    Raises
    ------
    ImportError
        If anywidget is not installed.
    """
    try:
        view = _class_of(picture.view_name)
    except ModuleNotFoundError as error:
        if (error.name or "").split(".")[0] not in ("anywidget", "ipywidgets", "traitlets"):
            raise
        raise ImportError("Interactive views need anywidget: pip install anywidget", name=error.name) from None
    return view(picture)


def _class_of(name: str) -> Any:
    module = f"{__name__}.{name}"
    try:
        return importlib.import_module(module).view
    except ModuleNotFoundError as error:
        if error.name != module or not (Path(__file__).parent / "static" / f"{name}.js").is_file():
            raise
    return importlib.import_module(f"{__name__}.base").Widget
