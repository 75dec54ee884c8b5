"""07.5: a layer that behaves differently in training."""

from __future__ import annotations

import numpy

from ....exercise import Exercise
from ....judging import compare
from ....results import Wrong, expect
from ....subject import Subject


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


EXERCISE = Exercise(__name__, number="07.5", answer="DropRows", checker=_check, points=2)
