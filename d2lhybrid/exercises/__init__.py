"""The exercises, which notebooks import: ``from d2lhybrid.exercises import ex, progress``.

:mod:`d2lhybrid.exercises.making` contains the building blocks of user-defined exercises.
"""

from __future__ import annotations

from ..internals.course.exercises import Exercise, Progress, Result, State, chapters, ex, exercises, progress

__all__ = ["Exercise", "Progress", "Result", "State", "chapters", "ex", "exercises", "progress"]
