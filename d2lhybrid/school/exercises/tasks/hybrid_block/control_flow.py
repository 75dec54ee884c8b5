"""03.5: the lesson's third exercise, what if and for become."""

from __future__ import annotations

import numpy

from ...exercise import Exercise, Mistake
from ...judging import check_choices
from ...subject import Subject

_RIGHT = {
    "depth": "unrolled",
    "flag": "frozen",
    "value": "error",
    "rows": "different",
    "attribute": "no",
    "operators": 5,
}
_REASONS = {
    "depth": {
        ...: "`range(3)` is Python's. How often does the body run while the block is traced, and what does each "
        "run leave?"
    },
    "flag": {
        "error": "`self.fast` is an ordinary Python value: Python can decide.",
        ...: "Python decides while tracing. Is it asked again?",
    },
    "value": {
        "frozen": "to choose a branch Python would have to know whether the sum is positive. Try it.",
        ...: "what can `bool` say of a symbol?",
    },
    "rows": {
        "unrolled": "how many rows has a symbol? Print what the loop runs over.",
        ...: "try it: compare with the result line by line.",
    },
    "attribute": {...: "nothing looks at `self.depth` any more once there is a graph."},
    "operators": {
        1: "a loop is no operator here.",
        ...: "print `len` of the list of operators of `net(sym.var('x'))`.",
    },
}


def _check(subject: Subject, rng: numpy.random.Generator) -> None:
    check_choices(subject, _RIGHT, _REASONS)


EXERCISE = Exercise(
    number="03.5",
    title="What becomes of if and for",
    answer="becomes",
    constant=True,
    task="""
Four blocks with control flow in `hybrid_forward`. What becomes of each when it is hybridized? Try them.

```python
def depth(self, F, x):                 def flag(self, F, x):
    for i in range(self.depth):            if self.fast:
        x = F.relu(x) * 2                      return x * 2
    return x                               return x * 3

def value(self, F, x):                 def rows(self, F, x):
    if x.sum() > 0:                        total = 0
        return x                           for row in x:
    return -x                                  total = total + row
                                           return total
```

For `depth`, `flag`, `value` and `rows` choose one of

* `"unrolled"`: the graph has as many copies of the body as the loop had turns while tracing,
* `"frozen"`: the branch that was taken while tracing is taken for ever,
* `"error"`: the trace raises an exception,
* `"different"`: no exception, but not the result that it has line by line.

Two more about `depth`, with `self.depth = 5` and then hybridized and called once:

* `attribute`: now somebody sets `net.depth = 2` and calls the net. Does the result change? `"yes"` or `"no"`.
* `operators`: for `x = F.relu(x)` alone in the body, how many operators are in the graph?
""",
    starter="""
becomes = {
    "depth": ...,
    "flag": ...,
    "value": ...,
    "rows": ...,
    "attribute": ...,
    "operators": ...,
}
""",
    solution_code="""
becomes = {
    "depth": "unrolled",
    "flag": "frozen",
    "value": "error",
    "rows": "different",
    "attribute": "no",
    "operators": 5,
}
""",
    hints=(
        "Python runs the method once, from top to bottom, with a symbol. What Python can decide then, it decides.",
        "Two of the four look at Python values only. Two look at `x`.",
        "Looping over a symbol goes over its *outputs*, and most symbols have one.",
    ),
    checker=_check,
    insight="The graph is one walk through your code: loops laid out flat, branches decided, attributes read.",
    mistakes=(
        Mistake(
            "the loop stays a loop",
            "becomes = {'depth': 'frozen', 'flag': 'frozen', 'value': 'error', 'rows': 'different', 'attribute': 'no', "
            "'operators': 5}",
            "what does each run leave",
        ),
        Mistake(
            "the flag fails",
            "becomes = {'depth': 'unrolled', 'flag': 'error', 'value': 'error', 'rows': 'different', "
            "'attribute': 'no', 'operators': 5}",
            "Python can decide",
        ),
        Mistake(
            "the value is frozen",
            "becomes = {'depth': 'unrolled', 'flag': 'frozen', 'value': 'frozen', 'rows': 'different', "
            "'attribute': 'no', 'operators': 5}",
            "whether the sum is positive",
        ),
        Mistake(
            "the rows are unrolled",
            "becomes = {'depth': 'unrolled', 'flag': 'frozen', 'value': 'error', 'rows': 'unrolled', "
            "'attribute': 'no', 'operators': 5}",
            "how many rows has a symbol",
        ),
        Mistake(
            "the attribute is read again",
            "becomes = {'depth': 'unrolled', 'flag': 'frozen', 'value': 'error', 'rows': 'different', "
            "'attribute': 'yes', 'operators': 5}",
            "nothing looks at",
        ),
        Mistake(
            "one operator",
            "becomes = {'depth': 'unrolled', 'flag': 'frozen', 'value': 'error', 'rows': 'different', "
            "'attribute': 'no', 'operators': 1}",
            "a loop is no operator",
        ),
    ),
)
