"""04.5: plus does not broadcast."""

from __future__ import annotations

import numpy

from ...exercise import Exercise, Mistake
from ...judging import Case, check_net, floats
from ...results import expect
from ...subject import Subject


def _reference(parameters: list[numpy.ndarray], x: numpy.ndarray) -> numpy.ndarray:
    e = numpy.exp(x - x.max(axis=1, keepdims=True))
    return e / e.sum(axis=1, keepdims=True)


def _over_all_rows(parameters: list[numpy.ndarray], x: numpy.ndarray) -> numpy.ndarray:
    e = numpy.exp(x - x.max(axis=1, keepdims=True))
    return e / e.sum()


def _check(subject: Subject, rng: numpy.random.Generator) -> None:
    columns = int(rng.integers(3, 8))
    inputs = [[floats(rng, n, columns)] for n in (2, 5)] + [[floats(rng, 3, columns, low=200, high=300)]]
    suspects = [(_over_all_rows, "the rows do not add up to one.")]
    graph = check_net(subject, rng, Case(inputs, _reference, shapes=[], suspects=suspects), "Softmax")
    ready = [name for name in graph.operators if "oftmax" in name]
    expect(not ready, f"The graph has `{ready[0] if ready else ''}` in it: that is what you are to build.")


_HEAD = "class Softmax(nn.HybridBlock):\n    def hybrid_forward(self, F, x):\n"

EXERCISE = Exercise(
    number="04.5",
    title="Say that you broadcast",
    answer="Softmax",
    task="""
Write a softmax from its parts: for each row of `x`, `exp(x - m) / s`, where `m` is the largest element of the row and
`s` the sum of the row of exponentials. (Without `m` large numbers overflow.) Do not use the softmax that is there.

Arrays broadcast when you write `-` and `/`. What about symbols?
""",
    starter="""
class Softmax(nn.HybridBlock):
    def hybrid_forward(self, F, x):
        ...
""",
    solution_code="""
class Softmax(nn.HybridBlock):
    def hybrid_forward(self, F, x):
        e = F.exp(F.broadcast_sub(x, F.max(x, axis=1, keepdims=True)))
        return F.broadcast_div(e, F.sum(e, axis=1, keepdims=True))
""",
    hints=(
        "Write it for arrays first, then hybridize, and read the error with its note.",
        "`keepdims=True` leaves the shape (batch, 1), which broadcasts against (batch, columns).",
        "`F.broadcast_sub` and `F.broadcast_div`.",
    ),
    checker=_check,
    insight="For arrays `-` broadcasts silently; a graph wants you to say so, since it sees no shapes while it "
    "is built.",
    mistakes=(
        Mistake(
            "minus and over",
            _HEAD + "        e = F.exp(x - F.max(x, axis=1, keepdims=True))\n"
            "        return e / F.sum(e, axis=1, keepdims=True)",
            "write F.broadcast_sub",
        ),
        Mistake(
            "no largest element",
            _HEAD + "        e = F.exp(x)\n        return F.broadcast_div(e, F.sum(e, axis=1, keepdims=True))",
            "contains nan",
        ),
        Mistake(
            "over all rows",
            _HEAD + "        e = F.exp(F.broadcast_sub(x, F.max(x, axis=1, keepdims=True)))\n"
            "        return F.broadcast_div(e, F.sum(e))",
            "do not add up to one",
        ),
        Mistake("the one that is there", _HEAD + "        return F.softmax(x)", "is what you are to build"),
        Mistake(
            "no keepdims",
            _HEAD + "        e = F.exp(F.broadcast_sub(x, F.max(x, axis=1)))\n"
            "        return F.broadcast_div(e, F.sum(e, axis=1))",
            "could not be broadcast together",
        ),
        Mistake("hard-coded", _HEAD + "        return F.ones((2, 2)) / 2", "wrong shape: (2, 2)"),
    ),
)
