"""07.4: a layer."""

from __future__ import annotations

import numpy

from ...exercise import Exercise, Mistake
from ...judging import Case, check_net, floats
from ...subject import Subject


def _check(subject: Subject, rng: numpy.random.Generator) -> None:
    units, pieces, features = int(rng.integers(2, 6)), int(rng.integers(2, 5)), int(rng.integers(6, 9))

    def parts(parameters: list[numpy.ndarray], x: numpy.ndarray) -> numpy.ndarray:
        weight, bias = parameters
        return (x @ weight.T + bias).reshape(len(x), units, pieces)

    suspects = [
        (lambda p, x: parts(p, x).sum(axis=2), "it is a linear function of the input."),
        (lambda p, x: (x @ p[0].T + p[1]).reshape(len(x), pieces, units).max(axis=1), "other rows belong to a unit."),
        (lambda p, x: parts([p[0], 0 * p[1]], x).max(axis=2), "the bias is missing."),
    ]
    shapes = [(units * pieces, features), (units * pieces,)]
    inputs = [[floats(rng, n, features)] for n in (2, 5)]
    case = Case(inputs, lambda p, x: parts(p, x).max(axis=2), [units, pieces], shapes, suspects=suspects)
    check_net(subject, rng, case, "Maxout")


_SOLUTION = """
class Maxout(nn.HybridBlock):
    def __init__(self, units, pieces, **kwargs):
        super().__init__(**kwargs)
        self.units, self.pieces = units, pieces
        self.weight = self.params.get("weight", shape=(units * pieces, 0), allow_deferred_init=True)
        self.bias = self.params.get("bias", shape=(units * pieces,), init="zeros")

    def hybrid_forward(self, F, x, weight, bias):
        values = F.FullyConnected(x, weight, bias, num_hidden=self.units * self.pieces)
        return F.max(F.reshape(values, (0, self.units, self.pieces)), axis=2)
"""

EXERCISE = Exercise(
    number="07.4",
    title="Write a layer",
    answer="Maxout",
    points=3,
    task="""
A maxout unit computes several linear functions of its input and returns the largest value. Write the layer
`Maxout(units, pieces)`, a `HybridBlock` with two parameters of its own: `weight` of shape `(units * pieces, features)`
and `bias` of shape `(units * pieces,)`. For `x` of shape (batch, features) the result has the shape (batch, units).
Unit `u` returns the largest of the `pieces` values that belong to the rows `u * pieces` to `(u + 1) * pieces - 1` of
the weight.

Nobody tells the layer how many features there are: it finds out at the first call, as `nn.Dense` does.
""",
    starter="""
class Maxout(nn.HybridBlock):
    def __init__(self, units, pieces, **kwargs):
        super().__init__(**kwargs)

    def hybrid_forward(self, F, x, weight, bias):
        ...
""",
    solution_code=_SOLUTION,
    hints=(
        "A size of 0 in the shape of a parameter means: to be found out. Such a parameter needs "
        "`allow_deferred_init=True`.",
        "`F.FullyConnected(x, weight, bias, num_hidden=...)` computes all linear functions at once.",
        "Then give the values a third axis, (batch, units, pieces), and take the maximum along it.",
    ),
    checker=_check,
    insight="The shape rule of FullyConnected fills in what you left open: inference runs through the graph both ways.",
    mistakes=(
        Mistake(
            "no deferred initialization",
            _SOLUTION.replace(", allow_deferred_init=True", ""),
            "Cannot initialize Parameter",
        ),
        Mistake(
            "pieces and units swapped",
            _SOLUTION.replace("(0, self.units, self.pieces)), axis=2", "(0, self.pieces, self.units)), axis=1"),
            "other rows belong to a unit",
        ),
        Mistake("a sum", _SOLUTION.replace("F.max(", "F.sum("), "a linear function of the input"),
        Mistake(
            "the bias forgotten",
            _SOLUTION.replace("(x, weight, bias,", "(x, weight, F.zeros_like(bias),"),
            "the bias is missing",
        ),
        Mistake(
            "no maximum",
            _SOLUTION.replace("return F.max(F.reshape(values, (0, self.units, self.pieces)), axis=2)", "return values"),
            "has the wrong shape",
        ),
        Mistake(
            "an inner layer instead",
            "class Maxout(nn.HybridBlock):\n    def __init__(self, units, pieces, **kwargs):\n"
            "        super().__init__(**kwargs)\n        self.layers = nn.Dense(units)\n"
            "    def hybrid_forward(self, F, x):\n        return F.maximum(self.layers(x), 0)",
            "does not belong to the net of the task",
        ),
        Mistake("hard-coded", _SOLUTION.replace("return F.max(", "return 1.5 + 0 * F.max("), "Line by line"),
    ),
)
