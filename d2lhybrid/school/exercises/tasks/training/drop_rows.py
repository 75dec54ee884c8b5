"""07.5: a layer that behaves differently in training."""

from __future__ import annotations

import numpy

from ...exercise import Exercise, Mistake
from ...judging import compare
from ...results import Wrong, expect
from ...subject import Subject


def _check(subject: Subject, rng: numpy.random.Generator) -> None:
    p = float(numpy.round(rng.uniform(0.2, 0.7), 2))
    x = rng.uniform(1, 3, (400, int(rng.integers(30, 40)))).astype("float32")
    for first in ("predict", "train"):
        net = subject.ask("make", f"making the net with DropRows({p})", args=[p])
        expect(net["block"], f"DropRows({p}) gives no net but a {net['type']}.")
        subject.ask("start", "called line by line", inputs=[x])
        for how in ("Line by line", "Hybridized"):
            subject.ask("hybridize", active=how == "Hybridized")
            modes = ["predict", "train"] if first == "predict" else ["train", "predict"]
            for mode in modes:
                where = f"{how}, in {mode} mode, first called in {first} mode,"
                _check_call(subject, x, p, mode, where)


def _check_call(subject: Subject, x: numpy.ndarray, p: float, mode: str, where: str) -> None:
    def out() -> numpy.ndarray:
        outputs = subject.ask("run", where.lower().rstrip(","), inputs=[x], train=mode == "train")["outputs"]
        expect(getattr(outputs[0], "shape", None) == x.shape, f"{where} the output has not the shape of the input.")
        return outputs[0]

    y = out()
    if mode == "predict":
        compare(y, x, f"{where} the output for an array of shape {x.shape}")
        return
    if numpy.allclose(y, x):
        raise Wrong(f"{where} the output is the input: nothing is dropped.")
    dropped = (y == 0).all(axis=1)
    columns = (y == 0).all(axis=0)
    expect(not columns.any(), f"{where} whole columns are dropped, not rows.")
    single = (y == 0).any(axis=1) & ~dropped
    expect(not single.any(), f"{where} single elements are dropped, not whole rows.")
    share = float(dropped.mean())
    expect(abs(share - p) < 0.12, f"{where} {share:.0%} of the rows are dropped, for p={p}.")
    kept = ~dropped
    plain = numpy.allclose(y[kept], x[kept])
    expect(not plain, f"{where} the rows that stay are unchanged: on average, the output is smaller than the input.")
    compare(y[kept], x[kept] / (1 - p), f"{where} the output of the rows that stay")
    expect(bool(((out() == 0).all(axis=1) != dropped).any()), f"{where} two calls drop the same rows.")


_HEAD = (
    "class DropRows(nn.HybridBlock):\n    def __init__(self, p, **kwargs):\n        super().__init__(**kwargs)\n"
    "        self.p = p\n    def hybrid_forward(self, F, x):\n"
)
_MASK = (
    "        mask = F.random.uniform_like(F.slice_axis(x, axis=1, begin=0, end=1)) > self.p\n"
    "        return F.broadcast_mul(x, mask)"
)

EXERCISE = Exercise(
    number="07.5",
    title="Only in training",
    answer="DropRows",
    points=2,
    task="""
`DropRows(p)` is to drop whole rows of `x`, in training only: each row is replaced by zeros with probability `p`, and
the rows that stay are divided by `1 - p`, so that the mean stays the same. Outside of training the output is the input.
Every call draws anew. `x` has two axes.

It must work in whichever mode it is called first. `autograd.is_training()` tells Python the mode; think about when
Python is asked.
""",
    starter="""
class DropRows(nn.HybridBlock):
    def __init__(self, p, **kwargs):
        super().__init__(**kwargs)
        self.p = p

    def hybrid_forward(self, F, x):
        ...
""",
    solution_code="""
class DropRows(nn.HybridBlock):
    def __init__(self, p, **kwargs):
        super().__init__(**kwargs)
        self.p = p

    def hybrid_forward(self, F, x):
        return F.Dropout(x, p=self.p, axes=(1,))
""",
    hints=(
        "`if autograd.is_training()` is asked while tracing, and never again. The mode has to be known to an operator.",
        "`F.Dropout` knows the mode, and divides by `1 - p`. On a column of ones it makes a mask of rows.",
        "Read what `axes` means: `nd.Dropout?`. Along these axes all elements share one fate.",
    ),
    checker=_check,
    insight="The mode is part of the signature: one graph, and a program for each mode.",
    mistakes=(
        Mistake(
            "asks in Python",
            _HEAD + "        if not autograd.is_training():\n            return F.identity(x)\n"
            "        mask = F.random.uniform_like(F.slice_axis(x, axis=1, begin=0, end=1)) > self.p\n"
            "        return F.broadcast_mul(x, mask) / (1 - self.p)",
            "Hybridized, in train mode, first called in predict mode, the output is the input",
        ),
        Mistake("single elements", _HEAD + "        return F.Dropout(x, p=self.p)", "not whole rows"),
        Mistake("columns", _HEAD + "        return F.Dropout(x, p=self.p, axes=(0,))", "whole columns are dropped"),
        Mistake(
            "always", _HEAD + _MASK + " / (1 - self.p)", "in predict mode, first called in predict mode, the output for"
        ),
        Mistake(
            "never",
            _HEAD + "        return F.identity(x)",
            "Line by line, in train mode, first called in predict mode, the output is",
        ),
        Mistake(
            "no scaling",
            _HEAD + "        return x * F.sign(F.Dropout(F.ones_like(x), p=self.p, axes=(1,)))",
            "the rows that stay are unchanged",
        ),
        Mistake(
            "another p", _HEAD + "        return F.Dropout(x, p=1 - self.p / 3, axes=(1,))", "of the rows are dropped"
        ),
        Mistake("hard-coded", _HEAD + "        return F.ones((2, 2))", "not the shape of the input"),
    ),
)
