"""07.1: one step of training."""

from __future__ import annotations

import numpy

from ...exercise import Exercise, Mistake
from ...judging import compare, floats
from ...subject import Subject

Arrays = list[numpy.ndarray]


def _step(weights: Arrays, x: numpy.ndarray, y: numpy.ndarray, rate: float, scale: float = 1.0) -> tuple[Arrays, float]:
    """Return the weights after a step of gradient descent on the mean of half the squared errors; and the loss."""
    w1, b1, w2, b2 = weights
    hidden = x @ w1.T + b1
    error = hidden @ w2.T + b2 - y
    loss = float((error**2).mean() / 2)
    d_out = scale * error / error.size
    d_hidden = d_out @ w2
    gradients = [d_hidden.T @ x, d_hidden.sum(axis=0), d_out.T @ hidden, d_out.sum(axis=0)]
    return [w - rate * g for w, g in zip(weights, gradients, strict=True)], loss


def _check(subject: Subject, rng: numpy.random.Generator) -> None:
    for hybridized in (False, True):
        features, hidden, outputs = (int(n) for n in rng.choice(numpy.arange(2, 7), 3, replace=False))
        weights = [floats(rng, *s, low=-0.6, high=0.6)
                   for s in ((hidden, features), (hidden,), (outputs, hidden), (outputs,))]  # fmt: skip
        sizes = [int(n) for n in rng.integers(5, 12, 2)]
        data = [floats(rng, n, features) for n in sizes]
        labels = [floats(rng, n, outputs) for n in sizes]
        rate = float(numpy.round(rng.uniform(0.05, 0.2), 3))
        how = "hybridized" if hybridized else "line by line"
        found = subject.ask(
            "training_step", f"called with a net that runs {how}", widths=[features, hidden, outputs], weights=weights,
            data=data, labels=labels, rate=rate, hybridized=hybridized,
        )  # fmt: skip
        _compare(found, weights, data, labels, rate, how)


def _compare(found: dict, weights: Arrays, data: Arrays, labels: Arrays, rate: float, how: str) -> None:
    what = f"With batches of {len(data[0])} and {len(data[1])} examples, {how}, "
    what += "the weight of the first layer after two steps"
    first, loss = _step(weights, data[0], labels[0], rate)
    second, loss2 = _step(first, data[1], labels[1], rate)
    whole = [_step(weights, data[0], labels[0], rate, scale=len(data[0]))[0]]
    whole.append(_step(whole[0], data[1], labels[1], rate, scale=len(data[1]))[0])
    suspects = [
        (weights[0], "it has not changed."),
        (whole[1][0], "the steps are as large as if the batch were one example."),
    ]
    compare(found["weights"][0], second[0], what, suspects)
    compare(found["weights"][3], second[3], what.replace("weight of the first", "bias of the last"))
    results = found["results"]
    got = numpy.asarray(
        [r.mean() if isinstance(r, numpy.ndarray) else r for r in results if isinstance(r, float | int | numpy.ndarray)]
    )
    compare(got.astype(float), numpy.array([loss, loss2]), f"With the same batches, {how}, what the function returns")


_BODY = (
    "def training_step(net, trainer, loss, x, y):\n    with autograd.record():\n        l = loss(net(x), y)\n"
    "    l.backward()\n    trainer.step({})\n    return l.mean().asscalar()\n"
)

EXERCISE = Exercise(
    number="07.1",
    title="One step",
    answer="training_step",
    points=2,
    task="""
Write `training_step(net, trainer, loss, x, y)`. It does one step of training on the examples `x` with the labels `y`,
and returns the mean of the losses of the examples, before the step, as a number. `loss(output, y)` gives one loss for
each example; `trainer` is a `gluon.Trainer` of all parameters. The step is to be that of the **mean** loss of the
batch, whatever its size.
""",
    starter="""
def training_step(net, trainer, loss, x, y):
    ...
""",
    solution_code="""
def training_step(net, trainer, loss, x, y):
    with autograd.record():
        losses = loss(net(x), y)
    losses.backward()
    trainer.step(len(x))
    return losses.mean().asscalar()
""",
    hints=(
        "Three things in a row: compute the losses while the tape records, go backwards, take the step.",
        "`with autograd.record():` around what is to be differentiated, and nothing else.",
        "`backward()` on several losses gives the gradient of their sum. By what does `trainer.step(n)` divide it?",
    ),
    checker=_check,
    insight="The loop does not know whether the net is hybridized. The recorded call is one entry of the tape if "
    "it is.",
    mistakes=(
        Mistake(
            "does not record",
            "def training_step(net, trainer, loss, x, y):\n    l = loss(net(x), y)\n    l.backward()\n"
            "    trainer.step(len(x))\n    return l.mean().asscalar()",
            "Cannot differentiate node",
        ),
        Mistake(
            "no backward",
            _BODY.format("len(x)").replace("    l.backward()\n", ""),
            "not been updated by backward",
        ),
        Mistake("no step", _BODY.format("len(x)").replace("    trainer.step(len(x))\n", ""), "it has not changed"),
        Mistake("step(1)", _BODY.format(1), "as if the batch were one example"),
        Mistake("a fixed batch size", _BODY.format(5), "after two steps has the right shape"),
        Mistake(
            "returns nothing",
            _BODY.format("len(x)").replace("    return l.mean().asscalar()\n", ""),
            "wrong shape: (0,)",
        ),
        Mistake(
            "returns the loss afterwards",
            _BODY.format("len(x)").replace("return l.mean()", "return loss(net(x), y).mean()"),
            "what the function returns has the right shape",
        ),
        Mistake("hard-coded", "def training_step(net, trainer, loss, x, y):\n    return 0.5", "it has not changed"),
    ),
)
