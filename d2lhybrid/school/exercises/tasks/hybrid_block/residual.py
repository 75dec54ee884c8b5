"""03.1: a block of one's own."""

from __future__ import annotations

import numpy

from ...exercise import Exercise, Mistake
from ...judging import Case, check_net, floats
from ...subject import Subject


def _reference(parameters: list[numpy.ndarray], x: numpy.ndarray) -> numpy.ndarray:
    weight, bias = parameters
    return numpy.maximum(x @ weight.T + bias, 0) + x


_SUSPECTS = [
    (lambda p, x: numpy.maximum(x @ p[0].T + p[1] + x, 0), "no element is negative. To what is the ReLU applied?"),
    (lambda p, x: x @ p[0].T + p[1] + x, "it is a linear function of the input."),
    (lambda p, x: numpy.maximum(x @ p[0].T + p[1], 0), "the input itself is missing in it."),
]


def _check(subject: Subject, rng: numpy.random.Generator) -> None:
    units = int(rng.integers(5, 12))
    inputs = [[floats(rng, n, units)] for n in (2, 5)]
    case = Case(inputs, _reference, [units], [(units, units), (units,)], suspects=_SUSPECTS)
    check_net(subject, rng, case, "Residual")


_HEAD = "class Residual(nn.HybridBlock):\n    def __init__(self, units, **kwargs):\n"
_INIT = _HEAD + "        super().__init__(**kwargs)\n        self.dense = nn.Dense(units)\n"

EXERCISE = Exercise(
    number="03.1",
    title="A block of your own",
    answer="Residual",
    task="""
Write the class `Residual`, a `HybridBlock`. `Residual(units)` has one dense layer of `units` units. Called with `x`, it
returns `relu(dense(x)) + x`. It must work line by line and hybridized.
""",
    starter="""
class Residual(nn.HybridBlock):
    def __init__(self, units, **kwargs):
        super().__init__(**kwargs)

    def hybrid_forward(self, F, x):
        ...
""",
    solution_code="""
class Residual(nn.HybridBlock):
    def __init__(self, units, **kwargs):
        super().__init__(**kwargs)
        self.dense = nn.Dense(units)

    def hybrid_forward(self, F, x):
        return F.relu(self.dense(x)) + x
""",
    hints=(
        "Layers are made in `__init__` and used in `hybrid_forward`.",
        "Where does `relu` come from? Once `x` is an array, once it is a symbol. What is passed to you for this?",
        "`F.relu(self.dense(x)) + x`",
    ),
    checker=_check,
    insight="`F` is the only thing that changes between the two ways: the method itself does not know which one "
    "it is in.",
    mistakes=(
        Mistake(
            "nd instead of F",
            _INIT + "    def hybrid_forward(self, F, x):\n        return nd.relu(self.dense(x)) + x",
            "Argument data must have NDArray type",
        ),
        Mistake(
            "forward instead of hybrid_forward",
            _INIT + "    def forward(self, x):\n        return nd.relu(self.dense(x)) + x",
            "the net has no graph",
        ),
        Mistake(
            "a plain Block",
            "class Residual(nn.Block):\n    def __init__(self, units, **kwargs):\n        super().__init__(**kwargs)\n"
            "        self.dense = nn.Dense(units)\n    def forward(self, x):\n        return "
            "nd.relu(self.dense(x)) + x",
            "the net itself is a Residual",
        ),
        Mistake(
            "no call of the base class",
            _HEAD + "        self.dense = nn.Dense(units)\n    def hybrid_forward(self, F, x):\n"
            "        return F.relu(self.dense(x)) + x",
            "__init__",
        ),
        Mistake(
            "a new layer at every call",
            _HEAD + "        super().__init__(**kwargs)\n        self.units = units\n"
            "    def hybrid_forward(self, F, x):\n        dense = nn.Dense(self.units)\n        dense.initialize()\n"
            "        return F.relu(dense(x)) + x",
            "The net has 0 parameters",
        ),
        Mistake(
            "relu of the sum",
            _INIT + "    def hybrid_forward(self, F, x):\n        return F.relu(self.dense(x) + x)",
            "To what is the ReLU applied",
        ),
        Mistake(
            "changes x",
            _INIT + "    def hybrid_forward(self, F, x):\n        x += F.relu(self.dense(x))\n        return x",
            "__iadd__",
        ),
        Mistake(
            "hard-coded",
            _INIT + "    def hybrid_forward(self, F, x):\n        self.dense(x)\n        return F.ones((2, 4))",
            "wrong shape: (2, 4)",
        ),
    ),
)
