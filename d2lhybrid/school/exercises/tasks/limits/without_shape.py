"""04.1: no shape."""

from __future__ import annotations

import numpy

from ...exercise import Exercise, Mistake
from ...judging import Case, check_net, floats
from ...subject import Subject


def _reference(parameters: list[numpy.ndarray], x: numpy.ndarray) -> numpy.ndarray:
    rows = x.reshape(len(x), -1)
    return rows / rows.shape[1]


def _check(subject: Subject, rng: numpy.random.Generator) -> None:
    for rank in (2, 3):
        sizes = [int(n) for n in rng.integers(2, 6, rank)]
        inputs = [[floats(rng, n, *sizes, low=5, high=90)] for n in (2, 4)]
        suspects = [
            (lambda p, x: x.reshape(-1) / x.size, "it is one row of all images."),
            (lambda p, x: x.reshape(len(x), -1) / x.size, "it depends on the size of the batch."),
        ]
        check_net(subject, rng, Case(inputs, _reference, shapes=[], suspects=suspects), "FlatMean")


_HEAD = "class FlatMean(nn.HybridBlock):\n    def hybrid_forward(self, F, x):\n"

EXERCISE = Exercise(
    number="04.1",
    title="Flat, without a shape",
    answer="FlatMean",
    task="""
This block makes rows of images, and divides each number by the length of its row:

```python
class FlatMean(nn.HybridBlock):
    def hybrid_forward(self, F, x):
        rows = x.reshape((x.shape[0], -1))
        return rows / rows.shape[1]
```

A symbol has no `shape`. Write the block so that it works hybridized, for any batch, and for `x` with three axes as
well as with four, with one and the same class.
""",
    starter="""
class FlatMean(nn.HybridBlock):
    def hybrid_forward(self, F, x):
        ...
""",
    solution_code="""
class FlatMean(nn.HybridBlock):
    def hybrid_forward(self, F, x):
        rows = F.reshape(x, (0, -1))
        length = F.sum(F.ones_like(rows), axis=1, keepdims=True)
        return F.broadcast_div(rows, length)
""",
    hints=(
        "`reshape` knows special sizes. Which one keeps the size that is there, and which one takes all the rest?",
        "The length of a row is a number that can be *computed*: what is the sum of a row of ones?",
        "`F.ones_like(rows)` has the shape of `rows`. Its sum along `axis=1` is the length, as a symbol.",
    ),
    checker=_check,
    insight="A size that is not known yet can still be part of the computation.",
    mistakes=(
        Mistake(
            "asks for the shape",
            _HEAD + "        rows = x.reshape((x.shape[0], -1))\n        return rows / rows.shape[1]",
            "no attribute 'shape'",
        ),
        Mistake(
            "asks for the length",
            _HEAD
            + "        rows = F.reshape(x, (len(x), -1))\n        n = F.sum(F.ones_like(rows), axis=1, keepdims=True)\n"
            "        return F.broadcast_div(rows, n)",
            "Hybridized, the output",
        ),
        Mistake(
            "one row for all",
            _HEAD
            + "        rows = F.reshape(x, (-1,))\n        return F.broadcast_div(rows, F.sum(F.ones_like(rows)))",
            "one row of all images",
        ),
        Mistake(
            "divides by the number of all elements",
            _HEAD + "        rows = F.reshape(x, (0, -1))\n"
            "        return F.broadcast_div(rows, F.sum(F.ones_like(rows), keepdims=True))",
            "depends on the size of the batch",
        ),
        Mistake(
            "hard-coded",
            _HEAD + "        return F.reshape(x, (2, -1)) / 28",
            "Line by line, the output",
        ),
    ),
)
