"""The exercises, as notebooks import them: ``from d2lhybrid.exercises import ex, progress``."""

from __future__ import annotations

from .school.exercises import Exercise, Mistake, Progress, Result, State, chapters, ex, exercises, progress

__all__ = ["Exercise", "Mistake", "Progress", "Result", "State", "chapters", "ex", "exercises", "progress"]
