"""What makes the machine faster: rooms that plug themselves in, and can be left out.

:mod:`d2lhybrid.core` computes every result without them. Each room has a function ``plug_in`` that registers its
passes, backends and other quicker ways with the core; nothing in the core imports a room. To run the machine alone,
set ``D2LHYBRID_UNPLUGGED=1``, or empty :data:`ROOMS` before arrays are first used::

    from d2lhybrid.support import plugins
    plugins.ROOMS.clear()
"""

from __future__ import annotations

import importlib
import os

__all__ = ["ROOMS", "plug_in"]

#: Modules with a function ``plug_in``, in the order in which they are plugged in.
ROOMS: list[str] = (
    [] if os.environ.get("D2LHYBRID_UNPLUGGED") == "1" else ["d2lhybrid.device.threads", "d2lhybrid.compiler.plugged"]
)


def plug_in() -> None:
    """Plug all rooms in; called once, when the arrays are imported."""
    for room in ROOMS:
        importlib.import_module(room).plug_in()
