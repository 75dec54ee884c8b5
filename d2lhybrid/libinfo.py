"""``mx.libinfo``: the location of MXNet's compiled library, which this package lacks."""

from __future__ import annotations

__all__ = ["find_conf_path", "find_include_path", "find_lib_path"]

__version__ = "1.9.1"

_NONE = "d2lhybrid is written in Python, so it has neither a compiled library nor C headers"


def find_lib_path(prefix: str = "libmxnet") -> list[str]:
    """Return the paths of the compiled library: an empty list, because this package has no compiled library.

    Parameters
    ----------
    prefix : str
        Ignored.

    Returns
    -------
    list
        An empty list.
    """
    return []


def find_include_path() -> str:
    """Raise an error, because this package has no C headers.

    Raises
    ------
    RuntimeError
        Always.
    """
    raise RuntimeError(_NONE)


def find_conf_path(prefix: str = "tvmop") -> list[str]:
    """Return the paths of TVM's configuration: an empty list, because this package does not use TVM.

    Parameters
    ----------
    prefix : str
        Ignored.

    Returns
    -------
    list
        An empty list.
    """
    return []
