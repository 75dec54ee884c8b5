"""03.2: what Python still does, and when."""

from __future__ import annotations

import numpy

from ...exercise import Exercise, Mistake
from ...judging import check_choices
from ...subject import Subject

_RIGHT = {"printed": 2, "calls": 2, "F first": "nd", "F last": "sym", "output": "NDArray", "after hybridize": 3}
_REASONS = {
    "printed": {
        4: "so it is without `hybridize()`. Who runs the `print` when the compiled program runs?",
        1: "the first call is still line by line, and prints as always.",
        ...: "count: which of the four calls run the method?",
    },
    "calls": {
        4: "adding to `self.calls` is Python, not a computation with `x`.",
        ...: "it changes where the print prints.",
    },
    "F first": {...: "before `hybridize()` the block runs on arrays."},
    "F last": {
        "nd": "what does the trace hand to the method?",
        ...: "the last time that the method ran was the trace.",
    },
    "output": {...: "the caller gave an array. Did he ever get anything else back?"},
    "after hybridize": {
        2: "`hybridize()` drops the graph.",
        ...: "how many traces does one call after `hybridize()` need?",
    },
}


def _check(subject: Subject, rng: numpy.random.Generator) -> None:
    check_choices(subject, _RIGHT, _REASONS)


EXERCISE = Exercise(
    number="03.2",
    title="The vanishing prints",
    answer="seen",
    constant=True,
    task="""
```python
class Chatty(nn.HybridBlock):
    def __init__(self, **kwargs):
        super().__init__(**kwargs)
        self.calls = 0

    def hybrid_forward(self, F, x):
        print("hello")
        self.calls += 1
        return x * 2


net = Chatty()
net(x)
net.hybridize()
net(x)
net(x)
y = net(x)
```

Say what happens, before you try it.

| | |
|---|---|
| `printed` | How many times is `hello` printed? |
| `calls` | What is `net.calls` at the end? |
| `F first` | What is `F` when the method runs for the first time: `"nd"` or `"sym"`? |
| `F last` | And when it runs for the last time? |
| `output` | Of which class is `y`: `"NDArray"` or `"Symbol"`? |
| `after hybridize` | What is `net.calls` after two more lines, `net.hybridize()` and `net(x)`? |
""",
    starter="""
seen = {
    "printed": ...,
    "calls": ...,
    "F first": ...,
    "F last": ...,
    "output": ...,
    "after hybridize": ...,
}
""",
    solution_code="""
seen = {
    "printed": 2,
    "calls": 2,
    "F first": "nd",
    "F last": "sym",
    "output": "NDArray",
    "after hybridize": 3,
}
""",
    hints=(
        "Go through the four calls one by one. Ask for each: who computes, the method or the compiled program?",
        "Without `hybridize()` the method runs at every call. With it, at the first call only, and with symbols.",
        "`print` and `self.calls += 1` are no operators: they are not in the graph.",
    ),
    checker=_check,
    insight="What is no operator happens while tracing, and never again.",
    mistakes=(
        Mistake(
            "as without hybridize",
            "seen = {'printed': 4, 'calls': 4, 'F first': 'nd', 'F last': 'sym', 'output': 'NDArray', "
            "'after hybridize': 5}",
            "Who runs the `print`",
        ),
        Mistake(
            "prints only once",
            "seen = {'printed': 1, 'calls': 1, 'F first': 'nd', 'F last': 'sym', 'output': 'NDArray', "
            "'after hybridize': 2}",
            "the first call is still line by line",
        ),
        Mistake(
            "the counter goes on",
            "seen = {'printed': 2, 'calls': 4, 'F first': 'nd', 'F last': 'sym', 'output': 'NDArray', "
            "'after hybridize': 5}",
            "is Python, not a computation",
        ),
        Mistake(
            "a symbol comes out",
            "seen = {'printed': 2, 'calls': 2, 'F first': 'nd', 'F last': 'sym', 'output': 'Symbol', "
            "'after hybridize': 3}",
            "Did he ever get",
        ),
        Mistake(
            "the graph stays",
            "seen = {'printed': 2, 'calls': 2, 'F first': 'nd', 'F last': 'sym', 'output': 'NDArray', "
            "'after hybridize': 2}",
            "drops the graph",
        ),
    ),
)
