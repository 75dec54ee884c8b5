"""04.2: no index."""

from __future__ import annotations

import numpy

from ...exercise import Exercise, Mistake
from ...judging import Case, check_net, floats
from ...subject import Subject


def _check(subject: Subject, rng: numpy.random.Generator) -> None:
    for _ in range(2):
        columns = int(rng.integers(5, 9))
        column = int(rng.integers(1, columns - 1))
        inputs = [[floats(rng, n, columns)] for n in (2, 4)]
        case = Case(inputs, lambda parameters, x, c=column: x[:, c] - x[:, -1], [column], [])
        case.suspects.append((lambda parameters, x, c=column: x[:, c] - x[:, -2], "which column does -2 mean?"))
        case.suspects.append((lambda parameters, x: x[0] - x[-1], "it is made of rows."))
        check_net(subject, rng, case, "Column")


_HEAD = (
    "class Column(nn.HybridBlock):\n    def __init__(self, column, **kwargs):\n        super().__init__(**kwargs)\n"
    "        self.column = column\n    def hybrid_forward(self, F, x):\n"
)

EXERCISE = Exercise(
    number="04.2",
    title="A column, without an index",
    answer="Column",
    task="""
`Column(column)` is to return, for `x` of shape (batch, columns), the given column less the last one, as an array of
shape (batch,):

```python
class Column(nn.HybridBlock):
    def __init__(self, column, **kwargs):
        super().__init__(**kwargs)
        self.column = column

    def hybrid_forward(self, F, x):
        return x[:, self.column] - x[:, -1]
```

Symbols cannot be indexed like this: `x[...]` picks one of their outputs. Write it with operators.
""",
    starter="""
class Column(nn.HybridBlock):
    def __init__(self, column, **kwargs):
        super().__init__(**kwargs)
        self.column = column

    def hybrid_forward(self, F, x):
        ...
""",
    solution_code="""
class Column(nn.HybridBlock):
    def __init__(self, column, **kwargs):
        super().__init__(**kwargs)
        self.column = column

    def hybrid_forward(self, F, x):
        column = F.slice_axis(x, axis=1, begin=self.column, end=self.column + 1)
        last = F.slice_axis(x, axis=1, begin=-1, end=None)
        return F.reshape(column - last, (-1,))
""",
    hints=(
        "`F.slice_axis(x, axis, begin, end)` cuts out a part along one axis.",
        "What is cut out keeps both axes: the shape is (batch, 1). How do you lose the second one?",
        "The last column: `begin=-1, end=None`. One axis: `F.reshape(..., (-1,))`.",
    ),
    checker=_check,
    insight="Cutting is an operator like any other. `self.column` is a Python number: it is frozen in the graph, "
    "and may be.",
    mistakes=(
        Mistake(
            "indexes",
            _HEAD + "        return x[:, self.column] - x[:, -1]",
            "Symbol only support integer index",
        ),
        Mistake(
            "picks outputs",
            _HEAD + "        y = x.transpose()\n        return y[self.column] - y[-1]",
            "IndexError",
        ),
        Mistake(
            "keeps the axis",
            _HEAD + "        return F.slice_axis(x, axis=1, begin=self.column, end=self.column + 1) - "
            "F.slice_axis(x, axis=1, begin=-1, end=None)",
            ", 1).",
        ),
        Mistake(
            "a row",
            _HEAD + "        return F.reshape(F.slice_axis(x, axis=0, begin=0, end=1) - "
            "F.slice_axis(x, axis=0, begin=-1, end=None), (-1,))",
            "it is made of rows",
        ),
        Mistake(
            "the last but one",
            _HEAD + "        return F.reshape(F.slice_axis(x, axis=1, begin=self.column, end=self.column + 1) - "
            "F.slice_axis(x, axis=1, begin=-2, end=-1), (-1,))",
            "which column does -2 mean",
        ),
        Mistake("hard-coded", _HEAD + "        return F.zeros((2,)) + F.sum(x) * 0", "array of shape ("),
    ),
)
