"""Which package a foreign program gets under the name ``mxnet``."""

from __future__ import annotations

import sys
import types
import warnings

from .give_back import give_back

__all__ = ["become_main", "begin"]


def begin(package: str) -> None:
    """Let ``import mxnet`` mean this package or real MXNet, and bring old habits back on either side.

    Parameters
    ----------
    package : str
        The folder of this package, or an empty text for real MXNet.
    """
    warnings.simplefilter("ignore")
    if not package:
        give_back()
        return
    sys.path.insert(0, package)
    import d2lhybrid

    d2lhybrid.as_mxnet(habits=True)
    sys.path.remove(package)


def become_main(folder: str, *arguments: str) -> None:
    """Let this process look like one that Python started for a program.

    Parameters
    ----------
    folder : str
        The folder of the program.
    *arguments : str
        The name and the arguments of the program.
    """
    sys.argv = list(arguments)
    sys.path.insert(0, folder)
    sys.modules["__main__"] = types.ModuleType("__main__")  # workers find the classes of the program, and pickle works
