"""04.8: six symptoms."""

from __future__ import annotations

import numpy

from ...exercise import Exercise, Mistake
from ...judging import check_choices
from ...subject import Subject

_RIGHT = {"a": "error", "b": "silent", "c": "same", "d": "silent", "e": "error", "f": "same", "g": "silent"}
_REASONS = {
    "a": {...: "who knows the length of a row while the block is traced?"},
    "b": {
        "error": "no line of it asks for a value. Hybridize it, and compare.",
        ...: "`x[0]` of an array is its first row. What is it of a symbol with one output?",
    },
    "c": {...: "`-1` is worked out when the shape is known; nobody has to ask for it."},
    "d": {
        "same": "call it twice after `hybridize()`, and look at `self.count` in the result.",
        ...: "a number of Python's is no value of a symbol: nothing fails.",
    },
    "e": {...: "is there a function `array` for symbols?"},
    "f": {
        "silent": "Dropout is an operator. Does it look at the mode while tracing, or while running?",
        ...: "try it.",
    },
    "g": {
        "same": "in which mode was it traced? Call it in the other one.",
        ...: "`is_training()` gives Python a bool: nothing fails.",
    },
}


def _check(subject: Subject, rng: numpy.random.Generator) -> None:
    check_choices(subject, _RIGHT, _REASONS)


EXERCISE = Exercise(
    number="04.8",
    title="Loud, silent, or fine",
    answer="diagnosis",
    constant=True,
    task="""
Seven bodies of `hybrid_forward`. Hybridized, each of them gives the `"same"` result as line by line, at every call; or
an `"error"`; or something else, and is `"silent"` about it.

```python
# a                                     # b
return x / len(x[0].asnumpy())          return x[0] * 2

# c                                     # d
return F.reshape(x, (0, -1)) * 2        self.count += 1
                                        return x * self.count
# e
return x * F.array([2])                 # f
                                        return F.Dropout(x, p=0.5)  # called outside of training
# g
if autograd.is_training():
    return x * 2
return x                                # called in both modes
```

`d2lhybrid.check_hybridization(net, x)` finds the silent ones, too. Use it when you are done, not before.
""",
    starter="""
diagnosis = {
    "a": ...,
    "b": ...,
    "c": ...,
    "d": ...,
    "e": ...,
    "f": ...,
    "g": ...,
}
""",
    solution_code="""
diagnosis = {
    "a": "error",
    "b": "silent",
    "c": "same",
    "d": "silent",
    "e": "error",
    "f": "same",
    "g": "silent",
}
""",
    hints=(
        "Ask for each: does it want something of `x` that a symbol has not? Then it is loud.",
        "Does Python decide or count something that may be different at the next call? Then it is silent.",
        "What is written with operators only is fine.",
    ),
    checker=_check,
    insight="An error is the friendly case. What Python knows without asking a symbol is frozen in silence.",
    mistakes=(
        Mistake(
            "all are loud",
            "diagnosis = dict(a='error', b='error', c='same', d='silent', e='error', f='same', g='silent')",
            "no line of it asks for a value",
        ),
        Mistake(
            "the counter counts",
            "diagnosis = dict(a='error', b='silent', c='same', d='same', e='error', f='same', g='silent')",
            "look at `self.count` in the result",
        ),
        Mistake(
            "all dropout is frozen",
            "diagnosis = dict(a='error', b='silent', c='same', d='silent', e='error', f='silent', g='silent')",
            "Dropout is an operator",
        ),
        Mistake(
            "the mode is asked again",
            "diagnosis = dict(a='error', b='silent', c='same', d='silent', e='error', f='same', g='same')",
            "in which mode was it traced",
        ),
        Mistake(
            "F has everything",
            "diagnosis = dict(a='error', b='silent', c='same', d='silent', e='same', f='same', g='silent')",
            "function `array` for symbols",
        ),
    ),
)
