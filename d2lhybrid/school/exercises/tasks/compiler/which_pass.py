"""06.3: what each pass is good for."""

from __future__ import annotations

import numpy

from ...exercise import Exercise, Mistake
from ...judging import check_choices
from ...subject import Subject

_RIGHT = {"a": "fold constants", "b": "merge equal", "c": "simplify", "d": "fuse", "e": "simplify", "f": "none"}
_REASONS = {
    "a": {...: "no input is needed to know `F.ones((2, 3)) * 2`."},
    "b": {
        "fuse": "one loop would still compute the exponential twice.",
        ...: "the same operator on the same input, twice.",
    },
    "c": {...: "nothing is computed by `* 1`. That is known by algebra, whatever `x` is."},
    "d": {
        "merge equal": "the three operators are different.",
        ...: "three loops over the elements, one after the other.",
    },
    "e": {...: "two transposes undo each other: that is algebra."},
    "f": {
        "fuse": "a loop over the elements of what? A matrix product needs whole rows and columns.",
        ...: "two different products, each of them needed.",
    },
}


def _check(subject: Subject, rng: numpy.random.Generator) -> None:
    check_choices(subject, _RIGHT, _REASONS)


EXERCISE = Exercise(
    number="06.3",
    title="Whose work is this?",
    answer="passes",
    constant=True,
    task="""
Which pass makes each of these cheaper? Write `"fold constants"`, `"merge equal"`, `"simplify"`, `"fuse"`, or `"none"`.

```python
# a
x + F.ones((2, 3)) * 2                  # to x + (a constant)
# b
F.exp(x) + F.exp(x) * y                 # one exponential instead of two
# c
F.relu(x) * 1                           # F.relu(x)
# d
F.tanh(F.relu(x) + 1)                   # one step over the elements instead of three
# e
F.transpose(F.transpose(x))             # x
# f
F.dot(F.dot(x, a), b)                   # ?
```

`net.programs[0].stages` shows what each pass made of a net of yours.
""",
    starter="""
passes = {
    "a": ...,
    "b": ...,
    "c": ...,
    "d": ...,
    "e": ...,
    "f": ...,
}
""",
    solution_code="""
passes = {
    "a": "fold constants",
    "b": "merge equal",
    "c": "simplify",
    "d": "fuse",
    "e": "simplify",
    "f": "none",
}
""",
    hints=(
        "Is it known before any input arrives? Is it there twice? Is it nothing, by algebra? Are they neighbours "
        "that go "
        "through their elements one by one?",
        "Those four questions are those of folding, merging, simplifying and fusing, in this order.",
    ),
    checker=_check,
    insight="Each pass knows one thing and does it everywhere; together they do what nobody would write by hand.",
    mistakes=(
        Mistake(
            "fuses the exponentials",
            "passes = dict(a='fold constants', b='fuse', c='simplify', d='fuse', e='simplify', f='none')",
            "still compute the exponential twice",
        ),
        Mistake(
            "merges neighbours",
            "passes = dict(a='fold constants', b='merge equal', c='simplify', d='merge equal', e='simplify', f='none')",
            "the three operators are different",
        ),
        Mistake(
            "fuses products",
            "passes = dict(a='fold constants', b='merge equal', c='simplify', d='fuse', e='simplify', f='fuse')",
            "needs whole rows and columns",
        ),
        Mistake(
            "folds by algebra",
            "passes = dict(a='fold constants', b='merge equal', c='fold constants', d='fuse', e='simplify', f='none')",
            "That is known by algebra",
        ),
        Mistake(
            "simplifies constants",
            "passes = dict(a='simplify', b='merge equal', c='simplify', d='fuse', e='simplify', f='none')",
            "no input is needed",
        ),
    ),
)
