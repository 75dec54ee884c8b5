"""Executors: symbols that are bound to arrays. Executors run graphs without Gluon.

:mod:`.executor` runs programs, :mod:`.binding` creates the arrays, and :mod:`.watched` runs graphs operator by operator
for monitors.
"""

from .binding import bind, simple_bind
from .executor import Bound, Executor

__all__ = ["Bound", "Executor", "bind", "simple_bind"]
