"""Exercises that check themselves: ``ex("03.1")`` returns an exercise, and ``progress()`` returns your progress.

``check`` tests an answer on fresh random inputs and names a property that the answer lacks, ``hint`` returns the next
hint, and ``solution`` returns a solution. Your progress stays in a folder on your computer, and isn't sent anywhere.

Examples
--------
>>> from d2lhybrid.exercises import ex
>>> print(ex("01.1").title)
Describe instead of computing
>>> print(ex("01.1").check(None))
01.1 not attempted. ...
"""

from . import chinese as _chinese  # noqa: F401  adds the translations
from .catalogue import chapters, ex, exercises
from .display import Progress
from .exercise import Exercise
from .results import Result, State

__all__ = ["Exercise", "Progress", "Result", "State", "chapters", "ex", "exercises", "progress"]


def progress() -> Progress:
    """Return your progress in all exercises, displayed as a table."""
    from . import records

    return Progress([(chapter, [(e, records.read(e.number)) for e in exercises(chapter)]) for chapter in chapters()])
