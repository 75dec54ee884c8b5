"""The folder of data sets and models: ``mx.base.data_dir``, without the C dependencies of ``mx.base``."""

from __future__ import annotations

import os
import platform

__all__ = ["data_dir", "data_dir_default"]


def data_dir_default() -> str:
    """Return the default folder of data sets and models: ``~/.mxnet``, or on Windows a folder in APPDATA."""
    if platform.system() == "Windows":
        return os.path.join(os.environ["APPDATA"], "mxnet")
    return os.path.join(os.path.expanduser("~"), ".mxnet")


def data_dir() -> str:
    """Return the folder of data sets and models: ``MXNET_HOME``, or that of :func:`data_dir_default`."""
    return os.environ.get("MXNET_HOME") or data_dir_default()
