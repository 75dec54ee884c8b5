"""03.6: a block with parameters of its own."""

from __future__ import annotations

import numpy

from ....exercise import Exercise
from ....judging import Case, check_net, compare, floats
from ....results import expect
from ....subject import Subject


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


EXERCISE = Exercise(__name__, number="03.6", answer="Affine", checker=_check, points=2)
