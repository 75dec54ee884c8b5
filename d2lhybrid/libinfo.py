"""``mx.libinfo``: where MXNet looks for its compiled library; there is none here, and it says so."""

from __future__ import annotations

__all__ = ["find_conf_path", "find_include_path", "find_lib_path"]

__version__ = "1.9.1"

_NONE = "There is no compiled library here, and there are no headers: the package is written in Python"


def find_lib_path(prefix: str = "libmxnet") -> list[str]:
    """Return where the compiled library is: nowhere, an empty list."""
    return []


def find_include_path() -> str:
    """Raise an error: there are no headers.

    Raises
    ------
    RuntimeError
        Always.
    """
    raise RuntimeError(_NONE)


def find_conf_path(prefix: str = "tvmop") -> list[str]:
    """Return where TVM's configuration is: nowhere, an empty list."""
    return []
