"""The factor by which time limits grow on a busy machine."""

from __future__ import annotations

import os

from ...support.machine import affinity

__all__ = ["crowding"]


def crowding() -> float:
    """Return an estimate of the factor by which other processes slow this machine down, from 1 to 10.

    Time limits grow by this factor, because an answer is not slow if other processes slow it down. Processor time is
    limited separately.
    """
    load = os.getloadavg()[0] if hasattr(os, "getloadavg") else 0.0
    return min(10.0, max(1.0, load / affinity()))
