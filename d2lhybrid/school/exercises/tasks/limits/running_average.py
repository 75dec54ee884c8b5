"""04.7: a loop in the graph."""

from __future__ import annotations

import numpy

from ...exercise import Exercise, Mistake
from ...judging import Case, check_net, floats
from ...results import expect
from ...subject import Subject


def _check(subject: Subject, rng: numpy.random.Generator) -> None:
    decay = float(numpy.round(rng.uniform(0.3, 0.9), 2))

    def reference(parameters: list[numpy.ndarray], x: numpy.ndarray) -> numpy.ndarray:
        rows, state = [], numpy.zeros_like(x[0])
        for row in x:
            state = decay * state + (1 - decay) * row
            rows.append(state)
        return numpy.stack(rows)

    suspects = [
        (lambda p, x: reference(p, x)[-1], "it is the last average only."),
        (lambda p, x: (1 - decay) * x, "no row depends on the rows before it."),
    ]
    columns = int(rng.integers(2, 5))
    inputs = [[floats(rng, n, columns)] for n in (6, 3, 9)]
    graph = check_net(subject, rng, Case(inputs, reference, [decay], [], suspects=suspects), "RunningAverage")
    expect(len(graph.operators) < 20, f"The graph has {len(graph.operators)} operators: the loop is unrolled in it.")


_HEAD = (
    "class RunningAverage(nn.HybridBlock):\n    def __init__(self, decay, **kwargs):\n"
    "        super().__init__(**kwargs)\n        self.decay = decay\n    def hybrid_forward(self, F, x):\n"
)
_STEP = "        def step(row, state):\n"
_ZEROS = "        zeros = F.zeros_like(F.reshape(F.slice_axis(x, axis=0, begin=0, end=1), (-1,)))\n"

EXERCISE = Exercise(
    number="04.7",
    title="A loop of unknown length",
    answer="RunningAverage",
    points=2,
    task="""
The rows of `x` are measurements, one after the other. `RunningAverage(decay)` is to return the running average after
each of them. It starts with zeros, and each new row changes it to `decay * average + (1 - decay) * row`. The result has
the shape of `x`.

A graph is made once, and then called with 3 rows, with 6, with 9. So the loop itself has to be in the graph.
`F.contrib.foreach(step, data, state)` is such a loop: `step(row, state)` returns an output and the next state, and
`foreach` returns all outputs and the last state.
""",
    starter="""
class RunningAverage(nn.HybridBlock):
    def __init__(self, decay, **kwargs):
        super().__init__(**kwargs)
        self.decay = decay

    def hybrid_forward(self, F, x):
        ...
""",
    solution_code="""
class RunningAverage(nn.HybridBlock):
    def __init__(self, decay, **kwargs):
        super().__init__(**kwargs)
        self.decay = decay

    def hybrid_forward(self, F, x):
        def step(row, average):
            average = self.decay * average + (1 - self.decay) * row
            return average, average

        first_row = F.reshape(F.slice_axis(x, axis=0, begin=0, end=1), (-1,))
        averages, _ = F.contrib.foreach(step, x, F.zeros_like(first_row))
        return averages
""",
    hints=(
        "`step` is traced once, with symbols for one row and for the state; `foreach` runs it as often as there "
        "are rows.",
        "The first state is a row of zeros. Its length is not known; but there is a row to be like.",
        "`F.reshape(F.slice_axis(x, axis=0, begin=0, end=1), (-1,))` is the first row.",
    ),
    checker=_check,
    insight="`foreach` is one operator with a small graph inside it: the loop of the graph, not of Python.",
    mistakes=(
        Mistake(
            "Python's for",
            _HEAD + "        out, average = [], 0\n        for row in x:\n"
            "            average = self.decay * average + (1 - self.decay) * row\n            out.append(average)\n"
            "        return F.stack(*out, axis=0)",
            "Hybridized, the output for an array of shape (6,",
        ),
        Mistake(
            "a loop of fixed length",
            _HEAD + "        rows = F.split(x, num_outputs=6, axis=0, squeeze_axis=True)\n        out, average = "
                    "[], 0\n"
            "        for i in range(6):\n            average = self.decay * average + (1 - self.decay) * rows[i]\n"
            "            out.append(average)\n        return F.stack(*out, axis=0)",
            "an array of shape (3,",
        ),
        Mistake(
            "returns the state",
            _HEAD + _STEP + "            state = self.decay * state + (1 - self.decay) * row\n"
            "            return state, state\n" + _ZEROS + "        return F.contrib.foreach(step, x, zeros)[1]",
            "the last average only",
        ),
        Mistake(
            "forgets the state",
            _HEAD + _STEP + "            out = self.decay * state + (1 - self.decay) * row\n            return "
                            "out, state\n"
            + _ZEROS + "        return F.contrib.foreach(step, x, zeros)[0]",
            "depends on the rows before it",
        ),
        Mistake("hard-coded", _HEAD + "        return F.zeros((6, 1)) + 0 * F.sum(x)", "wrong shape: (6, 1)"),
    ),
)  # fmt: skip
