"""``%load_ext d2lhybrid.mxnet``: an extension that runs notebooks written for MXNet without changes.

The extension makes ``import mxnet`` import d2lhybrid, restores names that Python and its libraries have removed,
and explains hybridization errors where they occur.
"""

from __future__ import annotations

from typing import Any

__all__ = ["load_ipython_extension", "unload_ipython_extension"]


def load_ipython_extension(shell: Any, lang: str = "") -> None:
    """Load the extension, so that the notebook imports d2lhybrid instead of MXNet.

    Parameters
    ----------
    shell : InteractiveShell
        IPython's shell.
    lang : str
        Language of explanations, ``"en"`` or ``"zh"``; the current language by default.
    """
    from .internals.compatibility import as_mxnet
    from .internals.pictures.extension import load
    from .util import config

    if lang:
        config(lang=lang)
    as_mxnet(habits=True)
    load(shell)


def unload_ipython_extension(shell: Any) -> None:
    """Unload the extension, so that it no longer explains errors. ``import mxnet`` continues to import d2lhybrid.

    Parameters
    ----------
    shell : InteractiveShell
        IPython's shell.
    """
    from .internals.pictures.extension import unload

    unload(shell)
