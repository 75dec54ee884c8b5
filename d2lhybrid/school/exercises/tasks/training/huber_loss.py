"""07.2: a loss of one's own."""

from __future__ import annotations

import numpy

from ...exercise import Exercise, Mistake
from ...judging import Case, check_net, compare, floats
from ...results import expect
from ...subject import Subject


def _elements(error: numpy.ndarray, rho: float) -> numpy.ndarray:
    size = numpy.abs(error)
    return numpy.where(size < rho, 0.5 * size**2 / rho, size - 0.5 * rho)


def _check(subject: Subject, rng: numpy.random.Generator) -> None:
    rho = float(numpy.round(rng.uniform(0.4, 2), 2))
    columns = int(rng.integers(2, 5))
    inputs = [[floats(rng, n, columns), floats(rng, n, columns)] for n in (7, 9)]
    suspects = [
        (lambda p, x, y: _elements(x - y, rho), "there is a number for each element, not for each example."),
        (lambda p, x, y: _elements(x - y, rho).mean().reshape(1), "it is one number for the whole batch."),
        (lambda p, x, y: _elements(x - y, rho).sum(axis=1), "it is a sum where a mean should be."),
        (lambda p, x, y: numpy.abs(x - y).mean(axis=1), "large and small errors are treated alike."),
        (lambda p, x, y: _jump(x - y, rho).mean(axis=1), "the two parts do not meet at rho."),
    ]
    case = Case(inputs, lambda p, x, y: _elements(x - y, rho).mean(axis=1), [rho], [], suspects=suspects)
    check_net(subject, rng, case, "Huber")
    x, y = inputs[1]
    found = subject.ask("run", "recorded and differentiated", inputs=[x, y], gradients=True)
    expected = numpy.where(numpy.abs(x - y) < rho, (x - y) / rho, numpy.sign(x - y)) / columns
    compare(found["input_gradients"][0], expected, "Hybridized, the gradient with respect to the prediction")
    expect(found["runs"] == 0, "Recorded, `hybrid_forward` runs again.")


def _jump(error: numpy.ndarray, rho: float) -> numpy.ndarray:
    size = numpy.abs(error)
    return numpy.where(size < rho, 0.5 * size**2 / rho, size)


_HEAD = (
    "class Huber(nn.HybridBlock):\n    def __init__(self, rho, **kwargs):\n        super().__init__(**kwargs)\n"
    "        self.rho = rho\n    def hybrid_forward(self, F, prediction, label):\n"
)
_SIZE = "        size = F.abs(prediction - label)\n"
_WHERE = "F.where(size < self.rho, 0.5 * F.square(size) / self.rho, size - 0.5 * self.rho)"

EXERCISE = Exercise(
    number="07.2",
    title="A loss of your own",
    answer="Huber",
    points=2,
    task="""
Huber's loss takes the square of small errors and the absolute value of large ones, so that single outliers do not
dominate. Write the class `Huber`, a `HybridBlock`. `Huber(rho)` is called with `prediction` and `label`, both of shape
(batch, columns). For each element, with `e` the absolute value of the error, it computes

* `e * e / (2 * rho)` where `e < rho`,
* `e - rho / 2` elsewhere,

and returns the mean over the elements of each example: an array of shape (batch,).
""",
    starter="""
class Huber(nn.HybridBlock):
    def __init__(self, rho, **kwargs):
        super().__init__(**kwargs)
        self.rho = rho

    def hybrid_forward(self, F, prediction, label):
        ...
""",
    solution_code="""
class Huber(nn.HybridBlock):
    def __init__(self, rho, **kwargs):
        super().__init__(**kwargs)
        self.rho = rho

    def hybrid_forward(self, F, prediction, label):
        size = F.abs(prediction - label)
        losses = F.where(size < self.rho, 0.5 * F.square(size) / self.rho, size - 0.5 * self.rho)
        return F.mean(losses, axis=1)
""",
    hints=(
        "The choice is one for each element. Which operator chooses element by element?",
        "`F.where(size < self.rho, ..., ...)` with both formulas, each of the whole array.",
        "One number for each example: `F.mean(..., axis=1)`.",
    ),
    checker=_check,
    insight="A loss is a block like any other: hybridized, it is compiled, forwards and backwards.",
    mistakes=(
        Mistake(
            "if",
            _HEAD + _SIZE + "        if size.max() < self.rho:\n            return F.mean(size, axis=1)\n"
            f"        return F.mean({_WHERE}, axis=1)",
            "__bool__",
        ),
        Mistake("each element", _HEAD + _SIZE + f"        return {_WHERE}", "for each element, not for each example"),
        Mistake("one number", _HEAD + _SIZE + f"        return F.mean({_WHERE})", "one number for the whole batch"),
        Mistake("a sum", _HEAD + _SIZE + f"        return F.sum({_WHERE}, axis=1)", "a sum where a mean should be"),
        Mistake("absolute values", _HEAD + _SIZE + "        return F.mean(size, axis=1)", "treated alike"),
        Mistake(
            "a jump",
            _HEAD + _SIZE + f"        return F.mean({_WHERE.replace('size - 0.5 * self.rho', 'size')}, axis=1)",
            "do not meet at rho",
        ),
        Mistake(
            "stops the gradient",
            _HEAD + _SIZE + f"        return F.BlockGrad(F.mean({_WHERE}, axis=1))",
            "the gradient with respect to the prediction",
        ),
        Mistake("hard-coded", _HEAD + "        return F.ones((7,))", "wrong values"),
    ),
)
