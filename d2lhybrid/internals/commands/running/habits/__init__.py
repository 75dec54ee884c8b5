"""Restores names that Python and its libraries have removed since 2019, for programs written for MXNet.

:func:`give_back` changes the whole process, so only ``d2lhybrid run``, ``as_mxnet(habits=True)`` and
``%load_ext d2lhybrid.mxnet`` call it. Each library gets its names back when the program imports it: none is imported
for their sake. What a program has used is kept in :data:`RELIED`.

The modules of this room import nothing else of this package, and need nothing but Python.
"""

from __future__ import annotations

from .libraries import give_back
from .relied import RELIED, Use

__all__ = ["RELIED", "Use", "give_back"]
