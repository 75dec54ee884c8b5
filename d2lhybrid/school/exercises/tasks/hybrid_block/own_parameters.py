"""03.6: a block with parameters of its own."""

from __future__ import annotations

import numpy

from ...exercise import Exercise, Mistake
from ...judging import Case, check_net, compare, floats
from ...results import expect
from ...subject import Subject


def _reference(parameters: list[numpy.ndarray], x: numpy.ndarray) -> numpy.ndarray:
    return x * parameters[0] + parameters[1]


def _check(subject: Subject, rng: numpy.random.Generator) -> None:
    units = int(rng.integers(3, 9))
    inputs = [[floats(rng, n, units)] for n in (2, 4)]
    suspects = [
        (lambda p, x: x * p[0], "the shift is missing."),
        (lambda p, x: x + p[1], "the scale is missing."),
    ]
    _check_start(subject, inputs[0][0])
    check_net(subject, rng, Case(inputs, _reference, [units], [(units,), (units,)], suspects=suspects), "Affine")
    x = inputs[1][0]
    found = subject.ask("run", "recorded and differentiated", inputs=[x], gradients=True)
    gradients = list(found["gradients"].values())
    expect(len(gradients) == 2, f"{len(gradients)} of the 2 parameters get gradients.")
    compare(gradients[0], x.sum(axis=0), "The gradient of the scale")


def _check_start(subject: Subject, x: numpy.ndarray) -> None:
    made = f"Affine({x.shape[1]})"
    net = subject.ask("make", f"making the net with {made}", args=[x.shape[1]])
    expect(net["block"], f"{made} gives no net but a {net['type']}.")
    names = [p["name"] for p in subject.ask("start", "called for the first time", inputs=[x])]
    expect(len(names) == 2, f"`collect_params()` finds {len(names)} parameters, not scale and shift.")
    expect(
        names[0].endswith("scale") and names[1].endswith("shift"),
        "The parameters are not called scale and shift, in this order.",
    )
    values = subject.ask("parameters")
    ones, zeros = values[names[0]], values[names[1]]
    expect(bool((ones == 1).all()), "Freshly initialized, the scale is not one everywhere.")
    expect(bool((zeros == 0).all()), "Freshly initialized, the shift is not zero everywhere.")


_HEAD = "class Affine(nn.HybridBlock):\n    def __init__(self, units, **kwargs):\n        super().__init__(**kwargs)\n"
_GET = (
    "        self.scale = self.params.get('scale', shape=(units,), init='ones')\n"
    "        self.shift = self.params.get('shift', shape=(units,), init='zeros')\n"
)

EXERCISE = Exercise(
    number="03.6",
    title="Parameters of your own",
    answer="Affine",
    points=2,
    task="""
Write the class `Affine`, a `HybridBlock`. `Affine(units)` has two parameters of shape `(units,)`: `scale`, which starts
as ones, and `shift`, which starts as zeros. Called with `x` of shape `(batch, units)`, it returns `x * scale + shift`,
for each row. Both parameters are to be found by `collect_params()`, and are to get gradients.
""",
    starter="""
class Affine(nn.HybridBlock):
    def __init__(self, units, **kwargs):
        super().__init__(**kwargs)

    def hybrid_forward(self, F, x, scale, shift):
        ...
""",
    solution_code="""
class Affine(nn.HybridBlock):
    def __init__(self, units, **kwargs):
        super().__init__(**kwargs)
        self.scale = self.params.get("scale", shape=(units,), init="ones")
        self.shift = self.params.get("shift", shape=(units,), init="zeros")

    def hybrid_forward(self, F, x, scale, shift):
        return F.broadcast_add(F.broadcast_mul(x, scale), shift)
""",
    hints=(
        '`self.params.get("scale", shape=...)` makes a parameter that belongs to the block.',
        "A parameter that is an attribute of the block is handed to `hybrid_forward` under the attribute's name: as an "
        "array, or as a symbol.",
        '`init="ones"` says how a parameter starts.',
        "`x` is (batch, units) and `scale` is (units,): for symbols, `*` and `+` do not broadcast.",
    ),
    checker=_check,
    insight="A Parameter is both: an array line by line, and a variable of the graph while tracing.",
    mistakes=(
        Mistake(
            "an array instead of a parameter",
            _HEAD + "        self.scale, self.shift = nd.ones((units,)), nd.zeros((units,))\n"
            "    def hybrid_forward(self, F, x):\n        return x * self.scale + self.shift",
            "finds 0 parameters",
        ),
        Mistake(
            "no broadcasting",
            _HEAD + _GET + "    def hybrid_forward(self, F, x, scale, shift):\n        return x * scale + shift",
            "Arrays broadcast here",
        ),
        Mistake(
            "data() in hybrid_forward",
            _HEAD + _GET + "    def hybrid_forward(self, F, x, scale, shift):\n"
            "        return F.broadcast_add(F.broadcast_mul(x, self.scale.data()), self.shift.data())",
            "must be Symbol instances",
        ),
        Mistake(
            "starts anywhere",
            _HEAD + "        self.scale = self.params.get('scale', shape=(units,))\n"
            "        self.shift = self.params.get('shift', shape=(units,), init='zeros')\n"
            "    def hybrid_forward(self, F, x, scale, shift):\n"
            "        return F.broadcast_add(F.broadcast_mul(x, scale), shift)",
            "the scale is not one everywhere",
        ),
        Mistake(
            "no gradients",
            _HEAD
            + _GET.replace("init=", "grad_req='null', init=")
            + "    def hybrid_forward(self, F, x, scale, shift):\n"
            "        return F.broadcast_add(F.broadcast_mul(x, scale), shift)",
            "0 of the 2 parameters get gradients",
        ),
        Mistake(
            "forgets the shift",
            _HEAD
            + _GET
            + "    def hybrid_forward(self, F, x, scale, shift):\n        return F.broadcast_mul(x, scale)",
            "the shift is missing",
        ),
        Mistake(
            "hard-coded",
            _HEAD + _GET.replace("(units,)", "(4,)") + "    def hybrid_forward(self, F, x, scale, shift):\n"
            "        return F.ones((2, 4))",
            "does not belong to the net",
        ),
    ),
)
