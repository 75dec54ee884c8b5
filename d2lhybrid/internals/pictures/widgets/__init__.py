"""The interactive views of :mod:`d2lhybrid.viz`. Only this package imports ipywidgets and anywidget.

Its modules are imported when a picture is shown in a notebook.
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
        Picture to show. Its ``view_name`` is the name of the widget's script in ``static/``, without ``.js``. If this
        package has a module with this name, the module's ``view`` is the class of the widget.

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
        message = "Interactive views need anywidget. Install it: pip install anywidget"
        raise ImportError(message, name=error.name) from None
    return view(picture)


def _class_of(name: str) -> Any:
    module = f"{__name__}.{name}"
    try:
        return importlib.import_module(module).view
    except ModuleNotFoundError as error:
        if error.name != module or not (Path(__file__).parent / "static" / f"{name}.js").is_file():
            raise
    return importlib.import_module(f"{__name__}.base").Widget
