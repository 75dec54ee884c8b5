"""01.3: costs and benefits."""

from __future__ import annotations

import numpy

from ...exercise import Exercise, Mistake
from ...judging import check_choices
from ...subject import Subject

_RIGHT = {
    "print": "imperative",
    "reuse": "symbolic",
    "if": "imperative",
    "phone": "symbolic",
    "fuse": "symbolic",
    "typo": "imperative",
}
_REASONS = {
    "print": {...: "at the line after `left = a + b`, in which of the two does `left` have a value?"},
    "reuse": {...: "who can know, while the line runs, that no later line will need the value?"},
    "if": {...: "to choose a branch, the value of `x` must be there when Python arrives at the line."},
    "phone": {...: "which of the two is a thing that can be stored, and run by another program?"},
    "fuse": {...: "to make one step of two, both must be known before the first one runs."},
    "typo": {...: "a description is made without complaint; when is it run, and where does the error point then?"},
}


def _check(subject: Subject, rng: numpy.random.Generator) -> None:
    check_choices(subject, _RIGHT, _REASONS)


EXERCISE = Exercise(
    number="01.3",
    title="Who can do what",
    answer="choices",
    task="""
The same computation is written in two ways: **imperative** (every line runs when Python arrives at it) and
**symbolic** (the lines describe; the description is compiled, then run). Which of the two makes each of these
easy, or possible at all? Write `"imperative"` or `"symbolic"`.

| | |
|---|---|
| `print` | Print an intermediate value in the next line. |
| `reuse` | Give the memory of an intermediate value to another one as soon as nothing needs it any more. |
| `if` | Take one of two branches, by the value of an array. |
| `phone` | Run the computation on a machine without Python. |
| `fuse` | Make one loop over the elements of two operations that follow each other. |
| `typo` | See a division by zero reported at the very line that divides. |
""",
    starter="""
choices = {
    "print": ...,
    "reuse": ...,
    "if": ...,
    "phone": ...,
    "fuse": ...,
    "typo": ...,
}
""",
    solution_code="""
choices = {
    "print": "imperative",
    "reuse": "symbolic",
    "if": "imperative",
    "phone": "symbolic",
    "fuse": "symbolic",
    "typo": "imperative",
}
""",
    hints=(
        "Ask for each line: does it need *values* at this moment, or does it need to see *what comes later*?",
        "Values at this moment are there when each line runs at once. What comes later is known to a compiler only.",
    ),
    checker=_check,
    insight="What needs values now is imperative; what needs to know the rest of the program is symbolic.",
    constant=True,
    mistakes=(
        Mistake(
            "one for all",
            "choices = dict.fromkeys(['print', 'reuse', 'if', 'phone', 'fuse', 'typo'], 'imperative')",
            "reuse: who can know",
        ),
        Mistake(
            "the other for all",
            "choices = dict.fromkeys(['print', 'reuse', 'if', 'phone', 'fuse', 'typo'], 'symbolic')",
            "print: at the line after",
        ),
        Mistake(
            "half of it", "choices = {'print': 'imperative', 'if': 'imperative'}", "no answer yet for reuse, phone"
        ),
    ),
)
