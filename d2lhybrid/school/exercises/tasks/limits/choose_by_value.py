"""04.4: no if on values."""

from __future__ import annotations

import numpy

from ...exercise import Exercise, Mistake
from ...judging import Case, check_net, compare, floats
from ...results import expect
from ...subject import Subject


def _reference(parameters: list[numpy.ndarray], x: numpy.ndarray) -> numpy.ndarray:
    return x if x.sum() > 0 else -2 * x


def _check(subject: Subject, rng: numpy.random.Generator) -> None:
    columns = int(rng.integers(2, 6))
    inputs = []
    for rows, sign in ((3, 1), (3, -1), (4, 1), (5, -1)):
        x = floats(rng, rows, columns, low=-1, high=1)
        x += numpy.float32(sign * 0.3) - x.mean()
        inputs.append([x])
    suspects = [
        (lambda p, x: numpy.where(x > 0, x, -2 * x), "each element is judged by itself, not by the sum."),
        (lambda p, x: -2 * x if x.sum() > 0 else x, "it is just the other way round."),
    ]
    graph = check_net(subject, rng, Case(inputs, _reference, shapes=[], suspects=suspects), "Upright")
    for (x,) in inputs:
        sign = "positive" if x.sum() > 0 else "negative"
        compare(graph.run(x)[0], _reference([], x), f"The graph's output for a {sign} sum")
    expect(bool(graph.operators), "The graph is empty.")


_HEAD = "class Upright(nn.HybridBlock):\n    def hybrid_forward(self, F, x):\n"

EXERCISE = Exercise(
    number="04.4",
    title="To choose at every call",
    answer="Upright",
    points=2,
    task="""
This block returns its input if the sum of all its elements is positive, and -2 times its input otherwise:

```python
class Upright(nn.HybridBlock):
    def hybrid_forward(self, F, x):
        if x.sum().asscalar() > 0:
            return x
        return -2 * x
```

Hybridized it must still decide anew at every call, by the numbers of that call. The decision has to become part of
the graph.
""",
    starter="""
class Upright(nn.HybridBlock):
    def hybrid_forward(self, F, x):
        ...
""",
    solution_code="""
class Upright(nn.HybridBlock):
    def hybrid_forward(self, F, x):
        positive = F.sum(x) > 0  # of shape (1,)
        return F.where(F.broadcast_like(F.reshape(positive, (1, 1)), x), x, -2 * x)
""",
    hints=(
        "A comparison of symbols is a symbol, with 1 for true and 0 for false.",
        "There is one decision for the whole array. `F.where` wants a condition of the shape of `x`: the one "
        "number has "
        "to be spread over it, with `F.broadcast_like`; or `F.contrib.cond` takes one of two branches.",
        "Without `where`: multiply. The factor is 1 if the sum is positive, else -2, so `positive * 3 - 2`. "
        "Which operator "
        "multiplies with broadcasting?",
    ),
    checker=_check,
    insight="The decision is a number like any other: computed in the graph, at every call.",
    mistakes=(
        Mistake(
            "if on a symbol", _HEAD + "        if x.sum() > 0:\n            return x\n        return -2 * x", "__bool__"
        ),
        Mistake(
            "asscalar",
            _HEAD + "        if x.sum().asscalar() > 0:\n            return x\n        return -2 * x",
            "asscalar is not implemented",
        ),
        Mistake(
            "each element for itself",
            _HEAD + "        return F.where(x > 0, x, -2 * x)",
            "each element is judged by itself",
        ),
        Mistake(
            "decides in forward",
            "class Upright(nn.HybridBlock):\n    def forward(self, x):\n"
            "        self.positive = x.sum().asscalar() > 0 if isinstance(x, nd.NDArray) else True\n"
            "        return super().forward(x)\n    def hybrid_forward(self, F, x):\n"
            "        return F.identity(x) if self.positive else -2 * x",
            "Hybridized, the output",
        ),
        Mistake(
            "a condition of one element",
            _HEAD + "        return F.where(F.sum(x) > 0, x, -2 * x)",
            "F.sum(x) > 0, x, -2",
        ),
        Mistake("hard-coded", _HEAD + "        return F.ones((3, 2)) + 0 * F.sum(x)", "Line by line, the"),
    ),
)
