"""The folder of data sets and models, like ``mx.base.data_dir`` in MXNet."""

from __future__ import annotations

import os
import platform

__all__ = ["data_dir", "data_dir_default"]


def data_dir_default() -> str:
    """Return the default folder of data sets and models: ``~/.mxnet``, or ``mxnet`` in APPDATA on Windows."""
    if platform.system() == "Windows":
        return os.path.join(os.environ["APPDATA"], "mxnet")
    return os.path.join(os.path.expanduser("~"), ".mxnet")


def data_dir() -> str:
    """Return the folder of data sets and models: ``$MXNET_HOME``, or by default :func:`data_dir_default`."""
    return os.environ.get("MXNET_HOME") or data_dir_default()
