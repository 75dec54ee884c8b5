"""Habits: names that Python and its libraries have removed since 2019, restored for programs written for MXNet.

:func:`give_back` changes the whole process, so only ``d2lhybrid run``, ``as_mxnet(habits=True)``, and
``%load_ext d2lhybrid.mxnet`` call this function. A library is changed only when the program imports the library.
:data:`RELIED` lists the restored names that a program has used.

The modules of this package import no other module of d2lhybrid, and depend only on Python.
"""

from __future__ import annotations

from .libraries import give_back
from .relied import RELIED, Use

__all__ = ["RELIED", "Use", "give_back"]
