"""03.4: the same without leaving the graph."""

from __future__ import annotations

import numpy

from ...exercise import Exercise, Mistake
from ...judging import Case, check_net, floats
from ...subject import Subject


def _reference(parameters: list[numpy.ndarray], x: numpy.ndarray) -> numpy.ndarray:
    return (x - x.mean()) / (numpy.abs(x).max() + 1)


def _for_each_row(parameters: list[numpy.ndarray], x: numpy.ndarray) -> numpy.ndarray:
    return (x - x.mean(axis=1, keepdims=True)) / (numpy.abs(x).max() + 1)


def _check(subject: Subject, rng: numpy.random.Generator) -> None:
    columns = int(rng.integers(2, 7))
    suspects = [(_for_each_row, "each row has a mean of its own.")]
    inputs = [[floats(rng, n, columns)] for n in (2, 6)]
    check_net(subject, rng, Case(inputs, _reference, shapes=[], suspects=suspects), "Normalize")


_HEAD = "class Normalize(nn.HybridBlock):\n    def hybrid_forward(self, F, x):\n"

EXERCISE = Exercise(
    number="03.4",
    title="Without leaving the graph",
    answer="Normalize",
    task="""
This block computes two numbers outside of the graph, and so it fails when it is hybridized:

```python
class Normalize(nn.HybridBlock):
    def hybrid_forward(self, F, x):
        values = x.asnumpy()
        mean, largest = values.mean(), abs(values).max()
        return (x - mean) / (largest + 1)
```

Write it so that it computes the same in both ways: the mean and the largest absolute value are those of **all**
elements of `x`, at every call anew.
""",
    starter="""
class Normalize(nn.HybridBlock):
    def hybrid_forward(self, F, x):
        ...
""",
    solution_code="""
class Normalize(nn.HybridBlock):
    def hybrid_forward(self, F, x):
        mean, largest = F.mean(x), F.max(F.abs(x))
        return F.broadcast_div(F.broadcast_sub(x, mean), largest + 1)
""",
    hints=(
        "For everything that NumPy does here, `F` has an operator: `F.mean`, `F.abs`, `F.max`.",
        "`F.mean(x)` is a symbol of shape (1,), `x` has another one. What is the difference between `-` and "
        "`F.broadcast_sub` for symbols?",
        "`F.broadcast_div(F.broadcast_sub(x, F.mean(x)), F.max(F.abs(x)) + 1)`",
    ),
    checker=_check,
    insight="What stays in operators stays in the graph, and is computed anew from the numbers of every call.",
    mistakes=(
        Mistake(
            "still asnumpy",
            _HEAD + "        v = x.asnumpy()\n        return (x - v.mean()) / (abs(v).max() + 1)",
            "asnumpy is not implemented for Symbol",
        ),
        Mistake(
            "asscalar instead",
            _HEAD + "        return (x - F.mean(x).asscalar()) / (F.max(F.abs(x)).asscalar() + 1)",
            "asscalar is not implemented for Symbol",
        ),
        Mistake(
            "no broadcasting",
            _HEAD + "        return (x - F.mean(x)) / (F.max(F.abs(x)) + 1)",
            "Arrays broadcast here",
        ),
        Mistake(
            "for each row",
            _HEAD + "        m = F.mean(x, axis=1, keepdims=True)\n"
            "        return F.broadcast_div(F.broadcast_sub(x, m), F.max(F.abs(x)) + 1)",
            "each row has a mean of its own",
        ),
        Mistake(
            "the numbers of the first call",
            "class Normalize(nn.HybridBlock):\n    def forward(self, x):\n        if not hasattr(self, 'm'):\n"
            "            v = x.asnumpy()\n            self.m, self.l = float(v.mean()), float(abs(v).max())\n"
            "        return super().forward(x)\n    def hybrid_forward(self, F, x):\n"
            "        return (x - self.m) / (self.l + 1)",
            "Line by line, the output for an array of shape (6,",
        ),
        Mistake("hard-coded", _HEAD + "        return F.ones((2, 1)) + F.sum(x) * 0", "wrong shape: (2, 1)"),
    ),
)
