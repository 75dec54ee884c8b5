"""04.3: no assignment to elements."""

from __future__ import annotations

import numpy

from ...exercise import Exercise, Mistake
from ...judging import Case, check_net, floats
from ...subject import Subject


def _check(subject: Subject, rng: numpy.random.Generator) -> None:
    limit, value = float(numpy.round(rng.uniform(-0.5, 0.5), 2)), float(numpy.round(rng.uniform(3, 9), 2))
    columns = int(rng.integers(5, 9))
    inputs = [[floats(rng, n, columns)] for n in (3, 5)]
    suspects = [
        (lambda p, x: numpy.where(x < limit, x, value), "just the other elements are replaced."),
        (lambda p, x: x + (x < limit) * value, "the old elements are still in the new ones."),
        (lambda p, x: numpy.maximum(x, value), "all elements are replaced."),
    ]
    case = Case(
        inputs,
        lambda parameters, x: numpy.where(x < limit, value, x).astype("float32"),
        [limit, value],
        [],
        suspects=suspects,
    )
    check_net(subject, rng, case, "Replace")


_HEAD = (
    "class Replace(nn.HybridBlock):\n    def __init__(self, limit, value, **kwargs):\n"
    "        super().__init__(**kwargs)\n        self.limit, self.value = limit, value\n"
    "    def hybrid_forward(self, F, x):\n"
)

EXERCISE = Exercise(
    number="04.3",
    title="Nothing is overwritten",
    answer="Replace",
    task="""
`Replace(limit, value)` is to return `x` with `value` in place of all elements that are smaller than `limit`. With NumPy
one would write `x[x < limit] = value`. In a graph nothing is overwritten: there are only new values.
""",
    starter="""
class Replace(nn.HybridBlock):
    def __init__(self, limit, value, **kwargs):
        super().__init__(**kwargs)
        self.limit, self.value = limit, value

    def hybrid_forward(self, F, x):
        ...
""",
    solution_code="""
class Replace(nn.HybridBlock):
    def __init__(self, limit, value, **kwargs):
        super().__init__(**kwargs)
        self.limit, self.value = limit, value

    def hybrid_forward(self, F, x):
        return F.where(x < self.limit, F.ones_like(x) * self.value, x)
""",
    hints=(
        "Say it without a change: the result has `value` *where* the element is smaller, and the element *where* not.",
        "`F.where(condition, a, b)` takes elements of `a` where the condition is not zero, and of `b` elsewhere.",
        "All three have the same shape: `F.ones_like(x) * self.value` is full of `value`.",
    ),
    checker=_check,
    insight="Both sides are computed, then chosen element by element. That is the price of having no branch.",
    mistakes=(
        Mistake(
            "assigns",
            _HEAD + "        x[:] = F.where(x < self.limit, F.ones_like(x) * self.value, x)\n        return x",
            "does not support item assignment",
        ),
        Mistake(
            "a mask and a sum",
            _HEAD + "        small = x < self.limit\n        return x + small * self.value",
            "still in the new ones",
        ),
        Mistake(
            "the largest of both",
            _HEAD + "        return F.maximum(x, self.value)",
            "all elements are replaced",
        ),
        Mistake(
            "the wrong way round",
            _HEAD + "        return F.where(x < self.limit, x, F.ones_like(x) * self.value)",
            "just the other elements",
        ),
        Mistake("hard-coded", _HEAD + "        return F.where(x < 0, F.ones_like(x) * 2, x)", "wrong values"),
    ),
)
