"""The exercises, as notebooks import them: ``from d2lhybrid.exercises import ex, progress``."""

from __future__ import annotations

from .school.exercises import Exercise, Progress, Result, State, chapters, ex, exercises, progress

__all__ = ["Exercise", "Progress", "Result", "State", "chapters", "ex", "exercises", "progress"]
