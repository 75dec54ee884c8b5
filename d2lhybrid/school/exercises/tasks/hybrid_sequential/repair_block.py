"""02.3: a plain Block in the middle."""

from __future__ import annotations

import numpy

from ...exercise import Exercise, Mistake
from ...judging import Case, check_net, floats
from ...results import expect
from ...subject import Subject


def _check(subject: Subject, rng: numpy.random.Generator) -> None:
    features, hidden, classes = (int(n) for n in rng.choice(numpy.arange(3, 12), 3, replace=False))
    factor = float(numpy.round(rng.uniform(0.2, 2.5), 2))

    def reference(parameters: list[numpy.ndarray], x: numpy.ndarray) -> numpy.ndarray:
        weight, bias, weight2, bias2 = parameters
        x = numpy.maximum(x @ weight.T + bias, 0)
        x = factor * (x - x.mean(axis=1, keepdims=True))
        return x @ weight2.T + bias2

    shapes = [(hidden, features), (hidden,), (classes, hidden), (classes,)]
    inputs = [[floats(rng, n, features)] for n in (2, 4)]
    graph = check_net(subject, rng, Case(inputs, reference, [hidden, classes, factor], shapes), "make_net")
    expect("mean" in graph.operators, "The mean is not in the graph.")


EXERCISE = Exercise(
    number="02.3",
    title="The layer that held up the net",
    answer="make_net",
    task="""
This net cannot be hybridized as a whole, because one of its layers is a plain `Block`:

```python
class Center(nn.Block):
    def __init__(self, factor, **kwargs):
        super().__init__(**kwargs)
        self.factor = factor

    def forward(self, x):
        return self.factor * (x - x.mean(axis=1, keepdims=True))


def make_net(hidden, classes, factor):
    net = nn.Sequential()
    net.add(nn.Dense(hidden, activation="relu"), Center(factor), nn.Dense(classes))
    return net
```

Rewrite it so that all of it ends up in one graph, and computes the same.
""",
    starter="""
class Center(nn.Block):
    def __init__(self, factor, **kwargs):
        super().__init__(**kwargs)
        self.factor = factor

    def forward(self, x):
        return self.factor * (x - x.mean(axis=1, keepdims=True))


def make_net(hidden, classes, factor):
    ...
""",
    solution_code="""
class Center(nn.HybridBlock):
    def __init__(self, factor, **kwargs):
        super().__init__(**kwargs)
        self.factor = factor

    def hybrid_forward(self, F, x):
        return self.factor * F.broadcast_sub(x, x.mean(axis=1, keepdims=True))


def make_net(hidden, classes, factor):
    net = nn.HybridSequential()
    net.add(nn.Dense(hidden, activation="relu"), Center(factor), nn.Dense(classes))
    return net
""",
    hints=(
        "Two classes have to change their base: the container, and `Center`.",
        "A `HybridBlock` computes in `hybrid_forward(self, F, x)`.",
        "Between symbols, `-` wants two equal shapes, and here is a row less its mean. Which operator broadcasts?",
        "`self.factor * F.broadcast_sub(x, x.mean(axis=1, keepdims=True))`, in a `HybridSequential`.",
    ),
    checker=_check,
    insight="One plain Block keeps everything around it in Python; so it pays to rewrite the last one.",
    mistakes=(
        Mistake(
            "only the container",
            "class Center(nn.Block):\n    def __init__(self, factor, **kwargs):\n        super().__init__(**kwargs)\n"
            "        self.factor = factor\n    def forward(self, x):\n"
            "        return self.factor * (x - x.mean(axis=1, keepdims=True))\n"
            "def make_net(hidden, classes, factor):\n    net = nn.HybridSequential()\n"
            "    net.add(nn.Dense(hidden, activation='relu'), Center(factor), nn.Dense(classes))\n    return net",
            "Children of HybridBlock must also be HybridBlock",
        ),
        Mistake(
            "still a plain net",
            "class Center(nn.Block):\n    def __init__(self, factor, **kwargs):\n        super().__init__(**kwargs)\n"
            "        self.factor = factor\n    def forward(self, x):\n"
            "        return self.factor * (x - x.mean(axis=1, keepdims=True))\n"
            "def make_net(hidden, classes, factor):\n    net = nn.Sequential()\n"
            "    net.add(nn.Dense(hidden, activation='relu'), Center(factor), nn.Dense(classes))\n    return net",
            "1 is a Center",
        ),
        Mistake(
            "minus does not broadcast",
            "class Center(nn.HybridBlock):\n    def __init__(self, factor, **kwargs):\n"
            "        super().__init__(**kwargs)\n        self.factor = factor\n    def hybrid_forward(self, F, x):\n"
            "        return self.factor * (x - x.mean(axis=1, keepdims=True))\n"
            "def make_net(hidden, classes, factor):\n    net = nn.HybridSequential()\n"
            "    net.add(nn.Dense(hidden, activation='relu'), Center(factor), nn.Dense(classes))\n    return net",
            "Incompatible attr",
        ),
        Mistake(
            "leaves it out",
            "def make_net(hidden, classes, factor):\n    net = nn.HybridSequential()\n"
            "    net.add(nn.Dense(hidden, activation='relu'), nn.Dense(classes))\n    return net",
            "right shape and wrong values",
        ),
        Mistake(
            "hard-coded",
            "def make_net(hidden, classes, factor):\n    return nn.HybridLambda(lambda F, x: x * 0 + 1.5)",
            "has 0 parameters",
        ),
    ),
)
