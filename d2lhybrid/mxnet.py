"""``%load_ext d2lhybrid.mxnet``: a notebook that was written for MXNet runs as it is.

From then on ``import mxnet`` finds d2lhybrid, what Python and its libraries have dropped since is back, and errors of
hybridization are explained where they happen.
"""

from __future__ import annotations

from typing import Any

__all__ = ["load_ipython_extension", "unload_ipython_extension"]


def load_ipython_extension(shell: Any, lang: str = "") -> None:
    """Begin.

    Parameters
    ----------
    shell : InteractiveShell
        IPython's shell.
    lang : str
        The language of explanations, if it is not the one that is set.
    """
    from .internals.compatibility import as_mxnet
    from .internals.pictures.extension import load
    from .util import config

    if lang:
        config(lang=lang)
    as_mxnet(habits=True)
    load(shell)


def unload_ipython_extension(shell: Any) -> None:
    """End explaining errors. ``import mxnet`` finds d2lhybrid until Python ends.

    Parameters
    ----------
    shell : InteractiveShell
        IPython's shell.
    """
    from .internals.pictures.extension import unload

    unload(shell)
