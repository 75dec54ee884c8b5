"""07.3: the lesson's fourth exercise, an earlier model as a HybridBlock."""

from __future__ import annotations

import numpy

from ..... import nd
from ...exercise import Exercise, Mistake
from ...judging import Case, check_net, floats
from ...results import expect
from ...subject import Subject


def _net(parameters: list[numpy.ndarray], x: numpy.ndarray, squash: bool = True) -> numpy.ndarray:
    w1, b1, w2, b2, w3, b3 = map(nd.array, parameters)
    act = nd.sigmoid if squash else nd.identity
    y = nd.Convolution(nd.array(x), w1, b1, kernel=(3, 3), pad=(1, 1), num_filter=w1.shape[0])
    y = nd.Pooling(act(y), kernel=(2, 2), stride=(2, 2), pool_type="max")
    y = nd.Convolution(y, w2, b2, kernel=(3, 3), num_filter=w2.shape[0])
    y = nd.Pooling(act(y), kernel=(2, 2), stride=(2, 2), pool_type="avg")
    return nd.FullyConnected(y, w3, b3, num_hidden=w3.shape[0]).asnumpy()


def _check(subject: Subject, rng: numpy.random.Generator) -> None:
    channels, classes = int(rng.integers(2, 5)), int(rng.integers(5, 9))
    size = int(rng.choice([12, 16]))
    flat = 2 * channels * ((size // 2 - 2) // 2) ** 2
    shapes = [
        (channels, 1, 3, 3),
        (channels,),
        (2 * channels, channels, 3, 3),
        (2 * channels,),
        (classes, flat),
        (classes,),
    ]
    inputs = [[floats(rng, n, 1, size, size)] for n in (2, 3)]
    suspects = [(lambda p, x: _net(p, x, squash=False), "it has no bend in it. Where are the sigmoids?")]
    case = Case(inputs, _net, [channels, classes], shapes, 0.4, suspects)
    case.odd_shapes[classes, 2 * flat] = "the last layer takes the images of a batch for one image."
    graph = check_net(subject, rng, case, "LeNet")
    pools = graph.operators.count("Pooling")
    expect(pools == 2, f"The graph has {pools} pooling operators.")


_SOLUTION = """
class LeNet(nn.HybridBlock):
    def __init__(self, channels, classes, **kwargs):
        super().__init__(**kwargs)
        self.conv1 = nn.Conv2D(channels, kernel_size=3, padding=1)
        self.conv2 = nn.Conv2D(2 * channels, kernel_size=3)
        self.pool1 = nn.MaxPool2D(pool_size=2)
        self.pool2 = nn.AvgPool2D(pool_size=2)
        self.output = nn.Dense(classes)

    def hybrid_forward(self, F, x):
        x = self.pool1(F.sigmoid(self.conv1(x)))
        x = self.pool2(F.sigmoid(self.conv2(x)))
        return self.output(F.reshape(x, (0, -1)))
"""

EXERCISE = Exercise(
    number="07.3",
    title="An earlier model, rewritten",
    answer="LeNet",
    points=2,
    task="""
This small LeNet comes from a notebook of long ago. It works, and cannot be hybridized:

```python
class LeNet(nn.Block):
    def __init__(self, channels, classes, **kwargs):
        super().__init__(**kwargs)
        self.conv1 = nn.Conv2D(channels, kernel_size=3, padding=1)
        self.conv2 = nn.Conv2D(2 * channels, kernel_size=3)
        self.pool1 = nn.MaxPool2D(pool_size=2)
        self.pool2 = nn.AvgPool2D(pool_size=2)
        self.output = nn.Dense(classes)

    def forward(self, x):
        x = self.pool1(nd.sigmoid(self.conv1(x)))
        x = self.pool2(nd.sigmoid(self.conv2(x)))
        print("features:", x.shape)
        x = x.reshape((x.shape[0], -1))
        return self.output(x)
```

Rewrite it as a `HybridBlock`, or as a function `LeNet(channels, classes)` that returns a `HybridSequential`. It must
compute the same, with parameters of the same shapes, for images of any size and batches of any length.
""",
    starter="""
class LeNet(nn.HybridBlock):
    def __init__(self, channels, classes, **kwargs):
        super().__init__(**kwargs)

    def hybrid_forward(self, F, x):
        ...
""",
    solution_code=_SOLUTION,
    hints=(
        "Go through `forward` line by line, and ask of each line: is this an operator of `F`, or a question to "
        "an array?",
        "Two lines ask for the shape. One of them only prints; what does the other one need it for?",
        "`F.reshape(x, (0, -1))`: 0 keeps the size of the batch. `nn.Dense` even flattens on its own.",
    ),
    checker=_check,
    insight="Most of an old model can stay: `nd` becomes `F`, and what asked for a shape becomes an operator.",
    mistakes=(
        Mistake(
            "nd stays",
            _SOLUTION.replace("F.sigmoid", "nd.sigmoid"),
            "Argument data must have NDArray type",
        ),
        Mistake(
            "the shape stays",
            _SOLUTION.replace("F.reshape(x, (0, -1))", "x.reshape((x.shape[0], -1))"),
            "no attribute 'shape'",
        ),
        Mistake(
            "still a Block",
            _SOLUTION.replace("HybridBlock", "Block")
            .replace("hybrid_forward(self, F, x)", "forward(self, x)")
            .replace("F.", "nd."),
            "the net itself is a LeNet",
        ),
        Mistake("no sigmoids", _SOLUTION.replace("F.sigmoid", ""), "Where are the sigmoids"),
        Mistake("another padding", _SOLUTION.replace(", padding=1", ""), "does not belong to the net of the task"),
        Mistake(
            "the batch mixed in",
            _SOLUTION.replace("(0, -1)", "(1, -1)"),
            "the images of a batch for one image",
        ),
        Mistake("another pooling", _SOLUTION.replace("AvgPool2D", "MaxPool2D"), "right shape and wrong values"),
        Mistake(
            "hard-coded",
            _SOLUTION.replace(
                "return self.output(F.reshape(x, (0, -1)))", "self.output(x)\n        return F.ones((2, 10))"
            ),
            "wrong shape: (2, 10)",
        ),
    ),
)
