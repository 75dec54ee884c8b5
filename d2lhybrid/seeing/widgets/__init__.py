"""The interactive views of :mod:`d2lhybrid.viz`: the only place that imports ipywidgets and anywidget.

Nothing here is imported before a picture is shown in a notebook.
"""

from __future__ import annotations

import importlib
from typing import Any

__all__ = ["view_of"]


def view_of(picture: Any) -> Any:
    """Return a new widget that shows a picture.

    Parameters
    ----------
    picture : Picture
        What to show; its ``view_name`` names the module here whose ``view`` is the class of the widget.

    Raises
    ------
    ImportError
        If anywidget is not installed.
    """
    try:
        module = importlib.import_module(f"{__name__}.{picture.view_name}")
    except ModuleNotFoundError as error:
        if (error.name or "").split(".")[0] not in ("anywidget", "ipywidgets", "traitlets"):
            raise
        raise ImportError("Interactive views need anywidget: pip install anywidget", name=error.name) from None
    return module.view(picture)
