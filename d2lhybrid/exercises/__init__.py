"""The exercises, as notebooks import them: ``from d2lhybrid.exercises import ex, progress``.

:mod:`d2lhybrid.exercises.making` has the building blocks of your own exercises.
"""

from __future__ import annotations

from ..internals.course.exercises import Exercise, Progress, Result, State, chapters, ex, exercises, progress

__all__ = ["Exercise", "Progress", "Result", "State", "chapters", "ex", "exercises", "progress"]
