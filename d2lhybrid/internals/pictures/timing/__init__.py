"""Times of a net in eager mode and hybridized, measured and drawn.

:func:`compare` measures one net on one input, :func:`compare_over` measures over batch sizes or depths, and
:class:`Collected` shows the measurements of ``with d2l.benchmark(...)``.
"""

from __future__ import annotations

from . import chinese as _chinese  # noqa: F401  adds the translations
from .call_times import CallTimes, call_times
from .collected import Collected
from .comparison import Comparison, compare
from .in_flight import Flight, InFlight
from .measuring import Spread, Times
from .sweep import Sweep, compare_over
from .where import Where

__all__ = [
    "CallTimes",
    "Collected",
    "Comparison",
    "Flight",
    "InFlight",
    "Spread",
    "Sweep",
    "Times",
    "Where",
    "call_times",
    "compare",
    "compare_over",
]
